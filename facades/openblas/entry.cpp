// Machine code is written for each function that is replaced: it loads the arguments that tell how
// large the call is, and leaves small ones alone.
#include "entry.hpp"

#include "caller.hpp"

#include <array>
#include <cstring>
#include <sys/mman.h>

extern "C" {
void artel_openblas_call() noexcept;
[[gnu::visibility("hidden")]] void artel_openblas_enter(void** to_return) noexcept;
}

void artel_openblas_enter(void** to_return) noexcept
{
    artel::openblas::enter(to_return);
}

// r11: the entry. The argument registers are saved around our call, which may replace the return
// address of the real function.
asm(R"(
        .text
        .p2align 4
        .globl  artel_openblas_call
        .hidden artel_openblas_call
        .type   artel_openblas_call, @function
artel_openblas_call:
        .cfi_startproc
        subq    $200, %rsp
        .cfi_adjust_cfa_offset 200
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
        movq    %r11, 176(%rsp)
        leaq    200(%rsp), %rdi
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
        movq    176(%rsp), %r11
        addq    $200, %rsp
        .cfi_adjust_cfa_offset -200
        jmp     *(%r11)
        .cfi_endproc
        .size   artel_openblas_call, .-artel_openblas_call
)");

namespace artel::openblas {
namespace {

constexpr std::size_t function_size = 64;

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

// Loads an integer argument into rax or r10, sign-extended.
void load(writer& w, unsigned argument, bool into_rax, const amount& of) noexcept
{
    constexpr std::array<std::uint8_t, 6> registers = {7, 6, 2, 1, 8, 9};  // rdi, rsi, rdx, ...
    const unsigned from = registers[argument];
    const unsigned wide_operands = 0x48 | (into_rax ? 0 : 4) | (from >= 8 ? 1 : 0);
    const unsigned operands = (of.by_reference ? 0 : 0xc0) | (into_rax ? 0 : 0x10) | (from & 7);
    w.bytes(wide_operands, of.wide ? 0x8b : 0x63, operands);  // mov, or movsxd
}

}  // namespace

entry_page::entry_page(std::size_t count) noexcept : count_(count)
{
    code_size_ = (count * function_size + 4095) / 4096 * 4096;
    void* const memory = ::mmap(nullptr, size(), PROT_READ | PROT_WRITE,
                                MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory != MAP_FAILED) {
        code_ = static_cast<std::uint8_t*>(memory);
        entries_ = reinterpret_cast<entry*>(code_ + code_size_);
    }
}

entry_page::~entry_page()
{
    if (code_ != nullptr) {
        ::munmap(code_, size());
    }
}

void* entry_page::call(void* target, const amount& of) noexcept
{
    entry& e = entries_[used_];
    e = {target, reinterpret_cast<void*>(&artel_openblas_call)};
    std::uint8_t* const code = code_ + used_++ * function_size;
    writer w(code);
    w.bytes(0x49, 0xbb).value(&e);  // mov r11, &e
    for (unsigned i = 0; i < of.count; ++i) {
        load(w, of.first + i, i == 0, of);
        if (i != 0) {
            w.bytes(0x49, 0x0f, 0xaf, 0xc2);  // imul rax, r10
        }
    }
    if (of.count != 0) {
        w.bytes(0x48, 0x3d)
            .value(of.most)            // cmp rax, most
            .bytes(0x77, 3)            // ja skips the jump; a negative value counts as large
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
