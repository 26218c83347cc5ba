// One sum for the process; the usual limit is a sixteenth of the machine's memory.
#include "coll/memory_use.hpp"

#include "shm/memory.hpp"

#include <algorithm>
#include <atomic>
#include <unistd.h>

namespace artel::coll {
namespace {

std::atomic<std::uint64_t> bytes_in_use{0};

}  // namespace

std::uint64_t memory_in_use() noexcept
{
    // relaxed, here and below: a sum that is compared with a limit; it orders nothing else.
    return bytes_in_use.load(std::memory_order_relaxed);
}

void count_memory(std::uint64_t bytes) noexcept
{
    bytes_in_use.fetch_add(bytes, std::memory_order_relaxed);  // relaxed: see memory_in_use()
}

void discount_memory(std::uint64_t bytes) noexcept
{
    bytes_in_use.fetch_sub(bytes, std::memory_order_relaxed);  // relaxed: see memory_in_use()
}

std::uint64_t usual_limit() noexcept
{
    const auto pages = static_cast<std::uint64_t>(std::max(::sysconf(_SC_PHYS_PAGES), 0L));
    return pages * shm::page_size() / 16;
}

std::uint64_t limit_of(const settings& s) noexcept
{
    return s.memory_limit != 0 ? s.memory_limit : usual_limit();
}

}  // namespace artel::coll
