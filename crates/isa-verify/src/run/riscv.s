# Runs programs one after the other, and sends what each has left. The symbol XLEN is the number of bits of a register.
#
# `programs` is followed by their number and by the programs: the registers x1 to x31, their seed of memory, mstatus, fcsr, the
# number of traps after which they end, the bytes of their code, f0 to f31 (8 bytes each), and code. A program runs at `slot`. After
# a trap, it continues at the next instruction; it ends with a trap outside of its code.
        .equ UART, 0x10000000
        .equ FINISHER, 0x100000
        .equ CODE, 64           # bytes of a program's code
        .equ TRAPS, 8           # traps that are recorded
        .if XLEN == 64
        .equ W, 8
        .macro ld_ r, from
        ld \r, \from
        .endm
        .macro st_ r, to
        sd \r, \to
        .endm
        .else
        .equ W, 4
        .macro ld_ r, from
        lw \r, \from
        .endm
        .macro st_ r, to
        sw \r, \to
        .endm
        .endif

        .text
start:  la t0, 1f
        csrw mtvec, t0
        li t1, -1               # a timer that never fires, where there is one
        li t2, 0x2004000
        sw t1, 0(t2)
        sw t1, 4(t2)
        .balign 4
1:      la t0, handler
        csrw mtvec, t0
        la s0, programs
        lw s1, 0(s0)
        addi s0, s0, 8
next:   beqz s1, done
        addi s1, s1, -1
        la t0, state
        st_ s0, 0(t0)
        st_ s1, W(t0)
        sc.w zero, zero, (t0)   # no reservation, and nothing else, is left of the program before
        la t0, record
        la t1, record_end
1:      st_ zero, 0(t0)
        addi t0, t0, W
        bltu t0, t1, 1b
        ld_ t2, 31*W(s0)        # memory is made of the seed
        la t0, data
        la t1, data_end
1:      st_ t2, 0(t0)
        slli t3, t2, 13
        xor t2, t2, t3
        srli t3, t2, 7
        xor t2, t2, t3
        slli t3, t2, 17
        xor t2, t2, t3
        addi t0, t0, W
        bltu t0, t1, 1b
        li t0, 0x6000           # floats are on
        csrw mstatus, t0
        addi s2, s0, 36*W
        .irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
        fld f\n, \n*8(s2)
        .endr
        addi s2, s2, 32*8
        la t0, slot
        addi t1, t0, CODE
1:      lw t2, 0(s2)
        sw t2, 0(t0)
        addi s2, s2, 4
        addi t0, t0, 4
        bltu t0, t1, 1b
        fence.i
        ld_ t0, 33*W(s0)
        fscsr t0
        ld_ t0, 34*W(s0)
        la t1, left
        st_ t0, 0(t1)
        ld_ t0, 35*W(s0)
        st_ t0, W(t1)
        csrw mcause, zero
        csrw mtval, zero
        la t0, slot
        csrw mepc, t0
        la t0, saved
        csrw mscratch, t0
        ld_ t0, 32*W(s0)
        csrw mstatus, t0
        mv x31, s0
        .irp n, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
        ld_ x\n, (\n-1)*W(x31)
        .endr
enter:  mret

        .balign 4
handler:
        csrrw sp, mscratch, sp
        .irp n, 1, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
        st_ x\n, (\n-1)*W(sp)
        .endr
        csrr t0, mscratch
        st_ t0, W(sp)
        la s0, count
        ld_ t0, 0(s0)
        addi t1, t0, 1
        st_ t1, 0(s0)
        csrr s1, mcause
        csrr s2, mepc
        csrr s3, mtval
        csrr s4, mstatus
        la s5, slot
        sub s6, s2, s5          # the place in the program
        la t2, traps
        .if XLEN == 64
        slli t3, t0, 3
        .else
        slli t3, t0, 2
        .endif
        add t2, t2, t3
        st_ s1, 0(t2)
        st_ s6, TRAPS*W(t2)
        st_ s3, 2*TRAPS*W(t2)
        st_ s4, 3*TRAPS*W(t2)
        la s1, left
        ld_ t3, W(s1)
        bgeu s6, t3, finish     # it has left its place
        ld_ t3, 0(s1)
        bgeu t1, t3, finish
        lhu t0, 0(s2)
        andi t0, t0, 3
        addi s2, s2, 2
        addi t0, t0, -3
        bnez t0, 1f
        addi s2, s2, 2
1:      csrw mepc, s2
        .irp n, 1, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
        ld_ x\n, (\n-1)*W(sp)
        .endr
        csrrw sp, mscratch, sp
        mret

finish: li t0, 0x6000
        csrs mstatus, t0
        frcsr t0
        la t1, fcsr_
        st_ t0, 0(t1)
        la t1, floats
        .irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
        fsd f\n, \n*8(t1)
        .endr
        la t0, data
        la t1, data_end
        li t2, 0
1:      ld_ t3, 0(t0)
        slli t4, t2, 5
        sub t2, t4, t2
        add t2, t2, t3
        addi t0, t0, W
        bltu t0, t1, 1b
        la t1, memory
        st_ t2, 0(t1)
send:   la t0, record
        la t1, record_end
        li t2, UART
1:      lbu t3, 5(t2)
        andi t3, t3, 0x20
        beqz t3, 1b
        lbu t3, 0(t0)
        sb t3, 0(t2)
        addi t0, t0, 1
        bltu t0, t1, 1b
        la t0, state
        ld_ s0, 0(t0)
        ld_ s1, W(t0)
        li t0, 36*W+32*8+CODE
        add s0, s0, t0
        j next
done:   li t0, FINISHER
        li t1, 0x5555
        sw t1, 0(t0)
        j done

        .balign 64
slot:   .skip CODE
        .skip 64                # no instructions: a program that reaches them ends
slot_end:
        .balign 16
state:  .skip 2*W
left:   .skip 2*W               # the number of traps, and the bytes of the program
        .balign 16
record:
saved:  .skip 31*W
count:  .skip W
traps:  .skip 4*W*TRAPS         # causes, places in the program, values, and mstatus
fcsr_:  .skip W
memory: .skip W
        .balign 8
floats: .skip 32*8
record_end:
data:   .skip 2304
middle: .skip 2304
data_end:
        .balign 16
programs:
