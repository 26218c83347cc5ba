// Cancellation takes effect some time after it was requested; results are ordered by the barrier at
// the end of the construct, so all flags are relaxed.
#include "cancel.hpp"
#include "sched/wait_word.hpp"
#include "tasks.hpp"

namespace artel::openmp {
namespace {

// Under KMP_DETERMINISTIC_REDUCTION members combine in the order of their numbers
// (abi/kmp/reduce.cpp). A member that leaves a cancelled construct reaches none of its reductions,
// so the others must not wait for its turn.
void end_turns(team& t) noexcept
{
    if (!globals().kmp.deterministic_reduction) {
        return;
    }
    // relaxed: see the head of this file.
    t.worksharing.combined.fetch_or(worksharing_state::out_of_order, std::memory_order_relaxed);
    sched::wake_word(t.worksharing.combined, sched::wake_all);
}

// Whether the worksharing construct that the member is in was cancelled.
bool construct_cancelled(const member& m) noexcept
{
    const worksharing_state& ws = m.in->worksharing;
    // A loop that was left early, by cancellation, may look as if the member were still inside when
    // it has come to the next one. relaxed (two): see the head of this file.
    return ws.cancelled.load(std::memory_order_relaxed) &&
           (!is_inside(m.position) ||
            ws.cancelled_construct.load(std::memory_order_relaxed) == m.position.met);
}

}  // namespace

bool cancelled(const member& m, cancel_kind which) noexcept
{
    if (!globals().cancellation) {
        return false;
    }
    // relaxed, all: see the head of this file.
    switch (which) {
    case cancel_kind::loop:
    case cancel_kind::sections: return construct_cancelled(m);
    case cancel_kind::taskgroup: {
        const taskgroup* const inner = m.current->group;
        const taskgroup* const group = cancellable_group(*m.current);
        if (group != nullptr && (group->cancelled.load(std::memory_order_relaxed) ||
                                 inner->cancelled.load(std::memory_order_relaxed))) {
            return true;
        }
        break;
    }
    case cancel_kind::region: break;
    }
    // Cancelling the region cancels its explicit tasks too.
    return m.in->cancelled.load(std::memory_order_relaxed);
}

bool cancel(member& m, cancel_kind which) noexcept
{
    if (!globals().cancellation) {
        return false;
    }
    // relaxed, all: see the head of this file.
    switch (which) {
    case cancel_kind::loop:
    case cancel_kind::sections:
        if (is_inside(m.position)) {
            m.in->worksharing.cancelled_construct.store(m.position.met, std::memory_order_relaxed);
        }
        m.in->worksharing.cancelled.store(true, std::memory_order_relaxed);
        end_turns(*m.in);
        break;
    case cancel_kind::taskgroup:
        if (taskgroup* const group = cancellable_group(*m.current); group != nullptr) {
            group->cancelled.store(true, std::memory_order_relaxed);
        }
        break;
    case cancel_kind::region:
        m.in->worksharing.ragged.store(true, std::memory_order_relaxed);
        cancel_region(*m.in);
        end_turns(*m.in);
        break;
    }
    return true;
}

}  // namespace artel::openmp
