// A fiber: an execution context that can be suspended on one OS thread and resumed on another.
// Three kinds:
// - plain: a small pooled stack, under the TLS of whichever OS thread carries it. Native C++ tasks
//   and the scheduling loops.
// - persona: the stack and TLS of a parked pthread (persona.hpp), for foreign code. Its TLS goes
//   with it when it changes carriers.
// - bound: the own stack of an OS thread that the crew did not make (main, user threads); resumed
//   only on that OS thread.
//
// A carrier is an OS thread as this folder sees it; src/sched makes a worker of it.
//
// A suspended fiber becomes visible to others only in the `after` function of the switch that
// suspended it, which runs on the next fiber's stack: before that its context is not saved yet, and
// resuming it would run on a live stack.
#pragma once

#include "base/os/thread_pointer.hpp"
#include "base/work.hpp"
#include "fiber/signal_state.hpp"
#include "fiber/stack.hpp"

#include <atomic>
#include <cstdint>

namespace artel::detail {
struct width_budget;
}

namespace artel::sched {
struct unit;
struct stream;
}  // namespace artel::sched

namespace artel::fiber {

struct carrier;

enum class kind : std::uint8_t { plain, persona, bound };

// The C++ runtime's state per OS thread of exceptions being handled (Itanium C++ ABI 2.2.2,
// __cxa_eh_globals). A fiber may be suspended inside a catch block, so fibers that share a thread
// pointer each have their own.
struct exception_state {
    void* caught = nullptr;
    unsigned uncaught = 0;
};

struct fiber : base::work {
    void* context = nullptr;  // saved stack pointer; valid while suspended
    kind type = kind::plain;
    base::os::thread_pointer thread_pointer = 0;  // 0: the carrier's own
    // the block under thread_pointer; nullptr: the carrier's own.
    struct tls_block* tls = nullptr;
    void* local = nullptr;  // tls_block::local while suspended
    // its last carrier, where its caches are warm; a bound fiber's only carrier.
    carrier* last = nullptr;
    // the carrier that it is sent to when it is made ready at home; nullptr: `last`.
    carrier* home = nullptr;
    void (*entry)(fiber&) = nullptr;  // run by the first switch to it; never returns
    // while suspended; personas keep theirs in their own TLS.
    exception_state exceptions{};
    // bounds, for overflow reports and sanitizers (bound: unknown, size 0).
    struct stack stack;
    const char* half_full = nullptr;  // see has_room; nullptr: not yet known
    std::uint64_t id = 0;             // shown in messages and in gdb
    // native light thread that runs on it, for artel::this_light_thread.
    const void* light_thread = nullptr;
    // a persona's: the region or arena that it works for (sched/program_regions.hpp); nullptr: not
    // known.
    const void* works_for = nullptr;
    // the unit of a stream that runs on it (sched/stream.hpp), and the stream that it occupies or
    // occupied last; nullptr for other fibers.
    sched::unit* unit = nullptr;
    sched::stream* stream = nullptr;
    // The program's settings for calls made here: the innermost width_scope (sched/width.hpp), and
    // the number of open isolations (sched/isolation.hpp).
    artel::detail::width_budget* width = nullptr;
    unsigned isolated = 0;
    // Its spawns take the slow path: it is in a width_scope, or an external thread's own fiber
    // outside of every construct. Derived from other fields (sched/guest_scope.hpp), so that one
    // check suffices.
    bool spawns_apart = false;
    void* sanitizer_fiber = nullptr;  // TSan's handle of it
    void* fake_stack = nullptr;       // ASan's, while suspended
};

// A thread's part in the exclusion of forks (sched/fork_exclusion.cpp).
struct fork_notes {
    unsigned outsiders_locks = 0;  // fork_locks that it holds and has counted as no worker
    unsigned begun = 0;            // handlers that have begun its fork and not ended it
    // The worker that it was when that began, and the locks that it had counted as that one.
    unsigned worker = 0;
    unsigned workers_locks = 0;
};

// The only thread-locals of the core. Lives under every thread pointer; a persona's block is
// reached through fiber::tls.
struct tls_block {
    // the carrier of the code that reads this; nullptr: an OS thread unknown to the crew.
    carrier* current_carrier = nullptr;
    // one word per fiber for the facade that runs on it (saved and restored by switches).
    void* local = nullptr;
    unsigned calls_out = 0;  // call_out.hpp
    // of the persona or the OS thread whose block this is (signals.hpp).
    signal_state* signals = nullptr;
    fork_notes fork;
};

// Runs on the next fiber's stack right after a switch; from then on `previous` may be resumed by
// any thread that it is made visible to.
using after_switch = void (*)(carrier& here, fiber& previous, void* argument);

// The remaining work on the signal mask, on the stack of the next fiber (signals.cpp).
enum class mask_step : std::uint8_t { none, half_done, whole };

#if defined(ARTEL_MODEL_SIGNALS)
// Other threads may see an old value, as in crew::nudge_carrier_of.
class current_fiber {
public:
    current_fiber(fiber* f) noexcept { *this = f; }
    operator fiber*() const noexcept
    {
        return at_.load(std::memory_order_relaxed);  // relaxed: stands for a plain access
    }
    fiber* operator->() const noexcept { return *this; }
    current_fiber& operator=(fiber* f) noexcept
    {
        at_.store(f, std::memory_order_relaxed);  // relaxed: as above
        return *this;
    }

private:
    std::atomic<fiber*> at_{nullptr};
};
#else
using current_fiber = fiber*;
#endif

struct carrier {
    current_fiber current = nullptr;
    base::os::thread_pointer own_thread_pointer = 0;
    tls_block* own_tls = nullptr;
    exception_state* own_exceptions = nullptr;  // the C++ runtime's, under the own thread pointer
    // the fiber that sanitizers believe to run under the own thread pointer.
    fiber* own_stack_user = nullptr;
    // written by the carrier only; the monitor checks whether it changes.
    std::atomic<std::uint64_t> switches{0};
    // signals.hpp: the state of the bound fiber, and the mask of all that runs under the own thread
    // pointer; and, during a switch, what was to run after it.
    signal_state own_signals;
    after_switch after_signals = nullptr;
    mask_step mask_change = mask_step::none;
};

// initial-exec: one instruction to reach, and no allocation at first use in a signal handler. 48
// bytes of the static TLS surplus when the library comes in by dlopen. Only for this_tls().
extern __attribute__((tls_model("initial-exec"))) constinit thread_local tls_block thread_block;

// The calling OS thread's block *now*. Plain fibers must call it again after every possible switch:
// a compiler may keep a thread-local's address across calls, and after a switch that is another OS
// thread's. So the address is computed where the compiler cannot see that it is one. Personas and
// bound fibers may cache it.
#if defined(__x86_64__) && !defined(ARTEL_MODEL)
inline tls_block& this_tls() noexcept
{
    tls_block* here;
    // The ABI's sequence for initial-exec (ELF TLS, 4.4.6); %fs:0 holds the thread pointer itself.
    asm volatile("movq _ZN5artel5fiber12thread_blockE@gottpoff(%%rip), %0\n\taddq %%fs:0, %0"
                 : "=r"(here)
                 :
                 : "cc");
    return *here;
}
#else
tls_block& this_tls() noexcept;
#endif

// Prepares `f` (whose stack is set) to run entry(f) at its first switch_to. entry must not return.
void prepare(fiber& f, void (*entry)(fiber&)) noexcept;

// Makes the calling OS thread's running context a bound fiber of `here`.
void adopt_thread(carrier& here, fiber& f) noexcept;

// Whether the calling code, on fiber `here`, has at least half of ARTEL_STACK_SIZE left on its
// stack.
bool has_room(fiber& here) noexcept;

// The number of a new fiber.
std::uint64_t new_fiber_id() noexcept;

// A plain fiber with a pooled stack, on top of which the fiber object itself lies; nullptr when
// there is no memory.
fiber* create_plain(void (*entry)(fiber&)) noexcept;
void destroy_plain(fiber&) noexcept;  // must be suspended or finished, and invisible to others

}  // namespace artel::fiber
