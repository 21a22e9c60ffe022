#include <stdio.h>
__thread int counter = 5;
static __thread long sum;
__thread char name[12] = "thread";
__attribute__((noinline)) static int *place(void) { return &counter; }
int main(void) {
    for (int i = 0; i < 10; i++) { counter += i; sum += (long)counter * i; }
    *place() += 1;
    name[0] = 'T';
    printf("%d %ld %s\n", counter, sum, name);
    return 0;
}
