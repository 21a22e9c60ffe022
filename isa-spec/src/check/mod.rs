//! The rules that a model keeps, one function each: no clashes, lengths that agree, texts that can be read back.

mod lines;

use crate::codec::Codec;
use crate::cubes::CubeSet;
use crate::diag::{Diagnostic, Diagnostics};
use crate::model::{Field, Form, FormId, Isa, Kind, Piece, When};

use crate::expand::bits_word;
pub(crate) use crate::expand::ranges;

/// Checks a model that was expanded without errors, and notes in it which forms specialise which.
pub(crate) fn check(isa: &mut Isa, diags: &mut Diagnostics) {
    check_lengths(isa, diags);
    check_clashes(isa, diags);
    check_holes(isa, diags);
    check_templates(isa, diags);
    lines::check(isa, diags);
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
            let message = format!(
                "{:#x} belongs to {}, but a word that begins so does not have {} bits",
                cube.value, form.name, form.length
            );
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
        let left = isa.form(outer).words.subtract(&isa.form(inner).words);
        isa.forms[outer.index()].words = left;
    }
}

/// A hole with a name has words that no form has. The first that has a word names it, so each has some that those before it lack.
fn check_holes(isa: &Isa, diags: &mut Diagnostics) {
    for (i, hole) in isa.holes.iter().enumerate() {
        let words = CubeSet::of(hole.words);
        let digits = hole.length.div_ceil(4) as usize;
        let clash = |word: u128, what: &str| format!("`{}` is no hole: 0x{word:0digits$x} is a word of {what}", hole.name);
        let form = isa.forms.iter().filter(|f| f.length == hole.length).find_map(|f| Some((f, f.words.witness(&words)?)));
        if let Some((form, word)) = form {
            let d = Diagnostic::error("clash", clash(word, &form.name), hole.span);
            diags.push(d.with_label(isa.instruction(form.instruction).span, form.name.clone()));
        }
        let other = isa.holes[..i].iter().filter(|h| h.length == hole.length);
        if let Some(other) = other.into_iter().find(|h| h.words.includes(hole.words)) {
            let message = format!("`{}` has all words of `{}` already", other.name, hole.name);
            diags.push(Diagnostic::error("clash", message, hole.span).with_label(other.span, "the other hole"));
        }
        let length = isa.words.lengths.iter().find(|l| l.bits == hole.length);
        if let Some(length) = length.filter(|l| l.words.witness(&words).is_none()) {
            let message = format!("a word that begins as those of `{}` does not have {} bits", hole.name, hole.length);
            diags.push(Diagnostic::error("length", message, hole.span).with_label(length.span, "the condition for this length"));
        }
    }
}

fn clash(isa: &Isa, a: &Form, b: &Form, witness: u128, equal: bool) -> Diagnostic {
    let (first, second) = (isa.instruction(a.instruction), isa.instruction(b.instruction));
    let how = if equal { "they have the same words" } else { "neither lies inside the other" };
    let digits = a.length.div_ceil(4) as usize;
    let message = format!("{} and {} clash: 0x{witness:0digits$x} is a word of both, and {how}", a.name, b.name);
    let only = |x: &Form, y: &Form| if x.mask & !y.mask == 0 { String::new() } else { bits_word(&ranges(x.mask & !y.mask)) };
    let (only_a, only_b) = (only(a, b), only(b, a));
    let help = match (only_a.is_empty(), only_b.is_empty()) {
        (true, true) => "fix another bit in one of them to tell them apart".to_string(),
        (false, true) => format!("fix {only_a} in {}, as {} does, or exclude values with `not`", b.name, a.name),
        (true, false) => format!("fix {only_b} in {}, as {} does, or exclude values with `not`", a.name, b.name),
        (false, false) => format!("fix {only_b} in {}, or {only_a} in {}, or exclude values with `not`", a.name, b.name),
    };
    Diagnostic::error("clash", message, second.span)
        .with_text(b.name.clone())
        .with_label(first.span, a.name.clone())
        .with_help(help)
}

/// A number ends where no digit or letter follows, so none may.
fn check_templates(isa: &Isa, diags: &mut Diagnostics) {
    for form in &isa.forms {
        let mut before = Vec::new();
        for text in std::iter::once(&form.text).chain(&form.also).chain([&form.full]) {
            before.clear();
            adjacent(isa, form, text, &mut before, diags);
        }
    }
}

/// Fields that end in digits, or names, and may stand directly before, with the words for which they do.
type Before = Vec<(usize, CubeSet)>;

fn adjacent(isa: &Isa, form: &Form, pieces: &[Piece], before: &mut Before, diags: &mut Diagnostics) {
    for piece in pieces {
        match piece {
            Piece::Literal(text) => {
                if let Some(field) = stuck_to(isa, form, before, &text.chars().take(1).collect::<Vec<_>>()) {
                    let word: String = text.chars().take_while(|c| c.is_ascii_alphanumeric() || *c == '_').collect();
                    diags.push(not_separate(isa, form, field, &format!("the text `{word}`")));
                }
                before.clear();
            }
            Piece::Field { field, .. } => {
                let (starts, may_be_empty) = starts(isa, &form.fields[*field]);
                if let Some(first) = stuck_to(isa, form, before, &starts) {
                    let second = &form.fields[*field];
                    diags.push(
                        not_separate(isa, form, first, &format!("`{}`", second.path)).with_label(second.span, "the second"),
                    );
                }
                if !may_be_empty {
                    before.clear();
                }
                if may_go_on(isa, &form.fields[*field]) {
                    before.push((*field, CubeSet::all()));
                }
            }
            Piece::Group { when, body } => {
                let mut inner = before.clone();
                match when {
                    When::Differs(_) => adjacent(isa, form, body, &mut inner, diags),
                    When::Holds { words, .. } => {
                        restrict(&mut inner, words);
                        adjacent(isa, form, body, &mut inner, diags);
                        restrict(&mut inner, words);
                        restrict(before, &words.complement());
                    }
                }
                inner.retain(|entry| !before.contains(entry));
                before.append(&mut inner);
            }
        }
    }
}

fn restrict(before: &mut Before, words: &CubeSet) {
    before.iter_mut().for_each(|(_, when)| *when = when.intersect(words));
    before.retain(|(_, when)| !when.is_empty());
}

/// The field before which can't be told from what begins with one of these characters.
fn stuck_to(isa: &Isa, form: &Form, before: &Before, starts: &[char]) -> Option<usize> {
    let goes_on = |field: usize, c: &char| match form.fields[field].kind {
        Kind::Int { .. } => c.is_ascii_alphanumeric() || *c == '_',
        Kind::Register(id) if isa.registers[id.index()].names.is_some() => {
            isa.registers[id.index()].names.as_ref().is_some_and(|names| c.is_ascii() && names.goes_on() >> *c as u32 & 1 == 1)
        }
        _ => c.is_ascii_digit(),
    };
    before.iter().map(|(field, _)| *field).find(|field| starts.iter().any(|c| goes_on(*field, c)))
}

/// The characters with which a field's text can begin, and whether it can be empty.
fn starts(isa: &Isa, field: &Field) -> (Vec<char>, bool) {
    let first = |texts: &[&str]| (texts.iter().filter_map(|t| t.chars().next()).collect(), texts.contains(&""));
    match &field.kind {
        Kind::Int { .. } => (vec!['0', '-'], false),
        Kind::Flag(text) => first(&[text, ""]),
        Kind::Bitset(letters) => (letters.chars().take(1).chain(['-']).collect(), false),
        Kind::Register(id) => {
            let file = &isa.registers[id.index()];
            if let Some(names) = &file.names {
                return ((0..128u8).filter(|c| names.begins() >> c & 1 == 1).map(char::from).collect(), false);
            }
            let prefix = if file.prefix.is_empty() { "0" } else { file.prefix.as_str() };
            first(&file.special.iter().map(|(_, name)| name.as_str()).chain([prefix]).collect::<Vec<_>>())
        }
        Kind::Enum(id) => {
            let e = &isa.enums[id.index()];
            let other = e.otherwise.as_ref().map(|(prefix, _)| if prefix.is_empty() { "0" } else { prefix.as_str() });
            first(&e.values.iter().map(|v| v.text.as_str()).chain(other).collect::<Vec<_>>())
        }
    }
}

fn may_go_on(isa: &Isa, field: &Field) -> bool {
    match &field.kind {
        Kind::Int { .. } => true,
        Kind::Register(id) => {
            let file = &isa.registers[id.index()];
            file.names.is_some() || file.suffix.is_empty() && file.halves.is_none()
        }
        Kind::Enum(id) => isa.enums[id.index()].otherwise.as_ref().is_some_and(|(_, suffix)| suffix.is_empty()),
        Kind::Flag(_) | Kind::Bitset(_) => false,
    }
}

fn not_separate(isa: &Isa, form: &Form, first: usize, second: &str) -> Diagnostic {
    let (instruction, first) = (isa.instruction(form.instruction), &form.fields[first]);
    let message =
        format!("the text of `{}` can't be read back: nothing stands between `{}` and {second}", instruction.name, first.path);
    Diagnostic::error("ambiguous-text", message, instruction.span).with_label(first.span, "the first")
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
                    let message =
                        format!("the text of {} can't be read back: `{text}` is read as a word that prints `{again}`", form.name);
                    diags.push(Diagnostic::error("ambiguous-text", message, instruction.span));
                } else if found != form.id && isa.is_text() {
                    let message = format!(
                        "`{text}` is a text of {} and of {}, and there is text alone to tell them apart",
                        form.name,
                        isa.form(found).name
                    );
                    diags.push(Diagnostic::error("ambiguous-text", message, instruction.span));
                } else if found != form.id && isa.form(found).instruction != form.instruction {
                    let message =
                        format!("`{text}` is a text of {} and of {}; it is read as the latter", form.name, isa.form(found).name);
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
pub(crate) fn leaves(isa: &Isa, bits: u32) -> impl Iterator<Item = (&Form, &CubeSet)> {
    isa.forms.iter().filter(move |f| f.length == bits).map(|form| (form, &form.words))
}
