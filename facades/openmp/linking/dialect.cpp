#include "dialect.hpp"

#include "loaded_object.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <link.h>

namespace artel::openmp {
namespace {

// Does the object ask for a library whose name begins with `argument`?
int asks_for(dl_phdr_info* object, std::size_t, void* argument) noexcept
{
    const auto* const library = static_cast<const char*>(argument);
    return loaded_object(*object).needs(library) ? 1 : 0;
}

// Is it the library of this name (its own, or its file's), and not ourselves, who may be loaded
// under that file's name too?
int is_other_called(dl_phdr_info* object, std::size_t, void* argument) noexcept
{
    const auto* const library = static_cast<const char*>(argument);
    const loaded_object it(*object);
    if (it.is_this_library()) {
        return 0;
    }
    const char* const slash = std::strrchr(object->dlpi_name, '/');
    if (std::strcmp(slash == nullptr ? object->dlpi_name : slash + 1, library) == 0) {
        return 1;
    }
    return it.is_called(library) ? 1 : 0;
}

// Not asked of dlopen with RTLD_NOLOAD: it searches the file system for names that nobody has, 0.1
// ms for each.
bool is_loaded(const char* library) noexcept
{
    return visit_loaded_objects(is_other_called, const_cast<char*>(library)) != 0;
}

}  // namespace

bool is_asked_for(const char* library) noexcept
{
    return visit_loaded_objects(asks_for, const_cast<char*>(library)) != 0;
}

const dialect& programs_dialect() noexcept
{
    static constexpr dialect libgomp{false, false, "level %L thread %i affinity %A"};
    static constexpr dialect both{false, true, libgomp.affinity_format};
    static constexpr dialect libomp{true, true,
                                    "OMP: pid %P tid %i thread %n bound to OS proc set {%A}"};
    // relaxed, all: the same whoever finds it first; no guard, which a fork could leave locked.
    static constinit std::atomic<const dialect*> known{nullptr};
    if (const dialect* const chosen = known.load(std::memory_order_relaxed); chosen != nullptr)
        [[likely]] {
        return *chosen;
    }
    const dialect* const chosen = [] {
        // Debian's names of LLVM's runtime, and Intel's.
        constexpr std::array names{"libomp.so.5", "libomp.so", "libiomp5.so"};
        if (!is_asked_for("libomp.so") && !is_asked_for("libiomp5.so") &&
            !std::any_of(names.begin(), names.end(), is_loaded)) {
            return &libgomp;
        }
        return is_asked_for("libgomp") || is_loaded("libgomp.so.1") ? &both : &libomp;
    }();
    known.store(chosen, std::memory_order_relaxed);  // relaxed: as above
    return *chosen;
}

}  // namespace artel::openmp
