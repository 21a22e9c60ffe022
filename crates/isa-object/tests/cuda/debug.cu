// Compiled with -g -G: code without optimisation, and all sections for a debugger.
__global__ void count(int *out, int n)
{
    int total = 0;
    for (int i = 0; i < n; i++)
        if (i % 3 == 0)
            total += i;
    *out = total;
}
