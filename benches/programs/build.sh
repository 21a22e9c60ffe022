#!/bin/sh
# Builds the programs again, with gcc 12.2.0: static files of RV64IMAC without a C library.
cd "$(dirname "$0")" || exit 1
for name in sort crc32 sieve matrix records; do
  riscv64-linux-gnu-gcc -O2 -march=rv64imac -mabi=lp64 -nostdlib -static -ffreestanding -fwrapv -fno-tree-loop-distribute-patterns \
    -Wall -Wno-parentheses -Wl,--build-id=none -s "$name.c" -o "$name" || exit 1
done
