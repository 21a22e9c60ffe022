; Numbers of eight bits: products, remainders, primes.
        #bank prog

; result = left * right
multiply:
        lda #0
        sta result
        ldx right
        txa
        cmp #0
        beq .end
.next:
        lda result
        add left
        sta result
        dex
        bne .next
.end:
        ret

; A = left % right
remainder:
        lda left
.next:
        cmp right
        bcc .end
        sub right
        bra .next
.end:
        ret

; A is 1 if left is a prime, else 0
is_prime:
        lda #2
        sta right
.next:
        lda right
        cmp left
        beq .yes
        jsr remainder
        cmp #0
        beq .no
        lda right
        add #1
        sta right
        bra .next
.yes:
        lda #1
        ret
.no:
        lda #0
        ret

; waits
wait:
        ldx #$ff
.loop:
        nop
        nop
        nop
        dex
        bne .loop
        ret
