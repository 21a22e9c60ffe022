// Runs every instruction of F and D on boundary operands and on random ones, and prints a hash of the results and flags of each.
// `floats N` has N random operands for each; `floats N NAME x` prints every result of the instructions that have NAME in their names.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef uint64_t u64;
typedef u64 (*Function)(u64, u64, u64, u64 *);
// The types of operands: s and d floats, i integers, b any bits.
struct Operation { const char *name; Function function; const char *operands; };
#include "operations.h"

#define COUNT(a) (sizeof(a) / sizeof *(a))
static const u64 H32[] = {
    0x0ull, 0x1ull, 0x2ull, 0x400000ull, 0x7fffffull, 0x800000ull, 0x800001ull, 0xffffffull, 0x1000000ull,
    0xc800000ull, 0x1f800000ull, 0x33000000ull, 0x33800000ull, 0x33800001ull, 0x3e800000ull, 0x3effffffull,
    0x3f000000ull, 0x3f000001ull, 0x3f7fffffull, 0x3f800000ull, 0x3f800001ull, 0x3fc00000ull, 0x40000000ull,
    0x40200000ull, 0x40490fdbull, 0x4affffffull, 0x4b000000ull, 0x4b000001ull, 0x4effffffull, 0x4f000000ull,
    0x4f7fffffull, 0x4f800000ull, 0x5effffffull, 0x5f000000ull, 0x5f7fffffull, 0x5f800000ull, 0x7e800000ull,
    0x7f7fffffull, 0x7f800000ull, 0x7f800001ull, 0x7fbfffffull, 0x7fc00000ull, 0x7fffffffull, 0x80000000ull,
    0x80000001ull, 0x80000002ull, 0x80400000ull, 0x807fffffull, 0x80800000ull, 0x80800001ull, 0x80ffffffull,
    0x81000000ull, 0x8c800000ull, 0x9f800000ull, 0xb3000000ull, 0xb3800000ull, 0xb3800001ull, 0xbe800000ull,
    0xbeffffffull, 0xbf000000ull, 0xbf000001ull, 0xbf7fffffull, 0xbf800000ull, 0xbf800001ull, 0xbfc00000ull,
    0xc0000000ull, 0xc0200000ull, 0xc0490fdbull, 0xcaffffffull, 0xcb000000ull, 0xcb000001ull, 0xceffffffull,
    0xcf000000ull, 0xcf7fffffull, 0xcf800000ull, 0xdeffffffull, 0xdf000000ull, 0xdf7fffffull, 0xdf800000ull,
    0xfe800000ull, 0xff7fffffull, 0xff800000ull, 0xff800001ull, 0xffbfffffull, 0xffc00000ull, 0xffffffffull,
};
static const u64 H64[] = {
    0x0ull, 0x1ull, 0x2ull, 0x8000000000000ull, 0xfffffffffffffull, 0x10000000000000ull, 0x10000000000001ull,
    0x1fffffffffffffull, 0x20000000000000ull, 0x3680000000000000ull, 0x369fffffffffffffull, 0x36a0000000000000ull,
    0x3690000000000000ull, 0x3690000000000001ull, 0x380fffffc0000000ull, 0x380fffffe0000000ull, 0x380fffffffffffffull,
    0x3810000000000000ull, 0x3c90000000000000ull, 0x3ca0000000000000ull, 0x3ca0000000000001ull, 0x3fd0000000000000ull,
    0x3fdfffffffffffffull, 0x3fe0000000000000ull, 0x3fe0000000000001ull, 0x3fefffffffffffffull, 0x3ff0000000000000ull,
    0x3ff0000000000001ull, 0x3ff8000000000000ull, 0x4000000000000000ull, 0x4004000000000000ull, 0x400921fb54442d18ull,
    0x41dfffffffc00000ull, 0x41dfffffffe00000ull, 0x41e0000000000000ull, 0x41efffffffe00000ull, 0x41efffffffffffffull,
    0x41f0000000000000ull, 0x432fffffffffffffull, 0x4330000000000000ull, 0x4330000000000001ull, 0x43dfffffffffffffull,
    0x43e0000000000000ull, 0x43efffffffffffffull, 0x43f0000000000000ull, 0x47efffffe0000000ull, 0x47efffffefffffffull,
    0x47effffff0000000ull, 0x47f0000000000000ull, 0x5fe0000000000000ull, 0x7fd0000000000000ull, 0x7fefffffffffffffull,
    0x7ff0000000000000ull, 0x7ff0000000000001ull, 0x7ff7ffffffffffffull, 0x7ff8000000000000ull, 0x7fffffffffffffffull,
    0x8000000000000000ull, 0x8000000000000001ull, 0x8000000000000002ull, 0x8008000000000000ull, 0x800fffffffffffffull,
    0x8010000000000000ull, 0x8010000000000001ull, 0x801fffffffffffffull, 0x8020000000000000ull, 0xb680000000000000ull,
    0xb69fffffffffffffull, 0xb6a0000000000000ull, 0xb690000000000000ull, 0xb690000000000001ull, 0xb80fffffc0000000ull,
    0xb80fffffe0000000ull, 0xb80fffffffffffffull, 0xb810000000000000ull, 0xbc90000000000000ull, 0xbca0000000000000ull,
    0xbca0000000000001ull, 0xbfd0000000000000ull, 0xbfdfffffffffffffull, 0xbfe0000000000000ull, 0xbfe0000000000001ull,
    0xbfefffffffffffffull, 0xbff0000000000000ull, 0xbff0000000000001ull, 0xbff8000000000000ull, 0xc000000000000000ull,
    0xc004000000000000ull, 0xc00921fb54442d18ull, 0xc1dfffffffc00000ull, 0xc1dfffffffe00000ull, 0xc1e0000000000000ull,
    0xc1efffffffe00000ull, 0xc1efffffffffffffull, 0xc1f0000000000000ull, 0xc32fffffffffffffull, 0xc330000000000000ull,
    0xc330000000000001ull, 0xc3dfffffffffffffull, 0xc3e0000000000000ull, 0xc3efffffffffffffull, 0xc3f0000000000000ull,
    0xc7efffffe0000000ull, 0xc7efffffefffffffull, 0xc7effffff0000000ull, 0xc7f0000000000000ull, 0xdfe0000000000000ull,
    0xffd0000000000000ull, 0xffefffffffffffffull, 0xfff0000000000000ull, 0xfff0000000000001ull, 0xfff7ffffffffffffull,
    0xfff8000000000000ull, 0xffffffffffffffffull,
};
static const u64 I64[] = {
    0x0ull, 0x1ull, 0x2ull, 0x3ull, 0x7fffffffull, 0x80000000ull, 0xffffffffull, 0x100000000ull, 0x1000001ull,
    0x1000002ull, 0x1000003ull, 0x20000000000001ull, 0x20000000000002ull, 0x20000000000003ull, 0x7fffffffffffffffull,
    0x8000000000000000ull, 0xffffffffffffffffull, 0xfffffffffffffffeull, 0x7fffffbfffffffffull, 0x7fffffc000000000ull,
    0x7ffffffffffffdffull, 0x7ffffffffffffe00ull, 0xfffffffffffffbffull, 0xfffffffffffffc00ull, 0xffffff7fffffffffull,
    0xffffff8000000000ull, 0xffffffff80000000ull, 0xffffffff7fffffffull,
};

static u64 seed;
static u64 next(void) {
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return seed;
}

// Some singles are not boxed.
static u64 boxed(u64 x, int i) {
    return (x & 0xffffffffu) | (i % 13 == 12 ? (u64)(i * 0x1234567) << 32 : 0xffffffff00000000ull);
}

static u64 single(u64 near) {
    u64 r = next();
    uint32_t any = r >> 32;
    switch (r % 6) {
    case 0: return any;
    case 1: return H32[(r >> 8) % COUNT(H32)];
    case 2: return (uint32_t)(H32[(r >> 8) % COUNT(H32)] + (any & 7) - 4);
    case 3: return (uint32_t)near ^ (any & 0x800000ff);
    case 4: return (any & 0x80600003) | (((near >> 23) + (r >> 8 & 63) - 32) & 0xff) << 23;
    default: return (any & 0x87ffffff) | 0x38000000;
    }
}

static u64 full(u64 near) {
    u64 r = next(), any = next();
    switch (r % 6) {
    case 0: return any;
    case 1: return H64[(r >> 8) % COUNT(H64)];
    case 2: return H64[(r >> 8) % COUNT(H64)] + (any & 7) - 4;
    case 3: return near ^ (any & 0x80000000000000ffull);
    case 4: return (any & 0x800c000000000003ull) | ((((near >> 52) + (r >> 8 & 127) - 64) & 0x7ff) << 52);
    default: return (any & 0x80ffffffffffffffull) | 0x3f00000000000000ull;
    }
}

static u64 operand(int kind, u64 near, int i) {
    u64 r;
    switch (kind) {
    case 's': return boxed(single(near), i);
    case 'd': return full(near);
    case 'i':
        r = next();
        switch (r % 4) {
        case 0: return next();
        case 1: return I64[(r >> 8) % COUNT(I64)];
        case 2: return (int64_t)next() >> (r >> 8 & 63);
        default: return next() >> (r >> 8 & 63);
        }
    default: return next();
    }
}

static u64 hard(int kind, unsigned i) {
    switch (kind) {
    case 's': return boxed(H32[i % COUNT(H32)], 0);
    case 'i': return I64[i % COUNT(I64)];
    default: return H64[i % COUNT(H64)];
    }
}

static unsigned count(int kind) {
    return kind == 's' ? COUNT(H32) : kind == 'i' ? COUNT(I64) : COUNT(H64);
}

// Next to the product, so that a fused sum cancels.
static u64 cancelling(int kind, u64 a, u64 b) {
    if (kind == 's') {
        float x, y;
        uint32_t bits = a;
        memcpy(&x, &bits, 4);
        bits = b;
        memcpy(&y, &bits, 4);
        x = -x * y;
        memcpy(&bits, &x, 4);
        return boxed(bits ^ (next() & 3), 0);
    }
    double x, y;
    memcpy(&x, &a, 8);
    memcpy(&y, &b, 8);
    x = -x * y;
    memcpy(&a, &x, 8);
    return a ^ (next() & 3);
}

static u64 hash, done;
static int is_shown;

static void mix(u64 x) {
    hash = (hash ^ x) * 1099511628211ull;
    hash ^= hash >> 29;
}

static void run(const struct Operation *o, u64 a, u64 b, u64 c) {
    u64 flags, result = o->function(a, b, c, &flags);
    done++;
    mix(result);
    mix(flags);
    if (is_shown) printf("%s %#llx %#llx %#llx = %#llx %#llx\n", o->name, (unsigned long long)a, (unsigned long long)b,
        (unsigned long long)c, (unsigned long long)result, (unsigned long long)flags);
}

int main(int argc, char **argv) {
    int rounds = argc > 1 ? atoi(argv[1]) : 200;
    const char *only = argc > 2 ? argv[2] : "";
    is_shown = argc > 3;
    u64 total = 0;
    for (unsigned n = 0; n < COUNT(OPERATIONS); n++) {
        const struct Operation *o = OPERATIONS + n;
        const char *kinds = o->operands;
        int operands = strlen(kinds);
        if (!strstr(o->name, only)) continue;
        done = 0;
        hash = 14695981039346656037ull;
        seed = 88172645463325252ull + n;
        unsigned k = count(kinds[0]);
        for (unsigned i = 0; i < k; i++)
            for (unsigned j = 0; j < (operands > 1 ? k : 1); j++)
                run(o, hard(kinds[0], i), operands > 1 ? hard(kinds[1], j) : 0, operands > 2 ? hard(kinds[2], (i * 7 + j * 13) % k) : 0);
        for (int i = 0; i < rounds; i++) {
            u64 a = operand(kinds[0], 0x3f800000, i), b = operands > 1 ? operand(kinds[1], a, i + 5) : 0, c = 0;
            if (operands > 2) c = next() % 3 ? operand(kinds[2], b, i + 9) : cancelling(kinds[0], a, b);
            run(o, a, b, c);
        }
        printf("%s %llu %016llx\n", o->name, (unsigned long long)done, (unsigned long long)hash);
        total += done;
    }
    printf("%llu\n", (unsigned long long)total);
    return 0;
}
