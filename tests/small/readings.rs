//! Numbers computed from one field, for all factors, constants and moduli of some ranges: texts, conditions, reading back and full
//! texts are what a loop over all words says, of both codecs.

use harness::small::{caught, of_seeds};
use harness::{Codec, amount};
use isa_reference::samples::Random;
use isa_spec::diag::Severity;

/// Instructions of one specification.
const AT_ONCE: usize = 256;

/// The meaning of the number.
#[derive(Clone, Copy, Debug, PartialEq)]
enum As {
    Number,
    Register,
    /// Registers of a part of a file, that begin with number 8.
    Part,
    /// An enumeration with `else`.
    Enum,
    Flag,
    Bitset,
}

const ALL: [As; 6] = [As::Number, As::Register, As::Part, As::Enum, As::Flag, As::Bitset];

/// The meaning of the field.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Meaning {
    /// It has a sign or none, and a scale.
    Number(bool, i128),
    /// A register of the part.
    Part,
}

/// `(y * k + c) % 2^n as …` of a field of `width` bits.
#[derive(Clone, Copy, Debug)]
struct Case {
    width: u32,
    field: Meaning,
    k: i128,
    c: i128,
    n: Option<u32>,
    of: As,
    /// The number that conditions compare with.
    t: i128,
    /// The number of the case.
    at: usize,
}

/// A condition, and whether it holds for the bits of a field.
type Question<'a> = (String, Box<dyn Fn(u64) -> bool + 'a>);

impl Case {
    fn field(&self, raw: u64) -> i128 {
        let raw = i128::from(raw);
        match self.field {
            Meaning::Number(true, scale) if raw >> (self.width - 1) == 1 => (raw - (1 << self.width)) * scale,
            Meaning::Number(_, scale) => raw * scale,
            Meaning::Part => raw + 8,
        }
    }

    /// The number of the reading for some bits of the field.
    fn number(&self, raw: u64) -> i128 {
        let number = self.field(raw) * self.k + self.c;
        let number = self.n.map_or(number, |n| number.rem_euclid(1 << n));
        let bits = match self.of {
            As::Number => return number,
            As::Register => 4,
            As::Part | As::Bitset => 3,
            As::Enum => self.width,
            As::Flag => 1,
        };
        number.rem_euclid(1 << bits)
    }

    fn text(&self, raw: u64) -> String {
        let number = self.number(raw);
        match self.of {
            As::Number => number.to_string(),
            As::Register => format!("x{number}"),
            As::Part => format!("x{}", number + 8),
            As::Enum => ["a", "b"].get(number as usize).map_or(format!("e{number}"), ToString::to_string),
            As::Flag => if number == 1 { "f" } else { "" }.to_string(),
            As::Bitset => (0..3).map(|bit| if number >> bit & 1 == 1 { ["u", "v", "w"][bit] } else { "-" }).collect(),
        }
    }

    /// A quarter of the conditions, and whether they hold for some bits: another quarter for each case.
    fn conditions(&self) -> Vec<Question<'_>> {
        let (q, t) = (|raw| self.number(raw), self.t);
        // Numbers of registers of a part are those in the whole file.
        let whole = move |raw| q(raw) + if self.of == As::Part { 8 } else { 0 };
        type Holds = fn(i128, i128) -> bool;
        let compared: [(&str, Holds); 6] = [
            ("==", |a, b| a == b),
            ("!=", |a, b| a != b),
            ("<", |a, b| a < b),
            ("<=", |a, b| a <= b),
            (">", |a, b| a > b),
            (">=", |a, b| a >= b),
        ];
        let mut all: Vec<Question<'_>> = Vec::new();
        for (operator, holds) in compared {
            all.push((format!("q {operator} {t}"), Box::new(move |raw| holds(q(raw), t))));
            let sum = t.rem_euclid(3) - 1;
            let shown = if sum < 0 { format!("- {}", -sum) } else { format!("+ {sum}") };
            all.push((
                format!("number(q) {shown} {operator} number(y)"),
                Box::new(move |raw| holds(whole(raw) + sum, self.field(raw))),
            ));
            let odd = move |raw| self.field(raw) & 1;
            all.push((format!("number(p) {operator} number(q)"), Box::new(move |raw| holds(odd(raw), whole(raw)))));
        }
        let m = t.rem_euclid(7) + 1;
        all.push(("q".to_string(), Box::new(move |raw| q(raw) != 0)));
        all.push((format!("q % {m} == {}", m / 2), Box::new(move |raw| q(raw).rem_euclid(m) == m / 2)));
        all.push((format!("q & {m} != {}", m & 5), Box::new(move |raw| q(raw) & m != m & 5)));
        all.push((
            format!("q in {{ {t}, {} .. {} }}", t + 2, t + 4),
            Box::new(move |raw| q(raw) == t || (t + 2..=t + 4).contains(&q(raw))),
        ));
        all.push(("onehot(q)".to_string(), Box::new(move |raw| q(raw) > 0 && q(raw).count_ones() == 1)));
        let mut place = self.at;
        all.retain(|_| {
            place += 1;
            place.is_multiple_of(4)
        });
        all
    }

    /// Some bits of the field: all, if they are few.
    fn raws(&self) -> Vec<u64> {
        if self.width <= 6 {
            return (0..1 << self.width).collect();
        }
        let all = (1u64 << self.width) - 1;
        let mut random = Random::new(all ^ self.t as u64 | 1);
        let near = [0, 1, 2, all >> 1, (all >> 1) + 1, all - 1, all, self.t as u64 & all];
        near.into_iter().chain((0..16).map(|_| random.next_u64() & all)).collect()
    }

    fn instruction(&self, opcode: usize, word: u32) -> String {
        let Self { width, field, k, c, n, of, .. } = self;
        let (field, of) = (
            match field {
                Meaning::Number(signed, scale) => format!("{} *{scale}", if *signed { "signed" } else { "unsigned" }),
                Meaning::Part => "P".to_string(),
            },
            match of {
                As::Number => "",
                As::Register => " as X",
                As::Part => " as P",
                As::Enum => " as E",
                As::Flag => " as \"f\"",
                As::Bitset => " as bitset \"uvw\"",
            },
        );
        let number = format!("y * ({k}) + ({c})");
        let number = n.map_or(number.clone(), |n| format!("({number}) % {}", 1u128 << n));
        let groups: String = ('A'..).zip(self.conditions()).map(|(mark, (cond, _))| format!("<when {cond}: {mark}>")).collect();
        format!(
            "  i{opcode}: {{ fix: {{ {}..{}: {opcode} }}, fields: {{ y: {}..0 {field} }}, rest: reserved, \
             readings: {{ q: '{number}{of}', p: 'y & 1' }}, text: 'i{opcode} {{q}}.{groups}' }}\n",
            word - 1,
            word - 8,
            width - 1
        )
    }
}

/// The cases, in an order in which neighbours are unlike.
fn cases() -> Vec<Case> {
    let mut all = Vec::new();
    for width in 1..=6 {
        let numbers = [1, -1, 3].into_iter().flat_map(|scale| [Meaning::Number(false, scale), Meaning::Number(true, scale)]);
        for field in numbers.chain((width == 3).then_some(Meaning::Part)) {
            for n in [None].into_iter().chain((0..=width + 2).map(Some)) {
                for k in -4..=16 {
                    for c in [0, 1, -3] {
                        for of in ALL {
                            let t = (k * 7 + c * 3 + i128::from(width * 5 + n.unwrap_or(9))).rem_euclid(1 << width.min(4))
                                * if n.is_some() { 1 } else { k.signum() };
                            all.push(Case { width, field, k, c, n, of, t, at: all.len() });
                        }
                    }
                }
            }
        }
    }
    all
}

#[test]
fn one_field_times_a_number_plus_a_number() {
    let all = cases();
    assert!(all.len() > 100_000);
    examine_some(&all, amount(all.len() / 4, all.len() / 300));
}

#[test]
#[ignore = "six CPU minutes"]
fn one_field_times_a_number_plus_a_number_in_all_cases() {
    let all = cases();
    examine_some(&all, all.len());
}

/// Checks so many of the cases.
fn examine_some(all: &[Case], count: usize) {
    // A step that shares no factor with the numbers of choices.
    let some: Vec<Case> = (0..count).map(|at| all[at * 100_003 % all.len()]).collect();
    let specs: Vec<&[Case]> = some.chunks(AT_ONCE).collect();
    of_seeds(0..specs.len() as u64, |at| caught(|| examine(specs[at as usize], 16)));
}

/// Numbers that no table has: steps compute them.
#[test]
fn one_wide_field_times_a_number_plus_a_number() {
    of_seeds(1..amount(201, 4), |seed| {
        let mut random = Random::new(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        let mut below = move |n: u64| (random.next_u64() >> 16) % n;
        let case = |at: usize| {
            let width = 17 + below(38) as u32;
            let scale = [1, 1, -1, 3, 4][below(5) as usize];
            let n = (below(4) > 0).then(|| 17 + below(48) as u32);
            let k = [1, 1, -1, 2, 3, 5, 8, -6][below(8) as usize];
            let c = [0, 1, -7, 1 << 20, -(1 << 40)][below(5) as usize];
            let t = [0, 1 << 17, (1 << 17) - 1, i128::from(below(1 << 50)), -5][below(5) as usize];
            Case { width, field: Meaning::Number(below(2) == 0, scale), k, c, n, of: As::Number, t, at: seed as usize + at }
        };
        caught(|| examine(&(0..8).map(case).collect::<Vec<_>>(), 64))
    });
}

/// Checks instructions with readings in words of so many bits.
fn examine(cases: &[Case], bits: u32) -> Result<(), String> {
    let mut spec = format!(
        "isa: all\nword: {bits}\nnumbers: dec\nregisters:\n  X: {{ index: 4, text: 'x{{n}}' }}\n  \
         P: {{ of: X, from: 8, index: 3 }}\nenums:\n  E: {{ 0: a, 1: b, else: 'e{{n}}' }}\ninstructions:\n",
    );
    cases.iter().enumerate().for_each(|(opcode, case)| spec.push_str(&case.instruction(opcode, bits)));
    let loaded = isa_spec::load_str("all.yaml", &spec, None);
    let errors: Vec<_> = loaded.diagnostics.iter().filter(|d| d.severity == Severity::Error).collect();
    let isa = loaded.isa.ok_or_else(|| format!("{errors:?}\n{spec}"))?;
    let codec = Codec::new(&isa);
    cases.iter().enumerate().try_for_each(|(opcode, case)| {
        let checked = caught(|| words(case, opcode, bits, &codec));
        checked.map_err(|fault| format!("{case:?}: {fault}\n{}", case.instruction(opcode, bits)))
    })
}

/// Checks the words of an instruction.
fn words(case: &Case, opcode: usize, bits: u32, codec: &Codec<'_>) -> Result<(), String> {
    let conditions = case.conditions();
    let text = |raw: u64| -> String {
        let marks = ('A'..).zip(&conditions).filter(|(_, (_, holds))| holds(raw)).map(|(mark, _)| mark);
        format!("i{opcode} {}.{}", case.text(raw), marks.collect::<String>())
    };
    for raw in case.raws() {
        let word = (opcode as u64) << (bits - 8) | raw;
        let id = codec.decode(word.into(), bits).map_err(|why| format!("{word:#x}: {why:?}"))?;
        let (mut printed, mut full, expected) = (String::new(), String::new(), text(raw));
        codec.print(id, word.into(), 0, &mut printed);
        if printed != expected {
            return Err(format!("{word:#x} prints `{printed}`, not `{expected}`"));
        }
        codec.print_full(id, word.into(), 0, &mut full);
        let read = |text: &str| codec.parse(text, 0, &|_| None).map(|(_, word)| word.low() as u64);
        if read(&full).ok() != Some(word) {
            return Err(format!("{word:#x}: `{full}` is read as {:x?}", read(&full)));
        }
        let opcodes = (1 << (bits - 8)) - 1;
        if read(&printed).map(|word| text(word & opcodes)).ok().as_ref() != Some(&expected) {
            return Err(format!("{word:#x}: `{printed}` is read as {:x?}", read(&printed)));
        }
    }
    Ok(())
}
