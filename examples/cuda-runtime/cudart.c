// A CUDA runtime without a GPU: the kernels of a program that is linked with it run in isagen.
//
//     nvcc -cudart none -arch=sm_80 -Xfatbin -compress=false -o program program.cu cudart.c
//     ISAGEN=path/to/isagen ./program
//
// Device memory is one buffer, at the address at which isagen puts the first buffer of a launch; the host maps it at the same address, so
// that pointers in arguments and in memory are valid on both sides. A launch writes a launch file and the contents of memory, runs
// `isagen run --launch`, and reads memory and variables back. ISAGEN_OPTIONS is added to that command: `--engine reference`,
// `--schedule 3`, `--stats`. ISAGEN_KEEP=DIR keeps the files there.
//
// It has what programs of one file need: memory, variables, launches, events, properties. Operations on streams are done at once.
// Textures, graphs, libraries and separate compilation are missing: a program that uses them does not link.
#define _GNU_SOURCE
#include <cuda_runtime_api.h>
#include <elf.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define HEAP ((char *)0x700000000)
#define ROOM ((size_t)4 << 30)
#define MOST 4096

static size_t used;
static struct { char *at; size_t bytes; bool is_free; } blocks[MOST];
static int block_count;
static struct { const char *bytes; size_t size; } images[64];
static int image_count;
static struct { const void *host; const char *name; int image; } kernels[MOST];
static int kernel_count;
static struct { const void *host; const char *name; int image; size_t size; char *value; bool is_new; } variables[MOST];
static int variable_count;
static cudaError_t last = cudaSuccess;
static char folder[] = "/tmp/isagen-XXXXXX";
static int launches;

static void give_up(const char *what) {
    fprintf(stderr, "cudart: %s\n", what);
    exit(3);
}

static cudaError_t result(cudaError_t error) {
    if (error != cudaSuccess) last = error;
    return error;
}

static void start(void) {
    static bool is_started;
    if (is_started) return;
    is_started = true;
    void *at = mmap(HEAP, ROOM, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
    if (at != HEAP) give_up("the address of device memory is taken");
    const char *keep = getenv("ISAGEN_KEEP");
    if (keep) return;
    if (!mkdtemp(folder)) give_up("no folder for launches can be made");
}

static const char *base(void) {
    const char *keep = getenv("ISAGEN_KEEP");
    return keep ? keep : folder;
}

static void clean(void) {
    char command[256];
    if (getenv("ISAGEN_KEEP")) return;
    snprintf(command, sizeof command, "rm -rf %s", folder);
    if (system(command)) return;
}

// ---- registration

void **__cudaRegisterFatBinary(void *wrapper) {
    const struct { int magic, version; const char *data; void *unused; } *of = wrapper;
    const struct { uint32_t magic; uint16_t version, header; uint64_t size; } *head = (const void *)of->data;
    if (head->magic != 0xba55ed50) give_up("a fat binary has another form");
    start();
    images[image_count].bytes = of->data;
    images[image_count].size = head->header + head->size;
    return (void **)(uintptr_t)(++image_count);
}
void __cudaRegisterFatBinaryEnd(void **handle) { (void)handle; }
void __cudaUnregisterFatBinary(void **handle) { (void)handle; clean(); }

void __cudaRegisterFunction(void **handle, const char *host, char *device, const char *name, int limit, uint3 *tid, uint3 *bid,
                            dim3 *block, dim3 *grid, int *warp) {
    (void)device, (void)limit, (void)tid, (void)bid, (void)block, (void)grid, (void)warp;
    kernels[kernel_count].host = host;
    kernels[kernel_count].name = name;
    kernels[kernel_count++].image = (int)(uintptr_t)handle - 1;
}

void __cudaRegisterVar(void **handle, char *host, char *device, const char *name, int ext, size_t size, int constant, int global) {
    (void)device, (void)ext, (void)constant, (void)global;
    variables[variable_count].host = host;
    variables[variable_count].name = name;
    variables[variable_count].image = (int)(uintptr_t)handle - 1;
    variables[variable_count].size = size;
    variables[variable_count].is_new = true;
    variables[variable_count++].value = calloc(1, size);
}

static struct { dim3 grid, block; size_t shared; void *stream; } configured[16];
static int configurations;
unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared, struct CUstream_st *stream) {
    configured[configurations].grid = grid;
    configured[configurations].block = block;
    configured[configurations].shared = shared;
    configured[configurations++].stream = stream;
    return 0;
}
cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared, void *stream) {
    configurations--;
    *grid = configured[configurations].grid;
    *block = configured[configurations].block;
    *shared = configured[configurations].shared;
    *(void **)stream = configured[configurations].stream;
    return cudaSuccess;
}

// ---- sizes of parameters: EIATTR_KPARAM_INFO of `.nv.info.KERNEL`

static int parameters(int image, const char *kernel, int *sizes) {
    const char *bytes = images[image].bytes, *end = bytes + images[image].size;
    char wanted[4096];
    snprintf(wanted, sizeof wanted, ".nv.info.%s", kernel);
    for (const char *at = bytes; at + sizeof(Elf64_Ehdr) < end; at += 4) {
        if (memcmp(at, "\177ELF", 4)) continue;
        const Elf64_Ehdr *elf = (const void *)at;
        if (elf->e_shoff == 0 || at + elf->e_shoff + elf->e_shnum * sizeof(Elf64_Shdr) > end) continue;
        const Elf64_Shdr *sections = (const void *)(at + elf->e_shoff);
        const char *names = at + sections[elf->e_shstrndx].sh_offset;
        for (int i = 0; i < elf->e_shnum; i++) {
            if (strcmp(names + sections[i].sh_name, wanted)) continue;
            const unsigned char *p = (const void *)(at + sections[i].sh_offset), *stop = p + sections[i].sh_size;
            int count = 0;
            while (p + 4 <= stop) {
                unsigned format = p[0], attribute = p[1], size = p[2] | p[3] << 8;
                if (format == 4 && attribute == 0x17) {
                    uint32_t flags;
                    memcpy(&flags, p + 12, 4);
                    int ordinal = p[8] | p[9] << 8;
                    sizes[ordinal] = flags >> 18;
                    if (ordinal >= count) count = ordinal + 1;
                }
                p += 4 + (format == 4 ? size : 0);
            }
            return count;
        }
    }
    give_up("the records of a kernel are not found: compile with -Xfatbin -compress=false");
    return 0;
}

static void save(const char *name, const void *bytes, size_t size) {
    char path[512];
    snprintf(path, sizeof path, "%s/%s", base(), name);
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(bytes, 1, size, file) != size || fclose(file)) give_up("a file of a launch can't be written");
}

static void restore(const char *name, void *bytes, size_t size) {
    char path[512];
    snprintf(path, sizeof path, "%s/%s", base(), name);
    FILE *file = fopen(path, "rb");
    if (!file || fread(bytes, 1, size, file) != size) give_up("a file of a launch can't be read");
    fclose(file);
}

cudaError_t cudaLaunchKernel(const void *function, dim3 grid, dim3 block, void **args, size_t shared, cudaStream_t stream) {
    (void)stream;
    int which = 0;
    while (which < kernel_count && kernels[which].host != function) which++;
    if (which == kernel_count) return result(cudaErrorInvalidDeviceFunction);
    int image = kernels[which].image, sizes[1024], n = ++launches;
    int count = parameters(image, kernels[which].name, sizes);
    char name[64], path[512];
    snprintf(name, sizeof name, "%d.fatbin", image);
    save(name, images[image].bytes, images[image].size);
    size_t heap = used ? used : 256;
    save("heap.bin", HEAP, heap);
    if (getenv("ISAGEN_KEEP")) {
        snprintf(name, sizeof name, "heap.%d.bin", n);
        save(name, HEAP, heap);
    }
    snprintf(path, sizeof path, "%s/launch.%d.json", base(), n);
    FILE *json = fopen(path, "w");
    if (!json) give_up("a launch file can't be written");
    fprintf(json, "{ \"program\": \"%d.fatbin\", \"kernel\": \"%s\", \"grid\": [%u, %u, %u], \"block\": [%u, %u, %u], \"shared\": %zu,\n", image,
            kernels[which].name, grid.x, grid.y, grid.z, block.x, block.y, block.z, shared);
    fprintf(json, "  \"buffers\": { \"heap\": { \"file\": \"heap.bin\", \"save\": \"heap.bin\" } },\n  \"symbols\": {");
    const char *comma = "";
    for (int i = 0; i < variable_count; i++) {
        if (variables[i].image != image) continue;
        snprintf(name, sizeof name, "variable.%d.bin", i);
        if (variables[i].is_new) {
            // The initial value in the file.
            fprintf(json, "%s \"%s\": { \"save\": \"%s\" }", comma, variables[i].name, name);
        } else {
            save(name, variables[i].value, variables[i].size);
            fprintf(json, "%s \"%s\": { \"file\": \"%s\", \"save\": \"%s\" }", comma, variables[i].name, name, name);
        }
        comma = ",";
    }
    fprintf(json, " },\n  \"arguments\": [");
    for (int i = 0; i < count; i++) {
        fprintf(json, "%s { \"bytes\": \"", i ? "," : "");
        for (int k = 0; k < sizes[i]; k++) fprintf(json, "%02x", ((unsigned char *)args[i])[k]);
        fprintf(json, "\" }");
    }
    fprintf(json, " ]\n}\n");
    fclose(json);
    const char *isagen = getenv("ISAGEN"), *options = getenv("ISAGEN_OPTIONS");
    char command[2048];
    snprintf(command, sizeof command, "%s run %s --launch %s", isagen ? isagen : "isagen", options ? options : "", path);
    fflush(stdout);
    int status = system(command);
    if (status) {
        fprintf(stderr, "cudart: launch %d of `%s` has status %d\n", n, kernels[which].name, WEXITSTATUS(status));
        return result(cudaErrorLaunchFailure);
    }
    restore("heap.bin", HEAP, heap);
    for (int i = 0; i < variable_count; i++) {
        if (variables[i].image != image) continue;
        snprintf(name, sizeof name, "variable.%d.bin", i);
        restore(name, variables[i].value, variables[i].size);
        variables[i].is_new = false;
    }
    return cudaSuccess;
}
cudaError_t cudaLaunchCooperativeKernel(const void *function, dim3 grid, dim3 block, void **args, size_t shared, cudaStream_t stream) {
    return cudaLaunchKernel(function, grid, block, args, shared, stream);
}
cudaError_t __cudaGetKernel(cudaKernel_t *kernel, const void *function) {
    *kernel = (cudaKernel_t)function;
    return cudaSuccess;
}
cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void **args, size_t shared, cudaStream_t stream) {
    return cudaLaunchKernel((const void *)kernel, grid, block, args, shared, stream);
}
cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *config, const void *function, void **args) {
    return cudaLaunchKernel(function, config->gridDim, config->blockDim, args, config->dynamicSmemBytes, config->stream);
}
char __cudaInitModule(void **handle) { (void)handle; return 1; }

// ---- memory

cudaError_t cudaMalloc(void **at, size_t bytes) {
    start();
    bytes = (bytes ? bytes : 1) + 255 & ~(size_t)255;
    for (int i = 0; i < block_count; i++) {
        if (blocks[i].is_free && blocks[i].bytes == bytes) {
            blocks[i].is_free = false;
            *at = blocks[i].at;
            return cudaSuccess;
        }
    }
    if (used + bytes > ROOM || block_count == MOST) return result(cudaErrorMemoryAllocation);
    blocks[block_count].at = HEAP + used;
    blocks[block_count++].bytes = bytes;
    *at = HEAP + used;
    used += bytes;
    return cudaSuccess;
}
cudaError_t cudaFree(void *at) {
    for (int i = 0; i < block_count; i++) {
        if (blocks[i].at == at) blocks[i].is_free = true;
    }
    return cudaSuccess;
}
cudaError_t cudaMallocManaged(void **at, size_t bytes, unsigned flags) { (void)flags; return cudaMalloc(at, bytes); }
cudaError_t cudaMallocAsync(void **at, size_t bytes, cudaStream_t stream) { (void)stream; return cudaMalloc(at, bytes); }
cudaError_t cudaFreeAsync(void *at, cudaStream_t stream) { (void)stream; return cudaFree(at); }
cudaError_t cudaMallocHost(void **at, size_t bytes) { return cudaMalloc(at, bytes); }
cudaError_t cudaHostAlloc(void **at, size_t bytes, unsigned flags) { (void)flags; return cudaMalloc(at, bytes); }
cudaError_t cudaHostGetDevicePointer(void **device, void *host, unsigned flags) { (void)flags; *device = host; return cudaSuccess; }
cudaError_t cudaFreeHost(void *at) { return cudaFree(at); }
cudaError_t cudaMallocPitch(void **at, size_t *pitch, size_t width, size_t height) {
    *pitch = width + 511 & ~(size_t)511;
    return cudaMalloc(at, *pitch * height);
}
cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind) { (void)kind; memmove(to, from, bytes); return cudaSuccess; }
cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind, cudaStream_t stream) {
    (void)stream;
    return cudaMemcpy(to, from, bytes, kind);
}
cudaError_t cudaMemcpy2D(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width, size_t height, enum cudaMemcpyKind kind) {
    (void)kind;
    for (size_t y = 0; y < height; y++) memmove((char *)to + y * to_pitch, (const char *)from + y * from_pitch, width);
    return cudaSuccess;
}
cudaError_t cudaMemset(void *at, int value, size_t bytes) { memset(at, value, bytes); return cudaSuccess; }
cudaError_t cudaMemsetAsync(void *at, int value, size_t bytes, cudaStream_t stream) { (void)stream; return cudaMemset(at, value, bytes); }
cudaError_t cudaMemPrefetchAsync(const void *at, size_t bytes, struct cudaMemLocation where, unsigned flags, cudaStream_t stream) {
    (void)at, (void)bytes, (void)where, (void)flags, (void)stream;
    return cudaSuccess;
}
cudaError_t cudaMemGetInfo(size_t *free, size_t *total) { *free = ROOM - used; *total = ROOM; return cudaSuccess; }
static int variable(const void *host) {
    for (int i = 0; i < variable_count; i++) {
        if (variables[i].host == host) return i;
    }
    give_up("no such variable");
    return 0;
}
cudaError_t cudaMemcpyToSymbol(const void *symbol, const void *from, size_t bytes, size_t offset, enum cudaMemcpyKind kind) {
    (void)kind;
    int i = variable(symbol);
    variables[i].is_new = false;
    memcpy(variables[i].value + offset, from, bytes);
    return cudaSuccess;
}
cudaError_t cudaMemcpyToSymbolAsync(const void *symbol, const void *from, size_t bytes, size_t offset, enum cudaMemcpyKind kind, cudaStream_t s) {
    (void)s;
    return cudaMemcpyToSymbol(symbol, from, bytes, offset, kind);
}
cudaError_t cudaMemcpyFromSymbol(void *to, const void *symbol, size_t bytes, size_t offset, enum cudaMemcpyKind kind) {
    (void)kind;
    memcpy(to, variables[variable(symbol)].value + offset, bytes);
    return cudaSuccess;
}

// ---- the device, events, streams

cudaError_t cudaGetDeviceCount(int *count) { *count = 1; return cudaSuccess; }
cudaError_t cudaGetDevice(int *device) { *device = 0; return cudaSuccess; }
cudaError_t cudaSetDevice(int device) { (void)device; return cudaSuccess; }
cudaError_t cudaSetDeviceFlags(unsigned flags) { (void)flags; return cudaSuccess; }
cudaError_t cudaDeviceReset(void) { return cudaSuccess; }
cudaError_t cudaDeviceSynchronize(void) { return last; }
cudaError_t cudaDeviceSetCacheConfig(enum cudaFuncCache c) { (void)c; return cudaSuccess; }
cudaError_t cudaDeviceSetLimit(enum cudaLimit l, size_t v) { (void)l, (void)v; return cudaSuccess; }
cudaError_t cudaFuncSetCacheConfig(const void *f, enum cudaFuncCache c) { (void)f, (void)c; return cudaSuccess; }
cudaError_t cudaFuncSetAttribute(const void *f, enum cudaFuncAttribute a, int v) { (void)f, (void)a, (void)v; return cudaSuccess; }
cudaError_t cudaGetLastError(void) { cudaError_t error = last; last = cudaSuccess; return error; }
cudaError_t cudaPeekAtLastError(void) { return last; }
const char *cudaGetErrorString(cudaError_t error) { return error == cudaSuccess ? "no error" : "an error of the stand-in runtime"; }
const char *cudaGetErrorName(cudaError_t error) { return error == cudaSuccess ? "cudaSuccess" : "cudaError"; }
cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *p, int device) {
    (void)device;
    memset(p, 0, sizeof *p);
    strcpy(p->name, "isagen");
    p->totalGlobalMem = ROOM;
    p->sharedMemPerBlock = 48 << 10;
    p->sharedMemPerBlockOptin = 163 << 10;
    p->sharedMemPerMultiprocessor = 164 << 10;
    p->regsPerBlock = 65536;
    p->warpSize = 32;
    p->maxThreadsPerBlock = 1024;
    p->maxThreadsPerMultiProcessor = 2048;
    p->maxThreadsDim[0] = p->maxThreadsDim[1] = 1024;
    p->maxThreadsDim[2] = 64;
    p->maxGridSize[0] = 0x7fffffff;
    p->maxGridSize[1] = p->maxGridSize[2] = 65535;
    p->totalConstMem = 65536;
    p->major = 8;
    p->minor = 0;
    p->multiProcessorCount = 4;
    p->unifiedAddressing = p->managedMemory = p->concurrentManagedAccess = p->canMapHostMemory = p->cooperativeLaunch = 1;
    return cudaSuccess;
}
cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attribute, int device) {
    struct cudaDeviceProp p;
    cudaGetDeviceProperties(&p, device);
    switch (attribute) {
    case cudaDevAttrMaxThreadsPerBlock: *value = 1024; break;
    case cudaDevAttrWarpSize: *value = 32; break;
    case cudaDevAttrMultiProcessorCount: *value = p.multiProcessorCount; break;
    case cudaDevAttrComputeCapabilityMajor: *value = 8; break;
    case cudaDevAttrComputeCapabilityMinor: *value = 0; break;
    case cudaDevAttrMaxSharedMemoryPerBlock: *value = 48 << 10; break;
    case cudaDevAttrMaxSharedMemoryPerBlockOptin: *value = 163 << 10; break;
    case cudaDevAttrMaxThreadsPerMultiProcessor: *value = 2048; break;
    default: *value = 1;
    }
    return cudaSuccess;
}
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, const void *f, int size, size_t shared, unsigned flags) {
    (void)f, (void)size, (void)shared, (void)flags;
    *blocks = 2;
    return cudaSuccess;
}
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *f, int size, size_t shared) {
    return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, f, size, shared, 0);
}
cudaError_t cudaEventCreate(cudaEvent_t *event) { *event = malloc(sizeof(struct timespec)); return cudaSuccess; }
cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned flags) { (void)flags; return cudaEventCreate(event); }
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
    (void)stream;
    clock_gettime(CLOCK_MONOTONIC, (struct timespec *)event);
    return cudaSuccess;
}
cudaError_t cudaEventSynchronize(cudaEvent_t event) { (void)event; return cudaSuccess; }
cudaError_t cudaEventQuery(cudaEvent_t event) { (void)event; return cudaSuccess; }
cudaError_t cudaEventDestroy(cudaEvent_t event) { free(event); return cudaSuccess; }
cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t from, cudaEvent_t to) {
    const struct timespec *a = (void *)from, *b = (void *)to;
    *ms = (float)((b->tv_sec - a->tv_sec) * 1e3 + (b->tv_nsec - a->tv_nsec) / 1e6);
    return cudaSuccess;
}
cudaError_t cudaStreamCreate(cudaStream_t *stream) { *stream = 0; return cudaSuccess; }
cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags) { (void)flags; return cudaStreamCreate(stream); }
cudaError_t cudaStreamSynchronize(cudaStream_t stream) { (void)stream; return last; }
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags) { (void)stream, (void)event, (void)flags; return cudaSuccess; }
cudaError_t cudaStreamQuery(cudaStream_t stream) { (void)stream; return cudaSuccess; }
cudaError_t cudaStreamDestroy(cudaStream_t stream) { (void)stream; return cudaSuccess; }
cudaError_t cudaHostRegister(void *p, size_t n, unsigned f) { (void)p, (void)n, (void)f; return cudaSuccess; }
cudaError_t cudaHostUnregister(void *p) { (void)p; return cudaSuccess; }
cudaError_t cudaProfilerStart(void) { return cudaSuccess; }
cudaError_t cudaProfilerStop(void) { return cudaSuccess; }
