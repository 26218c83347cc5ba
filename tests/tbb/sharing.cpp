// How arenas share the workers, which are limited for all of them together: tasks that wait for
// those of other arenas, which get a worker beyond the limit. Each check hangs where a task is left
// that the stock library runs, or that docs/guide/tbb.md promises to run.
#include "check.hpp"

#include <atomic>
#include <future>
#include <memory>
#include <oneapi/tbb.h>
#include <thread>
#include <vector>

namespace {

bool alone()
{
    return tbb::this_task_arena::max_concurrency() == 1;
}

// An enqueued task waits for a spawned one, whose thread waits outside of the scheduler: the worker
// that comes beyond the limit does not drive away the other.
void check_spawned_beside_enqueued()
{
    if (alone()) {
        return;  // nobody is bound to run the spawned task
    }
    tbb::task_arena other;
    other.initialize();
    for (int round = 0; round < 100; ++round) {
        std::atomic<bool> spawned_ran{false};
        std::atomic<bool> enqueued_ran{false};
        tbb::task_group group;
        group.run([&] { spawned_ran = true; });
        other.enqueue([&] {
            wait_for([&] { return spawned_ran.load(); });
            enqueued_ran = true;
        });
        wait_for([&] { return enqueued_ran.load(); });
        group.wait();
    }
}

// Two threads at once enqueue tasks, of which one waits for the other, while the last worker that
// is allowed waits for both.
void check_enqueued_at_once()
{
    tbb::task_arena arenas[] = {{2, 1}, {2, 1}, {2, 1}};
    for (tbb::task_arena& each : arenas) {
        each.initialize();
    }
    for (int round = 0; round < 200; ++round) {
        // Shared, because a task may still be in set_value() when the round is over.
        struct promises {
            std::promise<void> begun;
            std::promise<void> first;
            std::promise<void> second;
            std::promise<void> ended;
        };
        const auto all = std::make_shared<promises>();
        std::atomic<int> ready{0};
        const auto meet = [&] {
            ++ready;
            wait_for([&] { return ready == 2; });
        };
        arenas[0].enqueue([all] {
            all->begun.set_value();
            all->first.get_future().wait();
            all->ended.set_value();
        });
        all->begun.get_future().wait();
        std::thread one([&] {
            meet();
            arenas[1].enqueue([all] {
                all->second.get_future().wait();
                all->first.set_value();
            });
        });
        std::thread other([&] {
            meet();
            arenas[2].enqueue([all] { all->second.set_value(); });
        });
        one.join();
        other.join();
        all->ended.get_future().wait();
    }
}

// A thread waits for a slot of an arena, whose occupants wait for a task of an arena without a
// worker, while all workers that are allowed are blocked.
void check_queued_beside_blocked()
{
    const int allowed = alone() ? 1 : tbb::this_task_arena::max_concurrency() - 1;
    for (int round = 0; round < 5; ++round) {
        std::promise<void> end;
        const std::shared_future<void> ended = end.get_future().share();
        std::atomic<int> blocked{0};
        std::vector<tbb::task_arena> busy(static_cast<std::size_t>(allowed));
        for (tbb::task_arena& each : busy) {
            each.initialize(2, 1);
            each.enqueue([&, ended] {
                ++blocked;
                ended.wait();
            });
        }
        wait_for([&] { return blocked == allowed; });
        tbb::task_arena full(2, 2);
        full.initialize();
        tbb::task_arena idle[2];
        std::atomic<int> inside{0};
        std::atomic<bool> another_comes{false};
        std::atomic<bool> done[2]{};
        const auto occupy = [&](bool first) {
            full.execute([&] {
                ++inside;
                wait_for([&] { return another_comes.load(); });
                std::this_thread::sleep_for(std::chrono::milliseconds(20));
                if (first) {
                    // Each task waits for the next.
                    idle[0].enqueue([&] {
                        idle[1].enqueue([&] { done[1] = true; });
                        wait_for([&] { return done[1].load(); });
                        done[0] = true;
                    });
                }
                wait_for([&] { return done[0].load(); });
            });
        };
        std::thread one([&] { occupy(true); });
        std::thread other([&] { occupy(false); });
        wait_for([&] { return inside == 2; });
        std::thread queued([&] {
            another_comes = true;
            full.execute([] {});
        });
        one.join();
        other.join();
        queued.join();
        end.set_value();
    }
}

// Tasks of two arenas in turn, each of which enqueues the next one.
struct chain {
    tbb::task_arena& in;
    tbb::task_arena& next;
    std::atomic<bool> ends{false};
    std::atomic<bool> ended{false};
    void go_on(bool here = true)
    {
        (here ? in : next).enqueue([this, here] {
            if (ends) {
                ended = true;
            } else {
                go_on(!here);
            }
        });
    }
};

// Arenas that always have enqueued tasks let others have the worker: one arena, or two that ask for
// it in turn. The others ask from the calling thread, which is in a task and waits outside of the
// scheduler, or from the worker itself.
void check_endless_chain()
{
    for (int round = 0; round < 40; ++round) {
        tbb::task_arena endless[2]{{2, 1}, {2, 1}};
        tbb::task_arena other(2, 1);
        std::atomic<bool> ran{false};
        chain links{endless[0], endless[round / 2 % 2]};
        tbb::task_arena here(2, 1);
        here.execute([&] {
            links.go_on();
            if (round % 2 == 0) {
                other.enqueue([&] { ran = true; });
            } else {
                endless[0].enqueue([&] { other.enqueue([&] { ran = true; }); });
            }
            wait_for([&] { return ran.load(); });
        });
        links.ends = true;
        wait_for([&] { return links.ended.load(); });
    }
}

// A thread has got the slot that it waited for, and an observer of its entry waits for a task of an
// arena without a worker, while all workers that are allowed are blocked. (Now and then another
// worker is faster, enters instead, and runs what the thread wanted to run.)
class waiting_observer : public tbb::task_scheduler_observer {
public:
    explicit waiting_observer(tbb::task_arena& of) : tbb::task_scheduler_observer(of)
    {
        observe(true);
    }
    ~waiting_observer() override { observe(false); }
    waiting_observer(const waiting_observer&) = delete;
    waiting_observer& operator=(const waiting_observer&) = delete;
    void on_scheduler_entry(bool) override
    {
        if (is_next.exchange(false)) {
            waits_for.enqueue([this] { done = true; });
            wait_for([this] { return done.load(); });
        }
    }
    std::atomic<bool> is_next{false};
    std::atomic<bool> done{false};

private:
    tbb::task_arena waits_for;
};

void check_observer_after_queue()
{
    const int allowed = alone() ? 1 : tbb::this_task_arena::max_concurrency() - 1;
    std::atomic<bool> end{false};
    std::atomic<int> blocked{0};
    std::vector<tbb::task_arena> busy(static_cast<std::size_t>(allowed));
    for (tbb::task_arena& each : busy) {
        each.initialize(2, 1);
        each.enqueue([&] {
            ++blocked;
            wait_for([&] { return end.load(); });
            --blocked;
        });
    }
    wait_for([&] { return blocked == allowed; });
    tbb::task_arena full(2, 2);
    full.initialize();
    waiting_observer observer(full);
    std::atomic<int> inside{0};
    std::atomic<bool> first_leaves{false};
    std::thread first([&] {
        full.execute([&] {
            ++inside;
            wait_for([&] { return first_leaves.load(); });
        });
    });
    std::thread second([&] {
        full.execute([&] {
            ++inside;
            wait_for([&] { return observer.done.load(); });
        });
    });
    wait_for([&] { return inside == 2; });
    std::thread queued([&] {
        observer.is_next = true;
        full.execute([] {});
    });
    wait_for([&] { return observer.is_next.load(); });
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    first_leaves = true;
    first.join();
    second.join();
    queued.join();
    end = true;
    wait_for([&] { return blocked == 0; });
}

constexpr named_check checks[] = {
    {"spawned_beside_enqueued", check_spawned_beside_enqueued},
    {"enqueued_at_once", check_enqueued_at_once},
    {"queued_beside_blocked", check_queued_beside_blocked},
    {"endless_chain", check_endless_chain},
    {"observer_after_queue", check_observer_after_queue},
};

}  // namespace

// All, or those that are named.
int main(int argc, char** argv)
{
    run_checks(checks, argc, argv);
    return 0;
}
