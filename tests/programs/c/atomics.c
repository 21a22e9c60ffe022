#include <stdatomic.h>
#include <stdio.h>
static _Atomic int counter = 1; static _Atomic long wide; static _Atomic unsigned char byte;
int main(void) {
    atomic_fetch_add(&counter, 5); atomic_fetch_or(&wide, 0xf0f0); int old = 6;
    int swapped = atomic_compare_exchange_strong(&counter, &old, 77); atomic_store(&byte, 3); atomic_thread_fence(memory_order_seq_cst);
    printf("%d %d %ld %d %d\n", counter, swapped, wide, byte, atomic_exchange(&counter, 1)); return 0;
}
