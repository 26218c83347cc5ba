// A thread's record is thread-local. The end of a persona is told by the destructor of a key, as
// no function of ours is there then.
#include "thread.hpp"

#include "callbacks.hpp"
#include "foreign/thread_end_key.hpp"

namespace artel::openmp::ompt {
namespace {

// initial-exec: reached without a call.
[[gnu::tls_model("initial-exec")]] constinit thread_local thread_record mine;

std::atomic<unsigned> workers{0};  // relaxed: only a number

// Whether the thread is one of those and its end will be told.
[[gnu::tls_model("initial-exec")]] constinit thread_local bool will_tell = false;

void at_thread_end(void*) noexcept
{
    end_thread();
    will_tell = false;
    workers.fetch_sub(1, std::memory_order_relaxed);  // relaxed: see workers
}

constinit foreign::thread_end_key thread_ends(at_thread_end);
// A tool may use keys of its own when it is told.
[[maybe_unused]] const bool made_when_loaded = thread_ends.make();

[[gnu::noinline]] void end_with_the_thread() noexcept
{
    if (!will_tell) {
        will_tell = thread_ends.set(&thread_ends);
        // relaxed: see workers.
        workers.fetch_add(will_tell ? 1 : 0, std::memory_order_relaxed);
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
