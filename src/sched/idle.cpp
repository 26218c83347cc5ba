// The life of an idle worker: it searches, announces itself (idle flag, free_.idle), makes a full
// fence, looks everywhere once more, spins a while, and sleeps. steal.cpp takes work for it,
// wake.cpp wakes it; the protocol and its proof sketch are in PROTOCOLS.md.
#include "sched/crew.hpp"
#include "sched/loop.hpp"
#include "sched/program_regions.hpp"
#include "sched/spin.hpp"

#include <algorithm>
#include <utility>

namespace artel::sched {
namespace {

// How long a searcher leaves other workers' *ready fibers* alone: their own worker usually takes
// them within this time, and moving them costs their cached data. In fruitless rounds over all
// workers (about 0.1 us each on two workers).
constexpr unsigned rounds_without_fibers = base::modelled ? 1 : 24;

// A round of stealing over an empty crew takes longer the more workers there are; the total bus
// traffic should not grow.
constexpr unsigned relaxations_between_rounds = base::modelled ? 1 : 4;

// Some microseconds.
constexpr unsigned relaxations_after_disturbance = base::modelled ? 1 : 100;

// About two microseconds: more than consecutive loops leave between them.
constexpr unsigned relaxations_after_offer = base::modelled ? 1 : 80;

// In microseconds: short beside a time slice, and long beside the cost of a sleep.
constexpr std::uint64_t nap = 50;

}  // namespace

// Takes the worker out of the idle set by itself. False when a notify was faster: that made the
// worker a searcher.
bool crew_wakeup::leave_idle(worker& w) noexcept
{
    // acq_rel: competes with notify()'s exchange on the same word.
    if (!w.idle.exchange(false, std::memory_order_acq_rel)) {
        return false;
    }
    // seq_cst: see rouse_monitor; otherwise only a count, as the flags decide.
    free_.idle.fetch_sub(1, std::memory_order_seq_cst);
    return true;
}

bool crew_workers::ends_now(worker& w) noexcept
{
    if (!w.to_end.load(std::memory_order_relaxed)) {  // relaxed: see to_end
        return false;
    }
    // relaxed (three): see to_end; ordered by the fence.
    w.to_end.store(false, std::memory_order_relaxed);
    w.vacant.store(true, std::memory_order_relaxed);
    // pairs with the fence in post(): we see the post, or it sees that we end.
    base::full_fence();
    if (w.has_work()) {
        w.vacant.store(false, std::memory_order_relaxed);
        return false;
    }
    return true;
}

base::work* crew_wakeup::idle(worker& w) noexcept
{
    const bool comes_back = w.away;
    if (!comes_back) [[likely]] {
        w.offers.open();
    }
    if (std::exchange(w.took_offer, false)) {
        // Loops come in sequences. Each look at others' lines would keep us from seeing the next
        // offer for as long as a line takes to move.
        for (unsigned i = 0; i < relaxations_after_offer && !w.offers.waits() && !w.has_work();
             ++i) {
            base::cpu_relax();
        }
    }
    base::work* const found = w.offers.waits() && !comes_back ? nullptr : look_for_work(w);
    if (w.away) [[unlikely]] {
        return nullptr;  // with an open line: an offer brings it back
    }
    while (!w.offers.close()) {
        base::work* const offered = w.offers.take();
        if (offered == nullptr) {
            continue;  // withdrawn; the line is open again
        }
        // An offer goes first: its maker expects it to begin now.
        if (found != nullptr && !w.ready.push(found)) {
            w.mail.post(*found);
        }
        if (std::exchange(w.owes_look, false) || found != nullptr || w.has_work()) {
            notify(&w);  // another worker must take what we leave
        }
        w.took_offer = true;
        w.slept = false;
        return offered;
    }
    w.slept = w.slept && found == nullptr && !w.has_work();
    return found;
}

base::work* crew_wakeup::look_for_work(worker& w) noexcept
{
    if (std::exchange(w.away, false)) [[unlikely]] {
        return stop_idling(w, false);
    }
    // The search and the last look below do what it owes, if they are whole.
    const bool owed = std::exchange(w.owes_look, false);
    if (is_beside_others(w)) {
        stand_aside(w, owed, spin_cycles_);
        return nullptr;
    }
    // A worker that may not carry fibers, keeps to its own, or should leave tasks alone, searches
    // without being counted, because others rely on a counted searcher for everything
    // (PROTOCOLS.md, lemma 2).
    const bool surplus = is_surplus(w);
    const bool uncounted = surplus || !may_carry(w) || keeps_to_its_own(w);
    const bool searching = !uncounted && begin_search();
    if (owed && uncounted) {
        notify(&w);
    }
    if (searching || uncounted) {
        const std::uint64_t began = base::cycles();
        // With more workers than CPUs and other programs beside them, every look takes time from a
        // thread with work.
        const std::uint64_t usual = (oversubscribed() && yields_.too_high(began)
                                         ? 0
                                         : std::min<std::uint64_t>(spin_cycles_, 20000)) +
                                    2000;
        const auto finish_with = [&](base::work* item) {
            if (searching) {
                end_search(w);
            }
            return item;
        };
        unsigned disturbed = 0;  // consecutive rounds
        for (unsigned round = 0;; ++round) {
            w.disturbs = false;
            if (!surplus && is_surplus(w)) {  // a guest has come: its tasks are its own
                return finish_with(nullptr);
            }
            if (base::work* const item = steal(w, round >= rounds_without_fibers, !surplus);
                item != nullptr) {
                return finish_with(item);
            }
            if (w.has_work() || w.offers.waits()) {
                return finish_with(nullptr);
            }
            // If we disturb an owner at work, which has to fetch again the lines that we look at,
            // we look less often but for longer: it would have to wake us if we went to rest.
            if (round >= rounds_without_fibers &&
                base::cycles() - began >= (w.disturbs ? std::max(usual, spin_cycles_) : usual)) {
                break;
            }
            disturbed = w.disturbs ? disturbed + 1 : 0;
            const unsigned pause = disturbed < 8 ? std::min(relaxations_between_rounds << disturbed,
                                                            relaxations_after_disturbance)
                                                 : relaxations_after_disturbance;
            for (unsigned i = 0; i < pause && !w.offers.waits() && (!w.disturbs || !w.has_work());
                 ++i) {
                base::cpu_relax();
            }
        }
    }
    if (w.kind == role::reserve) {
        if (searching) {
            end_search(w);  // a reserve takes no last look, so others must
        }
        rest(w);
        return nullptr;
    }

    // Announce. Order: into the idle set, out of the searchers, fence, last look.
    // seq_cst: pairs with the load in notify() (PROTOCOLS.md, lemma 1).
    free_.idle.fetch_add(1, std::memory_order_seq_cst);
    w.idle.store(true, std::memory_order_seq_cst);  // seq_cst: as above
    if (searching) {
        // seq_cst: pairs with the load in notify().
        free_.searching.fetch_sub(1, std::memory_order_seq_cst);
    }
    // pairs with the fence in notify(): they see us announced or we see their work.
    base::full_fence();
    // The kernel may have moved us to the CPU of a thread that then waited for us; that work is
    // done.
    if (note_cpu(w)) {
        leave_cpu_if_shared(w);
    }
    spin wait(w, spin_cycles_);
    // Others relied on us as a searcher, so we look for fibers even if we may no longer carry them.
    // Tasks are left to the active threads if these are enough, as pushers count them. (relaxed:
    // ordered by the fence.) The mark is set once more: pushes during our search relied on us, and
    // a guest that has ended since may have cleared our mark.
    const int enough = static_cast<int>(width_);
    const bool leave_tasks = surplus && active() >= enough && still_active_after_mark(enough);
    bool stop = w.has_work() || anything_visible(searching || may_carry(w), !leave_tasks);
    // A thread that saw us search relied on us for all that it had pushed, and the look has found
    // that (PROTOCOLS.md, lemma 2): we continue as a searcher, so that the duty is passed on when
    // we take the first of it.
    const bool owing = (searching || (owed && !uncounted)) && stop;
    while (!stop) {
        // relaxed: looks; leave_idle orders.
        stop = w.offers.waits() || w.has_work() || w.bed.try_consume() ||
               !w.idle.load(std::memory_order_relaxed);
        const spin::advice advice = stop ? spin::advice::again : wait.pause();
        if (advice == spin::advice::again) {
            continue;
        }
        stop = true;
        if (!w.bed.prepare()) {
            continue;
        }
        // acquire: as for a token: the thread that took us out of the idle set published its work
        // first.
        if (w.has_work() || w.offers.waits() || !w.idle.load(std::memory_order_acquire)) {
            w.bed.cancel();
        } else if (advice == spin::advice::nap) {
            w.naps.add();
            stop = w.bed.commit_for(nap);
            wait.look_soon();
        } else {
            w.sleeps.add();
            if (w.slept) {
                w.vain_wakeups.add();
            }
            if (!w.bed.commit() && may_leave(w)) [[unlikely]] {
                w.away = true;
                return nullptr;
            }
            w.slept = true;
            leave_cpu_if_shared(w);
        }
    }
    return stop_idling(w, owing);
}

// The worker, which was announced, has been woken or has seen something. `owing`: it has the duty
// to search.
base::work* crew_wakeup::stop_idling(worker& w, bool owing) noexcept
{
    const bool by_itself = leave_idle(w);
    rouse_monitor();
    if (by_itself) {
        if (!owing) {
            return w.offers.waits() || w.has_work() ? nullptr : steal(w, true, !is_surplus(w));
        }
        free_.searching.fetch_add(1, std::memory_order_seq_cst);  // seq_cst: as in begin_search
    }
    // A searcher again, by notify() or because of `owing`. A guest may have come since notify()
    // counted.
    const bool all = !is_surplus(w) && may_carry(w) && !is_beside_others(w);
    base::work* const item = steal(w, true, all);
    if (item != nullptr || w.has_work() || !all) {
        end_search(w);  // we have something else to do, or have not looked at everything
    } else {
        // seq_cst: as in end_search. The duty need not be passed on yet: the worker looks again
        // before it sleeps, or tells others when it runs something instead (pay_look).
        free_.searching.fetch_sub(1, std::memory_order_seq_cst);
        w.owes_look = true;
    }
    return item;
}

}  // namespace artel::sched
