// host: functions of the host: printf with arguments of several types, assert, malloc and free
#include <cassert>
#include <cstdio>
extern "C" __global__ void prints(const int *p) {
  int i = threadIdx.x;
  const char *size = p[i] < 0 ? "less" : "more";
  printf("thread %d of %u: %.2f %5s %c %lld|%-4x|\n", i, blockDim.x, __longlong_as_double(0x3ff8000000000000ll + ((long long)i << 52)), size, 'a' + i, (long long)p[i] << 40, p[i]);
  if (i & 1) printf("odd\n");
}
extern "C" __global__ void asserts(const int *p) {
  assert(p[threadIdx.x] < 5);
}
extern "C" __global__ void heap(int *out) {
  int i = threadIdx.x;
  int *m = (int *)malloc(4 * (i + 1));
  int *most = (int *)malloc(1ull << 40);
  int sum = 0;
  for (int k = 0; k <= i; k++) m[k] = k;
  for (int k = 0; k <= i; k++) sum += m[k];
  out[2 * i] = sum;
  out[2 * i + 1] = (most == 0) + 2 * (((long long)m & 15) == 0);
  free(m);
  free(most);
}
