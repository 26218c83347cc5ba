#include "task_depend.hpp"

#include "task.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <unordered_map>

namespace artel::openmp {
namespace {

// As compilers put them into depend objects.
enum class depend_kind : std::uintptr_t { in = 1, out = 2, inout = 3, mutexinoutset = 4, inoutset = 5 };

void forget(depend_node* node) noexcept
{
    // acq_rel: the last one frees what the others wrote.
    if (node != nullptr && node->references.fetch_sub(1, std::memory_order_acq_rel) == 1) {
        delete node;
    }
}

depend_node* keep(depend_node& node) noexcept
{
    node.references.fetch_add(1, std::memory_order_relaxed);  // relaxed: the caller's task keeps it meanwhile
    return &node;
}

// Makes `later` wait for `earlier`, unless that has ended.
void order(depend_node* earlier, depend_node& later)
{
    if (earlier == nullptr || earlier == &later) {
        return;
    }
    earlier->lock.lock();
    // Only the parent's thread adds successors, so one that is there already is the last one.
    if (!earlier->ended && (earlier->successors.empty() || earlier->successors.back() != &later)) {
        later.missing.fetch_add(1, std::memory_order_relaxed);  // relaxed: the lock orders it before the subtraction by `earlier`
        try {
            earlier->successors.push_back(&later);
        } catch (...) {
            earlier->lock.unlock();
            throw;
        }
    }
    earlier->lock.unlock();
}

bool has_ended(depend_node* node) noexcept
{
    node->lock.lock();
    const bool ended = node->ended;
    node->lock.unlock();
    return ended;
}

// The tasks that used one address last: those of the last generation, and those before it. A generation is one writer, or a set whose members do not
// wait for each other (readers, or an inoutset).
struct use {
    depend_kind kind = depend_kind::out;
    std::size_t prune_at = 16;
    std::vector<depend_node*> last;
    std::vector<depend_node*> before;

    use() = default;
    use(const use&) = delete;
    use& operator=(const use&) = delete;
    ~use()
    {
        clear(last);
        clear(before);
    }

    static void clear(std::vector<depend_node*>& nodes) noexcept
    {
        for (depend_node* n : nodes) {
            forget(n);
        }
        nodes.clear();
    }

    static void prune(std::vector<depend_node*>& nodes) noexcept
    {
        std::erase_if(nodes, [](depend_node* n) {
            const bool ended = has_ended(n);
            if (ended) {
                forget(n);
            }
            return ended;
        });
    }

    bool joins(depend_kind k) const noexcept { return k == kind && (k == depend_kind::in || k == depend_kind::inoutset); }

    void find(depend_kind k, depend_node& node) const
    {
        for (depend_node* n : joins(k) ? before : last) {
            order(n, node);
        }
    }

    void enter(depend_kind k, depend_node& node)
    {
        if (!last.empty() && last.back() == &node) {
            // A second mention in the same clause: the task is in the last generation already; the stronger kind counts.
            if (k != depend_kind::in) {
                kind = k;
            }
            return;
        }
        if (joins(k)) {
            if (last.size() >= prune_at) {
                prune(last);
                prune_at = std::max<std::size_t>(16, last.size() * 2);
            }
        } else {
            clear(before);
            before.swap(last);
            kind = k;
        }
        last.push_back(nullptr);
        last.back() = keep(node);
    }

    bool over() noexcept
    {
        prune(last);
        return last.empty();
    }
};

struct dependence {
    void* address;
    depend_kind kind;
};

// Calls f(dependence) for each in GOMP's array, writers first. Two layouts: the older one counts dependences in its first word and writers in the second; a
// zero in the first word announces counts of all, writers, mutexinoutset and in, from the fifth word on addresses in this order, then depend objects.
template <class F>
void for_each_dependence(void** clause, F&& f)
{
    const auto word = [&](std::size_t i) { return reinterpret_cast<std::uintptr_t>(clause[i]); };
    if (word(0) != 0) {
        for (std::size_t i = 0; i < word(0); ++i) {
            f(dependence{clause[2 + i], i < word(1) ? depend_kind::inout : depend_kind::in});
        }
        return;
    }
    const std::size_t all = word(1);
    if (all == 0) {
        return;  // the older layout with nothing in it: iterators that have no values
    }
    const std::size_t writers = word(2) + word(3);
    const std::size_t direct = writers + word(4);
    for (std::size_t i = direct; i < all; ++i) {
        void** const object = static_cast<void**>(clause[5 + i]);
        const auto kind = static_cast<depend_kind>(reinterpret_cast<std::uintptr_t>(object[1]));
        const bool set = kind == depend_kind::in || kind == depend_kind::inoutset;
        if (!set) {
            f(dependence{object[0], depend_kind::inout});
        }
    }
    for (std::size_t i = 0; i < direct; ++i) {
        f(dependence{clause[5 + i], i < writers ? depend_kind::inout : depend_kind::in});
    }
    for (std::size_t i = direct; i < all; ++i) {
        void** const object = static_cast<void**>(clause[5 + i]);
        const auto kind = static_cast<depend_kind>(reinterpret_cast<std::uintptr_t>(object[1]));
        if (kind == depend_kind::in || kind == depend_kind::inoutset) {
            f(dependence{object[0], kind});
        }
    }
}

}  // namespace

class depend_table {
public:
    std::unordered_map<void*, use> uses;
    std::size_t sweep_at = 1024;

    // Programs may name ever new addresses: those whose users have all ended go.
    void sweep()
    {
        for (auto at = uses.begin(); at != uses.end();) {
            at = at->second.over() ? uses.erase(at) : std::next(at);
        }
        sweep_at = std::max<std::size_t>(1024, uses.size() * 2);
    }
};

bool add_dependences(task& parent, task& made, void** clause)
{
    if (parent.dependences == nullptr) {
        parent.dependences = new depend_table;
    }
    depend_table& table = *parent.dependences;
    if (table.uses.size() >= table.sweep_at) {
        table.sweep();
    }
    auto* const node = new depend_node(&made);
    made.node = node;
    for_each_dependence(clause, [&](dependence d) {
        use& u = table.uses[d.address];
        u.find(d.kind, *node);
        u.enter(d.kind, *node);
    });
    // acq_rel: what predecessors that have ended meanwhile did happens before the task.
    return node->missing.fetch_sub(1, std::memory_order_acq_rel) != 1;
}

bool find_predecessors(task& parent, depend_node& waiter, void** clause)
{
    if (parent.dependences == nullptr) {
        waiter.missing.store(0, std::memory_order_relaxed);  // relaxed: nobody else knows the node
        return false;
    }
    for_each_dependence(clause, [&](dependence d) {
        const auto found = parent.dependences->uses.find(d.address);
        if (found != parent.dependences->uses.end()) {
            found->second.find(d.kind, waiter);
        }
    });
    // acq_rel: as in add_dependences.
    return waiter.missing.fetch_sub(1, std::memory_order_acq_rel) != 1;
}

bool end_node(depend_node* node, std::vector<task*>& ready)
{
    node->lock.lock();
    node->ended = true;
    const std::vector<depend_node*> successors = std::move(node->successors);
    node->lock.unlock();
    bool waiters = false;
    for (depend_node* s : successors) {
        task* const of = s->what;  // the node may be gone after the subtraction
        // acq_rel: what we and other predecessors did happens before the successor.
        if (s->missing.fetch_sub(1, std::memory_order_acq_rel) == 1) {
            if (of != nullptr) {
                ready.push_back(of);
            } else {
                waiters = true;
            }
        }
    }
    forget(node);
    return waiters;
}

implicit_task::~implicit_task()
{
    drop_table(*this);
}

void drop_table(task& owner) noexcept
{
    delete owner.dependences;
    owner.dependences = nullptr;
}

}  // namespace artel::openmp
