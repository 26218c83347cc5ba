// Creation and end of personas: a pthread records its own identity (thread pointer, TLS block, top
// of its stack), gives up its restartable-sequence area, and blocks in a futex. From then on its
// stack below the parked frames belongs to the persona's context, until that is given up and the
// pthread continues to its own end.
#include "fiber/persona.hpp"

#include "base/cpu.hpp"
#include "base/os/futex.hpp"
#include "base/os/own_threads.hpp"
#include "base/os/rseq.hpp"
#include "fiber/call_out.hpp"
#include "fiber/sanitizer.hpp"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdlib>
#include <new>
#include <pthread.h>

namespace artel::fiber {
namespace {

// relaxed: a statistic.
std::atomic<std::size_t> count_{0};
std::atomic<std::size_t> most_{0};  // of count_, at the ends of create_personas; relaxed: as that
// Those whose threads have been started and are not ready to be parked. relaxed: a hint for threads
// that spin.
std::atomic<unsigned> unborn_{0};

constexpr std::size_t page = 4096;

// More than the usual page, which a frame with an array of a few kilobytes would skip.
constexpr std::size_t guard_size = 64 * 1024;

void run_persona(fiber& f)
{
    auto& self = static_cast<persona&>(f);
    self.main(self);
    std::abort();  // main must not return
}

// The lowest address of the calling pthread's stack.
char* lowest(const persona& self) noexcept
{
#if defined(ARTEL_TSAN) || defined(ARTEL_ASAN)
    // The sanitizers give threads larger stacks than requested.
    static_cast<void>(self);
    pthread_attr_t attributes;
    void* low = nullptr;
    std::size_t size = 0;
    if (::pthread_getattr_np(::pthread_self(), &attributes) == 0) {
        ::pthread_attr_getstack(&attributes, &low, &size);
        ::pthread_attr_destroy(&attributes);
    }
    return static_cast<char*>(low);
#else
    // The thread pointer points to the C library's descriptor of the thread, which ends in the
    // highest page of the stack. Asking the C library allocates memory, and a thread's first
    // allocation gives it an arena of its own. The result is too high if the C library reused a
    // larger stack; then an overflow is not explained.
    char* const high = reinterpret_cast<char*>((self.thread_pointer / page + 1) * page);
    return high - self.mapped;
#endif
}

void* birth(void* argument)
{
    auto& self = *static_cast<persona*>(argument);
    self.thread_pointer = base::os::read_thread_pointer();
    base::os::unregister_rseq(self.thread_pointer);
    self.tls = &this_tls();
    self.signals.self = &self;
    self.tls->signals = &self.signals;
    // The context starts some pages below this frame. What the parked thread still needs lies
    // above, including room for the C library's own signal, which no thread can block
    // (base/os/setxid.hpp): a frame of up to 12 KiB with the registers of large vectors and
    // matrices.
    char here;
    char* const top = reinterpret_cast<char*>((reinterpret_cast<std::uintptr_t>(&here) / page - 4) *
                                              page);
    char* const low = lowest(self);
    self.stack = {low, static_cast<std::size_t>(top - low)};
    prepare(self, run_persona);
    sanitizer_born(self);
    unborn_.fetch_sub(1, std::memory_order_relaxed);  // relaxed: see unborn_
    // Pairs with the acquire in wait_for; everything above is visible to the maker.
    base::os::announce_and_park(self.state);
    // Dismissed: stack and TLS are this thread's own again, and the C library ends the thread.
    return nullptr;
}

void wait_for(persona& p) noexcept
{
    // Most are ready by now, or will be before a sleeper could wake up, so check a few times first.
    for (unsigned looks = 0;
         // relaxed: a check; acquired below.
         looks < 200 && p.state.load(std::memory_order_relaxed) != base::os::parked; ++looks) {
        base::cpu_relax();
    }
    // acquire (two): pairs with the release in announce_and_park.
    std::uint32_t state = p.state.load(std::memory_order_acquire);
    if (state != base::os::parked &&
        p.state.compare_exchange_strong(state, base::os::awaited, std::memory_order_acquire)) {
        do {
            base::os::futex_wait(p.state, base::os::awaited);
            // acquire: as above.
        } while (p.state.load(std::memory_order_acquire) == base::os::awaited);
    }
    sanitizer_seen_born(p);
}

}  // namespace

persona* create_personas(unsigned count, std::size_t stack_size, void (*main)(persona&),
                         void (*meanwhile)(void*), void* argument, int& error) noexcept
{
    const call_out guard;
    pthread_attr_t attributes;
    ::pthread_attr_init(&attributes);
    if (stack_size == 0) {
        ::pthread_attr_getstacksize(&attributes, &stack_size);
    }
    // Thread-local storage and the C library's descriptor of the thread lie on the stack, too, and
    // take most of the smallest stacks.
    constexpr std::size_t beside = 32 * 1024;
    const std::size_t size = std::max(stack_size, static_cast<std::size_t>(PTHREAD_STACK_MIN)) +
                             beside;
    ::pthread_attr_setstacksize(&attributes, (size + page - 1) / page * page);
    ::pthread_attr_setguardsize(&attributes, guard_size);
    std::size_t mapped = 0;
    ::pthread_attr_getstacksize(&attributes, &mapped);
    // The kernel must never run a handler on the parked thread, whose stack and TLS may be in use
    // by another OS thread. The maker blocks the signals, so that the new thread needs no system
    // call.
    const base::os::signal_set before = base::os::block_all();
    // All are started before the caller waits for the first: each runs wherever there is a CPU, and
    // the caller sleeps at most once.
    persona* first = nullptr;
    error = 0;
    for (unsigned i = 0; i < count; ++i) {
        auto* const self = new (std::nothrow) persona;
        if (self == nullptr) {
            error = ENOMEM;
            break;
        }
        self->type = kind::persona;
        self->id = new_fiber_id();
        self->main = main;
        self->mapped = mapped;
        self->guard_size = guard_size;
        self->signals.blocked = before;
        unborn_.fetch_add(1, std::memory_order_relaxed);  // relaxed: see unborn_
        error = ::pthread_create(&self->thread, &attributes, birth, self);
        if (error != 0) {
            unborn_.fetch_sub(1, std::memory_order_relaxed);  // relaxed: see unborn_
            delete self;
            break;
        }
        // The youngest first: that is the one to wait for; the others are usually ready by then.
        self->next = first;
        first = self;
        count_.fetch_add(1, std::memory_order_relaxed);                 // relaxed: see count_
        base::os::own_threads.fetch_add(1, std::memory_order_relaxed);  // relaxed: see own_threads
    }
    // relaxed (three): see count_.
    const std::size_t now = count_.load(std::memory_order_relaxed);
    std::size_t most = most_.load(std::memory_order_relaxed);
    while (most < now && !most_.compare_exchange_weak(most, now, std::memory_order_relaxed)) {
    }
    base::os::change_blocked(SIG_SETMASK, before);
    ::pthread_attr_destroy(&attributes);
    if (meanwhile != nullptr) {
        meanwhile(argument);
    }
    for (persona* p = first; p != nullptr; p = static_cast<persona*>(p->next)) {
        wait_for(*p);
    }
    return first;
}

void dismiss_persona(persona& p) noexcept
{
    // The context was abandoned. To the program's destructors of thread-local objects this is an OS
    // thread that the crew does not know.
    p.tls->current_carrier = nullptr;
    p.tls->local = nullptr;
    p.tls->signals = nullptr;
    // relaxed (two): see count_ and own_threads. Before the thread can end: code that compares
    // own_threads with the number of all threads must not take one of ours for one of the
    // program's.
    count_.fetch_sub(1, std::memory_order_relaxed);
    base::os::own_threads.fetch_sub(1, std::memory_order_relaxed);
    // release: pairs with the acquire in announce_and_park.
    p.state.store(base::os::dismissed, std::memory_order_release);
    base::os::futex_wake(p.state, 1);
}

bool free_persona(persona& p, bool wait) noexcept
{
    const call_out guard;
    if ((wait ? ::pthread_join(p.thread, nullptr) : ::pthread_tryjoin_np(p.thread, nullptr)) != 0) {
        return false;
    }
    delete &p;
    return true;
}

std::size_t most_personas() noexcept
{
    return most_.load(std::memory_order_relaxed);  // relaxed: see most_
}

unsigned unborn_personas() noexcept
{
    return unborn_.load(std::memory_order_relaxed);  // relaxed: see unborn_
}

void forget_personas_after_fork() noexcept
{
    // relaxed (three): the child has one thread.
    unborn_.store(0, std::memory_order_relaxed);
    count_.store(0, std::memory_order_relaxed);
    most_.store(0, std::memory_order_relaxed);
}

std::size_t persona_count() noexcept
{
    return count_.load(std::memory_order_relaxed);  // relaxed: see count_
}

}  // namespace artel::fiber
