// The inputs of hgemm.cu, its results by a loop in single precision, and the time that the loop takes:
//
//     gcc -O3 -march=native -o hgemm hgemm.c
//     ./hgemm 512 FOLDER && isagen run --launch FOLDER/launch.json --stats
//
// Numbers are multiples of 1/64 between -2 and 2: all sums are exact in any order, and results have to have the same bits.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef _Float16 half;

static double seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

static void multiply(int n, const float *restrict a, const float *restrict b, float *restrict c) {
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++)
            for (int j = 0; j < n; j++) c[i * n + j] += a[i * n + k] * b[k * n + j];
}

static void save(const char *folder, const char *name, const void *bytes, size_t size) {
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(bytes, 1, size, file) != size || fclose(file)) {
        perror(path);
        exit(1);
    }
}

int main(int argc, char **argv) {
    int n = argc > 2 ? atoi(argv[1]) : 0;
    if (n <= 0 || n % 64 || n > 1024) {
        fprintf(stderr, "usage: hgemm SIZE FOLDER: a multiple of 64 up to 1024\n");
        return 2;
    }
    size_t count = (size_t)n * n;
    float *a = malloc(4 * count), *b = malloc(4 * count), *c = calloc(4, count);
    half *x = malloc(2 * count), *y = malloc(2 * count);
    unsigned state = 1;
    for (size_t i = 0; i < count; i++) {
        x[i] = a[i] = ((int)((state = state * 1664525 + 1013904223) >> 24) - 128) / 64.0f;
        y[i] = b[i] = ((int)((state = state * 1664525 + 1013904223) >> 24) - 128) / 64.0f;
    }
    double start = seconds();
    multiply(n, a, b, c);
    double time = seconds() - start;
    printf("%d: %.4f s, %.3g multiplications and additions a second\n", n, time, (double)n * n * n / time);
    save(argv[2], "a.bin", x, 2 * count);
    save(argv[2], "b.bin", y, 2 * count);
    save(argv[2], "c.expect.bin", c, 4 * count);
    char launch[1024];
    snprintf(launch, sizeof launch,
             "{\n  \"program\": \"hgemm.sm_80.cubin\", \"kernel\": \"hgemm\", \"grid\": [%d, %d, 1], \"block\": [128, 1, 1],\n"
             "  \"buffers\": { \"a\": { \"file\": \"a.bin\" }, \"b\": { \"file\": \"b.bin\" }, \"c\": { \"bytes\": %zu } },\n"
             "  \"arguments\": [ { \"buffer\": \"a\" }, { \"buffer\": \"b\" }, { \"buffer\": \"c\" }, { \"s32\": %d }, { \"s32\": %d } ],\n"
             "  \"expect\": [ { \"buffer\": \"c\", \"file\": \"c.expect.bin\", \"as\": \"f32\" } ]\n}\n",
             n / 64, n / 64, 4 * count, n, n);
    save(argv[2], "launch.json", launch, strlen(launch));
}
