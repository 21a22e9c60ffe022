// Compiled with -lineinfo: lines, and an inlined function.
__device__ __forceinline__ float clamp(float x, float low, float high)
{
    return fminf(fmaxf(x, low), high);
}

__global__ void clamped(float *x, float low, float high, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float value = x[i];
    x[i] = clamp(value, low, high);
}

__global__ void scaled(float *x, float by)
{
    x[threadIdx.x] *= by;
}
