// qthread_initialize and qthread_finalize.
#include "runtime.hpp"

#include "base/log.hpp"
#include "fiber/stack_size.hpp"
#include "sched/crew.hpp"
#include "team.hpp"
#include "topology/topology.hpp"

#include <algorithm>
#include <cstdlib>
#include <mutex>
#include <new>
#include <set>
#include <string>
#include <utility>

namespace artel::qthreads {
namespace {

// release and acquire: publish the runtime as it was made.
std::atomic<runtime*> the_runtime{nullptr};
base::spinlock changing;
// Streams are kept: units of a runtime that has ended may still hold some.
std::vector<sched::stream_group*> groups;
// Never destroyed: it is read until the process ends.
alignas(task) unsigned char room_for_the_program[sizeof(task)];
task* of_the_program = nullptr;

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
    r->shepherd_on = std::vector<std::atomic<bool>>(r->shepherds);
    const unsigned workers = r->shepherds * r->workers_per_shepherd;
    std::vector<std::atomic<bool>> all(workers);
    r->worker_on.swap(all);
    for (auto* flags : {&r->shepherd_on, &r->worker_on}) {
        for (std::atomic<bool>& on : *flags) {
            on.store(true, std::memory_order_relaxed);  // relaxed: nobody else knows it yet
        }
    }
    r->group = group_of(r->shepherds, r->workers_per_shepherd);
    if (s.info != 0) {
        base::warn("Qthreads interface: {} shepherds with {} workers each", r->shepherds,
                   r->workers_per_shepherd);
    }
    return r;
}

}  // namespace

runtime* current() noexcept
{
    return the_runtime.load(std::memory_order_acquire);  // acquire: see the declaration
}

runtime& needed(const char* caller) noexcept
{
    runtime* const r = current();
    if (r == nullptr) {
        base::fatal("{} was called before qthread_initialize", caller);
    }
    return *r;
}

bool is_the_program(const task& t) noexcept
{
    return &t == of_the_program;
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
    const std::scoped_lock hold(changing);
    if (current() != nullptr) {
        return 0;
    }
    try {
        runtime* const r = make();
        sched::crew::get().start_monitor();
        of_the_program = new (room_for_the_program) task;
        of_the_program->id = 1;
        of_the_program->in = &default_team();
        r->joined = r->group->join(*of_the_program);
        r->before = std::exchange(last_made, r);
        the_runtime.store(r, std::memory_order_release);  // release: see the declaration
    } catch (const std::bad_alloc&) {
        return 12;  // ENOMEM, which is QTHREAD_MALLOC_ERROR
    }
    return 0;
}

void finalize() noexcept
{
    const std::scoped_lock hold(changing);
    runtime* const r = current();
    if (r == nullptr || (r->joined && self() != of_the_program)) {
        return;
    }
    // Never deleted: qthreads that the program has left behind may read it.
    the_runtime.store(nullptr, std::memory_order_release);  // release: see the declaration
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
