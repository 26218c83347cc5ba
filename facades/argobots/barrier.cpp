// ABT_barrier_* and ABT_xstream_barrier_*. Both are the same here: the interface lets a waiter of
// the second block its stream, but it is suspended as well, so that the worker can do other work.
#include "runtime.hpp"
#include "waiters.hpp"

#include <mutex>

namespace artel::argobots {

struct barrier {
    sched::fork_lock lock;
    // Under the lock.
    std::uint32_t size = 0;
    std::uint32_t arrived = 0;
    waiter_list waiters{};
};

namespace {

void arrive(barrier& b) noexcept
{
    waiter* all = nullptr;
    b.lock.lock();
    if (b.arrived + 1 == b.size) {
        b.arrived = 0;
        all = b.waiters.take();
        b.lock.unlock();  // from here on the barrier may be gone
        wake_chain(all);
        return;
    }
    b.lock.unlock();
    wait(b.lock, [&](waiter& w) noexcept {
        if (++b.arrived < b.size) {
            b.waiters.push(w);
            return true;
        }
        b.arrived = 0;
        all = b.waiters.take();
        return false;
    });
    // Only the last one to arrive has taken the waiters.
    wake_chain(all);
}

int make_barrier(std::uint32_t size, barrier*& made) noexcept
{
    if (size == 0) {
        return ABT_ERR_INV_ARG;
    }
    made = make<barrier>();
    if (made == nullptr) {
        return ABT_ERR_MEM;
    }
    made->size = size;
    return ABT_SUCCESS;
}

void free_barrier(barrier* b) noexcept
{
    // The last one to arrive may still hold the lock.
    b->lock.lock();
    b->lock.unlock();
    drop(b);
}

}  // namespace
}  // namespace artel::argobots

using namespace artel::argobots;

extern "C" {

int ABT_barrier_create(uint32_t size, ABT_barrier* made)
{
    *made = ABT_BARRIER_NULL;
    barrier* b = nullptr;
    const int error = make_barrier(size, b);
    if (error == ABT_SUCCESS) {
        *made = reinterpret_cast<ABT_barrier>(b);
    }
    return error;
}
int ABT_barrier_reinit(ABT_barrier handle, uint32_t size)
{
    auto* const b = object<barrier>(handle);
    if (b == nullptr) {
        return ABT_ERR_INV_BARRIER;
    }
    if (size == 0) {
        return ABT_ERR_INV_ARG;
    }
    const std::scoped_lock hold(b->lock);
    b->size = size;
    return ABT_SUCCESS;
}
int ABT_barrier_free(ABT_barrier* handle)
{
    auto* const b = object<barrier>(*handle);
    if (b == nullptr) {
        return ABT_ERR_INV_BARRIER;
    }
    free_barrier(b);
    *handle = ABT_BARRIER_NULL;
    return ABT_SUCCESS;
}
int ABT_barrier_wait(ABT_barrier handle)
{
    auto* const b = object<barrier>(handle);
    if (b == nullptr) {
        return ABT_ERR_INV_BARRIER;
    }
    if (const thread* const t = self(); t != nullptr && t->tasklet) {
        return ABT_ERR_BARRIER;
    }
    arrive(*b);
    return ABT_SUCCESS;
}
int ABT_barrier_get_num_waiters(ABT_barrier handle, uint32_t* size)
{
    const auto* const b = object<barrier>(handle);
    if (b == nullptr) {
        return ABT_ERR_INV_BARRIER;
    }
    *size = b->size;
    return ABT_SUCCESS;
}
int ABT_xstream_barrier_create(uint32_t size, ABT_xstream_barrier* made)
{
    *made = ABT_XSTREAM_BARRIER_NULL;
    barrier* b = nullptr;
    const int error = make_barrier(size, b);
    if (error == ABT_SUCCESS) {
        *made = reinterpret_cast<ABT_xstream_barrier>(b);
    }
    return error;
}
int ABT_xstream_barrier_free(ABT_xstream_barrier* handle)
{
    auto* const b = object<barrier>(*handle);
    if (b == nullptr) {
        return ABT_ERR_INV_XSTREAM_BARRIER;
    }
    free_barrier(b);
    *handle = ABT_XSTREAM_BARRIER_NULL;
    return ABT_SUCCESS;
}
int ABT_xstream_barrier_wait(ABT_xstream_barrier handle)
{
    auto* const b = object<barrier>(handle);
    if (b == nullptr) {
        return ABT_ERR_INV_XSTREAM_BARRIER;
    }
    arrive(*b);
    return ABT_SUCCESS;
}
}
