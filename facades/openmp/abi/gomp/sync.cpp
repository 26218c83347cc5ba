// GOMP_ entries for synchronisation: barrier, critical, atomic, single, copyprivate, sections,
// cancellation, error directives.
#include "ompt/entries/sync.hpp"
#include "abi/abi.hpp"
#include "linking/messages.hpp"
#include "ompt/entries/mutex.hpp"
#include "ompt/entries/work.hpp"
#include "tasking/cancel.hpp"
#include "tasking/task_reduction.hpp"
#include "waiting/lock_word.hpp"
#include "worksharing/construct.hpp"
#include "worksharing/loop.hpp"

#include <string_view>

namespace artel::openmp {

namespace {

// Each in a cache line of its own.
struct alignas(base::cache_line) global_lock {
    lock_word word{0};
};
global_lock critical_lock;  // of critical sections without a name
global_lock atomic_lock;    // of atomic constructs without a processor instruction

unsigned told_section(ompt::caller who, member& m)
{
    const unsigned section = next_section(m);
    if (section != 0) {
        ompt::tell_section(who);
    }
    return section;
}

// The interface's numbers are those of tools, except for the order of two.
int told_kind(int which) noexcept
{
    switch (static_cast<cancel_kind>(which)) {
    case cancel_kind::loop: return ompt::cancel_flag::loop;
    case cancel_kind::sections: return ompt::cancel_flag::sections;
    case cancel_kind::taskgroup: return ompt::cancel_flag::taskgroup;
    case cancel_kind::region: break;
    }
    return ompt::cancel_flag::parallel;
}

// As in libgomp: the message has a length, or with length -1 is zero-terminated.
std::string_view message_of(const char* text, std::size_t length)
{
    return length == static_cast<std::size_t>(-1) ? std::string_view(text)
                                                  : std::string_view(text, length);
}

}  // namespace

ARTEL_GOMP void GOMP_barrier()
{
    ARTEL_OMPT_EITHER(tell_barrier(who, sync_kind::barrier_explicit), barrier(this_member()));
}

ARTEL_GOMP bool GOMP_barrier_cancel()
{
    ARTEL_OMPT_EITHER(tell_barrier_cancel(who, sync_kind::barrier_explicit),
                      barrier_cancel(this_member()));
}

ARTEL_GOMP void GOMP_critical_start()
{
    ARTEL_OMPT_EITHER(tell_lock(who, mutex_kind::critical, critical_lock.word),
                      lock(critical_lock.word));
}

ARTEL_GOMP void GOMP_critical_end()
{
    ARTEL_OMPT_EITHER(tell_unlock(who, mutex_kind::critical, critical_lock.word),
                      unlock(critical_lock.word));
}

// The lock is the variable, a zeroed pointer, that the compiler makes for the name.
ARTEL_GOMP void GOMP_critical_name_start(void** name)
{
    ARTEL_OMPT_EITHER(tell_lock(who, mutex_kind::critical, lock_at(name)), lock(lock_at(name)));
}

ARTEL_GOMP void GOMP_critical_name_end(void** name)
{
    ARTEL_OMPT_EITHER(tell_unlock(who, mutex_kind::critical, lock_at(name)), unlock(lock_at(name)));
}

ARTEL_GOMP void GOMP_atomic_start()
{
    ARTEL_OMPT_EITHER(tell_lock(who, mutex_kind::atomic, atomic_lock.word), lock(atomic_lock.word));
}

ARTEL_GOMP void GOMP_atomic_end()
{
    ARTEL_OMPT_EITHER(tell_unlock(who, mutex_kind::atomic, atomic_lock.word),
                      unlock(atomic_lock.word));
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
    // The others read it between this barrier and the compiler's own after the construct.
    m.position.current->copyprivate = data;
    barrier(m);
    leave(m);
}

ARTEL_GOMP unsigned GOMP_sections_start(unsigned count)
{
    member& m = this_member();
    start_sections(m, count);
    ARTEL_OMPT_TELL((tell_work_begin(who, work_kind::sections, count), told_section(who, m)));
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
    ARTEL_OMPT_TELL((tell_work_begin(who, work_kind::sections, count), told_section(who, m)));
    return next_section(m);
}

ARTEL_GOMP unsigned GOMP_sections_next()
{
    ARTEL_OMPT_EITHER(told_section(who, this_member()), next_section(this_member()));
}

ARTEL_GOMP void GOMP_sections_end_nowait()
{
    ARTEL_OMPT_EITHER((leave(this_member()), tell_work_end(who)), leave(this_member()));
}

ARTEL_GOMP void GOMP_sections_end()
{
    member& m = this_member();
    leave(m);
    ARTEL_OMPT_TELL((tell_work_end(who), tell_barrier(who, sync_kind::barrier_implicit_workshare)));
    barrier(m);
}

ARTEL_GOMP bool GOMP_sections_end_cancel()
{
    member& m = this_member();
    leave(m);
    ARTEL_OMPT_TELL(
        (tell_work_end(who), tell_barrier_cancel(who, sync_kind::barrier_implicit_workshare)));
    return barrier_cancel(m);
}

ARTEL_GOMP bool GOMP_cancellation_point(int which)
{
    const bool yes = cancelled(this_member(), static_cast<cancel_kind>(which));
    ARTEL_OMPT_TELL((yes ? tell_cancel(who, told_kind(which), false) : void(), yes));
    return yes;
}

ARTEL_GOMP bool GOMP_cancel(int which, bool requested)
{
    const auto kind = static_cast<cancel_kind>(which);
    const bool yes = requested ? cancel(this_member(), kind) : cancelled(this_member(), kind);
    ARTEL_OMPT_TELL((yes ? tell_cancel(who, told_kind(which), requested) : void(), yes));
    return yes;
}

ARTEL_GOMP void GOMP_warning(const char* text, std::size_t length)
{
    if (ompt::attached()) {
        const std::string_view message = text != nullptr ? message_of(text, length)
                                                         : std::string_view();
        ompt::tell_error(ARTEL_OMPT_CALLER, 1, message.data(), message.size());
    }
    if (text != nullptr) {
        complain("error directive encountered: {}", message_of(text, length));
    } else {
        complain("error directive encountered");
    }
}

ARTEL_GOMP void GOMP_error(const char* text, std::size_t length)
{
    if (ompt::attached()) {
        const std::string_view message = text != nullptr ? message_of(text, length)
                                                         : std::string_view();
        ompt::tell_error(ARTEL_OMPT_CALLER, 2, message.data(), message.size());
    }
    if (text != nullptr) {
        give_up("fatal error: error directive encountered: {}", message_of(text, length));
    }
    give_up("fatal error: error directive encountered");
}

// Device code in a program or plug-in: there are no devices, so it is not kept, and target regions
// run on the host.
ARTEL_GOMP void GOMP_offload_register_ver(unsigned, const void*, int, const void*) {}
ARTEL_GOMP void GOMP_offload_unregister_ver(unsigned, const void*, int, const void*) {}
ARTEL_GOMP void GOMP_offload_register(const void*, int, const void*) {}
ARTEL_GOMP void GOMP_offload_unregister(const void*, int, const void*) {}

}  // namespace artel::openmp
