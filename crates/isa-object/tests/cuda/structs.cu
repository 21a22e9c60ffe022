// Parameters of several sizes, some of which are read in part; a class template, whose name demangles.
struct Box {
    float low[3], high[3];
};

template <typename T, int N>
__global__ void inside(const T *points, Box box, unsigned char *out, short first, long long count)
{
    long long i = first + blockIdx.x * (long long)blockDim.x + threadIdx.x;
    if (i >= count)
        return;
    bool in = true;
    for (int d = 0; d < N; d++)
        in = in && points[i * N + d] >= box.low[d] && points[i * N + d] <= box.high[d];
    out[i] = in;
}

template __global__ void inside<float, 3>(const float *, Box, unsigned char *, short, long long);
template __global__ void inside<int, 2>(const int *, Box, unsigned char *, short, long long);
