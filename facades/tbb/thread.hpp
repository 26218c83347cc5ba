// What the interface knows of a thread: one of the program's own, a member of an OpenMP team, or a
// persona that serves an arena. Each has thread-local storage of its own, where the pointer to this
// lies. A thread is always in an arena and has a slot there: first in one of its own, which is made
// when it first needs one.
#pragma once

#include "small_objects.hpp"
#include "task_pool.hpp"

namespace artel::onetbb {

class arena;
struct slot;
struct thread;

// What tasks get as their execution_data: one for each call that runs tasks, on its stack.
struct execution : abi::d1::execution_data {
    thread* me = nullptr;
    std::intptr_t isolation = 0;
    task* running = nullptr;
    bool outermost = true;  // no task runs
    bool critical = false;  // a critical task runs
    // Enqueued tasks may be begun: not by who waits within a task, since one of them may wait for
    // that task, as it may with the stock library.
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
    bool serves = false;         // it is a persona that has come for the arena's tasks
    bool stands_in = false;      // it serves, and stays, for an external thread that has no slot
    arena* own_arena = nullptr;  // made for it
    execution root;              // while it runs no task
    execution* now = &root;
    std::uint64_t random;
    const char* half_of_stack = nullptr;         // below it no tasks of others are begun
    std::uint64_t observers_seen = 0;            // see observers.hpp
    struct suspended_task* suspended = nullptr;  // while its task is
    bool counts = false;                         // as one of the arena's workers

    std::uint64_t next_random() noexcept
    {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        return random;
    }

    void drop_own_arena() noexcept;

    // The youngest task that it has spawned in its slot and may run now; nullptr without one.
    task* own_task() noexcept;
    // One that others have spawned, or that was sent to its slot; see arena::steal_for.
    task* others_task(bool closely) noexcept;
    // Whether there is room on its stack for a task of others, which may wait and take another.
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

// known_thread: the caller's; nullptr if it has used the interface for nothing that needs one.
// this_thread: the same, made if need be; without an arena, perhaps. May throw std::bad_alloc.
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

// In an arena. May throw std::bad_alloc.
void enter_own_arena(thread& t);
// Whether threads but that one (nullptr: none) have. In the child of a fork: they are gone.
bool others_have_own_arenas(const thread* me) noexcept;
void forget_own_arenas_of_others() noexcept;
inline thread& this_thread_in_arena()
{
    thread& t = this_thread();
    if (t.in == nullptr) [[unlikely]] {
        enter_own_arena(t);
    }
    return t;
}

}  // namespace artel::onetbb
