// What a facade keeps for a native light thread: a word (fiber::tls_block::local), which is nullptr
// at first, and a function that is called with it at the end, if it is not nullptr then.
#pragma once

#include "fiber/fiber.hpp"

#include <utility>

namespace artel::foreign {

// For one facade, when its library is loaded. `end` is called on the light thread, and frees what
// the word refers to.
void at_light_thread_end(void (*end)(void* local)) noexcept;

// In between, the word is that of the light thread that runs on the caller's fiber.
class light_thread_local {
public:
    light_thread_local() noexcept : outer_(std::exchange(fiber::this_tls().local, nullptr)) {}
    light_thread_local(const light_thread_local&) = delete;
    light_thread_local& operator=(const light_thread_local&) = delete;
    ~light_thread_local()
    {
        // Asked anew: the light thread may have been moved to another OS thread.
        if (void* const local = fiber::this_tls().local; local != nullptr) [[unlikely]] {
            end(local);
        }
        fiber::this_tls().local = outer_;
    }

private:
    static void end(void* local) noexcept;

    void* const outer_;
};

}  // namespace artel::foreign
