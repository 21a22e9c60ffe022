//! Sample statements of pseudo-instructions with their bytes, for tests of their effects.

use crate::assembler::Assembler;
use crate::check::BORDERS;
use crate::expr::Syntax;
use crate::pseudo::{Part, Pseudo};
use crate::{Options, PieceKind};

/// The number of combinations of names, for each mnemonic, that are tried with all numbers.
const MOST_NAMES: usize = 6;
/// The same for instructions that do not reach their target: reading them takes several times as long.
const MOST_FAR: usize = 2;
/// The number of combinations of possible names, for each mnemonic, that are tried together.
const MOST_TRIED: usize = 64;
/// The number of operands with names of their own.
const MOST_OPERANDS: u32 = 3;

/// A statement of a pseudo-instruction, assembled.
#[derive(Clone, Debug)]
pub struct Sample {
    /// The place of the pseudo-instruction among those of the instruction set.
    pub pseudo: usize,
    /// Its text.
    pub text: String,
    /// The same with its own address in the place of each number.
    pub near: String,
    /// The operands that are names.
    pub names: Vec<(String, String)>,
    /// If there are several mnemonics: their operand, the place of the one used, and all of them.
    pub mnemonic: Option<(String, usize, Vec<String>)>,
    /// The operands that are expressions.
    pub numbers: Vec<(String, i64)>,
    /// Its address.
    pub address: u64,
    /// The bytes of its expansion.
    pub bytes: Vec<u8>,
}

/// The identity of a sample: its mnemonic, a combination of names, and the number in it.
#[derive(Clone, Copy)]
struct Which {
    pseudo: usize,
    mnemonic: usize,
    combination: usize,
    number: i64,
}

/// Statements of the selected pseudo-instructions, with numbers at the borders of truncation and in combinations of names that
/// can be assembled.
pub fn samples(codec: &dyn isa_engine::Codec, names: &[String], wants: &dyn Fn(usize) -> bool) -> Vec<Sample> {
    let assembly = codec.assembly();
    let Ok(syntax) = Syntax::new(&assembly) else { return Vec::new() };
    let all: Vec<Option<Pseudo>> = (assembly.pseudo.iter().enumerate())
        .map(|(place, own)| Pseudo::new(&syntax, own).ok().filter(|_| wants(place)))
        .collect();
    let good = combinations(codec, names, &all);
    let mut wanted = Vec::new();
    for same in good.chunk_by(|a, b| (a.pseudo, a.mnemonic) == (b.pseudo, b.mnemonic)) {
        let own = all[same[0].pseudo].as_ref();
        let has_number = own.is_some_and(|own| own.parts.iter().any(|part| matches!(part, Part::Operand(_, true))));
        let most = if own.is_some_and(|own| own.is_far) { MOST_FAR } else { MOST_NAMES };
        for which in same.iter().step_by(same.len().div_ceil(most)) {
            let borders = &BORDERS[..if has_number { BORDERS.len() } else { 1 }];
            wanted.extend(borders.iter().map(|number| Which { number: *number, ..*which }));
        }
    }
    assembled(codec, names, &all, &wanted).into_iter().map(|(_, sample)| sample).collect()
}

/// The combinations of names that can be assembled, in ascending order. Where one name is possible for all operands, as it usually
/// is, each operand is tried alone with the others, and then combinations of what is possible for each.
fn combinations(codec: &dyn isa_engine::Codec, names: &[String], all: &[Option<Pseudo>]) -> Vec<Which> {
    let tried =
        |list: &[Which]| -> Vec<Which> { assembled(codec, names, all, list).into_iter().map(|(which, _)| which).collect() };
    let count = names.len();
    let mut same = Vec::new();
    for (pseudo, own) in all.iter().enumerate().filter_map(|(place, own)| Some((place, own.as_ref()?))) {
        let operands = (own.plain().count() as u32).min(MOST_OPERANDS);
        // With the same name for each.
        let ones = (0..operands).fold(0, |ones, _| ones * count + 1);
        let each = if operands == 0 { 1 } else { count };
        for mnemonic in 0..own.mnemonics.len() {
            same.extend(
                (0..each).map(|name| (operands, Which { pseudo, mnemonic, combination: name * ones, number: BORDERS[0] })),
            );
        }
    }
    let good = tried(&same.iter().map(|(_, which)| *which).collect::<Vec<_>>());
    let (mut alone, mut rest) = (Vec::new(), Vec::new());
    for all in same.chunk_by(|a, b| a.1.statement() == b.1.statement()) {
        let (operands, first) = all[0];
        match good.iter().find(|which| which.statement() == first.statement()) {
            Some(good) => alone.push((operands, *good)),
            None => rest.extend((0..count.pow(operands)).map(|combination| Which { combination, ..first })),
        }
    }
    let part = |combination: usize, operand: u32| combination / count.pow(operand) % count * count.pow(operand);
    let others = alone.iter().flat_map(|(operands, good)| {
        (0..*operands).flat_map(move |operand| {
            let without = good.combination - part(good.combination, operand);
            (0..count).map(move |name| Which { combination: without + name * count.pow(operand), ..*good })
        })
    });
    let possible = tried(&others.collect::<Vec<_>>());
    for (operands, good) in alone {
        let own: Vec<usize> =
            possible.iter().filter(|which| which.statement() == good.statement()).map(|which| which.combination).collect();
        let product = (0..operands).fold(vec![0], |sums: Vec<usize>, operand| {
            let without = |combination: usize| combination - part(combination, operand);
            let own = own.iter().filter(|own| without(**own) == without(good.combination)).map(|own| part(*own, operand));
            let own: Vec<usize> = own.collect();
            sums.iter().flat_map(|sum| own.iter().map(move |own| sum + own)).collect()
        });
        // An odd step, so that all operands have other names.
        let some = product.iter().step_by(product.len().div_ceil(MOST_TRIED) | 1);
        rest.extend(some.map(|combination| Which { combination: *combination, ..good }));
    }
    rest.sort_unstable_by_key(|which| (which.statement(), which.combination));
    rest.dedup_by_key(|which| (which.statement(), which.combination));
    tried(&rest)
}

/// The samples that can be assembled.
fn assembled(codec: &dyn isa_engine::Codec, names: &[String], all: &[Option<Pseudo>], wanted: &[Which]) -> Vec<(Which, Sample)> {
    let Ok(mut assembler) = Assembler::new(codec.fork(), "example", Options::default()) else { return Vec::new() };
    assembler.words.explains = false;
    for (number, which) in wanted.iter().enumerate() {
        let Some(own) = &all[which.pseudo] else { continue };
        if assembler.line(number + 1, &own.text(which, names, which.number)).is_err() {
            break;
        }
    }
    let program = assembler.finish();
    let mut found: Vec<Option<(u64, Vec<u8>)>> = vec![None; wanted.len()];
    let mut is_wrong = vec![false; wanted.len()];
    for piece in program.pieces() {
        let line = piece.line.wrapping_sub(1);
        if let PieceKind::Fault(_) = piece.kind {
            is_wrong[line] = true;
        } else {
            found[line].get_or_insert((piece.address, Vec::new())).1.extend_from_slice(piece.bytes);
        }
    }
    let all = wanted.iter().zip(found).zip(is_wrong).filter_map(|((which, found), is_wrong)| {
        let (address, bytes) = found.filter(|_| !is_wrong)?;
        let own = all[which.pseudo].as_ref()?;
        let named = own.plain().enumerate().map(|(place, name)| (name.to_owned(), which.name(place, names).to_owned()));
        let mnemonic = (!own.mnemonic.is_empty()).then(|| (own.mnemonic.clone(), which.mnemonic, own.mnemonics.clone()));
        let numbers = own.parts.iter().filter_map(|part| match part {
            Part::Operand(name, true) => Some((name.clone(), which.number)),
            _ => None,
        });
        let near = own.text(which, names, address as i64);
        let text = own.text(which, names, which.number);
        let (names, numbers) = (named.collect(), numbers.collect());
        Some((*which, Sample { pseudo: which.pseudo, text, near, names, mnemonic, numbers, address, bytes }))
    });
    all.collect()
}

impl Which {
    /// The pseudo-instruction and its mnemonic.
    fn statement(&self) -> (usize, usize) {
        (self.pseudo, self.mnemonic)
    }

    /// The name given to an operand.
    fn name<'n>(&self, operand: usize, names: &'n [String]) -> &'n str {
        let of = names.len().pow(operand.min(MOST_OPERANDS as usize - 1) as u32);
        &names[self.combination / of % names.len()]
    }
}

impl Pseudo {
    fn text(&self, which: &Which, names: &[String], number: i64) -> String {
        self.sample(&self.mnemonics[which.mnemonic], |operand| which.name(operand, names), &number.to_string())
    }
}
