// ABT_future_*: a future is ready when each of its compartments has a value.
#include "base/os/yield.hpp"
#include "leaving.hpp"
#include "runtime.hpp"
#include "waiters.hpp"

#include <cstdlib>

namespace artel::argobots {

struct future {
    sched::fork_lock lock;
    // Written under the lock. release: publishes the values to threads that read it without the
    // lock.
    std::atomic<bool> ready{false};
    std::uint32_t compartments = 0;
    std::uint32_t filled = 0;
    bool completing = false;  // the callback is running; under the lock
    void** values = nullptr;
    void (*callback)(void**) = nullptr;
    waiter_list waiters{};
};

namespace {

// Locks it, but not between the last value and readiness, while the callback runs: to other threads
// these are one step.
void lock_between_steps(future& f) noexcept
{
    for (;;) {
        f.lock.lock();
        if (!f.completing) {
            return;
        }
        f.lock.unlock();
        if (thread* const me = self_ult(); me != nullptr) {
            yield(*me, ABT_POOL_CONTEXT_OP_THREAD_YIELD_LOOP);
        }
        base::os::yield();
    }
}

}  // namespace
}  // namespace artel::argobots

using namespace artel::argobots;

extern "C" {

int ABT_future_create(uint32_t compartments, void (*callback)(void**), ABT_future* made)
{
    auto* const f = make<future>();
    if (f == nullptr) {
        return ABT_ERR_MEM;
    }
    f->compartments = compartments;
    f->callback = callback;
    f->ready.store(compartments == 0, std::memory_order_relaxed);  // relaxed: nobody knows it yet
    if (compartments != 0) {
        f->values = static_cast<void**>(std::calloc(compartments, sizeof(void*)));
        if (f->values == nullptr) {
            drop(f);
            return ABT_ERR_MEM;
        }
    }
    *made = reinterpret_cast<ABT_future>(f);
    return ABT_SUCCESS;
}
int ABT_future_free(ABT_future* handle)
{
    auto* const f = object<future>(*handle);
    if (f == nullptr) {
        return ABT_ERR_INV_FUTURE;
    }
    // The setter may still hold the lock.
    lock_between_steps(*f);
    f->lock.unlock();
    std::free(f->values);
    drop(f);
    *handle = ABT_FUTURE_NULL;
    return ABT_SUCCESS;
}
int ABT_future_wait(ABT_future handle)
{
    auto* const f = object<future>(handle);
    if (f == nullptr) {
        return ABT_ERR_INV_FUTURE;
    }
    if (const thread* const t = self(); t != nullptr && t->tasklet) {
        return ABT_ERR_FUTURE;
    }
    // acquire: pairs with ABT_future_set.
    if (!f->ready.load(std::memory_order_acquire)) {
        wait(f->lock, [f](waiter& w) noexcept {
            if (f->ready.load(std::memory_order_relaxed)) {  // relaxed: under the lock
                return false;
            }
            f->waiters.push(w);
            return true;
        });
    }
    return ABT_SUCCESS;
}
int ABT_future_test(ABT_future handle, ABT_bool* ready)
{
    const auto* const f = object<future>(handle);
    if (f == nullptr) {
        return ABT_ERR_INV_FUTURE;
    }
    // acquire: pairs with ABT_future_set.
    *ready = f->ready.load(std::memory_order_acquire) ? ABT_TRUE : ABT_FALSE;
    return ABT_SUCCESS;
}
int ABT_future_set(ABT_future handle, void* value)
{
    auto* const f = object<future>(handle);
    if (f == nullptr) {
        return ABT_ERR_INV_FUTURE;
    }
    f->lock.lock();
    // relaxed: under the lock.
    if (f->ready.load(std::memory_order_relaxed) || f->filled == f->compartments) {
        f->lock.unlock();
        return ABT_ERR_FUTURE;
    }
    f->values[f->filled++] = value;
    const bool complete = f->filled == f->compartments;
    f->completing = complete;
    f->lock.unlock();
    if (!complete) {
        return ABT_SUCCESS;
    }
    if (f->callback != nullptr) {
        f->callback(f->values);
    }
    f->lock.lock();
    f->completing = false;
    waiter* const all = f->waiters.take();
    f->ready.store(true, std::memory_order_release);  // release: the values
    f->lock.unlock();                                 // from here on it may be gone
    wake_chain(all);
    return ABT_SUCCESS;
}
int ABT_future_reset(ABT_future handle)
{
    auto* const f = object<future>(handle);
    if (f == nullptr) {
        return ABT_ERR_INV_FUTURE;
    }
    lock_between_steps(*f);
    f->filled = 0;
    f->ready.store(f->compartments == 0, std::memory_order_relaxed);  // relaxed: under the lock
    f->lock.unlock();
    return ABT_SUCCESS;
}
}
