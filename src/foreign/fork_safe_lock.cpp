// The list of all locks, and the handlers of fork that take and give back all of them.
#include "foreign/fork_safe_lock.hpp"
#include "fiber/fiber.hpp"

#include <atomic>
#include <pthread.h>

namespace artel::foreign {
namespace {

// All of these locks, made when their library is loaded.
constinit std::atomic<fork_safe_lock*> first{nullptr};

// Those that a fork has taken: another thread may load a library meanwhile. Guarded by them.
constinit fork_safe_lock* taken = nullptr;

}  // namespace

// relaxed (two): read again by the exchange. release: pairs with the acquire in take_all.
fork_safe_lock::fork_safe_lock() noexcept : next_(first.load(std::memory_order_relaxed))
{
    while (!first.compare_exchange_weak(next_, this, std::memory_order_release,
                                        std::memory_order_relaxed)) {
    }
}

void fork_safe_lock::take_all() noexcept
{
    // As under fiber::call_out: later fork handlers of others may find a mutex taken and would
    // yield to other light threads, which would spin for these locks.
    ++fiber::this_tls().calls_out;
    // acquire: pairs with the release in the constructor.
    fork_safe_lock* const all = first.load(std::memory_order_acquire);
    for (fork_safe_lock* l = all; l != nullptr; l = l->next_) {
        l->lock();
    }
    taken = all;
}

void fork_safe_lock::give_all_back() noexcept
{
    for (fork_safe_lock* l = taken; l != nullptr;) {
        fork_safe_lock* const next = l->next_;
        l->unlock();
        l = next;
    }
    --fiber::this_tls().calls_out;
}

// Registered when the library is loaded: a fork that has already begun would not call them.
[[maybe_unused]] const int fork_safe_lock::fork_handlers = ::pthread_atfork(take_all, give_all_back,
                                                                            give_all_back);

}  // namespace artel::foreign
