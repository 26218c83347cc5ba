// Many external threads do everything at once and at random, while a crew of far more workers than
// CPUs serves them; now and then a process is forked.
//
// usage: stress SECONDS THREADS
#include "work.hpp"

#include <sys/wait.h>
#include <unistd.h>

namespace {

using std::chrono::steady_clock;

// xorshift, seeded by the thread's number.
class chance {
public:
    explicit chance(unsigned seed) : state_(seed * 2654435761u + 88172645463325252u) {}
    unsigned below(unsigned n)
    {
        state_ ^= state_ << 13;
        state_ ^= state_ >> 7;
        state_ ^= state_ << 17;
        return static_cast<unsigned>(state_ % n);
    }

private:
    std::uint64_t state_;
};

// Loops in tasks in light threads, and what they share across external threads.
struct shared {
    artel::mutex lock;
    artel::counting_semaphore<> permits{3};
    artel::condition_variable changed;
    long value = 0;
};

void crowd(shared& all, chance& c)
{
    std::vector<artel::light_thread> threads;
    const unsigned n = 1 + c.below(40);
    for (unsigned i = 0; i < n; ++i) {
        threads.emplace_back([&all, seed = c.below(1u << 30)] {
            chance mine(seed);
            if (all.permits.try_acquire_for(std::chrono::microseconds(mine.below(300)))) {
                std::atomic<int> sum{0};
                artel::parallel_for(0, 20, [&](int) { ++sum; });
                adverse::expect(sum == 20, "loop in a light thread");
                all.permits.release();
            }
            std::unique_lock hold(all.lock);
            ++all.value;
            all.changed.notify_all();
            all.changed.wait_for(hold, std::chrono::microseconds(mine.below(300)));
        });
    }
    for (artel::light_thread& t : threads) {
        t.join();
    }
}

void fork_once()
{
    const pid_t child = ::fork();
    if (child == 0) {
        ::alarm(60);
        adverse::loops();
        adverse::tasks();
        ::_exit(0);
    }
    int status = -1;
    ::waitpid(child, &status, 0);
    adverse::expect(WIFEXITED(status) && WEXITSTATUS(status) == 0, "a child");
}

}  // namespace

int main(int argc, char** argv)
{
    const int seconds = argc > 1 ? std::atoi(argv[1]) : 10;
    const unsigned count = argc > 2 ? static_cast<unsigned>(std::atoi(argv[2])) : 16;
    const auto until = steady_clock::now() + std::chrono::seconds(seconds);
    shared all;
    std::atomic<long> rounds{0};
    const auto live = [&](unsigned number) {
        chance c(number);
        while (steady_clock::now() < until) {
            switch (c.below(8)) {
            case 0: adverse::loops(); break;
            case 1: adverse::tasks(); break;
            case 2: adverse::light_threads(); break;
            case 3: adverse::exceptions(); break;
            case 4: crowd(all, c); break;
            case 5: std::this_thread::sleep_for(std::chrono::microseconds(c.below(2000))); break;
            case 6: std::thread([] { adverse::everything(); }).join(); break;
            default:
                if (c.below(20) == 0) {
                    fork_once();
                }
            }
            ++rounds;
        }
    };
    std::vector<std::thread> threads;
    for (unsigned i = 0; i < count; ++i) {
        threads.emplace_back(live, i);
    }
    for (std::thread& t : threads) {
        t.join();
    }
    std::printf("%ld rounds, all good\n", rounds.load());
}
