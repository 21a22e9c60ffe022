// clmul: products without carries of 64 by 64 bits, to which 64 bits are added without carries; a hash over GF(2) of each row
static __device__ unsigned long long low(unsigned long long a, unsigned long long b, unsigned long long c) {
  unsigned long long d;
  asm("clmad.lo.u64 %0, %1, %2, %3;" : "=l"(d) : "l"(a), "l"(b), "l"(c));
  return d;
}

static __device__ unsigned long long high(unsigned long long a, unsigned long long b, unsigned long long c) {
  unsigned long long d;
  asm("clmad.hi.u64 %0, %1, %2, %3;" : "=l"(d) : "l"(a), "l"(b), "l"(c));
  return d;
}

// The remainder of a polynomial of degree 127 by x^64 + x^4 + x^3 + x + 1.
static __device__ unsigned long long rest(unsigned long long lo, unsigned long long hi) {
  unsigned long long over = high(hi, 0x1b, 0);
  return low(hi, 0x1b, lo) ^ low(over, 0x1b, 0);
}

extern "C" __global__ void clmul(const unsigned long long *x, unsigned long long key, unsigned long long *out, int rows, int columns) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  unsigned long long hash = 0;
  for (int i = 0; i < columns; i++) {
    unsigned long long term = hash ^ x[row * columns + i];
    hash = rest(low(term, key, 0), high(term, key, 0));
  }
  out[row] = hash;
}
