; The primes below 256, for sim65 of cc65: `isagen asm 6502.yaml primes.s --format bin -o primes` and `sim65 primes`. The header of the file
; is in front of the program.
sp        = $00                  ; the stack of arguments, which grows down
number    = $02
step      = $03
value     = $04
length    = $05
text      = $06
pv_write  = $fff7                ; A and X: the number of bytes; on the stack of arguments: their address, and the file
pv_exit   = $fff9
stdout    = 1
newline   = 10
arguments = $fe00

          .macro set word, to
          lda #<(\to)
          sta \word
          lda #>(\to)
          sta \word + 1
          .endm

          .section prog, "ax"    ; at $01f4
          .ascii "sim65"
          .byte 2, 0, sp         ; the version of the header, the processor
          .word start, start     ; the load address, and the start address

start:    ldx #$ff
          txs
          cld
          lda #0
          tay
_clear:   sta sieve,y
          iny
          bne _clear
          lda #2
          sta number

next:     ldx number
          lda sieve,x
          bne _not
          jsr print
          jsr cross
_not:     inc number
          bne next
          lda #newline
          sta text
          lda #1
          jsr write
          lda #0
          jmp pv_exit

; crosses out the multiples of the number
cross:    lda number
          sta step
          clc
_again:   adc number
          bcs _done
          tax
          inc sieve,x
          bne _again             ; no number has 256 divisors
_done:    rts

; writes the number in decimal, and a blank
print:    lda number
          sta value
          lda #0
          sta length
          .irp power, 100, 10, 1
          ldx #'0'
_digit\power:
          lda value
          cmp #\power
          bcc _end\power
          sbc #\power
          sta value
          inx
          bne _digit\power
_end\power:
          jsr put
          .endr
          ldx #' '
          ldy length
          stx text,y
          iny
          tya
          ; falls through
; writes A bytes of the text
write:    pha
          set sp, arguments - 4
          lda #<text
          sta arguments - 4
          lda #>text
          sta arguments - 3
          lda #<stdout
          sta arguments - 2
          lda #>stdout
          sta arguments - 1
          pla
          ldx #0
          jmp pv_write

; adds the digit X, unless it is a leading zero
put:      ldy length
          bne _shown
          cpx #'0'
          beq _hidden
_shown:   stx text,y
          inc length
_hidden:  rts


          .section data, "aw", @nobits   ; at $1000
sieve:    .space 256
