#include <stdio.h>
__attribute__((noinline)) static long all(int a, long b, char c, short d, unsigned e, float f, double g, long h, int i, double j, int k, long l) {
    return a + b * 2 + c * 3 + d * 4 + e * 5L + (long)f * 6 + (long)g * 7 + h * 8 + i * 9 + (long)j * 10 + k * 11 + l * 12;
}
int main(void) { printf("%ld\n", all(1, 2, 3, -4, 5, 6.5f, 7.5, -8, 9, 10.0, 11, 12)); return 0; }
