// Prints floats, reads them, and passes them through libm, in all rounding modes, with the flags after each.
// `libm N` has N random arguments for each function, and prints a hash of each section; `libm N SECTION` prints its lines, too,
// `libm N all` those of every section.
#include <errno.h>
#include <fenv.h>
#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(a) ((int)(sizeof(a) / sizeof *(a)))

static const int ways[] = {FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD};
static const char way_names[] = "nzdu";
static uint64_t state = 0x9e3779b97f4a7c15u;
static const char *shown;
static const char *section;
static uint64_t hash;
static long lines, total;

static uint64_t any(void) { state ^= state << 13; state ^= state >> 7; state ^= state << 17; return state; }

static double of_bits(uint64_t x) { double d; memcpy(&d, &x, 8); return d; }
static uint64_t bits(double d) { uint64_t x; memcpy(&x, &d, 8); return x; }
static float of_bits_f(uint32_t x) { float f; memcpy(&f, &x, 4); return f; }
static uint32_t bits_f(float f) { uint32_t x; memcpy(&x, &f, 4); return x; }

static void begin(const char *name) { section = name; hash = 14695981039346656037u; lines = 0; state = 0x9e3779b97f4a7c15u; }

static void line(const char *text) {
  for (const char *p = text; *p; p++) hash = (hash ^ (unsigned char)*p) * 0x100000001b3u;
  hash = (hash ^ '\n') * 0x100000001b3u;
  lines++;
  if (shown && (!strcmp(shown, "all") || !strcmp(shown, section))) printf("%s: %s\n", section, text);
}

static void end(void) { printf("%-12s %8ld %016llx\n", section, lines, (unsigned long long)hash); total += lines; }

static int after(void) { int raised = fetestexcept(FE_ALL_EXCEPT); feclearexcept(FE_ALL_EXCEPT); return raised; }

// Digits without printf, which is many times slower than most functions of libm.
static char *hex(char *to, uint64_t x) {
  for (int i = 60; i >= 0; i -= 4) *to++ = "0123456789abcdef"[x >> i & 15];
  *to++ = ' ';
  return to;
}

static void numbers(const char *name, char way, int count, ...) {
  char text[200], *to = stpcpy(text, name);
  va_list all;
  *to++ = ' '; *to++ = way; *to++ = ' ';
  va_start(all, count);
  while (count--) to = hex(to, va_arg(all, uint64_t));
  va_end(all);
  *to = 0;
  line(text);
}

static const uint64_t hard[] = {
    0, 1, 2, 0xfffffffffffff, 0x10000000000000, 0x10000000000001, 0x20000000000000, 0x36a0000000000000,
    0x3690000000000001, 0x380fffffe0000000, 0x3810000000000000, 0x3c90000000000000, 0x3ca0000000000000,
    0x3e400000aaaaaaaa, 0x3fd0000000000000, 0x3fdfffffffffffff, 0x3fe0000000000000, 0x3fe0000000000001,
    0x3fe921fb54442d18, 0x3fefffffffffffff, 0x3ff0000000000000, 0x3ff0000000000001, 0x3ff8000000000000,
    0x3ff921fb54442d18, 0x4000000000000000, 0x4004000000000000, 0x4005bf0a8b145769, 0x400921fb54442d18,
    0x400c000000000000, 0x40240000000000a5, 0x4059000000000000, 0x40862e42fefa39ef, 0x40862e42fefa39f0,
    0x408633ce8fb9f87d, 0x40874910d52d3051, 0x41dfffffffc00000, 0x41e0000000000000, 0x41efffffffe00000,
    0x4330000000000000, 0x4330000000000001, 0x4340000000000000, 0x43dfffffffffffff, 0x43e0000000000000,
    0x4415af1d78b58c40, 0x47efffffe0000000, 0x47effffff0000000, 0x5fe0000000000000, 0x6ac5b8d1a3e4c2f7,
    0x7fe0000000000000, 0x7fefffffffffffff, 0x7ff0000000000000, 0x7ff0000000000001, 0x7ff8000000000000,
    0x7ffc0000deadbeef,
};

static double hard_double(int i) { return of_bits(hard[i / 2 % COUNT(hard)] | (uint64_t)(i & 1) << 63); }

static double some_double(void) {
  uint64_t x = any(), sign = x << 63;
  switch (x >> 60) {
  case 0: return of_bits(any());
  case 1: return of_bits(sign | any() >> (12 + (x >> 8) % 52));               // subnormal
  case 2: return (double)((int64_t)any() >> (x >> 8) % 64);                  // an integer
  case 3: return (double)((int64_t)any() >> 40) / 1000;                      // some decimal places
  case 4: return of_bits(hard[(x >> 8) % COUNT(hard)] + (x >> 20) % 9 - 4);
  case 5: return of_bits(sign | (0x3ff + (x >> 8) % 64) << 52 | (any() >> 12 & ~(any() >> 12)));
  case 6: return of_bits(sign | (0x3ff - (x >> 8) % 64) << 52 | any() >> 12);
  case 7: return (double)((int64_t)any() >> 55) / 2;                         // ties of integers
  default: return of_bits(sign | (0x3f8 + (x >> 8) % 18) << 52 | any() >> 12);
  }
}

static float some_float(void) {
  uint64_t x = any();
  switch (x >> 61) {
  case 0: return of_bits_f((uint32_t)any());
  case 1: return of_bits_f((uint32_t)(x << 31) | (uint32_t)(any() >> 41 >> (x >> 8) % 23));
  default: return (float)some_double();
  }
}

static double nth(int i) { return i < 2 * COUNT(hard) ? hard_double(i) : some_double(); }
static float nth_f(int i) { return i < 2 * COUNT(hard) ? (float)hard_double(i) : some_float(); }

// Texts of numbers.
static void printed(int n) {
  static const char *formats[] = {"%.17g %a", "%e %g", "%.0f %.3f", "%.40g %.1a", "%+.5e %#.6g", "%.0e %.3a", "%25.12f|%-20.9G"};
  char text[1400];
  begin("printf");
  for (int w = 0; w < 4; w++) {
    fesetround(ways[w]);
    for (int i = 0; i < n + 2 * COUNT(hard); i++) {
      double x = nth(i);
      const char *format = formats[i % COUNT(formats)];
      after();
      int length = snprintf(text, sizeof text, format, x, x);
      int raised = after();
      snprintf(text + length, sizeof text - length, " %c %x", way_names[w], raised);
      line(text);
      if (i % 4 == 0) {
        float f = nth_f(i);
        snprintf(text, sizeof text, "%.9g %a %c", f, f, way_names[w]);
        line(text);
      }
    }
  }
  fesetround(FE_TONEAREST);
  end();
}

static void read_one(const char *text) {
  for (int w = 0; w < 4; w++) {
    char *rest;
    fesetround(ways[w]);
    errno = 0; after();
    uint64_t d = bits(strtod(text, &rest));
    uint64_t of_d = (uint64_t)(rest - text) << 32 | (uint64_t)errno << 8 | (uint64_t)after();
    errno = 0;
    uint64_t f = bits_f(strtof(text, &rest));
    uint64_t of_f = (uint64_t)(rest - text) << 32 | (uint64_t)errno << 8 | (uint64_t)after();
    fesetround(FE_TONEAREST);
    char start[41];
    snprintf(start, sizeof start, "%s", text);
    numbers(start, way_names[w], 4, d, of_d, f, of_f);
  }
}

static void texts(int n) {
  static const char *fixed[] = {
      "0", "-0", "+0.0e5", ".5", "5.", "-.5e+3z", "1e", "1e+", ".", "", "  12", "0x", "0x.", "0x1p", "0x1.8p+1",
      "0X.8P1", "inf", "-INFINITY", "infinit", "nan", "-nan", "nan(123)", "nan(0x7ff)", "nan(", "1e400", "-1e400",
      "1e-400", "-1e-400", "1e99999999999999999999", "1e-99999999999999999999", "0e99999999999999999999",
      "2.2250738585072011e-308", "2.2250738585072012e-308", "2.2250738585072014e-308", "4.9406564584124654e-324",
      "2.4703282292062327e-324", "2.4703282292062328e-324", "2.47032822920623272088284396434110686182e-324",
      "1.7976931348623157e308", "1.7976931348623158e308", "1.7976931348623159e308", "1.797693134862315807e308",
      "9007199254740993", "9007199254740992.99999999999999999999",
      "9007199254740993.00000000000000000000000000000000000001", "9007199254740995", "16777217",
      "16777216.9999999999999", "33554434.5", "1.17549435e-38", "1.1754943508e-38", "7.0064923216240853e-46",
      "7.0064923216240854e-46", "3.4028235e38", "3.40282356779733661637539395458e38", "3.4028236e38",
      "0x1.fffffffffffff8p0", "0x1.fffffffffffff7ffffffffffp0", "0x1.00000000000008p0", "0x1.00000000000018p0",
      "0x1.000000000000080000000000001p0", "0x0.00000000000008p-1022", "0x0.000000000000080001p-1022", "0x1p-1074",
      "0x1p-1075", "0x1.8p-1075", "0x1p1023", "0x1p1024", "0x1.000001p0", "0x1.0000010000001p0", "0x1.fffffefp127",
      "0x1.ffffffp127", "0x1p-149", "0x1p-150", "0x1.000001p-150", "0.1", "0.3", "1e22", "1e23", "123456789.123e-30",
      "6929495644600919.5", "3.141592653589793238462643383279502884197169399375105820974944592307816406286", "1e-5",
      "8.41e21", "5e-324", "1.0000000596046448",
      "100000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000001e-120",
  };
  static char text[1400];
  begin("strtod");
  for (int i = 0; i < COUNT(fixed); i++) read_one(fixed[i]);
  for (int i = 0; i < n; i++) {
    double x = some_double();
    if (!isfinite(x)) continue;
    // A binary128 represents the midpoint of two doubles, or of two floats, exactly: all its digits, and digits beside it.
    int of_float = any() % 3 == 0;
    double next = of_float ? nextafterf((float)x, 1e30f) : nextafter(x, 1e300);
    long double middle = ((long double)(of_float ? (float)x : x) + next) / 2;
    snprintf(text, sizeof text, "%.*Lg", any() % 4 == 0 ? (int)(any() % 30) : 780, middle);
    read_one(text);
    char *last = strchr(text, 'e');
    if (!last) last = text + strlen(text);
    char exponent[20];
    snprintf(exponent, sizeof exponent, "%s", last);
    if (strchr(text, '.')) {
      snprintf(last, 40, "%s1%s", any() % 2 ? "000000000000000000" : "", exponent);
      read_one(text);
      for (char *p = last - 1; p > text; p--) {
        if (*p >= '1' && *p <= '9') { (*p)--; break; }
      }
      read_one(text);
    }
    snprintf(text, sizeof text, "%.*La", (int)(any() % 29), middle);
    read_one(text);
  }
  end();
}

typedef double (*one)(double);
typedef double (*two)(double, double);
typedef float (*one_f)(float);
typedef float (*two_f)(float, float);
#define BOTH(name) {#name, name, name##f}
static const struct { const char *name; one of; one_f of_f; } ones[] = {
    BOTH(sin), BOTH(cos), BOTH(tan), BOTH(asin), BOTH(acos), BOTH(atan), BOTH(sinh), BOTH(cosh), BOTH(tanh),
    BOTH(asinh), BOTH(acosh), BOTH(atanh), BOTH(exp), BOTH(exp2), BOTH(expm1), BOTH(log), BOTH(log2), BOTH(log10),
    BOTH(log1p), BOTH(cbrt), BOTH(sqrt), BOTH(erf), BOTH(erfc), BOTH(lgamma), BOTH(tgamma), BOTH(floor), BOTH(ceil),
    BOTH(trunc), BOTH(round), BOTH(rint), BOTH(nearbyint), BOTH(fabs), BOTH(logb), BOTH(j0), BOTH(j1), BOTH(y0),
    BOTH(y1),
};
static const struct { const char *name; two of; two_f of_f; } twos[] = {
    BOTH(pow), BOTH(atan2), BOTH(hypot), BOTH(fmod), BOTH(remainder), BOTH(nextafter), BOTH(fmin), BOTH(fmax),
    BOTH(fdim), BOTH(copysign), BOTH(scalb),
};
static void libm(int n) {
  for (int k = 0; k < COUNT(ones); k++) {
    begin(ones[k].name);
    for (int w = 0; w < 4; w++) {
      for (int i = 0; i < (w ? n / 3 : n) + 2 * COUNT(hard); i++) {
        volatile double x = nth(i);
        volatile float f = nth_f(i);
        fesetround(ways[w]);
        after();
        uint64_t d = bits(ones[k].of(x)), of_d = (uint64_t)after(), s = bits_f(ones[k].of_f(f)), of_f = (uint64_t)after();
        fesetround(FE_TONEAREST);
        numbers("", way_names[w], 6, bits(x), d, of_d, (uint64_t)bits_f(f), s, of_f);
      }
    }
    end();
  }
  for (int k = 0; k < COUNT(twos); k++) {
    begin(twos[k].name);
    for (int w = 0; w < 4; w++) {
      int pairs = w ? 0 : 4 * COUNT(hard) * COUNT(hard);
      for (int i = 0; i < (w ? n / 3 : n) + pairs; i += i < pairs && n < 1000 ? 7 : 1) {
        volatile double x = i < pairs ? hard_double(i % (2 * COUNT(hard))) : some_double();
        volatile double y = i < pairs ? hard_double(i / (2 * COUNT(hard))) : some_double();
        volatile float f = i < pairs ? (float)x : some_float(), g = i < pairs ? (float)y : some_float();
        fesetround(ways[w]);
        after();
        uint64_t d = bits(twos[k].of(x, y)), of_d = (uint64_t)after(), s = bits_f(twos[k].of_f(f, g)), of_f = (uint64_t)after();
        fesetround(FE_TONEAREST);
        numbers("", way_names[w], 6, bits(x), bits(y), d, of_d, s, of_f);
      }
    }
    end();
  }
}

// Functions with integers, and conversions.
static void integers(int n) {
  begin("integers");
  for (int w = 0; w < 4; w++) {
    for (int i = 0; i < n + 2 * COUNT(hard); i++) {
      volatile double x = nth(i), whole;
      volatile float f = nth_f(i);
      volatile uint64_t integer = any() >> (any() & 63);
      int e = 0, quotient = 0, power = (int)(any() >> 52) - 2048;
      double part;
      fesetround(ways[w]);
      after();
      uint64_t a = (uint64_t)lrint(x), of_a = (uint64_t)after(), b = (uint64_t)lrintf(f), of_b = (uint64_t)after();
      numbers("lrint", way_names[w], 4, a, of_a, b, of_b);
      a = (uint64_t)llround(x), of_a = (uint64_t)after(), b = (uint64_t)llroundf(f), of_b = (uint64_t)after();
      numbers("llround", way_names[w], 4, a, of_a, b, of_b);
      a = (uint64_t)ilogb(x), of_a = (uint64_t)after(), b = (uint64_t)ilogbf(f), of_b = (uint64_t)after();
      numbers("ilogb", way_names[w], 4, a, of_a, b, of_b);
      a = bits(frexp(x, &e)), of_a = (uint64_t)after();
      numbers("frexp", way_names[w], 3, a, (uint64_t)e, of_a);
      a = bits(ldexp(x, power)), of_a = (uint64_t)after(), b = bits_f(ldexpf(f, power)), of_b = (uint64_t)after();
      numbers("ldexp", way_names[w], 4, a, of_a, b, of_b);
      a = bits(modf(x, &part)), of_a = (uint64_t)after();
      numbers("modf", way_names[w], 3, a, bits(part), of_a);
      a = bits(remquo(x, 3.25, &quotient)), of_a = (uint64_t)after();
      numbers("remquo", way_names[w], 3, a, (uint64_t)quotient, of_a);
      a = fabs(x) < 2e9 ? (uint64_t)(int32_t)x : 0, of_a = (uint64_t)after();
      b = f >= 0 && f < 1.8e19f ? (uint64_t)f : 0, of_b = (uint64_t)after();
      numbers("to integers", way_names[w], 4, a, of_a, b, of_b);
      whole = (double)integer, of_a = (uint64_t)after();
      numbers("of integers", way_names[w], 3, integer, bits(whole), of_a);
      whole = (double)f, of_a = (uint64_t)after(), f = (float)x, of_b = (uint64_t)after();
      numbers("formats", way_names[w], 4, bits(whole), of_a, (uint64_t)bits_f(f), of_b);
      numbers("classes", way_names[w], 3, (uint64_t)fpclassify(x), (uint64_t)fpclassify(f), (uint64_t)(signbit(x) != 0));
      fesetround(FE_TONEAREST);
    }
  }
  end();
}

static void fused(int n) {
  begin("fma");
  for (int w = 0; w < 4; w++) {
    for (int i = 0; i < 2 * n; i++) {
      volatile double x = some_double(), y = some_double(), z = i % 3 ? some_double() : -x * y;
      volatile float f = some_float(), g = some_float(), h = i % 3 ? some_float() : -f * g;
      fesetround(ways[w]);
      after();
      uint64_t d = bits(fma(x, y, z)), of_d = (uint64_t)after(), s = bits_f(fmaf(f, g, h)), of_f = (uint64_t)after();
      fesetround(FE_TONEAREST);
      numbers("", way_names[w], 7, bits(x), bits(y), bits(z), d, of_d, s, of_f);
    }
  }
  end();
}

// The results are volatile, so that the flags belong to them.
static void operators(int n) {
  begin("operators");
  for (int w = 0; w < 4; w++) {
    for (int i = 0; i < 2 * n; i++) {
      volatile double x = nth(i), y = some_double(), r;
      volatile float f = nth_f(i), g = some_float(), s;
      volatile int holds;
      uint64_t all[6];
      fesetround(ways[w]);
      after();
      r = x + y, all[0] = bits(r), all[1] = (uint64_t)after();
      r = x * y, all[2] = bits(r), all[3] = (uint64_t)after();
      r = x / y, all[4] = bits(r), all[5] = (uint64_t)after();
      numbers("double", way_names[w], 8, bits(x), bits(y), all[0], all[1], all[2], all[3], all[4], all[5]);
      s = f - g, all[0] = bits_f(s), all[1] = (uint64_t)after();
      s = f * g, all[2] = bits_f(s), all[3] = (uint64_t)after();
      s = f / g, all[4] = bits_f(s), all[5] = (uint64_t)after();
      numbers("float", way_names[w], 8, (uint64_t)bits_f(f), (uint64_t)bits_f(g), all[0], all[1], all[2], all[3], all[4], all[5]);
      holds = (x < y) | (x == y) << 1, all[0] = (uint64_t)holds, all[1] = (uint64_t)after();
      holds = isless(f, g) | isunordered(f, g) << 1, all[2] = (uint64_t)holds, all[3] = (uint64_t)after();
      numbers("orders", way_names[w], 4, all[0], all[1], all[2], all[3]);
      fesetround(FE_TONEAREST);
    }
  }
  end();
}

int main(int count, char **arguments) {
  int n = count > 1 ? atoi(arguments[1]) : 300;
  shown = count > 2 ? arguments[2] : NULL;
  printed(n);
  texts(n);
  libm(n);
  integers(n);
  fused(n);
  operators(n);
  printf("%ld lines\n", total);
  return 0;
}
