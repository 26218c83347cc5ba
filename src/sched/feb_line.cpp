// The line of waiters of a full/empty word; the header has the rules.
#include <artel/detail/feb_line.hpp>

#include "base/cpu.hpp"
#include "base/os/yield.hpp"
#include "sched/stream.hpp"
#include "sched/worker.hpp"

namespace artel::detail {
namespace {

// Takes the first waiter with that wish out of the line; nullptr when there is none.
feb_waiter* take_first(feb_line& line, feb_wish wish) noexcept
{
    feb_waiter* before = nullptr;
    for (feb_waiter* w = line.first; w != nullptr; before = w, w = w->next) {
        if (w->wish == wish) {
            (before != nullptr ? before->next : line.first) = w->next;
            if (line.last == w) {
                line.last = before;
            }
            return w;
        }
    }
    return nullptr;
}

void serve(feb_waiter& w, feb_line& served) noexcept
{
    w.transfer(w);
    served.append(w);
}

// Serves all that leave a full word full. One pass, so that the cost is linear in the length of the
// line.
void serve_all_that_leave_it_full(feb_line& line, feb_line& served) noexcept
{
    feb_line kept;
    for (feb_waiter* w = line.first; w != nullptr;) {
        feb_waiter* const next = w->next;
        if (w->wish == feb_wish::leave_full) {
            serve(*w, served);
        } else {
            kept.append(*w);
        }
        w = next;
    }
    line = kept;
}

}  // namespace

bool feb_serve(feb_line& line, bool full, feb_line& served) noexcept
{
    while (!line.empty()) {
        if (full) {
            serve_all_that_leave_it_full(line, served);
        }
        feb_waiter* const w = take_first(line, full ? feb_wish::take : feb_wish::put);
        if (w == nullptr) {
            break;
        }
        serve(*w, served);
        full = !full;
    }
    return full;
}

void feb_release(feb_line& served) noexcept
{
    for (feb_waiter* w = served.first; w != nullptr;) {
        feb_waiter* const next = w->next;  // before the waiter can return: it lies on its stack
        w->done.set();
        w = next;
    }
    served = {};
}

void feb_wait(feb_waiter& w) noexcept
{
    w.done.wait_without_spinning();
}

std::uint64_t feb_caller() noexcept
{
    const sched::worker* const w = sched::this_worker();
    if (w == nullptr) {
        return 0;
    }
    return w->current->unit != nullptr ? w->current->unit->id : w->current->id;
}

void feb_spin(unsigned& round) noexcept
{
    if (++round % 64 != 0) {
        base::cpu_relax();
    } else {
        base::os::yield();
    }
}

}  // namespace artel::detail
