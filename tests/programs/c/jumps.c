#include <setjmp.h>
#include <stdio.h>
static jmp_buf back;
__attribute__((noinline)) static void deep(int n) { if (!n) longjmp(back, 42); deep(n - 1); }
int main(void) { volatile int tried = 0; int code = setjmp(back); tried++; if (!code) deep(10); printf("%d %d\n", code, tried); return 0; }
