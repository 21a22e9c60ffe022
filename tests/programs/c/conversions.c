#include <stdio.h>
int main(void) {
    volatile signed char a = -100; volatile unsigned char b = 200; volatile short c = -30000; volatile unsigned short d = 60000;
    volatile double e = -3.99; volatile float f = 1e10f; volatile unsigned long g = 18446744073709551615ul;
    printf("%d %d %d %d %ld %d %u %g %g %d\n", a * 2, b * 2, c - d, (unsigned char)(a + b), (long)f, (int)e, (unsigned)(int)e, (double)g, (double)(float)d, (short)d);
    return 0;
}
