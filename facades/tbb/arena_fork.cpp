// Arenas in the child of a fork.
#include "arena.hpp"
#include "servers.hpp"

#include <pthread.h>

namespace artel::onetbb {

// The child of a fork has no workers in arenas, and no thread waits in one but the caller.
struct arena_fork {
    static void forget() noexcept
    {
        forget_waiters_after_fork();
        servers::forget_after_fork();
        arena::forget_workers_after_fork();
        forget_other_users();
        // relaxed, all: nobody else is here.
        const thread* const me = known_thread();
        for (arena* a = arena::first_; a != nullptr; a = a->next_) {
            a->searchers_.store(0, std::memory_order_relaxed);
            a->workers_.store(0, std::memory_order_relaxed);
            a->further_.store(0, std::memory_order_relaxed);
            a->ticket_out_.store(false, std::memory_order_relaxed);
            a->refused_.store(false, std::memory_order_relaxed);
            a->of_parent_.store(me == nullptr || me->in != a, std::memory_order_relaxed);
            a->sleepers_.forget();
            a->entrance_.forget();
            a->seekers_.forget();
            a->absent_.store(0, std::memory_order_relaxed);
            a->standing_in_.store(me != nullptr && me->in == a && me->stands_in ? 1 : 0,
                                  std::memory_order_relaxed);
            a->enqueued.forget_lock();
            a->submitted.forget_lock();
            a->critical.forget_lock();
            a->observers.forget_others();
            for (unsigned i = 0; i < a->slots_; ++i) {
                slot& s = a->slot_[i];
                s.pool.forget_thief();
                s.mail.forget_lock();
                s.looks.store(false, std::memory_order_relaxed);
                if (me == nullptr || (me->at != &s)) {
                    s.occupied.store(false, std::memory_order_relaxed);
                }
            }
        }
    }
};

namespace {
[[maybe_unused]] const int fork_handler = ::pthread_atfork(nullptr, nullptr, arena_fork::forget);
}  // namespace

}  // namespace artel::onetbb
