// A switch with enough cases for a branch table.
__global__ void choose(const int *which, int *out, int a, int b)
{
    int x = which[threadIdx.x];
    switch (x) {
    case 0: x = a + b; __syncwarp(); break;
    case 1: x = a * b; out[100] = a; break;
    case 2: x = a / (b | 1); break;
    case 3: x = __popc(a ^ b); out[101] = b; break;
    case 4: x = atomicAdd(out + 102, b); break;
    case 5: x = a << (b & 31); out[103] = 7; break;
    case 6: x = __clz(a); break;
    case 7: x = a % (b | 1); break;
    case 8: x = __brev(b); out[104] = 1; break;
    case 9: x = atomicExch(out + 105, a); break;
    }
    out[threadIdx.x] = x;
}
