// Calls a function with a number of arguments known only at run time, which C++ cannot express.
#pragma once

#include "kmp.hpp"

namespace artel::openmp::kmp {

// This many arguments are passed in registers, and are read from the list even if fewer are given.
inline constexpr std::size_t in_registers = 4;

// function(global, bound, arguments[0], ... arguments[count - 1]). `arguments` has room for at
// least in_registers.
extern "C" [[gnu::visibility("hidden")]] void artel_kmp_invoke(microtask function,
                                                               std::int32_t* global,
                                                               std::int32_t* bound,
                                                               std::int32_t count,
                                                               void* const* arguments);

// The same; stores its frame, to which the function's own points, in `frame`.
extern "C" [[gnu::visibility("hidden")]] void artel_kmp_invoke_noted(
    microtask function, std::int32_t* global, std::int32_t* bound, std::int32_t count,
    void* const* arguments, void** frame);

inline void invoke_microtask(microtask function, std::int32_t* global, std::int32_t* bound,
                             std::int32_t count, void* const* arguments)
{
    artel_kmp_invoke(function, global, bound, count, arguments);
}

}  // namespace artel::openmp::kmp
