// sgemm: a tiled product of matrices, 64 by 64 a block and 4 by 4 a thread, through shared memory (FFMA LDS.128 STS.128 LDG.E.128)
typedef unsigned u;
extern "C" __global__ void __launch_bounds__(256) sgemm(const float *A, const float *B, float *C, int n, int k) {   // C[m][n] = A[m][k] * B[k][n]; multiples of 64, k of 16
  __shared__ __align__(16) float a[16][64], b[16][64];
  int t = threadIdx.x, x = t % 16 * 4, y = t / 16 * 4;
  const float *pa = A + (blockIdx.y * 64 + t / 4) * k + t % 4 * 4, *pb = B + t / 16 * n + blockIdx.x * 64 + x;
  float c[4][4] = {};
  for (int p = 0; p < k; p += 16) {
    float4 va = *(const float4 *)(pa + p), vb = *(const float4 *)(pb + p * n);
    __syncthreads();
    for (int i = 0; i < 4; i++) a[t % 4 * 4 + i][t / 4] = (&va.x)[i];
    *(float4 *)&b[t / 16][x] = vb;
    __syncthreads();
#pragma unroll
    for (int q = 0; q < 16; q++) {
      float4 r = *(const float4 *)&a[q][y], s = *(const float4 *)&b[q][x];
      for (int i = 0; i < 4; i++) for (int j = 0; j < 4; j++) c[i][j] = __fmaf_rn((&r.x)[i], (&s.x)[j], c[i][j]);
    }
  }
  for (int i = 0; i < 4; i++) *(float4 *)&C[(blockIdx.y * 64 + y + i) * n + blockIdx.x * 64 + x] = make_float4(c[i][0], c[i][1], c[i][2], c[i][3]);
}
