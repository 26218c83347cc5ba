#include "dialect.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <dlfcn.h>
#include <link.h>

namespace artel::openmp {
namespace {

// Another library than ourselves, who may have its name too.
bool is_loaded(const char* library) noexcept
{
    void* const handle = ::dlopen(library, RTLD_LAZY | RTLD_NOLOAD);
    if (handle == nullptr) {
        return false;
    }
    Dl_info own{};
    link_map* map = nullptr;
    ::dladdr(reinterpret_cast<const void*>(&is_loaded), &own);
    ::dlinfo(handle, RTLD_DI_LINKMAP, &map);
    ::dlclose(handle);
    return map == nullptr || reinterpret_cast<void*>(map->l_addr) != own.dli_fbase;
}

// Does the object ask for a library whose name begins with `argument`?
int asks_for(dl_phdr_info* object, std::size_t, void* argument) noexcept
{
    const auto* const library = static_cast<const char*>(argument);
    for (unsigned i = 0; i < object->dlpi_phnum; ++i) {
        if (object->dlpi_phdr[i].p_type != PT_DYNAMIC) {
            continue;
        }
        const auto* const entries = reinterpret_cast<const ElfW(Dyn)*>(object->dlpi_addr + object->dlpi_phdr[i].p_vaddr);
        ElfW(Addr) strings = 0;
        for (const auto* e = entries; e->d_tag != DT_NULL; ++e) {
            strings = e->d_tag == DT_STRTAB ? e->d_un.d_ptr : strings;
        }
        if (strings < object->dlpi_addr) {
            strings += object->dlpi_addr;  // the kernel's object, which nobody relocates
        }
        for (const auto* e = entries; e->d_tag != DT_NULL; ++e) {
            if (e->d_tag == DT_NEEDED &&
                std::strncmp(reinterpret_cast<const char*>(strings + e->d_un.d_val), library, std::strlen(library)) == 0) {
                return 1;
            }
        }
    }
    return 0;
}

}  // namespace

bool is_asked_for(const char* library) noexcept
{
    return ::dl_iterate_phdr(asks_for, const_cast<char*>(library)) != 0;
}

const dialect& programs_dialect() noexcept
{
    static constexpr dialect libgomp{false, false, "level %L thread %i affinity %A"};
    static constexpr dialect both{false, true, libgomp.affinity_format};
    static constexpr dialect libomp{true, true, "OMP: pid %P tid %i thread %n bound to OS proc set {%A}"};
    static const dialect* const chosen = [] {
        // Debian's names of LLVM's runtime, and Intel's.
        constexpr std::array names{"libomp.so.5", "libomp.so", "libiomp5.so"};
        if (!is_asked_for("libomp.so") && !is_asked_for("libiomp5.so") && !std::any_of(names.begin(), names.end(), is_loaded)) {
            return &libgomp;
        }
        return is_asked_for("libgomp") || is_loaded("libgomp.so.1") ? &both : &libomp;
    }();
    return *chosen;
}

}  // namespace artel::openmp
