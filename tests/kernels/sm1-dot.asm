# Dot products of floats: each block multiplies its own parts of two arrays, and adds the products as a tree.
# Parameters: the arrays, and where the sum of each block goes. A block has a power of two of threads, an element each.

        I2I.U32.U16 R1, R0L               # tid
        I2I.U32.U16 R2, g[0x1].U16        # threads of a block
        IMAD.U16 R3, g[0x6].U16, R2L, R1
        SHL R3, R3, 0x2
        IADD R4, g[0x4], R3
        GLD.U32 R5, global14[R4]
        IADD R4, g[0x5], R3
        GLD.U32 R6, global14[R4]
        FMUL R5, R5, R6
        SHL R6, R1, 0x2
        R2A A1, R6
        R2G.U32.U32 g[A1+0x10], R5
        SHR R7, R2, 0x1                   # how many threads add
        BRA add
half:   SHR R7, R7, 0x1
add:    BAR.ARV.WAIT b0, 0xfff
        ISET.C0 o[0x7f], R7, R124, EQ
        BRA C0.NE, last                   # none: the same for all
        ISET.C0 o[0x7f], R1, R7, GE
        SSY join
        BRA C0.NE, join
        IADD R8, R1, R7
        SHL R8, R8, 0x2
        R2A A2, R8
        MOV R9, g[A2+0x10]
        FADD R5, R5, R9
        R2G.U32.U32 g[A1+0x10], R5
join:   NOP.S
        BRA half
last:   ISET.C0 o[0x7f], R1, R124, NE
        SSY end
        BRA C0.NE, end
        I2I.U32.U16 R10, g[0x6].U16
        SHL R10, R10, 0x2
        IADD R10, g[0x6], R10
        GST.U32 global14[R10], R5
end:    NOP.S
        RET
