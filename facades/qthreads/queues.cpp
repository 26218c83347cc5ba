// qlfqueue_t and qswsrqueue_t: FIFO queues of pointers. The first is unbounded, with any number of
// users; the other is bounded.
#include "base/os/yield.hpp"
#include "sched/fork_lock.hpp"
#include "sched/guest_scope.hpp"
#include "sched/stream.hpp"

#include <algorithm>
#include <cstddef>
#include <deque>
#include <mutex>

namespace {

constexpr int success = 0;
constexpr int bad_arguments = -1;
constexpr int not_possible_now = -7;  // QTHREAD_OPFAIL

struct queue {
    artel::sched::fork_lock lock;
    std::deque<void*> items;
    std::size_t most = static_cast<std::size_t>(-1);
};

int destroy(queue* q)
{
    if (q == nullptr) {
        return bad_arguments;
    }
    delete q;
    return success;
}
int enqueue(queue* q, void* item)
{
    if (q == nullptr || item == nullptr) {
        return bad_arguments;
    }
    const std::scoped_lock hold(q->lock);
    if (q->items.size() >= q->most) {
        return not_possible_now;
    }
    q->items.push_back(item);
    return success;
}
void* dequeue(queue* q)
{
    if (q == nullptr) {
        return nullptr;
    }
    const std::scoped_lock hold(q->lock);
    if (q->items.empty()) {
        return nullptr;
    }
    void* const first = q->items.front();
    q->items.pop_front();
    return first;
}
// Called by those that wait for room or for an item.
void let_others_run()
{
    if (artel::sched::this_unit() != nullptr) {
        const artel::sched::guest_scope scope;
        artel::sched::yield_unit();
    } else {
        artel::base::os::yield();
    }
}
int is_empty(queue* q)
{
    if (q == nullptr) {
        return bad_arguments;
    }
    const std::scoped_lock hold(q->lock);
    return q->items.empty() ? 1 : 0;
}

}  // namespace

extern "C" {

queue* qlfqueue_create(void)
{
    return new queue;
}
int qlfqueue_destroy(queue* q)
{
    return destroy(q);
}
int qlfqueue_enqueue(queue* q, void* item)
{
    return enqueue(q, item);
}
void* qlfqueue_dequeue(queue* q)
{
    return dequeue(q);
}
int qlfqueue_empty(queue* q)
{
    return is_empty(q);
}
// Programs rely on what the stock library has room for, which is at least 63 items.
queue* qswsrqueue_create(std::size_t most)
{
    constexpr std::size_t step = 64;
    auto* const q = new queue;
    q->most = most > step * 1000000
                  ? most
                  : std::max((std::max<std::size_t>(most, 1) + step - 1) / step * step - 1, most);
    return q;
}
int qswsrqueue_destroy(queue* q)
{
    return destroy(q);
}
int qswsrqueue_enqueue(queue* q, void* item)
{
    return enqueue(q, item);
}
int qswsrqueue_enqueue_blocking(queue* q, void* item)
{
    int status = 0;
    while ((status = enqueue(q, item)) == not_possible_now) {
        let_others_run();
    }
    return status;
}
void* qswsrqueue_dequeue(queue* q)
{
    return dequeue(q);
}
void* qswsrqueue_dequeue_blocking(queue* q)
{
    void* item = nullptr;
    while (q != nullptr && (item = dequeue(q)) == nullptr) {
        let_others_run();
    }
    return item;
}
int qswsrqueue_empty(queue* q)
{
    return is_empty(q);
}
}
