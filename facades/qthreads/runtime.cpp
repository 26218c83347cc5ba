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
#include <pthread.h>
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
const fiber::tls_block* programs_thread = nullptr;  // the thread whose qthread that is

// In the child of a fork, until it has a runtime of its own: the parent's. release and acquire: who
// sees that it has become nullptr sees the child's runtime.
std::atomic<const runtime*> of_the_parent{nullptr};
// Whether the thread forks in another qthread than the program's, which its thread may carry.
thread_local bool forks_in_other = false;
// The thread that forked; written while the child has one thread.
const fiber::tls_block* forked = nullptr;
// The child's runtime, if another thread needed it first: the thread that forked is still to become
// its program's qthread. relaxed: written before the runtime is published, and then only that
// thread cares.
std::atomic<runtime*> awaits_program{nullptr};

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

// For the numbers in `r`; all of them are on.
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
}

// Makes the program's qthread for the calling thread. With `again`, in the child of a fork, it
// keeps the values of its keys if it was that already.
void make_program(bool again)
{
    const fiber::tls_block* const here = &fiber::this_tls();
    if (of_the_program == nullptr || !again || programs_thread != here) {
        of_the_program = new (room_for_the_program) task;
        of_the_program->id = 1;
        of_the_program->in = &default_team();
        programs_thread = here;
    }
}

// The runtime is in force. With `joins` the calling thread becomes the program's qthread.
void begin(runtime& r, bool joins, bool again)
{
    sched::crew::get().start_monitor();
    if (joins) {
        make_program(again);
        r.joined = r.group->join(*of_the_program);
    }
    r.before = std::exchange(last_made, &r);
    the_runtime.store(&r, std::memory_order_release);  // release: see the declaration
}

void before_fork()
{
    const task* const me = self();
    forks_in_other = me != nullptr && !is_the_program(*me);
}

// A child has neither the threads that carried the streams nor the qthreads that ran on them, and
// locks and queues of streams are as others left them. So it gets streams of its own, when it first
// needs some: one that only executes another program needs none.
void after_fork_in_child()
{
    new (&changing) base::spinlock;
    new (&groups) std::vector<sched::stream_group*>;  // another thread may have been changing it
    // relaxed, all: there is one thread.
    if (const runtime* const r = the_runtime.exchange(nullptr, std::memory_order_relaxed);
        r != nullptr) {
        of_the_parent.store(r, std::memory_order_relaxed);
    }
    awaits_program.store(nullptr, std::memory_order_relaxed);
    forked = &fiber::this_tls();
    if (forks_in_other) {
        programs_thread = nullptr;
    }
}

[[maybe_unused]] const int fork_handler = ::pthread_atfork(before_fork, nullptr,
                                                           after_fork_in_child);

// The child's runtime, like the parent's: without its qthreads, and with all shepherds and workers
// enabled. Who has forked is its program, now or at its own first call.
[[gnu::noinline, gnu::cold]] runtime* make_again() noexcept
{
    const std::scoped_lock hold(changing);
    // relaxed: under the lock.
    const runtime* const like = of_the_parent.load(std::memory_order_relaxed);
    if (like == nullptr) {
        return the_runtime.load(std::memory_order_relaxed);  // relaxed: another caller was faster
    }
    try {
        auto* const r = new runtime;
        r->in_force = like->in_force;
        r->shepherds = like->shepherds;
        r->workers_per_shepherd = like->workers_per_shepherd;
        // relaxed, both: only a number.
        r->last_id.store(like->last_id.load(std::memory_order_relaxed), std::memory_order_relaxed);
        make_streams(*r);
        const bool is_program = &fiber::this_tls() == forked;
        // relaxed: see there.
        awaits_program.store(is_program ? nullptr : r, std::memory_order_relaxed);
        begin(*r, is_program, true);
        of_the_parent.store(nullptr, std::memory_order_release);  // release: see the declaration
        return r;
    } catch (const std::bad_alloc&) {
        base::fatal("out of memory for the shepherds of a process that was forked");
    }
}

// The thread that forked becomes the program's qthread after another thread of the child has made
// the runtime. Not while it runs a unit: its own context comes later.
[[gnu::noinline, gnu::cold]] void join_late(runtime& r) noexcept
{
    if (&fiber::this_tls() != forked || sched::this_unit() != nullptr) {
        return;
    }
    {
        const std::scoped_lock hold(changing);
        // relaxed: see there. Another thread may have ended the runtime.
        if (awaits_program.exchange(nullptr, std::memory_order_relaxed) != &r) {
            return;
        }
        make_program(true);
        r.joined = true;  // from here on only the caller ends it
    }
    r.group->join(*of_the_program);  // may wait for the stream
}

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
    if (current() != nullptr) {
        return 0;
    }
    const std::scoped_lock hold(changing);
    if (the_runtime.load(std::memory_order_relaxed) != nullptr) {  // relaxed: under the lock
        return 0;
    }
    try {
        begin(*make(), true, false);
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
        (r->joined && self() != of_the_program)) {
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
