// A process_crew in a control group whose memory does not suffice (oom_test.py makes it): the
// kernel's OOM killer must hit the worker that takes too much, and nothing else. Prints what the
// program found: {"given_up", "lost", "wrong", "signals": [[index, attempt, signal], ...]}.
#include <artel/process_crew.hpp>

#include <atomic>
#include <cstdio>
#include <cstring>
#include <sys/mman.h>
#include <unistd.h>

namespace {

constexpr std::uint64_t indices = 60, greedy_once = 7, greedy_always = 23;

// Touches memory until the kernel ends this process; the limit is far below.
void take_everything()
{
    constexpr std::size_t bytes = std::size_t{1} << 20;
    for (unsigned i = 0; i < 4096; ++i) {
        void* const memory = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                                    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (memory == MAP_FAILED)
            ::_exit(3);
        std::memset(memory, 1, bytes);
    }
    ::_exit(4);  // 4 GiB were there: the group has no limit
}

}  // namespace

int main()
{
    artel::process_crew crew({.workers = 3, .arena_bytes = 1u << 20, .tries = 2});
    auto* const out = crew.allocate<std::uint64_t>(indices);
    auto* const attempts = static_cast<std::atomic<unsigned>*>(
        crew.allocate_bytes(indices * sizeof(std::atomic<unsigned>), 64));
    const auto report = crew.for_each(0, indices, [=](std::uint64_t i) {
        // relaxed: attempts follow one another.
        const auto attempt = attempts[i].fetch_add(1, std::memory_order_relaxed);
        if (i == greedy_always || (i == greedy_once && attempt == 0))
            take_everything();
        out[i] = i + 1;
    });
    unsigned wrong = 0;
    for (std::uint64_t i = 0; i < indices; ++i)
        wrong += out[i] != (i == greedy_always ? 0 : i + 1) ? 1 : 0;
    std::printf("{\"given_up\": %llu, \"lost\": %llu, \"wrong\": %u, \"signals\": [",
                static_cast<unsigned long long>(report.given_up),
                static_cast<unsigned long long>(report.workers_lost), wrong);
    for (std::size_t i = 0; i < report.failures.size(); ++i)
        std::printf("%s[%llu, %u, %d]", i == 0 ? "" : ", ",
                    static_cast<unsigned long long>(report.failures[i].index),
                    report.failures[i].attempt, report.failures[i].signal);
    std::printf("]}\n");
    return 0;
}
