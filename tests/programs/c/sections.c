#include <stdio.h>
__attribute__((section(".own,\"aw\",@progbits#"))) int own = 4;
__attribute__((section(".rodata.own"))) const int fixed[3] = {1, 2, 3};
__attribute__((section(".text.hot"), noinline)) int hot(int x) { return x * own + fixed[x % 3]; }
__attribute__((cold, noinline)) static int cold(int x) { return hot(x) - 1; }
int main(void) { printf("%d %d\n", hot(5), cold(7)); return 0; }
