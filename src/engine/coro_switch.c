/* SPDX-License-Identifier: MIT */
#include "engine/coro_switch.h"

#if CORO_UCONTEXT

#include "base/err.h"

void coro_context_init(struct coro_context *ctx, char *stack,
                       size_t stack_bytes, coro_context_entry *entry)
{
    if (getcontext(&ctx->uc))
        BUG("getcontext failed");
    ctx->uc.uc_stack.ss_sp = stack;
    ctx->uc.uc_stack.ss_size = stack_bytes;
    ctx->uc.uc_link = NULL;
    makecontext(&ctx->uc, entry, 0);
}

void coro_context_switch(struct coro_context *from,
                         const struct coro_context *to)
{
    if (swapcontext(&from->uc, &to->uc))
        BUG("swapcontext failed");
}

#else

/*
 * The registers that a called function must preserve go on the stack; the rest
 * the compiler has saved already, because to it this is an ordinary call.  The
 * control words of the floating point units are left alone: nobody here
 * changes the rounding.  The end is pop and jump, not ret: the processor
 * predicts ret from the calls it saw on the other stack, always wrongly.  Both
 * stacks have the same layout here, so the unwinding notes hold throughout.
 */
/* clang-format off */
__asm__(
    ".pushsection .text\n"
    ".globl coro_context_switch\n"
    ".hidden coro_context_switch\n"
    ".type coro_context_switch, @function\n"
    ".p2align 4\n"
    "coro_context_switch:\n"
    "    .cfi_startproc\n"
    "    pushq %rbp\n"
    "    .cfi_adjust_cfa_offset 8\n"
    "    .cfi_rel_offset %rbp, 0\n"
    "    pushq %rbx\n"
    "    .cfi_adjust_cfa_offset 8\n"
    "    .cfi_rel_offset %rbx, 0\n"
    "    pushq %r12\n"
    "    .cfi_adjust_cfa_offset 8\n"
    "    .cfi_rel_offset %r12, 0\n"
    "    pushq %r13\n"
    "    .cfi_adjust_cfa_offset 8\n"
    "    .cfi_rel_offset %r13, 0\n"
    "    pushq %r14\n"
    "    .cfi_adjust_cfa_offset 8\n"
    "    .cfi_rel_offset %r14, 0\n"
    "    pushq %r15\n"
    "    .cfi_adjust_cfa_offset 8\n"
    "    .cfi_rel_offset %r15, 0\n"
    "    movq %rsp, (%rdi)\n"
    "    movq (%rsi), %rsp\n"
    "    popq %r15\n"
    "    .cfi_adjust_cfa_offset -8\n"
    "    .cfi_restore %r15\n"
    "    popq %r14\n"
    "    .cfi_adjust_cfa_offset -8\n"
    "    .cfi_restore %r14\n"
    "    popq %r13\n"
    "    .cfi_adjust_cfa_offset -8\n"
    "    .cfi_restore %r13\n"
    "    popq %r12\n"
    "    .cfi_adjust_cfa_offset -8\n"
    "    .cfi_restore %r12\n"
    "    popq %rbx\n"
    "    .cfi_adjust_cfa_offset -8\n"
    "    .cfi_restore %rbx\n"
    "    popq %rbp\n"
    "    .cfi_adjust_cfa_offset -8\n"
    "    .cfi_restore %rbp\n"
    "    popq %rcx\n"
    "    .cfi_adjust_cfa_offset -8\n"
    "    .cfi_register %rip, %rcx\n"
    "    jmpq *%rcx\n"
    "    .cfi_endproc\n"
    ".size coro_context_switch, . - coro_context_switch\n"
    ".popsection\n");
/* clang-format on */

void coro_context_init(struct coro_context *ctx, char *stack,
                       size_t stack_bytes, coro_context_entry *entry)
{
    void *end = stack + stack_bytes;
    uintptr_t *top = (uintptr_t *)end;

    /* What coro_context_switch() pops: six registers, all zero so that chains
     * of frame pointers end here, the entry, and then where a call would have
     * left its return address, which also aligns the stack as a call does. */
    for (int i = 1; i <= 8; i++)
        top[-i] = 0;
    top[-2] = (uintptr_t)entry;
    ctx->sp = &top[-8];
}

#endif
