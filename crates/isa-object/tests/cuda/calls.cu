// Functions that are called directly, by a pointer, and recursively.
typedef int (*Operation)(int, int);

__device__ __noinline__ int add(int a, int b) { return a + b; }
__device__ __noinline__ int greatest(int a, int b) { return b == 0 ? a : greatest(b, a % b); }
__device__ __noinline__ int mix(int a, int b)
{
    int local[16];
    for (int i = 0; i < 16; i++)
        local[i] = a * i;
    return local[b & 15] ^ b;
}
__device__ Operation table[] = {add, greatest, mix};

__global__ void apply(int *values, const int *which, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        values[i] = table[which[i]](values[i], add(i, greatest(i, n)));
}
