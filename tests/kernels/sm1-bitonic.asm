# Bitonic sort: each block sorts its own part of an array of unsigned words, one word a thread; a block has 2, 4, 8, … of them.
# Parameter: the array.

        I2I.U32.U16 R1, R0L               # tid
        I2I.U32.U16 R2, g[0x1].U16        # threads of a block
        IMAD.U16 R3, g[0x6].U16, R2L, R1
        SHL R3, R3, 0x2
        IADD R3, g[0x4], R3
        GLD.U32 R4, global14[R3]          # the word of this thread
        SHL R5, R1, 0x2
        R2A A1, R5
        R2G.U32.U32 g[A1+0x10], R4
        MVI R6, 0x2                       # words of a sorted run
run:    SHR R7, R6, 0x1                   # how far away the partner is
step:   BAR.ARV.WAIT b0, 0xfff            # all have written
        LOP.XOR R8, R1, R7
        SHL R8, R8, 0x2
        R2A A2, R8
        MOV R9, g[A2+0x10]                # the partner's word
        LOP.AND R10, R1, R6
        ISET R10, R10, R124, NE           # this run descends
        LOP.AND R11, R1, R7
        ISET R11, R11, R124, NE           # this thread is the upper one
        LOP.XOR R10, R10, R11             # it keeps the greater one
        ISET R11, R4, R9, LT
        LOP.XOR.C0 R11, R11, R10
        MOV R4 (C0.EQ), R9
        BAR.ARV.WAIT b0, 0xfff            # all have read
        R2G.U32.U32 g[A1+0x10], R4
        SHR R7, R7, 0x1
        ISET.C0 o[0x7f], R7, R124, NE
        BRA C0.NE, step
        SHL R6, R6, 0x1
        ISET.C0 o[0x7f], R6, R2, LE
        BRA C0.NE, run
        GST.U32 global14[R3], R4
        RET
