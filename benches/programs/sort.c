// Quicksort with a function that compares, and insertion sort of the rest.
#define NAME "sort"
#include "program.h"

#define N 40000
static i64 a[N];

NOINLINE static int compare(const i64 *x, const i64 *y) { return (*x > *y) - (*x < *y); }

static void swap(i64 *x, i64 *y) {
  i64 t = *x;
  *x = *y;
  *y = t;
}

NOINLINE static void sort(i64 *p, i64 low, i64 high, int (*order)(const i64 *, const i64 *)) {
  while (high - low > 12) {
    // The pivot is the median of three.
    i64 middle = low + (high - low) / 2;
    if (order(&p[middle], &p[low]) < 0) swap(&p[middle], &p[low]);
    if (order(&p[high], &p[middle]) < 0) {
      swap(&p[high], &p[middle]);
      if (order(&p[middle], &p[low]) < 0) swap(&p[middle], &p[low]);
    }
    i64 pivot = p[middle], i = low - 1, j = high + 1;
    for (;;) {
      do i++; while (order(&p[i], &pivot) < 0);
      do j--; while (order(&p[j], &pivot) > 0);
      if (i >= j) break;
      swap(&p[i], &p[j]);
    }
    // The smaller part first: the stack stays small.
    if (j - low < high - j) {
      sort(p, low, j, order);
      low = j + 1;
    } else {
      sort(p, j + 1, high, order);
      high = j;
    }
  }
  for (i64 i = low + 1; i <= high; i++) {
    i64 v = p[i], j = i;
    for (; j > low && order(&v, &p[j - 1]) < 0; j--) p[j] = p[j - 1];
    p[j] = v;
  }
}

static u64 run(void) {
  u64 sum = 1;
  u32 seed = 2463534242u;
  for (int k = 0; k < 32; k++) {
    for (int i = 0; i < N; i++) a[i] = (i64)(((u64)next(&seed) << 32 | next(&seed)) >> (k & 31)) * (k & 1 ? -1 : 1);
    sort(a, 0, N - 1, compare);
    for (int i = 0; i < N; i++) sum = mixed(sum, a[i]);
    for (int i = 1; i < N; i++)
      if (a[i - 1] > a[i]) return 0;
  }
  return sum;
}
