// Regions from the outside: which kind of team a region gets, what its members inherit, and what an
// OS thread is before its first region.
#include "team/team.hpp"

#include "base/os/yield.hpp"
#include "base/thread_end.hpp"
#include "blas/blas.hpp"
#include "linking/dialect.hpp"
#include "fiber/fiber.hpp"
#include "hot_team.hpp"
#include "league.hpp"
#include "linking/messages.hpp"
#include "nested_team.hpp"
#include "told_region.hpp"
#include "team/root.hpp"
#include "sched/guest_scope.hpp"
#include "settings/team_sizes.hpp"

#include <algorithm>
#include <bit>
#include <new>
#include <pthread.h>
#include <utility>

namespace artel::openmp {
namespace {

constexpr unsigned smallest_capacity = 4;

std::atomic<std::uint64_t> forks{0};  // relaxed: changed in the child only, while it has one thread

// An external thread ends: its team's bodies go back to the pool.
void thread_ends(void* argument)
{
    auto* const r = static_cast<root*>(argument);
    if (ompt::attached()) {
        ompt::initial_thread_ends(r->initial);
    }
    // Detached tasks that wait for their events, and tasks that helpers run (abi/kmp/helpers.hpp), are
    // children of the thread's implicit task: as under libomp it ends after them. In the child of a
    // fork nobody is left who could end them.
    if (r->alone.crew_generation == fork_generation()) {
        complete_own_tasks(r->initial);
    }
    if (r->hot != nullptr && r->hot->crew_generation == fork_generation()) {
        // The key of src/sched may have been destroyed before ours; then the thread becomes a guest
        // once more.
        if (sched::crew::get().enter() != nullptr) {
            r->hot->disband();
            delete r->hot;
        }
    }
    fiber::this_tls().local = nullptr;
    // in the child of a fork nobody is left who could be waited for.
    if (r->alone.crew_generation == fork_generation()) {
        await_outsiders(r->alone);
    }
    delete r;
}

void after_fork_in_child()
{
    forks.fetch_add(1, std::memory_order_relaxed);  // relaxed: see forks
    reset_bodies_after_fork();
    reset_leagues_after_fork();
    reset_blas_after_fork();
}

// When the library is loaded: a fork that has begun before would not call it.
[[maybe_unused]] const int fork_handler = ::pthread_atfork(nullptr, nullptr, after_fork_in_child);

// The key that tells of the end of external threads. Of threads that make one at the same time, one
// is kept.
pthread_key_t root_key() noexcept
{
    constexpr std::uint64_t none = ~std::uint64_t{0};
    static constinit std::atomic<std::uint64_t> known{none};
    // relaxed, both: a number by itself; the key that it names is the C library's.
    std::uint64_t key = known.load(std::memory_order_relaxed);
    if (key == none) {
        pthread_key_t mine = 0;
        ::pthread_key_create(&mine, thread_ends);
        if (known.compare_exchange_strong(key, mine, std::memory_order_relaxed)) {
            return mine;
        }
        ::pthread_key_delete(mine);
    }
    return static_cast<pthread_key_t>(key);
}

[[noreturn]] void out_of_memory() noexcept
{
    give_up("Out of memory allocating a team");
}

__attribute__((noinline, cold)) member& make_root(fiber::tls_block& tls) noexcept
{
    display_environment_if_asked();
    const bool native = tls.current_carrier != nullptr &&
                        tls.current_carrier->current->type != fiber::kind::bound;
    auto* const r = new (std::nothrow) root(native ? root::kind::native : root::kind::thread);
    if (r == nullptr) {
        out_of_memory();
    }
    r->initial.implicit.icvs = globals().initial;
    r->initial.where = initial_position();
    begin_region(r->alone);
    enter_region(r->initial);
    tls.local = &r->initial;
    if (!native) {
        ::pthread_setspecific(root_key(), r);
    }
    ompt::initial_thread_begins(r->initial);
    return r->initial;
}

// The hot team of a root, large enough.
hot_team& hot_team_for(root& r, unsigned size)
{
    if (r.hot != nullptr && r.hot->crew_generation != fork_generation()) {
        // its members exist in the parent only; so does what they stand on, which is therefore not
        // freed.
        r.hot = nullptr;
    }
    if (r.hot == nullptr || r.hot->capacity() < size) {
        if (r.hot != nullptr) {
            r.hot->disband();
            delete r.hot;
            r.hot = nullptr;
        }
        r.hot = new hot_team(std::max(smallest_capacity, std::bit_ceil(size)));
    }
    return *r.hot;
}

}  // namespace

root::root(kind k) : type(k)
{
    alone.of = this;
    alone.members = &initial;
    alone.crew_generation = fork_generation();
    alone.barrier.configure(1, 1);
    initial.in = &alone;
    initial.current = &initial.implicit;
}

unsigned team::groups_of(unsigned size) noexcept
{
    return std::min({sched::crew::get().width(), size, 64u});
}

void team::reserve(unsigned most)
{
    barrier.configure(most, groups_of(most));
    ending.configure(most, groups_of(most));
}

member::~member()
{
    while (spare != nullptr) {
        nested_team* const t = spare;
        spare = t->next_spare;
        t->release();
    }
    while (spare_groups != nullptr) {
        delete std::exchange(spare_groups, spare_groups->outer);
    }
}

std::uint64_t fork_generation() noexcept
{
    return forks.load(std::memory_order_relaxed);  // relaxed: see forks
}

member& first_member() noexcept
{
    return make_root(fiber::this_tls());
}

namespace {

// relaxed, all accesses: the same number whoever finds it first; no guard, which a fork could leave
// locked.
constinit std::atomic<std::uint64_t> known_spin{~std::uint64_t{0}};

// The cycles for a time that somebody has asked for: for ever is about a second, and with more
// members than CPUs nobody spins longer than by default.
std::uint64_t spin_of(std::uint64_t microseconds) noexcept
{
    const sched::crew& c = sched::crew::get();
    constexpr std::uint64_t longest = std::uint64_t{1} << 31;
    const std::uint64_t each = base::cycles_per_microsecond();
    const std::uint64_t cycles = microseconds < longest / each ? microseconds * each : longest;
    return c.oversubscribed() ? std::min(cycles, c.spin_cycles()) : cycles;
}

}  // namespace

std::uint64_t member_spin() noexcept
{
    // relaxed, both: see known_spin.
    if (const std::uint64_t cycles = known_spin.load(std::memory_order_relaxed);
        cycles != ~std::uint64_t{0}) {
        return cycles;
    }
    const std::uint64_t cycles = [] {
        const global_icvs& g = globals();
        if (g.spin_limit) {
            return spin_of(*g.spin_limit);
        }
        if (g.wait_passive) {
            return std::uint64_t{0};
        }
        return g.wait_active ? spin_of(UINT64_MAX) : sched::crew::get().spin_cycles();
    }();
    known_spin.store(cycles, std::memory_order_relaxed);  // relaxed: as above
    return cycles;
}

void set_member_spin(std::uint64_t microseconds) noexcept
{
    known_spin.store(spin_of(microseconds), std::memory_order_relaxed);  // relaxed: see known_spin
}

unsigned team_size_for(const member& m, unsigned requested) noexcept
{
    const icv_set& icvs = m.current->icvs;
    if (m.in->active_level >= icvs.max_active_levels) {
        return 1;
    }
    const unsigned wanted = requested != 0 ? requested : icvs.nthreads;
    return std::clamp(wanted, 1u, icvs.thread_limit);
}

namespace {

team& contention_group(team& t) noexcept
{
    team* at = &t;
    while (at->of == nullptr) {
        at = at->parent;
    }
    return *at;
}

// thread-limit-var bounds the threads of all regions below an initial thread together: takes up to
// `size` - 1 of what is left. libomp says once that a limit made a team smaller.
void warn_of_limit(const member& m, unsigned requested, unsigned size) noexcept
{
    const icv_set& icvs = m.current->icvs;
    const unsigned wanted = requested != 0 ? requested : icvs.nthreads;
    static constinit std::atomic<bool> said{false};
    if (size < wanted && m.in->active_level < icvs.max_active_levels &&
        programs_dialect().of_libomp &&
        // relaxed: who comes first does not matter.
        !said.exchange(true, std::memory_order_relaxed)) {
        warn_as_libomp(96, "Cannot form a team with {} threads, using {} instead.", wanted, size);
        hint_as_libomp(
            "Consider unsetting KMP_DEVICE_THREAD_LIMIT (KMP_ALL_THREADS), KMP_TEAMS_THREAD_LIMIT, and OMP_THREAD_LIMIT (if any are set).");
    }
}

__attribute__((noinline)) unsigned count_threads(member& m, unsigned requested, unsigned size,
                                                 unsigned limit) noexcept
{
    std::atomic<unsigned>& threads = contention_group(*m.in).group_threads;
    // relaxed (all): a number by itself.
    unsigned now = threads.load(std::memory_order_relaxed);
    unsigned more = 0;
    do {
        more = std::min(size - 1, limit > now ? limit - now : 0);
    } while (!threads.compare_exchange_weak(now, now + more, std::memory_order_relaxed));
    warn_of_limit(m, requested, more + 1);
    return more;
}

// Whether members are to say where they are, by the rules of the runtime that the program was made
// for. libgomp: not in teams of one; at the top level when the size or a place differs from what
// was said last; below it always. libomp: when a place differs, or the size or the level of what
// the thread that meets the region was told of last.
bool is_news(const team& t, bool moved) noexcept
{
    static thread_local struct {
        unsigned size, level;
    } told{};
    if (!programs_dialect().of_libomp) {
        if (t.size == 1) {
            return false;
        }
        if (t.parent->of == nullptr) {
            return true;
        }
    }
    const bool same = told.size == t.size && told.level == t.level;
    told = {t.size, t.level};
    return moved || !same;
}

// A bit of team::counted: the initial thread that met the region is to be freed from its place
// after it.
constexpr unsigned frees_initial = 1u << 31;

// Gives the members of a team that is about to start their places, and decides whether they say so.
__attribute__((noinline, cold)) void place_members(team& t, member& master, int policy) noexcept
{
    bool moved = false;
    for (unsigned i = 0; i < t.size; ++i) {
        const place_position where = position_of(i, t.size, policy, master.where);
        moved = moved || t.members[i].where.place != where.place;
        t.members[i].where = where;
    }
    const bool resized = moved || (t.hot && static_cast<hot_team&>(t).placed != t.size);
    root* const at = root_of(master);
    const bool of_thread = at != nullptr && at->type == root::kind::thread;
    if (t.hot && of_thread && globals().binds() && resized) {
        find_homes(t.members, t.size);
        static_cast<hot_team&>(t).placed = t.size;
    }
    t.shows_affinity = (globals().display_affinity && is_news(t, moved)) ||
                       (globals().kmp.affinity.verbose && resized);
    if (of_thread && globals().binds() && bind_initial(master.where)) {
        t.counted |= frees_initial;
    }
}

}  // namespace

void describe_team(team& t, member& master, unsigned size)
{
    team& outer = *master.in;
    set_if_changed(t.size, size);
    // relaxed, both: see tasks_queued.
    if (t.tasking.members.load(std::memory_order_relaxed) != size) {
        t.tasking.members.store(size, std::memory_order_relaxed);
    }
    set_if_changed(t.level, outer.level + 1);
    set_if_changed(t.active_level, outer.active_level + (size > 1 ? 1 : 0));
    set_if_changed(t.parent, &outer);
    set_if_changed(t.parent_number, master.number);
    // GOMP_parallel_reductions sets it.
    set_if_changed<taskgroup*>(t.tasking.region_group, nullptr);
    if (globals().cancellation) [[unlikely]] {
        t.cancellable += t.cancellable != UINT32_MAX ? 1 : 2;  // never 0
    }
    begin_region(t);
}

void start_member(team& t, member& m, const icv_set& icvs)
{
    m.implicit.icvs = icvs;
    m.implicit.group = t.tasking.region_group;
    m.implicit.parent = nullptr;
    // relaxed: nobody else knows this task yet.
    m.implicit.counts.store(0, std::memory_order_relaxed);
    m.current = &m.implicit;
    m.in = &t;
    enter_region(m);
    if (t.shows_affinity) [[unlikely]] {
        display_affinity(m);
    }
}

void parallel_begin(region_function function, void* data, unsigned threads, team_setup setup,
                    void* setup_argument, unsigned flags)
{
    member& master = this_member();
    unsigned size = team_size_for(master, threads);
    if (master.gang != 0) [[unlikely]] {
        size = size_for_gang(master, function, data, threads, size);
    }
    if (size > largest_team) [[unlikely]] {
        give_up("Thread creation failed: a team of {} threads is asked for, the largest has {}",
                size, largest_team);
    }
    unsigned counted = 0;
    if (const unsigned limit = master.current->icvs.thread_limit; limit != no_thread_limit)
        [[unlikely]] {
        counted = count_threads(master, threads, size, limit);
        size = counted + 1;
    }
    const int policy = bind_policy_of_region(master.current->icvs.bind,
                                             static_cast<int>(flags & 7));
    icv_set icvs = icvs_of_region(master.current->icvs, master.in->level + 1, size, policy);
    if (const unsigned list = flags >> sizes_shift; list != 0) [[unlikely]] {
        icvs.sizes = static_cast<std::uint16_t>(list);
        icvs.nthreads = size_at(icvs.sizes, master.in->level + 1);
        icvs.nthreads_by_default = false;
    }
    sched::worker* const w = sched::crew::get().enter();
    root* const at = root_of(master);
    const bool hot = size > 1 && at != nullptr && at->type != root::kind::native && w != nullptr;
    if (w == nullptr && size > 1) {
        give_up("Thread creation failed: more than {} threads use the crew at a time",
                sched::max_workers);
    }
    try {
        if (at != nullptr) {
            sched::enter_scope(at->outermost);
        }
        team* t = nullptr;
        if (hot) {
            hot_team& h = hot_team_for(*at, size);
            h.settle();
            if (at->type == root::kind::league) [[unlikely]] {
                spread_in_league(*at, h.members, size);
            }
            t = &h;
        } else {
            nested_team* const nested = nested_team::take_spare(master, size);
            nested->untold = false;
            t = nested;
        }
        describe_team(*t, master, size);
        set_if_changed(t->counted, counted);
        if (setup != nullptr) {
            setup(*t, setup_argument);
        }
        member& self = t->members[0];
        self.outer = &master;
        if (globals().minds_places) [[unlikely]] {
            place_members(*t, master, policy);
        }
        if (hot) {
            static_cast<hot_team*>(t)->start(size, icvs, function, data);
        } else {
            static_cast<nested_team*>(t)->start(size, icvs, function, data);
        }
        start_member(*t, self, icvs);
        fiber::this_tls().local = &self;
    } catch (const std::bad_alloc&) {
        out_of_memory();
    }
}

void parallel_end()
{
    member& self = this_member();
    team& t = *self.in;
    member& master = *self.outer;
    const unsigned counted = t.counted;
    const bool whole = t.crew_generation == fork_generation();
    if (whole) {
        end_part(self);
        if (t.hot) {
            static_cast<hot_team&>(t).join();
            fiber::this_tls().local = &master;
        } else {
            auto& nested = static_cast<nested_team&>(t);
            nested.join();
            fiber::this_tls().local = &master;
            nested_team::keep_spare(master, &nested);
        }
    } else {
        // The child of a fork in the region: nobody else of the team exists here.
        fiber::this_tls().local = &master;
    }
    if (counted != 0) [[unlikely]] {
        // relaxed: as in count_threads.
        contention_group(*master.in)
            .group_threads.fetch_sub(counted & ~frees_initial, std::memory_order_relaxed);
        if ((counted & frees_initial) != 0) {
            free_initial();
        }
    }
    // In a child of fork() the thread is a new guest, which nobody has counted.
    if (root* const at = root_of(master); at != nullptr && at->outermost && whole) {
        sched::leave_scope();
    }
}

void parallel(region_function function, void* data, unsigned threads, team_setup setup,
              void* setup_argument, unsigned flags)
{
    parallel_begin(function, data, threads, setup, setup_argument, flags);
    base::call_program([&] { function(data); });
    parallel_end();
}

bool end_threads() noexcept
{
    member& m = this_member();
    if (m.in->level != 0) {
        return false;
    }
    if (m.in->parent != nullptr) {
        return true;  // in a target region or a league: its context keeps no threads behind
    }
    root& r = *root_of(m);
    if (sched::crew::get().enter() != nullptr) {
        retirement end;
        if (r.hot != nullptr && r.hot->crew_generation == fork_generation()) {
            r.hot->disband(&end);
            delete r.hot;
            r.hot = nullptr;
        }
        end_spare_contexts(end);
        end.finish();
    }
    end_idle_bodies();
    return true;
}

void wait_until(bool (*predicate)(void*), void* argument) noexcept
{
    for (unsigned i = 0; !predicate(argument); ++i) {
        if (i < 64) {
            base::cpu_relax();
        } else if (!sched::yield()) {
            base::os::yield();
        }
    }
}

}  // namespace artel::openmp
