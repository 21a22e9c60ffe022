// A whole CUDA program: managed and device memory, variables, a launch on dynamic shared memory, and a check on the CPU.
#include <cstdio>
#include <vector>

__device__ unsigned blocks_done = 100;
__constant__ unsigned weights[4];

__global__ void histogram(const unsigned *values, unsigned *bins, int count) {
    extern __shared__ unsigned own[];
    for (int i = threadIdx.x; i < 64; i += blockDim.x) own[i] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x)
        atomicAdd(&own[values[i] & 63], weights[values[i] & 3]);
    __syncthreads();
    for (int i = threadIdx.x; i < 64; i += blockDim.x) atomicAdd(&bins[i], own[i]);
    if (threadIdx.x == 0) atomicAdd(&blocks_done, 1);
}

int main() {
    const int count = 10000;
    std::vector<unsigned> values(count), expected(64);
    const unsigned of[4] = {1, 2, 3, 5};
    for (int i = 0; i < count; i++) {
        values[i] = i * 2654435761u >> 16;
        expected[values[i] & 63] += of[values[i] & 3];
    }
    unsigned *device, *bins;
    cudaMalloc((void **)&device, count * sizeof(unsigned));
    cudaMallocManaged(&bins, 64 * sizeof(unsigned));
    cudaMemset(bins, 0, 64 * sizeof(unsigned));
    cudaMemcpy(device, values.data(), count * sizeof(unsigned), cudaMemcpyHostToDevice);
    cudaMemcpyToSymbol(weights, of, sizeof of);
    for (int round = 0; round < 2; round++) histogram<<<6, 96, 64 * sizeof(unsigned)>>>(device, bins, count);
    cudaError_t status = cudaDeviceSynchronize();
    unsigned done = 0;
    cudaMemcpyFromSymbol(&done, blocks_done, sizeof done);
    int wrong = 0;
    for (int i = 0; i < 64; i++) wrong += bins[i] != 2 * expected[i];
    printf("%s, %u blocks, %d wrong\n", cudaGetErrorString(status), done - 100, wrong);
    return wrong != 0 || done != 112;
}
