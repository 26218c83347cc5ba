// A work unit: a user-level thread (ULT) or a tasklet. A ULT begins on a pooled stack with a fiber
// that runs one after the other (runner.cpp), or on one of its own if it asks for that. A tasklet
// runs on the stack of whoever schedules it.
//
// Its life: ready, in its pool or popped by a scheduler; running; blocked, known only to what it
// waits for; ended. Requests (to cancel, to migrate) are honoured by whoever next holds it while it
// does not run: when it has yielded and when it is scheduled. A unit in the middle of a wait is
// cancelled when it next yields or suspends itself.
//
// The end is the exchange of `joiner` for `over`: afterwards the unit is its owner's, who may free
// or revive it. Nobody touches it then.
#pragma once

#include "handles.hpp"
#include "sched/scheduled_stream.hpp"
#include "waiters.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace artel::argobots {

struct key_table;

enum class request : unsigned { cancel = 1, migrate = 2 };

struct thread_attributes {
    void* stack = nullptr;  // the user's
    std::size_t stack_size = 0;
    bool migratable = true;
    void (*callback)(ABT_thread, void*) = nullptr;
    void* callback_argument = nullptr;
};

// What few units have.
struct thread_extra {
    thread_attributes attributes;
    std::atomic<pool*> target{nullptr};  // of a migration
    void* own_stack = nullptr;           // mapped or the user's, while the unit has begun
    std::size_t own_size = 0;
    std::size_t mapped = 0;   // bytes to unmap; 0: the user's
    void* guarded = nullptr;  // a page that must not be written
};

struct thread : sched::scheduled_unit {
    thread() noexcept;                               // with a new id
    explicit thread(std::uint64_t number) noexcept;  // with that id

    void (*function)(void*) = nullptr;
    void* argument = nullptr;
    pool* in = nullptr;              // with which it is associated
    ABT_unit user_unit = nullptr;    // of a pool of the user's
    xstream* last = nullptr;         // where it runs or ran
    thread* inner = nullptr;         // the tasklet that runs on its stack
    scheduler* schedules = nullptr;  // whose work unit it is
    std::atomic<thread_extra*> extra{nullptr};
    std::atomic<key_table*> keys{nullptr};
    std::atomic<waiter*> joiner{nullptr};
    // ABT_thread_state, but for the end. relaxed: hints; who must know waits for `over`.
    std::atomic<unsigned> state{ABT_THREAD_STATE_READY};
    // request; acquire and release: with `target`.
    std::atomic<unsigned> requests{0};
    bool tasklet = false;
    bool named = false;
    bool own_stack = false;
    bool primary = false;
    bool main_scheduler = false;
    std::atomic<bool> fixed{false};  // not migratable. relaxed: nothing else depends on it
    // While it waits for a stream to end: its pool, which that stream may have, is not kept alive.
    bool uncounted = false;
    bool queued = false;  // in a pool of ours; under its lock
    // In a wait of the library, which may have left things on its stack that others know (an alarm)
    // and must get to its end. Its holder's.
    bool in_wait = false;

    // acquire: pairs with the exchange at its end.
    bool ended() const noexcept;
};

waiter* over() noexcept;

// The unit that the caller is; nullptr if it is none.
thread* self() noexcept;
// Only if it is a ULT.
thread* self_ult() noexcept;
// The same, and the error of functions that only a ULT may call.
inline int ult_or_error(thread*& me) noexcept
{
    me = self();
    return me == nullptr ? ABT_ERR_INV_XSTREAM : me->tasklet ? ABT_ERR_INV_THREAD : ABT_SUCCESS;
}

// A unit that has not been pushed; nullptr without memory, or when the pool refuses it.
thread* make_thread(pool& in, void (*f)(void*), void* argument, const thread_attributes* a,
                    bool named, bool tasklet) noexcept;
// One that has ended, or was never pushed.
void destroy(thread& t) noexcept;
thread_extra* extra_of(thread& t) noexcept;  // made at first need; nullptr without memory

// The unit has run, or will not: wakes who joins it, or frees it. It may be gone afterwards.
void conclude(thread& t) noexcept;
void join(thread& t) noexcept;
// The same for anything that ends once.
void conclude(std::atomic<waiter*>& joiner) noexcept;
void join(std::atomic<waiter*>& joiner) noexcept;
// Makes it as if it were new.
void revive(thread& t, void (*f)(void*), void* argument) noexcept;

// Associates a unit that is in no pool with another pool; an error code.
int associate(thread& t, pool& with) noexcept;

// What is asked of a unit that does not run now. True: it is no longer the caller's, because it has
// been cancelled or has moved.
bool honour_requests(thread& t) noexcept;
void drop_user_unit(thread& t) noexcept;
int ask_to_migrate(thread& t, pool& to) noexcept;

}  // namespace artel::argobots
