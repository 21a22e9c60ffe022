//! Findings about an instruction set's declarations for programs, by trying them.

use crate::assembler::Assembler;
use crate::expr::Syntax;
use crate::pseudo::{Part, Pseudo};

/// Values at which numbers are cut off.
pub(crate) const BORDERS: [i64; 17] = [
    0,
    1,
    -1,
    4,
    8,
    100,
    0x7ff,
    0x800,
    -0x800,
    -0x801,
    0x1_0000,
    0x7fff_ffff,
    0x8000_0000,
    -0x8000_0000,
    0xffff_ffff,
    0x1_0000_0000,
    i64::MIN,
];

/// The directive as which a text with this first word would be read.
pub fn directive_named(assembly: &isa_engine::Assembly, word: &str) -> Option<String> {
    let is = |name: &str| name.eq_ignore_ascii_case(word);
    let alias = assembly.directives.iter().find(|(own, _)| is(own)).map(|(_, directive)| directive.clone());
    alias.or_else(|| crate::directives::names().find(|name| is(name)).map(str::to_owned))
}

/// The errors in the modifiers of an instruction set and then in its pseudo-instructions, by their places: invalid expressions,
/// and statements that can never be assembled. `names` are possible operands.
pub fn check(codec: &dyn isa_engine::Codec, names: &[String]) -> Vec<(usize, String)> {
    let assembly = codec.assembly();
    let mut found = Vec::new();
    for (place, modifier) in assembly.modifiers.iter().enumerate() {
        let one = isa_engine::Assembly { modifiers: vec![modifier.clone()], ..Default::default() };
        match Syntax::new(&one) {
            Err(why) => found.push((place, why)),
            Ok(_) if !modifier.pair.is_empty() && !assembly.modifiers.iter().any(|other| other.name == modifier.pair) => {
                found.push((
                    place,
                    format!("there is no modifier `{}` that `{}` could be paired with", modifier.pair, modifier.name),
                ));
            }
            Ok(_) => {}
        }
    }
    let first = assembly.modifiers.len();
    let Ok(syntax) = Syntax::new(&assembly) else { return found };
    let mut all = Vec::new();
    for (place, own) in assembly.pseudo.iter().enumerate() {
        match Pseudo::new(&syntax, own) {
            Err(why) => found.push((first + place, why)),
            Ok(pseudo) => all.push((first + place, pseudo)),
        }
    }
    // Most have operands of one kind, and any number is possible: others are tried again, with more.
    let mut wrong = tried(codec, &all, names, &|_| true, Tried::OneNumber);
    for more in [Tried::AllNumbers, Tried::AllOrders, Tried::Linked] {
        if !wrong.is_empty() {
            let still = tried(codec, &all, names, &|of| wrong.iter().any(|wrong| (wrong.place, wrong.mnemonic) == of), more);
            match more {
                // The messages are those without a linker.
                Tried::Linked => {
                    wrong.retain(|own| still.iter().any(|still| (still.place, still.mnemonic) == (own.place, own.mnemonic)))
                }
                _ => wrong = still,
            }
        }
    }
    found.extend(wrong.into_iter().map(|Wrong { place, tried, message, .. }| {
        let text = &assembly.pseudo[place - first].text;
        let tried = if tried == *text { String::new() } else { format!("; tried as `{tried}`") };
        (place, format!("`{text}` can't be assembled{tried}: {message}"))
    }));
    found
}

/// A pseudo-instruction of which no statement can be assembled.
struct Wrong {
    /// Its place among the declarations, and that of its mnemonic.
    place: usize,
    mnemonic: usize,
    /// The first statement that was tried.
    tried: String,
    message: String,
}

/// The statements that are tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Tried {
    /// Each name for all operands, with one number.
    OneNumber,
    /// The same with all numbers.
    AllNumbers,
    /// Names in all orders, with one number; what is wrong is explained.
    AllOrders,
    /// Each name for all operands, with a symbol of another object file for the numbers.
    Linked,
}

/// The pseudo-instructions, by places and mnemonics, of which no statement can be assembled, each with the reason. Names are
/// tried in all orders, also with that of a new symbol, or with the same one for all operands.
fn tried(
    codec: &dyn isa_engine::Codec,
    all: &[(usize, Pseudo)],
    names: &[String],
    wants: &dyn Fn((usize, usize)) -> bool,
    what: Tried,
) -> Vec<Wrong> {
    let options = crate::Options { relocatable: what == Tried::Linked, ..Default::default() };
    let Ok(mut assembler) = Assembler::new(codec.fork(), "example", options) else { return Vec::new() };
    assembler.words.explains = what == Tried::AllOrders;
    // A line for each statement that is tried, with its pseudo-instruction and its mnemonic.
    let mut lines: Vec<(usize, usize, String)> = Vec::new();
    for (place, pseudo) in all {
        pseudo.samples(*place, &assembler, names, what, |mnemonic, text| {
            if wants((*place, mnemonic)) {
                lines.push((*place, mnemonic, text));
            }
        });
    }
    for (number, (.., text)) in lines.iter().enumerate() {
        if assembler.line(number + 1, text).is_err() {
            break;
        }
    }
    let program = assembler.finish();
    let mut faults: Vec<Option<&crate::Fault>> = vec![None; lines.len()];
    for piece in program.pieces() {
        if let (crate::PieceKind::Fault(fault), Some(slot)) = (piece.kind, faults.get_mut(piece.line.wrapping_sub(1))) {
            slot.get_or_insert(fault);
        }
    }
    let mut found = Vec::new();
    let mut rest = lines.iter().zip(faults).peekable();
    while let Some(((place, mnemonic, text), fault)) = rest.next() {
        let mut is_fine = fault.is_none();
        while let Some((_, fault)) = rest.next_if(|((other, own, _), _)| (other, own) == (place, mnemonic)) {
            is_fine |= fault.is_none();
        }
        if let Some(fault) = fault.filter(|_| !is_fine) {
            let message = fault.message.split("; in the expansion of").next().unwrap_or_default();
            found.push(Wrong { place: *place, mnemonic: *mnemonic, tried: text.clone(), message: message.to_owned() });
        }
    }
    found
}

impl Pseudo {
    /// Statements of this kind, each with the place of its mnemonic: with names and numbers.
    /// `number` is its own among the pseudo-instructions.
    fn samples(
        &self,
        number: usize,
        assembler: &Assembler<'_>,
        names: &[String],
        what: Tried,
        mut give: impl FnMut(usize, String),
    ) {
        let in_all_orders = what == Tried::AllOrders;
        let operands = self.parts.iter().filter(|part| matches!(part, Part::Operand(_, false))).count().min(3) as u32;
        let has_number = self.parts.iter().any(|part| matches!(part, Part::Operand(_, true)));
        for (place, mnemonic) in self.mnemonics.iter().enumerate() {
            // The statement may define it.
            let symbol = format!("new.{number}.{place}");
            let names: Vec<&str> = names.iter().map(String::as_str).chain(in_all_orders.then_some(symbol.as_str())).collect();
            let orders = if in_all_orders { names.len().pow(operands) } else { names.len() };
            for order in 0..orders {
                let chosen = |operand: usize| match in_all_orders {
                    true => names[order / names.len().pow(operand.min(2) as u32) % names.len()],
                    false => names[order],
                };
                let borders = if has_number && what == Tried::AllNumbers { BORDERS.len() } else { 1 };
                for border in BORDERS.iter().take(borders) {
                    let number = if what == Tried::Linked { "elsewhere".to_owned() } else { border.to_string() };
                    let text = self.sample(mnemonic, chosen, &number);
                    match self.is_far {
                        true => {
                            let statements = assembler.far(&text).unwrap_or_default();
                            statements.iter().for_each(|own| give(place, own.replace("{end}", ".")));
                        }
                        false => give(place, text),
                    }
                }
            }
        }
    }

    /// The names of the operands that are not expressions.
    pub(crate) fn plain(&self) -> impl Iterator<Item = &str> {
        self.parts.iter().filter_map(|part| if let Part::Operand(name, false) = part { Some(name.as_str()) } else { None })
    }

    /// A statement with these operands.
    pub(crate) fn sample<'n>(&self, mnemonic: &str, name: impl Fn(usize) -> &'n str, number: &str) -> String {
        let mut operand = 0;
        let mut text = format!("{mnemonic} ");
        for part in &self.parts {
            match part {
                Part::Text(own) => text.push_str(own),
                Part::Operand(_, true) => text.push_str(number),
                Part::Operand(..) => {
                    text.push_str(name(operand));
                    operand += 1;
                }
            }
        }
        text.truncate(text.trim_end().len());
        text
    }
}
