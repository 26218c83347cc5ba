// Broadcasts of five sizes from rank 0, each way in turns; medians of rank 0's clock are compared.
// The result is kept by number of ranks.
#include "coll/threshold.hpp"

#include "coll/kernels.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <new>

namespace artel::coll {
namespace {

using shm::status;

// The last one stands for all larger ones.
constexpr std::array<std::uint64_t, 5> sizes{64U << 10, 256U << 10, 1U << 20, 4U << 20, 16U << 20};
constexpr unsigned trials = 5;  // of each way, in turns
constexpr double faster = 0.95;

double now() noexcept
{
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

// Whether `own` is true in all ranks.
status all_agree(exchange& all, bool own, bool& agreed) noexcept
{
    const artel_operation least{find_kernel(scalar::u32, op_kind::min), sizeof(std::uint32_t),
                                nullptr, 0};
    const std::uint32_t in = own ? 1 : 0;
    std::uint32_t out = 0;
    const status s = all.allreduce(&in, &out, sizeof in, least);
    agreed = out != 0;
    return s;
}

// One message, from a common start until all have it.
status send_once(channel& messages, exchange& all, const artel_message& m, double& seconds) noexcept
{
    if (const status s = all.barrier(); s != status::ok) {
        return s;
    }
    const double begin = now();
    const status sent = messages.broadcast(m, 0);
    const status s = sent == status::ok ? all.barrier() : sent;
    seconds = now() - begin;
    return s;
}

status measure(channel& messages, exchange& all, void* buffer, two_ways& row) noexcept
{
    std::array<double, trials> queue{}, direct{};
    const artel_message m{buffer, row.bytes, nullptr, nullptr};
    for (unsigned i = 0; i < trials; ++i) {
        messages.use_direct_from(0);
        if (const status s = send_once(messages, all, m, queue[i]); s != status::ok) {
            return s;
        }
        messages.use_direct_from(1);
        if (const status s = send_once(messages, all, m, direct[i]); s != status::ok) {
            return s;
        }
    }
    const auto median = [](auto& of) {
        std::sort(of.begin(), of.end());
        return of[trials / 2];
    };
    row.queue = median(queue);
    row.direct = median(direct);
    return status::ok;
}

status find(channel& messages, exchange& all, unsigned rank, std::uint64_t& found) noexcept
{
    const std::unique_ptr<std::byte[]> buffer(new (std::nothrow) std::byte[sizes.back()]);
    bool possible = false;
    if (const status s = all_agree(all, buffer != nullptr, possible);
        s != status::ok || !possible) {
        return s;
    }
    std::memset(buffer.get(), static_cast<int>(rank), sizes.back());
    std::array<two_ways, sizes.size()> rows{};
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        rows[i].bytes = sizes[i];
        if (const status s = measure(messages, all, buffer.get(), rows[i]); s != status::ok) {
            return s;
        }
    }
    // Rank 0's clock counts.
    std::uint64_t told = threshold_of(rows);
    const status s = messages.broadcast({&told, sizeof told, nullptr, nullptr}, 0);
    found = s == status::ok ? told : 0;
    return s;
}

std::mutex known_mutex;
std::map<unsigned, std::uint64_t>& known()
{
    // Never destroyed: communicators may be set up after static objects have gone.
    static auto* const by_ranks = new std::map<unsigned, std::uint64_t>;
    return *by_ranks;
}

}  // namespace

std::uint64_t threshold_of(std::span<const two_ways> rows) noexcept
{
    std::uint64_t found = 0;
    for (auto row = rows.rbegin(); row != rows.rend() && row->direct < faster * row->queue; ++row) {
        found = row->bytes;
    }
    return found;
}

std::uint64_t find_direct_from(channel& messages, exchange& all, unsigned rank) noexcept
{
    std::uint64_t found = 0;
    if (find(messages, all, rank, found) != status::ok) {
        found = 0;  // a rank died; the next collective will report it
    }
    messages.use_direct_from(found);
    return found;
}

std::uint64_t known_direct_from(unsigned ranks)
{
    const std::lock_guard<std::mutex> lock(known_mutex);
    const auto found = known().find(ranks);
    return found == known().end() ? direct_unknown : found->second;
}

void keep_direct_from(unsigned ranks, std::uint64_t bytes)
{
    const std::lock_guard<std::mutex> lock(known_mutex);
    known()[ranks] = bytes;
}

}  // namespace artel::coll
