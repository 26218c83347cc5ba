// Guests: external threads, from their first use of the crew until they end, and the time during
// which they count as busy. vacancy.cpp handles what a guest leaves when it ends.
#include "sched/crew.hpp"

#include "base/log.hpp"
#include "fiber/overflow.hpp"
#include "fiber/signals.hpp"
#include "sched/guest_key.hpp"
#include "sched/guest_scope.hpp"
#include "sched/initial_thread_exit.hpp"
#include "sched/worker_clock.hpp"

#include <mutex>
#include <pthread.h>
#include <unistd.h>
#include <utility>

namespace artel::sched {

pthread_key_t guest_key;

worker* crew_workers::enter() noexcept
{
    if (worker* const w = this_worker(); w != nullptr) {
        return w;
    }
    worker* w = nullptr;
    {
        const std::scoped_lock hold(growing_);
        // The lowest, which keeps the table short and the first slot in use.
        if (const unsigned i = vacancies_.from(0); i != slot_set<max_workers>::none) {
            vacancies_.erase(i);
            w = at(i);
            // relaxed: a poster that still sees it vacant takes the mail out again.
            w->vacant.store(false, std::memory_order_relaxed);
            // relaxed (two): see relies_on_others; they belonged to the previous thread.
            w->relies_on_others.store(false, std::memory_order_relaxed);
            w->has_old_task.store(false, std::memory_order_relaxed);
            in_use_.insert(i);
        }
    }
    if (w == nullptr) {
        w = add(role::guest);
        if (w == nullptr) {
            return nullptr;
        }
    }
    guest_comes();
    w->had_thread.store(true, std::memory_order_relaxed);  // relaxed: see had_thread
    fiber::adopt_thread(*w, w->base);
    note_how_to_spawn(*w);
    note_clock(*w);
    w->signal_stack = fiber::ensure_signal_stack();
    if (::pthread_setspecific(guest_key, w) != 0) {
        base::die("out of memory for what a thread keeps");
    }
    return w;
}

// From the second guest on, the members of two teams would share own threads, and only one team
// could continue while the masters wait. Called under `growing_`.
void crew_workers::raise_own_worker_limit() noexcept
{
    if (!several_came_) {
        several_came_ = true;
        unsigned usual = width_ - 1;
        // relaxed: re-checked when a thread is made. Unchanged if the system has given fewer
        // threads.
        own_worker_limit_.compare_exchange_strong(usual, width_, std::memory_order_relaxed);
    }
}

void crew_workers::guest_comes() noexcept
{
    const std::scoped_lock hold(growing_);
    if (++guests_ == 2) {
        raise_own_worker_limit();
    }
}

void crew_workers::guest_keeps_to_its_own() noexcept
{
    const std::scoped_lock hold(growing_);
    raise_own_worker_limit();
}

// Runs when an external thread ends.
void crew_workers::release_guest(void* slot) noexcept
{
    worker& w = *static_cast<worker*>(slot);
    crew& c = w.own_crew;
    if (&c != made()) {
        return;  // a crew from before a fork
    }
    if (::gettid() == ::getpid()) {
        initial_thread_leaves();
    }
    fiber::this_tls().current_carrier = nullptr;
    fiber::this_tls().signals = nullptr;
    fiber::release_signal_stack(std::exchange(w.signal_stack, nullptr));
    // relaxed (two): hints. The kernel may use the number again.
    w.cpu.store(worker::no_cpu, std::memory_order_relaxed);
    w.cpu_clock.store(0, std::memory_order_relaxed);
    c.vacate(w);
}

void crew_wakeup::guest_begins(worker& w) noexcept
{
    w.taking_part.store(true, std::memory_order_relaxed);  // relaxed: for the monitor's statistics
    note_cpu(w);
    // seq_cst: see rouse_monitor; nothing is published with it.
    present_.fetch_add(1, std::memory_order_seq_cst);
    rouse_monitor();
}

void crew_wakeup::guest_ends(worker& w) noexcept
{
    w.taking_part.store(false, std::memory_order_relaxed);   // relaxed: as above
    w.cpu.store(worker::no_cpu, std::memory_order_relaxed);  // relaxed: a hint
    // seq_cst (two): store-buffering pair with the mark, fence and second look in notify(): we see
    // the mark, or notify() sees that we have left.
    present_.fetch_sub(1, std::memory_order_seq_cst);
    bool wanted = false;
    if (held_back_.load(std::memory_order_seq_cst)) {
        // relaxed: ordered by the fence in notify().
        held_back_.store(false, std::memory_order_relaxed);
        // pairs with the fence in notify(): we see the work, or it sees that we have left.
        base::full_fence();
        // Usually the guest itself has since done what was held back.
        wanted = anything_visible(true, true) && !left_by(w);
    }
    // Nobody was notified of light threads that yielded to the guest's own stack, or that were
    // posted to the guest meanwhile, and the guest does not come back to them.
    if (wanted || !w.ready.empty() || !w.mail.empty()) {
        notify(nullptr);
    }
}

}  // namespace artel::sched
