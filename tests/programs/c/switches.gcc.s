# gcc 12.2.0 for riscv64-linux-gnu: gcc -O2 -fno-pic -S switches.c, with `ret` for `jr ra`
	.file	"switches.c"
	.option nopic
	.attribute arch, "rv64i2p1_m2p0_a2p1_f2p2_d2p2_c2p0_zicsr2p0_zifencei2p0"
	.attribute unaligned_access, 0
	.attribute stack_align, 16
	.text
	.section	.rodata.str1.8,"aMS",@progbits,1
	.align	3
.LC0:
	.string	"a"
	.align	3
.LC1:
	.string	"b"
	.align	3
.LC2:
	.string	"c"
	.align	3
.LC3:
	.string	"d"
	.align	3
.LC4:
	.string	"e"
	.align	3
.LC5:
	.string	"none"
	.align	3
.LC6:
	.string	"%d "
	.align	3
.LC7:
	.string	"six"
	.align	3
.LC8:
	.string	"%s "
	.align	3
.LC9:
	.string	""
	.section	.text.startup,"ax",@progbits
	.align	1
	.globl	main
	.type	main, @function
main:
	addi	sp,sp,-64
	sd	s2,32(sp)
	lui	s2,%hi(.L4)
	sd	s0,48(sp)
	sd	s1,40(sp)
	sd	s3,24(sp)
	sd	s4,16(sp)
	sd	s5,8(sp)
	sd	ra,56(sp)
	sd	s6,0(sp)
	li	s1,-1
	lui	s0,%hi(.LC6)
	li	s5,7
	addi	s2,s2,%lo(.L4)
	lui	s3,%hi(.LC7)
	li	s4,10
.L12:
	bgtu	s1,s5,.L2
	slli	s1,s1,2
	add	s1,s1,s2
	lw	a5,0(s1)
	jr	a5
	.section	.rodata
	.align	2
	.align	2
.L4:
	.word	.L11
	.word	.L10
	.word	.L9
	.word	.L8
	.word	.L7
	.word	.L6
	.word	.L5
	.word	.L3
	.section	.text.startup
.L11:
	li	a1,5
	addi	a0,s0,%lo(.LC6)
	call	printf
.L10:
	li	a1,77
	addi	a0,s0,%lo(.LC6)
	call	printf
.L9:
	li	a1,8
	addi	a0,s0,%lo(.LC6)
	call	printf
.L8:
	li	a1,1234
	addi	a0,s0,%lo(.LC6)
	call	printf
.L7:
	li	a1,9
	addi	a0,s0,%lo(.LC6)
	call	printf
.L6:
	li	a1,-1
	addi	a0,s0,%lo(.LC6)
	call	printf
.L5:
	addi	a0,s3,%lo(.LC7)
	call	puts
	li	a1,4
	addi	a0,s0,%lo(.LC6)
	call	printf
.L3:
	li	a1,13
	addi	a0,s0,%lo(.LC6)
	call	printf
	li	s1,8
.L2:
	addiw	s1,s1,1
	li	a1,0
	addi	a0,s0,%lo(.LC6)
	call	printf
	bne	s1,s4,.L12
	lui	s0,%hi(.LANCHOR0)
	addi	s0,s0,%lo(.LANCHOR0)
	lui	s6,%hi(.LC1)
	lui	s3,%hi(.LC2)
	lui	s2,%hi(.LC3)
	lui	s1,%hi(.LC0)
	addi	s5,s0,24
	lui	s4,%hi(.LC8)
	addi	s6,s6,%lo(.LC1)
	addi	s3,s3,%lo(.LC2)
	addi	s2,s2,%lo(.LC3)
	addi	s1,s1,%lo(.LC0)
	j	.L15
.L27:
	li	a4,-5
	mv	a1,s1
	beq	a5,a4,.L13
	li	a4,5
	bne	a5,a4,.L24
	lui	a1,%hi(.LC4)
	addi	a1,a1,%lo(.LC4)
.L13:
	addi	s0,s0,4
	addi	a0,s4,%lo(.LC8)
	call	printf
	beq	s0,s5,.L26
.L15:
	lw	a5,0(s0)
	li	a4,100
	beq	a5,a4,.L16
	ble	a5,a4,.L27
	li	a4,1000
	mv	a1,s3
	beq	a5,a4,.L13
	li	a4,69632
	addi	a4,a4,368
	mv	a1,s2
	beq	a5,a4,.L13
.L24:
	lui	a1,%hi(.LC5)
	addi	a1,a1,%lo(.LC5)
	j	.L13
.L16:
	addi	s0,s0,4
	mv	a1,s6
	addi	a0,s4,%lo(.LC8)
	call	printf
	bne	s0,s5,.L15
.L26:
	lui	a0,%hi(.LC9)
	addi	a0,a0,%lo(.LC9)
	call	puts
	ld	ra,56(sp)
	ld	s0,48(sp)
	ld	s1,40(sp)
	ld	s2,32(sp)
	ld	s3,24(sp)
	ld	s4,16(sp)
	ld	s5,8(sp)
	ld	s6,0(sp)
	li	a0,0
	addi	sp,sp,64
	ret
	.size	main, .-main
	.section	.rodata
	.align	3
	.set	.LANCHOR0,. + 0
	.type	all.0, @object
	.size	all.0, 24
all.0:
	.word	-5
	.word	100
	.word	1000
	.word	70000
	.word	5
	.word	6
	.ident	"GCC: (Debian 12.2.0-13) 12.2.0"
	.section	.note.GNU-stack,"",@progbits
