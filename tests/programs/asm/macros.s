# Macros and repetitions.
        .macro  push reg, count=1
        addi    sp, sp, -8*\count
        sw      \reg, 0(sp)
        .endm
        .macro  load first:req, rest:vararg
        li      t0, \first
        .ifnb   \rest
        load    \rest
        .endif
        .endm
        .macro  counted
local\@:
        addi    a0, a0, \@
        bnez    a0, local\@
        .endm
        .macro  sum from=0, to=5
        .long   \from
        .if     \to-\from
        sum     "(\from+1)", \to
        .endif
        .endm
        .macro  two name
\name\()_a: .byte 1
\name\()_b: .byte 2
        .endm
        .macro  until n
        .if \n == 2
        .exitm
        .endif
        li      a0, \n
        .endm
        .text
        push    ra
        push    s0, 2
        push    count=3, reg=s1
        load    1
        load    1, 2, 3
        counted
        counted
        until   1
        until   2
        until   3
        .rept   3
        addi    a1, a1, 1
        .endr
        .irp    reg, a0, a1, s2
        mv      t0, \reg
        .endr
        .irpc   digit, 123
        li      a0, \digit
        .endr
        .set    i, 0
        .rept   4
        .set    i, i + 1
        .rept   2
        li      a2, i
        .endr
        .endr
        .data
        sum     0, 4
        two     x
        two     y
        .byte   x_b - x_a, y_a - x_a
