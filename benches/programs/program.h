// The start of a program without a C library: `_start` prints the program's name and the checksum of `run`. It uses the system calls
// `write` and `exit` of Linux, no others. With -DHOST the program is an ordinary one, for a look at its checksum elsewhere.
#include <stdint.h>

typedef uint8_t u8;
typedef uint32_t u32;
typedef uint64_t u64;
typedef int64_t i64;

#define NOINLINE __attribute__((noinline))

// The work, and its checksum.
static u64 run(void);

#ifdef HOST
#include <stdio.h>

int main(void) {
  printf("%s %016llx\n", NAME, (unsigned long long)run());
  return 0;
}
#else
static long call(long number, long a, long b, long c) {
  register long a7 asm("a7") = number, a0 asm("a0") = a, a1 asm("a1") = b, a2 asm("a2") = c;
  asm volatile("ecall" : "+r"(a0) : "r"(a7), "r"(a1), "r"(a2) : "memory");
  return a0;
}

asm(".text\n.globl _start\n_start:\n.option push\n.option norelax\nla gp, __global_pointer$\n.option pop\nandi sp, sp, -16\ncall start\n");

__attribute__((used, noreturn)) void start(void) {
  char line[64];
  int n = 0;
  u64 sum = run();
  for (const char *p = NAME; *p; p++) line[n++] = *p;
  line[n++] = ' ';
  for (int i = 60; i >= 0; i -= 4) line[n++] = "0123456789abcdef"[sum >> i & 15];
  line[n++] = '\n';
  call(64, 1, (long)line, n);
  for (;;) call(93, 0, 0, 0);
}
#endif

static inline u64 mixed(u64 sum, u64 x) {
  sum = (sum ^ x) * 0x100000001b3ull;
  return sum ^ sum >> 29;
}

// The next number of Marsaglia's xorshift32.
static inline u32 next(u32 *seed) {
  *seed ^= *seed << 13;
  *seed ^= *seed >> 17;
  return *seed ^= *seed << 5;
}
