// The libraries that `artel run` gives to a program, by LD_PRELOAD and LD_LIBRARY_PATH.
#pragma once

#include <string>

namespace artel::tool {

// What a program of oneTBB gets: our library if it looks for one, or in any case, or its own.
enum class tbb_use { found, preloaded, left_alone };

// The path of the OpenMP library. Throws command_error if it is missing, or if LD_PRELOAD cannot
// express its path.
std::string require_openmp_library();

// Sets both variables of this process. Throws command_error if the library of oneTBB is to be
// preloaded and is missing.
void give_libraries(const std::string& openmp, tbb_use tbb);

}  // namespace artel::tool
