//! The rules that a model keeps, one function each: no clashes, lengths that agree, texts that can be read back.

use crate::codec::Codec;
use crate::cubes::CubeSet;
use crate::diag::{Diagnostic, Diagnostics};
use crate::model::{Form, FormId, Isa, Kind, Piece};

pub(crate) use crate::expand::ranges;

/// Checks a model that was expanded without errors, and notes in it which forms specialise which.
pub(crate) fn check(isa: &mut Isa, diags: &mut Diagnostics) {
    check_lengths(isa, diags);
    check_clashes(isa, diags);
    check_templates(isa, diags);
    if !diags.has_errors() {
        check_read_back(isa, diags);
    }
}

/// A form's words begin as words of its length do.
fn check_lengths(isa: &Isa, diags: &mut Diagnostics) {
    for form in &isa.forms {
        let Some(length) = isa.words.lengths.iter().find(|l| l.bits == form.length) else { continue };
        let outside = form.words.subtract(&length.words);
        if let Some(cube) = outside.0.first() {
            let span = isa.instruction(form.instruction).span;
            let message = format!("{:#x} belongs to {}, but a word that begins so does not have {} bits", cube.value, form.name, form.length);
            diags.push(Diagnostic::error("length", message, span).with_label(length.span, "the condition for this length"));
        }
    }
}

/// Two forms share no word, unless one lies inside the other.
fn check_clashes(isa: &mut Isa, diags: &mut Diagnostics) {
    let mut inside: Vec<(FormId, FormId)> = Vec::new();
    for (i, a) in isa.forms.iter().enumerate() {
        for b in &isa.forms[i + 1..] {
            if a.length != b.length || (a.value ^ b.value) & a.mask & b.mask != 0 {
                continue;
            }
            let Some(witness) = a.words.witness(&b.words) else { continue };
            match (a.words.includes(&b.words), b.words.includes(&a.words)) {
                (true, false) => inside.push((b.id, a.id)),
                (false, true) => inside.push((a.id, b.id)),
                (both, _) => diags.push(clash(isa, a, b, witness, both)),
            }
        }
    }
    for (inner, outer) in inside {
        isa.forms[outer.index()].specialised_by.push(inner);
    }
}

fn clash(isa: &Isa, a: &Form, b: &Form, witness: u128, equal: bool) -> Diagnostic {
    let (first, second) = (isa.instruction(a.instruction), isa.instruction(b.instruction));
    let how = if equal { "they have the same words" } else { "neither lies inside the other" };
    let digits = a.length.div_ceil(4) as usize;
    let message = format!("{} and {} clash: 0x{witness:0digits$x} is a word of both, and {how}", a.name, b.name);
    let only = |x: &Form, y: &Form| ranges(x.mask & !y.mask).iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
    let (only_a, only_b) = (only(a, b), only(b, a));
    let help = match (only_a.is_empty(), only_b.is_empty()) {
        (true, true) => "fix another bit in one of them to tell them apart".to_string(),
        (false, true) => format!("fix bits {only_a} in {}, as {} does, or exclude values with `not`", b.name, a.name),
        (true, false) => format!("fix bits {only_b} in {}, as {} does, or exclude values with `not`", a.name, b.name),
        (false, false) => format!("fix bits {only_b} in {}, or bits {only_a} in {}, or exclude values with `not`", a.name, b.name),
    };
    Diagnostic::error("clash", message, second.span).with_text(b.name.clone()).with_label(first.span, a.name.clone()).with_help(help)
}

/// Numbers that stand side by side in a text can't be told apart.
fn check_templates(isa: &Isa, diags: &mut Diagnostics) {
    for form in &isa.forms {
        let mut last = None;
        adjacent(isa, form, &form.text, &mut last, diags);
    }
}

fn adjacent(isa: &Isa, form: &Form, pieces: &[Piece], last: &mut Option<usize>, diags: &mut Diagnostics) {
    for piece in pieces {
        match piece {
            Piece::Literal(_) => *last = None,
            Piece::Field { field, .. } => {
                let number = matches!(form.fields[*field].kind, Kind::Int { .. });
                if let (Some(before), true) = (*last, number) {
                    let instruction = isa.instruction(form.instruction);
                    let (a, b) = (&form.fields[before], &form.fields[*field]);
                    let message = format!("the text of `{}` can't be read back: nothing stands between the numbers `{}` and `{}`", instruction.name, a.path, b.path);
                    diags.push(Diagnostic::error("ambiguous-text", message, instruction.span).with_label(a.span, "the first").with_label(b.span, "the second"));
                }
                *last = matches!(form.fields[*field].kind, Kind::Int { .. } | Kind::Register(_)).then_some(*field);
            }
            Piece::Group { body, .. } => {
                let mut inner = *last;
                adjacent(isa, form, body, &mut inner, diags);
                *last = None;
            }
        }
    }
}

/// What a form prints, it reads: tried on a legal word near its defaults.
fn check_read_back(isa: &Isa, diags: &mut Diagnostics) {
    let codec = Codec::new(isa);
    for form in &isa.forms {
        let instruction = isa.instruction(form.instruction);
        let Some(word) = codec.sample(form.id) else { continue };
        // A word near the defaults can belong to a form inside this one.
        if codec.decode(word, form.length) != Ok(form.id) {
            continue;
        }
        let (mut text, mut again) = (String::new(), String::new());
        codec.print(form.id, word, 0, &mut text);
        match codec.parse(&text, 0, &|_| None) {
            Ok((found, read)) => {
                codec.print(found, read, 0, &mut again);
                if again != text {
                    let message = format!("the text of {} can't be read back: `{text}` is read as a word that prints `{again}`", form.name);
                    diags.push(Diagnostic::error("ambiguous-text", message, instruction.span));
                } else if found != form.id && isa.form(found).instruction != form.instruction {
                    let message = format!("`{text}` is a text of {} and of {}; it is read as the latter", form.name, isa.form(found).name);
                    diags.push(Diagnostic::warning("same-text", message, instruction.span));
                }
            }
            Err(error) => {
                let message = format!("the text of {} can't be read back: `{text}`: {}", form.name, error.message);
                diags.push(Diagnostic::error("ambiguous-text", message, instruction.span));
            }
        }
    }
}

/// The words that forms of this length take, none counted twice: of each form what its specialisations leave.
pub(crate) fn leaves(isa: &Isa, bits: u32) -> impl Iterator<Item = (&Form, CubeSet)> {
    isa.forms.iter().filter(move |f| f.length == bits).map(|form| {
        let own = form.specialised_by.iter().fold(form.words.clone(), |s, id| s.subtract(&isa.form(*id).words));
        (form, own)
    })
}
