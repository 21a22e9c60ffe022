/* The number below its first argument whose Collatz sequence is the longest. Made with
     riscv64-linux-gnu-gcc -Os -march=rv64imac -mabi=lp64 -msmall-data-limit=0 -ffreestanding -nostdlib -static -fno-asynchronous-unwind-tables \
       -Wl,--no-relax,--build-id=none,-z,max-page-size=4096,-z,noexecstack collatz.c -o collatz
     riscv64-linux-gnu-strip --strip-debug -R .comment -R .riscv.attributes collatz
   (gcc 12.2, binutils 2.40). Written for this project, under its licences. */
typedef unsigned long word;

static long call(long number, long a, long b, long c) {
  register long a0 __asm__("a0") = a;
  register long a1 __asm__("a1") = b;
  register long a2 __asm__("a2") = c;
  register long a7 __asm__("a7") = number;
  __asm__ volatile("ecall" : "+r"(a0) : "r"(a1), "r"(a2), "r"(a7) : "memory");
  return a0;
}

static word length(const char *text) {
  word n = 0;
  while (text[n]) n++;
  return n;
}

static void print(const char *text) { call(64, 1, (long)text, length(text)); }

static void print_number(word n) {
  static char digits[24];
  char *at = digits + 23;
  do *--at = '0' + n % 10; while (n /= 10);
  print(at);
}

__attribute__((noinline)) word steps(word n) {
  word count = 0;
  for (; n != 1; count++) n = n & 1 ? 3 * n + 1 : n / 2;
  return count;
}

word best;

int main(int argc, char **argv) {
  word limit = 0, most = 0;
  if (argc < 2) {
    print("a limit is missing\n");
    return 2;
  }
  for (const char *digit = argv[1]; *digit; digit++) limit = limit * 10 + (*digit - '0');
  for (word n = 1; n < limit; n++) {
    word count = steps(n);
    if (count > most) {
      most = count;
      best = n;
    }
  }
  print_number(best);
  print(" takes ");
  print_number(most);
  print(" steps\n");
  return 0;
}

__attribute__((naked)) void _start(void) {
  __asm__("ld a0, 0(sp)\n addi a1, sp, 8\n call main\n li a7, 93\n ecall");
}
