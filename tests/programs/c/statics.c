#include <stdio.h>
static int zeros[1000], start = 3;
int shared[4] = {1, 2, 3, 4};
static int next(void) { static int state = 12345; state = state * 1103515245 + 12345; return state >> 16 & 0x7fff; }
int main(void) {
    for (int i = 0; i < 1000; i++) zeros[next() % 1000] += start + shared[i & 3];
    long sum = 0;
    for (int i = 0; i < 1000; i++) sum += (long)zeros[i] * i;
    printf("%ld\n", sum); return 0;
}
