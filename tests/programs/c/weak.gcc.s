# gcc 12.2.0 for riscv64-linux-gnu: gcc -Os -fPIC -S weak.c, with `ret` for `jr ra`
	.file	"weak.c"
	.option pic
	.attribute arch, "rv64i2p1_m2p0_a2p1_f2p2_d2p2_c2p0_zicsr2p0_zifencei2p0"
	.attribute unaligned_access, 0
	.attribute stack_align, 16
	.text
	.align	1
	.weak	twice
	.type	twice, @function
twice:
	slliw	a0,a0,1
	ret
	.size	twice, .-twice
	.align	1
	.globl	thrice
	.type	thrice, @function
thrice:
	li	a5,3
	mulw	a0,a5,a0
	ret
	.size	thrice, .-thrice
	.globl	other
	.set	other,thrice
	.section	.rodata.str1.8,"aMS",@progbits,1
	.align	3
.LC0:
	.string	"%d %d %d %d\n"
	.section	.text.startup,"ax",@progbits
	.align	1
	.globl	main
	.type	main, @function
main:
	la	a5,option
	lw	a1,0(a5)
	addi	sp,sp,-32
	la	t1,twice
	li	a0,21
	sd	ra,24(sp)
	sd	a1,8(sp)
	jalr	t1
	sd	a0,0(sp)
	li	a0,5
	call	other@plt
	ld	a3,0(sp)
	ld	a1,8(sp)
	la	a2,absent
	mv	a4,a0
	snez	a2,a2
	lla	a0,.LC0
	call	printf@plt
	ld	ra,24(sp)
	li	a0,0
	addi	sp,sp,32
	ret
	.size	main, .-main
	.weak	option
	.data
	.align	2
	.type	option, @object
	.size	option, 4
option:
	.word	3
	.weak	absent
	.ident	"GCC: (Debian 12.2.0-13) 12.2.0"
	.section	.note.GNU-stack,"",@progbits
