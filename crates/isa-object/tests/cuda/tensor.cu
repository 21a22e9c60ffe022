// One tile of a product of matrices on tensor cores, loaded by ldmatrix; asynchronous copies to shared memory.
#include <cuda_fp16.h>

__global__ void tile(const __half *a, const __half *b, float *out)
{
    __shared__ __half tile_a[256], tile_b[128];
    unsigned to = (unsigned)__cvta_generic_to_shared(&tile_a[threadIdx.x * 8]);
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to), "l"(a + threadIdx.x * 8));
    asm volatile("cp.async.commit_group;\n\tcp.async.wait_all;" ::: "memory");
    for (int i = threadIdx.x; i < 128; i += 32)
        tile_b[i] = b[i];
    __syncthreads();
    unsigned fragment[4], other[2];
    unsigned from = (unsigned)__cvta_generic_to_shared(&tile_a[threadIdx.x % 16 * 16 + threadIdx.x / 16 * 8]);
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(fragment[0]), "=r"(fragment[1]), "=r"(fragment[2]), "=r"(fragment[3])
                 : "r"(from));
    from = (unsigned)__cvta_generic_to_shared(&tile_b[threadIdx.x % 16 * 8]);
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0, %1}, [%2];"
                 : "=r"(other[0]), "=r"(other[1])
                 : "r"(from));
    float sum[4] = {0, 0, 0, 0};
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                 : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
                 : "r"(fragment[0]), "r"(fragment[1]), "r"(fragment[2]), "r"(fragment[3]), "r"(other[0]), "r"(other[1]));
    for (int i = 0; i < 4; i++)
        out[threadIdx.x / 4 * 8 + i / 2 * 64 + threadIdx.x % 4 * 2 + i % 2] = sum[i];
}
