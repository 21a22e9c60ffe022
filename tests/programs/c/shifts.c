#include <stdio.h>
static unsigned rotate(unsigned x, int n) { return x << n | x >> (32 - n); }
int main(void) {
    unsigned hash = 2166136261u; unsigned long wide = 88172645463325252ul;
    for (int i = 0; i < 50; i++) { hash = rotate(hash ^ i, i % 31 + 1) * 16777619u; wide ^= wide << 13; wide ^= wide >> 7; wide ^= wide << 17; }
    printf("%u %lx %d\n", hash, wide, (int)hash >> 5); return 0;
}
