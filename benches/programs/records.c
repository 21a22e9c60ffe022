// Records, strings, small functions, branches and a division: the operations of Dhrystone, without its source.
#define NAME "records"
#include "program.h"

enum kind { ONE, TWO, THREE, FOUR, FIVE };

struct record {
  struct record *next;
  enum kind kind, other;
  int number;
  char text[31];
};

static struct record pool[2], *first, *second;
static int wide, grid[50][50], line[50];
static char seen, last;
static char names[2][31] = {"RECORDS PROGRAM, SOME STRING", "RECORDS PROGRAM, NEXT STRING"};

NOINLINE static void copy(char *to, const char *from) {
  while ((*to++ = *from++));
}

NOINLINE static int order(const char *a, const char *b) {
  while (*a && *a == *b) a++, b++;
  return (u8)*a - (u8)*b;
}

NOINLINE static void add(int a, int b, int *result) { *result = b + a + 2; }

NOINLINE static enum kind same(char a, char b) {
  if (a != b) return ONE;
  seen = a;
  return TWO;
}

NOINLINE static int is_later(const char *a, const char *b) {
  int i = 2;
  char c = 'A';
  while (i <= 2)
    if (same(a[i], b[i + 1]) == ONE) {
      c = 'A';
      i++;
    } else {
      c = 'R';
      i += 3;
    }
  if (c >= 'W' && c < 'Z') i = 7;
  if (c == 'R') return 1;
  if (order(a, b) <= 0) return 0;
  wide = i + 7;
  return 1;
}

NOINLINE static int is_third(enum kind kind) { return kind == THREE; }

NOINLINE static void choose(enum kind kind, enum kind *result) {
  *result = is_third(kind) ? kind : FOUR;
  switch (kind) {
    case ONE: *result = ONE; break;
    case TWO: *result = wide > 100 ? ONE : FOUR; break;
    case THREE: *result = TWO; break;
    case FOUR: break;
    case FIVE: *result = THREE; break;
  }
}

NOINLINE static void change(struct record *p) {
  struct record *n = p->next;
  *p->next = *first;
  p->number = 5;
  n->number = p->number;
  n->next = p->next;
  if (n->kind == ONE) {
    n->number = 6;
    choose(p->other, &n->other);
    n->next = first->next;
    add(n->number, 10, &n->number);
  } else {
    *p = *p->next;
  }
}

NOINLINE static void fill(int *l, int (*g)[50], int a, int b) {
  int i = a + 5;
  l[i] = b;
  l[i + 1] = l[i];
  l[(i + 30) & 31] = i;
  for (int k = i; k <= i + 1; k++) g[i][k] = i;
  g[i][i - 1] += 1;
  g[i + 20][i] = l[i];
  wide = 5;
}

static u64 run(void) {
  u64 sum = 1;
  first = &pool[0];
  second = &pool[1];
  first->next = second;
  first->kind = ONE;
  first->other = THREE;
  first->number = 40;
  copy(first->text, names[0]);
  char one[31], two[31];
  copy(one, names[0]);
  grid[8][7] = 10;
  for (int k = 1; k <= 850000; k++) {
    int a = 2, b = 3, c = 0;
    enum kind kind = TWO;
    seen = 'A';
    last = 'B';
    copy(two, names[1]);
    two[3 + k % 20] ^= k & 3;
    int q = !is_later(one, two);
    for (; a < b; a++) {
      c = 5 * a - b;
      add(a, b, &c);
    }
    fill(line, grid, a + k % 3, c);
    first->next = second;
    change(first);
    for (char x = 'A'; x <= last; x++)
      if (kind == same(x, 'C')) {
        choose(ONE, &kind);
        copy(two, names[1]);
        b = wide = k;
      }
    b = b * a;
    a = b / (c + k % 5 + 1);
    b = 7 * (b - c) - a;
    sum = mixed(sum, (u64)(u32)(a + b + c + q) << 32 | (u32)(wide + second->number + line[8] + grid[8][7]));
    sum = mixed(sum, two[5 + k % 20]);
  }
  return sum;
}
