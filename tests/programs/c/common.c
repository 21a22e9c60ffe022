#include <stdio.h>
int first __attribute__((common)), array[100] __attribute__((common));
long aligned __attribute__((common, aligned(64)));
int main(void) {
    first = 7; array[99] = first; aligned = (long)&aligned & 63;
    printf("%d %d %ld\n", array[99], array[0], aligned); return 0;
}
