// The life of a body that is an OS thread: asleep until it has an assignment, then a guest of the
// crew until that is done.
#include "thread_bodies.hpp"

#include "base/os/futex.hpp"
#include "base/os/own_threads.hpp"
#include "base/thread_end.hpp"
#include "bodies.hpp"
#include "fiber/call_out.hpp"
#include "linking/messages.hpp"
#include "sched/guest_scope.hpp"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <climits>
#include <cstdint>
#include <new>
#include <pthread.h>

namespace artel::openmp {
namespace {

// What thread_body::state says.
enum body_state : std::uint32_t { resting, started, leaving };

struct thread_body : fiber::fiber {
    std::atomic<std::uint32_t> state{resting};  // futex
    pthread_t thread{};
    retirement* retires_to = nullptr;
};

thread_body& thread_body_of(base::work& body) noexcept
{
    return static_cast<thread_body&>(static_cast<fiber::fiber&>(body));
}

thread_local thread_body* mine = nullptr;

void tell(thread_body& body, body_state what) noexcept
{
    // release: pairs with the acquire in next_order: the assignment, and what its maker has
    // written.
    body.state.store(what, std::memory_order_release);
    // The body may be gone by now, if somebody else has seen its end. A wake-up of nobody, or of a
    // stranger that looks again, does no harm.
    base::os::futex_wake(body.state, 1);
}

body_state next_order(thread_body& self) noexcept
{
    // acquire (two): pairs with the release in tell.
    auto order = static_cast<body_state>(self.state.load(std::memory_order_acquire));
    while (order == resting) {
        base::os::futex_wait(self.state, resting);
        order = static_cast<body_state>(self.state.load(std::memory_order_acquire));
    }
    return order;
}

void execute(const assignment& a) noexcept
{
    bool outermost = false;
    if (sched::enter_scope(outermost) == nullptr) {
        give_up("Thread creation failed: more than {} threads use the crew at a time",
                sched::max_workers);
    }
    base::call_program([&] { a.run(a.argument); });
    fiber::this_tls().local = nullptr;
    if (outermost) {
        sched::leave_scope();
    }
}

void* live(void* argument)
{
    thread_body& self = *static_cast<thread_body*>(argument);
    mine = &self;
    while (next_order(self) == started) {
        // relaxed: nobody gives the next order before body_is_free, whose lock orders.
        self.state.store(resting, std::memory_order_relaxed);
        // Copied: it lives until run() is entered.
        const assignment a = *static_cast<const assignment*>(self.local);
        self.local = nullptr;
        execute(a);
        retirement* const to = self.retires_to;
        self.retires_to = nullptr;
        body_is_free(self, to);
    }
    return nullptr;
}

}  // namespace

base::work* create_thread_bodies(unsigned count, std::size_t stack_size, int& error) noexcept
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
        auto* const self = new (std::nothrow) thread_body;
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

void start_thread_body(fiber::fiber& body) noexcept
{
    tell(thread_body_of(body), started);
}

retirement*& thread_body_retires_to(fiber::fiber& body) noexcept
{
    return thread_body_of(body).retires_to;
}

fiber::fiber& this_thread_body() noexcept
{
    return *mine;
}

void dismiss_thread_body(base::work& body) noexcept
{
    // relaxed: see own_threads. Before the thread can end, as in dismiss_persona.
    base::os::own_threads.fetch_sub(1, std::memory_order_relaxed);
    tell(thread_body_of(body), leaving);
}

bool free_thread_body(base::work& body, bool wait) noexcept
{
    const fiber::call_out guard;
    thread_body& b = thread_body_of(body);
    if ((wait ? ::pthread_join(b.thread, nullptr) : ::pthread_tryjoin_np(b.thread, nullptr)) != 0) {
        return false;
    }
    delete &b;
    return true;
}

}  // namespace artel::openmp
