#ruledef own
{
  nop => 0x00
  halt => 0x01
  ret => 0x02
  inx => 0x03
  dex => 0x04
  tax => 0x05
  txa => 0x06
  lda #{n: i8} => 0x10 @ n
  ldx #{n: i8} => 0x11 @ n
  add #{n: i8} => 0x12 @ n
  sub #{n: i8} => 0x13 @ n
  cmp #{n: i8} => 0x14 @ n
  and #{n: i8} => 0x15 @ n
  or  #{n: i8} => 0x16 @ n
  xor #{n: i8} => 0x17 @ n
  lda {a: u16} => 0x20 @ a[7:0] @ a[15:8]
  sta {a: u16} => 0x21 @ a[7:0] @ a[15:8]
  add {a: u16} => 0x22 @ a[7:0] @ a[15:8]
  sub {a: u16} => 0x23 @ a[7:0] @ a[15:8]
  cmp {a: u16} => 0x24 @ a[7:0] @ a[15:8]
  ldx {a: u16} => 0x25 @ a[7:0] @ a[15:8]
  stx {a: u16} => 0x26 @ a[7:0] @ a[15:8]
  lda {a: u16},x => 0x28 @ a[7:0] @ a[15:8]
  sta {a: u16},x => 0x29 @ a[7:0] @ a[15:8]
  beq {a: u16} => 0x30 @ (a - $ - 2)`8
  bne {a: u16} => 0x31 @ (a - $ - 2)`8
  bcc {a: u16} => 0x32 @ (a - $ - 2)`8
  bcs {a: u16} => 0x33 @ (a - $ - 2)`8
  bra {a: u16} => 0x34 @ (a - $ - 2)`8
  jmp {a: u16} => 0x38 @ a[7:0] @ a[15:8]
  jsr {a: u16} => 0x39 @ a[7:0] @ a[15:8]
}
#bankdef prog { #addr 0x40, #size 0x300, #outp 8 * 0x40 }
#bankdef data { #addr 0x340, #size 0x200, #outp 8 * 0x340 }
#bankdef ram  { #addr 0x8000, #size 0x400 }
