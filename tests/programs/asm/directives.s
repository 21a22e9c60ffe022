# Directives: GNU as and isagen assemble them to the same bytes.
        .file   "directives.s"
        .option norelax
        .globl  _start, helper
        .type   _start, @function
        .text
_start: nop
        .p2align 3
        addi    a0, a0, 1
        .balign 16
        add     a1, a1, a2 ; add a2, a2, a3     # two statements
        .align  4, , 3
        ret
        .size   _start, . - _start
helper: .half 0x0001
        .align 1
        .p2align 2, 0
        sub     s0, s0, s1
        .word   0x00000013
/* a comment of
   several lines */ .section .rodata
table:  .byte   1, 2, 0xff, -1, 'a', '\n', '#', ';'
        .2byte  0x1234, 017
        .half   -2, 65535
        .short  1
        .hword  2
        .balign 4
        .4byte  0xdeadbeef
        .long   -1
        .int    4294967295
        .word   table_end - table
        .balign 8
        .8byte  0x0123456789abcdef
        .quad   -1
        .dword  0xffffffffffffffff, 1 << 63
        .float  1.5, -0.25
        .single 3.0e10
        .double 1.0, -2.5e-300
        .ascii  "abc", "d\te\\f\"g\101\x42"
        .asciz  "one"
        .string "two", ""
        .space  3
        .skip   5, 0xaa
        .zero   2
        .fill   3, 2, 0x1234
        .fill   2, 4, -1
        .fill   2
table_end:
        .equ    limit, 10
        .set    step, 2
        .byte   limit, step
        .set    step, step + 1
        .byte   step
value = limit * 2
        .byte   value
        .pushsection .data
counter: .word  0
        .popsection
        .byte   7
        .data
        .balign 8
        .dword  counter
        .previous
        .byte   8
        .section .other, "aw", @progbits
        .word   1
        .data
        .word   2
        .org    0x40
        .byte   9
        .org    . + 7, 0x55
        .weak   nowhere
        .word   nowhere
        .bss
        .balign 8
room:   .space  32
        .comm   shared, 16, 8
        .text
        la      a0, room
        la      a1, shared
        lla     a2, table
        lw      a3, counter
        sw      a3, counter, t0
        call    helper
        tail    _start
        .if     limit == 10 && step > 2
        li      a0, 1
        .elseif limit
        li      a0, 2
        .else
        li      a0, 3
        .endif
        .ifdef  missing
        .error  "not read"
        .else
        li      a1, 1
        .endif
        .ifndef limit
        .error  "not read"
        .endif
        .ifeq   limit - 10
        li      a2, 2
        .endif
        .ifc    abc, abc
        li      a3, 3
        .endif
        .ifb
        li      a4, 4
        .endif
        .option push
        .option norvc
        addi    a0, a0, 1
        nop
        .option pop
        addi    a0, a0, 1
