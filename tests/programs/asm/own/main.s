; A self-test: writes a greeting, sorts a list, adds up a table, and reports the result.
#const count, (list_end - list) / 1
#const version, 3
#const is_loud, version >= 3 && version != 4
#const newline, 10
        #include "uart.inc.s"

#macro print text                 ; a text that ends with a zero
        ldx #0
.next\@: lda \text,x
        cmp #0
        beq .end\@
        jsr send
        inx
        bra .next\@
.end\@:
#endmacro

#macro put byte
        lda #\byte ? jsr send
#endmacro

#macro check name, value, wanted  ; counts a value that is wrong
        lda \value
        cmp #\wanted
        beq .fine\@
        lda errors ? add #1 ? sta errors
        put \name
.fine\@:
#endmacro

        #bank prog
reset:  lda #0
        sta errors
        ldx #count - 1
.copy:  lda list,x                ; the list is in read-only memory
        sta room,x
        dex
        cmp #0
        bcs .copied
        bra .copy
.copied:
#if is_loud
        print greeting
        put 'v'
        put '0' + version
        put newline
#else
        put '.'
#endif

; moves the largest number to the end, and repeats this until nothing is swapped
sort:   lda #0
        sta swaps
        ldx #0
.pair:  lda room,x
        sta left
        inx
        lda room,x
        cmp left
        bcs .fine
        sta saved
        lda left
        sta room,x
        dex
        lda saved
        sta room,x
        inx
        lda #1
        sta swaps
.fine:  txa
        cmp #count - 1
        bne .pair
        lda swaps
        bne sort

; the sum of the table, whose entries have two bytes
sum:    ldx #0
        lda #0
        sta total
.add:   lda table,x
        add total
        sta total
        inx
        inx
        txa
        cmp #<(table_end - table)
        bne .add

        check 'S', total, (1 + 4 + 9 + 16 + 25) & $ff
        check 'L', room, 3
        check 'H', room + count - 1, $f0

report: lda errors
        beq .good
        print bad
        halt
.good:  print good
        jsr wait
        jmp reset

wait:   ldx #$ff
.loop:
#repeat 3
        nop
#endrepeat
        dex
        bne .loop
        ret
#assert $ <= $200, "the program leaves no room for its data"

        #bank data
greeting: #d "Hi, own CPU!\n", "\0"
good:   #d "all is well\n\0"
bad:    #d "errors: \x21\n\0"
        #align 8
list:   #d8 9, $f0, %101, 3, 'a', 4 * 3, ~0 & $7f
list_end:
        #align 4
table:  #d16 1, 4, 9, 16, 25
table_end:
vectors: #d16 reset, report + 1 - 1, $ - vectors
        #d8 <reset, >vectors, (table_end - table) << 1 | 1

        #bank ram, "aw", @nobits
errors: #res 1
saved:  #res 1
left:   #res 1
swaps:  #res 1
total:  #res 1
room:   #res count
