// The state of a thread: one of the program's own, a member of an OpenMP team, or a persona that
// serves an arena. Each has thread-local storage of its own, which holds the pointer to this state.
// A thread is always in an arena and has a slot there, at first in an arena of its own that is made
// at first need.
#pragma once

#include "small_objects.hpp"
#include "task_pool.hpp"

namespace artel::onetbb {

class arena;
struct slot;
struct thread;

// The execution_data of tasks, extended: one for each call that runs tasks, on its stack.
struct execution : abi::d1::execution_data {
    thread* me = nullptr;
    std::intptr_t isolation = 0;
    task* running = nullptr;
    bool outermost = true;  // the caller runs no task
    bool critical = false;  // the caller runs a critical task
    // Whether enqueued tasks may be begun. Not while the thread waits within a task: an enqueued
    // task may wait for that one, as with the stock library.
    bool takes_enqueued = true;
};

struct thread {
    thread();
    ~thread();
    thread(const thread&) = delete;
    thread& operator=(const thread&) = delete;

    small_pool* memory;
    arena* in = nullptr;
    slot* at = nullptr;
    unsigned index = 0;
    bool serves = false;         // a persona that serves the arena
    bool stands_in = false;      // a persona that stands in for an external thread without a slot
    bool uses = false;           // counted among the users, see use_scheduler
    arena* own_arena = nullptr;  // made when it first enters one
    execution root;              // while it runs no task
    execution* now = &root;
    std::uint64_t random;
    // with the stack pointer below it, no tasks of others are begun
    const char* half_of_stack = nullptr;
    std::uint64_t observers_seen = 0;            // see observers.hpp
    struct suspended_task* suspended = nullptr;  // while its task is
    bool counts = false;                         // it is counted among the arena's workers

    std::uint64_t next_random() noexcept
    {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        return random;
    }

    // It is no user any more, until it needs the scheduler again.
    void drop_own_arena() noexcept;

    // The youngest task in its slot that it may run now; nullptr without one.
    task* own_task() noexcept;
    // A task that others have spawned, or that was sent to its slot; see arena::steal_for.
    task* others_task(bool closely) noexcept;
    // Whether its stack has room for a task of another thread, which may wait and run further ones.
    bool has_room() const noexcept
    {
        return static_cast<const char*>(__builtin_frame_address(0)) > half_of_stack;
    }
    // Whether there is no task that it would not take.
    bool takes_all() const noexcept { return now->isolation == 0 && !now->critical && has_room(); }
    task* look(bool closely = false) noexcept
    {
        task* const t = own_task();
        return t != nullptr || !has_room() ? t : others_task(closely);
    }
};

// known_thread(): the caller's state, or nullptr if it has none yet. this_thread(): the same, made
// at first need, perhaps still without an arena. May throw std::bad_alloc.
#if defined(ARTEL_MODEL)
thread* known_thread() noexcept;
thread& this_thread();
#else
extern constinit thread_local thread* known __attribute__((tls_model("initial-exec")));
inline thread* known_thread() noexcept
{
    return known;
}
thread& make_thread();
inline thread& this_thread()
{
    thread* const t = known;
    return t != nullptr ? *t : make_thread();
}
#endif

// Enters the thread's own arena, which is made at first need. May throw std::bad_alloc.
void enter_own_arena(thread& t);
// Counts the thread, which is in no arena, among those of the program that use the scheduler: until
// its end, or until it ends the scheduler, nobody else can do that.
void count_user(thread& t) noexcept;
// Whether threads other than this one (nullptr: any threads) do. The second is for the child of a
// fork, where they do not exist.
bool others_use_scheduler(const thread* me) noexcept;
void forget_other_users() noexcept;
inline thread& this_thread_in_arena()
{
    thread& t = this_thread();
    if (t.in == nullptr) [[unlikely]] {
        enter_own_arena(t);
    }
    return t;
}

}  // namespace artel::onetbb
