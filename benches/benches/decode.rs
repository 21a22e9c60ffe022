//! `cargo bench -p benches`: Ampere through generated code beside disarm64 and yaxpeax-arm on AArch64, in one run on one
//! thread. Prints a Markdown table.

use benches::{RUNS, Time, WORDS, aarch64_words, ampere_words, draw, time};
use disarm64::InsnOpcode;
use disarm64::format_insn::format_insn_pc;
use generated::ampere::{
    self, Combine, Compare, Divergence, Evict, HighPart, Imm32, Insn, LoadOrder, Lop3, P, Parser, R, Reg, RegNeg, Sign,
    SourceSeen, Step, StoreOrder, TextBuf, Type, UR, Yield,
};
use isa_runtime::Displacement;
use std::collections::HashSet;
use std::fmt::Write;
use std::hash::Hash;
use std::hint::black_box;
use yaxpeax_arch::{Decoder, U8Reader};
use yaxpeax_arm::armv8::a64;

fn main() {
    let ampere = ampere_words();
    let aarch64: Vec<u32> = aarch64_words().into_iter().filter(|w| both_decode(*w)).collect();
    println!(
        "Nanoseconds an instruction, the best of {RUNS} runs and the median: {WORDS} words in random order, drawn from\n\
         {} Ampere words ({} different ones) and from {} AArch64 words ({} different ones). All of them decode.\n",
        ampere.len(),
        different(&ampere),
        aarch64.len(),
        different(&aarch64),
    );
    println!("| | isagen, Ampere | disarm64, AArch64 | yaxpeax-arm, AArch64 |");
    println!("|---|---:|---:|---:|");
    let (ours, theirs) = (draw(&ampere), draw(&aarch64));
    row("decode: form and word", Some(form(&ours)), Some(disarm64_decode(&theirs)), Some(yaxpeax_decode(&theirs)));
    row("typed decode, six fields that all instructions have", Some(common_fields(&ours)), None, None);
    row("typed decode, `match`, six fields of each instruction", Some(own_fields(&ours)), None, None);
    row("decode and text", Some(text(&ours)), Some(disarm64_text(&theirs)), Some(yaxpeax_text(&theirs)));
    let operands = lop3_operands(&ampere);
    let registers: Vec<Operands> = operands.iter().copied().filter(|o| matches!(o.2, SourceSeen::Reg(_))).collect();
    row("a LOP3 of five operands, registers, and its word", Some(build(&draw(&registers))), None, None);
    row("a LOP3 of five operands, of any kind, and its word", Some(build(&draw(&operands))), None, None);
    row("text to word", Some(parse(&ours)), None, None);
}

fn row(what: &str, isagen: Option<Time>, disarm64: Option<Time>, yaxpeax: Option<Time>) {
    let cell = |time: Option<Time>| time.map_or("–".to_owned(), |t| format!("{:.2} / {:.2}", t.best, t.median));
    println!("| {what} | {} | {} | {} |", cell(isagen), cell(disarm64), cell(yaxpeax));
}

fn different<T: Hash + Eq>(words: &[T]) -> usize {
    words.iter().collect::<HashSet<_>>().len()
}

fn both_decode(word: u32) -> bool {
    let mut insn = a64::Instruction::default();
    disarm64::decoder::decode(word).is_some() && yaxpeax(word, &mut insn)
}

fn yaxpeax(word: u32, insn: &mut a64::Instruction) -> bool {
    let bytes = word.to_le_bytes();
    a64::InstDecoder::default().decode_into(insn, &mut U8Reader::new(&bytes)).is_ok()
}

fn decoded(word: u128) -> Insn {
    ampere::decode(word).expect("the vectors decode")
}

fn form(words: &[u128]) -> Time {
    time(words, |w| match ampere::decode(*w) {
        Ok(insn) => insn.form() as u64 + (*w as u64),
        Err(_) => 0,
    })
}

/// Guard and scheduling.
fn common_fields(words: &[u128]) -> Time {
    macro_rules! sum {
        ($insn:expr, $($name:ident)*) => {
            match $insn {
                $(Insn::$name(i) => {
                    u64::from(i.guard().index())
                        + u64::from(i.guard_not())
                        + u64::from(i.stall())
                        + i.write() as u64
                        + i.read() as u64
                        + u64::from(i.wait())
                })*
            }
        };
    }
    time(words, |w| match ampere::decode(*w) {
        Ok(insn) => {
            sum!(insn, Nop Iadd3 Stl Mov Ldl LD ST Imad Lop3 Lea LeaHiImm Sel Ret Bra Brx Brxu Isetp)
        }
        Err(_) => 0,
    })
}

/// A computation with the value of a field.
trait Number {
    fn number(self) -> u64;
}

macro_rules! numbers {
    ($($ty:ty, $v:ident => $number:expr;)*) => {
        $(impl Number for $ty {
            #[inline(always)]
            fn number(self) -> u64 {
                let $v = self;
                $number
            }
        })*
    };
}

numbers! {
    bool, v => v.into();
    u8, v => v.into();
    u16, v => v.into();
    u32, v => v.into();
    i16, v => v as u64;
    i32, v => v as u64;
    i64, v => v as u64;
    R, v => v.index().into();
    P, v => v.index().into();
    UR, v => v.index().into();
    Reg, v => v.r.number();
    RegNeg, v => v.r.number() + v.neg.number();
    Imm32, v => v.imm.into();
    Type, v => v as u64;
    Evict, v => v as u64;
    Sign, v => v as u64;
    Yield, v => v as u64;
    Compare, v => v as u64;
    Combine, v => v as u64;
    Step, v => v as u64;
    Divergence, v => v as u64;
    HighPart, v => v as u64;
    LoadOrder, v => v as u64;
    StoreOrder, v => v as u64;
    Displacement<true, 48, 4, 0, 16>, v => v.target(0);
}

/// Six fields for each instruction, those that its text shows first.
fn own_fields(words: &[u128]) -> Time {
    macro_rules! sum {
        ($insn:expr, $($name:ident: $($field:ident)*;)*) => {
            match $insn {
                $(Insn::$name(i) => 0 $(+ i.$field().number())*,)*
            }
        };
    }
    time(words, |w| {
        let Ok(insn) = ampere::decode(*w) else { return 0 };
        sum! { insn,
            Nop: guard guard_not stall yield_ wait reuse_a;
            Iadd3: guard x rd a c pu;
            Imad: guard x sign rd a px;
            Lop3: guard rd a c lut px;
            Lea: guard x rd a shift px;
            LeaHiImm: guard hi rd a b c;
            Isetp: guard cmp sign bool pu a;
            Sel: guard rd a p_not p stall;
            Mov: guard rd mask stall yield_ wait;
            Stl: guard evict type_ rb stall wait;
            Ldl: guard evict type_ rd stall wait;
            LD: guard e evict type_ order rd;
            ST: guard e evict type_ order stall;
            Ret: guard nodec p_not p stall wait;
            Bra: guard step p_not p to stall;
            Brx: guard step p_not p ra to;
            Brxu: guard step kind p ur to;
        }
    })
}

fn text(words: &[u128]) -> Time {
    let mut out = TextBuf::new();
    time(words, |w| {
        out.clear();
        if let Ok(insn) = ampere::decode(*w) {
            insn.push_text(0, &mut out).expect("an empty buffer of the module has room for any of its texts");
        }
        black_box(&out).as_bytes().len() as u64
    })
}

type Operands = (R, Reg, SourceSeen, Reg, u8);

/// The operands of the LOP3s among the words.
fn lop3_operands(words: &[u128]) -> Vec<Operands> {
    let operands = |w: &u128| match decoded(*w) {
        Insn::Lop3(i) => Some((i.rd(), i.a(), i.b(), i.c(), i.lut())),
        _ => None,
    };
    words.iter().filter_map(operands).collect()
}

fn build(operands: &[Operands]) -> Time {
    time(operands, |&(rd, a, b, c, lut)| match Lop3::new(rd, a, b, c, lut) {
        Ok(insn) => (insn.word() >> 64) as u64 ^ insn.word() as u64,
        Err(e) => panic!("{e}"),
    })
}

fn parse(words: &[u128]) -> Time {
    let texts: Vec<String> = words.iter().map(|w| decoded(*w).to_string()).collect();
    let mut parser = Parser::new();
    time(&texts, |t| match parser.parse(t, 0) {
        Ok(insn) => insn.word() as u64,
        Err(e) => panic!("{t}: {e}"),
    })
}

/// Its decoder leaves the operands in the word, as ours does.
fn disarm64_decode(words: &[u32]) -> Time {
    time(words, |w| match disarm64::decoder::decode(*w) {
        Some(op) => op.id() as u64 + u64::from(op.bits()),
        None => 0,
    })
}

fn disarm64_text(words: &[u32]) -> Time {
    let mut out = String::new();
    time(words, |w| {
        out.clear();
        if let Some(op) = disarm64::decoder::decode(*w) {
            format_insn_pc(0, &mut out, &op).expect("a String takes any text");
        }
        black_box(&out).len() as u64
    })
}

/// Its decoder writes all operands into the instruction.
fn yaxpeax_decode(words: &[u32]) -> Time {
    let mut insn = a64::Instruction::default();
    time(words, |w| {
        let ok = yaxpeax(*w, &mut insn);
        black_box(&insn);
        u64::from(ok)
    })
}

fn yaxpeax_text(words: &[u32]) -> Time {
    let mut insn = a64::Instruction::default();
    let mut out = String::new();
    time(words, |w| {
        out.clear();
        if yaxpeax(*w, &mut insn) {
            write!(out, "{insn}").expect("a String takes any text");
        }
        black_box(&out).len() as u64
    })
}
