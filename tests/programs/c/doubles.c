#include <stdio.h>
double scale = 1.5, table[5] = {0.1, -2.5e10, 3e-300, 1e308, -0.0};
static const float small[] = {1.1f, 2.25f, -3e-40f};
__attribute__((noinline)) static double poly(double x) { return ((x * 0.5 - 1.25) * x + 3.75) * x - 7e5; }
int main(void) {
    double all = 0;
    for (int i = 0; i < 5; i++) all += poly(table[i] > 1e100 ? 2 : table[i]) * scale;
    for (int i = 0; i < 3; i++) all += small[i];
    printf("%.17g %d %u %ld\n", all, (int)all, (unsigned)-all, (long)(all * 1e6)); return 0;
}
