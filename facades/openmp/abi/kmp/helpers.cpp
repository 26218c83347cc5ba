// A member that meets such a task queues it here in place of running its body; the helper that
// takes it runs the body and then fulfills the task's event, which ends the task.
#include "helpers.hpp"

#include "base/spinlock.hpp"
#include "fiber/call_out.hpp"
#include "foreign/fork_safe_lock.hpp"
#include "linking/messages.hpp"
#include "regions/binding.hpp"
#include "tasking/tasks.hpp"

#include <fmt/format.h>

#include <fmt/ranges.h>

#include <algorithm>
#include <deque>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <unistd.h>

namespace artel::openmp::kmp {
namespace {

struct helpers {
    base::spinlock lock;
    std::deque<frame*> queue;  // this and the next two under the lock
    unsigned made = 0;
    unsigned busy = 0;  // helpers that run a task or are about to
    sem_t tasks{};      // counts the queue
    sem_t placed{};     // counts helpers that have been bound
    std::uint64_t generation = 0;
};

foreign::fork_safe_lock current_lock;
helpers* current = nullptr;  // under the lock; never freed, because threads wait in it

// The process's helpers; in the child of a fork the parent's do not exist.
helpers& all_helpers() noexcept
{
    const fiber::call_out_lock hold(current_lock);
    if (current == nullptr || current->generation != fork_generation()) {
        current = new helpers;
        current->generation = fork_generation();
        ::sem_init(&current->tasks, 0, 0);
        ::sem_init(&current->placed, 0, 0);
    }
    return *current;
}

const kmp_affinity& affinity() noexcept
{
    return globals().kmp.helper_affinity;
}

void take_one(sem_t& from) noexcept
{
    while (::sem_wait(&from) != 0) {  // interrupted by a signal
    }
}

// Binds helper number `i` (from 0) to its place.
void bind_helper(unsigned i)
{
    const auto places = affinity().places();
    if (places.empty()) {
        return;  // an explicit list of CPUs that this process may not use
    }
    const auto& place = places[i % places.size()];
    keep_to(place);
    if (affinity().verbose) {
        inform_as_libomp(
            254, "KMP_HIDDEN_HELPER_AFFINITY: pid {} tid {} thread {} bound to OS proc set {}",
            ::getpid(), ::gettid(), global_number(), fmt::join(place, ","));
    }
}

// The main function of a helper. `argument` is its number, from 0. Global number 0 is the initial
// thread's, 1 that of libomp's own helper among these, which runs nothing.
void* live(void* argument)
{
    constexpr std::int32_t first_number = 2;
    const auto i = static_cast<unsigned>(reinterpret_cast<std::uintptr_t>(argument));
    set_global_number(first_number + static_cast<std::int32_t>(i));
    helpers& h = all_helpers();
    if (affinity().binds()) {
        bind_helper(i);
        ::sem_post(&h.placed);
    }
    for (;;) {
        take_one(h.tasks);
        frame* next = nullptr;
        {
            const fiber::call_out_lock hold(h.lock);
            next = h.queue.front();
            h.queue.pop_front();
        }
        auto& t = *reinterpret_cast<task*>(next + 1);
        run_helped(t);
        {
            const fiber::call_out_lock hold(h.lock);
            --h.busy;
        }
        fulfill_event(&ours(t));
    }
}

// Makes one more OS thread, with the program's signals blocked. False when the system gives none.
bool make_helper(unsigned i) noexcept
{
    const fiber::call_out guard;
    const base::os::signal_set before = base::os::block_all();
    pthread_t thread;
    const bool made = ::pthread_create(&thread, nullptr, live,
                                       reinterpret_cast<void*>(std::uintptr_t{i})) == 0;
    base::os::change_blocked(SIG_SETMASK, before);
    if (made) {
        ::pthread_detach(thread);
    }
    return made;
}

void announce_affinity()
{
    if (affinity().verbose && affinity().granularity != "thread") {
        const bool whole_socket = affinity().granularity != "core";
        inform_as_libomp(
            145,
            "KMP_HIDDEN_HELPER_AFFINITY: Threads may migrate across {} innermost levels of machine",
            whole_socket ? 2 : 1);
    }
}

// Run by a member in place of the task's body: hands the task on.
void hand_on(void* data)
{
    auto* const f = static_cast<frame*>(data);
    helpers& h = all_helpers();
    const unsigned most = globals().kmp.helpers - 1;
    unsigned first = 0;
    unsigned end = 0;
    {
        const fiber::call_out_lock hold(h.lock);
        h.queue.push_back(f);
        ++h.busy;
        first = h.made;
        end = affinity().binds() ? most : std::min(most, h.made + (h.busy > h.made ? 1 : 0));
        h.made = std::max(h.made, end);
    }
    if (first == 0 && end > 0 && affinity().binds()) {
        announce_affinity();
    }
    for (unsigned i = first; i < end; ++i) {
        if (!make_helper(i)) {
            if (i == 0) {
                give_up("Thread creation failed: no thread for tasks of target constructs");
            }
            // The others do all. Another one is tried later, unless somebody has the next number.
            const fiber::call_out_lock hold(h.lock);
            h.made = h.made == end ? i : h.made;
            break;
        }
        if (affinity().binds()) {
            take_one(h.placed);  // once per program, while a thread starts
        }
    }
    ::sem_post(&h.tasks);
}

}  // namespace

bool helpers_wanted() noexcept
{
    return globals().kmp.helpers > 1;
}

void let_help(task& t) noexcept
{
    openmp::task& of = ours(t);
    of.function = hand_on;
    of.must_run = true;  // a cancelled one must reach its end, too
    of.at_once = true;   // all members may wait for it in loops of the program's
    // relaxed, both: not shared yet. Adds the helper's share.
    of.to_end.store(of.to_end.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
}

}  // namespace artel::openmp::kmp
