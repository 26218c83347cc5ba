// Execution streams: creation, start, join and end, their ranks, and requests to them. What runs on
// them is in main_scheduler.cpp.
#include "xstream.hpp"

#include "base/cpu.hpp"
#include "leaving.hpp"
#include "main_scheduler.hpp"
#include "runtime.hpp"
#include "sched/worker.hpp"
#include "stack.hpp"
#include "successor.hpp"

#include <cstdlib>
#include <mutex>
#include <utility>

namespace artel::argobots {
namespace {

// A free rank: the wanted one, or the lowest. Under the runtime's lock.
bool choose_rank(const runtime& r, int& wanted) noexcept
{
    for (int i = wanted < 0 ? 0 : wanted;; ++i) {
        bool taken = false;
        for (const xstream* x = r.streams; x != nullptr; x = x->next) {
            taken = taken || x->rank.load(std::memory_order_relaxed) == i;  // relaxed: see rank
        }
        if (!taken) {
            wanted = i;
            return true;
        }
        if (wanted >= 0) {
            return false;
        }
    }
}

}  // namespace

xstream* this_xstream() noexcept
{
    const sched::worker* const w = sched::this_worker();
    if (w == nullptr || w->current->unit == nullptr || w->current->unit->rules != &the_rules) {
        return nullptr;
    }
    return static_cast<xstream*>(w->current->stream);
}

xstream* make_xstream(scheduler& main, int rank, bool primary, int& error) noexcept
{
    runtime& r = *current();
    auto* const x = make<xstream>();
    if (x != nullptr) {
        x->primary = primary;
    }
    if (x == nullptr || !prepare_unit(main, nullptr) || !watch_pools(*x, main)) {
        if (x != nullptr) {
            drop(x);
        }
        error = ABT_ERR_MEM;
        return nullptr;
    }
    x->rules = &the_rules;
    {
        const std::scoped_lock hold(r.lock);
        if (choose_rank(r, rank)) {
            x->rank.store(rank, std::memory_order_relaxed);  // relaxed: see rank
            x->next = r.streams;
            r.streams = x;
            r.stream_count.fetch_add(1, std::memory_order_relaxed);  // relaxed: a number to report
            x->main = &main;
        }
    }
    if (x->main == nullptr) {
        leave_pools(*x, main);
        drop(x);
        error = ABT_ERR_INV_XSTREAM_RANK;
        return nullptr;
    }
    x->number = static_cast<unsigned>(rank);
    main.main_of = x;
    error = ABT_SUCCESS;
    return x;
}

bool start(xstream& x) noexcept
{
    x.root = make_root_context(run_root);
    if (x.root == nullptr) {
        return false;
    }
    x.root->unit = x.main->unit;
    x.root->stream = &x;
    x.main->unit->main_scheduler = true;
    x.main->requests.store(0, std::memory_order_relaxed);  // relaxed: nobody else uses it now
    x.resumed = x.root;
    // relaxed (two): activate() publishes it.
    x.running.store(true, std::memory_order_relaxed);
    x.joiner.store(nullptr, std::memory_order_relaxed);
    x.requests.store(0, std::memory_order_relaxed);  // relaxed: as above
    if (!x.primary) {
        sched::activate(x);
    }
    return true;
}

void join(xstream& x) noexcept
{
    thread* const me = self_ult();
    if (me != nullptr) {
        // It counts in a pool of the stream that it runs on, which does not end before it goes on.
        // If only the stream that it joins has its pool, that one must not wait for it.
        const scheduler* const mine = me->caller != nullptr ? unit_on(*me->caller).schedules
                                                            : nullptr;
        me->uncounted = mine == nullptr || !mine->has_pool(*me->in);
    }
    ask(x, scheduler_request::finish);
    join(x.joiner);
    if (me != nullptr) {
        me->uncounted = false;
    }
}

void free_xstream(xstream& x) noexcept
{
    runtime& r = *current();
    {
        const std::scoped_lock hold(r.lock);
        for (xstream** at = &r.streams; *at != nullptr; at = &(*at)->next) {
            if (*at == &x) {
                *at = x.next;
                break;
            }
        }
    }
    r.stream_count.fetch_sub(1, std::memory_order_relaxed);  // relaxed: a number to report
    leave_pools(x, *x.main);
    release(*x.main);
    while (x.spare_threads != nullptr) {
        thread* const t = x.spare_threads;
        x.spare_threads = static_cast<thread*>(t->older);
        std::free(t);
    }
    drop(&x);
}

bool change_rank(xstream& x, int rank) noexcept
{
    runtime& r = *current();
    const std::scoped_lock hold(r.lock);
    if (x.rank.load(std::memory_order_relaxed) != rank) {  // relaxed: see rank
        if (!choose_rank(r, rank)) {
            return false;
        }
        x.rank.store(rank, std::memory_order_relaxed);  // relaxed: see rank
    }
    return true;
}

void poke(xstream& x) noexcept
{
    // release: publishes the request to check_events() and sleep().
    x.asked.store(true, std::memory_order_release);
    // store-buffering pair with the fence in sleep_word::announce().
    base::full_fence();
    if (x.sleep.poke()) {
        sched::activate(x);
    }
}

}  // namespace artel::argobots
