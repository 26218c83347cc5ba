// Locks. A lock of this interface is one pointer in the program: a simple lock keeps its four bytes
// there, a nestable one points to the structure that gcc's programs hold directly, as Fortran's do
// (locks.cpp). So objects of both compilers can share simple locks, but not nestable ones. The omp_
// functions of the version node VERSION forward to gcc's for simple locks, by the table of exports.
// Those for nestable ones are here, because their owners are threads.
// Hints choose among kinds of locks, of which we have one.
#include "abi/nest_lock.hpp"
#include "kmp.hpp"
#include "ompt/entries/mutex.hpp"

namespace artel::openmp {

extern "C" {
void omp_init_lock(void*);
void omp_destroy_lock(void*);
void omp_set_lock(void*);
void omp_unset_lock(void*);
int omp_test_lock(void*);
}

namespace kmp {
namespace {

// Untied tasks change threads, so they own what they lock themselves. Tasks that are executed at
// once, and member 0 of a region, run in the place of the task that they come from.
lock_owner me() noexcept
{
    const auto* m = static_cast<const member*>(fiber::this_tls().local);
    const openmp::task* at = m != nullptr ? m->current : nullptr;
    while (at != nullptr && !(at->untied && !at->in_place)) {
        if (at->undeferred || at->in_place) {
            at = at->parent;
        } else if (at->is_implicit && m->number == 0 && m->outer != nullptr) {
            m = m->outer;
            at = m->current;
        } else {
            at = nullptr;
        }
    }
    return at != nullptr ? reinterpret_cast<lock_owner>(at) : lock_holder();
}

void init_told(ompt::caller who, void** lock) noexcept
{
    make_nest_lock(lock);
    ompt::tell_lock_made(who, ompt::mutex_kind::nest_lock, lock);
}

void destroy_told(ompt::caller who, void** lock) noexcept
{
    free_nest_lock(lock);
    ompt::tell_lock_gone(who, ompt::mutex_kind::nest_lock, lock);
}

}  // namespace

ARTEL_KMP void omp_init_lock_with_hint(void* lock, std::uintptr_t /*hint*/)
{
    omp_init_lock(lock);
}

ARTEL_KMP void omp_init_nest_lock_with_hint(void** lock, std::uintptr_t /*hint*/)
{
    ARTEL_OMPT_EITHER(init_told(who, lock), make_nest_lock(lock));
}

ARTEL_KMP void omp_init_lock_with_hint_(void* lock, const std::uintptr_t* /*hint*/)
{
    omp_init_lock(lock);
}

ARTEL_KMP void omp_init_nest_lock_with_hint_(void** lock, const std::uintptr_t* /*hint*/)
{
    ARTEL_OMPT_EITHER(init_told(who, lock), make_nest_lock(lock));
}

ARTEL_KMP void __kmpc_init_lock_with_hint(const ident*, std::int32_t, void** lock,
                                          std::uintptr_t /*hint*/)
{
    omp_init_lock(lock);
}

ARTEL_KMP void __kmpc_init_nest_lock_with_hint(const ident*, std::int32_t, void** lock,
                                               std::uintptr_t /*hint*/)
{
    ARTEL_OMPT_EITHER(init_told(who, lock), make_nest_lock(lock));
}

#define ARTEL_KMP_LOCK(type, name, target)                                \
    ARTEL_KMP type __kmpc_##name(const ident*, std::int32_t, void** lock) \
    {                                                                     \
        return target(lock);                                              \
    }

ARTEL_KMP_LOCK(void, init_lock, omp_init_lock)
ARTEL_KMP_LOCK(void, destroy_lock, omp_destroy_lock)
ARTEL_KMP_LOCK(void, set_lock, omp_set_lock)
ARTEL_KMP_LOCK(void, unset_lock, omp_unset_lock)
ARTEL_KMP_LOCK(int, test_lock, omp_test_lock)

// Each function under three names: the compiler's, and those of programs in C and in Fortran.
#define ARTEL_KMP_NEST_LOCK(type, name, told, body)                           \
    ARTEL_KMP type __kmpc_##name(const ident*, std::int32_t, void** lock)     \
    {                                                                         \
        ARTEL_OMPT_EITHER(told, body);                                        \
    }                                                                         \
    extern "C" type artel_VERSION_omp_##name(void** lock)                     \
    {                                                                         \
        ARTEL_OMPT_EITHER(told, body);                                        \
    }                                                                         \
    extern "C" type artel_VERSION_omp_##name##_(void** lock)                  \
    {                                                                         \
        ARTEL_OMPT_EITHER(told, body);                                        \
    }                                                                         \
    ARTEL_GOMP_HIDDEN_VERSION(artel_VERSION_omp_##name, omp_##name, VERSION); \
    ARTEL_GOMP_HIDDEN_VERSION(artel_VERSION_omp_##name##_, omp_##name##_, VERSION)

ARTEL_KMP_NEST_LOCK(void, init_nest_lock, init_told(who, lock), make_nest_lock(lock));
ARTEL_KMP_NEST_LOCK(void, destroy_nest_lock, destroy_told(who, lock), free_nest_lock(lock));
ARTEL_KMP_NEST_LOCK(void, set_nest_lock, set_told(who, nest_lock_at(lock), me(), lock),
                    set_nested(nest_lock_at(lock), me()));
ARTEL_KMP_NEST_LOCK(void, unset_nest_lock, unset_told(who, nest_lock_at(lock), lock),
                    unset_nested(nest_lock_at(lock)));
ARTEL_KMP_NEST_LOCK(int, test_nest_lock, test_told(who, nest_lock_at(lock), me(), lock),
                    test_nested(nest_lock_at(lock), me()));

}  // namespace kmp
}  // namespace artel::openmp
