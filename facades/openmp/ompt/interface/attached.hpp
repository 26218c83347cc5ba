// Whether a tool is attached: the one thing that the runtime's own paths ask. Where the answer is
// yes they call a function of this folder, out of line, which does what the path does and tells the
// tool of it; so a program without a tool pays for one branch that is always predicted.
#pragma once

#include <atomic>
#include <type_traits>

namespace artel::openmp::ompt {

// Whether nobody has looked yet; the first entry of the runtime that asks does.
enum class tool_presence : int { none, attached, unknown };

// Hidden, so that it is read without a look into the table of global addresses.
[[gnu::visibility("hidden")]] extern constinit std::atomic<tool_presence> presence;

// Looks for a tool if nobody has, and starts it.
[[gnu::cold]] bool decide() noexcept;

// Whether a tool listens, for code that runs behind an entry which has asked attached(), or behind
// this_member(). relaxed: what a tool needs is there before the answer becomes yes, and whoever did
// not see that comes by decide() or was started by somebody who did; when the tool leaves, it takes
// effect sooner or later.
inline bool listens() noexcept
{
    return presence.load(std::memory_order_relaxed) == tool_presence::attached;
}

// Whether it may; only where the answer is yes need decide() be asked.
inline bool may_listen() noexcept
{
    return presence.load(std::memory_order_relaxed) != tool_presence::none;  // relaxed: as above
}

// The same for entries of the runtime, which may be the first that are called.
inline bool attached() noexcept
{
    return __builtin_expect(static_cast<long>(may_listen()), 0) != 0 && decide();
}

// The half of ARTEL_OMPT_EITHER that programs without a tool never see, but for their first call.
// Out of line, so that it costs the other half no register.
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

// Who called an entry of the runtime: where the program goes on afterwards, and the frame that the
// call has made, told by the address that a frame pointer there would hold.
struct caller {
    const void* code;
    void* frame;
};

}  // namespace artel::openmp::ompt

// For functions that the program calls; must stand in them themselves, not in what they call. Needs
// no frame pointer.
#define ARTEL_OMPT_CALLER                                                                      \
    (::artel::openmp::ompt::caller{__builtin_extract_return_addr(__builtin_return_address(0)), \
                                   static_cast<char*>(__builtin_dwarf_cfa()) - 2 * sizeof(void*)})

// The whole of such a function, or what is left of it: `plain`; with a tool attached `told`, which
// may name `who`. Both are expressions, which see copies of the function's variables. Without a
// tool it is a load and a branch: the other side has left and does not come back.
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

// The same in the middle of a function, or where it does more: with a tool attached the call, which
// may name `who`, is made instead of what follows.
#define ARTEL_OMPT_TELL(call)                                  \
    if (::artel::openmp::ompt::attached()) [[unlikely]] {      \
        using namespace ::artel::openmp::ompt;                 \
        [[maybe_unused]] const caller who = ARTEL_OMPT_CALLER; \
        return call;                                           \
    }                                                          \
    static_assert(true)
