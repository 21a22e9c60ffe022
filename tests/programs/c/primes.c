#include <stdio.h>
static unsigned char sieve[10000];
int main(void) {
    int count = 0;
    for (int i = 2; i < 10000; i++) if (!sieve[i]) { count++; for (int j = i * 2; j < 10000; j += i) sieve[j] = 1; }
    printf("%d\n", count); return 0;
}
