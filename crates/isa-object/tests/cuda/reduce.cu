// The sum of an array: shared memory, a barrier, shuffles, bounds of the launch.
__global__ void __launch_bounds__(256, 4) reduce(const float *in, float *out, int n)
{
    __shared__ float partial[8];
    float sum = 0;
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        sum += in[i];
    for (int step = 16; step > 0; step /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, step);
    if (threadIdx.x % 32 == 0)
        partial[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x < 8) {
        sum = partial[threadIdx.x];
        for (int step = 4; step > 0; step /= 2)
            sum += __shfl_down_sync(0xff, sum, step);
        if (threadIdx.x == 0)
            *out = sum;
    }
}
