# How often words have each value of their low four bits. SM 1.0 has no atomic accesses: each thread counts in 16 words of its own
# in shared memory; then 16 threads add up, one value each.
# Parameters: input, output (16 words a block), and how many words a thread takes. Blocks of 16 to 255 threads.

        I2I.U32.U16 R1, R0L               # tid
        I2I.U32.U16 R2, g[0x1].U16        # threads of a block
        MVI R20, 0x1
        SHL R3, R1, 0x6                   # this thread's counts
        MOV R5, R3
        MVI R4, 0x10
clear:  R2A A1, R5
        R2G.U32.U32 g[A1+0x10], R124
        IADD32I R5, R5, 0x4
        IADD.C0 R4, R4, -R20
        BRA C0.NE, clear
        I2I.U32.U16 R7, g[0x6].U16
        IMUL.U16.U16 R6, R7L, R2L
        MOV R8, g[0x6]
        IMAD.U16 R6, R6L, R8L, R1
        SHL R6, R6, 0x2
        IADD R6, g[0x4], R6               # the first word
        SHL R9, R2, 0x2                   # and how far the next one is
        MVI R11, 0xf
count:  GLD.U32 R10, global14[R6]
        LOP.AND R10, R10, R11
        SHL R10, R10, 0x2
        IADD R10, R10, R3
        R2A A1, R10
        MOV R12, g[A1+0x10]
        IADD32I R12, R12, 0x1
        R2G.U32.U32 g[A1+0x10], R12
        IADD R6, R6, R9
        IADD.C0 R8, R8, -R20
        BRA C0.NE, count
        BAR.ARV.WAIT b0, 0xfff
        MVI R13, 0x10
        ISET.C0 o[0x7f], R1, R13, GE
        RET C0.NE
        SHL R14, R1, 0x2
        MVI R15, 0x0
add:    R2A A1, R14
        MOV R12, g[A1+0x10]
        IADD R15, R15, R12
        IADD32I R14, R14, 0x40
        IADD.C0 R2, R2, -R20
        BRA C0.NE, add
        SHL R7, R7, 0x4
        IADD R7, R7, R1
        SHL R7, R7, 0x2
        IADD R7, g[0x5], R7
        GST.U32 global14[R7], R15
        RET
