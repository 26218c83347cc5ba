// Whether a tool is attached: the one thing that the runtime's own paths ask. Where the answer is yes they call a function of this folder, out of line,
// which does what the path does and tells the tool of it; so a program without a tool pays for one branch that is always predicted.
#pragma once

#include <atomic>

namespace artel::openmp::ompt {

// Whether nobody has looked yet; the first entry of the runtime that asks does.
enum class tool_presence : int { none, attached, unknown };

// Hidden, so that it is read without a look into the table of global addresses.
[[gnu::visibility("hidden")]] extern constinit std::atomic<tool_presence> presence;

// Looks for a tool if nobody has, and starts it.
[[gnu::cold]] bool decide() noexcept;

// relaxed: what a tool needs is there before the answer becomes yes, and whoever did not see that comes by decide() or was started by somebody who did; when
// the tool leaves, it takes effect sooner or later.
inline bool attached() noexcept
{
    return __builtin_expect(static_cast<long>(presence.load(std::memory_order_relaxed) != tool_presence::none), 0) != 0 && decide();
}

// Who called an entry of the runtime: where the program goes on afterwards, and the frame that the call has made, told by the address that a frame
// pointer there would hold.
struct caller {
    const void* code;
    void* frame;
};

}  // namespace artel::openmp::ompt

// For functions that the program calls; must stand in them themselves, not in what they call. Needs no frame pointer.
#define ARTEL_OMPT_CALLER                                                                      \
    (::artel::openmp::ompt::caller{__builtin_extract_return_addr(__builtin_return_address(0)), \
                                   static_cast<char*>(__builtin_dwarf_cfa()) - 2 * sizeof(void*)})

// The first statement of such a function: with a tool attached the call, which may name `who`, is made instead of what follows.
#define ARTEL_OMPT_TELL(call)                                  \
    if (::artel::openmp::ompt::attached()) [[unlikely]] {      \
        using namespace ::artel::openmp::ompt;                 \
        [[maybe_unused]] const caller who = ARTEL_OMPT_CALLER; \
        return call;                                           \
    }                                                          \
    static_assert(true)
