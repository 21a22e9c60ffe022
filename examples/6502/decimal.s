; Writes 0xe7 as decimal digits, 31 02: isagen run 6502.yaml decimal.s --until 0x21b --dump mem@0x11+2
; Eight times, the highest bit of the byte at 0x10 is shifted into the number at 0x11, which is doubled in decimal mode.
0x200:  lda #0xe7
        sta 0x10
        lda #0
        sta 0x11
        sta 0x12
        ldx #8
        sed
1:      asl 0x10
        lda 0x11
        adc 0x11
        sta 0x11
        rol 0x12        ; at most 2, which is the same in both modes
        dex
        bne 1b
        cld
        rts
