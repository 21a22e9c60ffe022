// Results of MPFR in binary16, binary32 and binary64: mpfr OPERATION EXPONENT FRACTION, the last two in bits.
//
// Reads three operands of 64 bits for each case, of which an operation uses as many as it has; writes, for each of the five
// rounding modes, the result and its flags, 64 bits each: bit 0 inexact, 1 tiny after rounding, 2 overflow, 3 division by zero,
// 4 not a number, 5 tiny before rounding.

#include <mpfr.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NEAREST, ZERO, DOWN, UP, AWAY, DIRECTIONS };

static int exponent_bits, fraction_bits;
static mpfr_t a, b, c, result;
// The least and the greatest exponent of normal numbers; MPFR's are greater by one, because its significands are less than one.
static mpfr_exp_t least, greatest;

// binary64 has all numbers of the formats.
static double number(uint64_t bits) {
  uint64_t fraction = bits & ((1ull << fraction_bits) - 1);
  int field = (int)(bits >> fraction_bits & ((1u << exponent_bits) - 1)), all = (1 << exponent_bits) - 1;
  uint64_t sign = bits >> (exponent_bits + fraction_bits) & 1;
  double magnitude;
  if (field == all) magnitude = fraction ? __builtin_nan("") : __builtin_inf();
  else if (field == 0) magnitude = __builtin_ldexp((double)fraction, (int)least - fraction_bits);
  else magnitude = __builtin_ldexp((double)(fraction | 1ull << fraction_bits), field - (int)greatest - fraction_bits);
  return sign ? -magnitude : magnitude;
}

static uint64_t pattern(double x) {
  uint64_t sign = (uint64_t)(__builtin_signbit(x) != 0) << (exponent_bits + fraction_bits);
  uint64_t infinity = ((1ull << exponent_bits) - 1) << fraction_bits;
  if (__builtin_isnan(x)) return infinity | 1ull << (fraction_bits - 1);
  if (__builtin_isinf(x)) return sign | infinity;
  if (x == 0) return sign;
  int exponent;
  double significand = 2 * __builtin_frexp(__builtin_fabs(x), &exponent);
  exponent--;
  if (exponent < least) return sign | (uint64_t)__builtin_ldexp(significand, fraction_bits + exponent - (int)least);
  uint64_t units = (uint64_t)__builtin_ldexp(significand, fraction_bits);
  return sign | (((uint64_t)(exponent - least) << fraction_bits) + units);
}

static int add(mpfr_t r, mpfr_rnd_t way) { return mpfr_add(r, a, b, way); }
static int sub(mpfr_t r, mpfr_rnd_t way) { return mpfr_sub(r, a, b, way); }
static int mul(mpfr_t r, mpfr_rnd_t way) { return mpfr_mul(r, a, b, way); }
static int divide(mpfr_t r, mpfr_rnd_t way) { return mpfr_div(r, a, b, way); }
static int root(mpfr_t r, mpfr_rnd_t way) { return mpfr_sqrt(r, a, way); }
static int fused(mpfr_t r, mpfr_rnd_t way) { return mpfr_fma(r, a, b, c, way); }

static const struct {
  const char *name;
  int (*of)(mpfr_t, mpfr_rnd_t);
} operations[] = {{"Add", add}, {"Sub", sub}, {"Mul", mul}, {"Div", divide}, {"Sqrt", root}, {"Fma", fused}};

static int (*operation)(mpfr_t, mpfr_rnd_t);

// Rounds to nearest, ties away from zero, which is not a mode of MPFR: one more digit, truncated, is the half that decides.
static int ties_away(mpfr_prec_t digits) {
  mpfr_set_prec(result, digits + 1);
  int cut = operation(result, MPFR_RNDZ);
  int rounded = mpfr_prec_round(result, digits, MPFR_RNDA);
  return cut || rounded;
}

// A finite result that is not zero, less than the least normal number.
static int is_tiny(void) { return mpfr_regular_p(result) && mpfr_get_exp(result) < least + 1; }

// No result of the operations needs a greater range.
static void unbounded(void) {
  mpfr_set_emin(-100000);
  mpfr_set_emax(100000);
}

static uint64_t answer(int direction, mpfr_exp_t exponent, uint64_t *flags) {
  static const mpfr_rnd_t ways[] = {MPFR_RNDN, MPFR_RNDZ, MPFR_RNDD, MPFR_RNDU};
  int precision = fraction_bits + 1, tiny_before = exponent < least + 1, ternary, tiny;
  unbounded();
  mpfr_clear_flags();
  if (direction != AWAY) {
    mpfr_set_prec(result, precision);
    ternary = operation(result, ways[direction]);
    tiny = is_tiny();
    // A format's least exponent is that of its least subnormal number.
    mpfr_set_emin(least + 1 - fraction_bits);
    mpfr_set_emax(greatest + 1);
    ternary = mpfr_check_range(result, ternary, ways[direction]);
    ternary = mpfr_subnormalize(result, ternary, ways[direction]);
  } else {
    ternary = ties_away(precision);
    tiny = is_tiny();
    // As many digits as a subnormal number of this exponent has.
    mpfr_exp_t digits = precision - (least + 1 - exponent);
    if (tiny_before && digits >= 1) {
      ternary = ties_away(digits);
    } else if (tiny_before) {
      // No digit is left: a value of at least half of the least number becomes that number.
      int negative = mpfr_signbit(result);
      ternary = 1;
      if (digits == 0) mpfr_set_ui_2exp(result, 1, least - fraction_bits, MPFR_RNDN);
      else mpfr_set_zero(result, 1);
      mpfr_setsign(result, result, negative, MPFR_RNDN);
    }
    mpfr_set_emax(greatest + 1);
    ternary = mpfr_check_range(result, ternary, MPFR_RNDN);
  }
  uint64_t inexact = ternary != 0;
  *flags = inexact | (inexact && tiny) << 1 | (uint64_t)(mpfr_overflow_p() != 0) << 2 | (uint64_t)(mpfr_divby0_p() != 0) << 3 |
           (uint64_t)(mpfr_nan_p(result) != 0) << 4 | (inexact && tiny_before) << 5;
  return pattern(mpfr_get_d(result, MPFR_RNDN));
}

int main(int count, char **arguments) {
  if (count != 4) return 2;
  for (size_t i = 0; i < sizeof operations / sizeof *operations; i++)
    if (!strcmp(operations[i].name, arguments[1])) operation = operations[i].of;
  exponent_bits = atoi(arguments[2]);
  fraction_bits = atoi(arguments[3]);
  if (!operation || exponent_bits > 11 || fraction_bits > 52) return 2;
  greatest = (1 << (exponent_bits - 1)) - 1;
  least = 1 - greatest;
  mpfr_inits2(53, a, b, c, (mpfr_ptr)0);
  mpfr_init2(result, fraction_bits + 1);
  uint64_t operands[3];
  while (fread(operands, sizeof operands, 1, stdin) == 1) {
    unbounded();
    mpfr_set_d(a, number(operands[0]), MPFR_RNDN);
    mpfr_set_d(b, number(operands[1]), MPFR_RNDN);
    mpfr_set_d(c, number(operands[2]), MPFR_RNDN);
    mpfr_set_prec(result, fraction_bits + 1);
    operation(result, MPFR_RNDZ);
    mpfr_exp_t exponent = mpfr_regular_p(result) ? mpfr_get_exp(result) : greatest;
    uint64_t answers[2 * DIRECTIONS];
    for (int direction = 0; direction < DIRECTIONS; direction++)
      answers[2 * direction] = answer(direction, exponent, &answers[2 * direction + 1]);
    if (fwrite(answers, sizeof answers, 1, stdout) != 1) return 1;
  }
  return 0;
}
