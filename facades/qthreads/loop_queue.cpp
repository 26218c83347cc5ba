// Self-scheduled loops: each worker takes chunks from a common counter until none are left. Freed
// by the run.
#include "loop.hpp"

#include <algorithm>
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
};

constexpr std::size_t usual_chunk = 16;

// How many iterations the next chunk has when `left` are left. `last`: the caller's last chunk, and
// how long it took.
std::size_t size_of(const loop_queue& q, std::size_t left, std::size_t last, double seconds)
{
    switch (q.kind) {
    case schedule::chunk: return q.chunk != 0 ? q.chunk : usual_chunk;
    case schedule::guided: return std::max<std::size_t>(left / (2 * q.workers), 1);
    case schedule::factored: {
        // In sets: half of what was left at the set's beginning, in equal chunks.
        std::size_t set = q.all;
        while (set / 2 >= left && set > 1) {
            set /= 2;
        }
        return std::max<std::size_t>(set / (2 * q.workers), 1);
    }
    case schedule::timed: {
        constexpr double wanted = 1e-4;  // seconds
        if (last == 0) {
            return std::max<std::size_t>(std::min(left / (64 * q.workers), usual_chunk), 1);
        }
        const double fits = seconds > 0 ? static_cast<double>(last) * wanted / seconds
                                        : static_cast<double>(last) * 2;
        return std::clamp<std::size_t>(static_cast<std::size_t>(fits), 1,
                                       std::max<std::size_t>(left / (2 * q.workers), 1));
    }
    }
    return 1;
}

void work(loop_queue& q)
{
    using clock = std::chrono::steady_clock;
    std::size_t last = 0;
    double seconds = 0;
    // relaxed, all: what the iterations need was made before the loop; its end orders the results.
    std::size_t from = q.next.load(std::memory_order_relaxed);
    for (;;) {
        if (from >= q.stop) {
            return;
        }
        const std::size_t n = size_of(q, (q.stop - from + q.step - 1) / q.step, last, seconds);
        const std::size_t to = std::min(from + n * q.step, q.stop);
        if (!q.next.compare_exchange_weak(from, to, std::memory_order_relaxed)) {
            continue;
        }
        const auto begin = clock::now();
        q.body(from, to, q.argument);
        seconds = std::chrono::duration<double>(clock::now() - begin).count();
        last = n;
        from = q.next.load(std::memory_order_relaxed);
    }
}

void run(loop_queue* q)
{
    q->workers = usual_pieces();
    run_pieces(
        0, q->workers, q->workers,
        [](void* argument, std::size_t, std::size_t, std::size_t) {
            work(*static_cast<loop_queue*>(argument));
        },
        q);
    delete q;
}

}  // namespace
}  // namespace artel::qthreads

using artel::qthreads::loop_queue;

extern "C" {

loop_queue* qt_loop_queue_create(int kind, std::size_t start, std::size_t stop, std::size_t step,
                                 void (*body)(std::size_t, std::size_t, void*), void* argument)
{
    using artel::qthreads::schedule;
    return new (std::nothrow) loop_queue{
        static_cast<schedule>(kind),    stop, step != 0 ? step : 1, body, argument, 0, start, 1,
        stop > start ? stop - start : 0};
}
void qt_loop_queue_setchunk(loop_queue* q, std::size_t chunk)
{
    q->chunk = chunk;
}
void qt_loop_queue_run(loop_queue* q)
{
    artel::qthreads::run(q);
}
}
