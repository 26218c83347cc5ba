#include "task_depend.hpp"

#include "base/log.hpp"
#include "fiber/call_out.hpp"
#include "ompt/events/explicit_task.hpp"
#include "team/task.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <new>
#include <unordered_map>

namespace artel::openmp {
namespace {

void forget(depend_node* node) noexcept
{
    // acq_rel: the last one frees the node after all uses by others.
    if (node != nullptr && node->references.fetch_sub(1, std::memory_order_acq_rel) == 1) {
        delete node;
    }
}

depend_node* keep(depend_node& node) noexcept
{
    // relaxed: the caller holds a reference meanwhile.
    node.references.fetch_add(1, std::memory_order_relaxed);
    return &node;
}

// Makes `later` wait for `earlier`, unless that has ended.
void order(depend_node* earlier, depend_node& later)
{
    // acquire: pairs with the release in end_node: what the earlier task did happens before the
    // later one.
    if (earlier == nullptr || earlier == &later || earlier->ended.load(std::memory_order_acquire)) {
        return;
    }
    earlier->lock.lock();
    // Only the parent's thread adds successors, so one that is there already is the last one.
    // relaxed: under the lock.
    if (!earlier->ended.load(std::memory_order_relaxed) &&
        (earlier->successors.empty() || earlier->successors.back() != &later)) {
        // relaxed: the lock orders it before the subtraction by `earlier`.
        later.missing.fetch_add(1, std::memory_order_relaxed);
        const fiber::call_out guard;
        try {
            earlier->successors.push_back(&later);
            if (ompt::listens() && earlier->what != nullptr && later.what != nullptr) [[unlikely]] {
                ompt::tell_dependence(*earlier->what, *later.what);
            }
        } catch (...) {
            earlier->lock.unlock();
            throw;
        }
    }
    earlier->lock.unlock();
}

bool has_ended(const depend_node* node) noexcept
{
    return node->ended.load(std::memory_order_acquire);  // acquire: as in order()
}

// The tasks that used one address last: those of the last generation, and those of the one before.
// A generation is one writer, or a set of tasks that do not wait for each other (readers, or an
// inoutset).
struct use {
    depend_kind kind = depend_kind::out;
    std::size_t prune_at = 16;
    using nodes = boost::container::small_vector<depend_node*, 2>;
    nodes last;
    nodes before;

    use() = default;
    use(const use&) = delete;
    use& operator=(const use&) = delete;
    ~use()
    {
        clear(last);
        clear(before);
    }

    static void clear(nodes& list) noexcept
    {
        for (depend_node* n : list) {
            forget(n);
        }
        list.clear();
    }

    static void prune(nodes& list) noexcept
    {
        const auto gone = std::remove_if(list.begin(), list.end(), [](depend_node* n) {
            const bool ended = has_ended(n);
            if (ended) {
                forget(n);
            }
            return ended;
        });
        list.erase(gone, list.end());
    }

    bool joins(depend_kind k) const noexcept
    {
        return k == kind && (k == depend_kind::in || k == depend_kind::inoutset);
    }

    void find(depend_kind k, depend_node& node) const
    {
        for (depend_node* n : joins(k) ? before : last) {
            order(n, node);
        }
    }

    void enter(depend_kind k, depend_node& node)
    {
        if (!last.empty() && last.back() == &node) {
            enter_again(k);
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

    // A second item of the same task: with two kinds it is ordered against all other tasks, as if
    // it were a writer. find() has made it wait for those that it had joined.
    void enter_again(depend_kind k)
    {
        if (k == kind) {
            return;
        }
        kind = depend_kind::inout;
        if (last.size() > 1) {
            depend_node* const node = last.back();
            last.pop_back();
            clear(before);
            before.swap(last);
            last.push_back(node);  // within the inline capacity: needs no memory
        }
    }

    bool over() noexcept
    {
        prune(last);
        return last.empty();
    }
};

}  // namespace

void depend_list::add(dependence d) noexcept
{
    try {
        if (many_.empty() && count_ < std::size(few_)) {
            few_[count_++] = d;
            return;
        }
        if (many_.empty()) {
            many_.assign(few_, few_ + count_);
        }
        many_.push_back(d);
    } catch (const std::bad_alloc&) {
        base::fatal("libgomp: Out of memory allocating dependences");
    }
}

class depend_table {
public:
    depend_table() = default;
    depend_table(const depend_table&) = delete;
    depend_table& operator=(const depend_table&) = delete;
    ~depend_table() { forget(all_); }

    std::unordered_map<void*, use> uses;
    std::size_t sweep_at = 1024;

    // Removes addresses whose users have all ended, as programs may use ever new addresses.
    void sweep()
    {
        met_ = nullptr;
        for (auto at = uses.begin(); at != uses.end();) {
            at = at->second.over() ? uses.erase(at) : std::next(at);
        }
        sweep_at = std::max<std::size_t>(1024, uses.size() * 2);
    }

    void find(const dependence& d, depend_node& node)
    {
        if (d.everything) {
            order(all_, node);
            for (auto& [address, u] : uses) {
                u.find(depend_kind::inout, node);
            }
            return;
        }
        const auto found = uses.find(d.address);
        if (found != uses.end()) {
            found->second.find(d.kind, node);
        } else {
            order(all_, node);
        }
    }

    // find(), and the node is entered.
    void meet(const dependence& d, depend_node& node)
    {
        if (!d.everything) {
            use& u = use_of(d.address);
            u.find(d.kind, node);
            u.enter(d.kind, node);
            return;
        }
        find(d, node);
        // All later tasks wait for it, whether their address was named before or not.
        clear();
        forget(all_);
        all_ = keep(node);
    }

    void clear() noexcept
    {
        met_ = nullptr;
        uses.clear();
    }

private:
    use& use_of(void* address)
    {
        if (met_ == nullptr || met_address_ != address) {
            auto [at, fresh] = uses.try_emplace(address);
            if (fresh && all_ != nullptr) {
                at->second.last.push_back(keep(*all_));
            }
            met_ = &at->second;
            met_address_ = address;
        }
        return *met_;
    }

    depend_node* all_ = nullptr;  // the last task that named omp_all_memory
    use* met_ = nullptr;          // the one used last, as a cache
    void* met_address_ = nullptr;
};

bool add_dependences(task& parent, task& made, std::span<const dependence> clause)
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
    for (const dependence& d : clause) {
        table.meet(d, *node);
    }
    // acq_rel: what predecessors that have ended meanwhile did happens before the task.
    return node->missing.fetch_sub(1, std::memory_order_acq_rel) != 1;
}

bool find_predecessors(task& parent, depend_node& waiter, std::span<const dependence> clause)
{
    if (parent.dependences == nullptr) {
        waiter.missing.store(0, std::memory_order_relaxed);  // relaxed: nobody else knows the node
        return false;
    }
    for (const dependence& d : clause) {
        parent.dependences->find(d, waiter);
    }
    // acq_rel: as in add_dependences.
    return waiter.missing.fetch_sub(1, std::memory_order_acq_rel) != 1;
}

bool end_node(depend_node* node, ready_tasks& ready)
{
    node->lock.lock();
    node->ended.store(true, std::memory_order_release);  // release: pairs with order()
    const auto successors = std::move(node->successors);
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
