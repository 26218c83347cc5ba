// A state is made at a thread's first call and deleted by the destructor of a key, in a later round
// if destructors of other keys use the interface.
#include "thread.hpp"

#include "arena.hpp"
#include "base/log.hpp"
#include "control.hpp"

#include <pthread.h>
#include <utility>

namespace artel::onetbb {

constinit thread_local thread* known = nullptr;

namespace {

// Deletes a thread's state at its end, after the destructors of its thread-local objects, which may
// use the interface. So may destructors for other keys; then there is one more round of them.
void end_of_thread(void* t) noexcept
{
    delete static_cast<thread*>(t);
    known = nullptr;
}

// Made when the library is loaded: a key made at first use would need a lock that a fork could
// leave taken. The first thread that needs the key checks whether there was one.
struct thread_key {
    pthread_key_t it{};
    const bool made = ::pthread_key_create(&it, end_of_thread) == 0;
};

[[gnu::init_priority(101)]] const thread_key key;

// Threads that use the scheduler. relaxed, all: a moment's view.
std::atomic<unsigned> users{0};

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
    if (std::exchange(uses, false)) {
        users.fetch_sub(1, std::memory_order_relaxed);  // relaxed: see there
    }
    if (own_arena != nullptr) {
        std::exchange(own_arena, nullptr)->drop();
    }
}

void count_user(thread& t) noexcept
{
    t.uses = true;
    users.fetch_add(1, std::memory_order_relaxed);  // relaxed: see there
    handles_keep_scheduler();
}

bool others_use_scheduler(const thread* me) noexcept
{
    const unsigned mine = me != nullptr && me->uses ? 1 : 0;
    return users.load(std::memory_order_relaxed) > mine;  // relaxed: a moment's view
}

void forget_other_users() noexcept
{
    const thread* const me = known_thread();
    // relaxed: nobody else is here.
    users.store(me != nullptr && me->uses ? 1 : 0, std::memory_order_relaxed);
}

thread& make_thread()
{
    if (!key.made) {
        base::die("no thread-specific key is left (PTHREAD_KEYS_MAX)");
    }
    auto* const t = new thread;
    // If this fails for lack of memory, the state is not deleted.
    ::pthread_setspecific(key.it, t);
    known = t;
    return *t;
}

void enter_own_arena(thread& t)
{
    if (t.own_arena == nullptr) {
        arena_shape shape;
        shape.max_concurrency = static_cast<int>(default_concurrency());
        t.own_arena = &arena::make(shape);
        if (!t.uses) {
            count_user(t);
        }
    }
    t.own_arena->enter(t, false);
    t.in->observers.tell_entry(t);
}

}  // namespace artel::onetbb
