# A checksum of numbers that a recurrence gives: c[0][0x160] is where it begins, c[0][0x164] how many.
# The sum is left in R6, by way of local memory.

        MOV R0, c[0x0][0x160]
        MOV R1, c[0x0][0x164]
        MOV R2, RZ
        MOV R3, 0x19660d
        MOV R4, 0x3c6ef35f
loop:   IMAD R0, R0, R3, R4
        LOP3.LUT R5, R0, 0x10000, RZ, 0xc0, !PT
        ISETP.NE.AND P0, PT, R5, RZ, PT
        @P0 IADD3 R2, R2, R0, RZ
        @!P0 LOP3.LUT R2, R2, R0, RZ, 0x3c, !PT
        @P0 BRA next
        IMAD.WIDE.U32 R8, R0, R2, RZ
        IADD3 R2, P2, R2, R8, RZ
        IADD3.X R2, R2, R9, RZ, P2, !PT
next:   IADD3 R1, R1, -0x1, RZ
        ISETP.NE.AND P1, PT, R1, RZ, PT
        @P1 BRA loop
        MOV R7, 0x20
        STL [R7+0x4], R2
        LDL R6, [R7+0x4]
        RET.ABS.NODEC R20 0x0
