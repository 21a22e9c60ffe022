#include <stdio.h>
__attribute__((noinline)) int leaf(int x) { return x ^ 0x55; }
__attribute__((noinline)) int middle(int x) { return leaf(x + 1); }
__attribute__((noinline)) static int indirect(int (*f)(int), int x) { return f(x); }
int main(void) { printf("%d %d\n", middle(10), indirect(leaf, 3)); return 0; }
