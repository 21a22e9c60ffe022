#include <stdio.h>
__attribute__((noinline)) static int run(int n) {
    int a[n], *b = __builtin_alloca(n * sizeof(int)), sum = 0;
    for (int i = 0; i < n; i++) { a[i] = i; b[n - 1 - i] = i * i; }
    for (int i = 0; i < n; i++) sum += a[i] * b[i];
    return sum;
}
int main(void) { printf("%d %d\n", run(5), run(100)); return 0; }
