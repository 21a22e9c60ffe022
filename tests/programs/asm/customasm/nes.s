; A cartridge that cycles the colours of the background: customasm's example nes_colors.asm, written for examples/6502. The file has a header of
; 16 bytes in front of the 32 KiB that the processor sees.
ppu_ctrl  = $2000
ppu_mask  = $2001
ppu_state = $2002
ppu_addr  = $2006
ppu_data  = $2007
dmc       = $4010
frames    = $4017
nmi_on    = %10000000
show      = %1000 | %10          ; the background, and its left column
colours   = $3f00

          .section header, "a"   ; at $7ff0
          .ascii "NES\x1a"
          .byte 2, 0             ; banks of 16 KiB, and of 8 KiB for pictures
          .fill 10

          .section zeropage, "aw", @nobits
timer:    .space 1
place:    .space 1

          .section prg, "ax"     ; at $8000
reset:    sei
          cld
          ldx #$40               ; no interrupts of the sound unit
          stx frames
          ldx #$ff
          txs
          inx                    ; 0
          stx ppu_ctrl
          stx ppu_mask
          stx dmc
_ready:   bit ppu_state
          bpl _ready
_clear:   lda #0
          .irp page, 0, 1, 2, 3, 4, 5, 6, 7
          sta \page << 8, x
          .endr
          inx
          bne _clear
_again:   bit ppu_state
          bpl _again
          lda $0d                ; as in the original, without a `#`
          jsr fill
          lda #show
          sta ppu_mask
          lda #nmi_on
          sta ppu_ctrl
_wait:    jmp _wait

nmi:      inc timer
          lda timer
          cmp #8
          bne _end
          lda #0
          sta timer
          ldx place
          lda table, x
          jsr fill
          inc place
          lda place
          cmp #table_end - table
          bne _end
          lda #0
          sta place
_end:
irq:      rti

fill:     ldx ppu_state          ; the colour in A, 32 times
          ldx #>colours
          stx ppu_addr
          ldx #<colours
          stx ppu_addr
          ldy #32
_next:    sta ppu_data
          dey
          bne _next
          rts

          .macro shades a, b, c, d
          .byte $0d, \a, \b, \c, \d, \c, \b, \a, $0d
          .endm
table:    shades $01, $12, $21, $31   ; blues
          shades $06, $16, $26, $36   ; reds
          shades $09, $19, $29, $39   ; greens
table_end:

          .section vectors, "a"  ; at $fffa
          .word nmi, reset, irq
