// The end of a reduction: the compiler can combine by atomics, or into the originals while no other
// member does; we choose. With KMP_DETERMINISTIC_REDUCTION members combine in the order of their
// numbers, so that rounding does not depend on who comes first. A tree of partial results is not
// needed: combining takes less time than handing a result on, unless there are many variables.
#include "kmp.hpp"
#include "ompt/entries/sync.hpp"
#include "regions/league.hpp"
#include "sched/wait_word.hpp"
#include "waiting/lock_word.hpp"

#include <atomic>

namespace artel::openmp::kmp {
namespace {

// How the caller combines, by the interface's numbers.
enum method : std::int32_t { nothing = 0, alone = 1, atomics = 2 };

constexpr std::int32_t most_atomics = 2;

// The method of the calling thread's last reduction, by libomp's numbers. initial-exec: one
// instruction to reach.
enum last_method : int { none = 0, in_turn = 1, by_atomics = 2, by_nobody_else = 4 };
[[gnu::tls_model("initial-exec")]] constinit thread_local last_method last = none;

// Whether others may combine at the same time: members of the team, or, in a reduction of a teams
// construct, the initial threads of other teams.
bool has_company(const member& m) noexcept
{
    return m.in->size > 1 || beside_other_teams(m);
}

bool in_order(const member& m) noexcept
{
    return globals().kmp.deterministic_reduction && m.in->size > 1;
}

// Waits until all members before the caller have combined their parts. Every member meets the
// region's reductions in the same order, unless a construct is cancelled: after that this region
// has no turns (tasking/cancel.cpp), and the lock alone excludes others.
void wait_for_turn(member& m, void* name) noexcept
{
    std::atomic<std::uint32_t>& combined = m.in->worksharing.combined;
    const std::uint32_t turn = (m.position.reductions++ * m.in->size + m.number) *
                               worksharing_state::one_part;
    for (;;) {
        // acquire: pairs with the release in pass_turn.
        const std::uint32_t now = combined.load(std::memory_order_acquire);
        if (now == turn || (now & worksharing_state::out_of_order) != 0) {
            break;
        }
        sched::wait_word(combined, now);
    }
    // A member whose turn it is may still be at work when others stop waiting for theirs.
    if (globals().cancellation) [[unlikely]] {
        lock(lock_at(name));
    }
}

void pass_turn(member& m, void* name) noexcept
{
    if (globals().cancellation) [[unlikely]] {
        unlock(lock_at(name));
    }
    std::atomic<std::uint32_t>& combined = m.in->worksharing.combined;
    // release: what the caller has combined
    combined.fetch_add(worksharing_state::one_part, std::memory_order_release);
    sched::wake_word(combined, m.in->size);
}

// Lets the next member combine, after a reduction by `alone`.
void end_alone(member& m, void* name) noexcept
{
    if (in_order(m)) {
        pass_turn(m, name);
    } else {
        unlock(lock_at(name));
    }
}

method begin(member& m, const ident* place, std::int32_t variables, void* name) noexcept
{
    if (!has_company(m)) {
        last = by_nobody_else;
        return alone;
    }
    if (in_order(m)) [[unlikely]] {
        last = in_turn;
        wait_for_turn(m, name);
        return alone;
    }
    if (place != nullptr && (place->flags & ident::atomic_reduction) != 0 &&
        variables <= most_atomics) {
        last = by_atomics;
        return atomics;
    }
    last = in_turn;
    lock(lock_at(name));
    return alone;
}

}  // namespace

ARTEL_KMP int __kmp_get_reduce_method()
{
    return last;
}

ARTEL_KMP std::int32_t __kmpc_reduce_nowait(const ident* place, std::int32_t,
                                            std::int32_t variables, std::size_t, void*,
                                            void (*)(void*, void*), void* name)
{
    const method chosen = begin(this_member(), place, variables, name);
    ARTEL_OMPT_TELL((chosen == alone ? tell_reduction(who, endpoint::begin) : void(), chosen));
    return chosen;
}

// Only after `alone`.
ARTEL_KMP void __kmpc_end_reduce_nowait(const ident*, std::int32_t, void* name)
{
    if (ompt::attached()) [[unlikely]] {
        ompt::tell_reduction(ARTEL_OMPT_CALLER, ompt::endpoint::end);
    }
    if (member& m = this_member(); has_company(m)) {
        end_alone(m, name);
    }
}

ARTEL_KMP std::int32_t __kmpc_reduce(const ident* place, std::int32_t, std::int32_t variables,
                                     std::size_t, void*, void (*)(void*, void*), void* name)
{
    member& m = this_member();
    const method chosen = begin(m, place, variables, name);
    m.reduces_alone = chosen == alone;
    ARTEL_OMPT_TELL((chosen == alone ? tell_reduction(who, endpoint::begin) : void(), chosen));
    return chosen;
}

// After `alone` and `atomics`; the construct ends with a barrier. With OMP_CANCELLATION it does
// not: members that leave the loop by cancellation do not come here, and clang, which makes these
// calls, puts a barrier for all members after the construct in any case.
ARTEL_KMP void __kmpc_end_reduce(const ident*, std::int32_t, void* name)
{
    member& m = this_member();
    if (ompt::attached() && m.reduces_alone) [[unlikely]] {
        ompt::tell_reduction(ARTEL_OMPT_CALLER, ompt::endpoint::end);
    }
    if (has_company(m)) {
        if (m.reduces_alone) {
            end_alone(m, name);
        }
        // Teams of a league do not wait for each other.
        if (m.in->size > 1 && !globals().cancellation) {
            ARTEL_OMPT_TELL(tell_barrier(who, sync_kind::barrier_implicit_workshare));
            barrier(m);
        }
    }
}

}  // namespace artel::openmp::kmp
