// A work unit: a user-level thread (ULT) or a tasklet. A ULT begins on the pooled stack of a
// runner, a fiber that runs ULTs one after the other (runner.cpp), or on a stack of its own if it
// asks for that. A tasklet runs on the stack of its scheduler.
//
// States: ready, in its pool or popped by a scheduler; running; blocked, known only to what it
// waits for; ended. Requests for cancellation and migration are honoured by the thread that next
// holds the unit while it does not run: after it has yielded, and when it is scheduled. A unit in
// the middle of a wait is cancelled when it next yields or suspends itself.
//
// A unit ends with the exchange of `joiner` for `over`: from then on only its owner, which may free
// or revive it, touches it.
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

// The rarely used part of a unit.
struct thread_extra {
    thread_attributes attributes;
    std::atomic<pool*> target{nullptr};  // of a migration
    void* own_stack = nullptr;           // mapped or the user's
    std::size_t own_size = 0;
    std::size_t mapped = 0;   // bytes to unmap; 0: the stack is the user's
    void* guarded = nullptr;  // a page that must not be written
};

struct thread : sched::scheduled_unit {
    thread() noexcept;                               // with a new id
    explicit thread(std::uint64_t number) noexcept;  // with that id

    void (*function)(void*) = nullptr;
    void* argument = nullptr;
    pool* in = nullptr;              // the pool with which it is associated
    ABT_unit user_unit = nullptr;    // its handle in a user-defined pool
    xstream* last = nullptr;         // where it runs or last ran
    thread* inner = nullptr;         // a tasklet that runs on its stack
    scheduler* schedules = nullptr;  // the scheduler whose work unit it is
    std::atomic<thread_extra*> extra{nullptr};
    std::atomic<key_table*> keys{nullptr};
    std::atomic<waiter*> joiner{nullptr};
    // ABT_thread_state, except for the end. relaxed: hints; certainty comes from `over`.
    std::atomic<unsigned> state{ABT_THREAD_STATE_READY};
    // A set of request. acquire and release: publish `target`.
    std::atomic<unsigned> requests{0};
    bool tasklet = false;
    bool named = false;
    bool own_stack = false;
    bool primary = false;
    bool main_scheduler = false;
    std::atomic<bool> fixed{false};  // not migratable. relaxed: nothing else depends on it
    // Set while it waits for a stream to end: it must not keep its pool alive, which that stream
    // may have.
    bool uncounted = false;
    bool queued = false;  // in a built-in pool; under its lock
    // Set in a wait of the library, which must be completed, because others may know objects on its
    // stack, such as an alarm. Used by its holder only.
    bool in_wait = false;

    // acquire: pairs with the exchange at its end.
    bool ended() const noexcept;
};

waiter* over() noexcept;

// The calling unit; nullptr if the caller is none.
thread* self() noexcept;
// The calling ULT; nullptr for other callers.
thread* self_ult() noexcept;
// The calling ULT, or the error of functions that only a ULT may call.
inline int ult_or_error(thread*& me) noexcept
{
    me = self();
    return me == nullptr ? ABT_ERR_INV_XSTREAM : me->tasklet ? ABT_ERR_INV_THREAD : ABT_SUCCESS;
}

// Makes a unit without pushing it; nullptr without memory, or when the pool refuses it.
thread* make_thread(pool& in, void (*f)(void*), void* argument, const thread_attributes* a,
                    bool named, bool tasklet) noexcept;
// Frees a unit that has ended, or was never pushed.
void destroy(thread& t) noexcept;
thread_extra* extra_of(thread& t) noexcept;  // made at first need; nullptr without memory

// Called when the unit has run, or will not run: wakes its joiners, or frees an unnamed unit. It
// may be freed afterwards.
void conclude(thread& t) noexcept;
void join(thread& t) noexcept;
// The same for any object with a joiner.
void conclude(std::atomic<waiter*>& joiner) noexcept;
void join(std::atomic<waiter*>& joiner) noexcept;
// Makes it as if it were new.
void revive(thread& t, void (*f)(void*), void* argument) noexcept;

// Associates a unit that is in no pool with another pool; an error code.
int associate(thread& t, pool& with) noexcept;

// Honours requests to a unit that does not run now. True when the unit no longer belongs to the
// caller, because it was cancelled or has moved.
bool honour_requests(thread& t) noexcept;
void drop_user_unit(thread& t) noexcept;
int ask_to_migrate(thread& t, pool& to) noexcept;

}  // namespace artel::argobots
