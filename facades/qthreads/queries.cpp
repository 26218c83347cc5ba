// Queries of a qthread about itself, its shepherd and its worker; yielding.
#include "base/log.hpp"
#include "fiber/stack_size.hpp"
#include "program.hpp"
#include "runtime.hpp"
#include "sched/guest_scope.hpp"
#include "task.hpp"
#include "team.hpp"

#include <cstdlib>
#include <cstring>

namespace artel::qthreads {
namespace {

constexpr unsigned short nobody = 0xffff;  // NO_SHEPHERD and NO_WORKER

unsigned workers_on(const runtime& r, unsigned shepherd)
{
    unsigned n = 0;
    for (unsigned i = 0; i < r.workers_per_shepherd; ++i) {
        // relaxed: a number that may change at any time.
        n += r.worker_on[shepherd * r.workers_per_shepherd + i].load(std::memory_order_relaxed);
    }
    return r.is_on(shepherd) ? n : 0;
}

unsigned shepherds_on(const runtime& r)
{
    unsigned n = 0;
    for (unsigned i = 0; i < r.shepherds; ++i) {
        n += r.is_on(i) ? 1 : 0;
    }
    return n;
}

unsigned all_workers_on(const runtime& r)
{
    unsigned n = 0;
    for (unsigned i = 0; i < r.shepherds; ++i) {
        n += workers_on(r, i);
    }
    return n;
}

const sched::stream* mine() noexcept
{
    return current() != nullptr ? own_stream() : nullptr;
}

// The number of the caller's worker within its shepherd, or (`unique`) among all workers. Sets the
// shepherd's number.
unsigned short worker_number(unsigned short* shepherd, bool unique)
{
    const sched::stream* const s = mine();
    if (shepherd != nullptr) {
        *shepherd = s != nullptr ? static_cast<unsigned short>(s->source->number) : nobody;
    }
    if (s == nullptr) {
        return nobody;
    }
    const unsigned each = s->group->streams() / s->group->pools();
    return static_cast<unsigned short>(unique ? s->number : s->number % each);
}

}  // namespace
}  // namespace artel::qthreads

using namespace artel::qthreads;  // this file is nothing but their functions

extern "C" {

unsigned qthread_id(void)
{
    const task* const me = caller();
    return me != nullptr ? static_cast<unsigned>(me->id) : 0;  // QTHREAD_NON_TASK_ID
}
unsigned short qthread_shep(void)
{
    const artel::sched::stream* const s = mine();
    return s != nullptr ? static_cast<unsigned short>(s->source->number) : nobody;
}
unsigned short qthread_worker(unsigned short* shepherd)
{
    return worker_number(shepherd, true);
}
// Counts from 1, as in the stock library; qthread_readstate counts from 0.
unsigned short qthread_worker_unique(unsigned short* shepherd)
{
    const unsigned short n = worker_number(shepherd, true);
    return n == nobody ? n : static_cast<unsigned short>(n + 1);
}
unsigned short qthread_worker_local(unsigned short* shepherd)
{
    return worker_number(shepherd, false);
}
unsigned short qthread_num_shepherds(void)
{
    return static_cast<unsigned short>(shepherds_on(needed("qthread_num_shepherds")));
}
unsigned short qthread_num_workers(void)
{
    return static_cast<unsigned short>(all_workers_on(needed("qthread_num_workers")));
}
unsigned short qthread_num_workers_local(unsigned short shepherd)
{
    const runtime& r = needed("qthread_num_workers_local");
    // Without a valid shepherd: the number that each has.
    return static_cast<unsigned short>(shepherd < r.shepherds ? workers_on(r, shepherd)
                                                              : r.workers_per_shepherd);
}

void qthread_yield_(int)
{
    if (self() == nullptr) {
        return;  // as documented: does nothing outside of qthreads
    }
    const artel::sched::guest_scope scope;
    artel::sched::yield_unit();
}

void qthread_flushsc(void) {}  // spawned qthreads are visible at once

int qthread_shep_ok(void)
{
    const artel::sched::stream* const s = mine();
    return s != nullptr && needed("qthread_shep_ok").is_on(s->source->number) ? 1 : 0;
}
void qthread_reset_target_shep(void)
{
    // relaxed: see next_shepherd.
    needed("qthread_reset_target_shep").next_shepherd.store(0, std::memory_order_relaxed);
}

int qthread_migrate_to(unsigned short shepherd)
{
    runtime& r = needed("qthread_migrate_to");
    if (self() != nullptr && is_the_program(*self())) {
        return -3;  // QTHREAD_NOT_ALLOWED: it stays with the first shepherd
    }
    if (self() == nullptr || (shepherd >= r.shepherds && shepherd != no_shepherd)) {
        return -1;  // QTHREAD_BADARGS
    }
    if (shepherd == no_shepherd || shepherd == qthread_shep()) {
        return 0;  // to no given shepherd, so it stays here
    }
    const artel::sched::guest_scope scope;
    artel::sched::move_to(r.pool_of(shepherd));
    return 0;
}

std::size_t qthread_stackleft(void)
{
    const artel::sched::worker* const w = artel::sched::this_worker();
    if (self() == nullptr || w->current->stack.low == nullptr) {
        return 0;
    }
    return static_cast<std::size_t>(static_cast<char*>(__builtin_frame_address(0)) -
                                    static_cast<char*>(w->current->stack.low));
}
// The top of the stack is where it grows to, its lowest address; the bottom is its highest.
void* qthread_tos(void)
{
    return self() != nullptr ? artel::sched::this_worker()->current->stack.low : nullptr;
}
void* qthread_bos(void)
{
    return self() != nullptr ? artel::sched::this_worker()->current->stack.high() : nullptr;
}
std::uint64_t* qthread_retloc(void)
{
    const task* const me = self();
    constexpr unsigned elsewhere = returns_syncvar | returns_sinc | returns_sinc_void;
    return me != nullptr && (me->flags & elsewhere) == 0 ? static_cast<std::uint64_t*>(me->result)
                                                         : nullptr;
}

unsigned qthread_size_tasklocal(void)
{
    const task* const me = self();
    if (me == nullptr) {
        return 0;
    }
    return static_cast<unsigned>(me->local != nullptr
                                     ? me->local_size
                                     : needed("qthread_size_tasklocal").in_force.task_local_size);
}
void* qthread_get_tasklocal(unsigned size)
{
    task* const me = self();
    if (me == nullptr) {
        return nullptr;
    }
    const std::size_t least = needed("qthread_get_tasklocal").in_force.task_local_size;
    const std::size_t wanted = size > least ? size : least;
    if (me->local == nullptr || me->local_size < wanted) {
        // Zeroes, which for large sizes are pages that nobody has touched.
        void* const grown = std::calloc(wanted, 1);
        if (grown == nullptr) {
            return nullptr;
        }
        if (me->local != nullptr) {
            std::memcpy(grown, me->local, me->local_size);
            std::free(me->local);
        }
        me->local = grown;
        me->local_size = wanted;
    }
    return me->local;
}

std::size_t qthread_readstate(int what)
{
    enum state {
        stack_size,
        runtime_data_size,
        busyness,
        node_busyness,
        active_shepherds,
        total_shepherds,
        active_workers,
        total_workers,
        worker_occupation,
        current_shepherd,
        current_worker,
        current_unique_worker,
        current_team,
        parent_team
    };
    constexpr auto unknown = static_cast<std::size_t>(-1);
    runtime& r = needed("qthread_readstate");
    const artel::sched::stream* const s = mine();
    switch (static_cast<state>(what)) {
    case stack_size: return artel::fiber::stack_size();
    case runtime_data_size: return sizeof(task);
    case busyness: return s != nullptr ? s->source->size() + 1 : unknown;
    case node_busyness: {
        std::size_t sum = 1;
        for (unsigned i = 0; i < r.shepherds; ++i) {
            sum += r.pool_of(i).size();
        }
        return sum;
    }
    case active_shepherds: return shepherds_on(r);
    case total_shepherds: return r.shepherds;
    case active_workers: return all_workers_on(r);
    case total_workers: return r.worker_on.size();
    case worker_occupation: return s != nullptr ? s->source->size() + 1 : 0;
    case current_shepherd: return s != nullptr ? s->source->number : nobody;
    case current_worker: return worker_number(nullptr, false);
    case current_unique_worker: return worker_number(nullptr, true);
    case current_team: return self() != nullptr ? self()->in->id : default_team().id;
    case parent_team:
        return self() != nullptr && self()->in->parent != nullptr ? self()->in->parent->id : 0;
    }
    return unknown;
}
}
