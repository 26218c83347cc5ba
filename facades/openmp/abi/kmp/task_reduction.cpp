// Taskgroups and their reductions. A group lists the variables that its tasks reduce, each with an
// array of copies, one per member of the team, in cache lines of its own. For reductions of a
// worksharing construct or region (reduction with the task modifier) every member opens a group
// with its own list, whose variables are the member's private ones; all share the copies, and the
// last member to leave combines them into its own variables, from which the construct's reduction
// takes them to the originals.
#include "base/cpu.hpp"
#include "base/log.hpp"
#include "ompt/entries/sync.hpp"
#include "task_groups.hpp"
#include "worksharing/construct.hpp"

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <vector>

namespace artel::openmp {

namespace kmp {
namespace {

using combiner = void (*)(void* into, void* from);
using destroyer = void (*)(void*);

// The compiler's description of a variable; the older interface lacks the original, which
// initialisers may read.
struct old_item {
    void* variable;
    std::size_t bytes;
    void (*initialise)(void*);
    destroyer destroy;
    combiner combine;
    std::uint32_t flags;
};
struct new_item {
    void* variable;
    void* original;
    std::size_t bytes;
    void (*initialise)(void*, void*);
    destroyer destroy;
    combiner combine;
    std::uint32_t flags;
};

void initialise(const old_item& item, void* copy)
{
    if (item.initialise != nullptr) {
        item.initialise(copy);
    } else {
        std::memset(copy, 0, item.bytes);
    }
}

void initialise(const new_item& item, void* copy)
{
    if (item.initialise != nullptr) {
        item.initialise(copy, item.original != nullptr ? item.original : item.variable);
    } else {
        std::memset(copy, 0, item.bytes);
    }
}

std::size_t round_up(std::size_t bytes) noexcept
{
    return (bytes + base::cache_line - 1) / base::cache_line * base::cache_line;
}

struct free_block {
    void operator()(char* block) const noexcept { std::free(block); }
};

// The copies of one variable.
struct copies {
    std::size_t stride = 0;
    std::size_t all = 0;
    std::unique_ptr<char, free_block> block;
    std::unique_ptr<bool[]> made;  // by member; accessed by that member only, until all have ended

    copies(std::size_t bytes, unsigned members)
        : stride(round_up(bytes)), all(stride * members), made(new bool[members]())
    {
        block.reset(static_cast<char*>(
            std::aligned_alloc(base::cache_line, std::max(all, base::cache_line))));
        if (block == nullptr) {
            throw std::bad_alloc();
        }
    }
};

// The copies of all variables of a construct.
struct pool {
    std::vector<copies> of;
    std::atomic<unsigned> users;  // number of lists that refer to it
    unsigned members;

    template <class Item>
    pool(const Item* items, int count, unsigned team_size, unsigned lists)
        : users(lists), members(team_size)
    {
        of.reserve(static_cast<std::size_t>(count));
        for (int i = 0; i < count; ++i) {
            of.emplace_back(items[i].bytes, team_size);
        }
    }
};

}  // namespace
}  // namespace kmp

struct shared_reductions {
    kmp::pool* copies;
    std::size_t count;

    explicit shared_reductions(kmp::pool* p) noexcept : copies(p), count(p->of.size()) {}
    shared_reductions(const shared_reductions&) = delete;
    shared_reductions& operator=(const shared_reductions&) = delete;
    virtual ~shared_reductions() = default;
    virtual void* variable(std::size_t i) const noexcept = 0;
    virtual void make(std::size_t i, void* copy) const = 0;
    virtual void combine_all() const = 0;
};

namespace kmp {
namespace {

template <class Item>
struct reduction_list final : shared_reductions {
    std::vector<Item> items;

    reduction_list(pool* p, const Item* list, int n) : shared_reductions(p), items(list, list + n)
    {}
    void* variable(std::size_t i) const noexcept override { return items[i].variable; }
    void make(std::size_t i, void* copy) const override { initialise(items[i], copy); }
    void combine_all() const override
    {
        for (std::size_t i = 0; i < count; ++i) {
            const kmp::copies& c = copies->of[i];
            for (unsigned n = 0; n < copies->members; ++n) {
                if (!c.made[n]) {
                    continue;
                }
                char* const copy = c.block.get() + n * c.stride;
                items[i].combine(items[i].variable, copy);
                if (items[i].destroy != nullptr) {
                    items[i].destroy(copy);
                }
            }
        }
    }
};

[[noreturn]] void out_of_memory() noexcept
{
    base::fatal("libgomp: Out of memory allocating reductions of tasks");
}

// Adds the list to the innermost taskgroup.
template <class Item>
void* enter(int count, const Item* items)
{
    member& m = this_member();
    taskgroup& group = *m.current->group;
    if (count <= 0) {
        return nullptr;
    }
    try {
        group.shared = new reduction_list<Item>(new pool(items, count, m.in->size, 1), items,
                                                count);
    } catch (const std::bad_alloc&) {
        out_of_memory();
    }
    return &group;
}

template <class Item>
void* enter_construct(int count, const Item* items)
{
    member& m = this_member();
    taskgroup_begin(m, true);
    const unsigned size = m.in->size;
    try {
        if (size == 1) {
            return enter(count, items);
        }
        // The members meet in a separate construct.
        meet(m,
             [&](workshare_slot& slot) { slot.copyprivate = new pool(items, count, size, size); });
        auto* const common = static_cast<pool*>(m.position.current->copyprivate);
        leave(m);
        m.current->group->shared = new reduction_list<Item>(common, items, count);
    } catch (const std::bad_alloc&) {
        out_of_memory();
    }
    return m.current->group;
}

void end_group(member& m)
{
    const shared_reductions* const list = m.current->group->shared;
    taskgroup_end(m);
    if (list == nullptr) {
        return;
    }
    // acq_rel: the last one sees the copies of all.
    if (list->copies->users.fetch_sub(1, std::memory_order_acq_rel) == 1) {
        list->combine_all();
        delete list->copies;
    }
    delete list;
}

// The caller's copy of variable `i`.
void* copy_of(const member& m, const shared_reductions& list, std::size_t i)
{
    const copies& c = list.copies->of[i];
    char* const copy = c.block.get() + m.number * c.stride;
    if (!c.made[m.number]) {
        list.make(i, copy);
        c.made[m.number] = true;
    }
    return copy;
}

}  // namespace

ARTEL_KMP void __kmpc_taskgroup(const ident*, std::int32_t)
{
    ARTEL_OMPT_EITHER(tell_taskgroup_begin(who), taskgroup_begin(this_member()));
}

ARTEL_KMP void __kmpc_end_taskgroup(const ident*, std::int32_t)
{
    ARTEL_OMPT_EITHER(tell_taskgroup_end(who, end_group), end_group(this_member()));
}

ARTEL_KMP void* __kmpc_task_reduction_init(std::int32_t, int count, const old_item* items)
{
    return enter(count, items);
}

ARTEL_KMP void* __kmpc_taskred_init(std::int32_t, int count, const new_item* items)
{
    return enter(count, items);
}

ARTEL_KMP void* __kmpc_task_reduction_modifier_init(const ident*, std::int32_t, int, int count,
                                                    const old_item* items)
{
    return enter_construct(count, items);
}

ARTEL_KMP void* __kmpc_taskred_modifier_init(const ident*, std::int32_t, int, int count,
                                             const new_item* items)
{
    return enter_construct(count, items);
}

ARTEL_KMP void __kmpc_task_reduction_modifier_fini(const ident*, std::int32_t, int)
{
    end_group(this_member());
}

// The caller's copy of the variable at `data`, which may also be any member's copy. `group`: where
// the search outwards begins; null: at the innermost.
ARTEL_KMP void* __kmpc_task_reduction_get_th_data(std::int32_t, const taskgroup* group, void* data)
{
    member& m = this_member();
    for (const taskgroup* g = group != nullptr ? group : m.current->group; g != nullptr;
         g = g->outer) {
        const shared_reductions* const list = g->shared;
        if (list == nullptr) {
            continue;
        }
        for (std::size_t i = 0; i < list->count; ++i) {
            const copies& c = list->copies->of[i];
            const char* const at = static_cast<const char*>(data);
            if (data == list->variable(i) || (at >= c.block.get() && at < c.block.get() + c.all)) {
                return copy_of(m, *list, i);
            }
        }
    }
    base::fatal(
        "libgomp: couldn't find matching task_reduction or reduction with task modifier for {}",
        data);
}

}  // namespace kmp
}  // namespace artel::openmp
