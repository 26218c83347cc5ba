// Locks. A lock of this interface is one pointer in the program: a simple lock keeps its four bytes
// there, a nestable one points to the structure that gcc's programs hold directly, as Fortran's do
// (locks.cpp). So objects of both compilers can share simple locks, but not nestable ones. The omp_
// functions of the version node VERSION forward to these or to gcc's, by the table of exports.
// Hints choose among kinds of locks, of which we have one.
#include "kmp.hpp"

namespace artel::openmp {

extern "C" {
void omp_init_lock(void*);
void omp_destroy_lock(void*);
void omp_set_lock(void*);
void omp_unset_lock(void*);
int omp_test_lock(void*);
void omp_init_nest_lock_(void**);
void omp_destroy_nest_lock_(void**);
void omp_set_nest_lock_(void**);
void omp_unset_nest_lock_(void**);
int omp_test_nest_lock_(void**);
}

namespace kmp {

ARTEL_KMP void omp_init_lock_with_hint(void* lock, std::uintptr_t /*hint*/)
{
    omp_init_lock(lock);
}

ARTEL_KMP void omp_init_nest_lock_with_hint(void** lock, std::uintptr_t /*hint*/)
{
    omp_init_nest_lock_(lock);
}

ARTEL_KMP void omp_init_lock_with_hint_(void* lock, const std::uintptr_t* /*hint*/)
{
    omp_init_lock(lock);
}

ARTEL_KMP void omp_init_nest_lock_with_hint_(void** lock, const std::uintptr_t* /*hint*/)
{
    omp_init_nest_lock_(lock);
}

ARTEL_KMP void __kmpc_init_lock_with_hint(const ident*, std::int32_t, void** lock,
                                          std::uintptr_t /*hint*/)
{
    omp_init_lock(lock);
}

ARTEL_KMP void __kmpc_init_nest_lock_with_hint(const ident*, std::int32_t, void** lock,
                                               std::uintptr_t /*hint*/)
{
    omp_init_nest_lock_(lock);
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
ARTEL_KMP_LOCK(void, init_nest_lock, omp_init_nest_lock_)
ARTEL_KMP_LOCK(void, destroy_nest_lock, omp_destroy_nest_lock_)
ARTEL_KMP_LOCK(void, set_nest_lock, omp_set_nest_lock_)
ARTEL_KMP_LOCK(void, unset_nest_lock, omp_unset_nest_lock_)
ARTEL_KMP_LOCK(int, test_nest_lock, omp_test_nest_lock_)

}  // namespace kmp
}  // namespace artel::openmp
