// Integer instructions: products of several widths, funnel shifts, permutations of bytes, dot products of bytes.
__global__ void mixture(const unsigned long long *in, unsigned *out, int n)
{
    unsigned long long x = in[threadIdx.x];
    unsigned high = __umulhi((unsigned)x, n), low = (unsigned)(x >> 32);
    unsigned turned = __funnelshift_l(low, high, n), bytes = __byte_perm(low, high, 0x3614);
    int dot = __dp4a((int)turned, (int)bytes, n);
    out[threadIdx.x] = __vabsdiffu4(turned, bytes) + dot + __ffs(high) + __sad(dot, n, low) + (unsigned)__umul64hi(x, x);
}
