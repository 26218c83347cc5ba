// Barriers, critical sections, single, masked, copyprivate, cancellation, flush, directives.
#include "ompt/entries/sync.hpp"
#include "base/cpu.hpp"
#include "kmp.hpp"
#include "linking/messages.hpp"
#include "ompt/entries/mutex.hpp"
#include "ompt/entries/work.hpp"
#include "tasking/cancel.hpp"
#include "waiting/lock_word.hpp"
#include "worksharing/construct.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>

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

int told_kind(std::int32_t number) noexcept
{
    switch (kind_of(number)) {
    case cancel_kind::loop: return ompt::cancel_flag::loop;
    case cancel_kind::sections: return ompt::cancel_flag::sections;
    case cancel_kind::taskgroup: return ompt::cancel_flag::taskgroup;
    case cancel_kind::region: break;
    }
    return ompt::cancel_flag::parallel;
}

// The number at the start of the text, or 0, as libomp reads it.
int number_in(std::string_view text)
{
    return std::max(std::atoi(std::string(text).c_str()), 0);
}

// "file:line:column" of ";file;function;line;column;;". Fields may be missing at the end.
std::string location(const ident* place)
{
    if (place == nullptr || place->source == nullptr) {
        return "unknown";
    }
    std::array<std::optional<std::string_view>, 5> fields;
    std::string_view rest = place->source;
    for (std::optional<std::string_view>& field : fields) {
        const std::size_t end = rest.find(';');
        field = rest.substr(0, end);
        if (end == std::string_view::npos) {
            break;
        }
        rest.remove_prefix(end + 1);
    }
    return fmt::format("{}:{}:{}", fields[1].value_or("(null)"), number_in(fields[3].value_or("")),
                       number_in(fields[4].value_or("")));
}

bool told_single(ompt::caller who)
{
    if (claim_single(this_member())) {
        ompt::tell_work_begin(who, ompt::work_kind::single_executor, 1);
        return true;
    }
    ompt::tell_work_passed(who, ompt::work_kind::single_other);
    return false;
}

bool told_masked(ompt::caller who, bool executes)
{
    if (executes) {
        ompt::tell_masked(who, ompt::endpoint::begin);
    }
    return executes;
}

// The kind of a barrier, from the compiler's flags.
ompt::sync_kind told_barrier(const ident* place) noexcept
{
    constexpr std::int32_t explicit_barrier = 0x20;
    constexpr std::int32_t implicit_barrier = 0x40;
    if (place != nullptr && (place->flags & explicit_barrier) != 0) {
        return ompt::sync_kind::barrier_explicit;
    }
    return place != nullptr && (place->flags & implicit_barrier) != 0
               ? ompt::sync_kind::barrier_implicit_workshare
               : ompt::sync_kind::barrier_implementation;
}

}  // namespace

ARTEL_KMP void __kmpc_barrier(const ident* place, std::int32_t)
{
    ARTEL_OMPT_EITHER(tell_barrier(who, told_barrier(place)), barrier(this_member()));
}

// Not zero: the region was cancelled, and the caller must leave it.
ARTEL_KMP std::int32_t __kmpc_cancel_barrier(const ident* place, std::int32_t)
{
    ARTEL_OMPT_EITHER(tell_barrier_cancel(who, told_barrier(place)), barrier_cancel(this_member()));
}

// The next three form a barrier in which only the master executes the code between begin and end.
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

// The lock is the variable, 32 zeroed bytes, that the compiler makes for the name.
ARTEL_KMP void __kmpc_critical(const ident*, std::int32_t, void* name)
{
    ARTEL_OMPT_EITHER(tell_lock(who, mutex_kind::critical, lock_at(name)), lock(lock_at(name)));
}

ARTEL_KMP void __kmpc_critical_with_hint(const ident*, std::int32_t, void* name,
                                         std::uint32_t /*hint*/)
{
    ARTEL_OMPT_EITHER(tell_lock(who, mutex_kind::critical, lock_at(name)), lock(lock_at(name)));
}

ARTEL_KMP void __kmpc_end_critical(const ident*, std::int32_t, void* name)
{
    ARTEL_OMPT_EITHER(tell_unlock(who, mutex_kind::critical, lock_at(name)), unlock(lock_at(name)));
}

ARTEL_KMP std::int32_t __kmpc_single(const ident*, std::int32_t)
{
    ARTEL_OMPT_EITHER(told_single(who), claim_single(this_member()));
}

ARTEL_KMP void __kmpc_end_single(const ident*, std::int32_t)
{
    ARTEL_OMPT_EITHER(tell_work_end(who, 1), void());
}

ARTEL_KMP std::int32_t __kmpc_master(const ident*, std::int32_t)
{
    ARTEL_OMPT_EITHER(told_masked(who, this_member().number == 0), this_member().number == 0);
}

ARTEL_KMP void __kmpc_end_master(const ident*, std::int32_t)
{
    ARTEL_OMPT_EITHER(tell_masked(who, endpoint::end), void());
}

ARTEL_KMP std::int32_t __kmpc_masked(const ident*, std::int32_t, std::int32_t filter)
{
    ARTEL_OMPT_EITHER(told_masked(who, static_cast<std::int32_t>(this_member().number) == filter),
                      static_cast<std::int32_t>(this_member().number) == filter);
}

ARTEL_KMP void __kmpc_end_masked(const ident*, std::int32_t)
{
    ARTEL_OMPT_EITHER(tell_masked(who, endpoint::end), void());
}

ARTEL_KMP void __kmpc_scope(const ident*, std::int32_t, void*)
{
    ARTEL_OMPT_EITHER(tell_work_begin(who, work_kind::scope, 0), void());
}

ARTEL_KMP void __kmpc_end_scope(const ident*, std::int32_t, void*)
{
    ARTEL_OMPT_EITHER(tell_work_end(who), void());
}

// Every member calls it after a single construct, with `executed` in the member that executed it;
// the others copy that member's variables, listed in `data`, to theirs.
ARTEL_KMP void __kmpc_copyprivate(const ident*, std::int32_t, std::size_t, void* data,
                                  void (*copy)(void*, void*), std::int32_t executed)
{
    member& m = this_member();
    if (executed != 0) {
        m.in->broadcast = data;
    }
    barrier(m);
    if (executed == 0) {
        copy(data, m.in->broadcast);
    }
    barrier(m);  // the variables may go out of scope after it
}

// The same without the last barrier; returns the executing member's list, and the compiler copies.
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
    const bool yes = cancel(this_member(), kind_of(kind));
    ARTEL_OMPT_TELL((yes ? tell_cancel(who, told_kind(kind), true) : void(), yes));
    return yes;
}

ARTEL_KMP std::int32_t __kmpc_cancellationpoint(const ident*, std::int32_t, std::int32_t kind)
{
    const bool yes = cancelled(this_member(), kind_of(kind));
    ARTEL_OMPT_TELL((yes ? tell_cancel(who, told_kind(kind), false) : void(), yes));
    return yes;
}

ARTEL_KMP void __kmpc_flush(const ident*)
{
    base::full_fence();  // the flush construct: orders all of the program's own accesses
    ARTEL_OMPT_TELL(tell_flush(who));
}

// The error directive: 1 warning, 2 fatal. In libomp's words, whatever else the process uses: only
// clang's code calls it.
ARTEL_KMP void __kmpc_error(const ident* place, int severity, const char* message)
{
    globals();  // reads the environment if this is the program's first call: KMP_WARNINGS
    if (ompt::attached()) {
        const std::string_view words = message != nullptr ? message : "";
        ompt::tell_error(ARTEL_OMPT_CALLER, severity, words.data(), words.size());
    }
    const char* const text = message != nullptr ? message : "(null)";
    const std::string where = location(place);
    if (severity == 1) {
        warn_as_libomp(283, "{}: Encountered user-directed warning: {}.", where, text);
    } else {
        give_up_as_libomp(282, "{}: Encountered user-directed error: {}.", where, text);
    }
}

}  // namespace artel::openmp::kmp
