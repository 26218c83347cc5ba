// Functions that stand before those of OpenBLAS: each notes that its caller is inside
// (callers.hpp), calls the real one with the same arguments, and notes that it has left. Made at
// run time, one of a few bytes for each name, because there are some thousand names and nothing
// else is to be known of them.
//
// What is passed on: the registers for arguments, and so many words of the stack as any function of
// BLAS or LAPACK takes; results come back in registers. Never called: functions with more arguments
// or larger results, of which these libraries have none.
#pragma once

#include <cstddef>
#include <cstdint>

namespace artel::openblas {

class library;

struct entry {
    void* target;               // the real one
    void* through;              // where the made function goes
    std::uint64_t stack_words;  // of arguments, at most; even, at least 2
};

// How the vector's length can be seen without knowing more: the vector routines (level 1) keep to
// one thread, and take some nanoseconds, while it is short; then they are called at once.
enum class length : std::uint8_t {
    unknown,
    by_value_32,
    by_value_64,
    by_reference_32,
    by_reference_64
};

// So long a vector is short, in every routine and on every processor.
inline constexpr std::uint32_t short_vector = 4096;

// Memory for so many functions.
class entry_page {
public:
    explicit entry_page(std::size_t count) noexcept;  // see ok()
    bool ok() const noexcept { return code_ != nullptr; }

    // Each returns a function. At most `count` of them.
    void* call(void* target, unsigned stack_words, length of) noexcept;
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
