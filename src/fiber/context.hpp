// The bare switch of stacks. On x86-64 hand-written and inlined into its one caller: it resumes
// with a jump that always goes to the same label, which the branch predictor learns, and leaves the
// return-address predictor balanced. Boost.Context (which serves the other architectures) returns
// by an indirect jump out of a called function, after which every return of the resumed fiber is
// mispredicted: 5.6 ns bare, but 22 ns for a whole fiber::switch_to, against 9 with this; see
// docs/decisions/0003-context-switch.md.
#pragma once

#include <cstddef>
#include <cstdint>

#if !defined(__x86_64__)
#include <boost/context/detail/fcontext.hpp>
#endif

namespace artel::fiber::context {

// Called on a new stack with what jump() was given; never returns.
using start_function = void (*)(void* data);

#if defined(__x86_64__)

// Lays out a stack so that the first jump to the result calls start(data). The floating-point
// control words are the caller's.
inline void* make(void* high, std::size_t, start_function start) noexcept
{
    // From the top: start, control words, address of the stub. The stub is entered with the stack
    // 16-byte aligned after its pops.
    auto* top = reinterpret_cast<std::uint64_t*>(reinterpret_cast<std::uintptr_t>(high) &
                                                 ~std::uintptr_t{15});
    std::uint32_t words[2] = {0, 0};
    asm volatile("stmxcsr %0\n\tfnstcw %1" : "=m"(words[0]), "=m"(words[1]));
    void* stub;
    asm volatile(
        "jmp 2f\n"
        "1:\n\t"
        ".cfi_remember_state\n\t"
        ".cfi_undefined rip\n\t"  // the outermost frame, for debuggers and unwinders
        "ldmxcsr (%%rsp)\n\t"
        "fldcw 4(%%rsp)\n\t"
        "movq 8(%%rsp), %%rax\n\t"
        "addq $16, %%rsp\n\t"
        "xorl %%ebp, %%ebp\n\t"
        "call *%%rax\n\t"
        "ud2\n\t"
        ".cfi_restore_state\n"
        "2:\n\t"
        "leaq 1b(%%rip), %0"
        : "=r"(stub)
        :
        : "memory");
    *--top = reinterpret_cast<std::uint64_t>(start);
    *--top = static_cast<std::uint64_t>(words[1]) << 32 | words[0];
    *--top = reinterpret_cast<std::uint64_t>(stub);
    return top;
}

// With AVX-512 there are more registers in which a compiler may keep values.
#if defined(__AVX512F__)
#define ARTEL_CLOBBERED_BY_AVX512                                                                 \
    , "xmm16", "xmm17", "xmm18", "xmm19", "xmm20", "xmm21", "xmm22", "xmm23", "xmm24", "xmm25",   \
        "xmm26", "xmm27", "xmm28", "xmm29", "xmm30", "xmm31", "k1", "k2", "k3", "k4", "k5", "k6", \
        "k7"
#else
#define ARTEL_CLOBBERED_BY_AVX512
#endif

// Saves the running context in `save` and continues `to` with `data`. Returns what the jump back
// passes. The save happens before anything of `to` runs, so that the arriving side may publish it.
__attribute__((always_inline)) inline void* jump(void** save, void* to, void* data) noexcept
{
    // The callee-saved registers except rbx and rbp are clobbers: the compiler saves those that it
    // uses. 128: the red zone. The control words belong to the fiber (System V ABI 3.2.1); loading
    // them is slow, so they are compared first.
    asm volatile(
        "leaq -128(%%rsp), %%rsp\n\t"
        "pushq %%rbp\n\t"
        "pushq %%rbx\n\t"
        "subq $8, %%rsp\n\t"
        "stmxcsr (%%rsp)\n\t"
        "fnstcw 4(%%rsp)\n\t"
        "movl (%%rsp), %%ebx\n\t"
        "movzwl 4(%%rsp), %%ebp\n\t"
        "leaq 1f(%%rip), %%rax\n\t"
        "pushq %%rax\n\t"
        "movq %%rsp, (%[save])\n\t"
        "movq %[to], %%rsp\n\t"
        "popq %%rax\n\t"
        "jmp *%%rax\n"
        "1:\n\t"
        "cmpl (%%rsp), %%ebx\n\t"
        "je 2f\n\t"
        "ldmxcsr (%%rsp)\n"
        "2:\n\t"
        "cmpw 4(%%rsp), %%bp\n\t"
        "je 3f\n\t"
        "fldcw 4(%%rsp)\n"
        "3:\n\t"
        "addq $8, %%rsp\n\t"
        "popq %%rbx\n\t"
        "popq %%rbp\n\t"
        "leaq 128(%%rsp), %%rsp"
        : [data] "+D"(data), [save] "+S"(save), [to] "+d"(to)
        :
        : "rax", "rcx", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15", "memory", "cc",
          "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10",
          "xmm11", "xmm12", "xmm13", "xmm14", "xmm15" ARTEL_CLOBBERED_BY_AVX512);
    return data;
}

#else

struct passed {  // what crosses a Boost.Context jump
    void** save;
    void* data;
};

inline void arrived(boost::context::detail::transfer_t t, void*& data) noexcept
{
    const passed p = *static_cast<passed*>(t.data);
    *p.save = t.fctx;
    data = p.data;
}

// All fibers start in the same function (switch.cpp), so that there is one trampoline.
inline start_function the_start = nullptr;

inline void* make(void* high, std::size_t size, start_function start) noexcept
{
    the_start = start;
    return boost::context::detail::make_fcontext(high, size,
                                                 [](boost::context::detail::transfer_t t) {
                                                     void* data;
                                                     arrived(t, data);
                                                     the_start(data);
                                                 });
}

__attribute__((always_inline)) inline void* jump(void** save, void* to, void* data) noexcept
{
    passed p{save, data};
    arrived(boost::context::detail::jump_fcontext(to, &p), data);
    return data;
}

#endif

}  // namespace artel::fiber::context
