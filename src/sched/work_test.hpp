// Pieces of work for tests of the scheduler.
#pragma once

#include "base/os/yield.hpp"
#include "base/work.hpp"

#include <atomic>

namespace artel::sched {

// Sets a flag of the test.
struct note : base::work {
    std::atomic<bool>* done = nullptr;
    note() noexcept
    {
        run = [](void*, base::work& self) {
            // release: pairs with the acquire of the test.
            static_cast<note&>(self).done->store(true, std::memory_order_release);
        };
    }
};

// Blocks the OS thread.
inline void wait_for(const std::atomic<bool>& done)
{
    while (!done.load(std::memory_order_acquire)) {  // acquire: pairs with the work that sets it
        base::os::yield();
    }
}

// Occupies the worker that runs it until end() is called.
struct occupation : base::work {
    std::atomic<bool> begun{false};
    std::atomic<bool> over{false};

    occupation() noexcept
    {
        run = [](void*, base::work& self) {
            auto& o = static_cast<occupation&>(self);
            // release, twice: pairs with the acquire of the test; after the second one it may be
            // gone. acquire: pairs with end().
            o.begun.store(true, std::memory_order_release);
            while (!o.over.load(std::memory_order_acquire)) {
                base::os::yield();
            }
            o.begun.store(false, std::memory_order_release);
        };
    }
    void end() noexcept
    {
        over.store(true, std::memory_order_release);     // release: pairs with run
        while (begun.load(std::memory_order_acquire)) {  // acquire: as above
            base::os::yield();
        }
    }
};

}  // namespace artel::sched
