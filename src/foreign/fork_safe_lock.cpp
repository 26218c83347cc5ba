// The list of all locks, and the handlers of fork that take and give back all of them.
#include "foreign/fork_safe_lock.hpp"
#include "fiber/fiber.hpp"

#include <pthread.h>
#include <utility>

namespace artel::foreign {
namespace {

// All of these locks, made when the library is loaded, by one thread.
constinit fork_safe_lock* first = nullptr;

}  // namespace

fork_safe_lock::fork_safe_lock() noexcept : next_(std::exchange(first, this)) {}

void fork_safe_lock::take_all() noexcept
{
    // As under fiber::call_out: later fork handlers of others may find a mutex taken and would
    // yield to other light threads, which would spin for these locks.
    ++fiber::this_tls().calls_out;
    for (fork_safe_lock* l = first; l != nullptr; l = l->next_) {
        l->lock();
    }
}

void fork_safe_lock::give_all_back() noexcept
{
    for (fork_safe_lock* l = first; l != nullptr; l = l->next_) {
        l->unlock();
    }
    --fiber::this_tls().calls_out;
}

// Registered when the library is loaded: a fork that has already begun would not call them.
[[maybe_unused]] const int fork_safe_lock::fork_handlers = ::pthread_atfork(take_all, give_all_back,
                                                                            give_all_back);

}  // namespace artel::foreign
