#include <stdio.h>
static inline long add(long a, long b) { long r; __asm__("add %0, %1, %2" : "=r"(r) : "r"(a), "r"(b)); return r; }
static inline long cycle(void) { long r; __asm__ volatile("rdcycle %0" : "=r"(r)); return r; }
__asm__(".pushsection .text\n.globl inner\ninner: slli a0, a0, 2; addi a0, a0, 1; ret\n.popsection");
long inner(long);
int main(void) {
    long n = 5; __asm__ volatile("1: addi %0, %0, 1\n\tblt %0, %1, 1b" : "+r"(n) : "r"(20L));
    printf("%ld %ld %d\n", add(n, 7), inner(10), cycle() >= 0); return 0;
}
