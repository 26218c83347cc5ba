// Whether the library's functions can be found from here, after making its symbols global if need
// be, and whether it has the interface for which the shim was compiled.
#include "shim/reach.hpp"

#include "shim/mpi_weak.h"

#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <link.h>
#include <string>
#include <vector>

namespace artel::shim {
namespace {

constexpr const char* some_function = "PMPI_Initialized";

int add_name(dl_phdr_info* object, std::size_t, void* names)
{
    static_cast<std::vector<std::string>*>(names)->emplace_back(object->dlpi_name);
    return 0;
}

// The file of the library that has the function; "" if there is none.
std::string path_of_library()
{
    std::vector<std::string> names;
    ::dl_iterate_phdr(add_name, &names);
    for (const std::string& name : names) {
        void* const object = name.empty() ? nullptr
                                          : ::dlopen(name.c_str(), RTLD_LAZY | RTLD_NOLOAD);
        if (object == nullptr) {
            continue;
        }
        // Also searches the libraries that the object needs.
        void* const found = ::dlsym(object, some_function);
        ::dlclose(object);
        Dl_info where{};
        if (found != nullptr && ::dladdr(found, &where) != 0) {
            return where.dli_fname;
        }
    }
    return {};
}

// Whether the library has the binary interface for which this shim was made.
bool is_of_our_interface()
{
    const bool open_mpi = ::dlsym(RTLD_DEFAULT, "ompi_mpi_comm_world") != nullptr;
#ifdef OPEN_MPI
    if (!open_mpi) {
        // Handles are narrower there, so calls can be passed on unchanged.
        std::fprintf(stderr,
                     "artel: libartel-mpi-openmpi.so is for Open MPI and not used, because the "
                     "program's MPI library is %s\n",
                     path_of_library().c_str());
    }
    return open_mpi;
#else
    if (open_mpi) {
        // A handle of Open MPI's does not fit through this shim's functions: the program cannot be
        // helped.
        std::fprintf(stderr,
                     "artel: the program's MPI library is Open MPI; what is to be preloaded "
                     "is libartel-mpi-openmpi.so\n");
        std::_Exit(1);
    }
    return true;
#endif
}

bool reach()
{
    if (::dlsym(RTLD_DEFAULT, some_function) == nullptr) {
        const std::string path = path_of_library();
        // Our calls are bound when first made, so this is early enough. We never close the library,
        // because the program needs it to its end anyway.
        if (path.empty() ||
            ::dlopen(path.c_str(), RTLD_LAZY | RTLD_NOLOAD | RTLD_GLOBAL) == nullptr) {
            return false;
        }
    }
    if (!is_of_our_interface()) {
        return false;
    }
#ifdef OPEN_MPI
    // Handles are addresses of the library's objects, which were looked up when the program began.
    if (&ompi_mpi_comm_world == nullptr) {
        std::fprintf(
            stderr,
            "artel: the program loaded the MPI library later than this shim, which is therefore "
            "not used; what helps is to preload both: LD_PRELOAD=\"libartel-mpi-openmpi.so %s\"\n",
            path_of_library().c_str());
        return false;
    }
#endif
    return true;
}

}  // namespace

bool library_in_reach()
{
    static const bool found = reach();
    return found;
}

}  // namespace artel::shim
