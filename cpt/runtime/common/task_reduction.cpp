// Reductions of tasks: finds the calling thread's copy of an item. A group keeps the words of cp.h
// that were registered in it; tasks search from their own group outwards.
#include "interface.hpp"
#include "team.hpp"
#include "wait.hpp"

#include <cstdlib>
#include <cstring>

namespace cp {

// The reduction of a construct whose members share the memory.
struct shared_reduction {
    std::atomic<unsigned> users;
    void* memory;
};

namespace {

void* zeroed(unsigned long bytes, unsigned long alignment)
{
    void* memory = nullptr;
    const unsigned long edge = alignment < 64 ? 64 : alignment;
    if (posix_memalign(&memory, edge, bytes + edge) != 0) {
        fail("no memory for a reduction of tasks");
    }
    std::memset(memory, 0, bytes);
    return memory;
}

// Finds the item of these words to which the address belongs.
bool find(const unsigned long* words, unsigned members, unsigned number, unsigned long address,
          void** copy, void** original)
{
    const unsigned long memory = words[2], bytes = words[1];
    const bool inside = address >= memory && address < memory + bytes * members;
    const unsigned long* best = nullptr;
    for (unsigned long i = 0; i < words[0]; ++i) {
        const unsigned long* const item = words + 7 + 3 * i;
        if (inside ? item[1] <= (address - memory) % bytes && (best == nullptr || best[1] < item[1])
                   : item[0] == address) {
            best = item;
        }
    }
    if (best == nullptr) {
        return false;
    }
    *copy = reinterpret_cast<void*>(memory + bytes * number + best[1]);
    *original = reinterpret_cast<void*>(best[0]);
    return true;
}

}  // namespace

}  // namespace cp

using namespace cp;

extern "C" {

void __cp_task_reduction_register(unsigned long* words)
{
    thread& me = *current();
    words[2] = reinterpret_cast<unsigned long>(zeroed(words[1] * me.group->n, words[2]));
    words[3] = me.group->n;
    me.now->group->reductions.push_back(words);
}

void __cp_task_reduction_unregister(unsigned long* words)
{
    std::free(reinterpret_cast<void*>(words[2]));
}

void* __cp_task_reduction_find(void* address, void** original)
{
    // Implicit tasks have no group of their own: the search goes on in the group around the region.
    for (const thread* t = current(); t != nullptr; t = t->group->outer) {
        for (const task_group* g = t->now->group; g != nullptr; g = g->outer) {
            for (const unsigned long* const words : g->reductions) {
                void* copy = nullptr;
                if (find(words, static_cast<unsigned>(words[3]), t->number,
                         reinterpret_cast<unsigned long>(address), &copy, original)) {
                    return copy;
                }
            }
        }
    }
    fail("a task takes part in a reduction that is not there");
}

void __cp_team_reduction_start(unsigned long* words)
{
    thread& me = *current();
    const bool first = enter_share(me);
    share& s = *me.at;
    if (first) {
        auto* const made = new shared_reduction;
        made->users.store(me.group->n, std::memory_order_relaxed);  // relaxed: see the next line
        made->memory = zeroed(words[1] * me.group->n, words[2]);
        s.reduction.store(made, std::memory_order_release);  // release: publishes its contents
        wake(&s.reduction);
    }
    // acquire: pairs with the store.
    wait_until(&s.reduction,
               [&s] { return s.reduction.load(std::memory_order_acquire) != nullptr; });
    shared_reduction* const all = s.reduction.load(std::memory_order_acquire);
    words[2] = reinterpret_cast<unsigned long>(all->memory);
    words[3] = me.group->n;
    __cp_taskgroup_start();
    me.now->group->shared = all;
    me.now->group->reductions.push_back(words);
}

void __cp_team_reduction_end(int cancelled)
{
    shared_reduction* const all = current()->now->group->shared;
    __cp_taskgroup_end();
    if (cancelled == 0) {
        __cp_barrier();  // the first member has combined the copies
    }
    // acq_rel: the last one frees it after the others' last accesses.
    if (all->users.fetch_sub(1, std::memory_order_acq_rel) == 1) {
        std::free(all->memory);
        delete all;
    }
}

}  // extern "C"
