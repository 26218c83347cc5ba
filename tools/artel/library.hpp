// Where the libraries are to which this tool belongs.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace artel::tool {

inline constexpr const char* openmp_library = "libgomp-artel.so.1";

// Absolute paths where the OpenMP library may be, in the order in which they are tried, all
// relative to the tool's own file: so a build tree, an installed tree and one that was moved
// afterwards all work.
std::vector<std::string> openmp_library_candidates();

// The first candidate that exists; empty if none does.
std::string find_openmp_library();

// A library of that name beside the OpenMP library; empty if there is none.
inline constexpr const char* tbb_library = "libtbb-artel.so.12";
std::string find_tbb_library();

// The folder in which that library is alone, under its stock name; empty if there is none.
std::string find_tbb_folder();

// The library that is preloaded beside it, for OpenBLAS libraries with threads of their own; empty
// if there is none.
std::string find_openblas_library();

// The file behind all symbolic links of the libartel that belongs to this tool, found in the same
// way; empty if there is none. (The tool has libartel's code in it, and loads none.)
std::string core_library_path();

// The file of a helper (helper.hpp), "lab" or "mpi", whether it is there or not; empty if the tool
// cannot find out where it is itself.
std::string helper_path(std::string_view name);

}  // namespace artel::tool
