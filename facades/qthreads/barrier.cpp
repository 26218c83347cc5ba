// qt_barrier_t: opaque to programs.
#include "base/log.hpp"
#include "task.hpp"

#include <artel/barrier.hpp>
#include <artel/light_thread.hpp>
#include <atomic>
#include <cstddef>
#include <memory>

namespace {

struct barrier {
    std::unique_ptr<artel::barrier<>> now;
    // Callers that have not left yet. A caller that has passed may destroy the barrier while others
    // are still inside. acquire and release: their accesses to it.
    std::atomic<std::size_t> inside{0};

    void enter()
    {
        inside.fetch_add(1, std::memory_order_relaxed);  // relaxed: the barrier itself orders it
        now->arrive_and_wait();
        inside.fetch_sub(1, std::memory_order_release);  // release: pairs with wait_until_empty()
    }
    void wait_until_empty() const
    {
        // acquire: pairs with enter().
        while (inside.load(std::memory_order_acquire) != 0) {
            artel::this_light_thread::yield();
        }
    }
};

// Of all callers that are no qthreads.
std::atomic<void*> set_elsewhere{nullptr};

barrier* made(std::size_t size)
{
    return new barrier{std::make_unique<artel::barrier<>>(static_cast<std::ptrdiff_t>(size))};
}

}  // namespace

extern "C" {

void* qt_barrier_create(std::size_t size, int)
{
    return made(size);
}
void qt_barrier_destroy(void* b)
{
    static_cast<barrier*>(b)->wait_until_empty();
    delete static_cast<barrier*>(b);
}
void qt_barrier_enter(void* b)
{
    static_cast<barrier*>(b)->enter();
}
void qt_barrier_enter_id(void* b, std::size_t)
{
    static_cast<barrier*>(b)->enter();
}
// Declared in the headers for the program's own use: the barrier that the calling qthread has set;
// nullptr if it has set none.
void* qt_get_barrier(void)
{
    const artel::qthreads::task* const me = artel::qthreads::self();
    // acquire: pairs with qt_set_barrier.
    return me != nullptr ? me->barrier : set_elsewhere.load(std::memory_order_acquire);
}
void qt_set_barrier(void* b)
{
    if (auto* const me = artel::qthreads::self(); me != nullptr) {
        me->barrier = b;
    } else {
        set_elsewhere.store(b, std::memory_order_release);  // release: it is seen as made
    }
}
void qt_barrier_dump(void* b, int)
{
    artel::base::warn("barrier at {}", b);
}
// To be called while nobody waits in it.
void qt_barrier_resize(void* b, std::size_t size)
{
    static_cast<barrier*>(b)->wait_until_empty();
    static_cast<barrier*>(b)->now = std::make_unique<artel::barrier<>>(
        static_cast<std::ptrdiff_t>(size));
}
}
