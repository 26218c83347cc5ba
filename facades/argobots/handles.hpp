// Handles of the interface: addresses of our objects, or the null value of their kind.
#pragma once

#include "abt.h"

#include <cstdint>

namespace artel::argobots {

struct thread;
struct thread_attributes;
struct xstream;
struct scheduler;
class pool;
struct mutex;
struct condition;
struct eventual;

// Whether a handle is null. The null values of all kinds are below 32.
template <class Handle>
bool is_null(Handle h) noexcept
{
    return reinterpret_cast<std::uintptr_t>(h) < 32;
}

template <class Object, class Handle>
Object* object(Handle h) noexcept
{
    return is_null(h) ? nullptr : reinterpret_cast<Object*>(h);
}

inline thread* object_of(ABT_thread h) noexcept
{
    return object<thread>(h);
}
inline xstream* object_of(ABT_xstream h) noexcept
{
    return object<xstream>(h);
}
inline scheduler* object_of(ABT_sched h) noexcept
{
    return object<scheduler>(h);
}
inline pool* object_of(ABT_pool h) noexcept
{
    return object<pool>(h);
}

inline ABT_thread handle_of(thread* t) noexcept
{
    return t != nullptr ? reinterpret_cast<ABT_thread>(t) : ABT_THREAD_NULL;
}
inline ABT_xstream handle_of(xstream* x) noexcept
{
    return x != nullptr ? reinterpret_cast<ABT_xstream>(x) : ABT_XSTREAM_NULL;
}
inline ABT_sched handle_of(scheduler* s) noexcept
{
    return s != nullptr ? reinterpret_cast<ABT_sched>(s) : ABT_SCHED_NULL;
}
inline ABT_pool handle_of(pool* p) noexcept
{
    return p != nullptr ? reinterpret_cast<ABT_pool>(p) : ABT_POOL_NULL;
}

}  // namespace artel::argobots
