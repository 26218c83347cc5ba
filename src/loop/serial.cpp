// Some of these loops are timed, at random, so that one that turns out long is opened to others,
// and the many short ones do not pay for the clock.
#include "loop/serial.hpp"

#include "base/cpu.hpp"
#include "loop/small_loop.hpp"
#include "sched/guest_scope.hpp"

#include <algorithm>
#include <artel/detail/short_loop.hpp>

namespace artel::loop {
namespace {

// Cycles after which a loop in a busy crew checks whether a worker is free.
constexpr std::uint64_t between_looks = 20000;

// A shorter loop is not worth more than one check.
constexpr std::uint64_t one_look = 2000;

// For such short loops the clock would be most of the cost: one in this many is timed, at random,
// so that no rhythm of the program keeps a call site from being timed.
constexpr std::uint64_t timed_among = 64;

// The same when not all workers are busy, but the CPUs are. There a loop that turns out long must
// be opened to others soon, because the threads on the CPUs may be blocked: more loops are timed,
// and the untimed ones are shorter.
constexpr std::uint64_t timed_among_some = 16;
constexpr std::uint64_t too_short_to_time = 500;

// After about this many loops a call site whose loops were long now and then counts as short again:
// it may only have been interrupted.
constexpr std::uint64_t forgotten_among = 32768;

// Cycles for which a loop is kept from workers that are idle because all CPUs are busy: about the
// time in which the kernel gives one of them a CPU. After that they are welcome all the same,
// because the busy threads may be blocked.
constexpr std::uint64_t worth_a_wakeup = 200000;

// Loops with more iterations are not run this way: the number must fit into that of a piece,
// doubled.
constexpr std::uint64_t most_alone = std::uint64_t{1} << 32;

// Runs a loop alone, in a crew without free workers, until it is done or a worker becomes free;
// only if the cost of iterations is known. Returns the beginning of what is left.
//
// Pieces grow: none is longer than an eighth of the loop (or of the longest piece) or twice what
// has been run before it; for a loop that is expected to be very short, a fourth (a small part if
// some turned out long) and three times. So a worker that becomes free waits in proportion to what
// the loop has taken already.
//
// The first piece is always timed, and so are all of a very short loop, in case the estimate was
// too low. From then on, and if the loop is expected to be long from the start, every piece is
// timed, and sets the size of the next; an estimate that was too high is outgrown fourfold with
// each piece, and corrected at the end. All pieces are also timed while workers are free, since the
// time then ends this.
std::int64_t run_while_all_are_busy(std::int64_t begin, std::int64_t end, std::int64_t grain,
                                    range_body body, void* context, site& memory)
{
    const sched::crew& crew = sched::crew::get();
    const std::uint64_t iterations = iterations_between(begin, end);
    if (iterations >= most_alone) {
        return begin;
    }
    estimate& average = memory.average;
    if (average.cost() == 0) {
        return begin;
    }
    const auto all = static_cast<std::int64_t>(iterations);
    const std::int64_t least = std::max<std::int64_t>(grain, 1);
    bool timed = !average.expects_less(iterations, between_looks) || !crew.all_busy();
    std::int64_t most = timed ? std::max<std::int64_t>(average.worth(between_looks), least) : all;
    const bool very_short = average.expects_less(iterations, one_look);
    const std::int64_t first = std::max(std::min(most, all) / (!very_short       ? 8
                                                               : memory.varies() ? 32
                                                                                 : 4),
                                        least);
    const std::int64_t growth = very_short ? 3 : 2;
    std::uint64_t spent = 0;     // in timed pieces
    std::uint64_t measured = 0;  // iterations of these
    for (std::int64_t done = 0;;) {
        const std::int64_t piece = std::min({all - done, most, std::max(first, growth * done)});
        const bool clocked = timed || very_short || done == 0;
        const std::uint64_t start = clocked ? base::cycles() : 0;
        body(context, begin + done, begin + done + piece, 0);
        if (clocked) {
            std::uint64_t took = base::cycles() - start;
            took -= std::min(took, base::cycles_of_clock());
            spent += took;
            measured += static_cast<std::uint64_t>(piece);
            if (took > between_looks / 8) {
                average.learn(took, static_cast<std::uint64_t>(piece), timed ? 4 : ~0u);
                timed = true;
            }
            if (timed) {
                most = std::max(least,
                                took < between_looks / 4
                                    ? std::max(most, 4 * piece)
                                    : static_cast<std::int64_t>(static_cast<std::uint64_t>(piece) *
                                                                between_looks / took));
            }
        }
        done += piece;
        if (done == all || !(crew.all_busy() || (spent < worth_a_wakeup && crew.cpus_busy()))) {
            average.learn_roughly(spent, measured);
            if (very_short && spent > worth_a_wakeup) {
                memory.note_varying(true);
            }
            return begin + done;
        }
    }
}

}  // namespace

void run_serially(const request& r)
{
    auto step = static_cast<std::uint64_t>(std::max<std::int64_t>(r.grain, 1));
    if (r.how->whole_when_alone) {
        // One call; where a stop may be requested, 64 of them.
        const std::uint64_t all = iterations_of(r);
        step = r.stop.stop_possible() ? std::max(step, all / 64) : all;
    }
    for (std::int64_t at = r.begin; at < r.end && !r.stop.stop_requested();) {
        const std::uint64_t left = iterations_between(at, r.end);
        const std::int64_t end = left > step ? static_cast<std::int64_t>(
                                                   static_cast<std::uint64_t>(at) + step)
                                             : r.end;
        r.body(r.context, at, end, 0);
        at = end;
    }
}

// The last eighth comes first: in shared loops it is another worker's. If its data lie in that
// worker's cache they should stay there, and the time of this piece shows it at once.
std::int64_t run_while_short(const request& r, site& memory, std::uint64_t limit)
{
    const std::uint64_t start = base::cycles();
    const auto iterations = static_cast<std::int64_t>(iterations_of(r));  // few
    std::int64_t left = r.end -
                        std::min(iterations, std::max<std::int64_t>({iterations / 8, r.grain, 1}));
    r.body(r.context, left, r.end, 0);
    std::uint64_t took = base::cycles() - start;
    // The last eighth may take an eighth of the limit, doubled because costs are not proportional.
    if (took <= limit / 4 && left != r.begin) {
        r.body(r.context, r.begin, left, 0);
        left = r.begin;
        took = base::cycles() - start;
    }
    memory.average.learn(took, static_cast<std::uint64_t>(iterations - (left - r.begin)), ~0u);
    return left;
}

const artel::detail::free_workers* short_loop(site_key from, std::uint64_t iterations) noexcept
{
    sched::worker* const here = sched::this_worker();
    if (here == nullptr || any_chosen()) {
        return nullptr;
    }
    const sched::crew& crew = here->own_crew;
    const site& memory = site::of(from);
    if (iterations <= crew.width() || memory.was_shared() || memory.varies() ||
        !memory.average.expects_less(iterations, one_look) || !crew.all_busy() ||
        here->next_random() % timed_among == 0) {
        return nullptr;
    }
    return &crew.free();
}

std::int64_t run_unshared(std::int64_t begin, std::int64_t end, std::int64_t grain, range_body body,
                          void* context, site_key from)
{
    if (any_chosen()) {
        return begin;
    }
    // A worker that has just become free is not seen at once: if one came last time, one will now.
    // This is checked first, because the counters of busy workers are in cache lines that all
    // workers write.
    site& memory = site::of(from);
    const sched::crew& crew = sched::crew::get();
    if (memory.was_shared() || !crew.nobody_to_spare()) {
        return begin;
    }
    sched::worker* const here = sched::this_worker();
    const std::uint64_t iterations = iterations_between(begin, end);
    if (iterations <= crew.width()) {
        // Not for external threads outside of every scope: they are not counted yet, and others may
        // be needed.
        if (grain <= 1 && here != nullptr && !sched::outside_scope(*here) &&
            here->current->width == nullptr && crew.tasks_are_wanted()) {
            run_small_loop(*here, begin, end, body, context, memory);
            return end;
        }
        return begin;
    }
    if (here != nullptr && memory.average.expects_less(iterations, one_look)) {
        const std::uint64_t chance = here->next_random();
        // When all are busy short_loop() has already made the random choice.
        if (!memory.varies() && !crew.all_busy() &&
            memory.average.expects_less(iterations, too_short_to_time) &&
            chance % timed_among_some != 0) {
            const auto run = [&](std::int64_t first, std::int64_t last) {
                body(context, begin + first, begin + last, 0);
            };
            const auto count = static_cast<std::int64_t>(iterations);  // few
            return begin + artel::detail::run_in_fourths(count, std::max<std::int64_t>(grain, 1),
                                                         run,
                                                         [&] { return crew.nobody_to_spare(); });
        }
        if (memory.varies() && chance % forgotten_among == 0) {
            memory.note_varying(false);
        }
    }
    return run_while_all_are_busy(begin, end, grain, body, context, memory);
}

}  // namespace artel::loop
