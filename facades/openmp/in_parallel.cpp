// omp_in_parallel for references that do not ask for a version: those of libraries that were linked without an OpenMP runtime (Intel's MKL), and dlsym.
//
// Such a reference may be weak: pthread builds of OpenBLAS have one, and print a warning at every call inside a region when the function is there and
// says yes. It is there since we were preloaded; without us most of these libraries would have found nothing. So a library whose reference is
// weak is told no, and everybody else the truth. Who asks is known by the return address; a caller that jumps here for its own caller (a call at the end
// of a function) may be taken for that one, which has no reference of its own and hears the truth.
//
// Rejected: to export nothing for references without a version. The dynamic linker then ends programs whose reference is not weak.
#include "abi.hpp"
#include "team.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <dlfcn.h>
#include <elf.h>
#include <link.h>

namespace artel::openmp {

namespace {

// How many symbols of a library may be references: all that its table of either kind counts. The newer kind lists definitions only, which come last.
std::size_t references(const std::uint32_t* gnu_hash, const std::uint32_t* hash) noexcept
{
    if (gnu_hash != nullptr) {
        return gnu_hash[1];
    }
    return hash != nullptr ? hash[1] : 0;
}

// Whether the library with this dynamic section has a weak reference to omp_in_parallel. glibc has made the section's addresses absolute.
bool refers_weakly(const ElfW(Dyn) * section) noexcept
{
    const ElfW(Sym)* symbols = nullptr;
    const char* names = nullptr;
    const std::uint32_t* gnu_hash = nullptr;
    const std::uint32_t* hash = nullptr;
    for (; section->d_tag != DT_NULL; section++) {
        const auto* const address = reinterpret_cast<const void*>(section->d_un.d_ptr);
        switch (section->d_tag) {
        case DT_SYMTAB: symbols = static_cast<const ElfW(Sym)*>(address); break;
        case DT_STRTAB: names = static_cast<const char*>(address); break;
        case DT_GNU_HASH: gnu_hash = static_cast<const std::uint32_t*>(address); break;
        case DT_HASH: hash = static_cast<const std::uint32_t*>(address); break;
        default: break;
        }
    }
    if (symbols == nullptr || names == nullptr) {
        return false;
    }
    for (const ElfW(Sym)* s = symbols; s != symbols + references(gnu_hash, hash); s++) {
        if (s->st_shndx == SHN_UNDEF && std::strcmp(names + s->st_name, "omp_in_parallel") == 0) {
            return ELF64_ST_BIND(s->st_info) == STB_WEAK;
        }
    }
    return false;
}

// What was found out about libraries: the address of the dynamic section, whose lowest bit is free, and the answer in that bit. When another
// library is loaded to the same address later, and its section lies at the same place, it gets the answer of the old one.
constexpr std::size_t remembered = 64;
std::atomic<std::uintptr_t> libraries[remembered];

bool is_told_no(const void* caller) noexcept
{
    dl_find_object found;
    if (::_dl_find_object(const_cast<void*>(caller), &found) != 0) {
        return false;
    }
    const ElfW(Dyn)* const section = found.dlfo_link_map->l_ld;
    const auto key = reinterpret_cast<std::uintptr_t>(section);
    std::atomic<std::uintptr_t>& entry = libraries[key / 64 % remembered];
    // relaxed: the word is all there is to know; a stale one only makes us look again
    const std::uintptr_t known = entry.load(std::memory_order_relaxed);
    if ((known & ~std::uintptr_t{1}) == key) {
        return (known & 1) != 0;
    }
    const bool weak = refers_weakly(section);
    // relaxed: as above
    entry.store(key | (weak ? 1U : 0U), std::memory_order_relaxed);
    return weak;
}

}  // namespace

ARTEL_GOMP int omp_in_parallel()
{
    return this_member().in->active_level > 0 && !is_told_no(__builtin_return_address(0));
}

}  // namespace artel::openmp
