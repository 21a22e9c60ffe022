#include <stdio.h>
static int solve(int n, int row, unsigned columns, unsigned left, unsigned right) {
    if (row == n) return 1;
    int found = 0;
    for (unsigned free = ~(columns | left | right) & ((1u << n) - 1); free; free &= free - 1) {
        unsigned bit = free & -free;
        found += solve(n, row + 1, columns | bit, (left | bit) << 1, (right | bit) >> 1);
    }
    return found;
}
int main(void) { printf("%d %d\n", solve(6, 0, 0, 0, 0), solve(8, 0, 0, 0, 0)); return 0; }
