// The environment of riscv-tests under Linux: a test that passes ends with status 0, one that fails with its number. Written for this project.
#define TESTNUM gp
#define RVTEST_RV64U
#define RVTEST_RV32U
#define RVTEST_RV32UF
#define RVTEST_CODE_BEGIN .text; .globl _start; _start: li TESTNUM, 0;
#define RVTEST_CODE_END
#define RVTEST_PASS li a0, 0; li a7, 93; ecall;
#define RVTEST_FAIL mv a0, TESTNUM; li a7, 93; ecall;
#define RVTEST_DATA_BEGIN .align 4; .globl begin_signature; begin_signature:
#define RVTEST_DATA_END .align 4; .globl end_signature; end_signature:
