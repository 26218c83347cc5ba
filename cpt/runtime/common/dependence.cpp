// The table of a parent has, for each address, the last task that writes it and the tasks that have
// read it since.
#include "dependence.hpp"

#include "task.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>

namespace cp {

struct dependence_table {
    struct entry {
        std::vector<task*> writers, readers;
        // The writers are one inoutset: they may run in parallel, after the readers.
        bool set = false;
        std::vector<task*> before_set;
    };
    std::unordered_map<void*, entry> entries;
    // The last task that named omp_all_memory, alone: a writer of each address that has no entry.
    std::vector<task*> everything;
};

namespace {

enum : std::uintptr_t { in = 1, out = 2, inout = 3, inoutset = 5 };

void let_go(std::vector<task*>& tasks)
{
    for (task* const t : tasks) {
        // relaxed: under the lock.
        if (t->references.fetch_sub(1, std::memory_order_relaxed) == 1) {
            t->~task();
            std::free(static_cast<void*>(t));
        }
    }
    tasks.clear();
}

void keep(std::vector<task*>& in_list, task* t)
{
    // A parent whose tasks only read one address leaves completed tasks in the list.
    if (in_list.size() >= 64 && in_list.size() == in_list.capacity()) {
        std::vector<task*> done;
        const auto end = std::partition(in_list.begin(), in_list.end(),
                                        [](const task* x) { return !x->completed; });
        done.assign(end, in_list.end());
        in_list.erase(end, in_list.end());
        let_go(done);
    }
    t->references.fetch_add(1, std::memory_order_relaxed);  // relaxed: under the lock
    in_list.push_back(t);
}

void after(task* t, const std::vector<task*>& tasks)
{
    for (task* const before : tasks) {
        if (!before->completed && before != t) {
            before->successors.push_back(t);
            t->missing.fetch_add(1, std::memory_order_relaxed);  // relaxed: under the lock
        }
    }
}

void forget_entries(dependence_table& d)
{
    for (auto& [address, e] : d.entries) {
        let_go(e.writers);
        let_go(e.readers);
        let_go(e.before_set);
    }
    d.entries.clear();
    let_go(d.everything);
}

// All later tasks depend on `t`, whatever they name.
void after_everything(dependence_table& d, task* t)
{
    for (const auto& [address, e] : d.entries) {
        after(t, e.writers);
        after(t, e.readers);
    }
    after(t, d.everything);
    forget_entries(d);
    keep(d.everything, t);
}

}  // namespace

void add_dependences(task& parent, task* t, void** pairs, unsigned n)
{
    if (parent.dependences == nullptr) {
        parent.dependences = new dependence_table;
    }
    dependence_table& all = *parent.dependences;
    for (unsigned i = 0; i < n; ++i) {
        void* const address = pairs[2 * i];
        const auto kind = reinterpret_cast<std::uintptr_t>(pairs[2 * i + 1]);
        if (address == nullptr && (kind == out || kind == inout)) {
            after_everything(all, t);
            continue;
        }
        const auto [at, is_new] = all.entries.try_emplace(address);
        dependence_table::entry& e = at->second;
        if (is_new && !all.everything.empty()) {
            keep(e.writers, all.everything.front());
        }
        if (kind == in) {
            after(t, e.writers);
            keep(e.readers, t);
        } else if (kind == inoutset && e.set && e.readers.empty()) {
            after(t, e.before_set);
            keep(e.writers, t);
        } else {
            after(t, e.writers);
            after(t, e.readers);
            let_go(e.before_set);
            e.set = kind == inoutset;
            if (e.set) {
                e.before_set = std::move(e.writers);
                e.before_set.insert(e.before_set.end(), e.readers.begin(), e.readers.end());
                e.writers.clear();
                e.readers.clear();
            }
            let_go(e.writers);
            let_go(e.readers);
            keep(e.writers, t);
        }
    }
}

void forget_dependences(dependence_table* d)
{
    if (d == nullptr) {
        return;
    }
    forget_entries(*d);
    delete d;
}

}  // namespace cp
