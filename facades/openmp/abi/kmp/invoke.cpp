// The ABI's calling convention (System V, AMD64): six integers or pointers in rdi, rsi, rdx, rcx,
// r8, r9, the others on the stack, the seventh lowest, which is 16-byte aligned at the call.
// Arguments that the function does not take do no harm, so the registers are always loaded. With
// frame information, so that exceptions and debuggers get through.
#include "invoke.hpp"

#if !defined(__x86_64__)
#error "calling a microtask is written for x86-64 only"
#endif

asm(R"(
    .text
    .p2align 4
    .globl artel_kmp_invoke_noted
    .hidden artel_kmp_invoke_noted
    .type artel_kmp_invoke_noted, @function
artel_kmp_invoke_noted:
    .cfi_startproc
    endbr64
    pushq %rbp
    .cfi_def_cfa_offset 16
    .cfi_offset %rbp, -16
    movq %rsp, %rbp
    .cfi_def_cfa_register %rbp
    movq %rbp, (%r9)
    jmp 3f
    .cfi_endproc
    .size artel_kmp_invoke_noted, . - artel_kmp_invoke_noted

    .p2align 4
    .globl artel_kmp_invoke
    .hidden artel_kmp_invoke
    .type artel_kmp_invoke, @function
artel_kmp_invoke:
    .cfi_startproc
    endbr64
    pushq %rbp
    .cfi_def_cfa_offset 16
    .cfi_offset %rbp, -16
    movq %rsp, %rbp
    .cfi_def_cfa_register %rbp
3:  movq %rdi, %rax
    movq %r8, %r11
    movq %rsi, %rdi
    movq %rdx, %rsi
    movslq %ecx, %rcx
    subq $4, %rcx
    jle 2f
    leaq 1(%rcx), %r9
    andq $-2, %r9
    shlq $3, %r9
    subq %r9, %rsp
1:  movq 24(%r11,%rcx,8), %r9
    movq %r9, -8(%rsp,%rcx,8)
    decq %rcx
    jnz 1b
2:  movq (%r11), %rdx
    movq 8(%r11), %rcx
    movq 16(%r11), %r8
    movq 24(%r11), %r9
    call *%rax
    leave
    .cfi_def_cfa %rsp, 8
    ret
    .cfi_endproc
    .size artel_kmp_invoke, . - artel_kmp_invoke
)");
