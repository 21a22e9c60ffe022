// Products of matrices of 64-bit integers.
#define NAME "matrix"
#include "program.h"

#define N 112
static i64 a[N][N], b[N][N], c[N][N];

NOINLINE static void multiply(i64 (*x)[N], i64 (*y)[N], i64 (*z)[N]) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      i64 t = 0;
      for (int k = 0; k < N; k++) t += x[i][k] * y[k][j];
      z[i][j] = t;
    }
}

static u64 run(void) {
  u32 seed = 314159265;
  u64 sum = 1;
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      a[i][j] = (int)next(&seed);
      b[i][j] = (int)next(&seed);
    }
  for (int k = 0; k < 40; k++) {
    multiply(a, b, c);
    for (int i = 0; i < N; i++)
      for (int j = 0; j < N; j++) {
        sum = mixed(sum, c[i][j]);
        a[i][j] = c[i][j] >> 7;
        b[j][i] ^= c[i][j];
      }
  }
  return sum;
}
