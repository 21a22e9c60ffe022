; customasm's example gameboy_hello_world.asm, written for sm83.yaml. The picture in the header and the letters (tiles.bin) are our own.
vram      = $8000
screen    = $9800
across    = 32                   ; letters in a line of the screen, and lines
down      = 32
scroll_y  = $ff42
scroll_x  = $ff43
palette   = $ff47
lcd       = $ff40
line      = $ff44

          ds $40
          ; interrupts: eight bytes each
          .rept 5
          reti
          align 8
          .endr

          org $100
          nop
          jp start
          .irpc row, 01234567
          .fill 6, 1, \row * 17
          .endr
title:    .ascii "HELLOWORLD"
.length   = @ - title
          ds 15 - .length
          db 0                   ; any console
          .ascii "CA"
          db 0, 0, 0, 0, 1, $33, 0, 0
          dw 0

          org $150
start:    di
          ld sp, $dfff
          ld a, %11100100
          ld [palette], a
          xor a
          ld [scroll_x], a
          ld [scroll_y], a
          ld a, [lcd]
          rlca                   ; is it on?
          jr nc, .off
.wait:    ld a, [line]
          cp 145
          jr nz, .wait
          ld a, [lcd]
          res 7, a
          ld [lcd], a
.off:     ld hl, tiles
          ld de, vram
          ld bc, tiles.size
          inc b
.tile:    ld a, [hli]
          .rept 2                ; both planes
          ld [de], a
          inc de
          .endr
          dec c
          jr nz, .tile
          dec b
          jr nz, .tile
          ld hl, screen
          ld bc, across * down
          ld a, ' '
          inc b
.clear:   ld [hli], a
          dec c
          jr nz, .clear
          dec b
          jr nz, .clear

          .macro print text, row
          ld hl, \text
          ld de, screen + \row * across + 2
          ld c, \text.size
.loop\@:  ld a, [hli]
          ld [de], a
          inc de
          dec c
          jr nz, .loop\@
          .endm
          print first, 8
          print second, 9
          ld a, %10010001        ; on, letters at $8000, a background
          ld [lcd], a
          ei
.spin:    halt
          nop
          jr .spin

first:    .ascii "Hello world from"
.size     = @ - first
second:   .ascii "   customasm!"
.size     = @ - second
tiles:    incbin "tiles.bin"
.size     = @ - tiles
