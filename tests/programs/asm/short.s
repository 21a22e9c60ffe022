# Short words by their own names.
        .text
        c.nop
        c.addi a0,1
        c.li a0,1
        c.lwsp a0,4(sp)
        c.addi16sp sp,32
        c.addi4spn a0,sp,16
        c.mv a0,a1
        c.j .
        c.ebreak
