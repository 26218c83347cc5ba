// The life of a qthread: it is created, may wait for preconditions, runs, delivers its result, and
// is freed.
#include "spawn.hpp"
#include "task.hpp"

#include "base/log.hpp"
#include "base/thread_end.hpp"
#include "sinc.hpp"
#include "syncvar.hpp"
#include "team.hpp"

#include <artel/detail/block.hpp>
#include <cstdlib>
#include <cstring>
#include <new>

namespace artel::qthreads {
namespace {

void destroy(task* t) noexcept
{
    std::free(t->copied);
    std::free(t->local);
    std::free(t->preconditions);
    t->~task();
    artel::detail::free_block(t, sizeof(task));
}

void run(void*, base::work& self)
{
    task* const t = static_cast<task*>(&static_cast<sched::unit&>(self));
    std::uint64_t value = 0;
    base::call_program([&] {
        value = t->body(t->argument);
        end_specifics(t->kept);
    });
    team& in = *t->in;
    if (t->founder) {
        in.value = value;
    } else {
        deliver(t->flags, t->result, value);
    }
    leave(in);
    destroy(t);  // last: until here self() finds it
}

// Waits for the first precondition that is not full; when all are, puts the task into its pool.
void check_preconditions(task& t) noexcept
{
    while (t.preconditions_left != 0) {
        void* const next = t.preconditions[--t.preconditions_left];
        const bool waits = (t.flags & awaits_syncvars) != 0
                               ? call_when_full(*static_cast<syncvar*>(next), t.precondition)
                               : sched::feb::call_when_full(static_cast<sched::feb::word*>(next),
                                                            t.precondition);
        if (waits) {
            return;  // the task may be running already
        }
    }
    t.home->push(t);
}

void precondition_full(sched::feb::callback& c) noexcept
{
    check_preconditions(*static_cast<task::awaited&>(c).of);
}

void make_empty(unsigned flags, void* result) noexcept
{
    if (result == nullptr || (flags & (returns_sinc | returns_sinc_void)) != 0) {
        return;
    }
    if ((flags & returns_syncvar) != 0) {
        empty(*static_cast<syncvar*>(result));
    } else {
        sched::feb::empty(static_cast<sched::feb::word*>(result));
    }
}

}  // namespace

const task* waiting_to_begin(const artel::detail::feb_waiter& w) noexcept
{
    const auto* const c = sched::feb::as_callback(w);
    return c != nullptr && c->call == precondition_full ? static_cast<const task::awaited*>(c)->of
                                                        : nullptr;
}

void deliver(unsigned flags, void* result, std::uint64_t value) noexcept
{
    if (result == nullptr) {
        return;
    }
    if ((flags & returns_syncvar) != 0) {
        write_f(*static_cast<syncvar*>(result), value);
    } else if ((flags & returns_sinc) != 0) {
        submit(*static_cast<sinc*>(result), &value);
    } else if ((flags & returns_sinc_void) != 0) {
        submit(*static_cast<sinc*>(result), nullptr);
    } else {
        sched::feb::write_f(static_cast<sched::feb::word*>(result), value);
    }
}

int spawn(task_function f, const void* argument, std::size_t argument_size, void* result,
          std::size_t count, void** preconditions, shepherd_id target, unsigned flags) noexcept
{
    runtime& r = needed("qthread_spawn");
    if (f == nullptr) {
        return -1;  // QTHREAD_BADARGS
    }
    task* t = nullptr;
    try {
        t = new (artel::detail::allocate_block(sizeof(task))) task;
        t->argument = const_cast<void*>(argument);
        if (argument_size != 0) {
            t->copied = std::malloc(argument_size);
            if (t->copied == nullptr) {
                throw std::bad_alloc();
            }
            t->argument = std::memcpy(t->copied, argument, argument_size);
        }
        // The stock library's own callers put the number before the pointers.
        if (count != 0 && reinterpret_cast<std::uintptr_t>(preconditions[0]) == count) {
            ++preconditions;
        }
        if (count != 0) {
            t->preconditions = static_cast<void**>(std::malloc(count * sizeof(void*)));
            if (t->preconditions == nullptr) {
                throw std::bad_alloc();
            }
            std::memcpy(t->preconditions, preconditions, count * sizeof(void*));
            t->preconditions_left = count;
            t->precondition.of = t;
            t->precondition.call = precondition_full;
        }
        t->run = run;
        t->body = f;
        t->result = result;
        t->flags = flags;
        // relaxed: see last_id.
        t->id = r.last_id.fetch_add(1, std::memory_order_relaxed) + 1;
        task* const parent = self();
        team& own = parent != nullptr ? *parent->in : default_team();
        if ((flags & (new_team | new_subteam)) != 0) {
            t->in = found_team(*t, (flags & new_subteam) != 0 ? &own : nullptr);
            t->founder = true;
        } else {
            t->in = &own;
            enter(own);
        }
    } catch (const std::bad_alloc&) {
        if (t != nullptr) {
            destroy(t);
        }
        return 12;  // ENOMEM, which is QTHREAD_MALLOC_ERROR
    }
    unsigned where = 0;
    if (target != no_shepherd) {
        where = target % r.shepherds;
        t->stays = true;
    } else if (const sched::stream* const s = own_stream(); s != nullptr) {
        where = s->source->number;
    } else {
        // relaxed: see next_shepherd.
        where = r.next_shepherd.fetch_add(1, std::memory_order_relaxed) % r.shepherds;
    }
    t->home = &r.pool_of(where);
    make_empty(flags, result);
    check_preconditions(*t);  // from here on the task may have ended
    return 0;
}

}  // namespace artel::qthreads
