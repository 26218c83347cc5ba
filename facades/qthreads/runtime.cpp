// qthread_initialize and qthread_finalize.
#include "runtime.hpp"

#include "base/log.hpp"
#include "fiber/stack_size.hpp"
#include "forked_runtime.hpp"
#include "program.hpp"
#include "runtime_state.hpp"
#include "sched/crew.hpp"
#include "topology/topology.hpp"

#include <algorithm>
#include <cstdlib>
#include <mutex>
#include <new>
#include <set>
#include <string>
#include <utility>

namespace artel::qthreads {

constinit std::atomic<runtime*> the_runtime{nullptr};
base::spinlock changing;
std::vector<sched::stream_group*> groups;

namespace {

unsigned numa_nodes()
{
    std::set<unsigned> nodes;
    for (const topology::cpu& c : topology::this_machine().cpus) {
        nodes.insert(c.numa);
    }
    return static_cast<unsigned>(std::max<std::size_t>(nodes.size(), 1));
}

sched::stream_group* group_of(unsigned shepherds, unsigned workers)
{
    for (sched::stream_group* const g : groups) {
        if (g->pools() == shepherds && g->streams() == shepherds * workers) {
            return g;
        }
    }
    groups.push_back(new sched::stream_group(shepherds, workers));
    return groups.back();
}

runtime* last_made = nullptr;  // guarded by `changing`; links to the others

runtime* make()
{
    auto* const r = new runtime;
    r->in_force = read_settings();
    settings& s = r->in_force;
    // When it is too late for the size, only QT_INFO reports it: most programs need less, and the
    // message of a stack overflow says how to enlarge stacks.
    if (!fiber::ask_for_stacks(s.stack_size) && s.info != 0) {
        base::warn(
            "Qthreads interface: stacks of {} bytes are in use, QT_STACK_SIZE={} has no "
            "effect; ARTEL_STACK_SIZE would",
            fiber::stack_size(), s.stack_size);
    }
    const unsigned cpus = sched::crew::get().width();
    r->shepherds = static_cast<unsigned>(s.shepherds != 0 ? s.shepherds
                                                          : std::min(numa_nodes(), cpus));
    if (s.workers_per_shepherd != 0) {
        r->workers_per_shepherd = static_cast<unsigned>(s.workers_per_shepherd);
    } else {
        const unsigned long all = s.workers != 0 ? s.workers : cpus;
        r->workers_per_shepherd = static_cast<unsigned>(
            std::max<unsigned long>(all / r->shepherds, 1));
    }
    make_streams(*r);
    if (s.info != 0) {
        base::warn("Qthreads interface: {} shepherds with {} workers each", r->shepherds,
                   r->workers_per_shepherd);
    }
    return r;
}

}  // namespace

void make_streams(runtime& r)
{
    r.shepherd_on = std::vector<std::atomic<bool>>(r.shepherds);
    std::vector<std::atomic<bool>> all(std::size_t{r.shepherds} * r.workers_per_shepherd);
    r.worker_on.swap(all);
    for (auto* flags : {&r.shepherd_on, &r.worker_on}) {
        for (std::atomic<bool>& on : *flags) {
            on.store(true, std::memory_order_relaxed);  // relaxed: nobody else knows it yet
        }
    }
    r.group = group_of(r.shepherds, r.workers_per_shepherd);
    // As an earlier runtime may have left them.
    for (unsigned i = 0; i < r.shepherds; ++i) {
        r.pool_of(i).redirect(nullptr);
    }
    for (unsigned i = 0; i < r.worker_on.size(); ++i) {
        r.group->enable(r.group->stream_at(i), true);
    }
}

void put_in_force(runtime& r, bool joins, bool again)
{
    sched::crew::get().start_monitor();
    if (joins) {
        r.joined = r.group->join(make_program(again));
    }
    r.before = std::exchange(last_made, &r);
    the_runtime.store(&r, std::memory_order_release);  // release: see the declaration
}

runtime* current() noexcept
{
    runtime* r = the_runtime.load(std::memory_order_acquire);  // acquire: see the declaration
    if (r == nullptr) [[unlikely]] {
        // acquire, both: see of_the_parent. Another thread may have made the runtime in between.
        r = of_the_parent.load(std::memory_order_acquire) != nullptr
                ? make_again()
                : the_runtime.load(std::memory_order_acquire);
    }
    // relaxed: see there.
    if (awaits_program.load(std::memory_order_relaxed) != nullptr) [[unlikely]] {
        if (r != nullptr) {
            join_late(*r);
        }
    }
    return r;
}

task* caller() noexcept
{
    task* const me = self();
    return me == nullptr && current() != nullptr ? self() : me;
}

runtime& needed(const char* caller) noexcept
{
    runtime* const r = current();
    if (r == nullptr) {
        base::fatal("{} was called before qthread_initialize", caller);
    }
    return *r;
}

bool runtime::is_on(unsigned shepherd) const noexcept
{
    // acquire: pairs with qthread_disable_shepherd.
    return shepherd_on[shepherd].load(std::memory_order_acquire);
}

unsigned runtime::instead_of(unsigned shepherd) const noexcept
{
    for (unsigned i = 0; i < shepherds; ++i) {
        if (is_on((shepherd + i) % shepherds)) {
            return (shepherd + i) % shepherds;
        }
    }
    return 0;
}

int initialize() noexcept
{
    if (current() != nullptr) {
        return 0;
    }
    const std::scoped_lock hold(changing);
    if (the_runtime.load(std::memory_order_relaxed) != nullptr) {  // relaxed: under the lock
        return 0;
    }
    try {
        put_in_force(*make(), true, false);
    } catch (const std::bad_alloc&) {
        return 12;  // ENOMEM, which is QTHREAD_MALLOC_ERROR
    }
    return 0;
}

void finalize() noexcept
{
    runtime* const r = current();
    const std::scoped_lock hold(changing);
    // relaxed: under the lock. Another caller may have been faster.
    if (r == nullptr || the_runtime.load(std::memory_order_relaxed) != r ||
        (r->joined && (self() == nullptr || !is_the_program(*self())))) {
        return;
    }
    // Never deleted: qthreads that the program has left behind may read it.
    the_runtime.store(nullptr, std::memory_order_release);     // release: see the declaration
    awaits_program.store(nullptr, std::memory_order_relaxed);  // relaxed: see there
    if (r->joined) {
        r->group->leave();
    }
}

}  // namespace artel::qthreads

extern "C" {

int qthread_initialize(void)
{
    return artel::qthreads::initialize();
}
// As documented it sets the environment variable, so the number holds for later runtimes, too. Its
// shepherds have one worker each: programs rely on qthread_init(1) for serial execution.
int qthread_init(unsigned short shepherds)
{
    ::setenv("QT_NUM_SHEPHERDS", std::to_string(shepherds).c_str(), 1);
    ::setenv("QT_NUM_WORKERS_PER_SHEPHERD", "1", 1);
    return artel::qthreads::initialize();
}
void qthread_finalize(void)
{
    artel::qthreads::finalize();
}
}
