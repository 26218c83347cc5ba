// GOMP_ entries for synchronisation: barrier, critical, atomic, single, copyprivate, sections, cancellation, error directives.
#include "abi.hpp"
#include "cancel.hpp"
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
    return claim_single(this_member());
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
    return cancelled(this_member(), static_cast<cancel_kind>(which));
}

ARTEL_GOMP bool GOMP_cancel(int which, bool requested)
{
    const auto kind = static_cast<cancel_kind>(which);
    return requested ? cancel(this_member(), kind) : cancelled(this_member(), kind);
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
