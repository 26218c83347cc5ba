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

// nullptr while there is none.
runtime* current() noexcept;

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
