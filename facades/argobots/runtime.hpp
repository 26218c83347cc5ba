// The state of the library between ABT_init and ABT_finalize.
#pragma once

#include "base/spinlock.hpp"
#include "settings.hpp"
#include "xstream.hpp"

#include <atomic>

namespace artel::argobots {

struct runtime {
    settings in_force;
    base::spinlock lock;  // over the list of streams
    xstream* streams = nullptr;
    std::atomic<int> stream_count{0};  // relaxed: a number to report
    xstream* primary = nullptr;
    thread* primary_thread = nullptr;
};

// release and acquire: publish the runtime as it was made.
extern std::atomic<runtime*> the_runtime;

// nullptr while there is none, also in the child of a fork before ABT_init. Inline, because
// functions that make and join units look whether there is one: handles of the parent's objects
// are not null in the child, but nobody would run or end what they stand for.
inline runtime* current() noexcept
{
    return the_runtime.load(std::memory_order_acquire);  // acquire: see the declaration
}

int initialize() noexcept;
int finalize() noexcept;

// A new object, or nullptr without memory.
template <class T, class... Arguments>
T* make(Arguments&&... a) noexcept
{
    void* const room = std::malloc(sizeof(T));
    return room != nullptr ? new (room) T(std::forward<Arguments>(a)...) : nullptr;
}
template <class T>
void drop(T* t) noexcept
{
    t->~T();
    std::free(t);
}

}  // namespace artel::argobots
