// The table of a parent task, from addresses to the nodes of the children that used them last
// (task_depend.hpp). Touched by the thread that runs the parent only.
#pragma once

#include "depend_node.hpp"
#include "team/dependence.hpp"

#include <algorithm>
#include <boost/container/small_vector.hpp>
#include <cstddef>
#include <iterator>
#include <unordered_map>

namespace artel::openmp {

// The tasks that used one address last: those of the last generation, and those of the one before.
// A generation is one writer, or a set of tasks that do not wait for each other (readers, or an
// inoutset).
struct address_use {
    depend_kind kind = depend_kind::out;
    std::size_t prune_at = 16;
    using nodes = boost::container::small_vector<depend_node*, 2>;
    nodes last;
    nodes before;

    address_use() = default;
    address_use(const address_use&) = delete;
    address_use& operator=(const address_use&) = delete;
    ~address_use()
    {
        clear(last);
        clear(before);
    }

    static void clear(nodes& list) noexcept
    {
        for (depend_node* n : list) {
            drop_node(n);
        }
        list.clear();
    }

    static void prune(nodes& list) noexcept
    {
        const auto gone = std::remove_if(list.begin(), list.end(), [](depend_node* n) {
            const bool ended = has_ended(n);
            if (ended) {
                drop_node(n);
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
            order_nodes(n, node);
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
        last.back() = keep_node(node);
    }

    // The task names the address once more. With two kinds it is ordered against all other tasks,
    // like a writer; find() has made it wait for the tasks that it had joined.
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

class depend_table {
public:
    depend_table() = default;
    depend_table(const depend_table&) = delete;
    depend_table& operator=(const depend_table&) = delete;
    ~depend_table() { drop_node(all_); }

    std::unordered_map<void*, address_use> uses;
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
            order_nodes(all_, node);
            for (auto& [address, u] : uses) {
                u.find(depend_kind::inout, node);
            }
            return;
        }
        const auto found = uses.find(d.address);
        if (found != uses.end()) {
            found->second.find(d.kind, node);
        } else {
            order_nodes(all_, node);
        }
    }

    // find(); then enters the node.
    void meet(const dependence& d, depend_node& node)
    {
        if (!d.everything) {
            address_use& u = use_of(d.address);
            u.find(d.kind, node);
            u.enter(d.kind, node);
            return;
        }
        find(d, node);
        // All later tasks wait for it, whether their address was named before or not.
        clear();
        drop_node(all_);
        all_ = keep_node(node);
    }

    void clear() noexcept
    {
        met_ = nullptr;
        uses.clear();
    }

private:
    address_use& use_of(void* address)
    {
        if (met_ == nullptr || met_address_ != address) {
            auto [at, fresh] = uses.try_emplace(address);
            if (fresh && all_ != nullptr) {
                at->second.last.push_back(keep_node(*all_));
            }
            met_ = &at->second;
            met_address_ = address;
        }
        return *met_;
    }

    depend_node* all_ = nullptr;  // the last task that named omp_all_memory
    address_use* met_ = nullptr;  // a cache: the entry used last
    void* met_address_ = nullptr;
};

}  // namespace artel::openmp
