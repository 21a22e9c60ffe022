# Directives of data that no other program has.
.data
.byte 1,1,1,1
.balignw 8, 0x1234
.byte 2,2,2,2
.balignl 8, 0x11223344
.p2alignw 3, 0x5566
.string16 "ab\377"
.string8 "q"
.string32 "c"
.octa 0x112233445566778899aabbccddeeff00, -1, 5
.uleb128 0
.uleb128 127
.uleb128 128
.uleb128 624485
.sleb128 -1
.sleb128 63
.sleb128 64
.sleb128 -65
.sleb128 1000000
a: .space 300
b: .dc.b 1,2
.dc.w 3
.dc.l 4
.dc 6
.float nan, inf, -inf, 0f1.5, -nan, .5, 5., 1.e5
.double nan, 0d2.5
.dc.s 1.5
.dc.d 1.5
.uleb128 0xffffffffffffffff
