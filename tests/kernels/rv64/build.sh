#!/bin/bash
# Builds NAME.hex from each NAME.c: its words with their addresses, as `isagen run rv64gc` reads them. Needs a cross compiler for RISC-V.
set -euo pipefail
cd "$(dirname "$0")"
object=$(mktemp)
trap 'rm -f "$object"' EXIT
for source in *.c; do
    riscv64-linux-gnu-gcc -march=rv64gc -mabi=lp64d -mcmodel=medany -O2 -ffreestanding -fno-pic -nostdlib -static \
        -Wl,-Ttext=0 -Wl,-Tbss=0x8000 -Wl,--build-id=none -Wl,--no-relax -Wl,--no-warn-rwx-segments start.s "$source" -o "$object"
    riscv64-linux-gnu-objdump -d "$object" | sed -nE 's/^ *([0-9a-f]+):\t([0-9a-f]+) .*/0x\1: \2/p' > "${source%.c}.hex"
done
