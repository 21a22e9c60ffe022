# Words that do nothing: hints, and fences with fields that machines ignore; the last three are illegal. s0 counts traps.
# rv64gc: s0=3 a0=7 (QEMU 7.2)
# rv32gc: s0=3 a0=7 (QEMU 7.2)
        la t0, handler
        csrw mtvec, t0
        li a0, 7
        .word 0x0100000f        # pause
        .word 0x0000000f        # a fence of nothing
        .word 0x0010000f
        .word 0x8000000f        # fm is reserved
        .word 0x8330000f        # fence.tso
        .word 0x0ff5050f        # rd and rs1 are reserved
        .word 0xfff5150f        # fence.i
        .half 0x8001            # c.srli64 s0
        .half 0x8401            # c.srai64 s0
        .half 0x0502            # c.slli64 a0
        .half 0x0002            # c.slli64 zero
        .half 0x0005            # c.nop 1
        .half 0x6005            # c.lui zero
        .half 0x4005            # c.li zero
        .half 0x802a            # c.mv zero
        .half 0x902a            # c.add zero
        addi zero, a0, 3
        lui zero, 5
        .word 0x0000200f        # illegal: no such fence
        .word 0x0000600f
        .word 0x00000007        # illegal: no such load
        csrw mtvec, zero
        ebreak
        .balign 4
handler:
        addi s0, s0, 1
        csrr t1, mepc
        addi t1, t1, 4
        csrw mepc, t1
        mret
