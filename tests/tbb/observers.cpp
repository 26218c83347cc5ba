// Observers that throw: where the exception goes, and what is left afterwards.
#include "process.hpp"

#include <exception>
#include <memory>
#include <mutex>
#include <oneapi/tbb.h>
#include <stdexcept>
#include <string>

namespace {

enum class on { nobody, anybody, worker, external };

struct thrown_by_observer : std::runtime_error {
    using std::runtime_error::runtime_error;
};

class throwing : public tbb::task_scheduler_observer {
public:
    throwing() = default;
    explicit throwing(tbb::task_arena& a) : tbb::task_scheduler_observer(a) {}
    ~throwing() override { observe(false); }
    void on_scheduler_entry(bool worker) override
    {
        throw_if(at_entry, worker, "entry");
        ++entries;
    }
    void on_scheduler_exit(bool worker) override
    {
        throw_if(at_exit, worker, "exit");
        ++exits;
    }
    std::atomic<on> at_entry{on::nobody};
    std::atomic<on> at_exit{on::nobody};
    std::atomic<int> entries{0};
    std::atomic<int> exits{0};

private:
    static void throw_if(on who, bool worker, const char* what)
    {
        if (who == on::anybody || who == (worker ? on::worker : on::external)) {
            throw thrown_by_observer(what);
        }
    }
};

template <class Function>
bool throws(const char* what, Function f)
{
    try {
        f();
    } catch (const thrown_by_observer& e) {
        return std::string(e.what()) == what;
    }
    return false;
}

// Whatever happened in it, the arena has all of its slots: as many threads fit in as before.
void check_slots(tbb::task_arena& a, int slots)
{
    std::atomic<int> inside{0};
    std::vector<std::thread> threads;
    threads.reserve(static_cast<std::size_t>(slots));
    for (int i = 0; i < slots; ++i) {
        threads.emplace_back([&] {
            a.execute([&] {
                ++inside;
                wait_for([&] { return inside == slots; });
            });
        });
    }
    for (std::thread& t : threads) {
        t.join();
    }
}

// Out of execute(), and the thread is where it was.
void check_execute()
{
    tbb::task_arena a(2, 2);
    throwing first(a);
    throwing second(a);
    first.observe(true);
    second.observe(true);
    second.at_entry = on::external;
    tbb::parallel_for(0, 10, [](int) {});
    const int before = tbb::this_task_arena::current_thread_index();
    for (int i = 0; i < 10; ++i) {
        bool ran = false;
        CHECK(throws("entry", [&] { a.execute([&] { ran = true; }); }));
        CHECK(!ran);
        CHECK(tbb::this_task_arena::current_thread_index() == before);
    }
    // An entry that was thrown out of does not count; those before it do.
    CHECK(first.entries == 10 && first.exits == 10);
    CHECK(second.entries == 0 && second.exits == 0);
    second.at_entry = on::nobody;
    CHECK(a.execute([] { return sum_of(many); }) == right);
    CHECK(second.entries >= 1);
    check_slots(a, 2);
}

// The arena is full: another thread runs the function, and the caller gets the exception.
void check_full()
{
    tbb::task_arena a(1);
    throwing o(a);
    std::atomic<bool> inside{false};
    std::atomic<bool> leave{false};
    std::thread occupant([&] {
        a.execute([&] {
            inside = true;
            wait_for([&] { return leave.load(); });
        });
    });
    wait_for([&] { return inside.load(); });
    o.at_entry = on::external;
    o.observe(true);
    std::thread late([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
        leave = true;
    });
    std::atomic<int> ran{0};
    CHECK(throws("entry", [&] { a.execute([&] { ++ran; }); }) || ran == 1);
    occupant.join();
    late.join();
    o.at_entry = on::nobody;
    a.execute([&] { ++ran; });
    check_slots(a, 1);
}

// Out of observe(true), and the observer is active.
void check_observe()
{
    tbb::parallel_for(0, 10, [](int) {});
    throwing o;
    o.at_entry = on::external;
    CHECK(throws("entry", [&] { o.observe(true); }));
    CHECK(o.is_observing());
    o.at_entry = on::nobody;
    CHECK(sum_of(many) == right);
    o.observe(false);
    CHECK(!o.is_observing());
}

// Into the group of the task that the thread has found: its wait throws, and ends. Without workers
// out of observe(true), and so into the same group.
void check_waiting()
{
    tbb::task_arena a(2);
    throwing o(a);
    o.at_entry = on::external;
    a.execute([&] {
        tbb::task_group group;
        std::atomic<bool> taken{false};
        // The first one is taken by a worker, if there is one, which then spawns into its own slot:
        // this thread finds nothing but what others have spawned.
        group.run([&] {
            taken = true;
            o.observe(true);
            for (int i = 0; i < 100; ++i) {
                group.run([] { std::this_thread::sleep_for(std::chrono::milliseconds(1)); });
            }
        });
        for (int looks = 0; !taken && looks < 1000; ++looks) {
            std::this_thread::sleep_for(std::chrono::microseconds(100));
        }
        try {
            group.wait();
        } catch (const thrown_by_observer&) {
        }
        o.at_entry = on::nobody;
    });
    o.observe(false);
    CHECK(a.execute([] { return sum_of(many); }) == right);
    check_slots(a, 2);
}

// Out of finalize(), and the thread is in no arena.
void check_finalize()
{
    tbb::task_scheduler_handle handle{tbb::attach{}};
    tbb::parallel_for(0, 10, [](int) {});
    auto o = std::make_unique<throwing>();
    o->at_exit = on::external;
    o->observe(true);
    CHECK(throws("exit", [&] { tbb::finalize(handle); }));
    o.reset();
    CHECK(sum_of(many) == right);
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
// Whether std::terminate() is called in a child.
template <class Function>
void check_terminates(Function f)
{
    in_child([&] {
        std::set_terminate([] { _exit(0); });
        f();
        _exit(1);
    });
}

// Where nobody could catch it: a worker enters, anybody leaves.
void check_ends()
{
    check_terminates([] {
        tbb::task_arena a(2);
        throwing o(a);
        o.at_exit = on::anybody;
        o.observe(true);
        a.execute([] {});
    });
    check_terminates([] {
        tbb::task_arena a(2, 0);
        throwing o(a);
        o.at_entry = on::worker;
        o.observe(true);
        a.enqueue([] {});
        std::this_thread::sleep_for(std::chrono::seconds(30));
    });
    check_terminates([] {
        tbb::task_arena a(2, 0);
        throwing o(a);
        o.at_exit = on::worker;
        o.observe(true);
        a.enqueue([] {});
        std::this_thread::sleep_for(std::chrono::seconds(30));
    });
    check_terminates([] {
        std::unique_ptr<throwing> o;
        std::thread([&] {
            tbb::parallel_for(0, 10, [](int) {});
            o = std::make_unique<throwing>();
            o->at_exit = on::external;
            o->observe(true);
        }).join();
    });
}
#endif

constexpr named_check checks[] = {
    {"execute", check_execute}, {"full", check_full},         {"observe", check_observe},
    {"waiting", check_waiting}, {"finalize", check_finalize},
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
    {"ends", check_ends},
#endif
};

}  // namespace

int main(int argc, char** argv)
{
    run_checks(checks, argc, argv);
    return 0;
}
