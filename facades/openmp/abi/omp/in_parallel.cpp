// omp_in_parallel for references without a version: those of libraries that were linked without an
// OpenMP runtime (Intel's MKL), and dlsym.
//
// Such a reference may be weak: pthread builds of OpenBLAS have one, and print a warning at every
// call inside a region if the function exists and says yes. Only preloading makes it exist for most
// of these libraries. So a library whose reference is weak is told no, and every other caller the
// truth. The caller is recognised by the return address; if it tail-calls us, its own caller may be
// taken for it, which usually has no reference and gets the truth.
//
// Rejected: to export nothing for references without a version. The dynamic linker then ends
// programs whose reference is not weak.
#include "abi/abi.hpp"
#include "blas/blas.hpp"
#include "foreign/loaded_object.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace artel::openmp {

namespace {

// A cache of answers for libraries: the address of the dynamic section, whose lowest bit is free,
// with the answer in that bit. A library that is later loaded with its dynamic section at the same
// address gets the old answer.
constexpr std::size_t remembered = 64;
std::atomic<std::uintptr_t> libraries[remembered];

bool is_told_no(const void* caller) noexcept
{
    const auto library = foreign::loaded_object::containing(caller);
    if (!library) {
        return false;
    }
    const std::uintptr_t key = library->identity();
    std::atomic<std::uintptr_t>& entry = libraries[key / 64 % remembered];
    // relaxed: the word is self-contained; a stale one only makes us look again
    const std::uintptr_t known = entry.load(std::memory_order_relaxed);
    if ((known & ~std::uintptr_t{1}) == key) {
        return (known & 1) != 0;
    }
    const bool weak = library->refers_weakly_to("omp_in_parallel");
    // relaxed: as above
    entry.store(key | (weak ? 1U : 0U), std::memory_order_relaxed);
    return weak;
}

}  // namespace

ARTEL_GOMP int omp_in_parallel()
{
    const void* const caller = __builtin_return_address(0);
    return is_told_in_parallel(this_member(), caller) && !is_told_no(caller);
}

}  // namespace artel::openmp
