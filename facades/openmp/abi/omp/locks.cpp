// omp_lock_t and omp_nest_lock_t, each in two forms: that of gcc 4.4 and later (OMP_3.0), and with
// the types of gcc 4.2 and 4.3 (OMP_1.0), which old binaries ask for. A simple lock is four bytes
// in both. Nestable locks belong to a task since OpenMP 3.0, before that to a thread. In Fortran a
// nestable lock is one 64-bit word, which holds the old type itself or a pointer to the new one.
#include "abi/abi.hpp"
#include "abi/nest_lock.hpp"
#include "abi/thread_number.hpp"
#include "ompt/entries/mutex.hpp"
#include "team/team.hpp"
#include "waiting/lock_word.hpp"

#include <new>

namespace artel::openmp {

namespace {

// Eight bytes.
struct old_nest_lock {
    std::atomic<std::uint32_t> owner;  // kmp::lock_holder(); 0: free
    int count;
};
static_assert(sizeof(old_nest_lock) == 8);

lock_owner me() noexcept
{
    return reinterpret_cast<lock_owner>(&lasting_task(this_member()));
}

int test_old_nested(old_nest_lock& l) noexcept
{
    const std::uint32_t self = kmp::lock_holder();
    // relaxed: equal only if we stored it ourselves.
    if (l.owner.load(std::memory_order_relaxed) != self) {
        std::uint32_t nobody = 0;
        // acquire: pairs with the release in unset_old_nested. relaxed on failure: nothing was
        // acquired.
        if (!l.owner.compare_exchange_strong(nobody, self, std::memory_order_acquire,
                                             std::memory_order_relaxed)) {
            return 0;
        }
    }
    return ++l.count;
}

// The eight bytes have no room for a mark that there are waiters, so the last unset always wakes.
// Old binaries are rare.
void set_old_nested(old_nest_lock& l) noexcept
{
    while (test_old_nested(l) == 0) {
        // relaxed: only the value to wait on.
        const std::uint32_t owner = l.owner.load(std::memory_order_relaxed);
        if (owner != 0) {
            sched::wait_word(l.owner, owner);
        }
    }
}

void unset_old_nested(old_nest_lock& l) noexcept
{
    if (--l.count == 0) {
        // release: pairs with the acquire in test_old_nested.
        l.owner.store(0, std::memory_order_release);
        sched::wake_word(l.owner, 1);
    }
}

}  // namespace

// --- simple locks --------------------------------------------------------------------------------

// Each function under four names: C and Fortran, new and old.
#define ARTEL_LOCK_FUNCTION(type, name, told, body)             \
    ARTEL_GOMP type name(void* place)                           \
    {                                                           \
        ARTEL_OMPT_EITHER(told, body);                          \
    }                                                           \
    ARTEL_GOMP type name##_(void* place)                        \
    {                                                           \
        ARTEL_OMPT_EITHER(told, body);                          \
    }                                                           \
    extern "C" type artel_old_##name(void* place)               \
    {                                                           \
        ARTEL_OMPT_EITHER(told, body);                          \
    }                                                           \
    extern "C" type artel_old_##name##_(void* place)            \
    {                                                           \
        ARTEL_OMPT_EITHER(told, body);                          \
    }                                                           \
    ARTEL_GOMP_HIDDEN_VERSION(artel_old_##name, name, OMP_1.0); \
    ARTEL_GOMP_HIDDEN_VERSION(artel_old_##name##_, name##_, OMP_1.0);

ARTEL_LOCK_FUNCTION(void, omp_init_lock,
                    (new(place) lock_word(0), tell_lock_made(who, mutex_kind::lock, place)),
                    static_cast<void>(new(place) lock_word(0)))
ARTEL_LOCK_FUNCTION(void, omp_destroy_lock, tell_lock_gone(who, mutex_kind::lock, place),
                    static_cast<void>(place))
ARTEL_LOCK_FUNCTION(void, omp_set_lock, tell_lock(who, mutex_kind::lock, lock_at(place)),
                    lock(lock_at(place)))
ARTEL_LOCK_FUNCTION(void, omp_unset_lock, tell_unlock(who, mutex_kind::lock, lock_at(place)),
                    unlock(lock_at(place)))
ARTEL_LOCK_FUNCTION(int, omp_test_lock, tell_try_lock(who, lock_at(place)),
                    try_lock(lock_at(place)))

// --- nestable locks ------------------------------------------------------------------------------

ARTEL_GOMP void omp_init_nest_lock(nest_lock* place)
{
    new (place) nest_lock{};
    ARTEL_OMPT_TELL(tell_lock_made(who, mutex_kind::nest_lock, place));
}

ARTEL_GOMP void omp_destroy_nest_lock([[maybe_unused]] nest_lock* place)
{
    ARTEL_OMPT_EITHER(tell_lock_gone(who, mutex_kind::nest_lock, place), void());
}

ARTEL_GOMP void omp_set_nest_lock(nest_lock* place)
{
    ARTEL_OMPT_EITHER(set_told(who, *place, me(), place), set_nested(*place, me()));
}

ARTEL_GOMP void omp_unset_nest_lock(nest_lock* place)
{
    ARTEL_OMPT_EITHER(unset_told(who, *place, place), unset_nested(*place));
}

ARTEL_GOMP int omp_test_nest_lock(nest_lock* place)
{
    ARTEL_OMPT_EITHER(test_told(who, *place, me(), place), test_nested(*place, me()));
}

ARTEL_GOMP void omp_init_nest_lock_(void** place)
{
    make_nest_lock(place);
    ARTEL_OMPT_TELL(tell_lock_made(who, mutex_kind::nest_lock, place));
}

ARTEL_GOMP void omp_destroy_nest_lock_(void** place)
{
    free_nest_lock(place);
    ARTEL_OMPT_TELL(tell_lock_gone(who, mutex_kind::nest_lock, place));
}

ARTEL_GOMP void omp_set_nest_lock_(void** place)
{
    ARTEL_OMPT_EITHER(set_told(who, nest_lock_at(place), me(), place),
                      set_nested(nest_lock_at(place), me()));
}

ARTEL_GOMP void omp_unset_nest_lock_(void** place)
{
    ARTEL_OMPT_EITHER(unset_told(who, nest_lock_at(place), place),
                      unset_nested(nest_lock_at(place)));
}

ARTEL_GOMP int omp_test_nest_lock_(void** place)
{
    ARTEL_OMPT_EITHER(test_told(who, nest_lock_at(place), me(), place),
                      test_nested(nest_lock_at(place), me()));
}

#define ARTEL_OLD_NEST_LOCK_FUNCTION(type, name, body)          \
    extern "C" type artel_old_##name(old_nest_lock* place)      \
    {                                                           \
        body;                                                   \
    }                                                           \
    extern "C" type artel_old_##name##_(old_nest_lock* place)   \
    {                                                           \
        body;                                                   \
    }                                                           \
    ARTEL_GOMP_HIDDEN_VERSION(artel_old_##name, name, OMP_1.0); \
    ARTEL_GOMP_HIDDEN_VERSION(artel_old_##name##_, name##_, OMP_1.0);

ARTEL_OLD_NEST_LOCK_FUNCTION(void, omp_init_nest_lock, new(place) old_nest_lock{})
ARTEL_OLD_NEST_LOCK_FUNCTION(void, omp_destroy_nest_lock, static_cast<void>(place))
ARTEL_OLD_NEST_LOCK_FUNCTION(void, omp_set_nest_lock, set_old_nested(*place))
ARTEL_OLD_NEST_LOCK_FUNCTION(void, omp_unset_nest_lock, unset_old_nested(*place))
ARTEL_OLD_NEST_LOCK_FUNCTION(int, omp_test_nest_lock, return test_old_nested(*place))

}  // namespace artel::openmp
