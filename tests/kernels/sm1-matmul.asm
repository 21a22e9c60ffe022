# C = A * B, square matrices of words below 2^16, row after row.
# Parameters: A, B, C, and N, the number of rows; N is a multiple of the block's. Blocks of T x T threads, N/T x N/T of them.
# Each block goes along tiles of T x T: every thread brings one element of each matrix to shared memory.

        I2I.U32.U16 R1, R0L               # tid.x
        I2I.U32.U16 R2, R0H               # tid.y
        I2I.U32.U16 R3, g[0x1].U16        # T
        I2I.U32.U16 R4, g[0x6].U16
        I2I.U32.U16 R5, g[0x7].U16
        IMAD.U16 R4, R4L, R3L, R1         # the column
        IMAD.U16 R5, R5L, R3L, R2         # the row
        IMAD.U16 R6, R2L, R3L, R1
        SHL R6, R6, 0x2                   # this thread's place in a tile, in bytes
        R2A A1, R6
        IMUL.U16.U16 R7, R3L, R3L
        SHL R7, R7, 0x2                   # B's tile stands behind A's
        IADD R6, R6, R7
        R2A A2, R6
        MOV R10, g[0x7]                   # N
        IMAD.U16 R8, R5L, R10L, R1
        SHL R8, R8, 0x2
        IADD R8, g[0x4], R8               # where A's element is
        IMAD.U16 R9, R2L, R10L, R4
        SHL R9, R9, 0x2
        IADD R9, g[0x5], R9               # where B's is
        SHL R12, R3, 0x2                  # and how far the next tile's is: along a row of A
        IMUL.U16.U16 R11, R3L, R10L
        SHL R11, R11, 0x2                 # down a column of B
        MVI R20, 0x1
        MVI R13, 0x0                      # the sum
        MOV R14, R10
tile:   GLD.U32 R15, global14[R8]
        R2G.U32.U32 g[A1+0x10], R15
        GLD.U32 R15, global14[R9]
        R2G.U32.U32 g[A2+0x10], R15
        BAR.ARV.WAIT b0, 0xfff
        IMUL.U16.U16 R16, R2L, R3L
        SHL R16, R16, 0x2
        R2A A3, R16                       # a row of A's tile
        SHL R17, R1, 0x2
        IADD R17, R17, R7                 # a column of B's
        MOV R18, R3
inner:  MOV R15, g[A3+0x10]
        ADA A3, A3, 0x4
        R2A A4, R17
        MOV R19, g[A4+0x10]
        IADD R17, R17, R12
        IMAD.U16 R13, R15L, R19L, R13
        IADD.C0 R18, R18, -R20
        BRA C0.NE, inner
        BAR.ARV.WAIT b0, 0xfff            # this tile is no longer needed
        IADD R8, R8, R12
        IADD R9, R9, R11
        IADD.C0 R14, R14, -R3
        BRA C0.NE, tile
        IMAD.U16 R4, R5L, R10L, R4
        SHL R4, R4, 0x2
        IADD R4, g[0x6], R4
        GST.U32 global14[R4], R13
        RET
