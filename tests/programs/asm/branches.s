# Branches near and far, forward and back.
        .text
_start: beqz    a0, near
        beq     a0, a1, near
        bnez    s0, middle
        j       near
        j       middle
        jal     far
        bne     a0, a1, far
        beqz    a0, far
        bltz    a0, far
        bgt     a0, a1, far
        bleu    a0, a1, near
near:   nop
        j       _start
        .rept   100
        addi    a0, a0, 100
        .endr
middle: bnez    a0, near
        .rept   1200
        addi    a0, a0, 100
        .endr
1:      beqz    a0, 1b
        beqz    a0, 1f
        bnez    a0, middle
        bge     a0, a1, _start
        j       _start
1:      j       1b
        .balign 8
far:    j       near
        ret
