#!/usr/bin/env python3
"""PTX instructions on a GPU and in isagen: the same kernels, the same operands, the same bits.

    hardware.py kernels DIR --arch sm_90          a kernel for each instruction that ptxas accepts: DIR/all.sm_90.cubin, the operands, and
                                                  DIR/all.plan, which `launch` (launch.c) executes on a machine with a GPU
    hardware.py compare DIR --arch sm_90 --isagen PATH [PART OF A NAME...]
                                                  runs each kernel in isagen, and compares all results with those in DIR/results

Each kernel computes out[i] = op(a[i], b[i], c[i]) for 4,096 rows of hard and of random operands; a kernel of tensor cores has twelve
words per lane. The name of a test is its PTX instruction.
"""
import argparse
import collections
import itertools
import json
import os
import random
import re
import struct
import subprocess

N = 4096
tests = []   # name, class, code, widths
def T(name, cls, code, d=32, a=32, b=32, c=32):
    tests.append((name, cls, code, d, a, b, c))
def two(op, cls='i32', w=32, d=None): T(op, cls, f'{op} %d, %a, %b;', d or w, w, w, w)
def one(op, cls='i32', w=32, d=None): T(op, cls, f'{op} %d, %a;', d or w, w, w, w)
def three(op, cls='i32', w=32, d=None): T(op, cls, f'{op} %d, %a, %b, %c;', d or w, w, w, w)
# integers of 32 bits
for op in 'add.s32 sub.s32 add.sat.s32 sub.sat.s32 mul.lo.s32 mul.hi.s32 mul.hi.u32 mul24.lo.s32 mul24.hi.s32 mul24.lo.u32 mul24.hi.u32 div.s32 div.u32 rem.s32 rem.u32 min.s32 min.u32 max.s32 max.u32 and.b32 or.b32 xor.b32 shl.b32 shr.s32 shr.u32 bmsk.clamp.b32 bmsk.wrap.b32 szext.clamp.s32 szext.clamp.u32 szext.wrap.s32 szext.wrap.u32'.split(): two(op)
for op in 'abs.s32 neg.s32 popc.b32 clz.b32 bfind.u32 bfind.s32 bfind.shiftamt.u32 bfind.shiftamt.s32 brev.b32 cnot.b32 not.b32'.split(): one(op)
for op in 'mad.lo.s32 mad.hi.s32 mad.hi.u32 mad.hi.sat.s32 mad24.lo.s32 mad24.hi.u32 sad.s32 sad.u32 bfe.u32 bfe.s32 prmt.b32 prmt.b32.f4e prmt.b32.b4e prmt.b32.rc8 prmt.b32.ecl prmt.b32.ecr prmt.b32.rc16 shf.l.wrap.b32 shf.r.wrap.b32 shf.l.clamp.b32 shf.r.clamp.b32 dp4a.u32.u32 dp4a.u32.s32 dp4a.s32.u32 dp4a.s32.s32 dp2a.lo.u32.u32 dp2a.hi.s32.u32 dp2a.lo.s32.s32 dp2a.hi.u32.s32 slct.b32.s32 fns.b32'.split(): three(op)
T('bfi.b32', 'i32', 'bfi.b32 %d, %a, %b, %c, 7;')
T('bfi.var', 'i32', 'bfi.b32 %d, %a, %b, %c, %c;')
for lut in (0xe8, 0x96, 0x1b, 0x80, 0xca): T(f'lop3.{lut:02x}', 'i32', f'lop3.b32 %d, %a, %b, %c, {lut};')
for op in ('mul.wide.s32', 'mul.wide.u32'): T(op, 'i32', f'{op} %d, %a, %b;', 64)
T('mad.wide.s32', 'i64', 'mad.wide.s32 %d, %a, %b, %c;', 64, 32, 32, 64)
T('mad.wide.u32', 'i64', 'mad.wide.u32 %d, %a, %b, %c;', 64, 32, 32, 64)
T('addc', 'i32', '{ .reg .b32 t; add.cc.u32 t, %a, %b; addc.u32 %d, %c, 0; add.u32 %d, %d, t; }')
T('subc', 'i32', '{ .reg .b32 t; sub.cc.u32 t, %a, %b; subc.u32 %d, %c, 0; xor.b32 %d, %d, t; }')
T('madc', 'i32', '{ .reg .b32 t; mad.lo.cc.u32 t, %a, %b, %c; madc.hi.u32 %d, %a, %b, 0; xor.b32 %d, %d, t; }')
for op in 'add.s64 sub.s64 mul.lo.s64 mul.hi.s64 mul.hi.u64 div.s64 div.u64 rem.s64 rem.u64 min.s64 min.u64 max.s64 max.u64'.split(): two(op, 'i64', 64)
for op in 'abs.s64 neg.s64 brev.b64'.split(): one(op, 'i64', 64)
for op in 'popc.b64 clz.b64 bfind.u64 bfind.s64 bfind.shiftamt.u64'.split(): one(op, 'i64', 64, 32)
for op in 'shl.b64 shr.s64 shr.u64'.split(): T(op, 'i64', f'{op} %d, %a, %b;', 64, 64, 32, 32)
for op in 'bfe.u64 bfe.s64'.split(): T(op, 'i64', f'{op} %d, %a, %b, %c;', 64, 64, 32, 32)
T('mad.lo.s64', 'i64', 'mad.lo.s64 %d, %a, %b, %c;', 64, 64, 64, 64)
T('mad.hi.u64', 'i64', 'mad.hi.u64 %d, %a, %b, %c;', 64, 64, 64, 64)
for op in 'add.s16 mul.lo.s16 mul.hi.s16 mul.hi.u16 min.s16 max.u16 div.s16 rem.u16 shr.s16'.split():
    T(op, 'i32', f'{op} %d, %a, %b;' if op != 'shr.s16' else 'shr.s16 %d, %a, 5;', 16, 16, 16, 16)
for op in 'vadd vsub vmin vmax vabsdiff'.split():
    for ty in ('u32.u32.u32', 's32.s32.s32', 's32.u32.s32'):
        T(f'{op}4.{ty}', 'i32', f'{op}4.{ty} %d, %a, %b, %c;'); T(f'{op}2.{ty}', 'i32', f'{op}2.{ty} %d, %a, %b, %c;')
    T(f'{op}4.add', 'i32', f'{op}4.u32.u32.u32.add %d, %a, %b, %c;')
    T(f'{op}.sat', 'i32', f'{op}.s32.s32.s32.sat %d, %a, %b;')
for op in ('add.u16x2', 'min.s16x2', 'max.u16x2', 'min.u16x2', 'max.s16x2', 'max.s16x2.relu', 'min.s32.relu', 'max.s32.relu'):
    two(op)
for cmp in 'eq ne lt le gt ge'.split():
    for ty in ('s32', 'u32'): T(f'setp.{cmp}.{ty}', 'i32', f'{{ .reg .pred p; setp.{cmp}.{ty} p, %a, %b; selp.b32 %d, 1, 0, p; }}')
    for ty in ('s64', 'u64'): T(f'setp.{cmp}.{ty}', 'i64', f'{{ .reg .pred p; setp.{cmp}.{ty} p, %a, %b; selp.b32 %d, 1, 0, p; }}', 32, 64, 64, 64)
for f in ('lo', 'ls', 'hi', 'hs'): T(f'set.{f}', 'i32', f'{{ .reg .pred p; setp.{f}.u32 p, %a, %b; selp.b32 %d, %a, %c, p; }}')
# floats
RN = ('rn', 'rz', 'rm', 'rp')
for r in RN:
    for f in ('', '.ftz'):
        for s in ('', '.sat'):
            for op in ('add', 'sub', 'mul'): two(f'{op}.{r}{f}{s}.f32', 'f32')
            three(f'fma.{r}{f}{s}.f32', 'f32')
    for op in ('add', 'sub', 'mul'): two(f'{op}.{r}.f64', 'f64', 64)
    three(f'fma.{r}.f64', 'f64', 64)
    for f in ('', '.ftz'):
        two(f'div.{r}{f}.f32', 'f32'); one(f'rcp.{r}{f}.f32', 'f32'); one(f'sqrt.{r}{f}.f32', 'f32')
    two(f'div.{r}.f64', 'f64', 64); one(f'rcp.{r}.f64', 'f64', 64); one(f'sqrt.{r}.f64', 'f64', 64)
for f in ('', '.ftz'):
    for op in ('rcp', 'sqrt', 'rsqrt', 'sin', 'cos', 'lg2', 'ex2'): one(f'{op}.approx{f}.f32', 'f32')
    two(f'div.approx{f}.f32', 'f32'); two(f'div.full{f}.f32', 'f32')
    for op in ('min', 'max'):
        for n in ('', '.NaN'):
            for x in ('', '.xorsign.abs'): two(f'{op}{f}{n}{x}.f32', 'f32')
    one(f'abs{f}.f32', 'f32'); one(f'neg{f}.f32', 'f32')
    for cmp in 'eq ne lt le gt ge equ neu ltu leu gtu geu num nan'.split():
        T(f'setp.{cmp}{f}.f32', 'f32', f'{{ .reg .pred p; setp.{cmp}{f}.f32 p, %a, %b; selp.b32 %d, 1, 0, p; }}')
    T(f'set.lt{f}.f32.f32', 'f32', f'set.lt{f}.f32.f32 %d, %a, %b;')
one('tanh.approx.f32', 'f32'); one('rcp.approx.ftz.f64', 'f64', 64); one('rsqrt.approx.f64', 'f64', 64); one('rsqrt.approx.ftz.f64', 'f64', 64)
for op in ('min.f64', 'max.f64'): two(op, 'f64', 64)
for cmp in 'eq ne lt le gt ge equ neu ltu leu gtu geu num nan'.split():
    T(f'setp.{cmp}.f64', 'f64', f'{{ .reg .pred p; setp.{cmp}.f64 p, %a, %b; selp.b32 %d, 1, 0, p; }}', 32, 64, 64, 64)
for t in 'finite infinite number notanumber normal subnormal'.split(): T(f'testp.{t}.f32', 'f32', f'{{ .reg .pred p; testp.{t}.f32 p, %a; selp.b32 %d, 1, 0, p; }}')
two('copysign.f32', 'f32')
# conversions
ints = [('u8', 16), ('s8', 16), ('u16', 16), ('s16', 16), ('u32', 32), ('s32', 32), ('u64', 64), ('s64', 64)]
floats = [('f16', 16), ('f32', 32), ('f64', 64)]
for (f, w) in floats:
    for (i, v) in ints:
        for r in ('rni', 'rzi', 'rmi', 'rpi'):
            for z in (('', '.ftz') if f == 'f32' else ('',)):
                T(f'cvt.{r}{z}.{i}.{f}', f, f'cvt.{r}{z}.{i}.{f} %d, %a;', v, w)
        for r in RN:
            T(f'cvt.{r}.{f}.{i}', 'i64', f'cvt.{r}.{f}.{i} %d, %a;', w, v)
        T(f'cvt.sat.{f}.{i}', 'i64', f'cvt.rn.sat.{f}.{i} %d, %a;', w, v)
    for (g, v) in floats:
        if f == g:
            for r in ('rni', 'rzi', 'rmi', 'rpi'):
                T(f'cvt.{r}.{f}.{f}', f, f'cvt.{r}.{f}.{f} %d, %a;', w, w)
                if f == 'f32': T(f'cvt.{r}.ftz.sat.{f}.{f}', f, f'cvt.{r}.ftz.sat.{f}.{f} %d, %a;', w, w)
        elif w < v:
            for r in RN:
                T(f'cvt.{r}.{f}.{g}', g, f'cvt.{r}.{f}.{g} %d, %a;', w, v)
        else:
            T(f'cvt.{f}.{g}', g, f'cvt.{f}.{g} %d, %a;', w, v)
            T(f'cvt.sat.{f}.{g}', g, f'cvt.sat.{f}.{g} %d, %a;', w, v)
T('cvt.rn.ftz.f16.f32', 'f32', 'cvt.rn.ftz.f16.f32 %d, %a;', 16, 32); T('cvt.ftz.f32.f16', 'f16', 'cvt.ftz.f32.f16 %d, %a;', 32, 16)
T('cvt.rn.ftz.f32.f64', 'f64', 'cvt.rn.ftz.f32.f64 %d, %a;', 32, 64); T('cvt.ftz.f64.f32', 'f32', 'cvt.ftz.f64.f32 %d, %a;', 64, 32)
for (f, v) in ints:
    for (g, w) in ints:
        if f != g:
            T(f'cvt.{f}.{g}', 'i64', f'cvt.{f}.{g} %d, %a;', v, w)
            T(f'cvt.sat.{f}.{g}', 'i64', f'cvt.sat.{f}.{g} %d, %a;', v, w)
for r in ('rn', 'rz'):
    T(f'cvt.{r}.bf16.f32', 'f32', f'cvt.{r}.bf16.f32 %d, %a;', 16, 32)
    for x in ('', '.relu'):
        T(f'cvt.{r}{x}.bf16x2.f32', 'f32', f'cvt.{r}{x}.bf16x2.f32 %d, %a, %b;'); T(f'cvt.{r}{x}.f16x2.f32', 'f32', f'cvt.{r}{x}.f16x2.f32 %d, %a, %b;')
T('cvt.rna.tf32.f32', 'f32', 'cvt.rna.tf32.f32 %d, %a;')
for t in ('e4m3x2', 'e5m2x2'):
    for x in ('', '.relu'):
        T(f'cvt{x}.{t}.f32', 'f32', f'cvt.rn.satfinite{x}.{t}.f32 %d, %a, %b;', 16)
        T(f'cvt{x}.{t}.f16x2', 'f16x2', f'cvt.rn.satfinite{x}.{t}.f16x2 %d, %a;', 16)
        T(f'cvt{x}.f16x2.{t}', 'i32', f'cvt.rn{x}.f16x2.{t} %d, %a;', 32, 16)
# halves
for ty, cls in (('f16', 'f16'), ('f16x2', 'f16x2'), ('bf16', 'bf16'), ('bf16x2', 'bf16x2')):
    w = 32 if 'x2' in ty else 16
    for op in ('add', 'sub', 'mul'):
        two(f'{op}.rn.{ty}', cls, w)
        if not ty.startswith('b'):
            for m in ('.ftz', '.sat', '.ftz.sat'): two(f'{op}.rn{m}.{ty}', cls, w)
    three(f'fma.rn.{ty}', cls, w); three(f'fma.rn.relu.{ty}', cls, w)
    if not ty.startswith('b'):
        for m in ('.ftz', '.sat', '.ftz.sat', '.ftz.relu'): three(f'fma.rn{m}.{ty}', cls, w)
    for op in ('min', 'max'):
        for m in ('', '.NaN', '.xorsign.abs', '.NaN.xorsign.abs'): two(f'{op}{m}.{ty}', cls, w)
    one(f'neg.{ty}', cls, w); one(f'abs.{ty}', cls, w)
    one(f'tanh.approx.{ty}', cls, w)
    one(f'ex2.approx{".ftz" if ty.startswith("b") else ""}.{ty}', cls, w)
    for cmp in 'eq ne lt le gt ge equ neu ltu leu gtu geu num nan'.split():
        if 'x2' in ty: T(f'set.{cmp}.{ty}', cls, f'set.{cmp}.{ty}.{ty} %d, %a, %b;')
        else: T(f'setp.{cmp}.{ty}', cls, f'{{ .reg .pred p; setp.{cmp}.{ty} p, %a, %b; selp.b32 %d, 1, 0, p; }}', 32, 16, 16, 16)
# warps
for m in ('up', 'down', 'bfly', 'idx'):
    for (cl, k) in ((0, 'w32'), (0x1f, 'c31'), (0x181f, 'seg8'), (0x1c03, 'seg4c')):
        T(f'shfl.{m}.{k}', 'small', f'{{ .reg .pred p; .reg .b32 t; shfl.sync.{m}.b32 t|p, %a, %b, {cl}, -1; selp.b32 %d, 0x80000000, 0, p; xor.b32 %d, %d, t; }}')
for v in ('all', 'any', 'uni'):
    T(f'vote.{v}', 'small', f'{{ .reg .pred p, q; setp.gt.u32 p, %a, 0; vote.sync.{v}.pred q, p, -1; selp.b32 %d, 1, 0, q; }}')
T('vote.ballot', 'small', '{ .reg .pred p; setp.gt.u32 p, %a, %b; vote.sync.ballot.b32 %d, p, -1; }')
T('match.any.b32', 'small', 'match.any.sync.b32 %d, %a, -1;'); T('match.any.b64', 'small', 'match.any.sync.b64 %d, %a, -1;', 32, 64)
T('match.all.b32', 'small', '{ .reg .pred p; match.all.sync.b32 %d|p, %a, -1; @p add.u32 %d, %d, 1; }')
for o in ('add', 'min', 'max', 'and', 'or', 'xor'):
    for ty in (('b32',) if o in ('and', 'or', 'xor') else ('u32', 's32')): T(f'redux.{o}.{ty}', 'i32', f'redux.sync.{o}.{ty} %d, %a, -1;')
T('elect', 'small', '{ .reg .pred p; .reg .b32 t; elect.sync t|p, -1; selp.b32 %d, t, 99, p; }')
# atomics, with a word for each thread
for o, ty, w in [('add', 'u32', 32), ('min', 's32', 32), ('max', 's32', 32), ('min', 'u32', 32), ('max', 'u32', 32), ('and', 'b32', 32), ('or', 'b32', 32), ('xor', 'b32', 32), ('exch', 'b32', 32), ('inc', 'u32', 32), ('dec', 'u32', 32), ('add', 'u64', 64), ('min', 's64', 64), ('max', 'u64', 64), ('exch', 'b64', 64), ('and', 'b64', 64), ('add.noftz', 'f16x2', 32), ('add', 'f32', 32), ('add', 'f64', 64), ('add.noftz', 'bf16x2', 32), ('add.noftz', 'f16', 16)]:
    cls = {'f32': 'f32', 'f64': 'f64', 'f16x2': 'f16x2', 'f16': 'f16', 'bf16x2': 'bf16x2'}.get(ty, 'i64' if w == 64 else 'i32')
    for space in ('global', 'shared', ''):
        dot = '.' + space if space else ''
        at = {'global': '%o', 'shared': '%s', '': '%o'}[space]
        T(f'atom{dot}.{o}.{ty}', cls, f'{{ .reg .b{w} t; st{dot}.b{w} [{at}], %a; atom{dot}.{o}.{ty} t, [{at}], %b; ld{dot}.b{w} %d, [{at}]; ' + ('xor.b%d %%d, %%d, t; }' % w), w, w, w, w)
for w in (32, 64):
    T(f'atom.cas.b{w}', 'small', f'{{ .reg .b{w} t; st.global.b{w} [%o], %a; atom.global.cas.b{w} t, [%o], %b, %c; ld.global.b{w} %d, [%o]; xor.b{w} %d, %d, t; }}', w, w, w, w)
# tensor cores: each lane has its words of the fragments; rows a b c x 4 words
def mma(name, cls, shape, na, nb, nc, f16c=False):
    tests.append((name, 'mma:' + cls, (shape, na, nb, nc), 32, 32, 32, 32))
mma('mma.m16n8k8.f16', 'f16x2', 'm16n8k8.row.col.f16.f16.f16.f16', 2, 1, 2)
mma('mma.m16n8k16.f16', 'f16x2', 'm16n8k16.row.col.f16.f16.f16.f16', 4, 2, 2)
mma('mma.m16n8k8.f32', 'f16x2', 'm16n8k8.row.col.f32.f16.f16.f32', 2, 1, 4)
mma('mma.m16n8k16.f32', 'f16x2', 'm16n8k16.row.col.f32.f16.f16.f32', 4, 2, 4)
mma('mma.m16n8k8.bf16', 'bf16x2', 'm16n8k8.row.col.f32.bf16.bf16.f32', 2, 1, 4)
mma('mma.m16n8k16.bf16', 'bf16x2', 'm16n8k16.row.col.f32.bf16.bf16.f32', 4, 2, 4)
mma('mma.m16n8k4.tf32', 'f32', 'm16n8k4.row.col.f32.tf32.tf32.f32', 2, 1, 4)
mma('mma.m16n8k8.tf32', 'f32', 'm16n8k8.row.col.f32.tf32.tf32.f32', 4, 2, 4)
for ty in ('s8.s8', 'u8.u8', 's8.u8'):
    for sat in ('', '.satfinite'):
        mma(f'mma.m16n8k16{sat}.{ty}', 'i32', f'm16n8k16.row.col{sat}.s32.{ty}.s32', 2, 1, 4)
        mma(f'mma.m16n8k32{sat}.{ty}', 'i32', f'm16n8k32.row.col{sat}.s32.{ty}.s32', 4, 2, 4)
mma('mma.m16n8k64.s4', 'i32', 'm16n8k64.row.col.s32.s4.s4.s32', 4, 2, 4)
mma('mma.m16n8k32.u4', 'i32', 'm16n8k32.row.col.s32.u4.u4.s32', 2, 1, 4)
mma('mma.m16n8k256.b1.xor', 'i32', 'm16n8k256.row.col.s32.b1.b1.s32.xor.popc', 4, 2, 4)
mma('mma.m16n8k256.b1.and', 'i32', 'm16n8k256.row.col.s32.b1.b1.s32.and.popc', 4, 2, 4)
mma('mma.m8n8k4.f64', 'f64', 'm8n8k4.row.col.f64.f64.f64.f64', 1, 1, 2)

def entry(i, t):
    name, cls, code, d, a, b, c = t
    head = f'// {name}\n.visible .entry t{i}(.param .u64 pi, .param .u64 po) {{\n  .reg .b32 %i, %n, %m; .reg .b64 %p, %o, %la, %lb, %lc, %ld; .reg .b{d} %d; .reg .b{a} %a; .reg .b{b} %b; .reg .b{c} %c;\n'
    head += '  .reg .b32 %s; .shared .align 8 .b64 sh[128];\n'
    head += '  mov.u32 %i, %tid.x; mov.u32 %n, %ctaid.x; mov.u32 %m, %ntid.x; mov.u32 %s, sh; mad.lo.u32 %s, %i, 8, %s; mad.lo.u32 %i, %n, %m, %i;\n'
    head += '  ld.param.u64 %p, [pi]; ld.param.u64 %o, [po];\n'
    if cls.startswith('mma:'):
        shape, na, nb, nc = code
        is64 = 'f64' in shape
        w = 64 if is64 else 32
        n = 12
        s = head + f'  mad.wide.u32 %p, %i, {n * 8}, %p; mad.wide.u32 %o, %i, 32, %o;\n'
        for k, r in enumerate([f'a{j}' for j in range(na)] + [f'b{j}' for j in range(nb)] + [f'c{j}' for j in range(nc)]):
            at = {'a': 0, 'b': 4, 'c': 6}[r[0]] + int(r[1])
            if is64: at = {'a': 0, 'b': 2, 'c': 4}[r[0]] + int(r[1])
            s += f'  .reg .b{w} %{r}; ld.global.b{w} %{r}, [%p+{at * (8)}];\n'
        for j in range(nc): s += f'  .reg .b{w} %d{j};\n'
        v = lambda l, k: '{' + ', '.join(f'%{l}{j}' for j in range(k)) + '}'
        if is64: A, B = '{%a0}', '{%b0}'
        else: A, B = v('a', na), v('b', nb)
        if 'b1' in shape: pass
        s += f'  mma.sync.aligned.{shape} {v("d", nc)}, {A}, {B}, {v("c", nc)};\n'
        for j in range(nc): s += f'  st.global.b{w} [%o+{j * w // 8}], %d{j};\n'
        return s + '  ret;\n}\n'
    s = head + '  mad.wide.u32 %p, %i, 24, %p; mad.wide.u32 %o, %i, 8, %o;\n  ld.global.b64 %la, [%p]; ld.global.b64 %lb, [%p+8]; ld.global.b64 %lc, [%p+16];\n'
    for r, w in (('a', a), ('b', b), ('c', c)):
        s += f'  mov.b64 %{r}, %l{r};\n' if w == 64 else f'  cvt.u{w}.u64 %{r}, %l{r};\n'
    s += '  ' + code + '\n'
    s += '  mov.b64 %ld, %d;\n' if d == 64 else f'  cvt.u64.u{d} %ld, %d;\n'
    return s + '  st.global.b64 [%o], %ld;\n  ret;\n}\n'

# values
R = random.Random(20261127)
def f32(x): return struct.unpack('<I', struct.pack('<f', x))[0]
def f64(x): return struct.unpack('<Q', struct.pack('<d', x))[0]
H32 = [0, 1, 2, 3, 7, 8, 31, 32, 33, 63, 64, 0x7f, 0x80, 0xff, 0x100, 0x7fff, 0x8000, 0xffff, 0x10000, 0x7fffffff, 0x80000000, 0x80000001, 0xffffffff, 0xfffffffe, 0xaaaaaaaa, 0x55555555, 0x80808080, 0x7f7f7f7f, 0x01020304, 0xdeadbeef]
H64 = H32 + [x << 32 for x in H32[1:]] + [0x7fffffffffffffff, 0x8000000000000000, 0xffffffffffffffff, 0xffffffff80000000, 0x123456789abcdef0]
def hard_float(e, m):
    bias = (1 << e - 1) - 1; top = (1 << e) - 1
    exps = sorted({0, 1, 2, bias - m - 1, bias - m, bias - 2, bias - 1, bias, bias + 1, bias + 2, bias + m, bias + m + 1, bias + 31, bias + 32, bias + 63, bias + 64, bias+7, bias+8, bias + 15, bias + 16, top - 2, top - 1, top} & set(range(top + 1)))
    mants = [0, 1, (1 << m) - 1, 1 << m - 1, (1 << m - 1) - 1, (1 << m - 1) + 1]
    return [s << e + m | x << m | f for s in (0, 1) for x in exps for f in mants]
HF = {'f16': hard_float(5, 10), 'bf16': hard_float(8, 7), 'f32': hard_float(8, 23), 'f64': hard_float(11, 52)}
W = {'f16': (5, 10), 'bf16': (8, 7), 'f32': (8, 23), 'f64': (11, 52)}
def rnd_float(k, near=None):
    e, m = W[k]
    z = R.random()
    if z < .3: return R.choice(HF[k])
    bias = (1 << e - 1) - 1
    if z < .8: x = min(max(bias + R.randint(-m - 4, m + 4), 0), (1 << e) - 1)
    else: x = R.randint(0, (1 << e) - 1)
    f = R.getrandbits(m) if R.random() < .7 else R.getrandbits(m) & R.getrandbits(m) & ~((1 << R.randint(0, m)) - 1)
    return R.getrandbits(1) << e + m | x << m | f
def val(cls):
    if cls == 'i32': return R.choice(H32) if R.random() < .5 else R.getrandbits(32) >> R.choice((0, 0, 0, 8, 16, 24))
    if cls == 'i64': return R.choice(H64) if R.random() < .5 else R.getrandbits(64) >> R.choice((0, 0, 0, 8, 32, 48))
    if cls == 'small': return R.choice((0, 1, 2, 3, 5, 31, 32, 40))
    if cls == 'f16x2': return rnd_float('f16') | rnd_float('f16') << 16
    if cls == 'bf16x2': return rnd_float('bf16') | rnd_float('bf16') << 16
    return rnd_float(cls)
def tame(cls):
    """A factor of a product that is neither infinite nor NaN."""
    if cls in ('f16x2', 'bf16x2'):
        k = cls[:-2]; e, m = W[k]; bias = (1 << e - 1) - 1
        one = lambda: R.getrandbits(1) << e + m | (bias + R.randint(-8, 6)) << m | R.getrandbits(m)
        return one() | one() << 16
    if cls in ('f32', 'f64'):
        e, m = W[cls]; bias = (1 << e - 1) - 1
        return R.getrandbits(1) << e + m | (bias + R.randint(-10, 10)) << m | R.getrandbits(m)
    return R.getrandbits(32)
classes = sorted({t[1] for t in tests})
def rows(cls):
    out = bytearray()
    if cls.startswith('mma:'):
        k = cls[4:]
        for warp in range(N // 32):
            wild = warp % 8 == 7
            for lane in range(32):
                for j in range(12):
                    if k in ('f16x2', 'bf16x2') and j >= 6 and not wild: v = tame('f32') if warp & 1 else tame('f16x2')
                    elif wild: v = val(k if j < 6 or k in ('i32','f64') else 'f32') if k not in ('f16x2', 'bf16x2') or j < 6 else rnd_float('f32')
                    else: v = tame(k) if k != 'i32' else R.getrandbits(32) if j < 6 else val('i32')
                    out += struct.pack('<Q', v)
        return bytes(out)
    H = HF.get(cls)
    pairs = list(itertools.product(H, H)) if H else []
    R.shuffle(pairs)
    for i in range(N):
        a, b, c = val(cls), val(cls), val(cls)
        if pairs and i < N // 2: a, b = pairs[i % len(pairs)]
        if cls.startswith('f') and R.random() < .15: c = a ^ (1 << (sum(W[cls]) if cls in W else 15))
        if cls == 'small': c = R.getrandbits(32)
        out += struct.pack('<QQQ', a, b, c)
    return bytes(out)


def results_bytes(cls):
    return N * (32 if cls.startswith('mma:') else 8)


def file_of(cls):
    return f'in.{cls.replace(":", "-")}.bin'


def ptx(arch, chosen):
    head = f'.version 8.5\n.target {arch}\n.address_size 64\n'
    return head + ''.join(entry(i, tests[i]) for i in chosen)


def kernels(folder, arch):
    """The kernels that ptxas accepts, in one cubin; operands; the plan."""
    os.makedirs(folder, exist_ok=True)

    def compiles(i):
        path = f'{folder}/one.ptx'
        with open(path, 'w') as file:
            file.write(ptx(arch, [i]))
        return subprocess.run(['ptxas', f'-arch={arch}', path, '-o', os.devnull], capture_output=True).returncode == 0

    good = [i for i in range(len(tests)) if compiles(i)]
    with open(f'{folder}/all.{arch}.ptx', 'w') as file:
        file.write(ptx(arch, good))
    subprocess.run(['ptxas', f'-arch={arch}', f'{folder}/all.{arch}.ptx', '-o', f'{folder}/all.{arch}.cubin'], check=True)
    plan = [f'module all.{arch}.cubin']
    for cls in classes:
        data = rows(cls)
        with open(f'{folder}/{file_of(cls)}', 'wb') as file:
            file.write(data)
        plan.append(f'buffer {cls} {file_of(cls)} {len(data)}')
    plan.append(f'buffer out - {N * 32}')
    for i in good:
        cls = tests[i][1]
        plan.append(f'launch t{i} {N // 128} 1 1 128 1 1 0 b {cls} 0 b out 0')
        plan.append(f'save out results/t{i}.bin {results_bytes(cls)}')
    with open(f'{folder}/all.plan', 'w') as file:
        file.write('\n'.join(plan) + '\n')
    json.dump(good, open(f'{folder}/{arch}.json', 'w'))
    print(f'{len(good)} of {len(tests)} instructions')


def run(isagen, folder, arch, some):
    """The results of kernels in isagen, or the reason why a kernel has none."""
    some, found = list(some), {}
    while some:
        buffers = {tests[i][1]: {'file': file_of(tests[i][1])} for i in some}
        buffers |= {f't{i}': {'bytes': results_bytes(tests[i][1]), 'save': f'ours/t{i}.bin'} for i in some}
        launches = [
            {'kernel': f't{i}', 'grid': [N // 128], 'block': [128], 'arguments': [{'buffer': tests[i][1]}, {'buffer': f't{i}'}]}
            for i in some
        ]
        os.makedirs(f'{folder}/ours', exist_ok=True)
        launch = {'program': f'all.{arch}.cubin', 'buffers': buffers, 'launches': launches, 'expect': []}
        json.dump(launch, open(f'{folder}/ours.json', 'w'))
        done = subprocess.run([isagen, 'run', '--launch', f'{folder}/ours.json'], capture_output=True, text=True)
        if done.returncode == 0:
            for i in some:
                with open(f'{folder}/ours/t{i}.bin', 'rb') as file:
                    found[i] = file.read()
            break
        # The kernel with the error is left out.
        bad = re.search(r'in kernel `t(\d+)`', done.stderr)
        if not bad:
            raise SystemExit(done.stderr)
        found[int(bad[1])] = ' '.join(done.stderr.split('\n')[:2])
        some.remove(int(bad[1]))
    return found


# The number of kernels that run at once.
BATCH = 32


def compare(folder, arch, isagen, parts):
    """Compares all results with those of the GPU: the equal tests, and the number of differences of the others."""
    counts, report = collections.Counter(), {}
    chosen = [i for i in json.load(open(f'{folder}/{arch}.json')) if not parts or any(part in tests[i][0] for part in parts)]
    for batch in (chosen[at:at + BATCH] for at in range(0, len(chosen), BATCH)):
        for i, ours in sorted(run(isagen, folder, arch, batch).items()):
            name = tests[i][0]
            with open(f'{folder}/results/t{i}.bin', 'rb') as file:
                theirs = file.read()
            if isinstance(ours, str):
                counts['not run'] += 1
                report[name] = ours
            elif ours == theirs:
                counts['equal'] += 1
                report[name] = 'equal'
            else:
                a, b = (struct.unpack(f'<{len(x) // 8}Q', x) for x in (ours, theirs))
                different = [k for k in range(len(a)) if a[k] != b[k]]
                counts['different'] += 1
                first = different[0]
                report[name] = f'{len(different)} of {len(a)}: row {first}: {a[first]:#x}, the GPU {b[first]:#x}'
            print(f'{name}: {report[name]}', flush=True)
    json.dump(report, open(f'{folder}/report.{arch}.json', 'w'), indent=0)
    print(dict(counts))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('command', choices=['kernels', 'compare'])
    parser.add_argument('folder')
    parser.add_argument('rest', nargs='*')
    parser.add_argument('--arch', default='sm_80')
    parser.add_argument('--isagen', default='isagen')
    args = parser.parse_intermixed_args()
    if args.command == 'kernels':
        kernels(args.folder, args.arch)
    else:
        compare(args.folder, args.arch, args.isagen, args.rest)


if __name__ == '__main__':
    main()
