#!/bin/sh
# Builds the programs with GNU as and ld: NAME.MACHINE.bin. The files are those of binutils 2.40 (riscv64-linux-gnu).
cd "$(dirname "$0")" || exit 1
one() { # program, machine as in isagen, architecture, ABI, emulation
  riscv64-linux-gnu-as -march="$3" -mabi="$4" -mno-relax "$1.s" -o t.o &&
    riscv64-linux-gnu-ld -m "$5" -static --no-relax --no-warn-rwx-segments -Ttext=0x10000 --section-start=.rodata=0x12000 \
      -Tdata=0x12400 --section-start=.other=0x12600 -Tbss=0x12800 t.o -o t.elf 2>/dev/null &&
    riscv64-linux-gnu-objcopy -O binary t.elf "$1.$2.bin"
  rm -f t.o t.elf
}
one data rv64gc rv64imafdc_zicsr_zifencei lp64d elf64lriscv
for program in directives macros branches pseudo pseudo64 operators short; do
  one $program rv64gc rv64imafdc_zicsr_zifencei lp64d elf64lriscv
  [ $program = short ] || one $program rv64gc-long rv64imafd_zicsr_zifencei lp64d elf64lriscv
  case $program in pseudo64 | operators) continue ;; esac
  one $program rv32imac rv32imac_zicsr_zifencei ilp32 elf32lriscv
  [ $program = short ] || one $program rv32imac-long rv32ima_zicsr_zifencei ilp32 elf32lriscv
done
