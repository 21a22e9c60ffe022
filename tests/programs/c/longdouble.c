#include <stdio.h>
long double third = 1.0L / 3.0L, big = 1e400L;
int main(void) {
    long double x = third * 3.0L + big / 1e399L;
    printf("%.25Lg %d\n", x, big > 1e300); return 0;
}
