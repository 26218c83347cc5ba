#include "team.hpp"

#include "interface.hpp"
#include "library.hpp"
#include "light.hpp"
#include "private.hpp"
#include "processors.hpp"
#include "wait.hpp"

#include <algorithm>
#include <mutex>
#include <utility>

namespace cp {

std::atomic<unsigned> light_threads{0};

namespace {

// A thread that the program began with or made itself, alone in a team.
struct os_thread {
    team alone{1, nullptr};
    thread self;
    std::atomic<unsigned> busy{1};
    private_table privates;
    std::vector<private_table*> of_members;
    os_thread()
    {
        alone.inside.store(1, std::memory_order_relaxed);  // relaxed: nobody else knows it
        alone.busy = &busy;
        self.group = &alone;
        self.now = &self.implicit;
        self.at = &alone.first;
        self.implicit.of = &alone;
        self.implicit.settings = settings().first;
        self.initial = is_first_os_thread();
        self.privates = &privates;
        self.privates_of_members = &of_members;
    }
    ~os_thread()
    {
        set_current(nullptr);
        for (private_table* t : of_members) {
            delete t;
        }
    }
};

void help(void* argument)
{
    thread& me = *static_cast<thread*>(argument);
    set_current(&me);
    finish(me);
    light_threads.fetch_sub(1, std::memory_order_relaxed);  // relaxed: a guess, for spinning
}

// The region for one of its members, which is current.
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
        t.implicit.settings.threads = 0;  // the list has a number for this level
    }
    t.implicit.in_final = outer.now->in_final;
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
    // relaxed: a limit that others may be about to reach, too.
    const unsigned busy = me.group->busy->load(std::memory_order_relaxed);
    return std::max(1u, std::min(n, c.thread_limit > busy ? c.thread_limit - busy + 1 : 1));
}

// OMP_DISPLAY_AFFINITY: lines are due where a region is the first of its level, or has another size
// than the one before it. Light threads never have other processors than at the beginning.
bool is_news(const team& of)
{
    static std::mutex lock;
    static std::vector<unsigned> sizes;  // by level
    const std::lock_guard guard(lock);
    if (sizes.size() <= of.level) {
        sizes.resize(of.level + 1);
    }
    return std::exchange(sizes[of.level], of.n) != of.n;
}

// A new light thread, in the team's part of the streams if it has one.
void spawn(const team& of, void (*f)(void*), void* argument, unsigned index)
{
    if (of.part != nullptr) {
        light::spawn_in(of.part, f, argument);
    } else {
        light::spawn(f, argument, index, of.n);
    }
}

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
    of.shows_affinity = settings().display_affinity && is_news(of);
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
    light::handle left = nullptr;  // the light thread that waits for one in the part
};

// A light thread in the part goes on for the one that met the region.
void in_part(void* argument)
{
    const entering& e = *static_cast<entering*>(argument);
    set_current(e.me);
    region(*e.me, e.body, e.frame, e.n, e.part);
    light::resume(e.left);  // e is gone
}

// For who is a light thread.
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

}  // namespace

thread* first_of_os_thread()
{
    static thread_local std::unique_ptr<os_thread> mine;
    if (mine == nullptr) {
        mine = std::make_unique<os_thread>();
    }
    set_current(&mine->self);
    return &mine->self;
}

void news::announce() const
{
    if (parent != nullptr) {
        wake(parent);
    }
    if (group != nullptr) {
        wake(group);
    }
    if (at_barrier != nullptr) {
        wake(at_barrier, 1);
    }
    if (at_end != nullptr) {
        wake(at_end);
    }
    if (helper != nullptr) {
        light_threads.fetch_add(1, std::memory_order_relaxed);  // relaxed: a guess, for spinning
        spawn(*helper->group, help, helper, helper->number);
    }
}

void make_ready(task* t, news& n)
{
    team& of = *t->of;
    t->queued = true;
    // Mostly the last: priorities are rare.
    task* behind = of.ready_tasks.back();
    while (behind != nullptr && behind->priority < t->priority) {
        behind = behind->in_team.before;
    }
    of.ready_tasks.insert(t, behind,
                          behind == nullptr ? of.ready_tasks.front() : behind->in_team.after);
    // relaxed: under the lock; who looks without it looks again.
    const unsigned ready = of.ready.load(std::memory_order_relaxed) + 1;
    of.ready.store(ready, std::memory_order_relaxed);
    t->parent->ready_list.push_front(t);
    t->parent->ready_children.fetch_add(1, std::memory_order_relaxed);
    n.parent = t->parent;
    if (t->group != nullptr) {
        t->group->ready_list.push_front(t);
        t->group->ready.fetch_add(1, std::memory_order_relaxed);
        n.group = t->group;
    }
    if (of.asleep > 0) {
        n.at_barrier = &of.generation;
    }
    if (of.first_asleep) {
        n.at_end = &of.inside;
    }
    if (ready > of.asleep + (of.first_asleep ? 1 : 0) && !of.gone.empty() && current()->light &&
        n.helper == nullptr) {
        n.helper = &of.threads[of.gone.back()];
        of.gone.pop_back();
        of.inside.fetch_add(1, std::memory_order_relaxed);  // relaxed: under the lock
    }
}

// Members but the first do not wait here: the light thread ends, and another one begins for the
// member when there are tasks for it.
void finish(thread& me)
{
    team& of = *me.group;
    if (of.n == 1 && of.pending.load(std::memory_order_relaxed) == 0) {  // relaxed: its own doing
        forget_dependences(me.implicit.dependences);
        me.implicit.dependences = nullptr;
        return;
    }
    of.lock.lock();
    if (me.implicit.dependences != nullptr) {
        forget_dependences(me.implicit.dependences);
        me.implicit.dependences = nullptr;
    }
    while (true) {
        if (run_one(me)) {
            continue;
        }
        // relaxed, here and in the condition: the lock is taken before anything is concluded.
        const auto all_done = [&of] {
            return of.inside.load(std::memory_order_relaxed) == 1 &&
                   of.pending.load(std::memory_order_relaxed) == 0;
        };
        if (me.number != 0) {
            of.gone.push_back(me.number);
            const bool last = of.inside.fetch_sub(1, std::memory_order_relaxed) == 2;
            const void* const at = &of.inside;
            of.lock.unlock();  // the team may be gone
            if (last) {
                wake(at);
            }
            return;
        }
        if (all_done()) {
            of.lock.unlock();
            return;
        }
        of.first_asleep = true;
        of.lock.unlock();
        wait_until(&of.inside,
                   [&] { return all_done() || of.ready.load(std::memory_order_relaxed) != 0; });
        of.lock.lock();
        of.first_asleep = false;
    }
}

bool barrier(thread& me, bool may)
{
    team& of = *me.group;
    // relaxed loads of what the lock guards; the conditions are looked at again under the lock.
    const auto cancelled = [&of] { return of.cancelled.load(std::memory_order_relaxed); };
    if (of.n == 1 && of.pending.load(std::memory_order_relaxed) == 0) {
        return may && cancelled();
    }
    of.lock.lock();
    const unsigned generation = of.generation.load(std::memory_order_relaxed);
    of.arrived.fetch_add(1, std::memory_order_relaxed);
    const auto passed = [&] { return of.generation.load(std::memory_order_relaxed) != generation; };
    const auto complete = [&] {
        return of.arrived.load(std::memory_order_relaxed) == of.n &&
               of.pending.load(std::memory_order_relaxed) == 0;
    };
    while (!passed()) {
        if (cancelled()) {
            of.arrived.fetch_sub(1, std::memory_order_relaxed);
            of.lock.unlock();
            return may;
        }
        if (run_one(me)) {
            continue;
        }
        if (complete()) {
            of.arrived.store(0, std::memory_order_relaxed);
            of.generation.store(generation + 1, std::memory_order_relaxed);
            of.lock.unlock();
            wake(&of.generation);  // this member is still in the team
            return false;
        }
        ++of.asleep;
        of.lock.unlock();
        wait_until(&of.generation, [&] {
            return passed() || cancelled() || complete() ||
                   of.ready.load(std::memory_order_relaxed) != 0;
        });
        of.lock.lock();
        --of.asleep;
    }
    of.lock.unlock();
    return may && cancelled();
}

}  // namespace cp

using namespace cp;

extern "C" {

cp_caller* cp_calling(void)
{
    return &current()->hints;
}

unsigned cp_default_threads(void)
{
    const thread& me = *current();
    return threads_of_next_region(me.now->settings, me.group->level);
}

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
        std::atomic<unsigned> busy{1};
        of.busy = &busy;
        of.level = me.group->level;
        of.active_level = me.group->active_level;
        of.teams = n;
        of.team_number = i;
        of.in_league = true;
        of.inside.store(1, std::memory_order_relaxed);  // relaxed: nobody else knows it
        thread first;
        join(first, of, 0, me);
        first.privates_of_members = me.privates_of_members;
        const unsigned most = limit != 0 ? limit : settings().teams_thread_limit;
        if (most != 0) {
            first.implicit.settings.thread_limit = most;
        }
        set_current(&first);
        body(frame);
        leave_shares(first);
        finish(first);
        set_current(&me);
    }
}

int __cp_thread_number(void)
{
    return static_cast<int>(current()->number);
}

int __cp_team_size(void)
{
    return static_cast<int>(current()->group->n);
}

void __cp_barrier(void)
{
    (void)barrier(*current(), false);
}

int __cp_barrier_cancel(void)
{
    return barrier(*current(), true);
}

// A full fence: pairs with those of the other threads that flush. Who flushes again and again waits
// for another member, which may need the stream.
void __cp_flush(void)
{
    std::atomic_thread_fence(std::memory_order_seq_cst);
    thread* const me = current();
    if (++me->looks % 64 == 0) {
        step_aside(*me);
    }
}

int __cp_cancel(unsigned what, int really)
{
    thread& me = *current();
    if (!settings().cancellation) {
        return 0;
    }
    if (!really) {
        return __cp_cancellation_point(what);
    }
    // relaxed: who does not see it yet executes a little more.
    if (what == 1) {
        team& of = *me.group;
        of.cancelled.store(true, std::memory_order_relaxed);
        wake(&of.generation);
    } else if (what == 8) {
        if (me.now->group != nullptr) {
            me.now->group->cancelled.store(true, std::memory_order_relaxed);
        }
    } else {
        me.at->cancelled.store(true, std::memory_order_relaxed);
    }
    return 1;
}

int __cp_cancellation_point(unsigned what)
{
    thread& me = *current();
    if (!settings().cancellation) {
        return 0;
    }
    // relaxed: as above.
    if ((what & 6) != 0 && me.at->cancelled.load(std::memory_order_relaxed)) {
        return 1;
    }
    if (what == 8 && me.now->group != nullptr &&
        me.now->group->cancelled.load(std::memory_order_relaxed)) {
        return 1;
    }
    return me.group->cancelled.load(std::memory_order_relaxed);
}

}  // extern "C"
