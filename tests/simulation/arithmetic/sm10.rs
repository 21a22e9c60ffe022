//! SM 1.0, after what is known of G80: integers with their flags, conditions, address registers. Operands in memory are left to kernels.

use super::on_both_engines;
use harness::{Fields, Random, Warp, WarpEngine};
use isa_reference::codec::Codec;
use isa_sim::Action;
use isa_spec::model::{Form, Isa, Word};

on_both_engines! {
    "flexgrip.yaml" flexgrip: iadd imul imad shl shr lop iset i2i mov addresses floats;
}

/// Random words of each form.
const PER_FORM: usize = 24;

/// One lane.
#[derive(Clone, Debug, PartialEq)]
struct Lane {
    number: usize,
    r: Vec<u32>,
    a: Vec<u16>,
    /// Z is bit 0, then S, C, O.
    c: Vec<u8>,
    /// The value of the variant `fmad`.
    fmad: usize,
}

impl Lane {
    fn register(&self, file: &str, n: usize) -> u32 {
        match file {
            "R" => self.r[n],
            "RH" => self.r[n / 2] >> (16 * (n % 2)) & 0xffff,
            _ => panic!("no register file {file}"),
        }
    }

    /// A register, a half of one, or a number.
    fn source(&self, i: &Fields<'_>, name: &str) -> u32 {
        let r = format!("{name}.r");
        match i.file(&r) {
            Some(file) => self.register(file, i.register(&r)),
            None => i.get(&format!("{name}.n")) as u32,
        }
    }

    /// The destination, if there is one, takes bits of a result, and so do Z and S.
    fn result(&mut self, i: &Fields<'_>, value: i128, width: u32, carry: bool, over: bool) {
        let value = value as u32 & (u32::MAX >> (32 - width));
        if let Some(file) = i.file("d.r") {
            let n = i.register("d.r");
            if file == "R" {
                self.r[n] = value;
            } else {
                let at = 16 * (n % 2);
                self.r[n / 2] = self.r[n / 2] & !(0xffff << at) | (value & 0xffff) << at;
            }
        }
        if i.is_set("flags.set") {
            let flags = [value == 0, value >> (width - 1) & 1 == 1, carry, over];
            self.c[i.register("flags.creg")] = flags.iter().rev().fold(0, |c, flag| c << 1 | u8::from(*flag));
        }
    }

    /// By the table of conditions, with each name's own meaning.
    fn condition(&self, code: u128, register: usize) -> bool {
        let [z, s, c, o] = [0, 1, 2, 3].map(|bit| self.c[register] >> bit & 1 == 1);
        match code {
            0x00 => false,
            0x01 => (s && !z) ^ o,
            0x02 => z && !s,
            0x03 => s ^ (z || o),
            0x04 => !z && s == o,
            0x05 => !z,
            0x06 => s == o,
            0x07 => !(z && s),
            0x08 => z && s,
            0x09 => s != o,
            0x0a => z,
            0x0b => z || s != o,
            0x0c => s == (z || o),
            0x0d => !z || s,
            0x0e => (!s || z) ^ o,
            0x0f => true,
            0x10 => o,
            0x11 => c,
            0x12 => !z && c,
            0x13 => s,
            0x1c => !s,
            0x1d => z || !c,
            0x1e => !c,
            0x1f => !o,
            _ => panic!("no condition {code:#x}"),
        }
    }

    /// `x + y`, `x - y`, `y - x`, or `x + y` and a carry, limited or not.
    fn sum(&mut self, i: &Fields<'_>, x: u32, y: u32, width: u32, limited: bool) {
        let carry_in = self.c[i.find("guard.creg").unwrap_or(0) as usize] >> 2 & 1;
        let modulus = 1i128 << width;
        let (ux, uy) = (i128::from(x) % modulus, i128::from(y) % modulus);
        let signed = |u: i128| if u >= modulus / 2 { u - modulus } else { u };
        let (sx, sy) = (signed(ux), signed(uy));
        let (exact, carry) = match i.get("kind") {
            0 => (sx + sy, ux + uy >= modulus),
            1 => (sx - sy, ux >= uy),
            2 => (sy - sx, uy >= ux),
            _ => (sx + sy + i128::from(carry_in), ux + uy + i128::from(carry_in) >= modulus),
        };
        let nearest = exact.clamp(-modulus / 2, modulus / 2 - 1);
        let value = if limited { nearest } else { exact };
        self.result(i, value, width, carry, nearest != exact);
    }
}

fn signed(value: u32, width: u32) -> i128 {
    i128::from((value << (32 - width)) as i32 >> (32 - width))
}

fn unsigned(value: u32, width: u32) -> i128 {
    i128::from(value & (u32::MAX >> (32 - width)))
}

fn number(value: u32, width: u32, is_signed: bool) -> i128 {
    if is_signed { signed(value, width) } else { unsigned(value, width) }
}

/// Bits of the operation: whole registers or halves.
fn width(i: &Fields<'_>) -> u32 {
    if i.pick("size") == "w" { 32 } else { 16 }
}

type Model = fn(&Fields<'_>, &mut Lane);

fn lanes(warp: &Warp<'_>) -> Vec<Lane> {
    let s = warp.state();
    (0..warp.lanes())
        .map(|lane| Lane {
            number: lane,
            r: (0..128).map(|n| s.register(0, n, lane) as u32).collect(),
            a: (0..8).map(|n| s.register(2, n, lane) as u16).collect(),
            c: (0..4).map(|n| s.flags(0, n, lane) as u8).collect(),
            fmad: warp.variants[0],
        })
        .collect()
}

/// True if a form reads memory.
fn reads_memory(form: &Form) -> bool {
    form.fields.iter().any(|f| ["mode", "step", "bank"].contains(&f.name.as_str()))
}

/// Holds instructions against their model, in all lanes, with flags and address registers.
fn check(isa: &Isa, engine: &dyn WarpEngine, names: &[&str], adjust: impl Fn(&Form, Word) -> Word, model: Model) {
    let mut random = Random::new(0x6f1a95);
    let (codec, mut warp) = (Codec::new(isa), Warp::new(engine, 0x40));
    for name in names {
        let instruction = isa.instructions.iter().find(|i| i.name == *name).unwrap_or_else(|| panic!("no {name}"));
        let mut done = 0;
        for form in isa.forms_of(instruction).iter().filter(|f| !reads_memory(f)) {
            for turn in 0..PER_FORM {
                let word = adjust(form, random.word_of(form));
                // Every other one is always executed.
                let word = match form.field("guard.cond") {
                    Some(cond) if turn % 2 == 0 => cond.bits.set(word, 0xf),
                    _ => word,
                };
                if codec.decode(word, form.length) != Ok(form.id) {
                    continue;
                }
                warp.prepare(word, form.length).unwrap_or_else(|e| panic!("{word:#x}: {e}"));
                let i = Fields::new(isa, form, word);
                warp.fill(&mut random);
                warp.variants[0] = turn % 3;
                let active = random.next_u64() & 0xffff_ffff;
                let mut expected = lanes(&warp);
                for lane in expected.iter_mut().filter(|l| active >> l.number & 1 == 1) {
                    if i.find("guard.cond").is_none_or(|code| lane.condition(code, i.register("guard.creg"))) {
                        model(&i, lane);
                        done += 1;
                    }
                }
                let ran = warp.execute(active);
                let text = engine.text(word, form.length, 0);
                let (exit, join) = (i.find("mark") == Some(1), i.find("mark") == Some(2));
                let wanted = (if exit { active } else { 0 }, if join { active } else { 0 });
                assert_eq!(
                    (ran.trouble, ran.flow.wanted()[Action::Exit], ran.flow.wanted()[Action::Join]),
                    (None, wanted.0, wanted.1),
                    "{text}"
                );
                for (now, expected) in lanes(&warp).iter().zip(&expected) {
                    for (n, (now, expected)) in now.r.iter().zip(&expected.r).enumerate() {
                        assert_eq!(now, expected, "`{text}` leaves {now:#x}, not {expected:#x}, in R{n}");
                    }
                    assert_eq!((&now.c, &now.a), (&expected.c, &expected.a), "`{text}`, flags and address registers");
                }
            }
        }
        assert!(done > 100, "{name} was executed {done} times");
    }
}

fn as_it_is(_: &Form, word: Word) -> Word {
    word
}

fn iadd(isa: &Isa, engine: &dyn WarpEngine) {
    check(isa, engine, &["IADD", "IADD32", "IADD32I"], as_it_is, |i, lane| {
        let (a, b) = (lane.source(i, "a"), lane.source(i, "b"));
        lane.sum(i, a, b, width(i), i.is_set("sat"));
    });
}

fn imul(isa: &Isa, engine: &dyn WarpEngine) {
    check(isa, engine, &["IMUL", "IMUL32", "IMUL32I"], as_it_is, |i, lane| {
        let (a, b) = (lane.source(i, "a"), lane.source(i, "b"));
        let product = if i.pick("by") == "b16" {
            number(a, 16, i.is_set("signed_a")) * number(b, 16, i.is_set("signed_b"))
        } else {
            let product = number(a, 24, i.is_set("type")) * number(b, 24, i.is_set("type"));
            if i.is_set("hi") { product >> 16 } else { product }
        };
        lane.result(i, product, 32, false, false);
    });
}

fn imad(isa: &Isa, engine: &dyn WarpEngine) {
    check(isa, engine, &["IMAD", "IMAD32", "IMAD32I"], as_it_is, |i, lane| {
        let (a, b) = (lane.source(i, "a"), lane.source(i, "b"));
        let c = lane.source(i, if i.find("c.r").is_some() { "c" } else { "d" });
        // Width, sign, high part, limit.
        let (bits, is_signed, high, limited) = match i.get("type") {
            0 => (16, false, false, false),
            1 => (16, true, false, false),
            2 => (16, true, false, true),
            3 => (24, false, false, false),
            4 => (24, true, false, false),
            5 => (24, true, false, true),
            6 => (24, false, true, false),
            7 => (24, true, true, false),
            _ => (24, true, true, true),
        };
        let product = number(a, bits, is_signed) * number(b, bits, is_signed);
        lane.sum(i, if high { product >> 16 } else { product } as u32, c, 32, limited);
    });
}

/// Shifts by a few bits: most numbers in registers are far too large.
fn small_counts(form: &Form, word: Word) -> Word {
    match form.field("b.n") {
        Some(count) => count.bits.set(word, count.bits.get(word) % 36),
        None => word,
    }
}

fn shl(isa: &Isa, engine: &dyn WarpEngine) {
    check(isa, engine, &["SHL"], small_counts, |i, lane| {
        let (a, count, width) = (lane.source(i, "a"), lane.source(i, "b"), width(i));
        let wide = if count < 64 { unsigned(a, width) << count } else { 0 };
        let over = count == 1 && (wide >> width ^ wide >> (width - 1)) & 1 == 1;
        // A bit that leaves with all others is no carry.
        lane.result(i, wide, width, count < width && wide >> width & 1 == 1, over);
    });
}

fn shr(isa: &Isa, engine: &dyn WarpEngine) {
    check(isa, engine, &["SHR"], small_counts, |i, lane| {
        let (a, count, width) = (lane.source(i, "a"), lane.source(i, "b"), width(i));
        let x = number(a, width, i.is_set("sign"));
        let value = x >> count.min(100);
        let last = count > 0 && count < width && x >> (count - 1) & 1 == 1;
        let over = count == 1 && (x >> (width - 1) ^ value >> (width - 1)) & 1 == 1;
        lane.result(i, value, width, last, over);
    });
}

fn lop(isa: &Isa, engine: &dyn WarpEngine) {
    check(isa, engine, &["LOP"], as_it_is, |i, lane| {
        let inverted = |value: u32, not: &str| if i.is_set(not) { !value } else { value };
        let (a, b) = (inverted(lane.source(i, "a"), "not_a"), inverted(lane.source(i, "b"), "not_b"));
        let value = [a & b, a | b, a ^ b, b][i.get("logic") as usize];
        lane.result(i, value.into(), width(i), false, false);
    });
}

fn iset(isa: &Isa, engine: &dyn WarpEngine) {
    check(isa, engine, &["ISET"], as_it_is, |i, lane| {
        let [a, b] = ["a", "b"].map(|n| number(lane.source(i, n), width(i), i.is_set("sign")));
        let holds = i.get("cmp") >> (a.cmp(&b) as i8 + 1) & 1 == 1;
        lane.result(i, -i128::from(holds), width(i), false, false);
    });
}

fn i2i(isa: &Isa, engine: &dyn WarpEngine) {
    check(isa, engine, &["I2I"], as_it_is, |i, lane| {
        let x = lane.source(i, "a");
        let n = match i.get("type") {
            0 => unsigned(x, 16),
            1 => unsigned(x, 32),
            2 | 3 => unsigned(x, 8),
            4 => signed(x, 16),
            5 => signed(x, 32),
            _ => signed(x, 8),
        };
        let n = if i.is_set("abs_a") { n.abs() } else { n };
        let n = if i.is_set("minus_a") { -n } else { n };
        let bits = if i.is_set("to8") { 8 } else { width(i) };
        let (least, most) =
            if i.is_set("sign") { (-1i128 << (bits - 1), (1i128 << (bits - 1)) - 1) } else { (0, (1i128 << bits) - 1) };
        lane.result(i, n.clamp(least, most), width(i), false, false);
    });
}

fn mov(isa: &Isa, engine: &dyn WarpEngine) {
    check(isa, engine, &["MOV"], as_it_is, |i, lane| {
        if i.get("lanes") >> (lane.number % 4) & 1 == 1 {
            let value = lane.source(i, "a");
            lane.result(i, value.into(), width(i), false, false);
        }
    });
    check(isa, engine, &["MOV32"], as_it_is, |i, lane| {
        let value = lane.source(i, "a");
        lane.result(i, value.into(), width(i), false, false);
    });
    check(isa, engine, &["MVI"], as_it_is, |i, lane| {
        let value = lane.source(i, "b");
        lane.result(i, value.into(), width(i), false, false);
    });
}

fn addresses(isa: &Isa, engine: &dyn WarpEngine) {
    /// A0 is always 0.
    fn set(lane: &mut Lane, n: usize, value: u32) {
        if n > 0 {
            lane.a[n] = value as u16;
        }
    }
    check(isa, engine, &["R2A"], as_it_is, |i, lane| {
        let value = lane.source(i, "a") << i.get("shift");
        set(lane, i.register("d"), value);
    });
    check(isa, engine, &["A2R"], as_it_is, |i, lane| {
        let value = lane.a[i.register("a")].into();
        lane.result(i, value, 32, false, false);
    });
    check(isa, engine, &["ADA"], as_it_is, |i, lane| {
        let value = u32::from(lane.a[i.register("a")]) + i.get("n") as u32;
        set(lane, i.register("d"), value);
    });
}

fn flushed(x: f32) -> f32 {
    if x.is_subnormal() { 0f32.copysign(x) } else { x }
}

/// A float as an instruction leaves it, with Z set for 0 and NaN, S for negative numbers, of which -0 is none, and NaN.
fn float_result(i: &Fields<'_>, lane: &mut Lane, x: f32) {
    let x = flushed(x);
    let bits = if x.is_nan() { 0x7fff_ffff } else { x.to_bits() };
    let flags = lane.c.clone();
    lane.result(i, bits.into(), 32, false, false);
    lane.c = flags;
    if i.is_set("flags.set") {
        let (zero, negative) = (x == 0.0 || x.is_nan(), x < 0.0 || x.is_nan());
        lane.c[i.register("flags.creg")] = u8::from(zero) | u8::from(negative) << 1;
    }
}

fn float(i: &Fields<'_>, lane: &Lane, name: &str) -> f32 {
    let bits = lane.source(i, name) ^ u32::from(i.is_set(&format!("minus_{name}"))) << 31;
    flushed(f32::from_bits(bits))
}

/// Towards zero, from more than enough places.
fn truncated(x: f64) -> f32 {
    let near = x as f32;
    if f64::from(near).abs() > x.abs() { f32::from_bits(near.to_bits() - 1) } else { near }
}

fn to_nearest(form: &Form, word: Word) -> Word {
    form.field("round").map_or(word, |round| round.bits.set(word, 0))
}

fn floats(isa: &Isa, engine: &dyn WarpEngine) {
    check(isa, engine, &["FADD"], to_nearest, |i, lane| {
        let (a, b) = (float(i, lane, "a"), float(i, lane, "b"));
        float_result(i, lane, a + b);
    });
    check(isa, engine, &["F2F"], as_it_is, |i, lane| {
        let a = f32::from_bits(lane.source(i, "a"));
        let size = flushed(if i.is_set("abs_a") { a.abs() } else { a });
        let x = if i.is_set("minus_a") { -size } else { size };
        let whole = match i.get("round") {
            0 => x.round_ties_even(),
            1 => x.floor(),
            2 => x.ceil(),
            _ => x.trunc(),
        };
        float_result(i, lane, if i.is_set("integer") { whole } else { x });
    });
    check(isa, engine, &["FMUL"], as_it_is, |i, lane| {
        let (a, b) = (float(i, lane, "a"), float(i, lane, "b"));
        let exact = f64::from(a) * f64::from(b);
        float_result(i, lane, if i.is_set("round") { truncated(exact) } else { a * b });
    });
    check(isa, engine, &["FMAD"], as_it_is, |i, lane| {
        let (a, b, c) = (float(i, lane, "a"), float(i, lane, "b"), float(i, lane, "c"));
        let value = match lane.fmad {
            0 => a.mul_add(b, c),
            1 => flushed(a * b) + c,
            _ => flushed(truncated(f64::from(a) * f64::from(b))) + c,
        };
        float_result(i, lane, value);
    });
    check(isa, engine, &["FSET"], as_it_is, |i, lane| {
        let size = |x: f32, name| if i.is_set(name) { x.abs() } else { x };
        let sign = |x: f32, name| if i.is_set(name) { -x } else { x };
        let a = sign(size(flushed(f32::from_bits(lane.source(i, "a"))), "abs_a"), "minus_a");
        let b = sign(size(flushed(f32::from_bits(lane.source(i, "b"))), "abs_b"), "minus_b");
        let bit = a.partial_cmp(&b).map_or(3, |order| order as i8 + 1);
        lane.result(i, -i128::from(i.get("cmp") >> bit & 1 == 1), 32, false, false);
    });
}
