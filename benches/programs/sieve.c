// The sieve of Eratosthenes, a byte for each number.
#define NAME "sieve"
#include "program.h"

#define N 500000
static u8 is_composite[N];

static u64 run(void) {
  u64 sum = 1;
  for (int k = 0; k < 60; k++) {
    for (int i = 0; i < N; i++) is_composite[i] = 0;
    u64 count = 0, primes = 0; // there are 41538
    for (u64 i = 2; i < N; i++)
      if (!is_composite[i]) {
        count++;
        primes += i * (k + 1);
        for (u64 j = i * i; j < N; j += i) is_composite[j] = 1;
      }
    sum = mixed(mixed(sum, count), primes);
  }
  return sum;
}
