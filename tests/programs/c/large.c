#include <stdio.h>
int before[3000], table[5000], after[3000];
int main(void) {
    char local[6000]; int n = 0;
    for (int i = 0; i < 5000; i++) { table[i] = i * 7; local[i] = i; before[i % 3000] += i; after[2999 - i % 3000] -= i; }
    for (int i = 0; i < 5000; i += 37) n += table[i] + local[i] + before[i % 3000] + after[i % 3000];
    printf("%d\n", n); return 0;
}
