// Atomic operations on shared and on global memory, votes and matches.
__global__ void histogram(const unsigned *in, unsigned *bins, int n)
{
    __shared__ unsigned local[64];
    if (threadIdx.x < 64)
        local[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&local[in[i] % 64], 1);
    __syncthreads();
    if (threadIdx.x < 64)
        atomicAdd(&bins[threadIdx.x], local[threadIdx.x]);
}

__global__ void largest(const float *in, unsigned long long *best, int *ties, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned key = i < n ? __float_as_uint(in[i]) : 0;
    unsigned same = __match_any_sync(0xffffffff, key);
    if (__any_sync(0xffffffff, key == 0))
        atomicMax(best, (unsigned long long)key << 32 | i);
    if (atomicCAS(ties, 0, __popc(same)) != 0)
        atomicOr((unsigned *)ties + 1, __reduce_or_sync(0xffffffff, same));
}
