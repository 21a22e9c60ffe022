//! One form: the bits of all its pieces put together. The steps are those of [`build`], a file each.

mod bits;
mod fields;
mod finish;
mod kind;
mod layout;

pub(super) use kind::meaning;

use crate::assembly::{Assembly, Instance};
use crate::conditions::{FormScope, Found};
use crate::context::Context;
use isa_model::diag::Diagnostic;
use isa_model::model::{Bits, Field, Fixed, Form, Isa, Owner, Plain, Raw, Word};
use isa_model::span::Span;
use isa_syntax::lang::{self, Layout};
use std::collections::BTreeMap;

/// Bits that something has taken.
struct Claim {
    mask: Word,
    what: String,
    span: Span,
}

/// The bits of the names that layouts place, each with where it is drawn.
type Placed = BTreeMap<String, (Bits, Span)>;

struct Builder<'a, 's, 'd> {
    cx: &'a Context<'s, 'd>,
    isa: &'a Isa,
    assembly: &'a Assembly<'s>,
    length: u32,
    claims: Vec<Claim>,
    fields: Vec<Field>,
    fixed: Vec<(Field, Raw)>,
    fixed_list: Vec<Fixed>,
    plain: Vec<Plain>,
    mask: Word,
    value: Word,
    /// A field, a fix or a list of bits could not be read: bits are missing for that reason alone.
    incomplete: bool,
    /// Fields that are declared, but invalid: a use of one is no further fault.
    failed: Vec<String>,
}

/// The form, and its fixed fields (texts and semantics may name them).
pub(super) fn build<'s>(cx: &Context<'s, '_>, isa: &Isa, assembly: &Assembly<'s>) -> Option<(Form, Vec<(Field, Raw)>)> {
    let length = if isa.is_text() { Word::BITS } else { length(cx, isa, assembly)? };
    let mut b = Builder {
        cx,
        isa,
        assembly,
        length,
        claims: Vec::new(),
        fields: Vec::new(),
        fixed: Vec::new(),
        fixed_list: Vec::new(),
        plain: Vec::new(),
        mask: Word::ZERO,
        value: Word::ZERO,
        incomplete: assembly.instances.iter().any(|i| i.part.faulty),
        failed: Vec::new(),
    };
    if isa.is_text() {
        b.refuse_bits();
        b.declared_fields(&Placed::new());
        b.fixes();
    } else {
        let placed = b.layouts()?;
        b.declared_fields(&placed);
        b.fixes();
        b.plain_bits();
    }
    b.finish()
}

/// The width of the word: that of the alternatives, or else of the instruction or its formats, or of a layout, or the only length
/// there is.
fn length(cx: &Context<'_, '_>, isa: &Isa, assembly: &Assembly<'_>) -> Option<u32> {
    let lengths = &isa.words.lengths;
    let known = || lengths.iter().map(|l| l.bits.to_string()).collect::<Vec<_>>().join(", ");
    if let Some((bits, span)) = said_length(cx, assembly)? {
        if !lengths.iter().any(|l| l.bits == bits) {
            cx.error("length", format!("{bits} bits is not a length of words: {}", known()), span);
            return None;
        }
        return Some(bits);
    }
    if let [only] = lengths.as_slice() {
        return Some(only.bits);
    }
    for instance in assembly.instances.iter().rev() {
        let Some(text) = &instance.part.layout else { continue };
        let layout = cx.parse(&cx.parsed.layouts, text, lang::parse_layout)?;
        let bits = match &*layout {
            Layout::Letters(marks) => marks.len() as u32,
            Layout::Parts(parts) => parts.iter().map(|p| p.width).sum(),
            Layout::Split(_) => continue,
        };
        if lengths.iter().any(|l| l.bits == bits) {
            return Some(bits);
        }
    }
    cx.error("length", format!("this instruction has no length: `length:` is one of {}", known()), assembly.name.span);
    None
}

/// The `length` of the last piece that has one; `None` if two alternatives differ in it.
fn said_length(cx: &Context<'_, '_>, assembly: &Assembly<'_>) -> Option<Option<(u32, Span)>> {
    let is_alternative = |instance: &&Instance<'_>| matches!(instance.owner, Owner::Slot(_, None));
    let mut alternatives = assembly.instances.iter().filter(is_alternative).filter_map(|i| i.part.length);
    let Some((bits, span)) = alternatives.next() else {
        return Some(assembly.instances.iter().rev().find_map(|i| i.part.length));
    };
    if let Some((other, second)) = alternatives.find(|(other, _)| *other != bits) {
        let picks: Vec<String> = assembly.picks.iter().map(|(slot, pick, _)| format!("{slot} is {pick}")).collect();
        let message = format!("where {}, `{}` has {bits} bits and {other} bits", picks.join(" and "), assembly.name.value);
        let d = Diagnostic::error("length", message, second).with_label(span, format!("{bits} bits are said here"));
        cx.report(d.with_help("an `except` takes out products that do not exist"));
        return None;
    }
    Some(Some((bits, span)))
}

/// True if a name means something in the form.
pub(super) fn is_known(scope: &FormScope<'_>, path: &str, prefix: &str) -> bool {
    !matches!(scope.find(path, prefix), Found::Nothing)
}
