#include "thread.hpp"

#include "callbacks.hpp"

namespace artel::openmp::ompt {
namespace {

// initial-exec: reached without a call.
[[gnu::tls_model("initial-exec")]] constinit thread_local thread_record mine;

std::atomic<unsigned> workers{0};  // relaxed: only a number

struct ender {
    bool armed = false;
    ender() = default;
    ender(const ender&) = delete;
    ender& operator=(const ender&) = delete;
    ~ender()
    {
        end_thread();
        workers.fetch_sub(1, std::memory_order_relaxed);  // relaxed: see workers
    }
};

[[gnu::noinline]] void end_with_the_thread() noexcept
{
    thread_local ender at_end;
    if (!at_end.armed) {
        at_end.armed = true;
        workers.fetch_add(1, std::memory_order_relaxed);  // relaxed: see workers
    }
}

}  // namespace

unsigned known_workers() noexcept
{
    return workers.load(std::memory_order_relaxed);  // relaxed: see workers
}

[[gnu::noinline]] thread_record& this_thread() noexcept
{
    return mine;
}

void begin_thread(thread_kind kind) noexcept
{
    thread_record& t = this_thread();
    if (t.known) {
        return;
    }
    t = {};
    t.known = true;
    t.doing = kind == thread_kind::initial ? state::work_serial : state::overhead;
    if (kind != thread_kind::initial) {
        end_with_the_thread();
    }
    tell<event::thread_begin>(kind, &t.thread_data);
}

void end_thread() noexcept
{
    thread_record& t = this_thread();
    if (!t.known) {
        return;
    }
    if (attached()) {
        tell<event::thread_end>(&t.thread_data);
    }
    t = {};
}

}  // namespace artel::openmp::ompt
