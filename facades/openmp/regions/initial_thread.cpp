// Roots: the state of an OS thread or a native light thread outside of regions, from its first call
// to its end; and what a fork leaves of it.
#include "base/thread_end.hpp"
#include "binding.hpp"
#include "blas/blas.hpp"
#include "foreign/light_thread_end.hpp"
#include "foreign/persona_pool.hpp"
#include "foreign/thread_end_key.hpp"
#include "hot_team.hpp"
#include "league.hpp"
#include "light_region.hpp"
#include "linking/messages.hpp"
#include "nested_team.hpp"
#include "sched/crew.hpp"
#include "sched/program_regions.hpp"
#include "tasking/task_wait.hpp"
#include "team/root.hpp"
#include "told_region.hpp"
#include "worksharing/construct.hpp"

#include <atomic>
#include <new>
#include <pthread.h>
#include <utility>

namespace artel::openmp {
namespace {

// relaxed: changed only in the child of a fork, while it has one thread
std::atomic<std::uint64_t> forks{0};

// Ends the root `r` of the calling thread; its hot team's personas go back to the pool.
void end(root& r)
{
    if (ompt::attached()) {
        ompt::initial_thread_ends(r.initial);
    }
    // Detached tasks that wait for their events, and tasks that helpers run (abi/kmp/helpers.hpp),
    // are children of the thread's implicit task: as under libomp it ends after them. In the child
    // of a fork no thread could end them.
    if (r.alone.crew_generation == fork_generation()) {
        complete_own_tasks(r.initial);
    }
    if (r.hot != nullptr && r.hot->crew_generation == fork_generation()) {
        // The thread-specific key of src/sched may have been destroyed before ours; then the thread
        // becomes a guest once more.
        if (sched::crew::get().enter() != nullptr) {
            r.hot->disband();
            delete r.hot;
        }
    }
    fiber::this_tls().local = nullptr;
    // in the child of a fork no other thread is ending a task.
    if (r.alone.crew_generation == fork_generation()) {
        await_external_task_ends(r.alone);
    }
}

// An external thread ends.
void thread_ends(void* argument)
{
    auto* const r = static_cast<root*>(argument);
    end(*r);
    delete r;
}

// A native light thread ends. `local` is its member's, unless it leaves a region by ending.
void light_thread_ends(void* local) noexcept
{
    root* const r = root_of(*static_cast<member*>(local));
    if (r != nullptr && r->type == root::kind::native) {
        end(*r);
        delete r;
    }
}

[[gnu::constructor]] void tell_of_light_threads() noexcept
{
    foreign::at_light_thread_end(light_thread_ends);
}

void after_fork_in_child()
{
    forks.fetch_add(1, std::memory_order_relaxed);               // relaxed: see forks
    sched::program_regions.store(0, std::memory_order_relaxed);  // relaxed: as that
    reset_leagues_after_fork();
    reset_blas_after_fork();
}

// Registered when the library is loaded: a fork that is already running would not call it.
[[maybe_unused]] const int fork_handler = ::pthread_atfork(nullptr, nullptr, after_fork_in_child);

constinit foreign::thread_end_key root_made(thread_ends);

// Makes the caller the initial thread of `r`.
void begin(root& r, const icv_set& icvs, fiber::tls_block& tls) noexcept
{
    r.initial.implicit.icvs = icvs;
    r.initial.where = initial_position();
    begin_region(r.alone);
    enter_region(r.initial);
    tls.local = &r.initial;
}

__attribute__((noinline, cold)) member& make_root(fiber::tls_block& tls) noexcept
{
    bind_as_asked();
    display_environment_if_asked();
    // A light thread may run on the stack of the OS thread that joins it.
    const fiber::fiber* const f = tls.current_carrier != nullptr
                                      ? static_cast<fiber::fiber*>(tls.current_carrier->current)
                                      : nullptr;
    const bool native = f != nullptr &&
                        (f->type != fiber::kind::bound || f->light_thread != nullptr);
    auto* const r = new (std::nothrow) root(native ? root::kind::native : root::kind::thread);
    if (r == nullptr) {
        give_up("Out of memory allocating a team");
    }
    begin(*r, globals().initial, tls);
    if (!native && !root_made.set(r)) {
        give_up("Thread creation failed: no thread-specific key is left");
    }
    ompt::initial_thread_begins(r->initial);
    return r->initial;
}

}  // namespace

void call_as_initial_thread(const icv_set& icvs, void (*f)(void*), void* argument) noexcept
{
    root r(root::kind::native);
    begin(r, icvs, fiber::this_tls());
    ompt::initial_thread_begins(r.initial);
    f(argument);
    end(r);
}

root::root(kind k) : type(k)
{
    alone.of = this;
    alone.members = &initial;
    alone.crew_generation = fork_generation();
    alone.barrier.configure(1, 1);
    initial.in = &alone;
    initial.current = &initial.implicit;
}

member::~member()
{
    while (spare != nullptr) {
        nested_team* const t = spare;
        spare = t->next_spare;
        t->release();
    }
    while (spare_groups != nullptr) {
        delete std::exchange(spare_groups, spare_groups->outer);
    }
}

std::uint64_t fork_generation() noexcept
{
    return forks.load(std::memory_order_relaxed);  // relaxed: see forks
}

member& first_member() noexcept
{
    return make_root(fiber::this_tls());
}

}  // namespace artel::openmp
