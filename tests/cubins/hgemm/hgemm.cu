// hgemm: C = A * B of halves, summed in single precision on tensor cores: four warps of a block make 64x64, each 32x32, from shared memory (LDSM
// LDSM.T HMMA.16816.F32). A is m by k, B is k by n, all by rows; m and n are multiples of 64, k of 32.
#include <cuda_fp16.h>

typedef unsigned u;
#define TILE 64
#define DEPTH 32

__device__ void load(u *x, const __half *at) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
               : "=r"(x[0]), "=r"(x[1]), "=r"(x[2]), "=r"(x[3]) : "r"((u)__cvta_generic_to_shared(at)));
}
__device__ void load_transposed(u *x, const __half *at) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0,%1,%2,%3}, [%4];"
               : "=r"(x[0]), "=r"(x[1]), "=r"(x[2]), "=r"(x[3]) : "r"((u)__cvta_generic_to_shared(at)));
}
__device__ void multiply(float *d, const u *a, const u *b) {
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
               : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

extern "C" __global__ void __launch_bounds__(128) hgemm(const __half *a, const __half *b, float *c, int n, int k) {
  // Rows are padded by 16 bytes, so that those that an LDSM reads are in different banks.
  __shared__ __align__(16) __half sa[TILE][DEPTH + 8], sb[DEPTH][TILE + 8];
  const int t = threadIdx.x, lane = t % 32, warp = t / 32;
  const int row = blockIdx.y * TILE, column = blockIdx.x * TILE, wr = warp / 2 * 32, wc = warp % 2 * 32;
  float d[2][4][4] = {};
  for (int p = 0; p < k; p += DEPTH) {
    for (int i = t; i < TILE * DEPTH / 8; i += 128) {
      *(uint4 *)&sa[i / 4][i % 4 * 8] = *(const uint4 *)&a[(row + i / 4) * k + p + i % 4 * 8];
      *(uint4 *)&sb[i / 8][i % 8 * 8] = *(const uint4 *)&b[(p + i / 8) * n + column + i % 8 * 8];
    }
    __syncthreads();
#pragma unroll
    for (int q = 0; q < DEPTH; q += 16) {
      u x[2][4], y[2][4];
#pragma unroll
      for (int i = 0; i < 2; i++) {
        load(x[i], &sa[wr + 16 * i + lane % 16][q + lane / 16 * 8]);
        load_transposed(y[i], &sb[q + lane % 16][wc + 16 * i + lane / 16 * 8]);
      }
#pragma unroll
      for (int i = 0; i < 2; i++)
#pragma unroll
        for (int j = 0; j < 4; j++) multiply(d[i][j], x[i], &y[j / 2][j % 2 * 2]);
    }
    __syncthreads();
  }
#pragma unroll
  for (int i = 0; i < 2; i++)
#pragma unroll
    for (int j = 0; j < 4; j++) {
      float *to = &c[(row + wr + 16 * i + lane / 4) * n + column + wc + 8 * j + lane % 4 * 2];
      *(float2 *)to = make_float2(d[i][j][0], d[i][j][1]);
      *(float2 *)(to + 8 * n) = make_float2(d[i][j][2], d[i][j][3]);
    }
}
