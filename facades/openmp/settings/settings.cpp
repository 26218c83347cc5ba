// Made at first use from the environment's values, published once without a lock, and kept for
// ever.
#include "settings.hpp"

#include "linking/dialect.hpp"

#include "base/publish.hpp"

#include <atomic>
#include <memory>
#include <utility>

namespace artel::openmp {

foreign::fork_safe_lock settings::format_lock;

settings& device_settings() noexcept
{
    static constinit std::atomic<const settings*> the{nullptr};
    // Published as const; the members that change are atomic or guarded.
    return const_cast<settings&>(base::publish_once(the, [] {
        auto s = std::make_unique<settings>();
        const global_icvs& g = globals();
        // relaxed, all: publish_once publishes them.
        s->num_teams.store(g.num_teams, std::memory_order_relaxed);
        s->teams_thread_limit.store(g.teams_thread_limit, std::memory_order_relaxed);
        s->offload.store(g.offload, std::memory_order_relaxed);
        s->affinity_format = g.affinity_format.empty() ? programs_dialect().affinity_format
                                                       : g.affinity_format;
        return std::unique_ptr<const settings>(std::move(s));
    }));
}

}  // namespace artel::openmp
