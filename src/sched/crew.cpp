// The process's crew: made at first use, slot by slot and worker by worker as they are needed, and
// abandoned in the child of a fork. Guests: guests.cpp; the crew's own OS threads:
// crew_threads.cpp; the workers' loop: loop.cpp and idle.cpp.
#include "sched/crew.hpp"
#include "sched/push.hpp"

#include "base/log.hpp"
#include "base/options.hpp"
#include "base/os/keep_errno.hpp"
#include "base/os/own_threads.hpp"
#include "base/os/rseq.hpp"
#include "fiber/call_out.hpp"
#include "fiber/overflow.hpp"
#include "fiber/persona.hpp"
#include "fiber/sanitizer.hpp"
#include "fiber/signals.hpp"
#include "sched/alarm.hpp"
#include "sched/guest_key.hpp"
#include "sched/initial_thread_exit.hpp"
#include "sched/placement.hpp"
#include "sched/statistics.hpp"
#include "sched/wait_word.hpp"
#include "topology/topology.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <mutex>
#include <new>
#include <pthread.h>
#include <sys/mman.h>

namespace artel::sched {
namespace {

// acquire/release: the pointer publishes the crew's fields. Replaced in the child of a fork; the
// parent's crew is then abandoned.
std::atomic<crew*> instance{nullptr};
// Held across fork(), so that no child has a half-made crew, or finds locks taken of what the crew
// reads.
base::spinlock making;
std::atomic<bool> process_hooks{false};

// In nanoseconds: the duration of an inner region that a steal would only slow down.
constexpr std::uint64_t steal_delay_ns = 300;

constexpr std::uint64_t default_spin_microseconds = 200;

// Zeroed, and never freed; fresh pages, since most of a crew is never touched (slot_table).
void* memory_for_crew() noexcept
{
#if defined(ARTEL_ASAN)
    // The leak checker only scans memory of malloc.
    void* const memory = std::calloc(1, sizeof(crew) + alignof(crew));
    std::size_t room = sizeof(crew) + alignof(crew);
    void* at = memory;
    return memory == nullptr ? nullptr : std::align(alignof(crew), sizeof(crew), at, room);
#else
    void* const memory = ::mmap(nullptr, sizeof(crew), PROT_READ | PROT_WRITE,
                                MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return memory == MAP_FAILED ? nullptr : memory;
#endif
}

}  // namespace

crew& crew::get() noexcept
{
    crew* c = instance.load(std::memory_order_acquire);  // acquire: see instance
    if (c == nullptr) [[unlikely]] {
        // Surveyed before the lock is taken: a survey may wait for the dynamic linker's lock, and a
        // thread that holds that one may wait for the crew (in the constructor of a library that is
        // being opened).
        const fiber::call_out guard;
        const base::os::keep_errno kept;
        const topology::machine& machine = topology::this_machine();
        const std::scoped_lock hold(making);
        c = instance.load(std::memory_order_acquire);  // acquire: see instance
        if (c == nullptr) {
            // acq_rel: under the lock anyway.
            if (!process_hooks.exchange(true, std::memory_order_acq_rel)) {
                if (::pthread_key_create(&guest_key, release_guest) != 0) {
                    base::die("no thread-specific key is left (PTHREAD_KEYS_MAX)");
                }
                fiber::install_overflow_handler();
                parker::restart = bring_back;
                base::display_options_if_asked();
                if (!machine.survey_failed.empty()) {
                    base::warn("{}", machine.survey_failed);
                }
                if (!machine.numas_unusable.empty()) {
                    base::warn("ARTEL_NUMAS: {}", machine.numas_unusable);
                }
                if (base::options().stats) {
                    std::atexit([] {
                        // acquire: see instance. nullptr: the child of a fork that has not used its
                        // crew.
                        if (const crew* const at_end = instance.load(std::memory_order_acquire);
                            at_end != nullptr) {
                            print_statistics(*at_end);
                        }
                    });
                }
            }
            void* const memory = memory_for_crew();
            if (memory == nullptr) {
                base::die("out of memory for the crew");
            }
            c = new (memory) crew;
            instance.store(c, std::memory_order_release);  // release: see instance
            crew_is_made();
        }
    }
    return *c;
}

crew::crew() noexcept
{
    ::pthread_sigmask(SIG_SETMASK, nullptr, &program_mask_);
    program_cpus_known_ = ::sched_getaffinity(0, sizeof program_cpus_, &program_cpus_) == 0;
    const base::option_values& options = base::options();
    const topology::machine& machine = topology::this_machine();
    width_ = options.num_threads != 0 ? options.num_threads : machine.effective_cpus;
    // the other slots are for guests and reserves.
    static_assert(base::modelled ||
                  (base::widest_crew == max_workers / 4 && base::largest_crew == max_workers));
    width_ = std::clamp(width_, 1u, max_workers / 4);
    if (options.max_workers != 0) {
        width_ = std::min(width_, options.max_workers);
    }
    // relaxed: published with the crew.
    own_worker_limit_.store(std::max(1u, width_ - 1), std::memory_order_relaxed);
    cpus_ = static_cast<int>(usable_cpus());
    oversubscribed_ = static_cast<int>(width_) > cpus_;
    std::uint64_t microseconds = default_spin_microseconds;
    if (options.spin.count() >= 0) {
        microseconds = static_cast<std::uint64_t>(options.spin.count());
    } else if (options.wait == base::wait_policy::active) {
        microseconds = 1000000;
    } else if (options.wait == base::wait_policy::passive) {
        microseconds = 0;
    } else if (oversubscribed_) {
        // Spinners yield each time round, and one round of all takes as long as a wake-up; with 200
        // us scans took twice as long.
        microseconds = 50;
    }
    spin_cycles_ = microseconds * base::cycles_per_microsecond();
    steal_delay_ = steal_delay_ns * base::cycles_per_microsecond() / 1000;
}

worker* crew_workers::add(role r, unsigned seat) noexcept
{
    const std::scoped_lock hold(growing_);
    // relaxed: written under the lock only.
    const unsigned n = table_size_.load(std::memory_order_relaxed);
    if (n == max_workers) {
        return nullptr;
    }
    const fiber::call_out guard;
    auto* w = new (std::nothrow)
        worker(static_cast<crew&>(*this), n, r, seat == own_index ? n : seat);
    if (w != nullptr && (!w->tasks.usable() || !w->ready.usable())) {
        delete w;
        w = nullptr;
    }
    if (w != nullptr) {
        w->cache_group = cpu_of_seat(w->seat).l3;
        table_[n].store(w, std::memory_order_release);        // release: pairs with at()
        table_size_.store(n + 1, std::memory_order_release);  // release: pairs with table_size()
        in_use_.insert(n);
    }
    return w;
}

bool crew::has_nothing_to_do() noexcept
{
    const crew* const c = made();
    // relaxed, all: a moment's view.
    return c == nullptr ||
           (c->active() <= 0 && c->working_reserves_.load(std::memory_order_relaxed) == 0 &&
            !c->any_worker([](const worker& w) { return w.has_work(); }));
}

crew* crew_table::made() noexcept
{
    return instance.load(std::memory_order_acquire);  // acquire: see instance
}

bool crew_workers::forward(base::work& item) noexcept
{
    return post_to_own_worker(static_cast<crew&>(*this), item);
}

worker* crew_workers::own_worker(unsigned i) noexcept
{
    // acquire: pairs with the release below.
    worker* w = members_[i].load(std::memory_order_acquire);
    if (w != nullptr) [[likely]] {
        return w;
    }
    if (i >= own_worker_limit()) {
        return nullptr;
    }
    const std::scoped_lock hold(creation_);
    w = members_[i].load(std::memory_order_acquire);  // acquire: as above
    if (w != nullptr || i >= own_worker_limit()) {
        return w;  // another thread has made it, or found that it cannot be made
    }
    const fiber::call_out guard;
    const base::os::keep_errno kept;
    w = add(role::own, i + 1);
    if (w == nullptr || !start_thread(*w)) {
        base::warn("cannot create worker thread {}: {}; going on with {}", i + 1,
                   std::strerror(errno), i);
        // relaxed: a limit that only falls; a stale value is corrected here again.
        own_worker_limit_.store(i, std::memory_order_relaxed);
        return nullptr;
    }
    members_[i].store(w, std::memory_order_release);  // release: pairs with the acquire above
    own_worker_count_.fetch_add(1, std::memory_order_release);  // release: pairs with
                                                                // own_worker_count()
    return w;
}

// Registered when the library is loaded: a fork that is already running would not call it.
[[maybe_unused]] const int crew::fork_handlers = ::pthread_atfork(before_fork, after_fork_in_parent,
                                                                  after_fork_in_child);

void crew::before_fork() noexcept
{
    making.lock();
    topology::before_fork();
}

void crew::after_fork_in_parent() noexcept
{
    topology::after_fork_in_parent();
    making.unlock();
}

// The child has only the caller's thread; workers, personas and holders of our locks do not exist
// in it. The parent's structures stay as they are (copy-on-write, never touched again), and the
// first use makes a new crew.
void crew::after_fork_in_child() noexcept
{
    topology::after_fork_in_child();
    making.unlock();
    base::os::own_threads.store(0, std::memory_order_relaxed);  // relaxed: see own_threads
    instance.store(nullptr, std::memory_order_release);         // release: see instance
    fiber::reset_stacks_after_fork();
    fiber::forget_personas_after_fork();
    reset_wait_words_after_fork();
    reset_alarms_after_fork();
    fiber::tls_block& tls = fiber::this_tls();
    if (tls.current_carrier != nullptr &&
        tls.current_carrier->own_thread_pointer != base::os::read_thread_pointer()) {
        // A persona has forked. The kernel continues writing the CPU's number to the stack of the
        // worker that carried it, which the C library takes for free here, and may unmap.
        base::os::unregister_rseq(tls.current_carrier->own_thread_pointer);
    }
    tls.current_carrier = nullptr;
    tls.signals = nullptr;
    if (process_hooks.load(std::memory_order_acquire)) {  // acquire: the key has been made
        ::pthread_setspecific(guest_key, nullptr);
    }
}

}  // namespace artel::sched
