// qdqueue_t: an unbounded queue of pointers with a part for each shepherd. A shepherd takes what is
// in its own part first, and each part is a FIFO.
#include "base/cpu.hpp"
#include "runtime.hpp"
#include "sched/fork_lock.hpp"

#include <atomic>
#include <cstddef>
#include <deque>
#include <mutex>
#include <new>
#include <vector>

namespace artel::qthreads {
namespace {

constexpr int success = 0;
constexpr int bad_arguments = -1;
constexpr int no_memory = 12;  // ENOMEM, which is QTHREAD_MALLOC_ERROR

struct distributed_queue {
    struct alignas(base::cache_line) part {
        sched::fork_lock lock;
        std::deque<void*> items;
        std::atomic<std::size_t> count{0};  // of items; written under the lock

        // relaxed: a caller that knows of an item has synchronised with the thread that added it.
        bool empty() const noexcept { return count.load(std::memory_order_relaxed) == 0; }
        void count_items() noexcept
        {
            count.store(items.size(), std::memory_order_relaxed);  // relaxed: see empty()
        }
        void* take()
        {
            if (empty()) {
                return nullptr;
            }
            const std::scoped_lock hold(lock);
            if (items.empty()) {
                return nullptr;
            }
            void* const first = items.front();
            items.pop_front();
            count_items();
            return first;
        }
    };
    explicit distributed_queue(std::size_t shepherds) : parts(shepherds) {}
    std::vector<part> parts;

    // The part of the caller's shepherd; callers outside of qthreads have the first.
    std::size_t here() const noexcept
    {
        const sched::stream* const s = own_stream();
        return s != nullptr ? s->source->number % parts.size() : 0;
    }
};

int enqueue(distributed_queue& q, std::size_t there, void* item) noexcept
{
    distributed_queue::part& p = q.parts[there];
    const std::scoped_lock hold(p.lock);
    try {
        p.items.push_back(item);
    } catch (const std::bad_alloc&) {
        return no_memory;
    }
    p.count_items();
    return success;
}

}  // namespace
}  // namespace artel::qthreads

using namespace artel::qthreads;  // this file is nothing but their functions

extern "C" {

distributed_queue* qdqueue_create(void)
{
    const runtime* const r = current();
    try {
        return new distributed_queue(r != nullptr ? r->shepherds : 1);
    } catch (const std::bad_alloc&) {
        return nullptr;
    }
}
int qdqueue_destroy(distributed_queue* q)
{
    if (q == nullptr) {
        return bad_arguments;
    }
    delete q;
    return success;
}
int qdqueue_enqueue(distributed_queue* q, void* item)
{
    return q != nullptr && item != nullptr ? enqueue(*q, q->here(), item) : bad_arguments;
}
int qdqueue_enqueue_there(distributed_queue* q, void* item, shepherd_id there)
{
    return q != nullptr && item != nullptr && there < q->parts.size() ? enqueue(*q, there, item)
                                                                      : bad_arguments;
}
void* qdqueue_dequeue(distributed_queue* q)
{
    if (q == nullptr) {
        return nullptr;
    }
    const std::size_t n = q->parts.size();
    const std::size_t here = q->here();
    for (std::size_t i = 0; i < n; ++i) {
        if (void* const item = q->parts[(here + i) % n].take(); item != nullptr) {
            return item;
        }
    }
    return nullptr;
}
int qdqueue_empty(distributed_queue* q)
{
    if (q == nullptr) {
        return 0;  // as the stock library
    }
    for (const auto& p : q->parts) {
        if (!p.empty()) {
            return 0;
        }
    }
    return 1;
}
}
