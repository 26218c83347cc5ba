// What the ICVs of a new region's members are, from those of the task that met it: the next entry
// of the lists by level, or else a share of the encountering team's threads.
#include "icv.hpp"

#include "team_sizes.hpp"

#include <algorithm>

namespace artel::openmp {

icv_set icvs_of_region(const icv_set& encountering, unsigned level, unsigned team_size,
                       int bind_policy) noexcept
{
    icv_set icvs = encountering;
    const auto& policies = globals().proc_bind;
    icvs.bind = static_cast<std::uint8_t>(
        policies.size() > 1 && level < policies.size() ? policies[level] : bind_policy);
    if (icvs.sizes != 0) [[unlikely]] {
        if (const unsigned size = size_at(icvs.sizes, level); size != 0) {
            icvs.nthreads = size;
            icvs.nthreads_by_default = false;
        }
    } else if (icvs.nthreads_by_default) {
        icvs.nthreads = std::max(1u, encountering.nthreads / std::max(1u, team_size));
    }
    return icvs;
}

}  // namespace artel::openmp
