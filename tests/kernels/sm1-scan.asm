# Prefix sums: each block replaces the words of its own part by the sums of all up to them.
# Parameters: input, output. A thread has a word.

        I2I.U32.U16 R1, R0L               # tid
        I2I.U32.U16 R2, g[0x1].U16        # threads of a block
        IMAD.U16 R3, g[0x6].U16, R2L, R1
        SHL R3, R3, 0x2
        IADD R4, g[0x4], R3
        GLD.U32 R5, global14[R4]          # the sum of 1, 2, 4, … words
        SHL R6, R1, 0x2
        R2A A1, R6
        R2G.U32.U32 g[A1+0x10], R5
        MVI R7, 0x1                       # how far away the next ones are
        BAR.ARV.WAIT b0, 0xfff
step:   ISET.C0 o[0x7f], R1, R7, LT
        SSY join
        BRA C0.NE, join                   # there are none
        IADD R8, R1, -R7
        SHL R8, R8, 0x2
        R2A A2, R8
        MOV R9, g[A2+0x10]
        IADD R5, R5, R9
join:   NOP.S
        BAR.ARV.WAIT b0, 0xfff            # all have read
        R2G.U32.U32 g[A1+0x10], R5
        BAR.ARV.WAIT b0, 0xfff            # all have written
        SHL R7, R7, 0x1
        ISET.C0 o[0x7f], R7, R2, LT
        BRA C0.NE, step
        IADD R4, g[0x5], R3
        GST.U32 global14[R4], R5
        RET
