; The serial line: its registers, and routines that send and receive a byte.
#const uart, $ff00
#const uart_data, uart + 0
#const uart_state, uart + 1
#const is_full, 1 << 0
#const has_byte, %10

; sends A
send:
.wait:  sta saved
.full:  lda uart_state
        and #is_full
        bne .full
        lda saved
        sta uart_data
        ret

; A is the received byte, or 0
receive:
        lda uart_state
        and #has_byte
        beq .none
        lda uart_data
.none:  ret
