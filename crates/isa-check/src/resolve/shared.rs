//! Findings about words that several forms have: one for each slip, however many pairs of forms share words for that reason.

use isa_model::bits::{bits_word, ranges};
use isa_model::diag::{Diagnostic, Diagnostics};
use isa_model::model::{Form, FormId, InstructionId, Isa, Word};
use isa_model::print::print_pieces;
use isa_model::sets::Solver;
use isa_model::span::Span;
use std::collections::{BTreeMap, BTreeSet};

/// Two forms that share words, and should not.
#[derive(Clone, Copy)]
pub(super) struct Pair {
    pub(super) first: FormId,
    pub(super) second: FormId,
    pub(super) kind: Kind,
}

#[derive(Clone, Copy)]
pub(super) enum Kind {
    /// They have the same words, or neither lies inside the other.
    Clash { witness: Word, is_equal: bool },
    /// The first lies inside the second, and does not say so.
    Inside,
}

/// A place where one slip makes forms share words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Cause {
    /// An alternative of a choice, or a format.
    Part(Span),
    Instruction(InstructionId),
}

/// The greatest number of pairs that are looked at.
const MAX_PAIRS: usize = 1024;

/// Reports pairs, those with the same cause together. The cause that most pairs have comes first.
pub(super) fn report(isa: &Isa, mut pairs: Vec<Pair>, is_cut: bool, diags: &mut Diagnostics) {
    let is_cut = is_cut || pairs.len() > MAX_PAIRS;
    pairs.truncate(MAX_PAIRS);
    let mut pairs: Vec<(Pair, BTreeSet<Cause>)> = pairs.into_iter().map(|pair| (pair, causes(isa, pair))).collect();
    while !pairs.is_empty() {
        let cause = likeliest(isa, &pairs);
        let (group, others): (Vec<_>, Vec<_>) = pairs.into_iter().partition(|(_, causes)| causes.contains(&cause));
        pairs = others;
        let group: Vec<Pair> = group.into_iter().map(|(pair, _)| pair).collect();
        diags.push(finding(isa, &group, cause, is_cut));
    }
}

/// The places that two forms don't share, and the formats of both.
fn causes(isa: &Isa, pair: Pair) -> BTreeSet<Cause> {
    let forms = [pair.first, pair.second].map(|id| isa.form(id));
    let [first, second] = forms.map(|form| alternatives(isa, form));
    let apart = first.symmetric_difference(&second).copied();
    let formats = forms.into_iter().flat_map(|form| formats(isa, form)).map(|id| isa.formats[id].span);
    let parts = apart.chain(formats).map(Cause::Part);
    parts.chain(forms.map(|form| Cause::Instruction(form.instruction))).collect()
}

/// The places of the alternatives of a form.
fn alternatives(isa: &Isa, form: &Form) -> BTreeSet<Span> {
    let slots = &isa.instruction(form.instruction).slots;
    let alternative =
        |(slot, pick): (&isa_model::model::Slot, &usize)| isa.choice_types[slot.choice.index()].alternatives[*pick].span;
    slots.iter().zip(&form.picks).map(alternative).collect()
}

/// The formats of a form, the nearest first.
fn formats(isa: &Isa, form: &Form) -> impl Iterator<Item = usize> {
    let own = isa.instruction(form.instruction).format.map(|id| id.index());
    std::iter::successors(own, |id| isa.formats[*id].extends.map(|id| id.index())).take(isa.formats.len())
}

/// The cause that most pairs have. A slip in a shared part is likely only if it explains clearly more than one in an instruction;
/// of two instructions, the one that takes words, or the later one, is at fault.
fn likeliest(isa: &Isa, pairs: &[(Pair, BTreeSet<Cause>)]) -> Cause {
    let mut weights: BTreeMap<Cause, (usize, usize)> = BTreeMap::new();
    for (pair, causes) in pairs {
        for cause in causes {
            let weight = weights.entry(*cause).or_default();
            weight.0 += if let Cause::Instruction(_) = cause { 2 } else { 1 };
            let takes = matches!(pair.kind, Kind::Inside) && *cause == Cause::Instruction(isa.form(pair.first).instruction);
            weight.1 += usize::from(takes);
        }
    }
    let best =
        weights.into_iter().max_by_key(|(cause, weight)| (weight.0, matches!(cause, Cause::Instruction(_)), weight.1, *cause));
    best.map_or(Cause::Part(Span::default()), |(cause, _)| cause)
}

fn finding(isa: &Isa, group: &[Pair], cause: Cause, is_cut: bool) -> Diagnostic {
    // A clash says more than an overlap that is not declared.
    let pair = *group.iter().find(|pair| matches!(pair.kind, Kind::Clash { .. })).unwrap_or(&group[0]);
    let (first, second) = (isa.form(pair.first), isa.form(pair.second));
    let more = match (group.len() - 1, cause) {
        (0, _) => String::new(),
        (n, cause) => {
            let n = if is_cut { format!("at least {n}") } else { n.to_string() };
            let pairs = if n == "1" { "pair of forms" } else { "pairs of forms" };
            let with = match cause {
                Cause::Instruction(id) => format!(" with {}", isa.instruction(id).name),
                Cause::Part(_) => String::new(),
            };
            format!(", and {n} more {pairs}{with}")
        }
    };
    let of = |form: &Form| isa.instruction(form.instruction).span;
    let [at, other] = match (pair.kind, cause) {
        (Kind::Clash { .. }, Cause::Instruction(id)) if id == first.instruction => [first, second],
        (Kind::Inside, Cause::Instruction(id)) if id == second.instruction && group.len() > 1 => [second, first],
        (Kind::Clash { .. }, _) => [second, first],
        (Kind::Inside, _) => [first, second],
    };
    let hint = match cause {
        Cause::Instruction(id) => open_opcode(isa, id),
        Cause::Part(_) => None,
    };
    let mut finding = match pair.kind {
        Kind::Clash { witness, is_equal } => {
            let how = if is_equal { "they have the same words" } else { "neither lies inside the other" };
            let digits = first.length.div_ceil(4) as usize;
            let message =
                format!("{} and {} clash{more}: 0x{witness:0digits$x} is a word of both, and {how}", first.name, second.name);
            Diagnostic::error("clash", message, of(at)).with_help(hint.unwrap_or_else(|| to_tell_apart(first, second)))
        }
        Kind::Inside => {
            let (word, [own, lost]) = witness(isa, first, second);
            let digits = first.length.div_ceil(4) as usize;
            let message = format!(
                "{} takes words of {}{more}: 0x{word:0digits$x} is `{own}`, and would be `{lost}`",
                first.name, second.name
            );
            let help = hint.unwrap_or_else(|| format!("if this is meant: {}", declaration(isa, first, second, group)));
            Diagnostic::warning("overlap", message, of(at)).with_help(help)
        }
    };
    finding = finding.with_text(at.name.clone()).with_label(of(other), other.name.clone());
    match cause {
        Cause::Part(span) => finding.with_label(span, "a part of all of them"),
        Cause::Instruction(_) if group.len() > 1 => {
            let help =
                format!("{}; the others: {}", finding.help.take().unwrap_or_default(), others(group, [first, second], isa));
            finding.with_help(help)
        }
        Cause::Instruction(_) => finding,
    }
}

/// The greatest number of forms that a finding lists.
const MAX_LISTED: usize = 6;

/// The forms of a group besides those of the pair that stands for it.
fn others(group: &[Pair], said: [&Form; 2], isa: &Isa) -> String {
    let forms: BTreeSet<FormId> = group.iter().flat_map(|pair| [pair.first, pair.second]).collect();
    let forms: Vec<FormId> = forms.into_iter().filter(|id| said.iter().all(|form| form.id != *id)).collect();
    let mut names: Vec<String> = forms.iter().take(MAX_LISTED).map(|id| isa.form(*id).name.clone()).collect();
    if forms.len() > MAX_LISTED {
        names.push(format!("and {} more", forms.len() - MAX_LISTED));
    }
    names.join(", ")
}

/// A field, or bits, that an instruction leaves open and all others of its format fix.
fn open_opcode(isa: &Isa, id: InstructionId) -> Option<String> {
    let instruction = isa.instruction(id);
    let own: Vec<&Form> = isa.forms.iter().filter(|form| form.instruction == id).collect();
    let fixed = own.iter().map(|form| form.mask).reduce(|a, b| a & b)?;
    for format in formats(isa, own[0]) {
        let is_of = |form: &&Form| form.instruction != id && formats(isa, form).any(|other| other == format);
        let others: Vec<&Form> = isa.forms.iter().filter(is_of).collect();
        let count = others.iter().map(|form| form.instruction).collect::<BTreeSet<_>>().len();
        let open = others.iter().map(|form| form.mask).reduce(|a, b| a & b).map_or(Word::ZERO, |mask| mask & !fixed);
        if count < 2 || open.is_zero() {
            continue;
        }
        let field = own[0].fields.iter().find(|field| !(field.bits.mask() & open).is_zero());
        let what = field.map_or_else(|| bits_word(&ranges(open)), |field| format!("`{}`", field.path));
        let format = &isa.formats[format].name;
        return Some(format!(
            "{} does not fix {what}, and all other instructions of the format `{format}` do: `fix: {{ {}: … }}`",
            instruction.name,
            field.map_or_else(|| ranges(open)[0].to_string(), |field| field.path.clone())
        ));
    }
    None
}

/// The bits whose values would tell two forms apart.
fn to_tell_apart(a: &Form, b: &Form) -> String {
    let only =
        |x: &Form, y: &Form| if (x.mask & !y.mask).is_zero() { String::new() } else { bits_word(&ranges(x.mask & !y.mask)) };
    let (only_a, only_b) = (only(a, b), only(b, a));
    match (only_a.is_empty(), only_b.is_empty()) {
        (true, true) => "fix another bit in one of them to tell them apart".to_string(),
        (false, true) => format!("fix {only_a} in {}, as {} does, or exclude values with `not`", b.name, a.name),
        (true, false) => format!("fix {only_b} in {}, as {} does, or exclude values with `not`", a.name, b.name),
        (false, false) => format!("fix {only_b} in {}, or {only_a} in {}, or exclude values with `not`", a.name, b.name),
    }
}

/// The declaration that makes an overlap one that is meant.
fn declaration(isa: &Isa, inner: &Form, outer: &Form, group: &[Pair]) -> String {
    let instruction = isa.instruction(inner.instruction);
    if inner.instruction != outer.instruction {
        let all = isa.instruction(outer.instruction);
        let is_of = |pair: &&Pair| isa.form(pair.second).instruction == all.id;
        let name = if group.iter().filter(is_of).count() > 1 { &all.name } else { &outer.name };
        return format!("`over: {name}` in {}", instruction.name);
    }
    let mut slots = instruction.slots.iter().zip(inner.picks.iter().zip(&outer.picks)).filter(|(_, (a, b))| a != b);
    match slots.next() {
        Some((slot, (a, b))) => {
            let alternatives = &isa.choice_types[slot.choice.index()].alternatives;
            format!("`over: {}` in the alternative {}", alternatives[*b].name, alternatives[*a].name)
        }
        None => format!("`over: {}`", outer.name),
    }
}

/// A word that one form takes of another, and its texts in both; a legal one if there is one.
fn witness(isa: &Isa, inner: &Form, outer: &Form) -> (Word, [String; 2]) {
    let mut solver = Solver::new(isa.order(inner.length));
    let legal = solver.attempt(|solver| {
        let (own, legal) = (solver.import(&inner.words)?, solver.import(&inner.legal)?);
        let (other, both) = (solver.import(&outer.legal)?, solver.and(own, legal)?);
        solver.and(both, other)
    });
    let legal = legal.ok().and_then(|set| solver.freeze(set).first());
    let word = legal.or_else(|| inner.words.first()).or_else(|| inner.legal.first()).unwrap_or_default();
    let text = |form: &Form| {
        let mut text = String::new();
        print_pieces(form, &form.text, (word, &[]), 0, &mut |_| 0, &mut text);
        text
    };
    (word, [text(inner), text(outer)])
}
