// Whether a tool is attached: the only question that the runtime's own paths ask. If so they call,
// out of line, a function of ompt/entries, ompt/events or regions/told_region, which does what the
// path does and tells the tool; so a program without a tool pays for one well-predicted branch.
#pragma once

#include <atomic>
#include <type_traits>

namespace artel::openmp::ompt {

// unknown: no search for a tool yet; the first entry of the runtime that asks makes it.
enum class tool_presence : int { none, attached, unknown };

// Hidden, so that reading it needs no global offset table.
[[gnu::visibility("hidden")]] extern constinit std::atomic<tool_presence> presence;

// Searches for a tool and starts it, if nobody has done so. Returns whether one is attached.
[[gnu::cold]] bool decide() noexcept;

// Whether a tool is attached, for code behind an entry that has asked attached(), or behind
// this_member(). relaxed: the tool is set up before the answer becomes yes, and each thread has
// synchronised with that in decide(), or was started by one that has. A thread may see late that
// the tool has left.
inline bool listens() noexcept
{
    return presence.load(std::memory_order_relaxed) == tool_presence::attached;
}

// Whether a tool may be attached; only then decide() need be asked.
inline bool may_listen() noexcept
{
    return presence.load(std::memory_order_relaxed) != tool_presence::none;  // relaxed: as above
}

// listens() for entries of the runtime, which may be the first to be called.
inline bool attached() noexcept
{
    return __builtin_expect(static_cast<long>(may_listen()), 0) != 0 && decide();
}

// The cold path of ARTEL_OMPT_EITHER, taken without a tool at the first call only. Out of line, so
// that it costs the hot path no register.
template <class Told, class Plain>
[[gnu::noinline, gnu::cold]] auto told_or(Told told, Plain plain) -> decltype(plain())
{
    if (!decide()) {
        return plain();
    }
    if constexpr (std::is_void_v<decltype(plain())>) {
        told();
    } else {
        return told();
    }
}

// The caller of an entry of the runtime: the return address, and the frame of the call, as the
// address that a frame pointer there would hold.
struct caller {
    const void* code;
    void* frame;
};

}  // namespace artel::openmp::ompt

// Makes a `caller`. Must stand in the function itself that the program calls. Needs no frame
// pointer.
#define ARTEL_OMPT_CALLER                                                                      \
    (::artel::openmp::ompt::caller{__builtin_extract_return_addr(__builtin_return_address(0)), \
                                   static_cast<char*>(__builtin_dwarf_cfa()) - 2 * sizeof(void*)})

// The whole body of such a function, or its rest: `plain`; with a tool attached `told`, which may
// name `who`. Both are expressions, which see copies of the function's variables. Without a tool it
// is a load and a branch: the cold path does not return here.
#define ARTEL_OMPT_EITHER(told, plain)                               \
    if (::artel::openmp::ompt::may_listen()) [[unlikely]] {          \
        const ::artel::openmp::ompt::caller who = ARTEL_OMPT_CALLER; \
        return ::artel::openmp::ompt::told_or(                       \
            [=]() mutable {                                          \
                using namespace ::artel::openmp::ompt;               \
                static_cast<void>(who);                              \
                return told;                                         \
            },                                                       \
            [=]() mutable { return plain; });                        \
    }                                                                \
    return plain

// The same in the middle of a function, or where more follows: with a tool attached returns `call`,
// which may name `who`, instead of continuing.
#define ARTEL_OMPT_TELL(call)                                  \
    if (::artel::openmp::ompt::attached()) [[unlikely]] {      \
        using namespace ::artel::openmp::ompt;                 \
        [[maybe_unused]] const caller who = ARTEL_OMPT_CALLER; \
        return call;                                           \
    }                                                          \
    static_assert(true)
