// qthread_queue_t: a FIFO of qthreads that wait to be released. All flags give the same queue,
// which is safe for any use.
#include "sched/fork_lock.hpp"

#include <artel/detail/feb_line.hpp>
#include <cstddef>
#include <cstdint>
#include <mutex>

namespace {

using artel::detail::feb_line;
using artel::detail::feb_waiter;

constexpr int success = 0;
constexpr int bad_arguments = -1;

struct queue {
    artel::sched::fork_lock lock;
    feb_line line;
    std::uint64_t length = 0;
};

void nothing(feb_waiter&) noexcept {}

}  // namespace

extern "C" {

queue* qthread_queue_create(std::uint8_t, std::uint64_t)
{
    return new queue;
}
int qthread_queue_destroy(queue* q)
{
    if (q == nullptr) {
        return bad_arguments;
    }
    delete q;
    return success;
}
int qthread_queue_join(queue* q)
{
    if (q == nullptr) {
        return bad_arguments;
    }
    feb_waiter me(artel::detail::feb_wish::take, nothing);
    {
        const std::scoped_lock hold(q->lock);
        q->line.append(me);
        ++q->length;
    }
    artel::detail::feb_wait(me);
    return success;
}
std::uint64_t qthread_queue_length(queue* q)
{
    const std::scoped_lock hold(q->lock);
    return q->length;
}
int qthread_queue_release_one(queue* q)
{
    if (q == nullptr) {
        return bad_arguments;
    }
    feb_line released;
    {
        const std::scoped_lock hold(q->lock);
        feb_waiter* const first = q->line.first;
        if (first == nullptr) {
            return success;
        }
        q->line.first = first->next;
        if (q->line.first == nullptr) {
            q->line.last = nullptr;
        }
        --q->length;
        released.append(*first);
    }
    artel::detail::feb_release(released);
    return success;
}
int qthread_queue_release_all(queue* q)
{
    if (q == nullptr) {
        return bad_arguments;
    }
    feb_line released;
    {
        const std::scoped_lock hold(q->lock);
        released = q->line;
        q->line = {};
        q->length = 0;
    }
    artel::detail::feb_release(released);
    return success;
}
}
