// Executes plans on a GPU, with only the interface of the driver:
//
//     cc -O1 -o launch launch.c -ldl
//     mkdir results; ./launch all.plan
//
// A plan has a line for each step; paths are relative to the working directory.
//
//     module FILE                              the cubin
//     buffer NAME FILE|- BYTES                 memory, with the contents of the file
//     symbol NAME FILE                         the value of a variable
//     launch KERNEL GX GY GZ BX BY BZ SHARED { b BUFFER OFFSET | x HEX }...
//     save NAME FILE [BYTES]                   writes a buffer
#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef unsigned long long Address;
typedef void *Handle;

#define BUFFERS 64
#define ARGUMENTS 64
enum { MAX_DYNAMIC_SHARED_SIZE = 8 };

static int (*cuInit)(unsigned);
static int (*cuDeviceGet)(int *, int);
static int (*cuDevicePrimaryCtxRetain)(Handle *, int);
static int (*cuCtxSetCurrent)(Handle);
static int (*cuCtxSynchronize)(void);
static int (*cuModuleLoad)(Handle *, const char *);
static int (*cuModuleUnload)(Handle);
static int (*cuModuleGetFunction)(Handle *, Handle, const char *);
static int (*cuModuleGetGlobal)(Address *, size_t *, Handle, const char *);
static int (*cuMemAlloc)(Address *, size_t);
static int (*cuMemFree)(Address);
static int (*cuMemcpyHtoD)(Address, const void *, size_t);
static int (*cuMemcpyDtoH)(void *, Address, size_t);
static int (*cuFuncSetAttribute)(Handle, int, int);
static int (*cuLaunchKernel)(Handle, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, Handle, Handle *, Handle *);
static int (*cuGetErrorString)(int, const char **);

static struct Buffer {
    char name[64];
    Address at;
    size_t bytes;
} buffers[BUFFERS];
static int buffer_count;
static bool has_failed;

static void find(Handle library, const char *name, void *to) {
    void *found = dlsym(library, name);
    if (!found) {
        fprintf(stderr, "libcuda has no %s\n", name);
        exit(2);
    }
    memcpy(to, &found, sizeof found);
}

static void start(void) {
    Handle library = dlopen("libcuda.so.1", RTLD_NOW);
    if (!library) {
        fprintf(stderr, "%s\n", dlerror());
        exit(2);
    }
    find(library, "cuInit", &cuInit);
    find(library, "cuDeviceGet", &cuDeviceGet);
    find(library, "cuDevicePrimaryCtxRetain", &cuDevicePrimaryCtxRetain);
    find(library, "cuCtxSetCurrent", &cuCtxSetCurrent);
    find(library, "cuCtxSynchronize", &cuCtxSynchronize);
    find(library, "cuModuleLoad", &cuModuleLoad);
    find(library, "cuModuleUnload", &cuModuleUnload);
    find(library, "cuModuleGetFunction", &cuModuleGetFunction);
    find(library, "cuModuleGetGlobal_v2", &cuModuleGetGlobal);
    find(library, "cuMemAlloc_v2", &cuMemAlloc);
    find(library, "cuMemFree_v2", &cuMemFree);
    find(library, "cuMemcpyHtoD_v2", &cuMemcpyHtoD);
    find(library, "cuMemcpyDtoH_v2", &cuMemcpyDtoH);
    find(library, "cuFuncSetAttribute", &cuFuncSetAttribute);
    find(library, "cuLaunchKernel", &cuLaunchKernel);
    find(library, "cuGetErrorString", &cuGetErrorString);
}

static bool good(int status, const char *what) {
    if (status) {
        const char *why = "?";
        cuGetErrorString(status, &why);
        printf("%s: %s\n", what, why);
        has_failed = true;
    }
    return !status;
}

static char *contents(const char *path, size_t *bytes) {
    FILE *file = fopen(path, "rb");
    if (!file || fseek(file, 0, SEEK_END)) {
        fprintf(stderr, "%s can't be read\n", path);
        exit(2);
    }
    *bytes = (size_t)ftell(file);
    rewind(file);
    char *all = calloc(1, *bytes + 1);
    if (fread(all, 1, *bytes, file) != *bytes) exit(2);
    fclose(file);
    return all;
}

static char *word(void) { return strtok(NULL, " "); }

static struct Buffer *named(const char *name) {
    for (int i = 0; i < buffer_count; i++) {
        if (!strcmp(buffers[i].name, name)) return &buffers[i];
    }
    fprintf(stderr, "there is no buffer %s\n", name);
    exit(2);
}

static void make_buffer(void) {
    struct Buffer *made = &buffers[buffer_count++];
    snprintf(made->name, sizeof made->name, "%s", word());
    char *file = word();
    made->bytes = strtoul(word(), NULL, 10);
    char *all = calloc(1, made->bytes + 1);
    if (strcmp(file, "-")) {
        size_t bytes;
        char *from = contents(file, &bytes);
        memcpy(all, from, bytes < made->bytes ? bytes : made->bytes);
        free(from);
    }
    good(cuMemAlloc(&made->at, made->bytes + 1), made->name) && good(cuMemcpyHtoD(made->at, all, made->bytes), made->name);
    free(all);
}

static void set_symbol(Handle module) {
    char *name = word(), *file = word();
    Address at;
    size_t room, bytes;
    char *all = contents(file, &bytes);
    good(cuModuleGetGlobal(&at, &room, module, name), name) && good(cuMemcpyHtoD(at, all, bytes < room ? bytes : room), name);
    free(all);
}

static void launch(Handle module) {
    static unsigned char values[ARGUMENTS][4096];
    char *kernel = word();
    unsigned size[7];
    for (int i = 0; i < 7; i++) size[i] = strtoul(word(), NULL, 10);
    Handle arguments[ARGUMENTS], function;
    int count = 0;
    for (char *kind; (kind = word()); count++) {
        char *text = word();
        if (*kind == 'b') {
            Address at = named(text)->at + strtoull(word(), NULL, 10);
            memcpy(values[count], &at, sizeof at);
        } else {
            for (int i = 0; text[2 * i]; i++) sscanf(text + 2 * i, "%2hhx", &values[count][i]);
        }
        arguments[count] = values[count];
    }
    if (!good(cuModuleGetFunction(&function, module, kernel), kernel)) return;
    if (size[6] > 48 << 10) good(cuFuncSetAttribute(function, MAX_DYNAMIC_SHARED_SIZE, (int)size[6]), kernel);
    int status = cuLaunchKernel(function, size[0], size[1], size[2], size[3], size[4], size[5], size[6], NULL, arguments, NULL);
    good(status, kernel) && good(cuCtxSynchronize(), kernel);
}

static void save(void) {
    struct Buffer *buffer = named(word());
    char *path = word(), *most = word();
    size_t bytes = most ? strtoul(most, NULL, 10) : buffer->bytes;
    char *all = malloc(bytes + 1);
    good(cuMemcpyDtoH(all, buffer->at, bytes), path);
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(all, 1, bytes, file) != bytes || fclose(file)) {
        fprintf(stderr, "%s can't be written\n", path);
        exit(2);
    }
    free(all);
}

int main(int count, char **plans) {
    start();
    int device;
    Handle context, module = NULL;
    if (!good(cuInit(0), "start") || !good(cuDeviceGet(&device, 0), "device")) return 2;
    if (!good(cuDevicePrimaryCtxRetain(&context, device), "context") || !good(cuCtxSetCurrent(context), "context")) return 2;
    for (int i = 1; i < count; i++) {
        size_t bytes;
        char *plan = contents(plans[i], &bytes), *end = plan;
        for (char *line = plan; end; line = end + 1) {
            if ((end = strchr(line, '\n'))) *end = 0;
            char *step = strtok(line, " ");
            if (!step) continue;
            if (!strcmp(step, "module")) good(cuModuleLoad(&module, word()), "module");
            else if (!strcmp(step, "buffer") && buffer_count < BUFFERS) make_buffer();
            else if (!strcmp(step, "symbol")) set_symbol(module);
            else if (!strcmp(step, "launch")) launch(module);
            else if (!strcmp(step, "save")) save();
            else printf("%s: no such step\n", step);
        }
        while (buffer_count) cuMemFree(buffers[--buffer_count].at);
        if (module) cuModuleUnload(module);
        module = NULL;
        free(plan);
    }
    return has_failed;
}
