#include <stdio.h>
int main(void) {
    volatile int a = -1234567, b = 89; volatile unsigned c = 4000000000u; volatile long d = -1L << 50, e = 12345;
    printf("%d %d %u %u %ld %ld\n", a / b, a % b, c / 7, c % 1000, d / e, d % e);
    printf("%d %d %ld\n", a / 16, a % 10, d / 1000000007); return 0;
}
