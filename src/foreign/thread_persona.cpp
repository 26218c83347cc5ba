// The life of a persona that is an OS thread: asleep until it has an assignment, then a guest of
// the crew until that is done.
#include "foreign/thread_persona.hpp"

#include "base/log.hpp"
#include "base/os/futex.hpp"
#include "base/os/own_threads.hpp"
#include "base/thread_end.hpp"
#include "fiber/call_out.hpp"
#include "foreign/persona_pool.hpp"
#include "sched/guest_scope.hpp"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <climits>
#include <cstdint>
#include <new>
#include <pthread.h>

namespace artel::foreign {
namespace {

// Values of thread_persona::state.
enum thread_state : std::uint32_t { resting, started, leaving };

struct thread_persona : fiber::fiber {
    std::atomic<std::uint32_t> state{resting};  // futex
    pthread_t thread{};
    retirement* retires_to = nullptr;
};

thread_persona& thread_persona_of(base::work& persona) noexcept
{
    return static_cast<thread_persona&>(static_cast<fiber::fiber&>(persona));
}

thread_local thread_persona* mine = nullptr;

// relaxed, all accesses: the function depends on no other data, and is set while the facade is
// loaded.
constinit std::atomic<void (*)() noexcept> end_program{nullptr};

void tell(thread_persona& persona, thread_state what) noexcept
{
    // release: pairs with the acquire in next_order: the assignment, and what its maker has
    // written.
    persona.state.store(what, std::memory_order_release);
    // The persona may no longer exist, if another thread has seen its end. A wake-up of no thread,
    // or of an unrelated one that checks again, does no harm.
    base::os::futex_wake(persona.state, 1);
}

thread_state next_order(thread_persona& self) noexcept
{
    // acquire (two): pairs with the release in tell.
    auto order = static_cast<thread_state>(self.state.load(std::memory_order_acquire));
    while (order == resting) {
        base::os::futex_wait(self.state, resting);
        order = static_cast<thread_state>(self.state.load(std::memory_order_acquire));
    }
    return order;
}

void execute(const assignment& a) noexcept
{
    bool outermost = false;
    if (sched::enter_scope(outermost) == nullptr) {
        // relaxed: see end_program.
        if (const auto end = end_program.load(std::memory_order_relaxed); end != nullptr) {
            end();
        }
        base::fatal("more than {} threads use the crew at a time", sched::max_workers);
    }
    base::call_program([&] { a.run(a.argument); });
    fiber::this_tls().local = nullptr;
    if (outermost) {
        sched::leave_scope();
    }
}

void* live(void* argument)
{
    thread_persona& self = *static_cast<thread_persona*>(argument);
    mine = &self;
    while (next_order(self) == started) {
        // relaxed: no order is given before persona_is_free, whose lock orders.
        self.state.store(resting, std::memory_order_relaxed);
        // Copied: it exists only until run() is entered.
        const assignment a = *static_cast<const assignment*>(self.local);
        self.local = nullptr;
        execute(a);
        retirement* const to = self.retires_to;
        self.retires_to = nullptr;
        persona_is_free(self, to);
    }
    return nullptr;
}

}  // namespace

base::work* create_thread_personas(unsigned count, std::size_t stack_size, int& error) noexcept
{
    const fiber::call_out guard;
    pthread_attr_t attributes;
    ::pthread_attr_init(&attributes);
    if (stack_size != 0) {
        constexpr std::size_t page = 4096;
        const std::size_t size = std::max(stack_size, static_cast<std::size_t>(PTHREAD_STACK_MIN));
        ::pthread_attr_setstacksize(&attributes, (size + page - 1) / page * page);
    }
    base::work* first = nullptr;
    error = 0;
    for (unsigned i = 0; i < count; ++i) {
        auto* const self = new (std::nothrow) thread_persona;
        error = self == nullptr ? ENOMEM : ::pthread_create(&self->thread, &attributes, live, self);
        if (error != 0) {
            delete self;
            break;
        }
        self->next = first;
        first = self;
        base::os::own_threads.fetch_add(1, std::memory_order_relaxed);  // relaxed: see own_threads
    }
    ::pthread_attr_destroy(&attributes);
    return first;
}

void start_thread_persona(fiber::fiber& persona) noexcept
{
    tell(thread_persona_of(persona), started);
}

retirement*& thread_persona_retires_to(fiber::fiber& persona) noexcept
{
    return thread_persona_of(persona).retires_to;
}

void call_when_crew_is_full(void (*end)() noexcept) noexcept
{
    end_program.store(end, std::memory_order_relaxed);  // relaxed: see end_program
}

fiber::fiber& this_thread_persona() noexcept
{
    return *mine;
}

void dismiss_thread_persona(base::work& persona) noexcept
{
    // relaxed: see own_threads. Before the thread can end, as in dismiss_persona.
    base::os::own_threads.fetch_sub(1, std::memory_order_relaxed);
    tell(thread_persona_of(persona), leaving);
}

bool free_thread_persona(base::work& persona, bool wait) noexcept
{
    const fiber::call_out guard;
    thread_persona& b = thread_persona_of(persona);
    if ((wait ? ::pthread_join(b.thread, nullptr) : ::pthread_tryjoin_np(b.thread, nullptr)) != 0) {
        return false;
    }
    delete &b;
    return true;
}

}  // namespace artel::foreign
