// In the child of a fork the parent's runtime is no longer in force. One like it is made when it is
// first needed; the thread that forked joins it when it comes there, as the program's qthread.
#include "forked_runtime.hpp"

#include "base/log.hpp"
#include "program.hpp"
#include "runtime_state.hpp"

#include <mutex>
#include <new>
#include <pthread.h>

namespace artel::qthreads {

constinit std::atomic<const runtime*> of_the_parent{nullptr};
constinit std::atomic<runtime*> awaits_program{nullptr};

namespace {

// Whether the thread forks in another qthread than the program's, which its thread may carry.
thread_local bool forks_in_other = false;
// The thread that forked; written while the child has one thread.
const fiber::tls_block* forked = nullptr;

void before_fork()
{
    const task* const me = self();
    forks_in_other = me != nullptr && !is_the_program(*me);
}

// A child has neither the threads that carried the streams nor the qthreads that ran on them, and
// locks and queues of streams are as others left them. So it gets streams of its own, when it first
// needs some: one that only executes another program needs none.
void after_fork_in_child()
{
    new (&changing) base::spinlock;
    new (&groups) std::vector<sched::stream_group*>;  // another thread may have been changing it
    // relaxed, all: there is one thread.
    if (const runtime* const r = the_runtime.exchange(nullptr, std::memory_order_relaxed);
        r != nullptr) {
        of_the_parent.store(r, std::memory_order_relaxed);
    }
    awaits_program.store(nullptr, std::memory_order_relaxed);
    forked = &fiber::this_tls();
    if (forks_in_other) {
        forget_program_thread();
    }
}

[[maybe_unused]] const int fork_handler = ::pthread_atfork(before_fork, nullptr,
                                                           after_fork_in_child);

}  // namespace

[[gnu::noinline, gnu::cold]] runtime* make_again() noexcept
{
    const std::scoped_lock hold(changing);
    // relaxed: under the lock.
    const runtime* const like = of_the_parent.load(std::memory_order_relaxed);
    if (like == nullptr) {
        return the_runtime.load(std::memory_order_relaxed);  // relaxed: another caller was faster
    }
    try {
        auto* const r = new runtime;
        r->in_force = like->in_force;
        r->shepherds = like->shepherds;
        r->workers_per_shepherd = like->workers_per_shepherd;
        // relaxed, both: only a number.
        r->last_id.store(like->last_id.load(std::memory_order_relaxed), std::memory_order_relaxed);
        make_streams(*r);
        const bool is_program = &fiber::this_tls() == forked;
        // relaxed: see there.
        awaits_program.store(is_program ? nullptr : r, std::memory_order_relaxed);
        put_in_force(*r, is_program, true);
        of_the_parent.store(nullptr, std::memory_order_release);  // release: see the declaration
        return r;
    } catch (const std::bad_alloc&) {
        base::fatal("out of memory for the shepherds of a process that was forked");
    }
}

[[gnu::noinline, gnu::cold]] void join_late(runtime& r) noexcept
{
    if (&fiber::this_tls() != forked || sched::this_unit() != nullptr) {
        return;
    }
    task* program;
    {
        const std::scoped_lock hold(changing);
        // relaxed: see there. Another thread may have ended the runtime.
        if (awaits_program.exchange(nullptr, std::memory_order_relaxed) != &r) {
            return;
        }
        program = &make_program(true);
        r.joined = true;  // from here on only the caller ends it
    }
    r.group->join(*program);  // may wait for the stream
}

}  // namespace artel::qthreads
