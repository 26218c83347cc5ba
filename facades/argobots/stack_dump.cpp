// ABT_info_trigger_print_all_thread_stacks may be called in a signal handler, so it only stores the
// request. Streams find it when they check their events, and wait for each other. The crew's
// monitor wakes sleeping streams, so that one can print even if all sleep. The last stream to
// arrive prints, or one that finds that the time limit has passed.
#include "deadline.hpp"
#include "print.hpp"
#include "runtime.hpp"
#include "sched/alarm.hpp"
#include "sched/crew.hpp"
#include "sched/periodic.hpp"
#include "sched/scheduled_stream.hpp"

#include <mutex>

namespace artel::argobots {
namespace {

struct request_to_print {
    std::FILE* to;
    sched::moment deadline;  // 0: none
    void (*callback)(ABT_bool, void*);
    void* argument;
};

enum phase : unsigned { nothing, being_written, asked, printing };

// release and acquire: publish the request to the stream that prints.
std::atomic<unsigned> now_is{nothing};
request_to_print the_request;
std::atomic<int> arrived{0};  // acq_rel: publishes what the streams have done before
// Counts forks in which this process was the child. relaxed: written while it has one thread.
std::atomic<unsigned> generation{0};

void print_pool_stacks(void* to, ABT_thread t)
{
    print_stack(static_cast<std::FILE*>(to), *object_of(t));
}

void print_all(bool late) noexcept
{
    const request_to_print r = the_request;
    runtime& rt = *current();
    {
        const std::scoped_lock hold(rt.lock);
        for (xstream* x = rt.streams; x != nullptr; x = x->next) {
            for (unsigned i = 0; i < x->main->count; ++i) {
                std::fprintf(r.to, "stacks in pool %d of stream %d\n", x->main->pools[i]->id,
                             x->rank.load(std::memory_order_relaxed));  // relaxed: see rank
                x->main->pools[i]->print_all(r.to, print_pool_stacks, false);
            }
        }
    }
    std::fflush(r.to);
    if (r.callback != nullptr) {
        r.callback(late ? ABT_TRUE : ABT_FALSE, r.argument);
    }
}

int streams_that_run(runtime& r) noexcept
{
    const std::scoped_lock hold(r.lock);
    int count = 0;
    for (xstream* x = r.streams; x != nullptr; x = x->next) {
        // relaxed: a moment's view.
        count += x->running.load(std::memory_order_relaxed) && !x->sleep.is_asleep() ? 1 : 0;
    }
    return count;
}

// A second_hook (sched/periodic.hpp).
void wake_for_printing(unsigned) noexcept
{
    runtime* const r = current();
    // relaxed: the woken stream checks again.
    if (r == nullptr || now_is.load(std::memory_order_relaxed) != asked) {
        return;
    }
    const std::scoped_lock hold(r->lock);
    for (xstream* x = r->streams; x != nullptr; x = x->next) {
        // relaxed: at worst a stream is woken for nothing
        if (x->running.load(std::memory_order_relaxed)) {
            poke(*x);
        }
    }
}

}  // namespace

void watch_for_stack_requests() noexcept
{
    sched::call_each_second(wake_for_printing);
}

void print_asked_stacks() noexcept
{
    // relaxed: a hint; checked once more below.
    if (now_is.load(std::memory_order_relaxed) != asked) {
        return;
    }
    const unsigned began = generation.load(std::memory_order_relaxed);  // relaxed: see there
    arrived.fetch_add(1, std::memory_order_acq_rel);                    // acq_rel: see arrived
    // acquire: pairs with the release of the request.
    while (now_is.load(std::memory_order_acquire) == asked) {
        const bool late = the_request.deadline != 0 && sched::now() > the_request.deadline;
        unsigned expected = asked;
        // acquire and acq_rel: see arrived; one stream prints. relaxed on failure: another one
        // does.
        if ((late || arrived.load(std::memory_order_acquire) >= streams_that_run(*current())) &&
            now_is.compare_exchange_strong(expected, printing, std::memory_order_acq_rel,
                                           std::memory_order_relaxed)) {
            print_all(late);
            if (generation.load(std::memory_order_relaxed) != began) {  // relaxed: see there
                return;  // the callback has forked, and nothing of this is in the child
            }
            now_is.store(nothing, std::memory_order_release);  // release: the others continue
            break;
        }
        sched::rest_without_work(*this_xstream());
    }
    // acquire: pairs with the release of the stream that has printed.
    while (now_is.load(std::memory_order_acquire) == printing) {
        sched::rest_without_work(*this_xstream());
    }
    arrived.fetch_sub(1, std::memory_order_acq_rel);  // acq_rel: see arrived
}

// The child has none of the streams that have arrived, and nobody there finishes a request that was
// being written or printed: no request of the child would be served.
void forget_stack_requests_after_fork() noexcept
{
    // relaxed, all: there is one thread.
    now_is.store(nothing, std::memory_order_relaxed);
    arrived.store(0, std::memory_order_relaxed);
    generation.store(generation.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
}

}  // namespace artel::argobots

using namespace artel::argobots;

extern "C" int ABT_info_trigger_print_all_thread_stacks(FILE* to, double timeout,
                                                        void (*callback)(ABT_bool, void*),
                                                        void* argument)
{
    unsigned was = now_is.load(std::memory_order_relaxed);  // relaxed: the exchange decides
    do {
        if (was == being_written || was == printing) {
            return ABT_SUCCESS;
        }
        // acquire: the last request has been read. relaxed on failure: tried again.
    } while (!now_is.compare_exchange_weak(was, being_written, std::memory_order_acquire,
                                           std::memory_order_relaxed));
    the_request = {to, timeout < 0 ? 0 : after_seconds(timeout), callback, argument};
    now_is.store(asked, std::memory_order_release);  // release: the request
    return ABT_SUCCESS;
}
