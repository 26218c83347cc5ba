// Begin and end of a region: makes the team and spawns its members, in a part of the streams if the
// region has one.
#include "interface.hpp"
#include "library.hpp"
#include "light.hpp"
#include "private.hpp"
#include "processors.hpp"
#include "team.hpp"

#include <algorithm>
#include <utility>

namespace cp {

namespace {

// Runs the region for the current member.
void take_part(thread& me)
{
    if (me.group->shows_affinity) {
        omp_display_affinity(nullptr);
    }
    me.group->body(me.group->frame);
    leave_shares(me);
    finish(me);
}

void member(void* argument)
{
    thread& me = *static_cast<thread*>(argument);
    set_current(&me);
    take_part(me);
    light_threads.fetch_sub(1, std::memory_order_relaxed);  // relaxed: a guess, for spinning
}

void join(thread& t, team& of, unsigned number, const thread& outer)
{
    t.group = &of;
    t.number = number;
    t.light = outer.light;
    t.initial = outer.initial && number == 0;
    t.now = &t.implicit;
    t.at = &of.first;
    t.implicit.of = &of;
    t.implicit.settings = outer.now->settings;
    if (of.level < settings().threads.size()) {
        t.implicit.settings.threads = 0;  // OMP_NUM_THREADS has a number for this level
    }
    t.implicit.in_final = outer.now->in_final;
    t.displayed = outer.displayed;
    if (number == 0) {
        t.privates = outer.privates;
    } else if (outer.group->level == 0 && outer.privates_of_members != nullptr) {
        auto& all = *outer.privates_of_members;
        if (all.size() < number) {
            all.resize(number);
        }
        if (all[number - 1] == nullptr) {
            all[number - 1] = new private_table;
        }
        t.privates = all[number - 1];
    }
}

// How many members the region gets.
unsigned size_of(const thread& me, unsigned asked)
{
    const icvs& c = me.now->settings;
    if (asked == 1 || me.group->active_level >= c.max_levels || is_lost()) {
        return 1;
    }
    unsigned n = asked != 0 ? asked : threads_of_next_region(c, me.group->level);
    if (c.dynamic) {
        n = std::min(n, streams());
    }
    // relaxed: the limit is approximate when several threads open regions at once.
    const unsigned busy = me.group->busy->load(std::memory_order_relaxed);
    return std::max(1u, std::min(n, c.thread_limit > busy ? c.thread_limit - busy + 1 : 1));
}

// OMP_DISPLAY_AFFINITY: whether size or level of the team differ from those last displayed by the
// encountering thread. The processors of light threads never change.
bool is_news(thread& me, const team& of)
{
    return std::exchange(me.displayed, {of.n, of.level}) != std::pair(of.n, of.level);
}

}  // namespace

void spawn(const team& of, void (*f)(void*), void* argument, unsigned index)
{
    if (of.part != nullptr) {
        light::spawn_in(of.part, f, argument);
    } else {
        light::spawn(f, argument, index, of.n);
    }
}

namespace {

void region(thread& me, void (*body)(void*), void* frame, unsigned n, void* part)
{
    team of(n, &me);
    of.part = part;
    of.level = me.group->level + 1;
    of.active_level = me.group->active_level + (n > 1 ? 1 : 0);
    of.teams = me.group->teams;
    of.team_number = me.group->team_number;
    of.in_league = me.group->in_league;
    of.busy = me.group->busy;
    of.body = body;
    of.frame = frame;
    of.shows_affinity = settings().display_affinity && is_news(me, of);
    of.inside.store(n, std::memory_order_relaxed);         // relaxed: spawn hands it over
    of.busy->fetch_add(n - 1, std::memory_order_relaxed);  // relaxed: a count only
    of.threads = std::make_unique<thread[]>(n);
    for (unsigned i = 0; i < n; ++i) {
        join(of.threads[i], of, i, me);
    }
    light_threads.fetch_add(n - 1, std::memory_order_relaxed);  // relaxed: a guess, for spinning
    for (unsigned i = 1; i < n; ++i) {
        spawn(of, member, &of.threads[i], i);
    }
    set_current(&of.threads[0]);
    take_part(of.threads[0]);
    set_current(&me);
    me.displayed = of.threads[0].displayed;                // the same thread
    me.privates = of.threads[0].privates;                  // which may have got its first copy
    of.busy->fetch_sub(n - 1, std::memory_order_relaxed);  // relaxed: a count only
    if (me.group->level != 0 || me.privates_of_members == nullptr) {
        for (unsigned i = 1; i < n; ++i) {
            delete of.threads[i].privates;
        }
    }
}

struct entering {
    thread* me;
    void (*body)(void*);
    void* frame;
    unsigned n;
    void* part;
    light::handle left = nullptr;  // the light thread that waits for the one in the part
};

// Run by a light thread in the part, which opens the region for the thread that encountered it.
void in_part(void* argument)
{
    const entering& e = *static_cast<entering*>(argument);
    set_current(e.me);
    region(*e.me, e.body, e.frame, e.n, e.part);
    light::resume(e.left);  // `e` may not exist afterwards
}

// For callers that are light threads.
void region_in_part(entering& e)
{
    gang g(e.n);
    e.n = g.size;
    if (e.part == e.me->group->part || e.part == nullptr) {
        region(*e.me, e.body, e.frame, e.n, e.me->group->part);
        return;
    }
    light::suspend(
        [](light::handle self, void* argument) {
            auto* const to = static_cast<entering*>(argument);
            to->left = self;
            light::spawn_in(to->part, in_part, to);
        },
        &e);
    set_current(e.me);
}

void entered(void* argument)
{
    entering& e = *static_cast<entering*>(argument);
    set_current(e.me);
    e.me->light = true;
    region_in_part(e);
}

// Runs `body` with the caller as the only thread of a team of a league, or of a target region's
// team.
void alone(thread& me, team& of, void (*body)(void*), void* frame, unsigned limit)
{
    std::atomic<unsigned> busy{1};
    of.busy = &busy;
    of.inside.store(1, std::memory_order_relaxed);  // relaxed: nobody else knows it
    thread first;
    join(first, of, 0, me);
    first.privates_of_members = me.privates_of_members;
    if (limit != 0) {
        first.implicit.settings.thread_limit = limit;
    }
    set_current(&first);
    body(frame);
    leave_shares(first);
    finish(first);
    set_current(&me);
    me.privates = first.privates;  // the same thread, which may have got its first copy
}

}  // namespace

}  // namespace cp

using namespace cp;

extern "C" {

void* cp_open_part(const char* numas)
{
    return numas != nullptr ? light::open_part(nodes_of(numas)) : nullptr;
}

void cp_close_part(void* part)
{
    light::close_part(part);
}

const char* cp_name(void)
{
    return light::name;
}

void cp_region(void (*body)(void*), void* frame, unsigned threads, unsigned, const cp_zone* zone)
{
    thread& me = *current();
    const unsigned n = size_of(me, threads);
    entering e{&me, body, frame, n, zone != nullptr ? zone->part : nullptr};
    if (me.light) {
        if (n == 1) {
            region(me, body, frame, 1, me.group->part);
        } else {
            region_in_part(e);
        }
        return;
    }
    if (n == 1) {
        region(me, body, frame, 1, nullptr);
        return;
    }
    const visit inside;
    light_threads.fetch_add(1, std::memory_order_relaxed);  // relaxed: a guess, for spinning
    light::enter(entered, &e);
    me.light = false;
    set_current(&me);
    light_threads.fetch_sub(1, std::memory_order_relaxed);  // relaxed: a guess, for spinning
}

// The teams run one after another, as those of libgomp do on the host; each has the whole machine.
void __cp_teams(void (*body)(void*), void* frame, unsigned teams, unsigned limit)
{
    thread& me = *current();
    const unsigned n = teams != 0 ? teams : std::max(1u, settings().teams);
    for (unsigned i = 0; i < n; ++i) {
        team of(1, &me);
        of.level = me.group->level;
        of.active_level = me.group->active_level;
        of.teams = n;
        of.team_number = i;
        of.in_league = true;
        alone(me, of, body, frame, limit != 0 ? limit : settings().teams_thread_limit);
    }
}

void __cp_target(void (*body)(void*), void* frame, int, unsigned limit)
{
    thread& me = *current();
    team of(1, &me);  // at level 0: the enclosing regions are not visible inside
    alone(me, of, body, frame, limit);
}

}  // extern "C"
