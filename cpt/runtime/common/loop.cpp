// Worksharing loops. Static pieces are computed; others are taken from a counter of the construct.
#include "interface.hpp"
#include "team.hpp"
#include "wait.hpp"

#include <algorithm>

namespace cp {

namespace {

enum { runtime = 0, fixed = 1, dynamic = 2, guided = 3, automatic = 4, ordered = 512 };

void part(__cp_ull n, __cp_ull index, __cp_ull all, __cp_ull* lo, __cp_ull* hi)
{
    const __cp_ull share = n / all, more = n % all;
    *lo = index * share + std::min(index, more);
    *hi = *lo + share + (index < more ? 1 : 0);
}

bool next_static(thread& me)
{
    loop_part& l = me.loop;
    if (l.chunk == 0) {
        if (l.piece++ != 0) {
            return false;
        }
        part(l.n, me.number, me.group->n, &l.lo, &l.hi);
        return l.lo < l.hi;
    }
    __cp_ull lo = 0;
    if (__builtin_mul_overflow(l.piece++ * me.group->n + me.number, l.chunk, &lo) || lo >= l.n) {
        return false;
    }
    l.lo = lo;
    l.hi = l.chunk < l.n - l.lo ? l.lo + l.chunk : l.n;
    return true;
}

// relaxed, all: a counter of iterations only; the end of the construct publishes what they compute.
bool next_dynamic(thread& me)
{
    loop_part& l = me.loop;
    std::atomic<unsigned long long>& at = me.at->at;
    unsigned long long lo = at.load(std::memory_order_relaxed), hi = 0;
    do {
        if (lo >= l.n) {
            return false;
        }
        __cp_ull piece = l.chunk;
        if (l.schedule == guided) {
            const __cp_ull left = l.n - lo;
            piece = std::max(piece, left / me.group->n + (left % me.group->n != 0 ? 1 : 0));
        }
        hi = piece < l.n - lo ? lo + piece : l.n;
    } while (!at.compare_exchange_weak(lo, hi, std::memory_order_relaxed));
    l.lo = lo;
    l.hi = hi;
    return true;
}

bool next_piece(thread& me)
{
    loop_part& l = me.loop;
    if (l.done || me.at->cancelled.load(std::memory_order_relaxed)) {  // relaxed: soon is enough
        return false;
    }
    l.done = !(l.schedule == fixed ? next_static(me) : next_dynamic(me));
    return !l.done;
}

void begin(thread& me, __cp_ull n, int schedule, __cp_ull chunk)
{
    loop_part& l = me.loop;
    l = loop_part{};
    l.n = n;
    l.schedule = schedule & 7;
    l.chunk = chunk;
    if (l.schedule == runtime) {
        const icvs& c = me.now->settings;
        const int kind = c.schedule & static_cast<int>(~monotonic_schedule);
        l.schedule = kind == trapezoidal ? guided : kind;
        l.chunk = c.chunk;
    }
    if (l.schedule == automatic) {
        l.schedule = fixed;
        l.chunk = 0;
    }
    if (l.schedule != fixed && l.chunk == 0) {
        l.chunk = 1;
    }
}

// Waits until all iterations before the piece have had their turn.
void wait_for_turn(thread& me)
{
    share& s = *me.at;
    const __cp_ull lo = me.loop.lo;
    // acquire: pairs with pass_turn.
    wait_until(&s.turn, [&] { return s.turn.load(std::memory_order_acquire) == lo; });
}

void pass_turn(thread& me)
{
    loop_part& l = me.loop;
    if (l.lo < l.hi) {
        wait_for_turn(me);
        // release: publishes what was done in the ordered region.
        me.at->turn.store(l.hi, std::memory_order_release);
        wake(&me.at->turn);
    }
}

}  // namespace

}  // namespace cp

using namespace cp;

extern "C" {

int __cp_loop_start(__cp_ull n, int schedule, __cp_ull chunk, __cp_ull* lo, __cp_ull* hi)
{
    thread& me = *current();
    enter_share(me);
    begin(me, n, schedule, chunk);
    const bool any = next_piece(me);
    *lo = me.loop.lo;
    *hi = me.loop.hi;
    return any;
}

int __cp_loop_next(int schedule, __cp_ull* lo, __cp_ull* hi)
{
    thread& me = *current();
    if ((schedule & ordered) != 0) {
        pass_turn(me);
    }
    const bool any = next_piece(me);
    *lo = me.loop.lo;
    *hi = me.loop.hi;
    return any;
}

void __cp_loop_end(void)
{
    __cp_barrier();
}

void __cp_loop_end_nowait(void) {}

int __cp_loop_end_cancel(void)
{
    return __cp_barrier_cancel();
}

void __cp_static(__cp_ull n, __cp_ull* lo, __cp_ull* hi)
{
    const thread& me = *current();
    part(n, me.number, me.group->n, lo, hi);
}

void __cp_static_chunks(__cp_ull n, __cp_ull chunk, __cp_ull* lo, __cp_ull* hi, __cp_ull* stride)
{
    const thread& me = *current();
    if (chunk == 0) {
        chunk = 1;
    }
    (void)n;
    *lo = me.number * chunk;
    *hi = *lo + chunk;
    *stride = me.group->n * chunk;
}

void __cp_distribute(__cp_ull n, __cp_ull chunk, __cp_ull* lo, __cp_ull* hi, __cp_ull* stride)
{
    const team& of = *current()->group;
    if (chunk != 0) {
        *lo = of.team_number * chunk;
        *hi = *lo + chunk;
        *stride = of.teams * chunk;
        return;
    }
    part(n, of.team_number, of.teams, lo, hi);
    if (*lo == *hi) {
        *lo = n;
    }
    *stride = n;
}

void __cp_ordered_start(void)
{
    thread& me = *current();
    if (me.loop.lo < me.loop.hi) {
        wait_for_turn(me);
    }
}

void __cp_ordered_end(void) {}

}  // extern "C"
