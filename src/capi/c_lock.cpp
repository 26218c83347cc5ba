// Mutex, shared mutex, condition and semaphore in C: <artel/c/lock.h>.
#include "capi/c_view.hpp"

#include <artel/c/lock.h>
#include <artel/condition_variable.hpp>
#include <artel/mutex.hpp>
#include <artel/semaphore.hpp>
#include <artel/shared_mutex.hpp>
#include <cerrno>
#include <chrono>
#include <memory>

namespace {

using artel::capi::view;

artel::mutex& of(artel_mutex* m) noexcept
{
    return view<artel::mutex>(m);
}
artel::shared_mutex& of(artel_shared_mutex* m) noexcept
{
    return view<artel::shared_mutex>(m);
}
artel::condition_variable& of(artel_condition* c) noexcept
{
    return view<artel::condition_variable>(c);
}
using semaphore = artel::counting_semaphore<>;
semaphore& of(artel_semaphore* s) noexcept
{
    return view<semaphore>(s);
}

std::chrono::steady_clock::time_point point(std::int64_t when) noexcept
{
    return std::chrono::steady_clock::time_point(std::chrono::nanoseconds(when));
}

}  // namespace

extern "C" void artel_mutex_init(artel_mutex* mutex)
{
    new (mutex) artel::mutex;
}

extern "C" void artel_mutex_lock(artel_mutex* mutex)
{
    of(mutex).lock();
}

extern "C" int artel_mutex_trylock(artel_mutex* mutex)
{
    return of(mutex).try_lock() ? 0 : EBUSY;
}

extern "C" void artel_mutex_unlock(artel_mutex* mutex)
{
    of(mutex).unlock();
}

extern "C" void artel_shared_mutex_init(artel_shared_mutex* mutex)
{
    new (mutex) artel::shared_mutex;
}

extern "C" void artel_shared_mutex_lock(artel_shared_mutex* mutex)
{
    of(mutex).lock();
}

extern "C" int artel_shared_mutex_trylock(artel_shared_mutex* mutex)
{
    return of(mutex).try_lock() ? 0 : EBUSY;
}

extern "C" void artel_shared_mutex_unlock(artel_shared_mutex* mutex)
{
    of(mutex).unlock();
}

extern "C" void artel_shared_mutex_lock_shared(artel_shared_mutex* mutex)
{
    of(mutex).lock_shared();
}

extern "C" int artel_shared_mutex_trylock_shared(artel_shared_mutex* mutex)
{
    return of(mutex).try_lock_shared() ? 0 : EBUSY;
}

extern "C" void artel_shared_mutex_unlock_shared(artel_shared_mutex* mutex)
{
    of(mutex).unlock_shared();
}

extern "C" void artel_condition_init(artel_condition* condition)
{
    new (condition) artel::condition_variable;
}

extern "C" void artel_condition_wait(artel_condition* condition, artel_mutex* mutex)
{
    of(condition).wait(of(mutex));
}

extern "C" int artel_condition_wait_until(artel_condition* condition, artel_mutex* mutex,
                                          int64_t when)
{
    return of(condition).wait_until(of(mutex), point(when)) == std::cv_status::timeout ? ETIMEDOUT
                                                                                       : 0;
}

extern "C" void artel_condition_notify_one(artel_condition* condition)
{
    of(condition).notify_one();
}

extern "C" void artel_condition_notify_all(artel_condition* condition)
{
    of(condition).notify_all();
}

extern "C" void artel_condition_destroy(artel_condition* condition)
{
    std::destroy_at(&of(condition));
}

extern "C" void artel_semaphore_init(artel_semaphore* semaphore, uint32_t permits)
{
    new (semaphore)::semaphore(permits);
}

extern "C" void artel_semaphore_acquire(artel_semaphore* semaphore)
{
    of(semaphore).acquire();
}

extern "C" int artel_semaphore_try_acquire(artel_semaphore* semaphore)
{
    return of(semaphore).try_acquire() ? 0 : EAGAIN;
}

extern "C" int artel_semaphore_acquire_until(artel_semaphore* semaphore, int64_t when)
{
    return of(semaphore).try_acquire_until(point(when)) ? 0 : ETIMEDOUT;
}

extern "C" void artel_semaphore_release(artel_semaphore* semaphore, uint32_t permits)
{
    of(semaphore).release(permits);
}
