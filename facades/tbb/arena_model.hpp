// Arenas for models: the real sources of how tasks become visible, who is woken, comes, serves,
// leaves and is suspended (included at the end), on a crew that does what it promises: what is
// posted to it is taken up, and what is made ready goes on. src/sched has models of these promises.
//
// Each simulated OS thread is one of the program's, or a persona, which takes tickets and serves
// arenas until the program's threads are done. Nobody is a worker of the crew as the sources see
// it, so who sleeps does so in the simulated kernel. Nobody spins for long. If a wake-up is lost,
// somebody sleeps for ever, which relacy reports as a deadlock.
#pragma once

#include "base/machine_model.hpp"

#include "base/options.hpp"
#include "foreign/fork_safe_lock.hpp"
#include "foreign/thread_persona.hpp"
#include "sched/crew.hpp"
#include "sched/push.hpp"
#include "sched/suspend.hpp"

#include "arena.hpp"
#include "context.hpp"
#include "control.hpp"
#include "dispatch.hpp"
#include "light_caller.hpp"
#include "servers.hpp"

namespace artel::onetbb {

constexpr unsigned model_most_threads = 6;

// What the crew knows of the simulated OS threads. Ordinary data, changed between two simulated
// operations, so in one step; who changes it raises `posted` before, for who relies on it and reads
// that afterwards, and behind, for who falls asleep.
struct model_crew {
    struct persona {
        fiber::fiber face;
        servers::job now{};
        bool takes_ticket = false;
        bool waits = false;
        bool has_job = false;
        bool begins = false;
    };
    std::atomic<std::uint32_t> posted{0};
    base::work* tickets[4] = {};
    unsigned ticket_count = 0;
    persona personas[model_most_threads];
    thread threads[model_most_threads];
    unsigned at_work = 0;     // personas that are
    unsigned programs = 0;    // threads of the program that are not done
    bool closed = false;      // nobody needs personas any more
    bool no_threads = false;  // the system gives none
    void (*each_second)(unsigned) noexcept = nullptr;
    void (*after_job)(const servers::job&) = nullptr;

    static inline model_crew* now = nullptr;

    template <class Change>
    void post(Change change)
    {
        // acq_rel, both: pair with see().
        posted.fetch_add(1, std::memory_order_acq_rel);
        change();
        posted.fetch_add(1, std::memory_order_acq_rel);
        model::futex_wake(posted, 64);
    }
    // acq_rel: the newest value, and what was done before it.
    std::uint32_t see() { return posted.fetch_add(0, std::memory_order_acq_rel); }
    persona& here() { return personas[model::this_thread()]; }

    void live()
    {
        persona& me = here();
        for (;;) {
            const std::uint32_t seen = see();
            if (me.begins) {
                const servers::job j = me.now;
                ++at_work;
                see();
                j.end(j.argument, j.run(j.argument));
                if (after_job != nullptr) {
                    after_job(j);
                }
                --at_work;
                me.has_job = me.begins = false;
            } else if (ticket_count != 0 && !me.has_job) {
                base::work* const t = tickets[0];
                std::copy(tickets + 1, tickets + ticket_count--, tickets);
                ++at_work;
                me.takes_ticket = true;
                see();
                // All zero: a worker that is one of the crew's own.
                alignas(sched::worker) static char worker[sizeof(sched::worker)];
                t->run(worker, *t);
                me.takes_ticket = false;
                --at_work;
            } else if (closed) {
                return;
            } else if (programs == 0 && at_work == 0 &&
                       std::none_of(std::begin(personas), std::end(personas),
                                    [](const persona& p) { return p.has_job; })) {
                post([this] { closed = true; });
            } else {
                me.waits = true;
                model::futex_wait(posted, seen);
                me.waits = false;
            }
        }
    }
    void program_ends()
    {
        post([this] { --programs; });
    }
};

thread::thread() : memory(nullptr), random(1)
{
    root.me = this;
    root.original_slot = 0;
}
thread::~thread() {}
thread* known_thread() noexcept
{
    return &model_crew::now->threads[model::this_thread()];
}
thread& this_thread()
{
    return *known_thread();
}

namespace servers {

fiber::fiber* take(const job& j) noexcept
{
    model_crew& c = *model_crew::now;
    c.see();
    model_crew::persona* p = &c.here();
    if (!p->takes_ticket) {
        p = std::find_if(std::begin(c.personas), std::end(c.personas),
                         [](const auto& q) { return q.waits && !q.has_job; });
    }
    if (c.no_threads || p == std::end(c.personas)) {
        return nullptr;
    }
    p->now = j;
    p->has_job = true;
    return &p->face;
}

void start(fiber::fiber& persona) noexcept
{
    model_crew& c = *model_crew::now;
    c.post([&] {
        std::find_if(std::begin(c.personas), std::end(c.personas), [&](const auto& p) {
            return &p.face == &persona;
        })->begins = true;
    });
}

}  // namespace servers

// relaxed, as the real one.
inline std::atomic<unsigned>* model_limit = nullptr;

unsigned worker_limit() noexcept
{
    return model_limit->load(std::memory_order_relaxed);
}
bool workers_beyond_width() noexcept
{
    return false;
}
// So that arenas of higher priority may want all workers that there are.
unsigned default_concurrency() noexcept
{
    return 2;
}

// Nobody spins for longer than one look.
task* arena::spin_for_task(thread& me, const abi::d1::wait_context*, bool& more) noexcept
{
    more = false;
    return rl::rand(2) != 0 ? me.look() : nullptr;
}

// Contexts that are never cancelled, threads without observers, tasks without small objects, and no
// light threads.
constinit std::atomic<std::uint64_t> cancellations{0};
bool look_upwards(task_group_context&, std::uint64_t) noexcept
{
    return false;
}
void keep_exception(task_group_context&) noexcept {}
void throw_kept(task_group_context&) {}
void bind_slowly(task_group_context& c, task_group_context*, std::uint64_t) noexcept
{
    c.life.store(task_group_context::isolated, std::memory_order_release);
}
std::uint64_t read_fp_settings() noexcept
{
    return 0;
}
void write_fp_settings(std::uint64_t) noexcept {}
observer_list::~observer_list() {}
std::uint64_t observer_list::seen_by(const thread& t) noexcept
{
    return t.observers_seen;
}
void observer_list::tell_new(thread&) noexcept {}
void observer_list::tell_exit(thread&) noexcept {}
void* small_pool::more(std::size_t)
{
    std::abort();
}
void small_pool::return_from_outside(void*, std::size_t) noexcept {}
void thread::drop_own_arena() noexcept {}
void enter_own_arena(thread&) {}
bool call_on_persona(void (*)(void*), void*)
{
    return false;
}
arena& shared_arena()
{
    std::abort();
}
void enqueue_for_light_thread(arena&, task&, abi::d1::task_group_context&) {}

}  // namespace artel::onetbb

namespace tbb::detail::r1 {

void initialize(d1::task_group_context& c)
{
    c.life.store(d1::task_group_context::created, std::memory_order_relaxed);
    c.fp_settings = 0;
}
void destroy(d1::task_group_context&) {}

}  // namespace tbb::detail::r1

namespace artel::base {

std::uint64_t cycles_per_microsecond() noexcept
{
    return 1;
}
const option_values& options() noexcept
{
    static const option_values usual{};
    return usual;
}

namespace os {
void futex_wait(std::atomic<std::uint32_t>& word, std::uint32_t expected) noexcept
{
    model::futex_wait(word, expected);
}
void futex_wake(std::atomic<std::uint32_t>& word, int count) noexcept
{
    model::futex_wake(word, count);
}
}  // namespace os

}  // namespace artel::base

namespace artel::foreign {

fork_safe_lock::fork_safe_lock() noexcept : next_(nullptr) {}
void start_thread_persona(fiber::fiber&) noexcept {}

}  // namespace artel::foreign

namespace artel::fiber {

tls_block& this_tls() noexcept
{
    static tls_block nobody;
    return nobody;
}

}  // namespace artel::fiber

namespace artel::sched {

crew& crew::get() noexcept
{
    alignas(crew) static char nothing[sizeof(crew)];
    return *reinterpret_cast<crew*>(nothing);
}
worker* crew::enter() noexcept
{
    return nullptr;
}
void crew::guest_begins(worker&) noexcept {}
void crew::guest_ends(worker&) noexcept {}
void crew::wake_somebody(worker*) noexcept {}
void crew::start_monitor() noexcept {}
void crew::call_reserve() noexcept {}
void crew::call_each_second(second_hook hook) noexcept
{
    onetbb::model_crew::now->each_second = hook;
}
void post(worker&, base::work&, base::work&) noexcept {}
bool post_to_member(crew&, base::work& item) noexcept
{
    onetbb::model_crew& c = *onetbb::model_crew::now;
    c.post([&] { c.tickets[c.ticket_count++] = &item; });
    return true;
}
void run_now(worker&, fiber::fiber& f) noexcept
{
    onetbb::servers::start(f);
}
void make_ready(fiber::fiber&) noexcept {}
bool suspend(fiber::after_switch, void*) noexcept
{
    return false;
}
bool yield() noexcept
{
    return false;
}
bool yield_to_anybody() noexcept
{
    model::yield();
    return false;
}

}  // namespace artel::sched

#include "arena.cpp"
#include "arena_list.cpp"
#include "arena_slots.cpp"
#include "dispatch.cpp"
#include "looking.cpp"
#include "searching.cpp"
#include "sleeper.cpp"
#include "slot_seekers.cpp"
#include "suspension.cpp"
#include "task_pool.cpp"
#include "tickets.cpp"
#include "waking.cpp"
#include "workers.cpp"

namespace artel::onetbb {

// The simulated objects of the statics live as long as an iteration.
struct model_arenas {
    std::atomic<unsigned> limit{no_worker_limit};
    model_crew crew;

    model_arenas()
    {
        model::stop_for = 0;
        model_limit = &limit;
        model_crew::now = &crew;
        new (&cancellations) std::atomic<std::uint64_t>(0);
        new (&arena::special_) std::atomic<unsigned>(0);
        new (&arena::tickets_) std::atomic<unsigned>(0);
        new (&arena::all_workers_) std::atomic<unsigned>(0);
        arena::all_ = nullptr;
        new (&all_lock) foreign::fork_safe_lock;
        new (&buckets) std::array<bucket, 1U << bucket_bits>;
    }
    ~model_arenas()
    {
        std::destroy_at(&buckets);
        std::destroy_at(&all_lock);
        std::destroy_at(&arena::all_workers_);
        std::destroy_at(&arena::tickets_);
        std::destroy_at(&arena::special_);
        std::destroy_at(&cancellations);
    }
    model_arenas(const model_arenas&) = delete;
    model_arenas& operator=(const model_arenas&) = delete;

    void allow_workers(unsigned n)
    {
        limit.store(n, std::memory_order_relaxed);  // relaxed: as the real one
        arena::limit_changed();
    }
    static unsigned workers() { return arena::all_workers_.load(std::memory_order_relaxed); }
    static void nothing_is_left()
    {
        model::check(arena::all_ == nullptr, "an arena is left");
        model::check(workers() == 0, "a worker is counted that is none");
        model::check(arena::tickets_.load(std::memory_order_relaxed) == 0,
                     "a ticket is counted that lies nowhere");
    }
    // The wrong way round.
    static void enqueue_after_the_look(arena& a, task& t)
    {
        base::full_fence();
        a.pass_enqueued_on();
        model::linger(100);
        a.enqueued.put(t);
    }
    static bool is_served(const arena& a)
    {
        return a.workers_.load(std::memory_order_relaxed) != 0;
    }
};

// A task that is to run once.
struct model_task final : task {
    model::plain<int> state;                 // 1: is to run, 2: has run
    model::os_event* ended = nullptr;        // told when it has run
    abi::d1::wait_context* group = nullptr;  // which it is one of
    void (*body)(model_task&) = nullptr;
    void* of = nullptr;  // the body's

    model_task() { traits = 0; }
    task* execute(abi::d1::execution_data&) override
    {
        model::check(state.get() == 1, "run without its contents, or twice");
        if (body != nullptr) {
            body(*this);
        }
        state.set(2);
        abi::d1::wait_context* const g = group;
        if (model::os_event* const e = ended; e != nullptr) {
            e->add();
        }
        if (g != nullptr) {
            ends_in(*g);
        }
        return nullptr;
    }
    task* cancel(abi::d1::execution_data&) override { return nullptr; }
    // Before it is shown to others; for a thread that is in no task.
    void make(arena& a, model::os_event* tells)
    {
        state.set(1);
        ended = tells;
        make_part_of(a.context(), *this, 0, nullptr, 0);
    }
    // As the program's headers do it.
    static void ends_in(abi::d1::wait_context& g)
    {
        const auto address = reinterpret_cast<std::uintptr_t>(&g);
        // seq_cst: as the headers.
        if (g.references.fetch_sub(1, std::memory_order_seq_cst) == 1) {
            base::fence_after_change();
            abi::r1::notify_waiters(address);
        }
    }
};

// `priority`: 1 low, 2 normal, 3 high.
inline arena& model_arena(int concurrency, unsigned reserved, int priority = 2)
{
    arena_shape shape;
    shape.max_concurrency = concurrency;
    shape.reserved = reserved;
    shape.priority = priority * (INT_MAX / 4);
    return arena::make(shape);
}

// The base of a model's state T, whose program(i) is what thread i of the program does.
template <class T, unsigned programs, unsigned personas>
struct arena_suite : rl::test_suite<T, programs + personas>, model_arenas {
    arena_suite() { crew.programs = programs; }
    void thread(unsigned i)
    {
        if (i < programs) {
            static_cast<T*>(this)->program(i);
            crew.program_ends();
        } else {
            crew.live();
        }
    }
    void after() { nothing_is_left(); }
};

// For model::linger: about as long as a worker takes to come, run a task and leave.
constexpr unsigned long_enough = 150;
constexpr unsigned after_change = 30;

}  // namespace artel::onetbb
