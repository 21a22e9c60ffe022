extern "C" __global__ void clock_(unsigned *out, int rounds) {
  long long a = clock64(); unsigned b = clock();
  unsigned x = threadIdx.x;
  for (int i = 0; i < rounds; i++) x = x * 1664525u + 1013904223u;
  long long c = clock64(); unsigned d = clock();
  // Clocks advance, and a wait for some clocks ends.
  while (clock64() - c < 1000) {}
  out[threadIdx.x] = x; out[64 + threadIdx.x] = (c > a) && (d - b) >= (unsigned) rounds && clock64() - c >= 1000;
}
