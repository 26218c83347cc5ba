// ABT_eventual_*: set once, until it is reset; waiters wake with it.
#include "deadline.hpp"
#include "runtime.hpp"
#include "waiters.hpp"

#include <cstdlib>
#include <cstring>
#include <mutex>

namespace artel::argobots {

// All zero is valid, in the program's own 64 bytes: unset and without a value.
struct eventual {
    base::spinlock lock;
    // Written under the lock. release: the value, for who sees it set without the lock; is_set().
    std::atomic<bool> set;
    void* value;
    int size;
    waiter_list waiters;
};
static_assert(sizeof(eventual) <= sizeof(ABT_eventual_memory));

namespace {

int checked(const eventual* e) noexcept
{
    if (const thread* const t = self(); t != nullptr && t->tasklet) {
        return ABT_ERR_EVENTUAL;
    }
    return e == nullptr ? ABT_ERR_INV_EVENTUAL : ABT_SUCCESS;
}

// Whether it is set and whoever has set it is through: the program may reuse its memory as soon as
// it knows.
bool is_set(eventual& e) noexcept
{
    // acquire: pairs with ABT_eventual_set.
    if (!e.set.load(std::memory_order_acquire)) {
        return false;
    }
    e.lock.lock();
    e.lock.unlock();
    return true;
}

// Joins those who wait, unless it is set.
auto joins(eventual& e) noexcept
{
    return [&e](waiter& w) noexcept {
        if (e.set.load(std::memory_order_relaxed)) {  // relaxed: under the lock
            return false;
        }
        e.waiters.push(w);
        return true;
    };
}

}  // namespace
}  // namespace artel::argobots

using namespace artel::argobots;

extern "C" {

int ABT_eventual_create(int bytes, ABT_eventual* made)
{
    if (bytes < 0) {
        return ABT_ERR_INV_ARG;
    }
    auto* const e = make<eventual>();
    if (e == nullptr) {
        return ABT_ERR_MEM;
    }
    e->size = bytes;
    if (bytes > 0) {
        e->value = std::malloc(static_cast<std::size_t>(bytes));
        if (e->value == nullptr) {
            drop(e);
            return ABT_ERR_MEM;
        }
    }
    *made = reinterpret_cast<ABT_eventual>(e);
    return ABT_SUCCESS;
}
int ABT_eventual_free(ABT_eventual* handle)
{
    auto* const e = object<eventual>(*handle);
    if (e == nullptr) {
        return ABT_ERR_INV_EVENTUAL;
    }
    // Whoever has set it may hold the lock still.
    e->lock.lock();
    e->lock.unlock();
    std::free(e->value);
    drop(e);
    *handle = ABT_EVENTUAL_NULL;
    return ABT_SUCCESS;
}
int ABT_eventual_wait(ABT_eventual handle, void** value)
{
    auto* const e = object<eventual>(handle);
    if (const int error = checked(e); error != ABT_SUCCESS) {
        return error;
    }
    if (!is_set(*e)) {
        wait(e->lock, joins(*e));
    }
    if (value != nullptr) {
        *value = e->value;
    }
    return ABT_SUCCESS;
}
int ABT_eventual_timedwait(ABT_eventual handle, void** value, const struct timespec* until)
{
    auto* const e = object<eventual>(handle);
    if (const int error = checked(e); error != ABT_SUCCESS) {
        return error;
    }
    if (!is_set(*e) && !wait_until(e->lock, e->waiters, monotonic(*until), joins(*e))) {
        return ABT_ERR_COND_TIMEDOUT;
    }
    if (value != nullptr) {
        *value = e->value;
    }
    return ABT_SUCCESS;
}
int ABT_eventual_test(ABT_eventual handle, void** value, ABT_bool* ready)
{
    auto* const e = object<eventual>(handle);
    if (e == nullptr) {
        return ABT_ERR_INV_EVENTUAL;
    }
    *ready = is_set(*e) ? ABT_TRUE : ABT_FALSE;
    if (*ready == ABT_TRUE && value != nullptr) {
        *value = e->value;
    }
    return ABT_SUCCESS;
}
int ABT_eventual_set(ABT_eventual handle, void* value, int bytes)
{
    auto* const e = object<eventual>(handle);
    if (e == nullptr) {
        return ABT_ERR_INV_EVENTUAL;
    }
    if (bytes < 0) {
        return ABT_ERR_INV_ARG;
    }
    if (bytes > e->size) {
        return ABT_ERR_INV_EVENTUAL;
    }
    e->lock.lock();
    if (e->set.load(std::memory_order_relaxed)) {  // relaxed: under the lock
        e->lock.unlock();
        return ABT_ERR_EVENTUAL;
    }
    if (bytes > 0) {
        std::memcpy(e->value, value, static_cast<std::size_t>(bytes));
    }
    waiter* const all = e->waiters.take();
    e->set.store(true, std::memory_order_release);  // release: the value
    e->lock.unlock();                               // from here on it may be gone
    wake_chain(all);
    return ABT_SUCCESS;
}
int ABT_eventual_reset(ABT_eventual handle)
{
    auto* const e = object<eventual>(handle);
    if (e == nullptr) {
        return ABT_ERR_INV_EVENTUAL;
    }
    const std::scoped_lock hold(e->lock);
    e->set.store(false, std::memory_order_relaxed);  // relaxed: under the lock
    return ABT_SUCCESS;
}
}
