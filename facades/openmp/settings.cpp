#include "settings.hpp"

namespace artel::openmp {

settings& device_settings() noexcept
{
    // Never destroyed: members may ask until the process is gone.
    static settings& the = *[] {
        auto* const s = new settings;
        const global_icvs& g = globals();
        // relaxed, both: the initialisation of the static publishes them.
        s->num_teams.store(g.num_teams, std::memory_order_relaxed);
        s->teams_thread_limit.store(g.teams_thread_limit, std::memory_order_relaxed);
        s->affinity_format = g.affinity_format;
        return s;
    }();
    return the;
}

}  // namespace artel::openmp
