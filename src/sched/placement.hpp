// The CPUs of workers: which CPU belongs to which worker, and which CPUs the crew uses at all. How
// workers are bound and moved is in class crew (placement.cpp).
#pragma once

#include <vector>

namespace artel::topology {
struct cpu;
}

namespace artel::sched {

// The CPU that belongs to the worker of that number. The first CPU is left to the program's main
// thread, which is usually the first guest.
const topology::cpu& cpu_of_seat(unsigned index) noexcept;

// For a facade whose user asks for binding: workers made from now on belong to these CPUs (OS
// indices), round robin, and keep to them unless ARTEL_BIND says otherwise. Indices that the
// process may not use are left out; if none remains, nothing changes. Once, before the crew is
// first used. May throw std::bad_alloc.
void prefer_cpus(const std::vector<unsigned>& os_indices);

// The number of CPUs for threads: the effective CPUs, or fewer when fewer are preferred.
unsigned usable_cpus() noexcept;

}  // namespace artel::sched
