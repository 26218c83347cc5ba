// The CPUs on which workers run: where they start, what they are bound to, and how they avoid each
// other.
//
// By default nothing is bound within one cache group: external threads move freely, and a worker
// bound to the CPU on which the main thread happens to run would share it. But the kernel often
// puts a new or woken thread on the CPU of the thread that made or woke it, and on a machine with
// other programs its balancer may take 100 ms to see that the two disturb each other. So threads
// are started on CPUs that no other worker uses, and those that find that they share one (spin.hpp)
// move. Affinity masks stay as the program made them.
#include "sched/placement.hpp"

#include "base/options.hpp"
#include "base/os/keep_errno.hpp"
#include "fiber/persona.hpp"
#include "sched/crew.hpp"
#include "sched/guest_scope.hpp"
#include "topology/topology.hpp"

#include <algorithm>
#include <memory>
#include <new>
#include <sched.h>

namespace artel::sched {
namespace {

constexpr std::uint64_t rest_after_move = 4000;  // us; moves are for placements that last

// The CPUs of prefer_cpus. Never freed: workers read it.
std::atomic<const std::vector<topology::cpu>*> preferred{nullptr};

const std::vector<topology::cpu>* preferred_cpus() noexcept
{
    return preferred.load(std::memory_order_acquire);  // acquire: pairs with prefer_cpus
}

// Leaves in `cpus` those of this machine that share a cache with the CPU `here`, as threads that
// interact often should; all of this machine if none of them does.
void keep_near(cpu_set_t& cpus, int here) noexcept
{
    const auto& all = topology::this_machine().cpus;
    const auto at_here = std::find_if(all.begin(), all.end(), [here](const topology::cpu& c) {
        return static_cast<int>(c.os_index) == here;
    });
    cpu_set_t usable;
    cpu_set_t near;
    CPU_ZERO(&usable);
    CPU_ZERO(&near);
    for (const topology::cpu& c : all) {
        if (c.os_index < CPU_SETSIZE && CPU_ISSET(c.os_index, &cpus)) {
            CPU_SET(c.os_index, &usable);
            if (at_here != all.end() && c.l3 == at_here->l3) {
                CPU_SET(c.os_index, &near);
            }
        }
    }
    cpus = CPU_COUNT(&near) != 0 ? near : usable;
}

// The n-th CPU of the set, from 0; there are more than n.
unsigned nth_of(const cpu_set_t& cpus, unsigned n) noexcept
{
    unsigned cpu = 0;
    for (;; ++cpu) {
        if (CPU_ISSET(cpu, &cpus) && n-- == 0) {
            return cpu;
        }
    }
}

// Moves the calling thread to that CPU, if it may be used. The affinity mask is `allowed` before
// and after.
bool move_to(unsigned cpu, const cpu_set_t& allowed) noexcept
{
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(cpu, &one);
    if (::sched_setaffinity(0, sizeof one, &one) != 0) {
        return false;
    }
    ::sched_setaffinity(0, sizeof allowed, &allowed);
    return true;
}

}  // namespace

const topology::cpu& cpu_of_seat(unsigned index) noexcept
{
    const auto* const chosen = preferred_cpus();
    const auto& cpus = chosen != nullptr ? *chosen : topology::this_machine().cpus;
    return cpus[index % cpus.size()];
}

void prefer_cpus(const std::vector<unsigned>& os_indices)
{
    auto chosen = std::make_unique<std::vector<topology::cpu>>();
    for (const unsigned wanted : os_indices) {
        const auto& all = topology::this_machine().cpus;
        const auto found = std::find_if(
            all.begin(), all.end(), [&](const topology::cpu& c) { return c.os_index == wanted; });
        if (found != all.end()) {
            chosen->push_back(*found);
        }
    }
    if (!chosen->empty()) {
        // release: pairs with preferred_cpus.
        preferred.store(chosen.release(), std::memory_order_release);
    }
}

unsigned usable_cpus() noexcept
{
    const auto* const chosen = preferred_cpus();
    const unsigned all = topology::this_machine().effective_cpus;
    return chosen != nullptr ? std::min(all, static_cast<unsigned>(chosen->size())) : all;
}

// Binds the calling thread to its CPU or cache group, as the options say.
void crew_placement::bind(const worker& w) const noexcept
{
    const topology::machine& machine = topology::this_machine();
    const base::bind_policy policy = base::options().bind;
    const bool to_preferred = policy == base::bind_policy::automatic && preferred_cpus() != nullptr;
    if (policy == base::bind_policy::none ||
        (policy == base::bind_policy::automatic && machine.l3s <= 1 && !to_preferred)) {
        return;
    }
    std::size_t bits = 0;
    for (const topology::cpu& c : machine.cpus) {
        bits = std::max<std::size_t>(bits, c.os_index + 1);
    }
    cpu_set_t* const set = CPU_ALLOC(bits);
    if (set == nullptr) {
        return;
    }
    const std::size_t bytes = CPU_ALLOC_SIZE(bits);
    CPU_ZERO_S(bytes, set);
    const topology::cpu& mine = cpu_of_seat(w.seat);
    for (const topology::cpu& c : machine.cpus) {
        const bool same = to_preferred || policy == base::bind_policy::threads
                              ? c.os_index == mine.os_index
                          : policy == base::bind_policy::cores ? c.core == mine.core
                          : policy == base::bind_policy::numa  ? c.numa == mine.numa
                                                               : c.l3 == mine.l3;
        if (same) {
            CPU_SET_S(c.os_index, bytes, set);
        }
    }
    // a failure leaves the thread unbound, which is only slower.
    ::sched_setaffinity(0, bytes, set);
    CPU_FREE(set);
}

bool crew_placement::note_cpu(worker& w) noexcept
{
    const int cpu = ::sched_getcpu();
    // relaxed (two): a hint. Checked first, because others may share the line.
    if (w.cpu.load(std::memory_order_relaxed) == cpu) {
        return false;
    }
    w.cpu.store(cpu, std::memory_order_relaxed);
    return true;
}

void crew_placement::note_cpu_of_waker() noexcept
{
    if (worker* const here = this_worker(); here != nullptr && !outside_scope(*here)) {
        note_cpu(*here);
    }
}

bool crew_placement::shares_cpu(worker& w) const noexcept
{
    note_cpu(w);
    const int cpu = w.cpu.load(std::memory_order_relaxed);  // relaxed: our own
    if (cpu < 0) {
        return false;
    }
    if (fiber::unborn_personas() != 0) {
        return true;
    }
    return any_worker([&](const worker& other) {
        const int its = other.cpu.load(std::memory_order_relaxed);  // relaxed: a hint
        return (its == cpu || its == worker::unknown_cpu) && &other != &w && !other.bed.is_parked();
    });
}

// The CPUs of `allowed` on which no thread of the crew, `except` apart, was last seen. False when
// there is none: then the kernel decides.
bool crew_placement::unused_cpus(const worker* except, const cpu_set_t& allowed,
                                 cpu_set_t& unused) const noexcept
{
    unused = allowed;
    any_worker([&](const worker& other) {
        const int its = other.cpu.load(std::memory_order_relaxed);  // relaxed: a hint
        if (&other != except && its >= 0 && its < CPU_SETSIZE && !other.bed.is_parked()) {
            CPU_CLR(static_cast<unsigned>(its), &unused);
        }
        return false;
    });
    return CPU_COUNT(&unused) != 0;
}

void crew_placement::leave_shared_cpu(worker& w) const noexcept
{
    const std::uint64_t now = base::cycles();
    const int here = w.cpu.load(std::memory_order_relaxed);  // relaxed: our own
    if (w.kind == role::guest || here < 0 ||
        (w.moved != 0 && now - w.moved < rest_after_move * base::cycles_per_microsecond()) ||
        !another_is_on(w, here)) {
        return;
    }
    w.moved = now;
    const base::os::keep_errno guard;
    cpu_set_t allowed;
    cpu_set_t unused;
    // A failure: more CPUs than a cpu_set_t can hold.
    if (::sched_getaffinity(0, sizeof allowed, &allowed) != 0 ||
        !unused_cpus(nullptr, allowed, unused)) {
        return;
    }
    keep_near(unused, here);
    // Several may look at the same time, and see the same CPUs unused: each begins at another one.
    const auto number = static_cast<unsigned>(CPU_COUNT(&unused));
    for (unsigned tried = 0; tried < number; ++tried) {
        const unsigned to = nth_of(unused, (w.index + tried) % number);
        // seq_cst: of two workers that choose the same CPU at once, at least one sees the other.
        w.cpu.store(static_cast<int>(to), std::memory_order_seq_cst);
        if (!another_is_on(w, static_cast<int>(to)) && move_to(to, allowed)) {
            w.moves.add();
            return;
        }
    }
    w.cpu.store(here, std::memory_order_relaxed);  // relaxed: a hint
}

bool crew_placement::another_is_on(const worker& w, int cpu) const noexcept
{
    return any_worker([&](const worker& other) {
        // seq_cst: see leave_shared_cpu
        return other.cpu.load(std::memory_order_seq_cst) == cpu && &other != &w &&
               !other.bed.is_parked();
    });
}

void crew_placement::leave_cpu_if_shared(worker& w) const noexcept
{
    note_cpu(w);
    if (!oversubscribed()) {
        leave_shared_cpu(w);
    }
}

void crew_placement::start_apart(worker& w, pthread_attr_t& attributes) const noexcept
{
    if (worker* const maker = this_worker(); maker != nullptr) {
        note_cpu(*maker);
    }
    // A worker that comes back may be woken by any thread of the program, and keeps the mask.
    const bool the_programs = w.away && program_cpus_known_;
    if (the_programs) {
        ::pthread_attr_setaffinity_np(&attributes, sizeof program_cpus_, &program_cpus_);
    }
    cpu_set_t unused;
    w.mask_at_start.reset(new (std::nothrow) cpu_set_t(program_cpus_));
    if (w.mask_at_start == nullptr ||
        (!the_programs &&
         ::sched_getaffinity(0, sizeof *w.mask_at_start, w.mask_at_start.get()) != 0) ||
        !unused_cpus(&w, *w.mask_at_start, unused) ||
        ::pthread_attr_setaffinity_np(&attributes, sizeof unused, &unused) != 0) {
        w.mask_at_start.reset();
    }
}

void crew_placement::take_program_cpus() noexcept
{
    // A failure leaves the thread where it is: none of those CPUs may be used any more.
    if (const crew* const c = made(); c != nullptr && c->program_cpus_known_) {
        ::sched_setaffinity(0, sizeof c->program_cpus_, &c->program_cpus_);
    }
}

void crew_placement::leave_start_mask(worker& w) noexcept
{
    if (w.mask_at_start != nullptr) {
        ::sched_setaffinity(0, sizeof *w.mask_at_start, w.mask_at_start.get());
        w.mask_at_start.reset();
    }
}

void crew_placement::settle_down(worker& w) const noexcept
{
    bind(w);
    // Threads that start at once are often put on the same unused CPU.
    leave_cpu_if_shared(w);
}

}  // namespace artel::sched
