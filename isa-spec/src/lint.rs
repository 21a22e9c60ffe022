//! What is worth a look and too dear to look for on every build: two words of different meaning with one text.

use crate::codec::Codec;
use crate::diag::Diagnostic;
use crate::model::{Form, Isa, PlainKind, Word};

/// Words that are tried for each form.
const TRIES: u32 = 24;

/// Warnings about instructions that have words of different meaning with one text, each with an example. A spec that `follows` a
/// disassembler has its pairs on purpose: then there is nothing to warn of.
pub fn same_text(isa: &Isa) -> Vec<Diagnostic> {
    let mut list = Vec::new();
    if isa.follows.is_some() {
        return list;
    }
    let codec = Codec::new(isa);
    for instruction in &isa.instructions {
        if let Some((text, a, b)) = isa.forms_of(instruction).iter().find_map(|form| example(&codec, form)) {
            let digits = isa.forms_of(instruction)[0].length.div_ceil(4) as usize;
            let message = format!("two words of different meaning have the text `{text}`: 0x{a:0digits$x} and 0x{b:0digits$x}");
            list.push(
                Diagnostic::warning("same-text", message, instruction.span)
                    .with_help("print what differs, or make it `ignored`; `follows: SOURCE` says that the texts are that tool's, such pairs included"),
            );
        }
    }
    list
}

/// A text and two legal words of the form that have it and differ in a field.
fn example(codec: &Codec<'_>, form: &Form) -> Option<(String, Word, Word)> {
    let kept = form.plain.iter().filter(|p| p.what != PlainKind::Reserved).fold(0, |m, p| m | p.bits.mask());
    let start = codec.sample(form.id)?;
    let mut random = 0x9e37_79b9_7f4a_7c15_u64;
    for _ in 0..TRIES {
        // A few fields away from the sample: what differs is then easy to see.
        let mut word = start;
        for field in &form.fields {
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            if random & 3 == 0 {
                word = field.bits.set(word, Word::from(random >> 8) & crate::model::ones(field.bits.width()));
            }
        }
        if codec.decode(word, form.length).ok() != Some(form.id) {
            continue;
        }
        let mut text = String::new();
        codec.print_at(form.id, word, 0, &mut text);
        let Ok((_, read)) = codec.parse(&text, 0, &|_| None) else { continue };
        if (read ^ word) & !kept != 0 {
            let mut shown = String::new();
            codec.print(form.id, word, 0, &mut shown);
            return Some((shown, word, read));
        }
    }
    None
}
