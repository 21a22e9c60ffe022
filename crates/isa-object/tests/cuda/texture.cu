// A texture and a surface.
__global__ void sample(cudaTextureObject_t image, cudaSurfaceObject_t out, float width, float height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    float4 colour = tex2D<float4>(image, x / width, y / height);
    surf2Dwrite(colour, out, x * sizeof(float4), y);
}
