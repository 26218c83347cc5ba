// The birth and end of personas: a pthread records what makes it itself (thread pointer, TLS block,
// stack bounds), gives up its restartable-sequence area, and blocks in a futex. From then on its
// stack below the parked frames belongs to the persona's context, until that is given up and the
// pthread goes on to its own end.
#include "fiber/persona.hpp"

#include "base/os/futex.hpp"
#include "base/os/own_threads.hpp"
#include "base/os/rseq.hpp"
#include "fiber/call_out.hpp"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <new>
#include <pthread.h>

namespace artel::fiber {
namespace {

// relaxed: a statistic.
std::atomic<std::size_t> count{0};

void run_persona(fiber& f)
{
    auto& self = static_cast<persona&>(f);
    self.main(self);
    std::abort();  // main must not return
}

void* birth(void* argument)
{
    auto& self = *static_cast<persona*>(argument);
    // The kernel must never run a handler here: the parked thread's stack and TLS may be in use by
    // another OS thread.
    sigset_t all;
    ::sigfillset(&all);
    ::pthread_sigmask(SIG_SETMASK, &all, nullptr);
    base::os::unregister_rseq();
    self.thread_pointer = base::os::read_thread_pointer();
    self.tls = &this_tls();
    pthread_attr_t attributes;
    void* low = nullptr;
    std::size_t size = 0;
    if (::pthread_getattr_np(::pthread_self(), &attributes) == 0) {
        ::pthread_attr_getstack(&attributes, &low, &size);
        ::pthread_attr_getguardsize(&attributes, &self.guard_size);
        ::pthread_attr_destroy(&attributes);
    }
    // The context starts a page below this frame; what the parked thread still needs lies above.
    char here;
    char* const top = reinterpret_cast<char*>(reinterpret_cast<std::uintptr_t>(&here) / 4096 *
                                              4096) -
                      4096;
    self.stack = {low, static_cast<std::size_t>(top - static_cast<char*>(low))};
    prepare(self, run_persona);
    // Pairs with the acquire in create_persona; everything above is visible to the maker.
    base::os::announce_and_park(self.born);
    // end_persona: stack and TLS are this thread's own again. What the C library does at a thread's
    // end follows.
    return nullptr;
}

}  // namespace

persona* create_persona(std::size_t stack_size, void (*main)(persona&), void* user,
                        int& error) noexcept
{
    const call_out guard;
    auto* const self = new (std::nothrow) persona;
    if (self == nullptr) {
        error = ENOMEM;
        return nullptr;
    }
    self->type = kind::persona;
    self->id = new_fiber_id();
    self->main = main;
    self->user = user;
    pthread_attr_t attributes;
    ::pthread_attr_init(&attributes);
    if (stack_size != 0) {
        // Thread-local storage and the C library's descriptor of the thread lie there, too, and
        // take most of the smallest stacks.
        constexpr std::size_t beside = 16 * 1024;
        ::pthread_attr_setstacksize(
            &attributes,
            std::max(stack_size, static_cast<std::size_t>(PTHREAD_STACK_MIN)) + beside);
    }
    // More than the usual page, which a frame with an array of a few kilobytes would jump over.
    ::pthread_attr_setguardsize(&attributes, 64 * 1024);
    error = ::pthread_create(&self->thread, &attributes, birth, self);
    ::pthread_attr_destroy(&attributes);
    if (error != 0) {
        delete self;
        return nullptr;
    }
    // acquire: pairs with the release in birth().
    while (self->born.load(std::memory_order_acquire) == 0) {
        base::os::futex_wait(self->born, 0);
    }
    count.fetch_add(1, std::memory_order_relaxed);                  // relaxed: see count
    base::os::own_threads.fetch_add(1, std::memory_order_relaxed);  // relaxed: see own_threads
    return self;
}

void end_persona(persona& p) noexcept
{
    const call_out guard;
    // The context was left in the middle. To the program's destructors of thread-local objects this
    // is an OS thread that the crew does not know.
    p.tls->current_carrier = nullptr;
    p.tls->local = nullptr;
    // release: pairs with the acquire in announce_and_park.
    p.born.store(2, std::memory_order_release);
    base::os::futex_wake(p.born, 1);
    ::pthread_join(p.thread, nullptr);
    count.fetch_sub(1, std::memory_order_relaxed);                  // relaxed: see count
    base::os::own_threads.fetch_sub(1, std::memory_order_relaxed);  // relaxed: see own_threads
    delete &p;
}

std::size_t persona_count() noexcept
{
    return count.load(std::memory_order_relaxed);  // relaxed: see count
}

}  // namespace artel::fiber
