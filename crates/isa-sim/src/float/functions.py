#!/usr/bin/env python3
"""Fills in functions.tsv: reads lines `function argument ...` and writes `function argument value`, both numbers as the bits of a
float. Values are computed by mpmath with 400 bits and rounded once, to the nearest. `python3 functions.py < functions.tsv`"""
import struct
import sys

import mpmath

mpmath.mp.prec = 400
NAN, INFINITY, SIGN = 0x7FFFFFFF, 0x7F800000, 0x80000000

FUNCTIONS = {
    "rcp": lambda x: 1 / x,
    "rsq": lambda x: 1 / mpmath.sqrt(x),
    "sin": mpmath.sin,
    "cos": mpmath.cos,
    "ex2": lambda x: mpmath.power(2, x),
    "lg2": lambda x: mpmath.log(x, 2),
    "sinpi": mpmath.sinpi,
    "cospi": mpmath.cospi,
    "tanh": mpmath.tanh,
}
# Their values at zeros and infinities: of 0, -0, ∞, -∞.
LIMITS = {
    "rcp": (INFINITY, INFINITY | SIGN, 0, SIGN),
    "rsq": (INFINITY, INFINITY | SIGN, 0, NAN),
    "sin": (0, SIGN, NAN, NAN),
    "cos": (0x3F800000, 0x3F800000, NAN, NAN),
    "ex2": (0x3F800000, 0x3F800000, INFINITY, 0),
    "lg2": (INFINITY | SIGN, INFINITY | SIGN, INFINITY, NAN),
    "sinpi": (0, SIGN, NAN, NAN),
    "cospi": (0x3F800000, 0x3F800000, NAN, NAN),
    "tanh": (0, SIGN, 0x3F800000, 0xBF800000),
}


def nearest(v):
    """The bits of the nearest float; of two, the even one."""
    sign = SIGN if v < 0 else 0
    v = abs(v)
    place = max(int(mpmath.frexp(v)[1]) - 24, -149)
    scaled = v * mpmath.mpf(2) ** -place
    n = int(mpmath.floor(scaled))
    rest = scaled - n
    n += rest > 0.5 or (rest == 0.5 and n % 2 == 1)
    if n == 1 << 24:
        n, place = 1 << 23, place + 1
    if n < 1 << 23:
        return sign | n
    exponent = place + 150
    return sign | (INFINITY if exponent >= 255 else exponent << 23 | n - (1 << 23))


def value(function, bits):
    if bits & ~SIGN > INFINITY:
        return NAN
    if bits & ~SIGN in (0, INFINITY):
        return LIMITS[function][2 * (bits & ~SIGN == INFINITY) + (bits >> 31)]
    if bits >> 31 and function in ("rsq", "lg2"):
        return NAN
    x = mpmath.mpf(struct.unpack("<f", struct.pack("<I", bits))[0])
    if function == "ex2" and abs(x) > 1000:
        return INFINITY if x > 0 else 0
    v = FUNCTIONS[function](x)
    return 0 if v == 0 else nearest(v)


for line in sys.stdin:
    if line.startswith("#"):
        print(line, end="")
        continue
    function, argument = line.split()[:2]
    print(f"{function}\t{argument}\t{value(function, int(argument, 16)):08x}")
