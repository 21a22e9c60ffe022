#include <stdio.h>
static int order;
__attribute__((constructor)) static void early(void) { order = order * 10 + 1; }
__attribute__((constructor(200))) static void first(void) { order = order * 10 + 2; }
__attribute__((destructor)) static void late(void) { puts("done"); }
int main(void) { printf("%d\n", order); return 0; }
