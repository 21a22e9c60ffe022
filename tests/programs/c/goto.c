#include <stdio.h>
static int run(const unsigned char *code) {
    static void *const table[] = {&&stop, &&push, &&add, &&mul, &&dup};
    int stack[16], *top = stack;
    goto *table[*code];
push: *top++ = *++code; code++; goto *table[*code];
add: top--; top[-1] += top[0]; code++; goto *table[*code];
mul: top--; top[-1] *= top[0]; code++; goto *table[*code];
dup: top[0] = top[-1]; top++; code++; goto *table[*code];
stop: return top[-1];
}
int main(void) {
    static const unsigned char code[] = {1, 7, 4, 3, 1, 9, 2, 4, 2, 0};
    printf("%d\n", run(code)); return 0;
}
