// One persona beside each worker, which keeps the last one that ended there. Without it, workers
// that are all busy with nested regions of their own would contend for the pool's lock in each of
// them: half of the cost of an inner region in a busy crew.
#pragma once

#include "base/cpu.hpp"
#include "base/work.hpp"
#include "sched/crew.hpp"

#include <array>
#include <atomic>
#include <utility>

namespace artel::foreign {

class persona_cache {
public:
    // The persona kept beside the worker of that index, or nullptr. Any thread.
    base::work* take(unsigned worker) noexcept
    {
        std::atomic<base::work*>& at = kept_[worker].persona;
        // relaxed: saves the exchange. acquire: pairs with keep(): the persona's context.
        return at.load(std::memory_order_relaxed) != nullptr
                   ? at.exchange(nullptr, std::memory_order_acquire)
                   : nullptr;
    }

    // False if one is kept there already. Afterwards other threads may take the persona. Any
    // thread.
    bool keep(unsigned worker, base::work& persona) noexcept
    {
        base::work* none = nullptr;
        // release: pairs with take(). relaxed: nothing was taken.
        return kept_[worker].persona.compare_exchange_strong(
            none, &persona, std::memory_order_release, std::memory_order_relaxed);
    }

    // All kept personas, linked by `next`. Any thread.
    base::work* take_all() noexcept
    {
        base::work* all = nullptr;
        for (unsigned i = 0; i < sched::max_workers; ++i) {
            if (base::work* const persona = take(i); persona != nullptr) {
                persona->next = all;
                all = persona;
            }
        }
        return all;
    }

    // In the child of a fork, whose only thread is the caller: those personas do not exist.
    void forget() noexcept
    {
        for (place& p : kept_) {
            // relaxed, both: there are no other threads. Read before writing: most pages were never
            // touched.
            if (p.persona.load(std::memory_order_relaxed) != nullptr) {
                p.persona.store(nullptr, std::memory_order_relaxed);
            }
        }
    }

private:
    struct alignas(base::cache_line) place {
        std::atomic<base::work*> persona{nullptr};
    };
    std::array<place, sched::max_workers> kept_{};
};

}  // namespace artel::foreign
