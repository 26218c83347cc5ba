// A simple crew for models of arenas that keeps the crew's promise: it runs everything that is
// posted. src/sched has models of that promise.
//
// Each simulated OS thread is one of the program's, or a persona, which takes tickets and serves
// arenas until the program's threads are done.
#pragma once

#include "base/machine_model.hpp"

#include "base/work.hpp"
#include "sched/worker.hpp"

#include "servers.hpp"
#include "thread.hpp"

#include <algorithm>
#include <iterator>

namespace artel::onetbb {

constexpr unsigned model_most_threads = 6;

// The crew's record of the simulated OS threads. Its members are ordinary data that change between
// two simulated operations, so in one step. `posted` is incremented before a change, for threads
// that rely on the change and read `posted` afterwards, and after it, for threads that fall asleep.
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
    unsigned programs = 0;    // threads of the program that have not ended
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

}  // namespace artel::onetbb
