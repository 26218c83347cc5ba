// Numbers of threads in the process and in teams, for compilers.
#include "kmp.hpp"

namespace artel::openmp::kmp {

ARTEL_KMP std::int32_t __kmpc_global_thread_num(const ident*)
{
    return global_number();
}

ARTEL_KMP std::int32_t __kmpc_global_num_threads(const ident*)
{
    return known_threads();
}

ARTEL_KMP std::int32_t __kmpc_bound_thread_num(const ident*)
{
    return static_cast<std::int32_t>(this_member().number);
}

ARTEL_KMP std::int32_t __kmpc_bound_num_threads(const ident*)
{
    return static_cast<std::int32_t>(this_member().in->size);
}

ARTEL_KMP std::int32_t __kmpc_in_parallel(const ident*)
{
    return this_member().in->active_level > 0;
}

// The program need not set up or tear down anything.
ARTEL_KMP void __kmpc_begin(const ident*, std::int32_t) {}
ARTEL_KMP void __kmpc_end(const ident*) {}
ARTEL_KMP std::int32_t __kmpc_ok_to_fork(const ident*)
{
    return 1;
}

}  // namespace artel::openmp::kmp
