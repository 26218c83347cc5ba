// The names of the predefined allocators, by the number of their handle.
#pragma once

namespace artel::openmp {

inline constexpr const char* allocator_names[] = {"",
                                                  "omp_default_mem_alloc",
                                                  "omp_large_cap_mem_alloc",
                                                  "omp_const_mem_alloc",
                                                  "omp_high_bw_mem_alloc",
                                                  "omp_low_lat_mem_alloc",
                                                  "omp_cgroup_mem_alloc",
                                                  "omp_pteam_mem_alloc",
                                                  "omp_thread_mem_alloc"};

}  // namespace artel::openmp
