// Light threads of oneTBB: tasks that are suspended by task::suspend, which gives their OS thread
// another stack. They wait in no other way, so no member is stuck below another one on a stack.
// With CP_NUMAS each node has an arena, and the members of a team are distributed to the arenas in
// order.
#include "../common/light.hpp"

#include "../common/processors.hpp"
#include "../common/settings.hpp"

#include <tbb/global_control.h>
#include <tbb/task.h>
#include <tbb/task_arena.h>
#include <tbb/task_scheduler_observer.h>

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <vector>

namespace cp::light {

const char* const name = "tbb";

namespace {

// Binds the OS threads that work in an arena to its CPUs, and restores the affinity of external
// threads that leave.
class placement : public tbb::task_scheduler_observer {
public:
    placement(tbb::task_arena& arena, std::vector<unsigned> where, bool each)
        : task_scheduler_observer(arena), where_(std::move(where)), each_(each)
    {
        observe(true);
    }
    void on_scheduler_entry(bool) override
    {
        sched_getaffinity(0, sizeof before, &before);
        const int slot = tbb::this_task_arena::current_thread_index();
        if (each_ && slot >= 0) {
            bind_to(where_[static_cast<unsigned>(slot) % where_.size()]);
        } else {
            bind_to(where_);
        }
    }
    void on_scheduler_exit(bool worker) override
    {
        if (!worker) {
            sched_setaffinity(0, sizeof before, &before);
        }
    }

private:
    static thread_local cpu_set_t before;
    const std::vector<unsigned> where_;
    const bool each_;
};
thread_local cpu_set_t placement::before;

struct library {
    explicit library(unsigned streams)
        : width(tbb::global_control::max_allowed_parallelism, streams),
          stacks(tbb::global_control::thread_stack_size, settings().stack)
    {
        const auto& nodes = settings().nodes;
        const unsigned n = static_cast<unsigned>(std::clamp<std::size_t>(nodes.size(), 1, streams));
        for (unsigned i = 0; i < n; ++i) {
            const unsigned part = streams / n + (i < streams % n ? 1 : 0);
            arenas.push_back(std::make_unique<tbb::task_arena>(static_cast<int>(part), 1));
            arenas.back()->initialize();
            if (!nodes.empty() || settings().bind) {
                // With fewer streams than nodes the last stream serves all remaining nodes.
                std::vector<unsigned> some;
                if (!nodes.empty()) {
                    some.assign(nodes.begin() + i,
                                i + 1 == n ? nodes.end() : nodes.begin() + i + 1);
                }
                placements.push_back(
                    std::make_unique<placement>(*arenas.back(), processors(some), settings().bind));
            }
        }
    }
    tbb::task_scheduler_handle scheduler{tbb::attach{}};
    tbb::global_control width, stacks;
    std::vector<std::unique_ptr<tbb::task_arena>> arenas;
    std::vector<std::unique_ptr<placement>> placements;
};

library* all = nullptr;  // never deleted at exit: workers may still run then

// Threads of the program that are inside of a region.
std::atomic<unsigned> inside{0};
// The exit status of the process.
int exit_status = 0;

// Called when the process ends, before the destructors of libraries.
void remember(int status, void*)
{
    exit_status = status;
}

// oneTBB's destructors destroy its threads' data, and crash or wait for ever if these threads still
// run, as after an exit() in a region. exit() has already called the program's own functions, so
// the process can end here.
__attribute__((destructor)) void end_with_the_process()
{
    // relaxed: a region of another thread that begins or ends at this moment may count or not.
    if (inside.load(std::memory_order_relaxed) != 0) {
        std::fflush(nullptr);
        _exit(exit_status);
    }
}

// A subset of the nodes' arenas. A separate arena for each part would not do: a worker stays in the
// arena of a task that is suspended on its own stack, and with more arenas than workers some would
// never be served. The arenas of the nodes have slots for workers of their own.
struct part {
    std::vector<unsigned> arenas;
    std::atomic<unsigned> next{0};
};

}  // namespace

void start(unsigned streams)
{
    static const bool watched = on_exit(remember, nullptr) == 0;
    static_cast<void>(watched);
    all = new library(streams);
}

// False if another thread of the program has used oneTBB: then it cannot be ended.
bool stop()
{
    tbb::task_scheduler_handle scheduler = std::move(all->scheduler);
    delete all;
    all = nullptr;
    if (tbb::finalize(scheduler, std::nothrow)) {
        return true;
    }
    start(streams());
    return false;
}

void enter(void (*f)(void*), void* argument)
{
    inside.fetch_add(1, std::memory_order_relaxed);  // relaxed: a count only
    all->arenas[0]->execute([=] { f(argument); });
    inside.fetch_sub(1, std::memory_order_relaxed);  // relaxed: a count only
}

void spawn(void (*f)(void*), void* argument, unsigned index, unsigned of)
{
    const std::size_t n = all->arenas.size();
    all->arenas[index * n / of]->enqueue([=] { f(argument); });
}

void* open_part(const std::vector<unsigned>& nodes)
{
    const auto& used = settings().nodes;
    const auto n = static_cast<unsigned>(std::clamp<std::size_t>(used.size(), 1, streams()));
    std::vector<unsigned> arenas;
    for (const unsigned node : nodes) {
        const auto found = std::find(used.begin(), used.end(), node);
        if (found == used.end()) {
            return nullptr;
        }
        // The last arena serves all remaining nodes.
        const unsigned arena = std::min(static_cast<unsigned>(found - used.begin()), n - 1);
        if (std::find(arenas.begin(), arenas.end(), arena) == arenas.end()) {
            arenas.push_back(arena);
        }
    }
    return arenas.empty() ? nullptr : new part{std::move(arenas), 0};
}

void close_part(void* which)
{
    delete static_cast<part*>(which);
}

void spawn_in(void* which, void (*f)(void*), void* argument)
{
    auto* const p = static_cast<part*>(which);
    // relaxed: a counter only.
    const unsigned i = p->next.fetch_add(1, std::memory_order_relaxed);
    all->arenas[p->arenas[i % p->arenas.size()]]->enqueue([=] { f(argument); });
}

void suspend(void (*published)(handle, void*), void* argument)
{
    tbb::task::suspend([=](tbb::task::suspend_point p) { published(p, argument); });
}

void resume(handle h)
{
    tbb::task::resume(static_cast<tbb::task::suspend_point>(h));
}

// Streams prefer resumed light threads to new ones: members that only yield would keep the members
// of a new region from beginning. So a light thread that yields is queued behind new ones.
void yield()
{
    tbb::task::suspend([](tbb::task::suspend_point p) {
        tbb::this_task_arena::enqueue([p] { tbb::task::resume(p); });
    });
}

}  // namespace cp::light
