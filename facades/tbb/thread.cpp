#include "thread.hpp"

#include "arena.hpp"
#include "control.hpp"

#include <pthread.h>
#include <utility>

namespace artel::onetbb {

constinit thread_local thread* known = nullptr;

namespace {

// Ends what is known of a thread with it.
struct keeper {
    thread* of = nullptr;
    ~keeper()
    {
        if (thread* const t = std::exchange(of, nullptr); t != nullptr) {
            delete t;
            known = nullptr;
        }
    }
};
thread_local keeper kept;

// Threads that have an arena of their own. relaxed, all: a moment's view.
std::atomic<unsigned> with_own_arena{0};

}  // namespace

thread::thread() : memory(&small_pool::acquire())
{
    pthread_attr_t attributes;
    if (::pthread_getattr_np(::pthread_self(), &attributes) == 0) {
        void* low = nullptr;
        std::size_t size = 0;
        if (::pthread_attr_getstack(&attributes, &low, &size) == 0) {
            half_of_stack = static_cast<const char*>(low) + size / 2;
        }
        ::pthread_attr_destroy(&attributes);
    }
    root.me = this;
    root.original_slot = 0;
    random = (reinterpret_cast<std::uintptr_t>(this) >> 6) * 0x9E3779B97F4A7C15U | 1;
}

thread::~thread()
{
    if (in != nullptr) {
        in->observers.tell_exit(*this);
        in->leave(*this);
    }
    drop_own_arena();
    small_pool::release(*memory);
}

void thread::drop_own_arena() noexcept
{
    if (own_arena != nullptr) {
        with_own_arena.fetch_sub(1, std::memory_order_relaxed);  // relaxed: see there
        std::exchange(own_arena, nullptr)->drop();
    }
}

bool others_have_own_arenas(const thread* me) noexcept
{
    const unsigned mine = me != nullptr && me->own_arena != nullptr ? 1 : 0;
    // relaxed: a moment's view.
    return with_own_arena.load(std::memory_order_relaxed) > mine;
}

void forget_own_arenas_of_others() noexcept
{
    const thread* const me = known_thread();
    // relaxed: nobody else is here.
    with_own_arena.store(me != nullptr && me->own_arena != nullptr ? 1 : 0,
                         std::memory_order_relaxed);
}

thread& make_thread()
{
    auto* const t = new thread;
    known = t;
    kept.of = t;
    return *t;
}

void enter_own_arena(thread& t)
{
    if (t.own_arena == nullptr) {
        arena_shape shape;
        shape.max_concurrency = static_cast<int>(default_concurrency());
        t.own_arena = &arena::make(shape);
        with_own_arena.fetch_add(1, std::memory_order_relaxed);  // relaxed: see there
    }
    t.own_arena->enter(t, false);
    t.in->observers.tell_entry(t);
}

}  // namespace artel::onetbb
