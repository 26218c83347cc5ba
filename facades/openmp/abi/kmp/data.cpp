// Variables that libomp exports: handles of allocators and memory spaces from the time when omp.h
// declared them as variables, and words that only its own debugger plug-ins read.
#include <cstdint>

extern "C" {

#define ARTEL_KMP_HANDLE(name, number) \
    extern const std::uintptr_t name;  \
    const std::uintptr_t name = number;

ARTEL_KMP_HANDLE(omp_null_allocator, 0)
ARTEL_KMP_HANDLE(omp_default_mem_alloc, 1)
ARTEL_KMP_HANDLE(omp_large_cap_mem_alloc, 2)
ARTEL_KMP_HANDLE(omp_const_mem_alloc, 3)
ARTEL_KMP_HANDLE(omp_high_bw_mem_alloc, 4)
ARTEL_KMP_HANDLE(omp_low_lat_mem_alloc, 5)
ARTEL_KMP_HANDLE(omp_cgroup_mem_alloc, 6)
ARTEL_KMP_HANDLE(omp_pteam_mem_alloc, 7)
ARTEL_KMP_HANDLE(omp_thread_mem_alloc, 8)
ARTEL_KMP_HANDLE(kmp_max_mem_alloc, 1024)
ARTEL_KMP_HANDLE(omp_default_mem_space, 0)
ARTEL_KMP_HANDLE(omp_large_cap_mem_space, 1)
ARTEL_KMP_HANDLE(omp_const_mem_space, 2)
ARTEL_KMP_HANDLE(omp_high_bw_mem_space, 3)
ARTEL_KMP_HANDLE(omp_low_lat_mem_space, 4)

#define ARTEL_KMP_WORD(name)  \
    extern std::int32_t name; \
    std::int32_t name = 0;

ARTEL_KMP_WORD(__kmp_debugging)
ARTEL_KMP_WORD(__kmp_omp_debug_struct_info)
ARTEL_KMP_WORD(kmp_a_debug)
ARTEL_KMP_WORD(kmp_b_debug)
ARTEL_KMP_WORD(kmp_c_debug)
ARTEL_KMP_WORD(kmp_d_debug)
ARTEL_KMP_WORD(kmp_e_debug)
ARTEL_KMP_WORD(kmp_f_debug)
ARTEL_KMP_WORD(kmp_diag)

extern void* __kmp_thread_pool;
void* __kmp_thread_pool = nullptr;

// Names of lock implementations, ended by one without a name; tools get them in another way.
extern const struct {
    const char* name;
    std::uint64_t number;
} kmp_mutex_impl_info[4];
decltype(kmp_mutex_impl_info) kmp_mutex_impl_info = {{"kmp_mutex_impl_none", 0}};
}
