// Creation of qarrays, and the owners of their segments.
#include "qarray.hpp"
#include "program.hpp"
#include "task.hpp"

#include "foreign/fork_safe_lock.hpp"
#include "sched/guest_scope.hpp"

#include <algorithm>
#include <mutex>
#include <new>
#include <sys/mman.h>
#include <unistd.h>

namespace artel::qthreads {
namespace {

// How many segments each shepherd has, for the distributions that choose the shepherd with the
// fewest.
foreign::fork_safe_lock counting;
std::vector<std::size_t> segments_on;

void count(const owned_qarray& a, bool made)
{
    const std::scoped_lock hold(counting);
    for (const auto& o : a.owners) {
        const shepherd_id s = o.load(std::memory_order_relaxed);  // relaxed: see the declaration
        segments_on[s] += made ? 1 : std::size_t(-1);
    }
}

unsigned with_least(unsigned shepherds)
{
    return static_cast<unsigned>(
        std::min_element(segments_on.begin(), segments_on.begin() + shepherds) -
        segments_on.begin());
}

unsigned here() noexcept
{
    const sched::stream* const s = own_stream();
    return s != nullptr ? s->source->number : 0;
}

// A pseudo-random number, another one for each call.
std::uint64_t chance() noexcept
{
    static std::atomic<std::uint64_t> calls{0};
    // relaxed: numbers only need to differ.
    std::uint64_t x = calls.fetch_add(0x9e3779b97f4a7c15u, std::memory_order_relaxed);
    x = (x ^ x >> 31) * 0xd6e8feb86659fd93u;
    return x ^ x >> 32;
}

// Distributes the segments. The lock over the counts is held while the shepherds with the fewest
// are chosen.
void distribute(owned_qarray& a, distribution wanted, unsigned shepherds)
{
    const std::size_t segments = a.owners.size();
    const std::scoped_lock hold(counting);
    if (segments_on.size() < shepherds) {
        segments_on.resize(shepherds);
    }
    std::vector<std::size_t> with_these(segments_on.begin(), segments_on.begin() + shepherds);
    const unsigned random = static_cast<unsigned>(chance() % shepherds);
    const unsigned least = with_least(shepherds);
    for (std::size_t i = 0; i < segments; ++i) {
        std::size_t owner = 0;
        switch (wanted) {
        case distribution::fixed_hash:
        case distribution::dist_stripes: owner = i % shepherds; break;
        case distribution::fixed_fields:
        case distribution::dist_fields: owner = i * shepherds / segments; break;
        case distribution::all_same:
        case distribution::all_local: owner = here(); break;
        case distribution::all_rand: owner = random; break;
        case distribution::all_least: owner = least; break;
        case distribution::dist:
        case distribution::dist_rand: owner = chance() % shepherds; break;
        case distribution::dist_least: {
            const auto place = std::min_element(with_these.begin(), with_these.end());
            ++*place;
            owner = static_cast<std::size_t>(place - with_these.begin());
            break;
        }
        }
        // relaxed: see the declaration.
        a.owners[i].store(static_cast<shepherd_id>(owner), std::memory_order_relaxed);
    }
}

// Sets the public description of the distribution.
void describe(owned_qarray& a, distribution wanted, unsigned shepherds)
{
    a.kind = wanted;
    if (wanted == distribution::fixed_fields) {
        a.specific.fields.segments_each = a.owners.size() / shepherds;
        a.specific.fields.extras = a.owners.size() % shepherds;
    } else if (wanted == distribution::all_same || wanted >= distribution::all_local) {
        a.kind = distribution::all_same;
        // relaxed: see the declaration.
        a.specific.shepherd = a.owners[0].load(std::memory_order_relaxed);
    } else if (wanted != distribution::fixed_hash) {
        a.kind = distribution::dist;
    }
}

owned_qarray* make(std::size_t count_wanted, std::size_t unit, distribution wanted, bool tight,
                   int segment_pages)
{
    const runtime& r = needed("qarray_create");
    constexpr std::size_t word = 8;
    constexpr std::size_t most = std::size_t{1} << 56;  // far below an overflow in what follows
    if (count_wanted == 0 || unit == 0 || unit > most || wanted < distribution::fixed_hash ||
        wanted > distribution::all_least) {
        return nullptr;
    }
    if (!tight) {
        unit = (unit + word - 1) / word * word;
    }
    const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
    std::size_t all = 0;
    if (__builtin_mul_overflow(count_wanted, unit, &all) || all > most) {
        return nullptr;
    }
    std::size_t bytes = static_cast<std::size_t>(std::max(segment_pages, 0)) * page;
    if (bytes == 0) {
        // Small enough that each worker gets some, and large enough to be worth a qthread.
        constexpr std::size_t usual_most = 16;
        const std::size_t fair = all / (page * 4 * parts_of(r));
        bytes = std::clamp<std::size_t>(fair, 1, usual_most) * page;
    }
    bytes = std::max(bytes, (unit + page - 1) / page * page);
    auto* const a = new owned_qarray;
    a->unit_size = unit;
    a->count = count_wanted;
    a->segment_size = bytes / unit;
    a->segment_bytes = bytes;
    const std::size_t segments = (count_wanted + a->segment_size - 1) / a->segment_size;
    a->mapped = segments * bytes;
    // Fresh pages, not touched here: first touch places each segment on the node of its first user.
    void* const memory = ::mmap(nullptr, a->mapped, PROT_READ | PROT_WRITE,
                                MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) {
        delete a;
        return nullptr;
    }
    a->base = static_cast<char*>(memory);
    try {
        std::vector<std::atomic<shepherd_id>> owners(segments);
        a->owners.swap(owners);
        distribute(*a, wanted, r.shepherds);
    } catch (const std::bad_alloc&) {
        ::munmap(memory, a->mapped);
        delete a;
        return nullptr;
    }
    describe(*a, wanted, r.shepherds);
    count(*a, true);
    return a;
}

owned_qarray* make_or_null(std::size_t count_wanted, std::size_t unit, distribution wanted,
                           bool tight, int segment_pages) noexcept
{
    try {
        return make(count_wanted, unit, wanted, tight, segment_pages);
    } catch (const std::bad_alloc&) {
        return nullptr;
    }
}

void give_to(owned_qarray& a, std::size_t segment, shepherd_id to)
{
    const std::scoped_lock hold(counting);
    // The library may have been initialised with more shepherds since the last distribution.
    if (segments_on.size() <= to) {
        try {
            segments_on.resize(to + std::size_t{1});
        } catch (const std::bad_alloc&) {
            return;  // the owner is a hint: the segment stays where it is
        }
    }
    // relaxed, both: see the declaration.
    --segments_on[a.owners[segment].load(std::memory_order_relaxed)];
    ++segments_on[to];
    a.owners[segment].store(to, std::memory_order_relaxed);
}

void give_all_to(owned_qarray& a, shepherd_id to)
{
    for (std::size_t s = 0; s < a.owners.size(); ++s) {
        give_to(a, s, to);
    }
    if (a.kind == distribution::all_same) {
        a.specific.shepherd = to;
    }
}

}  // namespace

unsigned owner_of(const qarray& a, std::size_t segment, const runtime& r) noexcept
{
    // relaxed: see the declaration.
    return with_owners(a).owners[segment].load(std::memory_order_relaxed) % r.shepherds;
}

}  // namespace artel::qthreads

using namespace artel::qthreads;  // this file is nothing but their functions

extern "C" {

qarray* qarray_create(std::size_t count_wanted, std::size_t unit)
{
    return make_or_null(count_wanted, unit, distribution::fixed_hash, false, 0);
}
qarray* qarray_create_tight(std::size_t count_wanted, std::size_t unit)
{
    return make_or_null(count_wanted, unit, distribution::fixed_hash, true, 0);
}
qarray* qarray_create_configured(std::size_t count_wanted, std::size_t unit, int wanted, char tight,
                                 int segment_pages)
{
    return make_or_null(count_wanted, unit, static_cast<distribution>(wanted), tight != 0,
                        segment_pages);
}
void qarray_destroy(qarray* a)
{
    if (a == nullptr) {
        return;
    }
    auto* const owned = static_cast<owned_qarray*>(a);
    count(*owned, false);
    ::munmap(owned->base, owned->mapped);
    delete owned;
}

shepherd_id qarray_shepof(const qarray* a, std::size_t i)
{
    const runtime& r = needed("qarray_shepof");
    return a != nullptr && i < a->count
               ? static_cast<shepherd_id>(owner_of(*a, i / a->segment_size, r))
               : no_shepherd;
}
// Of an array of kind `dist` the segment moves alone; of kind `all_same` all segments move; of
// other kinds none.
void qarray_set_shepof(qarray* a, std::size_t i, shepherd_id shepherd)
{
    const runtime& r = needed("qarray_set_shepof");
    if (a == nullptr || i >= a->count || shepherd >= r.shepherds) {
        return;
    }
    auto& owned = static_cast<owned_qarray&>(*a);
    if (a->kind == distribution::dist) {
        give_to(owned, i / a->segment_size, shepherd);
    } else if (a->kind == distribution::all_same) {
        give_all_to(owned, shepherd);
    }
}
void qarray_dist_like(const qarray* like, qarray* changed)
{
    if (like == nullptr || changed == nullptr || like->count != changed->count ||
        like->unit_size != changed->unit_size) {
        return;
    }
    const auto& owners = with_owners(*like).owners;
    auto& mine = static_cast<owned_qarray&>(*changed);
    if (like->kind == distribution::all_same) {
        if (changed->kind == distribution::all_same || changed->kind == distribution::dist) {
            // relaxed: see the declaration.
            give_all_to(mine, owners[0].load(std::memory_order_relaxed));
        }
    } else if (changed->kind == distribution::dist && owners.size() == mine.owners.size()) {
        for (std::size_t s = 0; s < owners.size(); ++s) {
            give_to(mine, s, owners[s].load(std::memory_order_relaxed));  // relaxed: as above
        }
    }
}
void* qarray_elem_migrate(const qarray* a, std::size_t i)
{
    if (a == nullptr || i >= a->count) {
        return nullptr;
    }
    runtime& r = needed("qarray_elem_migrate");
    if (self() != nullptr && !is_the_program(*self())) {
        const artel::sched::guest_scope scope;
        artel::sched::move_to(r.pool_of(owner_of(*a, i / a->segment_size, r)));
    }
    return a->at(i);
}
}
