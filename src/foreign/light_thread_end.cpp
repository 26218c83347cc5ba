// The function of the facade.
#include "foreign/light_thread_end.hpp"

#include <atomic>

namespace artel::foreign {
namespace {

constinit std::atomic<void (*)(void*)> at_end{nullptr};

}  // namespace

void at_light_thread_end(void (*end)(void* local)) noexcept
{
    at_end.store(end, std::memory_order_relaxed);  // relaxed: before light threads use the facade
}

void light_thread_local::end(void* local) noexcept
{
    at_end.load(std::memory_order_relaxed)(local);  // relaxed: as above
}

}  // namespace artel::foreign
