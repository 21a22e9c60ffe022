#include <stdio.h>
struct flags { unsigned a : 3, b : 7; signed c : 5; unsigned long d : 40; } flags = {5, 99, -7, 0xabcdef1234};
int main(void) {
    flags.a += 6; flags.b ^= 0x55; flags.c -= 4; flags.d <<= 3;
    printf("%u %u %d %lx %zu\n", flags.a, flags.b, flags.c, (unsigned long)flags.d, sizeof flags); return 0;
}
