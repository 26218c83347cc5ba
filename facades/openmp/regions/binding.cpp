// Positions of members are computed here for each policy, and the order in which workers take the
// CPUs of the places; an OS thread is bound by keep_to.
#include "binding.hpp"

#include "base/options.hpp"
#include "fiber/fiber.hpp"
#include "foreign/thread_persona.hpp"
#include "linking/dialect.hpp"
#include "sched/crew.hpp"
#include "sched/placement.hpp"
#include "team/team.hpp"
#include "topology/topology.hpp"

#include <algorithm>
#include <atomic>
#include <new>
#include <sched.h>
#include <unistd.h>
#include <vector>

namespace artel::openmp {

namespace {

// The OS indices of all CPUs of the places, each once, in the order in which workers take them.
std::vector<unsigned> cpus_in_order(const global_icvs& g)
{
    std::vector<unsigned> all;
    for (const auto& place : g.places) {
        for (const unsigned cpu : place) {
            if (std::find(all.begin(), all.end(), cpu) == all.end()) {
                all.push_back(cpu);
            }
        }
    }
    if (g.proc_bind.front() != bind_spread || g.width >= all.size()) {
        return all;
    }
    std::vector<unsigned> spread;
    for (std::size_t i = 0; i < g.width; ++i) {
        spread.push_back(all[i * all.size() / g.width]);
    }
    return spread;
}

bool in_place(unsigned cpu, unsigned place) noexcept
{
    const auto& cpus = globals().places[place];
    return std::find(cpus.begin(), cpus.end(), cpu) != cpus.end();
}

thread_local bool initial_is_bound = false;  // set for an initial thread that is bound to its place

bool workers_are_bound() noexcept
{
    return globals().binds() && base::options().bind == base::bind_policy::automatic;
}

}  // namespace

bool on_own_thread() noexcept
{
    const auto* const carrier = fiber::this_tls().current_carrier;
    return carrier == nullptr || carrier->current->type == fiber::kind::bound;
}

unsigned procs_of_caller() noexcept
{
    const global_icvs& g = globals();
    if (g.binds() || programs_dialect().of_libomp || !on_own_thread()) {
        return g.num_procs;
    }
    cpu_set_t set;
    // Fails where the machine has more CPUs than the set has bits.
    return ::sched_getaffinity(0, sizeof set, &set) == 0
               ? std::max(1u, static_cast<unsigned>(CPU_COUNT(&set)))
               : g.num_procs;
}

void keep_to(std::span<const unsigned> cpus) noexcept
{
    cpu_set_t set;
    CPU_ZERO(&set);
    for (const unsigned cpu : cpus) {
        if (cpu < CPU_SETSIZE) {
            CPU_SET(cpu, &set);
        }
    }
    // after a failure the thread stays where it is, which is only slower.
    ::sched_setaffinity(0, sizeof set, &set);
}

place_position position_of(unsigned i, unsigned size, int policy, place_position master) noexcept
{
    const unsigned places = master.count;
    if (size == 1 || places == 0 || policy == bind_false || policy == bind_primary) {
        return master;
    }
    // With more members than places each place gets equally many consecutive members; the remaining
    // ones go one to each place, from the master's place on.
    const unsigned each = size / places;
    const unsigned turn = size <= places ? i : i < each * places ? i / each : i - each * places;
    const unsigned offset = master.place - master.first;
    if (policy != bind_spread) {
        return {master.first + (offset + turn) % places, master.first, master.count};
    }
    if (size > places) {
        const unsigned place = master.first + (offset + turn) % places;
        return {place, place, 1};
    }
    // One part of the partition per member, of which the first `longer` have one place more; the
    // master's part contains its place.
    const unsigned length = places / size;
    const unsigned longer = places % size;
    const unsigned in_longer = longer * (length + 1);
    const unsigned of_master = offset < in_longer ? offset / (length + 1)
                                                  : longer + (offset - in_longer) / length;
    const unsigned part = (of_master + i) % size;
    const unsigned first = master.first + part * length + std::min(part, longer);
    return {i == 0 ? master.place : first, first, length + (part < longer ? 1 : 0)};
}

place_position initial_position() noexcept
{
    const auto places = static_cast<unsigned>(globals().places.size());
    if (places == 0 || !programs_dialect().of_libomp) {
        return {0, 0, places};
    }
    static constinit std::atomic<unsigned> initial_threads{0};
    // relaxed: only a number.
    return {initial_threads.fetch_add(1, std::memory_order_relaxed) % places, 0, places};
}

void bind_as_asked() noexcept
{
    static std::atomic<bool> done{false};
    if (!workers_are_bound() ||
        // relaxed: it does not matter which thread is first.
        done.exchange(true, std::memory_order_relaxed)) {
        return;
    }
    try {
        sched::prefer_cpus(cpus_in_order(globals()));
    } catch (const std::bad_alloc&) {
        return;
    }
    if (::gettid() == ::getpid() && !programs_dialect().of_libomp) {
        keep_to(globals().places.front());
    }
}

bool bind_initial(place_position where) noexcept
{
    if (!workers_are_bound() || !programs_dialect().of_libomp) {
        return false;
    }
    if (!initial_is_bound) {
        keep_to(globals().places[where.place]);
        initial_is_bound = true;
    }
    return globals().kmp.affinity.reset;
}

void free_initial() noexcept
{
    keep_to(topology::inherited_affinity());
    initial_is_bound = false;
}

void bind_member_thread(place_position where) noexcept
{
    static thread_local unsigned bound_to = ~0u;
    if (where.count == 0 || where.place == bound_to || !workers_are_bound()) {
        return;
    }
    bound_to = where.place;
    keep_to(globals().places[where.place]);
}

void find_homes(member* members, unsigned size) noexcept
{
    for (unsigned i = 1; i < size; ++i) {
        members[i].home = nullptr;
    }
    if (!workers_are_bound() || foreign::members_are_threads()) {
        return;
    }
    struct candidate {
        sched::worker* who;
        unsigned load;
    };
    try {
        sched::crew& crew = sched::crew::get();
        const unsigned width = std::min(crew.width(), size);
        std::vector<candidate> candidates{{sched::this_worker(), 1}};
        for (unsigned i = 0; i + 1 < width; ++i) {
            if (sched::worker* const w = crew.own_worker(i); w != nullptr) {
                candidates.push_back({w, 0});
            }
        }
        for (unsigned i = 1; i < size; ++i) {
            const unsigned place = members[i].where.place;
            candidate* best = nullptr;
            for (candidate& c : candidates) {
                const bool masters = &c == candidates.data();
                const bool fits = masters
                                      ? place == members[0].where.place
                                      : in_place(sched::cpu_of_seat(c.who->seat).os_index, place);
                if (fits && (best == nullptr || c.load < best->load)) {
                    best = &c;
                }
            }
            if (best != nullptr) {
                ++best->load;
                members[i].home = best->who;
            }
        }
    } catch (const std::bad_alloc&) {
        // as without binding
    }
}

}  // namespace artel::openmp
