# B = A transposed, square matrices of words, row after row.
# Parameters: A, B, and N, the number of rows; N is a multiple of the block's. Blocks of T x T threads, N/T x N/T of them.
# Each block goes through a tile of shared memory, so that rows are read and rows are written.

        I2I.U32.U16 R1, R0L               # tid.x
        I2I.U32.U16 R2, R0H               # tid.y
        I2I.U32.U16 R3, g[0x1].U16        # T
        I2I.U32.U16 R4, g[0x6].U16        # ctaid.x
        I2I.U32.U16 R5, g[0x7].U16        # ctaid.y
        MOV R6, g[0x6]                    # N
        IMAD.U16 R7, R4L, R3L, R1         # the column of A
        IMAD.U16 R8, R5L, R3L, R2         # the row
        IMAD.U16 R9, R8L, R6L, R7
        SHL R9, R9, 0x2
        IADD R9, g[0x4], R9
        GLD.U32 R10, global14[R9]
        IMAD.U16 R11, R2L, R3L, R1
        SHL R11, R11, 0x2
        R2A A1, R11
        R2G.U32.U32 g[A1+0x10], R10       # tile[tid.y][tid.x]
        BAR.ARV.WAIT b0, 0xfff
        IMAD.U16 R11, R1L, R3L, R2
        SHL R11, R11, 0x2
        R2A A2, R11
        MOV R10, g[A2+0x10]               # tile[tid.x][tid.y]
        IMAD.U16 R7, R5L, R3L, R1         # the column of B
        IMAD.U16 R8, R4L, R3L, R2         # the row
        IMAD.U16 R9, R8L, R6L, R7
        SHL R9, R9, 0x2
        IADD R9, g[0x5], R9
        GST.U32 global14[R9], R10
        RET
