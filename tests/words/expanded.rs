//! Instructions that stand for others, as generated modules expand them: of every compressed word of RISC-V.

use conformance::{Random, Warp, shipped_isa};
use isa_reference::codec::Codec;
use isa_reference::eval::Reference;
use isa_runtime::engine::read::Lengths;
use isa_sim::{Engine as _, State as _};
use isa_spec::model::{Form, Isa, Word};

/// A compressed word, and the word that it stands for.
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

/// Registers are random, so that words that use others differ in what they do.
fn filled<'e, 'a>(reference: &'e Reference<'a>, seed: u64) -> Warp<'e, Reference<'a>> {
    let mut warp = Warp::new(reference, 0);
    warp.fill(&mut Random::new(seed));
    // The address after the compressed word, for both.
    warp.pc = [0x1000, 0x1002];
    warp
}

/// Has both words executed, and compares all that they leave; returns false if the specification does not say what they do.
fn do_the_same(reference: &Reference<'_>, pair: &Pair, long: (u32, usize), seed: u64) -> bool {
    let isa = reference.isa();
    let ran = |word: u32, form: usize| {
        let mut warp = filled(reference, seed);
        let mut scene = reference.scene();
        (scene.pc, scene.next) = (warp.pc[0], warp.pc[1]);
        let op = reference.op(isa.forms[form].id, word.into()).ok()?;
        let trace = reference.trace(&op, &mut warp.state, &mut scene);
        let files = reference.machine().registers.iter().enumerate();
        let registers = files.flat_map(|(file, of)| (0..of.count).map(move |index| (file, index)));
        let left: Vec<u128> = registers.map(|(file, index)| warp.state.register(file, index, 0)).collect();
        Some((left, format!("{:?} {:?} {:?} {:?}", trace.written, trace.flow.wanted(), trace.flow.target(0), scene.memory)))
    };
    let (one, other) = (ran(pair.short, pair.form), ran(long.0, long.1));
    assert_eq!(one, other, "{:#06x} and {:#010x}", pair.short, long.0);
    one.is_some()
}

/// Compares all pairs: how many words expand, and how many of their texts are those of the long words.
fn compare(isa: &Isa, pairs: &[Pair]) -> (usize, usize) {
    let reference = Reference::new(isa).expect("it can be simulated");
    let codec = Codec::new(isa).with_lengths(Lengths::Only(32));
    let insn = |form: &Form| isa.instruction(form.instruction);
    let (mut expanded, mut same) = (0, 0);
    for pair in pairs {
        let form = &isa.forms[pair.form];
        let (Some(expands), Some((word, long))) = (&insn(form).expands, pair.long) else {
            assert!(insn(form).expands.is_none() && pair.long.is_none(), "{:#06x}, {}", pair.short, form.name);
            continue;
        };
        assert_eq!(codec.decode(word.into(), 32).ok(), Some(isa.forms[long].id), "{word:#010x}");
        assert_eq!(insn(&isa.forms[long]).id, expands.to);
        assert!(do_the_same(&reference, pair, (word, long), pair.short.into()), "{}", form.name);
        expanded += 1;
        // The text of the compressed word, read as one of 32 bits, where it is not an alias of another instruction or its own.
        let mut text = String::new();
        codec.print(form.id, Word::from(pair.short), 0x1000, &mut text);
        if let Ok((found, read)) = codec.parse(&text, 0x1000, &|_| None)
            && found == isa.forms[long].id
        {
            assert_eq!(read, Word::from(word), "{text}");
            same += 1;
        }
    }
    (expanded, same)
}

#[test]
fn compressed_words_expand_to_what_they_stand_for() {
    let count = |pairs: &[Pair]| (pairs.len(), pairs.iter().filter(|pair| pair.long.is_none()).count());
    let (wide, narrow) = (pairs!(rv64gc), pairs!(rv32imac));
    println!("{:?} {:?}", count(&wide), count(&narrow));
    assert_eq!(compare(&shipped_isa("rv64gc"), &wide), (0, 0));
    assert_eq!(compare(&shipped_isa("rv32imac"), &narrow), (0, 0));
}
