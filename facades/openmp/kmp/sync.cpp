// Barriers, critical sections, single, masked, copyprivate, cancellation, flush, directives.
#include "../cancel.hpp"
#include "../lock_word.hpp"
#include "../messages.hpp"
#include "../workshare_meet.hpp"
#include "base/cpu.hpp"
#include "kmp.hpp"

namespace artel::openmp::kmp {
namespace {

// The interface's numbers.
cancel_kind kind_of(std::int32_t number) noexcept
{
    switch (number) {
    case 2: return cancel_kind::loop;
    case 3: return cancel_kind::sections;
    case 4: return cancel_kind::taskgroup;
    default: return cancel_kind::region;
    }
}

}  // namespace

ARTEL_KMP void __kmpc_barrier(const ident*, std::int32_t)
{
    barrier(this_member());
}

// Not zero: the region was cancelled, and the caller leaves it.
ARTEL_KMP std::int32_t __kmpc_cancel_barrier(const ident*, std::int32_t)
{
    return barrier_cancel(this_member());
}

// The last three are a barrier in which the master, and nobody else, executes what stands between begin and end.
ARTEL_KMP std::int32_t __kmpc_barrier_master(const ident*, std::int32_t)
{
    member& m = this_member();
    barrier(m);
    if (m.number == 0) {
        return 1;
    }
    barrier(m);
    return 0;
}

ARTEL_KMP void __kmpc_end_barrier_master(const ident*, std::int32_t)
{
    barrier(this_member());
}

ARTEL_KMP std::int32_t __kmpc_barrier_master_nowait(const ident*, std::int32_t)
{
    member& m = this_member();
    barrier(m);
    return m.number == 0;
}

// The variable that the compiler makes for the name, 32 zeroed bytes, is the lock.
ARTEL_KMP void __kmpc_critical(const ident*, std::int32_t, void* name)
{
    lock(lock_at(name));
}

ARTEL_KMP void __kmpc_critical_with_hint(const ident*, std::int32_t, void* name, std::uint32_t /*hint*/)
{
    lock(lock_at(name));
}

ARTEL_KMP void __kmpc_end_critical(const ident*, std::int32_t, void* name)
{
    unlock(lock_at(name));
}

ARTEL_KMP std::int32_t __kmpc_single(const ident*, std::int32_t)
{
    return claim_single(this_member());
}

ARTEL_KMP void __kmpc_end_single(const ident*, std::int32_t) {}

ARTEL_KMP std::int32_t __kmpc_master(const ident*, std::int32_t)
{
    return this_member().number == 0;
}

ARTEL_KMP void __kmpc_end_master(const ident*, std::int32_t) {}

ARTEL_KMP std::int32_t __kmpc_masked(const ident*, std::int32_t, std::int32_t filter)
{
    return static_cast<std::int32_t>(this_member().number) == filter;
}

ARTEL_KMP void __kmpc_end_masked(const ident*, std::int32_t) {}

ARTEL_KMP void __kmpc_scope(const ident*, std::int32_t, void*) {}
ARTEL_KMP void __kmpc_end_scope(const ident*, std::int32_t, void*) {}

// Every member calls it behind a single construct; `executed` for the one whose variables, listed in `data`, the others copy to theirs.
ARTEL_KMP void __kmpc_copyprivate(const ident*, std::int32_t, std::size_t, void* data, void (*copy)(void*, void*),
                                  std::int32_t executed)
{
    member& m = this_member();
    if (executed != 0) {
        m.in->broadcast = data;
    }
    barrier(m);
    if (executed == 0) {
        copy(data, m.in->broadcast);
    }
    barrier(m);  // the variables may end behind it
}

// The same without the last barrier, and for the compiler to copy: what the executing member listed.
ARTEL_KMP void* __kmpc_copyprivate_light(const ident*, std::int32_t, void* data)
{
    member& m = this_member();
    if (data != nullptr) {
        m.in->broadcast = data;
    }
    barrier(m);
    return m.in->broadcast;
}

ARTEL_KMP std::int32_t __kmpc_cancel(const ident*, std::int32_t, std::int32_t kind)
{
    return cancel(this_member(), kind_of(kind));
}

ARTEL_KMP std::int32_t __kmpc_cancellationpoint(const ident*, std::int32_t, std::int32_t kind)
{
    return cancelled(this_member(), kind_of(kind));
}

ARTEL_KMP void __kmpc_flush(const ident*)
{
    base::full_fence();  // the flush construct: orders all of the program's own accesses
}

// The error directive: 1 warning, 2 fatal.
ARTEL_KMP void __kmpc_error(const ident* place, int severity, const char* message)
{
    const char* const text = message != nullptr ? message : "";
    const char* const where = place != nullptr && place->source != nullptr ? place->source : "";
    if (severity == 1) {
        complain("error directive encountered: {} ({})", text, where);
        return;
    }
    give_up("fatal error: error directive encountered: {} ({})", text, where);
}

}  // namespace artel::openmp::kmp
