// Affinity masks of the kmp_ interface. Members run on changing workers, so binding one to CPUs has
// no meaning: setting fails (-1, as in libomp where the system cannot) except on threads that stay
// on their own OS thread: those that start regions.
#include "kmp.hpp"
#include "regions/binding.hpp"

#include <cerrno>
#include <new>
#include <sched.h>

namespace artel::openmp::kmp {
namespace {

cpu_set_t* mask_of(void** mask) noexcept
{
    return mask != nullptr ? static_cast<cpu_set_t*>(*mask) : nullptr;
}

bool valid(int cpu) noexcept
{
    return cpu >= 0 && cpu < CPU_SETSIZE;
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
    return set != nullptr && on_own_thread() && ::sched_setaffinity(0, sizeof *set, set) == 0 ? 0
                                                                                              : -1;
}

ARTEL_KMP int kmp_get_affinity(void** mask)
{
    cpu_set_t* const set = mask_of(mask);
    return set != nullptr && ::sched_getaffinity(0, sizeof *set, set) == 0 ? 0 : -1;
}

ARTEL_KMP int kmp_get_affinity_max_proc()
{
    return CPU_SETSIZE;
}

// 0 done, -1 no mask, -2 no such CPU.
ARTEL_KMP int kmp_set_affinity_mask_proc(int cpu, void** mask)
{
    if (mask_of(mask) == nullptr) {
        return -1;
    }
    if (!valid(cpu)) {
        return -2;
    }
    CPU_SET(cpu, mask_of(mask));
    return 0;
}

ARTEL_KMP int kmp_unset_affinity_mask_proc(int cpu, void** mask)
{
    if (mask_of(mask) == nullptr) {
        return -1;
    }
    if (!valid(cpu)) {
        return -2;
    }
    CPU_CLR(cpu, mask_of(mask));
    return 0;
}

ARTEL_KMP int kmp_get_affinity_mask_proc(int cpu, void** mask)
{
    if (mask_of(mask) == nullptr) {
        return -1;
    }
    return valid(cpu) ? CPU_ISSET(cpu, mask_of(mask)) != 0 : -2;
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
