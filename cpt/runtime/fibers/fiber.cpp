// Fibers of Boost.Context. Those that have ended are kept with their stacks for the next ones. A
// fiber may continue on another OS thread, so thread-local variables are accessed only in functions
// that are never inlined.
#include "fiber.hpp"

#include "../common/light.hpp"
#include "../common/settings.hpp"
#include "../common/spinlock.hpp"

#include <boost/context/protected_fixedsize_stack.hpp>

namespace cp {

namespace {

__thread fiber* running __attribute__((tls_model("initial-exec")));
__thread unsigned depth __attribute__((tls_model("initial-exec")));

__attribute__((noinline)) void deeper(int by)
{
    depth += static_cast<unsigned>(by);
}

__attribute__((noinline)) fiber* run_now(fiber* x)
{
    fiber* const before = running;
    running = x;
    return before;
}

spinlock lock;
fiber* unused = nullptr;

fiber* new_fiber()
{
    auto* const x = new fiber;
    const unsigned long stack = settings().stack;
    x->own = boost::context::fiber(std::allocator_arg,
                                   boost::context::protected_fixedsize_stack(stack),
                                   [x](boost::context::fiber&& carrier) {
                                       x->carrier = std::move(carrier);
                                       while (true) {
                                           x->f(x->argument);
                                           x->ended = true;
                                           x->carrier = std::move(x->carrier).resume();
                                       }
                                       return std::move(x->carrier);
                                   });
    return x;
}

}  // namespace

fiber* make_fiber(void (*f)(void*), void* argument, void* home)
{
    lock.lock();
    fiber* x = unused;
    if (x != nullptr) {
        unused = x->next;
    }
    lock.unlock();
    if (x == nullptr) {
        x = new_fiber();
    }
    x->f = f;
    x->argument = argument;
    x->home = home;
    x->ended = false;
    return x;
}

void carry(fiber* x)
{
    deeper(1);
    fiber* const before = run_now(x);
    x->own = std::move(x->own).resume();
    run_now(before);
    if (x->ended) {
        lock.lock();
        x->next = unused;
        unused = x;
        lock.unlock();
    } else {
        x->published(x, x->of_published);  // it may go on elsewhere from here on
    }
    deeper(-1);
}

__attribute__((noinline)) fiber* carried()
{
    return running;
}

__attribute__((noinline)) bool in_stream()
{
    return depth != 0;
}

namespace light {

void suspend(void (*published)(handle, void*), void* argument)
{
    fiber* const me = carried();
    me->published = published;
    me->of_published = argument;
    me->carrier = std::move(me->carrier).resume();
}

}  // namespace light

}  // namespace cp
