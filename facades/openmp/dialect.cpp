#include "dialect.hpp"

#include <algorithm>
#include <array>
#include <dlfcn.h>
#include <link.h>

namespace artel::openmp {
namespace {

// Another library than ourselves, who have libgomp's name too.
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

}  // namespace

const dialect& programs_dialect() noexcept
{
    static constexpr dialect libgomp{false, "level %L thread %i affinity %A"};
    static constexpr dialect libomp{true, "OMP: pid %P tid %i thread %n bound to OS proc set {%A}"};
    static const dialect& chosen =
        [] {
            // Debian's names of LLVM's runtime, and Intel's.
            constexpr std::array names{"libomp.so.5", "libomp.so", "libiomp5.so"};
            return !is_loaded("libgomp.so.1") && std::any_of(names.begin(), names.end(), is_loaded);
        }()
            ? libomp
            : libgomp;
    return chosen;
}

}  // namespace artel::openmp
