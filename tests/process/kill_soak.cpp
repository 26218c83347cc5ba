// Kills the workers of a process_crew at random instants, by signal from outside, by crashes of the
// work itself and by running out of memory, for as many seconds as the first argument says. Every
// index must be done unless all its tries were used up, those that always crash must be given up,
// and at the end no process, no descriptor and no shared memory may be left.
#include <artel/process_crew.hpp>

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <memory>
#include <random>
#include <string>
#include <sys/resource.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace {

using counter = std::atomic<std::uint32_t>;
using clock_type = std::chrono::steady_clock;

[[noreturn]] void die(const char* what, unsigned long long a = 0, unsigned long long b = 0)
{
    std::fprintf(stderr, "kill_soak: %s (%llu, %llu)\n", what, a, b);
    std::exit(1);
}

unsigned long count_files()
{
    unsigned long n = 0;
    for (int file = 0; file < 1024; ++file)
        n += ::access(("/proc/self/fd/" + std::to_string(file)).c_str(), F_OK) == 0 ? 1 : 0;
    return n;
}

// KiB of shared memory on the whole machine; other programs' as well, so only large differences
// count.
long shared_kib()
{
    std::ifstream file("/proc/meminfo");
    for (std::string word; file >> word;)
        if (word == "Shmem:") {
            long value = 0;
            file >> value;
            return value;
        }
    return 0;
}

bool has_children()
{
    std::ifstream file("/proc/self/task/" + std::to_string(::getpid()) + "/children");
    std::string word;
    return static_cast<bool>(file >> word);
}

// Memory is limited for the worker alone, then used up: what the kernel does to it is as final as
// the OOM killer.
void run_out_of_memory()
{
    rlimit limit{64u << 20, 64u << 20};
    ::setrlimit(RLIMIT_AS, &limit);
    std::vector<std::unique_ptr<char[]>> blocks;
    for (;;) {
        blocks.push_back(std::make_unique<char[]>(1u << 20));  // throws bad_alloc inside the worker
        std::memset(blocks.back().get(), 1, 1u << 20);
    }
}

// An index whose workers were killed so often is given up.
constexpr unsigned tries = 100;

struct totals {
    unsigned long long rounds = 0, indices = 0, lost = 0, failures = 0, again = 0, given_up = 0;
};

// One loop with its killer. The indices of `poison` crash always; some others crash on their first
// attempt only.
void round_of(artel::process_crew& crew, std::mt19937& random, totals& sum)
{
    const std::uint64_t n = 1 + random() % 3000;
    const std::uint64_t poison = random() % 4 == 0 ? random() % n : n;
    auto* const ran = static_cast<counter*>(crew.allocate_bytes(n * sizeof(counter), 64));
    auto* const out = crew.allocate<std::uint64_t>(n);
    const auto pause = std::chrono::microseconds(500 + random() % 8000);
    const unsigned work = random() % 60;

    std::atomic<bool> over{false};
    unsigned long long kills = 0;
    std::thread killer([&, seed = random()] {
        std::mt19937 own(static_cast<unsigned>(seed));
        // relaxed: one kill more or less does not matter.
        while (!over.load(std::memory_order_relaxed)) {
            std::this_thread::sleep_for(pause);
            const auto pids = crew.worker_pids();
            if (!pids.empty()) {
                ::kill(pids[own() % pids.size()], own() % 2 == 0 ? SIGKILL : SIGSEGV);
                ++kills;
            }
        }
    });
    const auto report = crew.for_each(0, n, [=](std::uint64_t i) {
        // relaxed: only its own attempts count, one after another.
        const auto attempt = ran[i].fetch_add(1, std::memory_order_relaxed) + 1;
        std::this_thread::sleep_for(std::chrono::microseconds(work));
        if (i == poison || (attempt == 1 && i % 499 == 7))
            ::raise(i % 2 == 0 ? SIGSEGV : SIGKILL);
        if (attempt == 1 && i % 997 == 11)
            run_out_of_memory();
        out[i] = i * i + 1;
    });
    over.store(true, std::memory_order_relaxed);  // relaxed: as above
    killer.join();

    const bool poisoned = poison < n;
    if (report.given_up < (poisoned ? 1u : 0u))
        die("not given up", report.given_up, poison);
    std::uint64_t unfinished = 0;
    for (std::uint64_t i = 0; i < n; ++i) {
        // relaxed: the workers are idle.
        const auto attempts = ran[i].load(std::memory_order_relaxed);
        unfinished += out[i] != i * i + 1 ? 1 : 0;
        // A worker killed from outside just before it called the function uses up an attempt that
        // the function does not see.
        if (i == poison && attempts + kills < tries)
            die("given up too early", i, attempts);
        sum.again += attempts > 1 ? 1 : 0;
    }
    // Fewer, where a worker was killed between the last line of its function and its report.
    if (unfinished > report.given_up)
        die("indices were lost", unfinished, report.given_up);
    // On a busy machine workers are killed again and again before they get a CPU. Then an innocent
    // index is given up, too, but not before all its tries, one of which may have been its own
    // crash.
    const std::uint64_t innocent = report.given_up - (poisoned ? 1 : 0);
    if (innocent * (tries - 1) > kills)
        die("given up without being killed so often", innocent, kills);
    sum.given_up += innocent;
    for (const auto& failure : report.failures)
        if (failure.index >= n || (failure.signal == 0 && failure.what.empty()))
            die("a failure without a cause", failure.index);
    sum.rounds += 1;
    sum.indices += n;
    sum.lost += report.workers_lost;
    sum.failures += report.failure_count;
    crew.release_all();
}

}  // namespace

int main(int argc, char** argv)
{
    const auto seconds = std::chrono::seconds(argc > 1 ? std::atoi(argv[1]) : 3);
    const unsigned seed = argc > 2 ? static_cast<unsigned>(std::atoi(argv[2]))
                                   : std::random_device{}();
    std::printf("seed %u\n", seed);
    std::fflush(stdout);
    rlimit no_core{0, 0};
    ::setrlimit(RLIMIT_CORE, &no_core);
    std::mt19937 random(seed);
    const auto files = count_files();
    const auto shared = shared_kib();
    totals sum;
    for (const auto end = clock_type::now() + seconds; clock_type::now() < end;) {
        // Many tries: an innocent index may be killed from outside several times in a row.
        artel::process_crew crew({.workers = 1 + static_cast<unsigned>(random() % 6),
                                  .arena_bytes = 1u << 24,
                                  .tries = tries});
        for (unsigned i = 0; i < 10 && clock_type::now() < end; ++i)
            round_of(crew, random, sum);
    }
    if (has_children())
        die("a process is left");
    if (count_files() != files)
        die("a descriptor is left", files, count_files());
    if (shared_kib() > shared + (100 << 10))
        die("shared memory is left, in KiB", static_cast<unsigned long long>(shared),
            static_cast<unsigned long long>(shared_kib()));
    std::printf(
        "%llu loops, %llu indices, %llu of them given up for kills from outside, %llu workers lost, "
        "%llu failures, %llu indices run again\n",
        sum.rounds, sum.indices, sum.given_up, sum.lost, sum.failures, sum.again);
    return 0;
}
