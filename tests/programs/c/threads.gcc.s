# gcc 12.2.0 for riscv64-linux-gnu: gcc -O2 -fno-pic -S threads.c, with `ret` for `jr ra`
	.file	"threads.c"
	.option nopic
	.attribute arch, "rv64i2p1_m2p0_a2p1_f2p2_d2p2_c2p0_zicsr2p0_zifencei2p0"
	.attribute unaligned_access, 0
	.attribute stack_align, 16
	.text
	.align	1
	.type	place, @function
place:
	lui	a0,%tprel_hi(counter)
	add	a0,a0,tp,%tprel_add(counter)
	addi	a0,a0,%tprel_lo(counter)
	ret
	.size	place, .-place
	.section	.rodata.str1.8,"aMS",@progbits,1
	.align	3
.LC0:
	.string	"%d %ld %s\n"
	.section	.text.startup,"ax",@progbits
	.align	1
	.globl	main
	.type	main, @function
main:
	addi	sp,sp,-32
	sd	s1,8(sp)
	lui	s1,%tprel_hi(counter)
	add	a5,s1,tp,%tprel_add(counter)
	lw	a0,%tprel_lo(counter)(a5)
	lui	a1,%tprel_hi(sum)
	add	a5,a1,tp,%tprel_add(sum)
	sd	s0,16(sp)
	sd	ra,24(sp)
	ld	s0,%tprel_lo(sum)(a5)
	mv	a4,a0
	li	a5,0
	li	a2,10
.L4:
	addw	a4,a5,a4
	mul	a3,a4,a5
	addi	a5,a5,1
	add	s0,s0,a3
	bne	a5,a2,.L4
	add	a5,s1,tp,%tprel_add(counter)
	add	a1,a1,tp,%tprel_add(sum)
	addiw	a0,a0,45
	sd	s0,%tprel_lo(sum)(a1)
	sw	a0,%tprel_lo(counter)(a5)
	call	place
	lw	a5,0(a0)
	add	s1,s1,tp,%tprel_add(counter)
	mv	a2,s0
	addiw	a5,a5,1
	sw	a5,0(a0)
	lw	a1,%tprel_lo(counter)(s1)
	lui	a5,%tprel_hi(.LANCHOR0)
	add	a5,a5,tp,%tprel_add(.LANCHOR0)
	lui	a0,%hi(.LC0)
	li	a4,84
	addi	a3,a5,%tprel_lo(.LANCHOR0)
	addi	a0,a0,%lo(.LC0)
	sb	a4,%tprel_lo(.LANCHOR0)(a5)
	call	printf
	ld	ra,24(sp)
	ld	s0,16(sp)
	ld	s1,8(sp)
	li	a0,0
	addi	sp,sp,32
	ret
	.size	main, .-main
	.globl	name
	.globl	counter
	.section	.tbss,"awT",@nobits
	.align	3
	.type	sum, @object
	.size	sum, 8
sum:
	.zero	8
	.section	.tdata,"awT",@progbits
	.align	3
	.set	.LANCHOR0,. + 0
	.type	name, @object
	.size	name, 12
name:
	.string	"thread"
	.zero	5
	.type	counter, @object
	.size	counter, 4
counter:
	.word	5
	.ident	"GCC: (Debian 12.2.0-13) 12.2.0"
	.section	.note.GNU-stack,"",@progbits
