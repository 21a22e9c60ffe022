#include <stdio.h>
long all[] = {0, 1, -1, 0x7ff, 0x800, -0x801, 0x7fffffff, 0x80000000, -0x80000001L, 0x123456789abcdef, -0x7fffffffffffffffL};
int main(void) {
    volatile long a = 0x12345678, b = 0xfffffffffffff800, c = 0x1000000000, d = 0x7fffffff80000000, e = 0xdeadbeefcafebabe;
    long sum = a ^ b ^ c ^ d ^ e;
    for (int i = 0; i < 11; i++) sum = sum * 31 + all[i];
    printf("%lx\n", sum); return 0;
}
