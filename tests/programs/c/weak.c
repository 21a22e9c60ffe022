#include <stdio.h>
__attribute__((weak)) int option = 3;
__attribute__((weak)) int absent(void);
__attribute__((weak, noinline)) int twice(int x) { return 2 * x; }
int thrice(int x) { return 3 * x; }
int other(int x) __attribute__((alias("thrice")));
int main(void) { printf("%d %d %d %d\n", option, absent ? 1 : 0, twice(21), other(5)); return 0; }
