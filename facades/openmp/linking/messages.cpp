#include "messages.hpp"

#include <atomic>

namespace artel::openmp {
namespace {

constinit std::atomic<bool> warns{true};  // relaxed, all accesses: a value by itself

}  // namespace

bool libomp_warns() noexcept
{
    return warns.load(std::memory_order_relaxed);  // relaxed: see there
}

void set_libomp_warns(bool on) noexcept
{
    warns.store(on, std::memory_order_relaxed);  // relaxed: see there
}

}  // namespace artel::openmp
