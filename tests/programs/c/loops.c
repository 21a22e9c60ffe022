#include <stdio.h>
int main(void) {
    unsigned x = 1, steps = 0;
    for (int i = 1; i < 300; i++) { unsigned n = i; while (n != 1) { n = n & 1 ? 3 * n + 1 : n / 2; steps++; if (steps % 1000 == 7) continue; x = x * 17 + n; } }
    do { x ^= x >> 3; } while (x & 0x100);
    printf("%u %u\n", x, steps); return 0;
}
