# Floats are off: each instruction of F and D is illegal, moves, conversions, compressed ones too. Counted in s0; s1 is what is left.
# rv64gc: s0=20 s1=0 (QEMU 7.2)
        la t0, handler
        csrw mtvec, t0
        li t2, 0x1800           # floats off, previous mode machine
        csrw mstatus, t2
        la a1, cell
        fadd.d fa0, fa1, fa2
        fmadd.s fa0, fa1, fa2, fa3
        fsqrt.d fa0, fa1
        fsgnj.s fa0, fa1, fa1
        fmin.d fa0, fa1, fa2
        feq.d s1, fa1, fa1
        fclass.s s1, fa1
        fmv.x.d s1, fa1
        fmv.d.x fa0, a1
        fcvt.d.w fa0, a1
        fcvt.d.wu fa0, a1
        fcvt.s.d fa0, fa1
        fcvt.d.s fa0, fa1
        fcvt.l.d s1, fa1
        fcvt.s.lu fa0, a1
        fld fa0, 0(a1)          # of 16 bits
        fsw fa0, 0(a1)
        fsd fa0, 8(a1)
        frcsr s1
        .word 0xd2059553        # fcvt.d.w with a rounding mode
        csrw mtvec, zero
        ebreak
        .balign 4
handler:
        addi s0, s0, 1
        csrr t1, mepc
        lhu t3, 0(t1)
        andi t3, t3, 3
        addi t1, t1, 2
        addi t3, t3, -3
        bnez t3, 1f
        addi t1, t1, 2
1:      csrw mepc, t1
        csrw mstatus, t2
        mret
        .balign 8
cell:   .dword 0, 0
