// Functions that stand before those of OpenBLAS: each notes that its caller is inside
// (callers.hpp) and goes on to the real one, which returns to a place of ours (call.hpp), where
// it is noted that he has left. Made at run time, one of some bytes for each name, because there
// are some thousand names and nothing else is to be known of them.
//
// The real one finds all registers for arguments and the stack as the caller left them, but for the
// word to which it returns: so nothing is to be known of how many arguments there are or how deep
// the stack is. Calls for little (routine.hpp) go on to it at once, with nothing changed.
#pragma once

#include "routine.hpp"

#include <cstddef>
#include <cstdint>

namespace artel::openblas {

struct entry {
    void* target;   // the real one
    void* through;  // where the made function goes
};

// Memory for so many functions.
class entry_page {
public:
    explicit entry_page(std::size_t count) noexcept;  // see ok()
    bool ok() const noexcept { return code_ != nullptr; }

    // Each returns a function. At most `count` of them.
    void* call(void* target, const amount& of) noexcept;
    // One that calls to(first argument, bound).
    void* with_second(void* to, void* bound) noexcept;
    // One that calls to(bound).
    void* with_first(void* to, void* bound) noexcept;

    // They may be called from here on, and no more are made. Never freed: somebody may have their
    // addresses. False: the system does not allow it.
    bool finish() noexcept;

private:
    // The same for the register that `into` loads, an opcode.
    void* bind(std::uint8_t into, void* to, void* bound) noexcept;

    std::uint8_t* code_ = nullptr;
    entry* entries_ = nullptr;
    std::size_t count_, code_size_ = 0, used_ = 0;
};

}  // namespace artel::openblas
