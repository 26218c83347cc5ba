// Decided once, at the first question, by what is loaded and what the loaded objects ask for:
// programs of one runtime, of the other, or of both.
#include "dialect.hpp"

#include "foreign/loaded_libraries.hpp"

#include <algorithm>
#include <array>
#include <atomic>

namespace artel::openmp {
namespace {

bool is_loaded(const char* library) noexcept
{
    return foreign::is_loaded_beside(reinterpret_cast<void (*)()>(&programs_dialect), library);
}

}  // namespace

const dialect& programs_dialect() noexcept
{
    static constexpr dialect libgomp{false, false, false, "level %L thread %i affinity %A"};
    static constexpr dialect both{false, true, false, libgomp.affinity_format};
    static constexpr dialect libomp{true, true, false,
                                    "OMP: pid %P tid %i thread %n bound to OS proc set {%A}"};
    static constexpr dialect cpt{true, true, true, libomp.affinity_format};
    // relaxed, all: every thread finds the same. No guarded static: a fork could leave its guard
    // locked.
    static constinit std::atomic<const dialect*> known{nullptr};
    if (const dialect* const chosen = known.load(std::memory_order_relaxed); chosen != nullptr)
        [[likely]] {
        return *chosen;
    }
    const dialect* const chosen = [] {
        // libcp-artel itself asks for libgomp, but its programs were parsed by Clang.
        if (is_loaded("libcp-artel.so")) {
            return &cpt;
        }
        // Debian's names of LLVM's runtime, and Intel's.
        constexpr std::array names{"libomp.so.5", "libomp.so", "libiomp5.so"};
        if (!foreign::is_asked_for("libomp.so") && !foreign::is_asked_for("libiomp5.so") &&
            !std::any_of(names.begin(), names.end(), is_loaded)) {
            return &libgomp;
        }
        return foreign::is_asked_for("libgomp") || is_loaded("libgomp.so.1") ? &both : &libomp;
    }();
    known.store(chosen, std::memory_order_relaxed);  // relaxed: as above
    return *chosen;
}

}  // namespace artel::openmp
