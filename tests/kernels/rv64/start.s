# Calls the program with a stack below 64 KiB; its return value is in a0 at the ecall.
        .globl _start
_start: li sp, 0x10000
        call program
        ecall
