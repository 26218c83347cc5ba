// Self-scheduled loops: each worker takes chunks from a common counter until none are left. The run
// frees the loop.
#include "loop.hpp"
#include "task.hpp"

#include <algorithm>
#include <artel/detail/wait_word.hpp>
#include <atomic>
#include <chrono>
#include <new>

namespace artel::qthreads {
namespace {

enum class schedule { chunk, guided, factored, timed };

struct loop_queue {
    schedule kind;
    std::size_t stop;
    std::size_t step;
    void (*body)(std::size_t from, std::size_t to, void* argument);
    void* argument;
    std::size_t chunk = 0;  // iterations; 0: by the schedule
    std::atomic<std::size_t> next;
    std::size_t workers = 1;
    std::size_t all = 0;
    std::atomic<std::uint32_t> working{0};  // workers
};

constexpr std::size_t first_timed_chunk = 16;  // at most
constexpr std::size_t chunks_each = 10;        // of a worker, if the program does not say

// The size of the next chunk when `left` iterations are left. `last`: the caller's last chunk, and
// how long it took.
std::size_t size_of(const loop_queue& q, std::size_t left, std::size_t last, double seconds)
{
    switch (q.kind) {
    case schedule::chunk:
        return q.chunk != 0 ? q.chunk : std::max<std::size_t>(q.all / q.workers / chunks_each, 1);
    case schedule::guided: return std::max<std::size_t>(left / (2 * q.workers), 1);
    case schedule::factored: {
        // Chunks come in sets of equal ones: a set has half of the iterations that were left at its
        // beginning.
        std::size_t set = q.all;
        while (set / 2 >= left && set > 1) {
            set /= 2;
        }
        return std::max<std::size_t>(set / (2 * q.workers), 1);
    }
    case schedule::timed: {
        constexpr double wanted = 1e-4;  // seconds
        if (last == 0) {
            return std::max<std::size_t>(std::min(left / (64 * q.workers), first_timed_chunk), 1);
        }
        const double fits = seconds > 0 ? static_cast<double>(last) * wanted / seconds
                                        : static_cast<double>(last) * 2;
        return std::clamp<std::size_t>(static_cast<std::size_t>(fits), 1,
                                       std::max<std::size_t>(left / (2 * q.workers), 1));
    }
    }
    return 1;
}

// True when the caller's shepherd is disabled and other workers remain to do the rest: the caller
// is then no longer counted, and returns.
bool may_leave(loop_queue& q)
{
    const sched::stream* const s = own_stream();
    const runtime* const r = current();
    if (s == nullptr || r == nullptr || r->is_on(s->source->number)) {
        return false;
    }
    // relaxed: the exchange decides.
    std::uint32_t n = q.working.load(std::memory_order_relaxed);
    while (n > 1) {
        // acq_rel: as the end of a worker. relaxed on failure: tried again.
        if (q.working.compare_exchange_weak(n, n - 1, std::memory_order_acq_rel,
                                            std::memory_order_relaxed)) {
            return true;
        }
    }
    return false;
}

// Runs as one worker. The queue may be freed afterwards.
void work(loop_queue& q)
{
    using clock = std::chrono::steady_clock;
    std::size_t last = 0;
    double seconds = 0;
    for (;;) {
        // relaxed, all: a counter only. The spawn orders what is done before the loop, and its end
        // orders the results.
        std::size_t from = q.next.load(std::memory_order_relaxed);
        if (from >= q.stop) {
            break;
        }
        if (may_leave(q)) {
            return;
        }
        const std::size_t left = (q.stop - from + q.step - 1) / q.step;
        const std::size_t n = std::min(size_of(q, left, last, seconds), left);
        const std::size_t to = n < left ? from + n * q.step : q.stop;
        if (!q.next.compare_exchange_strong(from, to, std::memory_order_relaxed)) {
            continue;
        }
        const auto begin = clock::now();
        q.body(from, to, q.argument);
        seconds = std::chrono::duration<double>(clock::now() - begin).count();
        last = n;
    }
    // acq_rel: publishes what all workers did to the waiter.
    if (q.working.fetch_sub(1, std::memory_order_acq_rel) == 1) {
        artel::detail::wake_word(q.working, artel::detail::wake_all);  // the queue may be gone
    }
}

// Adds a worker on the shepherd; without memory the caller does its work.
void add_worker(loop_queue& q, shepherd_id shepherd)
{
    q.working.fetch_add(1, std::memory_order_relaxed);  // relaxed: the spawn publishes it
    loop_queue* const at = &q;
    const auto body = [](void* argument) -> std::uint64_t {
        work(**static_cast<loop_queue**>(argument));
        return 0;
    };
    if (spawn(body, &at, sizeof at, nullptr, 0, nullptr, shepherd, 0) != 0) {
        work(q);
    }
}

// Waits for all workers, also those that were added meanwhile, and frees the queue.
void finish(loop_queue* q)
{
    // acquire: pairs with the workers' ends.
    for (std::uint32_t n; (n = q->working.load(std::memory_order_acquire)) != 0;) {
        artel::detail::wait_word(q->working, n);
    }
    delete q;
}

void run(loop_queue* q)
{
    const runtime& r = needed("qt_loop_queue_run");
    q->workers = usual_pieces();
    // Counts one more while workers are being added, so that the count does not become 0 meanwhile.
    q->working.fetch_add(1, std::memory_order_relaxed);  // relaxed: the spawns publish it
    for (std::size_t i = 0; i < q->workers; ++i) {
        add_worker(*q, static_cast<shepherd_id>(i % r.shepherds));
    }
    q->working.fetch_sub(1, std::memory_order_relaxed);  // relaxed: the caller's own
    finish(q);
}

void run_there(loop_queue* q, shepherd_id shepherd)
{
    add_worker(*q, shepherd);
    finish(q);
}

}  // namespace
}  // namespace artel::qthreads

using artel::qthreads::loop_queue;

extern "C" {

loop_queue* qt_loop_queue_create(int kind, std::size_t start, std::size_t stop, std::size_t step,
                                 void (*body)(std::size_t, std::size_t, void*), void* argument)
{
    using artel::qthreads::schedule;
    if (body == nullptr) {
        return nullptr;
    }
    return new (std::nothrow) loop_queue{
        static_cast<schedule>(kind),     stop, step != 0 ? step : 1, body, argument, 0, start, 1,
        stop > start ? stop - start : 0, 0};
}
void qt_loop_queue_setchunk(loop_queue* q, std::size_t chunk)
{
    q->chunk = chunk;
}
void qt_loop_queue_run(loop_queue* q)
{
    if (q != nullptr) {
        artel::qthreads::run(q);
    }
}
void qt_loop_queue_run_there(loop_queue* q, artel::qthreads::shepherd_id shepherd)
{
    // As in the stock library nothing is run on a shepherd that does not exist.
    if (q != nullptr && shepherd < artel::qthreads::needed("qt_loop_queue_run_there").shepherds) {
        artel::qthreads::run_there(q, shepherd);
    }
}
// To be called while the loop runs: in one of its iterations, or by a caller that knows that it has
// not ended.
void qt_loop_queue_addworker(loop_queue* q, artel::qthreads::shepherd_id shepherd)
{
    artel::qthreads::add_worker(*q, shepherd);
}
}
