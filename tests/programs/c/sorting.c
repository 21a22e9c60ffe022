#include <stdio.h>
#include <stdlib.h>
static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
static void insertion(int *a, int n) { for (int i = 1; i < n; i++) for (int j = i; j && a[j] < a[j - 1]; j--) { int t = a[j]; a[j] = a[j - 1]; a[j - 1] = t; } }
int main(void) {
    int a[40], b[40];
    for (int i = 0; i < 40; i++) a[i] = b[i] = i * 7919 % 101;
    qsort(a, 40, sizeof *a, compare); insertion(b, 40);
    for (int i = 0; i < 40; i++) if (a[i] != b[i]) puts("differ");
    printf("%d %d %d\n", a[0], a[20], a[39]); return 0;
}
