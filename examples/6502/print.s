; Prints a text through the display at $f001, and counts its characters: tables, strings, macros and expressions.
display = $f001
pointer = $10                   ; two bytes in the zero page

        .macro set address, value
        lda     #<\value
        sta     \address
        lda     #>\value
        sta     \address+1
        .endm

        org     $0400
start:  cld
        ldx     #$ff
        txs
        set     pointer, text
        ldy     #0
_next:  lda     (pointer),y
        beq     _done
        sta     display
        iny
        bne     _next
_done:  sty     count
        ldx     #table_end - table - 1
_sum:   clc
        lda     table,x
        adc     total
        sta     total
        dex
        bpl     _sum
halt:   jmp     halt

count:  byte    0
total:  byte    0
table:  byte    1, 2, 3, %101, 'a' - 'A'
table_end:
text:   .asciz  "HELLO, WORLD\n"

        org     $fffa
        word    start, start, start
