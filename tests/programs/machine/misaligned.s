# Loads and stores are at any address; lr, sc and amo are not. The causes are the digits of s1, and s0 counts them.
# rv64gc: s0=6 s1=0x466646 s2=0x5566778811223344 a2=1 (QEMU 7.2, except for sc without a reservation, which fails there without a trap)
# rv32gc: s0=3 s1=0x466 s2=0x11223344 a2=1
        la t0, handler
        csrw mtvec, t0
        la a1, cell + 1
        lw s2, 3(a1)
        .if XLEN == 64
        ld s2, 3(a1)
        .endif
        sw s2, 9(a1)
        lr.w a0, (a1)
        sc.w a0, a0, (a1)
        amoadd.w a0, a0, (a1)
        .if XLEN == 64
        addi a1, a1, 3          # a multiple of 4
        amoadd.d a0, a0, (a1)
        lr.d a0, (a1)
        sc.d a0, a0, (a1)
        .else
        addi a1, a1, 3
        .endif
        sc.w a2, a0, (a1)       # without a reservation
        csrw mtvec, zero
        ebreak
        .balign 4
handler:
        addi s0, s0, 1
        csrr t1, mcause
        slli s1, s1, 4
        or s1, s1, t1
        csrr t1, mepc
        addi t1, t1, 4
        csrw mepc, t1
        mret
        .balign 8
cell:   .word 0, 0x11223344, 0x55667788, 0, 0, 0
