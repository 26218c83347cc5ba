// Affinity masks of the kmp_ interface. Members run on changing workers, so binding one to CPUs has
// no meaning: setting fails (-1, as in libomp where the system cannot) except on threads that stay
// on their own OS thread: those that start regions.
#include "kmp.hpp"
#include "regions/binding.hpp"
#include "topology/topology.hpp"

#include <algorithm>
#include <cerrno>
#include <new>
#include <sched.h>
#include <unistd.h>

namespace artel::openmp::kmp {
namespace {

cpu_set_t* mask_of(void** mask) noexcept
{
    return mask != nullptr ? static_cast<cpu_set_t*>(*mask) : nullptr;
}

int max_proc() noexcept
{
    return static_cast<int>(
        std::clamp<long>(::sysconf(_SC_NPROCESSORS_CONF), 1, static_cast<long>(CPU_SETSIZE)));
}

bool valid(int cpu) noexcept
{
    return cpu >= 0 && cpu < max_proc();
}

// Whether the process had the CPU at its start.
bool available(int cpu) noexcept
{
    const auto& all = topology::inherited_affinity();
    return std::find(all.begin(), all.end(), static_cast<unsigned>(cpu)) != all.end();
}

// 0: the mask can have the CPU, -1: no mask or no such number, -2: not the process's.
int refusal(int cpu, void** mask) noexcept
{
    return mask_of(mask) == nullptr || !valid(cpu) ? -1 : available(cpu) ? 0 : -2;
}

}  // namespace

ARTEL_KMP void kmp_create_affinity_mask(void** mask)
{
    *mask = new (std::nothrow) cpu_set_t{};
}

ARTEL_KMP void kmp_destroy_affinity_mask(void** mask)
{
    delete mask_of(mask);
    *mask = nullptr;
}

ARTEL_KMP int kmp_set_affinity(void** mask)
{
    const cpu_set_t* const set = mask_of(mask);
    if (set == nullptr || !on_own_thread()) {
        return -1;
    }
    return ::sched_setaffinity(0, sizeof *set, set) == 0 ? 0 : errno;
}

ARTEL_KMP int kmp_get_affinity(void** mask)
{
    cpu_set_t* const set = mask_of(mask);
    return set != nullptr && ::sched_getaffinity(0, sizeof *set, set) == 0 ? 0 : -1;
}

ARTEL_KMP int kmp_get_affinity_max_proc()
{
    return max_proc();
}

ARTEL_KMP int kmp_set_affinity_mask_proc(int cpu, void** mask)
{
    const int refused = refusal(cpu, mask);
    if (refused == 0) {
        CPU_SET(cpu, mask_of(mask));
    }
    return refused;
}

ARTEL_KMP int kmp_unset_affinity_mask_proc(int cpu, void** mask)
{
    const int refused = refusal(cpu, mask);
    if (refused == 0) {
        CPU_CLR(cpu, mask_of(mask));
    }
    return refused;
}

ARTEL_KMP int kmp_get_affinity_mask_proc(int cpu, void** mask)
{
    if (const int refused = refusal(cpu, mask); refused != 0) {
        return refused == -2 ? 0 : refused;
    }
    return CPU_ISSET(cpu, mask_of(mask)) != 0;
}

ARTEL_KMP int kmp_set_affinity_mask_proc_(const int* cpu, void** mask)
{
    return kmp_set_affinity_mask_proc(*cpu, mask);
}

ARTEL_KMP int kmp_unset_affinity_mask_proc_(const int* cpu, void** mask)
{
    return kmp_unset_affinity_mask_proc(*cpu, mask);
}

ARTEL_KMP int kmp_get_affinity_mask_proc_(const int* cpu, void** mask)
{
    return kmp_get_affinity_mask_proc(*cpu, mask);
}

// Resets the calling thread's affinity to that of the process at its start.
ARTEL_KMP bool kmp_set_thread_affinity_mask_initial()
{
    if (!on_own_thread()) {
        return false;
    }
    free_initial();
    return true;
}

}  // namespace artel::openmp::kmp
