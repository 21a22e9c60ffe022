#include <stdio.h>
__attribute__((noinline)) static unsigned __int128 mul(unsigned long a, unsigned long b) { return (unsigned __int128)a * b; }
int main(void) {
    unsigned __int128 x = mul(0xfedcba9876543210ul, 0x123456789abcdefful), y = x / 1000003 + (x << 3);
    printf("%lx %lx %lx\n", (unsigned long)(x >> 64), (unsigned long)x, (unsigned long)(y >> 32)); return 0;
}
