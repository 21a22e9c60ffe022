# clang 14 for riscv64-linux-gnu: clang --target=riscv64-linux-gnu -O1 -fPIC -S threads.c
	.text
	.attribute	4, 16
	.attribute	5, "rv64i2p0_m2p0_a2p0_f2p0_d2p0_c2p0"
	.file	"threads.c"
	.globl	main                            # -- Begin function main
	.p2align	1
	.type	main,@function
main:                                   # @main
# %bb.0:
	addi	sp, sp, -32
	sd	ra, 24(sp)                      # 8-byte Folded Spill
	sd	s0, 16(sp)                      # 8-byte Folded Spill
	sd	s1, 8(sp)                       # 8-byte Folded Spill
	sd	s2, 0(sp)                       # 8-byte Folded Spill
.LBB0_3:                                # Label of block must be emitted
	auipc	a0, %tls_gd_pcrel_hi(counter)
	addi	a0, a0, %pcrel_lo(.LBB0_3)
	call	__tls_get_addr@plt
	lw	s1, 0(a0)
.LBB0_4:                                # Label of block must be emitted
	auipc	a0, %tls_gd_pcrel_hi(sum)
	addi	a0, a0, %pcrel_lo(.LBB0_4)
	call	__tls_get_addr@plt
	ld	s0, 0(a0)
	li	a0, 0
	li	a1, 10
	mv	a2, s1
.LBB0_1:                                # =>This Inner Loop Header: Depth=1
	addw	a2, a2, a0
	mul	a3, a0, a2
	addi	a0, a0, 1
	add	s0, s0, a3
	bne	a0, a1, .LBB0_1
# %bb.2:
.LBB0_5:                                # Label of block must be emitted
	auipc	a0, %tls_gd_pcrel_hi(counter)
	addi	a0, a0, %pcrel_lo(.LBB0_5)
	call	__tls_get_addr@plt
	mv	s2, a0
.LBB0_6:                                # Label of block must be emitted
	auipc	a0, %tls_gd_pcrel_hi(sum)
	addi	a0, a0, %pcrel_lo(.LBB0_6)
	call	__tls_get_addr@plt
	sd	s0, 0(a0)
	addiw	s1, s1, 46
	sw	s1, 0(s2)
.LBB0_7:                                # Label of block must be emitted
	auipc	a0, %tls_gd_pcrel_hi(name)
	addi	a0, a0, %pcrel_lo(.LBB0_7)
	call	__tls_get_addr@plt
	mv	a3, a0
	li	a0, 84
	sb	a0, 0(a3)
.LBB0_8:                                # Label of block must be emitted
	auipc	a0, %pcrel_hi(.L.str)
	addi	a0, a0, %pcrel_lo(.LBB0_8)
	mv	a1, s1
	mv	a2, s0
	call	printf@plt
	li	a0, 0
	ld	ra, 24(sp)                      # 8-byte Folded Reload
	ld	s0, 16(sp)                      # 8-byte Folded Reload
	ld	s1, 8(sp)                       # 8-byte Folded Reload
	ld	s2, 0(sp)                       # 8-byte Folded Reload
	addi	sp, sp, 32
	ret
.Lfunc_end0:
	.size	main, .Lfunc_end0-main
                                        # -- End function
	.type	counter,@object                 # @counter
	.section	.tdata,"awT",@progbits
	.globl	counter
	.p2align	2
counter:
	.word	5                               # 0x5
	.size	counter, 4

	.type	name,@object                    # @name
	.globl	name
name:
	.asciz	"thread\000\000\000\000\000"
	.size	name, 12

	.type	sum,@object                     # @sum
	.section	.tbss,"awT",@nobits
	.p2align	3
sum:
	.quad	0                               # 0x0
	.size	sum, 8

	.type	.L.str,@object                  # @.str
	.section	.rodata.str1.1,"aMS",@progbits,1
.L.str:
	.asciz	"%d %ld %s\n"
	.size	.L.str, 11

	.ident	"Debian clang version 14.0.6"
	.section	".note.GNU-stack","",@progbits
	.addrsig
