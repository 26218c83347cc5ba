// Functions that replace those of OpenBLAS: each reports the beginning of a call (callers.hpp) and
// jumps to the real function, which returns to a trampoline of ours (call.hpp), where the end is
// reported. They are generated at run time, some bytes for each name, because there are some
// thousand names, and nothing but the name is known of each.
//
// The real function finds all argument registers and the stack as the caller left them, except for
// its return address: so neither the number of arguments nor the depth of the stack need be known.
// Small calls (routine.hpp) jump to it at once, with nothing changed.
#pragma once

#include "routine.hpp"

#include <cstddef>
#include <cstdint>

namespace artel::openblas {

struct entry {
    void* target;   // the real one
    void* through;  // destination of the generated function
};

// Memory for `count` functions.
class entry_page {
public:
    explicit entry_page(std::size_t count) noexcept;  // see ok()
    entry_page(const entry_page&) = delete;
    entry_page& operator=(const entry_page&) = delete;
    ~entry_page();
    bool ok() const noexcept { return code_ != nullptr; }

    // Each generates a function and returns it. At most `count` of them.
    void* call(void* target, const amount& of) noexcept;
    // One that calls to(first argument, bound).
    void* with_second(void* to, void* bound) noexcept;
    // One that calls to(bound).
    void* with_first(void* to, void* bound) noexcept;

    // From here on they may be called, and no more can be generated. False: the system does not
    // permit it.
    bool finish() noexcept;
    // Never frees them: callers may hold their addresses.
    void keep() noexcept { code_ = nullptr; }

private:
    std::size_t size() const noexcept { return code_size_ + count_ * sizeof(entry); }
    // The same for the register that `into` loads, an opcode.
    void* bind(std::uint8_t into, void* to, void* bound) noexcept;

    std::uint8_t* code_ = nullptr;
    entry* entries_ = nullptr;
    std::size_t count_, code_size_ = 0, used_ = 0;
};

}  // namespace artel::openblas
