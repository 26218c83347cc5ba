// What happens to a process around oneTBB: plug-ins that come and go, no threads to be had, and the
// end with everything still there.
#include "process.hpp"

#include <dlfcn.h>
#include <filesystem>
#include <oneapi/tbb.h>
#include <sched.h>
#include <string>
#include <sys/resource.h>
#include <thread>

namespace {

std::string plugin;

void check_plugins()
{
    for (int round = 0; round < 50; ++round) {
        void* const library = dlopen(plugin.c_str(), RTLD_NOW | RTLD_LOCAL);
        if (library == nullptr) {
            std::fprintf(stderr, "%s\n", dlerror());
            std::exit(1);
        }
        auto* const sum = reinterpret_cast<long (*)(int)>(dlsym(library, "plugin_sum"));
        CHECK(sum != nullptr);
        CHECK(sum(many) == right);
        CHECK(dlclose(library) == 0);
    }
    use_everything();
}

void allow_no_more_threads()
{
    if (getuid() == 0) {
        // Root may always have more. Nobody else has this number.
        CHECK(setresgid(54321, 54321, 54321) == 0 && setresuid(54321, 54321, 54321) == 0);
    }
    const rlimit none{1, 1};
    CHECK(setrlimit(RLIMIT_NPROC, &none) == 0);
}

// A user who may have no more threads: whoever waits runs the tasks.
void check_no_threads()
{
    in_child([] {
        allow_no_more_threads();
        CHECK(sum_of(many) == right);
        run_a_group();
        tbb::task_arena(4).execute([] { CHECK(sum_of(many) == right); });
    });
    in_child([] {
        allow_no_more_threads();
        tbb::task_scheduler_handle handle{tbb::attach{}};
        CHECK(sum_of(many) == right);
        CHECK(tbb::finalize(handle, std::nothrow));
    });
}

// The holder of a mutex sleeps, its worker comes to a task that waits for the mutex, and no OS
// thread can be added for the two: the wait lets the holder go on.
void check_held()
{
    in_child([] {
        tbb::queuing_rw_mutex m;
        tbb::task_arena first(2, 0);
        tbb::task_arena second(2, 0);
        for (int round = 0; round < 5; ++round) {
            tbb::concurrent_bounded_queue<int> queue;
            std::atomic<int> begun{0};
            std::atomic<int> done{0};
            first.enqueue([&] {
                // At first there are too few threads, and nobody waits for the mutex.
                tbb::queuing_rw_mutex::scoped_lock hold;
                if (round != 0) {
                    hold.acquire(m);
                }
                ++begun;
                int item = 0;
                queue.pop(item);
                if (round != 0) {
                    hold.release();
                }
                ++done;
            });
            while (begun != 1) {
                std::this_thread::yield();
            }
            second.enqueue([&] {
                ++begun;
                tbb::queuing_rw_mutex::scoped_lock hold(m);
                ++done;
            });
            while (begun != 2) {
                std::this_thread::yield();
            }
            queue.push(1);
            while (done != 2) {
                std::this_thread::yield();
            }
            if (round == 0) {
                allow_no_more_threads();
            }
        }
    });
}

// A program that gives CPUs away before it uses the library has as many threads as it has left.
void check_narrowed()
{
    cpu_set_t mask;
    CHECK(sched_getaffinity(0, sizeof mask, &mask) == 0);
    const int before = CPU_COUNT(&mask);
    if (before < 2) {
        std::exit(77);
    }
    for (int cpu = 0; CPU_COUNT(&mask) > before / 2; ++cpu) {
        CPU_CLR(cpu, &mask);
    }
    CHECK(sched_setaffinity(0, sizeof mask, &mask) == 0);
    CHECK(tbb::this_task_arena::max_concurrency() == before / 2);
    CHECK(tbb::info::default_concurrency() == before / 2);
    use_everything();
}

// Objects of the program's that outlive main, and use the library once more at their end.
struct user {
    tbb::task_arena arena{2};
    tbb::task_group group;
    tbb::enumerable_thread_specific<int> counts;
    tbb::concurrent_queue<int> queue;
    void use()
    {
        arena.execute([&] {
            tbb::parallel_for(0, 1000, [&](int i) {
                ++counts.local();
                queue.push(i);
            });
        });
        CHECK(sum_of(many) == right);
    }
    ~user()
    {
        use();
        group.run_and_wait([] {});
    }
};

void use_at_exit()
{
    CHECK(sum_of(many) == right);
}

void check_ends()
{
    // What is made last ends first: objects before and after the first use of the library, a
    // function of atexit before and after them, and threads that are still at work.
    for (int order = 0; order < 4; ++order) {
        in_child([=] {
            if (order == 1) {
                std::atexit(use_at_exit);
            }
            static user early;
            if (order >= 2) {
                early.use();
            }
            static tbb::global_control limit(tbb::global_control::max_allowed_parallelism, 2);
            static user late;
            late.use();
            if (order == 2) {
                std::atexit(use_at_exit);
            }
            if (order == 3) {
                std::thread([] {
                    for (;;) {
                        sum_of(many);
                    }
                }).detach();
                // It may be anywhere in them when they end.
                std::quick_exit(0);
            }
            std::exit(0);
        });
    }
    // Suspended and enqueued tasks are left where they are.
    for (int round = 0; round < 10; ++round) {
        in_child([] {
            static tbb::task_arena arena(2);
            for (int i = 0; i < 100; ++i) {
                arena.enqueue([] { sum_of(many); });
            }
            std::exit(0);
        });
    }
}

int threads_of_process()
{
    int n = 0;
    for (const auto& entry : std::filesystem::directory_iterator("/proc/self/task")) {
        n += entry.is_directory() ? 1 : 0;
    }
    return n;
}

// A process that has finalized has one thread, for the sake of what the kernel grants only then
// (setns and unshare of user namespaces). The others come back.
void check_alone()
{
    in_child([] {
        for (int round = 0; round < 20; ++round) {
            tbb::task_scheduler_handle handle{tbb::attach{}};
            use_everything();
            // A task of a thread that has ended may still be about to leave.
            if (!tbb::finalize(handle, std::nothrow)) {
                continue;
            }
            CHECK(threads_of_process() == 1);
        }
        use_everything();
    });
}

constexpr named_check checks[] = {
    {"ends", check_ends}, {"alone", check_alone},     {"no_threads", check_no_threads},
    {"held", check_held}, {"plugins", check_plugins},
};

}  // namespace

// process narrowed: that check, which must be the first in its process, and no other.
// process PLUGIN [CHECK ...]: all others, or those that are named.
int main(int argc, char** argv)
{
    CHECK(argc > 1);
    if (std::strcmp(argv[1], "narrowed") == 0) {
        check_narrowed();
        return 0;
    }
    plugin = argv[1];
    run_checks(checks, argc, argv, 2);
    return 0;
}
