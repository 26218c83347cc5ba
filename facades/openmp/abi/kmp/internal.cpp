// Internal functions that libomp exports and a program can use nevertheless: memory, a wait, the
// method of the last reduction, a lock. Those that need objects which only libomp's internals make
// are missing, with the reason in exports_kmp.txt.
#include "kmp.hpp"
#include "linking/messages.hpp"
#include "team/team.hpp"
#include "waiting/wait_until.hpp"

#include <atomic>
#include <cstdlib>
#include <cstring>

namespace artel::openmp {

extern "C" void omp_set_lock(void*);

namespace kmp {
namespace {

constexpr std::size_t line = 64;  // libomp's alignment

using predicate = std::uint32_t (*)(std::uint32_t value, std::uint32_t checker);

struct awaited {
    const volatile std::uint32_t* word;
    std::uint32_t checker;
    predicate holds;
    std::uint32_t seen;
};

}  // namespace

// Zeroed memory in cache lines of its own. libomp's debug builds, Debian's among them, also pass
// the source location of the caller.
ARTEL_KMP void* ___kmp_allocate(std::size_t bytes)
{
    const std::size_t whole = (bytes + line - 1) / line * line;
    void* const memory = whole >= bytes ? std::aligned_alloc(line, whole) : nullptr;
    if (memory == nullptr) {
        give_up("Out of memory allocating {} bytes", bytes);
    }
    return std::memset(memory, 0, whole);
}

ARTEL_KMP void ___kmp_free(void* memory)
{
    std::free(memory);
}

// Waits until holds(*word, checker), and returns that value of the word. Lets other members run.
ARTEL_KMP std::uint32_t __kmp_wait_4(const volatile std::uint32_t* word, std::uint32_t checker,
                                     predicate holds, void* /*for ITT*/)
{
    awaited a{word, checker, holds, 0};
    wait_until(
        [](void* argument) {
            auto& w = *static_cast<awaited*>(argument);
            // acquire: pairs with the program's release, if there is one.
            w.seen = __atomic_load_n(w.word, __ATOMIC_ACQUIRE);
            return w.holds(w.seen, w.checker) != 0;
        },
        &a);
    return a.seen;
}

// The lock is one made by omp_init_lock in the program's own memory, and released by
// omp_unset_lock: under libomp with KMP_LOCK_KIND=tas, here always. Returns libomp's "acquired, and
// not for the second time".
ARTEL_KMP int __kmp_acquire_tas_lock(void* lock, std::int32_t /*global number*/)
{
    omp_set_lock(lock);
    return 1;
}

// Intel's tracing interface (ITT) is not supported, so no collector is loaded: zero, as libomp
// returns where none is installed.
ARTEL_KMP int __kmp_itt_init_ittlib(const char* /*library*/, int /*groups*/)
{
    return 0;
}

ARTEL_KMP void __kmp_itt_fini_ittlib() {}

// Only special builds of libomp gather statistics; here there are none to reset.
ARTEL_KMP void __kmp_reset_stats() {}

}  // namespace kmp
}  // namespace artel::openmp
