//! Ampere, after the formulas of `sources/ampere-sass.txt`.

use super::on_both_engines;
use harness::{Fields, Random, Warp, WarpEngine};
use isa_reference::codec::Codec;
use isa_sim::Action;
use isa_spec::model::{Isa, Word};

on_both_engines! {
    "ampere.yaml" ampere: iadd3 imad lop3 lea lea_with_immediate isetp sel mov;
}

/// Random words of each form.
const PER_FORM: usize = 40;
/// Bytes of a constant bank.
const BANK: u64 = 0x400;

/// One lane.
#[derive(Clone, Debug, PartialEq)]
struct Lane<'m> {
    r: Vec<u32>,
    p: Vec<bool>,
    ur: Vec<u32>,
    constants: &'m [Vec<u8>],
}

impl Lane<'_> {
    /// A register; RZ and what lies beyond is 0.
    fn r(&self, n: usize) -> u32 {
        self.r.get(n).copied().unwrap_or(0)
    }

    fn pair(&self, n: usize) -> u64 {
        u64::from(self.r(n)) | u64::from(self.r(n + 1)) << 32
    }

    fn set(&mut self, n: usize, value: u32) {
        if n < 255 {
            self.r[n] = value;
        }
    }

    fn set_p(&mut self, n: usize, value: bool) {
        if n < 7 {
            self.p[n] = value;
        }
    }

    /// A predicate that may be inverted: `px` and `px_not`.
    fn predicate(&self, i: &Fields<'_>, name: &str) -> bool {
        self.p[i.register(name)] != i.is_set(&format!("{name}_not"))
    }

    /// The value of the first `bytes` bytes at a place of a constant bank.
    fn constant(&self, i: &Fields<'_>, name: &str, bytes: usize) -> u64 {
        let bank = &self.constants[i.get(&format!("{name}.bank")) as usize];
        let at = 4 * i.signed(&format!("{name}.offset")) as usize;
        bank[at..at + bytes].iter().rev().fold(0, |value, byte| value << 8 | u64::from(*byte))
    }

    /// An operand without its sign: a register, a number, a constant, a uniform register.
    fn source(&self, i: &Fields<'_>, name: &str) -> u32 {
        let field = |f: &str| i.find(&format!("{name}.{f}"));
        match () {
            () if let Some(r) = field("r") => self.r(r as usize),
            () if let Some(n) = field("imm") => n as u32,
            () if field("bank").is_some() => self.constant(i, name, 4) as u32,
            () => self.ur[field("ur").expect("an operand") as usize],
        }
    }

    /// The same of 64 bits.
    fn wide_source(&self, i: &Fields<'_>, name: &str) -> u64 {
        let field = |f: &str| i.find(&format!("{name}.{f}"));
        match () {
            () if let Some(r) = field("r") => self.pair(r as usize),
            () if field("bank").is_some() => self.constant(i, name, 8),
            () => {
                let ur = field("ur").expect("an operand") as usize;
                u64::from(self.ur[ur]) | u64::from(self.ur.get(ur + 1).copied().unwrap_or(0)) << 32
            }
        }
    }
}

fn minus(i: &Fields<'_>, name: &str) -> bool {
    i.is_set(&format!("{name}.neg"))
}

/// True if the lane does what is described; otherwise it traps.
type Model = fn(&Fields<'_>, &mut Lane<'_>) -> bool;

/// A word that the model can do: constants that are in memory, not those of an unknown bank.
fn tame(form: &isa_spec::model::Form, word: Word) -> Option<Word> {
    if form.fields.iter().any(|f| f.name == "offset") && !form.fields.iter().any(|f| f.name == "bank") {
        return None;
    }
    let mut offsets = form.fields.iter().filter(|f| f.name == "offset");
    Some(offsets.try_fold(word, |w, f| Some(f.bits.set(w, f.bits.get(w) & (u128::from(BANK) / 4 - 2)))).unwrap_or(word))
}

fn lanes(warp: &Warp<'_>, constants: &'static [Vec<u8>]) -> Vec<Lane<'static>> {
    let s = warp.state();
    (0..warp.lanes())
        .map(|lane| Lane {
            r: (0..255).map(|n| s.register(0, n, lane) as u32).collect(),
            p: (0..8).map(|n| s.register(1, n, lane) == 1).collect(),
            ur: (0..64).map(|n| s.register(2, n, lane) as u32).collect(),
            constants,
        })
        .collect()
}

/// Holds an instruction against its model, in all lanes and all registers.
fn check(isa: &Isa, engine: &dyn WarpEngine, name: &str, model: Model) {
    let mut random = Random::new(0xa3be5e);
    let (codec, mut warp) = (Codec::new(isa), Warp::new(engine, BANK));
    warp.fill_memory(&mut random);
    let space = isa.machine.spaces.iter().position(|s| s.name == "const").expect("constant memory");
    let constants: Vec<Vec<u8>> = warp.memories[space].iter().map(|m| m.bytes(0, BANK).expect("all of it")).collect();
    let constants: &'static [Vec<u8>] = constants.leak();
    let instruction = isa.instructions.iter().find(|i| i.name == name).expect("an instruction");
    let (mut done, mut trapped) = (0, 0);
    for form in isa.forms_of(instruction) {
        for _ in 0..PER_FORM {
            let Some(word) = tame(form, random.word_of(form)) else { continue };
            if codec.decode(word, 128) != Ok(form.id) {
                continue;
            }
            warp.prepare(word, 128).unwrap_or_else(|e| panic!("{word:#x}: {e}"));
            warp.fill(&mut random);
            let i = Fields::new(isa, form, word);
            let mut expected = lanes(&warp, constants);
            let active = random.next_u64() & 0xffff_ffff;
            let mut traps = 0;
            for (lane, expected) in expected.iter_mut().enumerate() {
                if active >> lane & 1 == 1 && expected.predicate(&i, "guard") && !model(&i, expected) {
                    traps |= 1 << lane;
                }
            }
            let ran = warp.execute(active);
            let text = engine.text(word, 128, 0);
            assert_eq!((ran.trouble, ran.flow.wanted()[Action::Trap]), (None, traps), "{text}");
            for (lane, (now, expected)) in lanes(&warp, constants).iter().zip(&expected).enumerate() {
                for n in 0..255 {
                    let (now, expected) = (now.r[n], expected.r[n]);
                    assert_eq!(now, expected, "`{text}` leaves {now:#x}, not {expected:#x}, in R{n} of lane {lane}");
                }
                assert_eq!(now.p, expected.p, "`{text}`, predicates of lane {lane}");
            }
            done += (active & !traps).count_ones();
            trapped += traps.count_ones();
        }
    }
    assert!(done > 200, "{name}: {done} lanes did something, {trapped} trapped");
}

fn iadd3(isa: &Isa, engine: &dyn WarpEngine) {
    check(isa, engine, "IADD3", |i, lane| {
        let x = i.is_set("x");
        let mut sum = 0u128;
        for name in ["a", "b", "c"] {
            let value = lane.source(i, name);
            sum += u128::from(if minus(i, name) { !value } else { value });
            // A negative number is the complement and one more; with .X that is left to the carries.
            sum += u128::from(minus(i, name) && !x);
        }
        if x {
            sum += u128::from(lane.predicate(i, "pd")) + u128::from(lane.predicate(i, "pe"));
        }
        lane.set(i.register("rd"), sum as u32);
        lane.set_p(i.register("pu"), sum >> 32 >= 1);
        lane.set_p(i.register("pv"), sum >> 32 >= 2);
        true
    });
}

fn imad(isa: &Isa, engine: &dyn WarpEngine) {
    check(isa, engine, "IMAD", |i, lane| {
        let (a, b) = (lane.source(i, "a"), lane.source(i, "b"));
        let product = if i.is_set("sign") { i128::from(a as i32) * i128::from(b as i32) } else { i128::from(a) * i128::from(b) };
        let low = i.pick("size") == "lo";
        let addend = if low { u64::from(lane.source(i, "c")) } else { lane.wide_source(i, "c") };
        let addend = if minus(i, "c") { !addend } else { addend };
        let one = if i.is_set("x") { lane.predicate(i, "px") } else { minus(i, "c") };
        let sum = u128::from(product as u64) + u128::from(addend) + u128::from(one);
        let rd = i.register("rd");
        match i.pick("size") {
            "lo" => lane.set(rd, sum as u32),
            "hi" => lane.set(rd, (sum >> 32) as u32),
            _ => {
                lane.set(rd, sum as u32);
                lane.set(rd + 1, (sum >> 32) as u32);
            }
        }
        if !low {
            lane.set_p(i.register("pu"), sum >> 64 & 1 == 1);
        }
        true
    });
}

fn lop3(isa: &Isa, engine: &dyn WarpEngine) {
    check(isa, engine, "LOP3", |i, lane| {
        // The document does not know what .PAND does, nor a predicate that is not !PT.
        if i.is_set("pand") || i.get("px") != 7 || !i.is_set("px_not") {
            return false;
        }
        let [a, b, c] = ["a", "b", "c"].map(|n| lane.source(i, n));
        let row = |bit: u32| (a >> bit & 1) << 2 | (b >> bit & 1) << 1 | c >> bit & 1;
        let r = (0..32).fold(0, |r, bit| r | ((i.get("lut") >> row(bit) & 1) as u32) << bit);
        lane.set(i.register("rd"), r);
        lane.set_p(i.register("pu"), r != 0);
        true
    });
}

fn lea(isa: &Isa, engine: &dyn WarpEngine) {
    check(isa, engine, "LEA", |i, lane| {
        if minus(i, "a") {
            return false;
        }
        let a = lane.source(i, "a");
        let shift = i.get("shift") as u32;
        let term = match i.pick("part") {
            "low" => a.checked_shl(shift).unwrap_or(0),
            // The document's own formula: (RB >> (32 - UIMM2)) | (RD << UIMM2).
            part => {
                let high = if part == "high" { lane.source(i, "c") } else { (a as i32 >> 31) as u32 };
                a.checked_shr(32 - shift).unwrap_or(0) | high << shift
            }
        };
        let b = lane.source(i, "b");
        let one = if i.is_set("x") { lane.predicate(i, "px") } else { minus(i, "b") };
        let sum = u64::from(if minus(i, "b") { !b } else { b }) + u64::from(term) + u64::from(one);
        lane.set(i.register("rd"), sum as u32);
        lane.set_p(i.register("pu"), sum >> 32 == 1);
        true
    });
}

fn lea_with_immediate(isa: &Isa, engine: &dyn WarpEngine) {
    check(isa, engine, "LEA_HI_IMM", |i, lane| {
        if minus(i, "a") || i.get("hi") == 0 {
            return false;
        }
        let (a, high, shift) = (lane.source(i, "a"), i.get("c.imm") as u32, i.get("shift") as u32);
        let term = a.checked_shr(32 - shift).unwrap_or(0) | high << shift;
        let one = i.is_set("x") && lane.predicate(i, "px");
        let sum = u64::from(lane.source(i, "b")) + u64::from(term) + u64::from(one);
        lane.set(i.register("rd"), sum as u32);
        lane.set_p(i.register("pu"), sum >> 32 == 1);
        true
    });
}

fn isetp(isa: &Isa, engine: &dyn WarpEngine) {
    check(isa, engine, "ISETP", |i, lane| {
        let (a, b) = (lane.source(i, "a"), lane.source(i, "b"));
        let order = if i.is_set("sign") { (a as i32).cmp(&(b as i32)) } else { a.cmp(&b) };
        let compared = match i.get("cmp") {
            0 => false,
            1 => order.is_lt(),
            2 => order.is_eq(),
            3 => order.is_le(),
            4 => order.is_gt(),
            5 => order.is_ne(),
            6 => order.is_ge(),
            _ => true,
        };
        // If the high words are equal, the low ones decide; F and T depend on neither.
        let decided = !i.is_set("ex") || order.is_ne() || matches!(i.get("cmp"), 0 | 7);
        let holds = if decided { compared } else { lane.predicate(i, "pe") };
        let other = lane.predicate(i, "pd");
        let join = |x: bool| match i.get("bool") {
            0 => Some(x && other),
            1 => Some(x || other),
            2 => Some(x != other),
            _ => None,
        };
        let (Some(u), Some(v)) = (join(holds), join(!holds)) else { return false };
        lane.set_p(i.register("pu"), u);
        lane.set_p(i.register("pv"), v);
        true
    });
}

fn sel(isa: &Isa, engine: &dyn WarpEngine) {
    check(isa, engine, "SEL", |i, lane| {
        let value = lane.source(i, if lane.predicate(i, "p") { "a" } else { "b" });
        lane.set(i.register("rd"), value);
        true
    });
}

fn mov(isa: &Isa, engine: &dyn WarpEngine) {
    check(isa, engine, "MOV", |i, lane| {
        // The effect of other masks is not known.
        if i.get("mask") != 0xf {
            return false;
        }
        lane.set(i.register("rd"), lane.source(i, "b"));
        true
    });
}
