//! Instructions that expand to others, as generated modules expand them: for every compressed word of RISC-V.

use harness::{Random, Warp, amount, shipped_isa};
use isa_reference::codec::Codec;
use isa_reference::eval::Reference;
use isa_runtime::engine::read::{Lengths, Reader, no_symbols};
use isa_runtime::engine::{Tables, image};
use isa_sim::{Engine as _, State as _};
use isa_spec::model::Isa;
use std::collections::BTreeMap;

/// A compressed word, and the word that it expands to.
struct Pair {
    short: u32,
    form: usize,
    long: Option<(u32, usize)>,
}

macro_rules! pairs {
    ($module:ident) => {{
        let compressed = (0..=0xffff).filter_map(|word| generated::$module::decode_bits(word, 16).ok());
        let pair = |insn: generated::$module::Insn| {
            let long = insn.expanded().map(|long| (long.word(), usize::from(u16::from(long.form()))));
            Pair { short: insn.word(), form: usize::from(u16::from(insn.form())), long }
        };
        compressed.map(pair).collect::<Vec<Pair>>()
    }};
}

/// Has both words executed on the same registers, and compares all that they leave; returns false if the specification does not say what
/// they do.
fn do_the_same(reference: &Reference<'_>, registers: &Warp<'_>, pair: &Pair, long: (u32, usize)) -> bool {
    let ran = |word: u32, form: usize| {
        let (mut state, mut scene) = (reference.state(), reference.scene());
        registers.copy_to(&mut state);
        // The address after the compressed word, for both.
        (scene.pc, scene.next) = (0x1000, 0x1002);
        let op = reference.op(reference.isa().forms[form].id, word.into()).ok()?;
        let trace = reference.trace(&op, &mut state, &mut scene);
        let files = reference.machine().registers.iter().enumerate();
        let registers = files.flat_map(|(file, of)| (0..of.count).map(move |index| (file, index)));
        let left: Vec<u128> = registers.map(|(file, index)| state.register(file, index, 0)).collect();
        Some((left, format!("{:?} {:?} {:?} {:?}", trace.written, trace.flow.wanted(), trace.flow.target(0), scene.memory)))
    };
    let (one, other) = (ran(pair.short, pair.form), ran(long.0, long.1));
    assert_eq!(one, other, "{:#06x} and {:#010x}", pair.short, long.0);
    one.is_some()
}

/// Compares all pairs: how many words expand, and how many of them print another text than the long words, by instruction.
fn compare(isa: &Isa, pairs: &[Pair]) -> (usize, BTreeMap<String, usize>) {
    let reference = Reference::new(isa).expect("it can be simulated");
    let codec = Codec::new(isa);
    let mut warp = Warp::new(&reference, 0);
    warp.fill(&mut Random::new(1));
    let text = |form: usize, word: u32| {
        let mut text = String::new();
        codec.print(isa.forms[form].id, word.into(), 0x1000, &mut text);
        text
    };
    let insn = |form: usize| isa.instruction(isa.forms[form].instruction);
    let (mut expanded, mut differ) = (0, BTreeMap::new());
    for pair in pairs {
        let short = insn(pair.form);
        let (Some(expands), Some((word, long))) = (&short.expands, pair.long) else {
            assert!(short.expands.is_none() && pair.long.is_none(), "{:#06x}, {}", pair.short, short.name);
            continue;
        };
        assert_eq!(codec.decode(word.into(), 32).ok(), Some(isa.forms[long].id), "{word:#010x}");
        assert_eq!(insn(long).id, expands.to);
        assert!(do_the_same(&reference, &warp, pair, (word, long)), "{}", short.name);
        expanded += 1;
        if text(pair.form, pair.short) != text(long, word) {
            *differ.entry(short.name.clone()).or_default() += 1;
        }
    }
    (expanded, differ)
}

/// Instructions that print texts of their own for some words, and for how many.
const ALIASES: [(&str, usize); 7] =
    [("c.add", 31), ("c.addi", 94), ("c.addi16sp", 1), ("c.li", 64), ("c.lui", 63), ("c.mv", 992), ("c.slli", 63)];

/// Compares all pairs, or some of them. All but c.unimp and the shifts by 0 expand.
fn compare_some(isa: &Isa, pairs: Vec<Pair>, aliases: BTreeMap<String, usize>) {
    let (all, step) = (pairs.len(), amount(1, 14));
    let some: Vec<Pair> = pairs.into_iter().step_by(step).collect();
    let (expanded, differ) = compare(isa, &some);
    if step == 1 {
        assert_eq!((all - expanded, differ), (49, aliases));
    } else {
        assert!(expanded + 49 >= some.len(), "{expanded} of {}", some.len());
        assert!(differ.iter().all(|(name, count)| aliases.get(name).is_some_and(|most| count <= most)), "{differ:?}");
    }
}

#[test]
fn compressed_words_of_64_bits_expand_to_what_they_stand_for() {
    let pairs = pairs!(rv64gc);
    assert_eq!(pairs.len(), 46_745);
    compare_some(shipped_isa("rv64gc"), pairs, ALIASES.map(|(name, count)| (name.to_owned(), count)).into());
}

#[test]
fn compressed_words_of_32_bits_expand_to_what_they_stand_for() {
    let pairs = pairs!(rv32gc);
    assert_eq!(pairs.len(), 45_209);
    let count = |(name, count): (&str, usize)| (name.to_owned(), if name == "c.slli" { 31 } else { count });
    compare_some(shipped_isa("rv32gc"), pairs, ALIASES.map(count).into());
}

/// A text, and the word that it is read as where the shortest one that does the same is wanted, and where one that prints so is.
fn both_ways(isa: &Isa, text: &str) -> [(u16, u32); 2] {
    let image = isa_tables::image(isa).expect("tables");
    let tables: Tables<'_, u32> = image::read(&image).expect("an image");
    [Lengths::Shortest, Lengths::Preferred].map(|lengths| {
        let read =
            Reader::new(tables).with_lengths(lengths).read(text, 0x1000, &no_symbols).unwrap_or_else(|e| panic!("`{text}`: {e}"));
        let parsed = Codec::new(isa).with_lengths(lengths).parse(text, 0x1000, &|_| None).expect("the engine reads it");
        assert_eq!((parsed.0.0, parsed.1), (read.form.into(), read.word.into()), "`{text}`");
        (read.form, read.word)
    })
}

#[test]
fn the_shortest_word_that_does_the_same() {
    let isa = shipped_isa("rv64gc");
    let reference = Reference::new(isa).expect("it can be simulated");
    let mut warp = Warp::new(&reference, 0);
    warp.fill(&mut Random::new(2));
    // With exchanged operands, in the order of the instruction that expands to the long one.
    let shortened = [
        ("and a0,a1,a0", "8d6d"),
        ("or a0,a1,a0", "8d4d"),
        ("xor a0,a1,a0", "8d2d"),
        ("addw a0,a1,a0", "9d2d"),
        ("add a0,a1,a0", "952e"),
        ("add a0,zero,a1", "852e"),
        ("add a0,zero,a0", "852a"),
    ];
    for (text, word) in shortened {
        let [(form, short), (long_form, long)] = both_ways(isa, text);
        assert_eq!((format!("{short:x}").as_str(), isa.forms[usize::from(long_form)].length), (word, 32), "`{text}`");
        let pair = Pair { short, form: form.into(), long: None };
        assert!(do_the_same(&reference, &warp, &pair, (long, long_form.into())), "`{text}`");
    }
    // An instruction with a name of its own is a hint; operands that do not commute stay; a field and a value are not exchanged.
    for text in [
        "add zero,zero,a0",
        "add zero,a0,zero",
        "addi zero,zero,5",
        "subw a0,a1,a0",
        "sub a0,a1,a0",
        "add a0,a1,zero",
        "and t0,a1,t0",
    ] {
        let [(_, short), (_, long)] = both_ways(isa, text);
        assert_eq!(short, long, "`{text}`");
    }
}

#[test]
fn full_texts_lead_back_to_their_words_where_short_ones_are_wanted() {
    let isa = shipped_isa("rv64gc");
    let codec = Codec::new(isa).with_lengths(Lengths::Shortest);
    for word in [0x00a5_f533_u32, 0x00b0_0533, 0x00a5_8533] {
        let form = codec.decode(word.into(), 32).expect("an instruction");
        let mut full = String::new();
        codec.print_full(form, word.into(), 0, &mut full);
        assert!(full.ends_with(" {32 bits}"), "{full}");
        assert_eq!(codec.parse(&full, 0, &|_| None).map(|read| read.1), Ok(word.into()), "{full}");
    }
}
