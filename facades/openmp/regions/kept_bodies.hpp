// One body beside each worker, which keeps the last one that came to its end there. Workers that
// are all busy with nested regions of their own would else meet at the pool's lock for each of
// them: half of what an inner region of a busy crew cost.
#pragma once

#include "base/cpu.hpp"
#include "base/work.hpp"
#include "sched/crew.hpp"

#include <array>
#include <atomic>
#include <utility>

namespace artel::openmp {

class kept_bodies {
public:
    // The body kept beside the worker of that index, or nullptr. Any thread.
    base::work* take(unsigned worker) noexcept
    {
        std::atomic<base::work*>& at = kept_[worker].body;
        // relaxed: a look that saves the exchange. acquire: pairs with keep(): the body's context.
        return at.load(std::memory_order_relaxed) != nullptr
                   ? at.exchange(nullptr, std::memory_order_acquire)
                   : nullptr;
    }

    // False when one is kept there already. Afterwards others may have the body. Any thread.
    bool keep(unsigned worker, base::work& body) noexcept
    {
        base::work* none = nullptr;
        // release: pairs with take(). relaxed: nothing was taken.
        return kept_[worker].body.compare_exchange_strong(none, &body, std::memory_order_release,
                                                          std::memory_order_relaxed);
    }

    // All that are kept, linked by `next`. Any thread.
    base::work* take_all() noexcept
    {
        base::work* all = nullptr;
        for (unsigned i = 0; i < sched::max_workers; ++i) {
            if (base::work* const body = take(i); body != nullptr) {
                body->next = all;
                all = body;
            }
        }
        return all;
    }

    // In the child of a fork, whose only thread is the caller: those bodies are gone.
    void forget() noexcept
    {
        for (place& p : kept_) {
            // relaxed, both: nobody else is here. Looked at first: most pages were never touched.
            if (p.body.load(std::memory_order_relaxed) != nullptr) {
                p.body.store(nullptr, std::memory_order_relaxed);
            }
        }
    }

private:
    struct alignas(base::cache_line) place {
        std::atomic<base::work*> body{nullptr};
    };
    std::array<place, sched::max_workers> kept_{};
};

}  // namespace artel::openmp
