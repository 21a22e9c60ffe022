# Statements that expand to others.
        .text
        nop
        li a0,5
        li a0,-2048
        mv a0,a1
        not a0,a1
        neg a0,a1
        sext.b a0,a1
        sext.h a0,a1
        zext.b a0,a1
        zext.h a0,a1
        seqz a0,a1
        snez a0,a1
        sltz a0,a1
        sgtz a0,a1
        slt a0,a1,5
        sltu a0,a1,5
        sgt a0,a1,a2
        sgtu a0,a1,a2
        and a0,a1,5
        or a0,a1,5
        xor a0,a1,5
        add a0,a1,5
        sll a0,a1,5
        srl a0,a1,5
        sra a0,a1,5
        move a0,a1
        beqz a0,.
        bnez a0,.
        blez a0,.
        bgez a0,.
        bltz a0,.
        bgtz a0,.
        bgt a0,a1,.
        ble a0,a1,.
        bgtu a0,a1,.
        bleu a0,a1,.
        j .
        jal a0,.
        jr a0
        jr 4(a0)
        jr a0,4
        jalr a0
        jalr a0,a1
        jalr 4(a0)
        jalr a0,4
        jalr a0,a1,4
        jalr a0,(a1)
        ret
        lw a0,(a1)
        sw a0,(a1)
        amoadd.w a0,a1,(a2)
        amoadd.w a0,a1,0(a2)
        lr.w a0,(a1)
        sc.w a0,a1,(a2)
        lr.w a0,0(a1)
        fence
        fence rw,rw
        fence.i
        fence.tso
        unimp
        ebreak
        ecall
        rdinstret a0
        rdcycle a0
        rdtime a0
        csrr a0,mstatus
        csrw mstatus,a0
        csrs mstatus,a0
        csrc mstatus,a0
        csrwi mstatus,5
        csrsi mstatus,5
        csrci mstatus,5
        csrw mstatus,5
        csrs mstatus,5
        csrc mstatus,5
        csrrw a0,mstatus,5
        csrr a0,0x300
        csrrs a0,mstatus,a1
        li a0,0x12345678
        li a0,-1
        li a0,0xffffffff
        li a0,0x80000000
        li a0,0x800
        li a0,2047
        li a0,2048
        li a0,0x7ff00000
        li a0,0x7fffffff
        li a0,0xffffffffffffffff
        li a0,~0
        li a0,'a'
        lui a0,0x12345
        lui a0,0xfffff
        auipc a0,1
        mret
        wfi
        lui x1,%hi(0x12345678)
        addi x1,x1,%lo(0x12345678)
        lw x1,%lo(0x12345fff)(x2)
        mul a0,a1,a2
        addi a0,zero,5
        addi a0,x0,5
        add a0,a1,zero
        addi a0,a1,0
        ori a0,a1,0
        lui a0,1
        addi sp,sp,16
        and a0,a0,a1
        sub a0,a0,a1
        addi a0,a0,0
        slli a0,a0,0
        beq zero,a0,.
        beq a0,zero,.
        bne zero,a0,.
        andi a0,a0,5
        srli a0,a0,5
        li a0,0x7ff
        li a0,-2049
        li a0,0x12345000
        li a0,-0x80000000
        li t0,0xfffff000
        bgt a0,a1,1f
        ble a0,a1,1f
        bgtu a0,a1,1f
        bleu a0,a1,1f
        1: jr a0,4
        jalr a0,4
        sb a0,(a1)
        lhu a0,(a1)
