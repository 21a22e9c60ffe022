#include <stdio.h>
double quiet = __builtin_nan(""), inf = __builtin_inf();
float fnan = __builtin_nanf(""), finf = -__builtin_inff();
int main(void) {
    printf("%d %d %d %d %d\n", quiet == quiet, inf > 1e300, fnan < 1, finf < 0, __builtin_isnan(quiet * 0));
    printf("%a %a\n", inf - 1, (double)finf); return 0;
}
