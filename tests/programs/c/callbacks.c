#include <stdio.h>
typedef int (*op)(int, int);
static int add(int a, int b) { return a + b; } static int sub(int a, int b) { return a - b; } static int mul(int a, int b) { return a * b; }
static const op ops[] = {add, sub, mul};
__attribute__((noinline)) static int fold(op f, const int *a, int n) { int r = a[0]; for (int i = 1; i < n; i++) r = f(r, a[i]); return r; }
int main(void) { static const int a[] = {9, 4, 3, 2}; for (int i = 0; i < 3; i++) printf("%d ", fold(ops[i], a, 4)); puts(""); return 0; }
