#include <stdio.h>
static double a[8][8], b[8][8], r[8][8];
int main(void) {
    for (int i = 0; i < 8; i++) for (int j = 0; j < 8; j++) { a[i][j] = i - j * 0.5; b[i][j] = i * j + 1; }
    for (int i = 0; i < 8; i++) for (int j = 0; j < 8; j++) for (int k = 0; k < 8; k++) r[i][j] += a[i][k] * b[k][j];
    double trace = 0; for (int i = 0; i < 8; i++) trace += r[i][i];
    printf("%g %g\n", trace, r[7][0]); return 0;
}
