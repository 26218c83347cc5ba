// Loops whose participants wait until all have begun give the first; two threads that are bound to
// CPUs and pass a word or a block to each other give the others.
#include "artel/tune_measure.hpp"

#include "artel/command.hpp"
#include "base/cpu.hpp"
#include "base/os/yield.hpp"
#include "loop/loop.hpp"
#include "loop/profile.hpp"
#include "sched/crew.hpp"
#include "sched/placement.hpp"
#include "sched/suspend.hpp"
#include "topology/topology.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <cstring>
#include <mutex>
#include <sched.h>
#include <system_error>
#include <thread>

namespace artel::tool {

namespace {

double nanoseconds(std::uint64_t cycles)
{
    return static_cast<double>(cycles) * 1000 / static_cast<double>(base::cycles_per_microsecond());
}

// One run: each thread waits until all have begun.
struct meeting {
    const unsigned threads;
    const bool share_cpus;
    alignas(base::cache_line) std::atomic<unsigned> begun{0};
    alignas(base::cache_line) std::atomic<std::uint64_t> last{0};

    static void arrive(void* context, std::int64_t begin, std::int64_t end, unsigned)
    {
        auto& self = *static_cast<meeting*>(context);
        const std::uint64_t now = base::cycles();
        // relaxed: read after the loop's end.
        std::uint64_t seen = self.last.load(std::memory_order_relaxed);
        // relaxed: as above.
        while (seen < now &&
               !self.last.compare_exchange_weak(seen, now, std::memory_order_relaxed)) {
        }
        // relaxed: only counted.
        self.begun.fetch_add(static_cast<unsigned>(end - begin), std::memory_order_relaxed);
        // relaxed: only counted.
        while (self.begun.load(std::memory_order_relaxed) < self.threads) {
            if (self.share_cpus) {
                base::os::yield();
            } else {
                base::cpu_relax();
            }
        }
    }
};

// --- between two CPUs ----------------------------------------------------------------------------

void pin(unsigned os_index)
{
    const std::size_t bytes = CPU_ALLOC_SIZE(os_index + 1);
    cpu_set_t* const set = CPU_ALLOC(os_index + 1);
    CPU_ZERO_S(bytes, set);
    CPU_SET_S(os_index, bytes, set);
    // after a failure the figures are those of the CPU on which it happens to run.
    ::sched_setaffinity(0, bytes, set);
    CPU_FREE(set);
}

constexpr std::size_t block = 64 * 1024;

// What the two threads share: whose turn it is, and the block.
struct table {
    alignas(base::cache_line) std::atomic<std::uint32_t> turn{0};
    alignas(base::cache_line) std::array<unsigned char, block> data{};
};

void wait_for(const std::atomic<std::uint32_t>& turn, std::uint32_t value)
{
    // acquire: pairs with pass(): the block's contents.
    while (turn.load(std::memory_order_acquire) != value) {
        base::cpu_relax();
    }
}

void pass(std::atomic<std::uint32_t>& turn, std::uint32_t value)
{
    turn.store(value, std::memory_order_release);  // release: pairs with wait_for()
}

// Runs both at the same time, each in a thread of its own. Neither begins before both threads are
// there: alone it would wait for ever.
template <class First, class Second>
void run_both(First first, Second second)
{
    std::mutex gate;
    bool both = false;
    std::string why;
    const auto begin = [&](auto& work) {
        if (const std::scoped_lock opened(gate); !both) {
            return;
        }
        work();
    };
    std::unique_lock closed(gate);
    std::thread one, two;
    try {
        one = std::thread([&] { begin(first); });
        two = std::thread([&] { begin(second); });
        both = true;
    } catch (const std::system_error& error) {
        why = error.code().message();
    }
    closed.unlock();
    for (std::thread* const each : {&one, &two}) {
        if (each->joinable()) {
            each->join();
        }
    }
    if (!both) {
        throw command_error(failure, fmt::format("the system gives no two threads: {}", why));
    }
}

double median(std::vector<double>& values)
{
    std::sort(values.begin(), values.end());
    return quantile(values, 0.5);
}

void measure_pair(level& l, std::size_t rounds)
{
    table t;
    constexpr std::uint32_t trips = 64;  // round trips of one measurement
    const auto other = [&] {
        pin(l.to);
        std::uint32_t turn = 0;
        for (std::size_t i = 0; i < rounds; ++i) {
            for (std::uint32_t trip = 0; trip < trips; ++trip) {
                wait_for(t.turn, turn + 1);
                pass(t.turn, turn += 2);
            }
            wait_for(t.turn, turn + 1);
            std::memset(t.data.data(), static_cast<int>(i), block);
            pass(t.turn, turn += 2);
        }
    };
    std::vector<double> notification;
    std::vector<double> copy;
    bool differs = false;
    const auto here = [&] {
        pin(l.from);
        std::uint32_t turn = 0;
        std::vector<unsigned char> own(block, 1);
        for (std::size_t i = 0; i < rounds; ++i) {
            const std::uint64_t start = base::cycles();
            for (std::uint32_t trip = 0; trip < trips; ++trip) {
                pass(t.turn, turn + 1);
                wait_for(t.turn, turn += 2);
            }
            notification.push_back(nanoseconds(base::cycles() - start) / (2 * trips));
            pass(t.turn, turn + 1);
            wait_for(t.turn, turn += 2);
            const std::uint64_t began = base::cycles();
            std::memcpy(own.data(), t.data.data(), block);
            copy.push_back(nanoseconds(base::cycles() - began) / (block / 1024));
            if (own[block - 1] != static_cast<unsigned char>(i)) {
                differs = true;  // goes on: the other thread waits for its turns
            }
        }
    };
    run_both(other, here);
    if (differs) {
        throw command_error(failure, "a copied block differs from its original");
    }
    l.notification_ns = median(notification);
    l.copy_ns_per_kib = median(copy);
}

// Two threads on one CPU that only yield it to each other.
class turns {
public:
    explicit turns(unsigned cpu) : cpu_(cpu) {}

    void take(std::size_t rounds, std::vector<double>* found)
    {
        constexpr unsigned batch = 64;  // turns of one measurement
        pin(cpu_);
        there_.fetch_add(1, std::memory_order_relaxed);       // relaxed: only counted
        while (there_.load(std::memory_order_relaxed) < 2) {  // relaxed: as above
            base::os::yield();
        }
        for (std::size_t i = 0; i < rounds; ++i) {
            const std::uint64_t start = base::cycles();
            for (unsigned n = 0; n < batch; ++n) {
                base::os::yield();
            }
            if (found != nullptr) {
                // during each yield the other thread yields, too.
                found->push_back(nanoseconds(base::cycles() - start) / (2 * batch));
            }
        }
    }

private:
    const unsigned cpu_;
    std::atomic<unsigned> there_{0};
};

}  // namespace

double quantile(const std::vector<double>& sorted, double part)
{
    if (sorted.empty()) {
        return 0;
    }
    const auto rank = static_cast<std::size_t>(
        std::ceil(part * static_cast<double>(sorted.size())));
    return sorted[std::clamp<std::size_t>(rank, 1, sorted.size()) - 1];
}

std::vector<double> measure_distribution(unsigned threads, unsigned fan_out, std::size_t runs,
                                         const progress& tell)
{
    sched::crew& crew = sched::crew::get();
    for (unsigned i = 0; i + 1 < threads; ++i) {
        if (crew.own_worker(i) == nullptr) {
            throw command_error(failure,
                                fmt::format("the system gives no more than {} threads", i + 1));
        }
    }
    const loop::distribution tree{fan_out, 0};
    const bool share_cpus = threads > sched::usable_cpus();
    std::vector<double> results;
    results.reserve(runs);
    const std::size_t warm_up = std::min<std::size_t>(runs, 50);
    for (std::size_t i = 0; i < warm_up + runs; ++i) {
        meeting m{threads, share_cpus};
        loop::request r;
        r.end = threads;
        r.how = &loop::timespan;
        r.body = meeting::arrive;
        r.context = &m;
        r.concurrency = threads;
        r.distributed = &tree;
        const std::uint64_t start = base::cycles();
        loop::run(r);
        if (i >= warm_up) {
            // relaxed: the loop has ended.
            results.push_back(nanoseconds(m.last.load(std::memory_order_relaxed) - start));
        }
        if (i % 64 == 0) {
            tell(i, warm_up + runs);
        }
    }
    return results;
}

double measure_turn(std::size_t rounds)
{
    turns t(topology::this_machine().cpus.front().os_index);
    std::vector<double> found;
    run_both([&] { t.take(rounds, nullptr); }, [&] { t.take(rounds, &found); });
    return median(found);
}

std::vector<level> measure_levels(std::size_t rounds)
{
    const auto& cpus = topology::this_machine().cpus;
    std::vector<level> found;
    const auto add = [&](const char* name, auto&& related) {
        for (const auto& a : cpus) {
            for (const auto& b : cpus) {
                if (a.os_index != b.os_index && related(a, b)) {
                    found.push_back({name, a.os_index, b.os_index});
                    return;
                }
            }
        }
    };
    using cpu = topology::cpu;
    add("core", [](const cpu& a, const cpu& b) { return a.core == b.core; });
    add("cache", [](const cpu& a, const cpu& b) { return a.core != b.core && a.l3 == b.l3; });
    add("node", [](const cpu& a, const cpu& b) { return a.l3 != b.l3 && a.numa == b.numa; });
    add("machine", [](const cpu& a, const cpu& b) { return a.numa != b.numa; });
    for (level& l : found) {
        measure_pair(l, rounds);
    }
    return found;
}

}  // namespace artel::tool
