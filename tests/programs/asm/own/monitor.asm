; A monitor: reads commands from a serial line, and writes memory, sums, products and primes.
#include "rules.asm"
#include "monitor-math.asm"

; the serial line
uart = $ff00
uart_data = uart + 0
uart_state = uart + 1
is_full = 1 << 0
has_byte = %10

; the configuration
version = 4
with_help = version > 2 && version != 3
line_size = 32
newline = 10
return = 13
commands = (table_end - command_table) / 3

#ruledef macros
{
  put {byte: i8} => asm {
    lda #{byte}
    jsr send
  }
  pair {at: u16}, {low: i8}, {high: i8} => asm {
    lda #{low}
    sta {at}
    lda #{high}
    sta {at} + 1
  }
}

        #bank prog
reset:
        lda #0
        sta errors
        sta line_length
        ldx #(room_end - room) - 1
.clear:
        sta room,x
        dex
        bne .clear
        sta room
        jsr greet
        jsr self_test

; prints a prompt, reads a line, and runs its command
main:
        put ">"
        put " "
        jsr read_line
        lda line_length
        cmp #0
        beq main
        jsr find
        cmp #$ff
        beq .unknown
        jsr call
        bra main
.unknown:
        ldx #unknown_text - texts
        jsr print_data
        lda errors
        add #1
        sta errors
        bra main

; a line ends with a return or a newline, or when the buffer is full
read_line:
        lda #0
        sta line_length
.next:
        jsr receive
        cmp #0
        beq .next
        cmp #return
        beq .end
        cmp #newline
        beq .end
        ldx line_length
        sta line,x
        inx
        stx line_length
        jsr send
        txa
        cmp #line_size - 1
        bne .next
.end:
        ldx line_length
        lda #0
        sta line,x
        put newline
        ret

; A is the number of the command, or $ff
find:
        ldx #0
        lda #0
        sta index
.next:
        lda command_table,x
        cmp line
        beq .found
        inx
        inx
        inx
        lda index
        add #1
        sta index
        cmp #commands
        bne .next
        lda #$ff
        ret
.found:
        lda index
        ret

; calls the command of number A, by a jump that is written into memory
call:
        sta index
        add index
        add index
        tax
        inx
        lda command_table,x
        sta jump + 1
        inx
        lda command_table,x
        sta jump + 2
        lda #$38
        sta jump
        jsr jump
        ret

; `d`: the bytes of the list
dump:
        ldx #0
.next:
        stx index
        lda list,x
        jsr print_hex
        put " "
        ldx index
        inx
        txa
        cmp #list_end - list
        bne .next
        put newline
        ret

; `s`: their sum, in sixteen bits
sum:
        pair total, 0, 0
        ldx #0
.next:
        lda list,x
        add total
        sta total
        bcc .small
        lda total + 1
        add #1
        sta total + 1
.small:
        inx
        txa
        cmp #list_end - list
        bne .next
        lda total + 1
        jsr print_hex
        lda total
        jsr print_hex
        put newline
        ret

; `m`: the product of the first two
product:
        lda list
        sta left
        lda list + 1
        sta right
        jsr multiply
        lda result
        jsr print_hex
        put newline
        ret

; `p`: primes below 64
primes:
        lda #2
        sta candidate
.next:
        lda candidate
        sta left
        jsr is_prime
        cmp #0
        beq .not
        lda candidate
        jsr print_hex
        put " "
.not:
        lda candidate
        add #1
        sta candidate
        cmp #%01000000
        bne .next
        put newline
        ret

; `e`: the number of unknown commands
report:
        lda errors
        jsr print_hex
        put newline
        ret

; `q`
quit:
        halt

greet:
#if with_help
{
        ldx #help_text - texts
        jsr print_data
        put "0" + version
        put newline
}
#else
{
        put "."
}
        ret

; prints the text at X of the data
print_data:
        lda texts,x
        cmp #0
        beq .end
        jsr send
        inx
        bra print_data
.end:
        ret

; prints A as two digits
print_hex:
        sta saved
        ldx #0
.shift:
        cmp #$10
        bcc .low
        sub #$10
        inx
        bra .shift
.low:
        sta digit
        lda digits,x
        jsr send
        ldx digit
        lda digits,x
        jsr send
        lda saved
        ret

; sends A
send:
        sta saved_byte
.full:
        lda uart_state
        and #is_full
        bne .full
        lda saved_byte
        sta uart_data
        ret

; A is the received byte, or 0
receive:
        lda uart_state
        and #has_byte
        beq .none
        lda uart_data
.none:
        ret

; compares a checksum of the list with one that the assembler computes
self_test:
        lda #(1 ^ 2 ^ 3) | (5 & 4)
        sta digest
        ldx #list_end - list - 1
.next:
        lda list,x
        add digest
        sta digest
        dex
        bcs .next
        cmp #expected & $ff
        beq .good
        put "!"
.good:
        ret
#assert($ <= 0x340)
expected = 7 * 6 - (3 << 2) / 2 % 5

        #bank data
texts:
help_text: #d "monitor\n  d s m p e q\n", "\0"
unknown_text:
        #d "what?\n\0"
digits:
        #d "0123456789abcdef"
        #align 8 * 8
list:
        #d8 9, $f0, %101, 3, "a", 4 * 3, !0 & $7f
        #d8 1, 1 + 1, 1 + 1 + 1, -1 & $ff
list_end:
command_table:
        #d8 "d", dump[7:0], dump[15:8]
        #d8 "s", sum[7:0], sum[15:8]
        #d8 "m", product[7:0], product[15:8]
        #d8 "p", primes[7:0], primes[15:8]
        #d8 "e", report[7:0], report[15:8]
        #d8 "q", quit[7:0], quit[15:8]
table_end:
vectors:
        #d8 reset[7:0], reset[15:8], main[7:0], main[15:8], (report + 1 - 1)[7:0], (report + 1 - 1)[15:8], ($ - vectors)[7:0], ($ - vectors)[15:8]

        #bank ram
errors: #res 1
line_length: #res 1
line:   #res line_size
index:  #res 1
jump:   #res 3
total:  #res 2
candidate: #res 1
saved:  #res 1
saved_byte: #res 1
digit:  #res 1
digest: #res 1
left:   #res 1
right:  #res 1
result: #res 2
room:   #res 16
room_end:
