#include "entry.hpp"

#include "callers.hpp"

#include <cstring>
#include <sys/mman.h>

extern "C" {
void artel_openblas_call() noexcept;
[[gnu::visibility("hidden")]] void artel_openblas_enter(const void* frame) noexcept;
[[gnu::visibility("hidden")]] void artel_openblas_leave() noexcept;
}

void artel_openblas_enter(const void* frame) noexcept
{
    artel::openblas::enter(frame);
}

void artel_openblas_leave() noexcept
{
    artel::openblas::leave();
}

// r11: the entry. The frame is an ordinary one, so that debuggers and profilers see through it.
// What the registers for arguments have is kept over the first of ours, what those for results have
// over the second. The copy of the stack's arguments may hold more than there are: words of the
// caller's.
asm(R"(
        .text
        .p2align 4
        .globl  artel_openblas_call
        .hidden artel_openblas_call
        .type   artel_openblas_call, @function
artel_openblas_call:
        .cfi_startproc
        pushq   %rbp
        .cfi_def_cfa_offset 16
        .cfi_offset %rbp, -16
        movq    %rsp, %rbp
        .cfi_def_cfa_register %rbp
        pushq   %rbx
        .cfi_offset %rbx, -24
        subq    $184, %rsp
        movq    %r11, %rbx
        movq    %rdi, 0(%rsp)
        movq    %rsi, 8(%rsp)
        movq    %rdx, 16(%rsp)
        movq    %rcx, 24(%rsp)
        movq    %r8, 32(%rsp)
        movq    %r9, 40(%rsp)
        movups  %xmm0, 48(%rsp)
        movups  %xmm1, 64(%rsp)
        movups  %xmm2, 80(%rsp)
        movups  %xmm3, 96(%rsp)
        movups  %xmm4, 112(%rsp)
        movups  %xmm5, 128(%rsp)
        movups  %xmm6, 144(%rsp)
        movups  %xmm7, 160(%rsp)
        movq    %rbp, %rdi
        call    artel_openblas_enter
        movq    0(%rsp), %rdi
        movq    8(%rsp), %rsi
        movq    16(%rsp), %rdx
        movq    24(%rsp), %rcx
        movq    32(%rsp), %r8
        movq    40(%rsp), %r9
        movups  48(%rsp), %xmm0
        movups  64(%rsp), %xmm1
        movups  80(%rsp), %xmm2
        movups  96(%rsp), %xmm3
        movups  112(%rsp), %xmm4
        movups  128(%rsp), %xmm5
        movups  144(%rsp), %xmm6
        movups  160(%rsp), %xmm7
        movq    16(%rbx), %rax
        leaq    16(%rbp), %r10
1:      pushq   -8(%r10,%rax,8)
        decq    %rax
        jnz     1b
        call    *(%rbx)
        leaq    -192(%rbp), %rsp
        movq    %rax, 0(%rsp)
        movq    %rdx, 8(%rsp)
        movups  %xmm0, 16(%rsp)
        movups  %xmm1, 32(%rsp)
        call    artel_openblas_leave
        movq    0(%rsp), %rax
        movq    8(%rsp), %rdx
        movups  16(%rsp), %xmm0
        movups  32(%rsp), %xmm1
        movq    -8(%rbp), %rbx
        leave
        .cfi_def_cfa %rsp, 8
        ret
        .cfi_endproc
        .size   artel_openblas_call, .-artel_openblas_call
)");

namespace artel::openblas {
namespace {

constexpr std::size_t function_size = 32;

// Writes machine code.
class writer {
public:
    explicit writer(std::uint8_t* at) noexcept : at_(at) {}
    template <class... Bytes>
    writer& bytes(Bytes... all) noexcept
    {
        ((*at_++ = static_cast<std::uint8_t>(all)), ...);
        return *this;
    }
    template <class Value>
    writer& value(Value v) noexcept
    {
        std::memcpy(at_, &v, sizeof v);
        at_ += sizeof v;
        return *this;
    }

private:
    std::uint8_t* at_;
};

}  // namespace

entry_page::entry_page(std::size_t count) noexcept : count_(count)
{
    code_size_ = (count * function_size + 4095) / 4096 * 4096;
    const std::size_t size = code_size_ + count * sizeof(entry);
    void* const memory = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
                                -1, 0);
    if (memory != MAP_FAILED) {
        code_ = static_cast<std::uint8_t*>(memory);
        entries_ = reinterpret_cast<entry*>(code_ + code_size_);
    }
}

void* entry_page::call(void* target, unsigned stack_words, length of) noexcept
{
    entry& e = entries_[used_];
    e = {target, reinterpret_cast<void*>(&artel_openblas_call), (stack_words + 1) / 2 * 2};
    std::uint8_t* const code = code_ + used_++ * function_size;
    writer w(code);
    w.bytes(0x49, 0xbb).value(&e);  // mov r11, &e
    switch (of) {
    case length::unknown: break;
    case length::by_value_32: w.bytes(0x81, 0xff); break;            // cmp edi, ...
    case length::by_value_64: w.bytes(0x48, 0x81, 0xff); break;      // cmp rdi, ...
    case length::by_reference_32: w.bytes(0x81, 0x3f); break;        // cmp dword [rdi], ...
    case length::by_reference_64: w.bytes(0x48, 0x81, 0x3f); break;  // cmp qword [rdi], ...
    }
    if (of != length::unknown) {
        w.value(short_vector)
            .bytes(0x77, 3)            // ja: over the next
            .bytes(0x41, 0xff, 0x23);  // jmp [r11]
    }
    w.bytes(0x41, 0xff, 0x63, 8);  // jmp [r11 + 8]
    return code;
}

void* entry_page::with_second(void* to, void* bound) noexcept
{
    return bind(0xbe, to, bound);  // rsi
}

void* entry_page::with_first(void* to, void* bound) noexcept
{
    return bind(0xbf, to, bound);  // rdi
}

void* entry_page::bind(std::uint8_t into, void* to, void* bound) noexcept
{
    std::uint8_t* const code = code_ + used_++ * function_size;
    writer(code)
        .bytes(0x48, into)
        .value(bound)  // mov into, bound
        .bytes(0x49, 0xbb)
        .value(to)                 // mov r11, to
        .bytes(0x41, 0xff, 0xe3);  // jmp r11
    return code;
}

bool entry_page::finish() noexcept
{
    return ::mprotect(code_, code_size_, PROT_READ | PROT_EXEC) == 0;
}

}  // namespace artel::openblas
