// The pool of bodies, and the loop that a body lives in.
#include "bodies.hpp"

#include "base/os/yield.hpp"
#include "fiber/persona.hpp"
#include "fork_safe_lock.hpp"
#include "icv.hpp"
#include "kept_bodies.hpp"
#include "messages.hpp"
#include "sched/crew.hpp"

#include <atomic>
#include <cstring>
#include <mutex>
#include <utility>

namespace artel::openmp {
namespace {

fork_safe_lock pool_lock;
base::work* pool = nullptr;  // personas, linked by next; guarded by pool_lock
constinit kept_bodies kept;  // those beside their workers

void do_assignment() noexcept
{
    fiber::tls_block& tls = fiber::this_tls();
    const assignment a = *static_cast<const assignment*>(tls.local);
    tls.local = nullptr;
    a.run(a.argument);
    fiber::this_tls().local = nullptr;
}

}  // namespace

// On the next fiber's stack: from here on others may have the body.
struct retired_bodies {
    static void leave(fiber::carrier& here, fiber::fiber& body, void*)
    {
        auto* const to = static_cast<retirement*>(static_cast<fiber::persona&>(body).user);
        if (to == nullptr && kept.keep(static_cast<sched::worker&>(here).index, body)) {
            return;
        }
        const std::scoped_lock hold(pool_lock);
        base::work*& list = to != nullptr ? to->bodies_ : pool;
        body.next = list;
        list = &body;
        if (to != nullptr) {
            ++to->arrived_;
        }
    }
};

namespace {

void live_as_persona(fiber::persona&)
{
    for (;;) {
        do_assignment();
        while (!sched::suspend(retired_bodies::leave, nullptr)) {
            // no memory for a scheduling loop: another light thread may come free.
            base::os::yield();
        }
    }
}

}  // namespace

base::work* acquire_bodies(unsigned count) noexcept
{
    base::work* first = nullptr;
    base::work** end = &first;
    unsigned missing = count;
    {
        const std::scoped_lock hold(pool_lock);
        for (; missing != 0 && pool != nullptr; --missing) {
            *end = pool;
            end = &pool->next;
            pool = pool->next;
        }
    }
    *end = nullptr;
    if (missing != 0) {
        int error = 0;
        *end = fiber::create_personas(missing, globals().stack_size, live_as_persona, error);
        if (error != 0) {
            // Members that shared the thread-local data of others would compute wrong results.
            give_up("Thread creation failed: {}", std::strerror(error));
        }
    }
    return first;
}

void assign(fiber::fiber& body, const assignment& a) noexcept
{
    // Nobody writes through it: do_assignment only reads.
    body.local = const_cast<assignment*>(&a);
}

fiber::fiber& acquire_body(const assignment& a) noexcept
{
    base::work* const near = kept.take(sched::this_worker()->index);
    auto& body = static_cast<fiber::fiber&>(near != nullptr ? *near : *acquire_bodies(1));
    assign(body, a);
    return body;
}

namespace {

void end_all(base::work* bodies) noexcept
{
    while (bodies != nullptr) {
        auto& body = static_cast<fiber::persona&>(static_cast<fiber::fiber&>(*bodies));
        bodies = bodies->next;
        fiber::end_persona(body);
    }
}

}  // namespace

void retirement::enrol_this_body() noexcept
{
    fiber::fiber& self = *sched::this_worker()->current;
    static_cast<fiber::persona&>(self).user = this;
    // relaxed: finish() is called by who has waited for us.
    enrolled_.fetch_add(1, std::memory_order_relaxed);
}

void retirement::finish() noexcept
{
    for (;;) {
        {
            const std::scoped_lock hold(pool_lock);
            // relaxed: see enrol_this_body.
            if (arrived_ == enrolled_.load(std::memory_order_relaxed)) {
                break;
            }
        }
        if (!sched::yield()) {
            base::os::yield();
        }
    }
    end_all(std::exchange(bodies_, nullptr));
}

void end_idle_bodies() noexcept
{
    base::work* all = nullptr;
    {
        const std::scoped_lock hold(pool_lock);
        all = std::exchange(pool, nullptr);
    }
    end_all(all);
    end_all(kept.take_all());
}

void reset_bodies_after_fork() noexcept
{
    kept.forget();
    pool = nullptr;
}

}  // namespace artel::openmp
