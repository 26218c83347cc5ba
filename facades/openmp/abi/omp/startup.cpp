// Runs when the library is loaded.
#include "foreign/loaded_libraries.hpp"
#include "regions/binding.hpp"
#include "settings/icv.hpp"
#include "topology/topology.hpp"

#include <cstring>
#include <unistd.h>

namespace artel::openmp {
namespace {

// Warnings and OMP_DISPLAY_ENV belong to the start of the program, as with libgomp; so does reading
// the settings, which the program may change in main without effect, and reading the machine, which
// would be half the cost of the first region. But when we are preloaded, the shells and tools that
// a program starts load us, too; they must print nothing, and not pay for it. A library that is
// opened later (a Python module) is initialised at its first use.
struct at_load {
    at_load() noexcept
    {
        if (!foreign::is_asked_for("libgomp")) {
            return;
        }
        for (char** variable = environ; variable != nullptr && *variable != nullptr; ++variable) {
            if (std::strncmp(*variable, "OMP_", 4) == 0 ||
                std::strncmp(*variable, "GOMP_", 5) == 0) {
                bind_as_asked();
                display_environment_if_asked();
                break;
            }
        }
        globals();
        topology::this_machine();
    }
};
const at_load reader_at_load;

}  // namespace
}  // namespace artel::openmp
