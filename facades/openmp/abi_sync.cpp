// GOMP_ entries for synchronisation: barrier, critical, atomic, single, copyprivate, sections, cancellation, error directives.
#include "abi.hpp"
#include "lock_word.hpp"
#include "loop.hpp"
#include "messages.hpp"
#include "task_reduction.hpp"
#include "workshare_meet.hpp"

#include <string_view>

namespace artel::openmp {

namespace {

// Each on a line of its own.
struct alignas(base::cache_line) global_lock {
    lock_word word{0};
};
global_lock critical_lock;  // of critical sections without a name
global_lock atomic_lock;    // of atomic constructs that the processor has no instruction for

// What cancel and cancellation point name; the numbers are the ABI's.
constexpr int cancel_parallel = 1;
constexpr int cancel_loop = 2;
constexpr int cancel_sections = 4;
constexpr int cancel_taskgroup = 8;

// libgomp's layout: the message may be given by its length or end with a zero.
std::string_view message_of(const char* text, std::size_t length)
{
    return length == static_cast<std::size_t>(-1) ? std::string_view(text) : std::string_view(text, length);
}

}  // namespace

ARTEL_GOMP void GOMP_barrier()
{
    barrier(this_member());
}

ARTEL_GOMP bool GOMP_barrier_cancel()
{
    return barrier_cancel(this_member());
}

ARTEL_GOMP void GOMP_critical_start()
{
    lock(critical_lock.word);
}

ARTEL_GOMP void GOMP_critical_end()
{
    unlock(critical_lock.word);
}

// The variable that the compiler makes for the name, a zeroed pointer, is the lock.
ARTEL_GOMP void GOMP_critical_name_start(void** name)
{
    lock(lock_at(name));
}

ARTEL_GOMP void GOMP_critical_name_end(void** name)
{
    unlock(lock_at(name));
}

ARTEL_GOMP void GOMP_atomic_start()
{
    lock(atomic_lock.word);
}

ARTEL_GOMP void GOMP_atomic_end()
{
    unlock(atomic_lock.word);
}

ARTEL_GOMP bool GOMP_single_start()
{
    member& m = this_member();
    if (m.in->size == 1) {
        return true;
    }
    std::atomic<std::uint32_t>& claimed = m.in->worksharing.singles;
    std::uint32_t mine = m.position.singles++;
    // relaxed: who gets it is all that matters; the data is ordered by the barrier at the end of the construct. Whoever finds the count
    // beyond its own construct has come too late.
    return claimed.load(std::memory_order_relaxed) == mine &&
           claimed.compare_exchange_strong(mine, mine + 1, std::memory_order_relaxed);
}

ARTEL_GOMP void* GOMP_single_copy_start()
{
    member& m = this_member();
    if (m.in->size == 1 || meet(m, [](workshare_slot&) {})) {
        return nullptr;
    }
    workshare_slot& slot = *m.position.current;
    barrier(m);
    void* const data = slot.copyprivate;
    leave(m);
    return data;
}

ARTEL_GOMP void GOMP_single_copy_end(void* data)
{
    member& m = this_member();
    if (m.in->size == 1) {
        return;
    }
    // The others read it between this barrier and the one that the compiler puts behind the construct.
    m.position.current->copyprivate = data;
    barrier(m);
    leave(m);
}

ARTEL_GOMP unsigned GOMP_sections_start(unsigned count)
{
    member& m = this_member();
    start_sections(m, count);
    return next_section(m);
}

ARTEL_GOMP unsigned GOMP_sections2_start(unsigned count, std::uintptr_t* reductions, void** memory)
{
    member& m = this_member();
    if (reductions != nullptr) {
        start_workshare_reductions(m, reductions);
    }
    if (memory != nullptr) {
        const std::size_t bytes = reinterpret_cast<std::uintptr_t>(*memory);
        *memory = start_loop(m, {0, count, 1, count}, {schedule_kind::dynamic, 1}, false, bytes);
    } else {
        start_sections(m, count);
    }
    return next_section(m);
}

ARTEL_GOMP unsigned GOMP_sections_next()
{
    return next_section(this_member());
}

ARTEL_GOMP void GOMP_sections_end_nowait()
{
    leave(this_member());
}

ARTEL_GOMP void GOMP_sections_end()
{
    member& m = this_member();
    leave(m);
    barrier(m);
}

ARTEL_GOMP bool GOMP_sections_end_cancel()
{
    member& m = this_member();
    leave(m);
    return barrier_cancel(m);
}

ARTEL_GOMP bool GOMP_cancellation_point(int which)
{
    if (!globals().cancellation) {
        return false;
    }
    const member& m = this_member();
    // relaxed, all: cancellation takes effect some time after it was requested; results are ordered by the barrier at the end.
    if ((which & (cancel_loop | cancel_sections)) != 0) {
        return m.in->worksharing.cancelled.load(std::memory_order_relaxed);
    }
    if ((which & cancel_taskgroup) != 0) {
        const taskgroup* const inner = m.current->group;
        const taskgroup* const group = cancellable_group(*m.current);
        if (group != nullptr &&
            (group->cancelled.load(std::memory_order_relaxed) || inner->cancelled.load(std::memory_order_relaxed))) {
            return true;
        }
    }
    // Cancelling the region cancels its explicit tasks too.
    return m.in->cancelled.load(std::memory_order_relaxed);
}

ARTEL_GOMP bool GOMP_cancel(int which, bool requested)
{
    if (!globals().cancellation) {
        return false;
    }
    if (!requested) {
        return GOMP_cancellation_point(which);
    }
    member& m = this_member();
    // relaxed, all: as in GOMP_cancellation_point.
    if ((which & (cancel_loop | cancel_sections)) != 0) {
        m.in->worksharing.cancelled.store(true, std::memory_order_relaxed);
    } else if ((which & cancel_taskgroup) != 0) {
        if (taskgroup* const group = cancellable_group(*m.current); group != nullptr) {
            group->cancelled.store(true, std::memory_order_relaxed);
        }
    } else if ((which & cancel_parallel) != 0) {
        m.in->worksharing.ragged.store(true, std::memory_order_relaxed);
        cancel_region(*m.in);
    }
    return true;
}

ARTEL_GOMP void GOMP_warning(const char* text, std::size_t length)
{
    if (text != nullptr) {
        complain("error directive encountered: {}", message_of(text, length));
    } else {
        complain("error directive encountered");
    }
}

ARTEL_GOMP void GOMP_error(const char* text, std::size_t length)
{
    if (text != nullptr) {
        give_up("fatal error: error directive encountered: {}", message_of(text, length));
    }
    give_up("fatal error: error directive encountered");
}

// Code for devices that a program or plug-in carries: there are none, so nothing is kept of it, and target regions run on the host.
ARTEL_GOMP void GOMP_offload_register_ver(unsigned, const void*, int, const void*) {}
ARTEL_GOMP void GOMP_offload_unregister_ver(unsigned, const void*, int, const void*) {}
ARTEL_GOMP void GOMP_offload_register(const void*, int, const void*) {}
ARTEL_GOMP void GOMP_offload_unregister(const void*, int, const void*) {}

}  // namespace artel::openmp
