//! Templates to the flat text of one form: operands and choices put in, conditions resolved.

mod choices;
mod pieces;
mod shown;
mod walk;

use choices::Choices;
use walk::{has_one_of, join, size};

use super::assembly::{Assembly, Instance};
use super::conditions::FormScope;
use super::context::Context;
use isa_model::diag::Diagnostic;
use isa_model::model::condition::NoneOf;
use isa_model::model::{Cond, Condition, Owner, Piece, Refused, Spelt, When};
use isa_model::span::{Span, Text};
use std::cell::{Cell, RefCell};
use std::collections::HashMap;

/// The texts of a form.
pub(super) struct Texts {
    /// The text that is printed.
    pub(super) text: Vec<Piece>,
    /// Other texts that are read.
    pub(super) also: Vec<Vec<Piece>>,
    /// The first of these is the text without aliases.
    pub(super) has_base: bool,
    /// Each alias and variant.
    pub(super) spelt: Vec<Spelt>,
    /// The texts that each [`Piece::OneOf`] of these chooses from.
    pub(super) bodies: Vec<Vec<Vec<Piece>>>,
    /// Texts that are known to be wrong.
    pub(super) refused: Vec<Refused>,
    /// The text that `--full` adds.
    pub(super) full: Vec<Piece>,
}

/// The texts of a form, and those of the instruction that it expands to.
pub(super) fn assemble<'s>(
    cx: &Context<'s, '_>,
    scope: &FormScope<'_>,
    assembly: &Assembly<'s>,
    meant: Option<(&FormScope<'_>, &Assembly<'s>)>,
) -> Texts {
    let (open, room, uses, bodies) = (RefCell::default(), Cell::new(MAX_TEXT), Cell::new(0), RefCell::default());
    let met = RefCell::default();
    let (open, room, uses, bodies, met) = (&open, &room, &uses, &bodies, &met);
    let a = Assembler { cx, scope, assembly, instead: None, choices: None, open, room, uses, bodies, met };
    let meant = meant.map(|(scope, assembly)| Assembler { scope, assembly, ..a });
    let TextsOnly { text, mut also, mut refused } = a.all();
    let mut aliases = a.aliases();
    if let Some(meant) = meant {
        aliases.push((Cond::Const(true), Span::default(), meant.printed()));
    }
    // Other texts of an alternative replace its own text.
    for instance in &assembly.instances {
        if let Owner::Slot(slot, None) = instance.owner {
            also.extend(instance.part.also.iter().map(|also| join(Assembler { instead: Some((slot, also)), ..a }.text())));
        }
    }
    let mut full = Vec::new();
    for instance in &assembly.instances[..=assembly.formats] {
        if let Some(template) = &instance.part.full {
            let at = At { instance, body: None, slot: None };
            full.extend(a.template(template, &at));
        }
    }
    // A text for other forms alone (`<when …>`) is empty here.
    also.retain(|pieces| !pieces.is_empty());
    let text = join(text);
    let has_base = !aliases.is_empty();
    let text = if has_base {
        let printed = join(a.first_of(aliases, &text));
        also.insert(0, text);
        printed
    } else {
        text
    };
    let without = a.without_optional(std::iter::once(&text).chain(&also));
    also.extend(without);
    refused.retain(|refused| !refused.begins.is_empty());
    let mut spelt = a.spelt(meant.as_ref());
    for Spelt { text, .. } in &mut spelt {
        // It is read with and without its optional parts.
        *text = a.without_optional(std::iter::once(&*text)).pop().unwrap_or_else(|| std::mem::take(text));
    }
    let mut bodies = bodies.take();
    let only_read = also.iter_mut().chain(spelt.iter_mut().map(|spelt| &mut spelt.text));
    keep_used(&mut bodies, only_read.chain(refused.iter_mut().map(|refused| &mut refused.begins)).collect());
    Texts { text, also, has_base, spelt, bodies, refused, full: join(full) }
}

/// Takes out the lists of texts that no text has after all.
fn keep_used(bodies: &mut Vec<Vec<Vec<Piece>>>, mut texts: Vec<&mut Vec<Piece>>) {
    fn each(pieces: &mut [Piece], visit: &mut impl FnMut(&mut usize)) {
        for piece in pieces {
            match piece {
                Piece::Literal(_) | Piece::Field { .. } | Piece::Reading(_) => {}
                Piece::Group { body, .. } => each(body, visit),
                Piece::OneOf(list) => visit(list),
            }
        }
    }
    let mut used = vec![false; bodies.len()];
    texts.iter_mut().for_each(|text| each(text, &mut |list| used[*list] = true));
    // A list is used by later ones alone.
    for (index, body) in bodies.iter_mut().enumerate().rev() {
        if used[index] {
            body.iter_mut().for_each(|text| each(text, &mut |list| used[*list] = true));
        }
    }
    let places: Vec<usize> = (0..used.len()).map(|list| used[..list].iter().filter(|used| **used).count()).collect();
    let mut kept = used.into_iter();
    bodies.retain(|_| kept.next() == Some(true));
    for text in texts.into_iter().chain(bodies.iter_mut().flatten()) {
        each(text, &mut |list| *list = places[*list]);
    }
}

#[derive(Clone, Copy)]
struct Assembler<'a, 's, 'd> {
    cx: &'a Context<'s, 'd>,
    scope: &'a FormScope<'a>,
    assembly: &'a Assembly<'s>,
    /// A template in the place of that of the alternative that this slot has picked.
    instead: Option<(usize, &'s Text)>,
    /// The variants that are picked, for a text with one variant of each list.
    choices: Option<&'a Choices>,
    /// The operands and choices whose text is being put together.
    open: &'a RefCell<Vec<(Open, String)>>,
    /// The number of pieces by which the texts of the form may still grow.
    room: &'a Cell<usize>,
    /// The number of times that the current text has `{body}`, counting only those that can occur together.
    uses: &'a Cell<usize>,
    /// The lists of texts that occur in other texts.
    bodies: &'a RefCell<Vec<Vec<Vec<Piece>>>>,
    /// The fields that texts have met: those that are fixed, and all fields of an instruction that another one expands to.
    met: &'a RefCell<Vec<shown::Met>>,
}

/// A part that has a text of its own.
#[derive(PartialEq)]
enum Open {
    Slot(usize),
    Operand(String),
}

/// The greatest number of pieces in the texts of a form together; a long literal counts once for each 64 bytes.
const MAX_TEXT: usize = 50_000;

/// Texts of operands and choices nest so deep at most.
const MAX_DEPTH: usize = 32;

/// A declaration of an alias.
struct Alias<'s> {
    /// The part that has it: an index of [`Assembly::instances`].
    level: usize,
    when: Cond,
    is: &'s Text,
    /// The place of its condition, or of itself.
    span: Span,
}

/// The printed text, the other texts that are read, and those that are refused.
struct TextsOnly {
    text: Vec<Piece>,
    also: Vec<Vec<Piece>>,
    refused: Vec<Refused>,
}

/// The context of a template.
struct At<'a, 's> {
    instance: &'a Instance<'s>,
    body: Option<&'a [Piece]>,
    /// The slot whose alternative's own text this is.
    slot: Option<usize>,
}

impl<'s> Assembler<'_, 's, '_> {
    /// The texts that have optional parts, with and without each of these parts.
    fn without_optional<'t>(&self, texts: impl Iterator<Item = &'t Vec<Piece>>) -> Vec<Vec<Piece>> {
        let marks: Vec<&str> =
            self.cx.spec.assembly.optional.iter().map(|mark| mark.value.as_str()).filter(|m| !m.is_empty()).collect();
        let (mut all, mut known) = (Vec::new(), HashMap::new());
        for text in texts.filter(|_| !marks.is_empty()) {
            let mut is_there = false;
            let with = self.optional(text, &marks, &mut known, &mut is_there);
            if is_there && self.grow(size(&with), self.assembly.name.span) {
                all.push(with);
            }
        }
        all
    }

    /// The same pieces with marks that may be missing, and whether there are any; `known` has the lists of texts that were met.
    fn optional(
        &self,
        pieces: &[Piece],
        marks: &[&str],
        known: &mut HashMap<usize, Option<usize>>,
        is_there: &mut bool,
    ) -> Vec<Piece> {
        let mut out = Vec::new();
        for piece in pieces {
            match piece {
                Piece::Literal(text) => {
                    let mut rest = text.as_str();
                    while let Some((at, mark)) = marks.iter().filter_map(|mark| Some((rest.find(mark)?, *mark))).min() {
                        *is_there = true;
                        let mut bodies = self.bodies.borrow_mut();
                        bodies.push(vec![vec![Piece::Literal(mark.to_owned())], Vec::new()]);
                        out.extend([Piece::Literal(rest[..at].to_owned()), Piece::OneOf(bodies.len() - 1)]);
                        rest = &rest[at + mark.len()..];
                    }
                    out.push(Piece::Literal(rest.to_owned()));
                }
                Piece::Group { when, body } => {
                    out.push(Piece::Group { when: when.clone(), body: self.optional(body, marks, known, is_there) });
                }
                Piece::OneOf(list) => {
                    let with = match known.get(list) {
                        Some(with) => *with,
                        None => self.optional_list(*list, marks, known),
                    };
                    known.insert(*list, with);
                    *is_there |= with.is_some();
                    out.push(Piece::OneOf(with.unwrap_or(*list)));
                }
                Piece::Field { .. } | Piece::Reading(_) => out.push(piece.clone()),
            }
        }
        join(out)
    }

    /// A list of the same texts with marks that may be missing; `None` if they have none.
    fn optional_list(&self, list: usize, marks: &[&str], known: &mut HashMap<usize, Option<usize>>) -> Option<usize> {
        let (texts, mut is_there) = (self.bodies.borrow()[list].clone(), false);
        let with: Vec<_> = texts.iter().map(|text| self.optional(text, marks, known, &mut is_there)).collect();
        let has_room = is_there && self.grow(with.iter().map(|text| size(text)).sum(), self.assembly.name.span);
        has_room.then(|| {
            let mut bodies = self.bodies.borrow_mut();
            bodies.push(with);
            bodies.len() - 1
        })
    }

    /// The printed text: from the instruction outwards, each format around what is there.
    fn text(&self) -> Vec<Piece> {
        let texts = self.assembly.instances[..self.assembly.formats].iter().rev().filter(|format| format.part.has_text());
        texts.fold(self.own_text(), |text, format| self.variants(format, Some(&text)))
    }

    /// The printed text with aliases.
    fn printed(&self) -> Vec<Piece> {
        let base = self.text();
        self.first_of(self.aliases(), &base)
    }

    /// The texts printed in place of the normal one: the instruction's first, then those of its formats, each inside the texts of
    /// the outer formats that have `{body}`.
    fn aliases(&self) -> Vec<(Cond, Span, Vec<Piece>)> {
        self.declared().into_iter().map(|alias| (alias.when.clone(), alias.span, self.alias(&alias))).collect()
    }

    /// The declarations of the same.
    fn declared(&self) -> Vec<Alias<'s>> {
        let levels = (0..=self.assembly.formats).rev();
        let declared = levels.flat_map(|level| {
            let instance = &self.assembly.instances[level];
            instance.part.aliases.iter().map(move |(when, is)| {
                let cond = match when {
                    None => Some(Cond::Const(true)),
                    Some(text) => self.scope.condition(self.cx, text, &instance.prefix, &instance.env),
                };
                Alias { level, when: cond.unwrap_or(Cond::Const(false)), is, span: when.as_ref().unwrap_or(is).span }
            })
        });
        declared.collect()
    }

    /// The text of an alias, inside those of the outer formats.
    fn alias(&self, alias: &Alias<'s>) -> Vec<Piece> {
        let instances = &self.assembly.instances;
        let mut text = self.template(alias.is, &At { instance: &instances[alias.level], body: None, slot: None });
        for format in instances[..alias.level].iter().rev().filter(|format| format.part.has_text()) {
            self.uses.set(0);
            let around = self.variants(format, Some(&text));
            if self.uses.get() > 0 {
                text = around;
            }
        }
        text
    }

    /// The first of several texts whose condition holds, or else the last one.
    fn first_of(&self, texts: Vec<(Cond, Span, Vec<Piece>)>, otherwise: &[Piece]) -> Vec<Piece> {
        let mut pieces = Vec::new();
        let mut earlier = NoneOf::default();
        for (cond, span, text) in texts {
            let own = earlier.but(cond.clone());
            earlier.push(cond);
            pieces.extend(self.when(own, span, text));
        }
        let rest = earlier.but(Cond::Const(true));
        if rest != Cond::Const(false) {
            // The text if no alias applies: the condition is synthesised, and may always hold.
            let text = self.copy(otherwise, self.assembly.name.span);
            pieces.extend(self.when(rest, Span::default(), text));
        }
        pieces
    }

    /// The instruction's own.
    fn own_text(&self) -> Vec<Piece> {
        let instruction = &self.assembly.instances[self.assembly.formats];
        if instruction.part.has_text() {
            return self.variants(instruction, None);
        }
        vec![self.mnemonic()]
    }

    fn mnemonic(&self) -> Piece {
        let instruction = &self.assembly.instances[self.assembly.formats];
        Piece::Literal(instruction.part.mnemonic.as_ref().unwrap_or(self.assembly.name).value.clone())
    }

    /// All texts, in the same manner.
    fn all(&self) -> TextsOnly {
        let assembly = self.assembly;
        let instruction = &assembly.instances[assembly.formats];
        let mut text = self.own_text();
        let mut also = self.also(instruction, Some(&text));
        let mut refused = self.refused(instruction, Some(&text));
        for format in assembly.instances[..assembly.formats].iter().rev() {
            let part = &format.part;
            if !part.has_text() && part.also.is_empty() && part.refused.is_empty() {
                continue;
            }
            let other = self.one_of(also);
            let body = match part.also.is_empty() && part.refused.is_empty() {
                true => None,
                false => {
                    let all = std::iter::once(join(text.clone())).chain(other.clone()).collect();
                    Some(self.one_of(all).unwrap_or_default())
                }
            };
            also = other.iter().cloned().collect();
            if part.has_text() {
                let span = part.text.first().map_or(assembly.name.span, |(_, text)| text.span);
                self.uses.set(0);
                let whole = self.variants(format, Some(&text));
                // If a format's text has no `{body}`, texts that replace that of the instruction have nothing to go into.
                if self.uses.get() > 0 {
                    let around = |body: Option<&[Piece]>| self.around(body, span, |body| self.variants(format, Some(body)));
                    let uses = self.uses.get();
                    also = around(other.as_deref());
                    let each = |Refused { begins, why }: Refused| {
                        around(Some(&begins)).into_iter().map(move |begins| Refused { begins, why: why.clone() })
                    };
                    refused = refused.into_iter().flat_map(each).collect();
                    self.uses.set(uses);
                }
                // A text that is too large has no `{body}` either.
                if self.uses.get() == 0 && instruction.part.has_text() && !self.cx.errors() {
                    self.report_hidden(instruction, format);
                }
                self.warn_of_doubles(&text, &whole, span);
                text = whole;
            }
            also.extend(self.also(format, body.as_deref()));
            refused.extend(self.refused(format, body.as_deref()));
        }
        TextsOnly { text, also, refused }
    }

    /// Reports an instruction's text that the text of its format does not have.
    fn report_hidden(&self, instruction: &Instance<'s>, format: &Instance<'s>) {
        let own = instruction.part.text.first().map(|(_, text)| text).or(instruction.part.syntax.as_ref());
        let around = format.part.text.first().map(|(_, text)| text).or(format.part.syntax.as_ref());
        if let (Some(own), Some(around)) = (own, around)
            && !around.value.is_empty()
        {
            let message =
                format!("this text of `{}` is never printed: the text of its format has no `{{body}}`", self.assembly.name.value);
            let help = "`{body}` in the format's text is where it goes; or let a format without a text be extended";
            self.cx.report(
                Diagnostic::error("template", message, own.span)
                    .with_label(around.span, "the text of the format")
                    .with_help(help),
            );
        }
    }

    /// Warns of a field that a format prints around a body that prints it, too.
    fn warn_of_doubles(&self, body: &[Piece], whole: &[Piece], span: Span) {
        let count = |pieces: &[Piece], field: usize| {
            pieces.iter().filter(|p| matches!(p, Piece::Field { field: other, .. } if *other == field)).count()
        };
        for piece in body.iter().filter(|_| self.uses.get() == 1) {
            if let Piece::Field { field, .. } = piece
                && count(whole, *field) > count(body, *field)
            {
                let name = &self.scope.fields[*field].path;
                let message = format!("`{name}` of {} is printed twice: here, and in `{{body}}`", self.assembly.name.value);
                self.cx.report(Diagnostic::warning("said-twice", message, span));
            }
        }
    }

    /// The templates of `refused`, around this body.
    fn refused(&self, instance: &Instance<'s>, body: Option<&[Piece]>) -> Vec<Refused> {
        let each = |refused: &'s isa_syntax::read::RefusedDecl| {
            let texts = self.templates(&refused.begins, instance, body);
            texts.into_iter().map(|begins| Refused { begins, why: refused.why.clone() })
        };
        instance.part.refused.iter().flat_map(each).collect()
    }

    /// The templates of `also`, around this body.
    fn also(&self, instance: &Instance<'s>, body: Option<&[Piece]>) -> Vec<Vec<Piece>> {
        instance.part.also.iter().flat_map(|text| self.templates(text, instance, body)).collect()
    }

    fn templates(&self, text: &Text, instance: &Instance<'s>, body: Option<&[Piece]>) -> Vec<Vec<Piece>> {
        self.around(body, text.span, |body| self.template(text, &At { instance, body: Some(body), slot: None }))
    }

    /// These texts as a single one, which is one of them; `None` without any. One that is there for other forms alone
    /// (`<when …>`) is empty, and no text of this form.
    fn one_of(&self, mut texts: Vec<Vec<Piece>>) -> Option<Vec<Piece>> {
        texts.retain(|text| !text.is_empty());
        if texts.len() < 2 {
            return texts.pop();
        }
        let mut bodies = self.bodies.borrow_mut();
        bodies.push(texts);
        Some(vec![Piece::OneOf(bodies.len() - 1)])
    }

    /// The texts built around a body: one text, or one for each of the texts that the body can be.
    fn around(&self, body: Option<&[Piece]>, span: Span, build: impl Fn(&[Piece]) -> Vec<Piece>) -> Vec<Vec<Piece>> {
        let Some(body) = body.filter(|_| self.room.get() > 0) else { return Vec::new() };
        self.uses.set(0);
        let text = build(body);
        if self.uses.get() > 1 && has_one_of(body) {
            // All occurrences of the body are the same one of its texts.
            return self.unfold(body, span).iter().map(|body| join(build(body))).collect();
        }
        vec![join(text)]
    }

    /// All texts that a text with lists of texts can be.
    fn unfold(&self, pieces: &[Piece], span: Span) -> Vec<Vec<Piece>> {
        let mut out = vec![Vec::new()];
        for piece in pieces {
            let ways: Vec<Vec<Piece>> = match piece {
                Piece::OneOf(list) => self.bodies.borrow()[*list].iter().flat_map(|text| self.unfold(text, span)).collect(),
                Piece::Group { when, body } => {
                    let group = |body| vec![Piece::Group { when: when.clone(), body }];
                    self.unfold(body, span).into_iter().map(group).collect()
                }
                Piece::Literal(_) | Piece::Field { .. } | Piece::Reading(_) => vec![vec![piece.clone()]],
            };
            let whole = |texts: &[Vec<Piece>]| texts.iter().map(|text| size(text)).sum::<usize>();
            let (old, more) = (whole(&out), whole(&ways));
            let new = old.saturating_mul(ways.len()).saturating_add(more.saturating_mul(out.len()));
            if !self.grow(new.saturating_sub(old), span) {
                return Vec::new();
            }
            out = out.iter().flat_map(|text| ways.iter().map(move |way| [text.as_slice(), way].concat())).collect();
        }
        out
    }

    fn variants(&self, instance: &Instance<'s>, body: Option<&[Piece]>) -> Vec<Piece> {
        self.variants_in(instance, &At { instance, body, slot: None })
    }

    fn variants_in(&self, instance: &Instance<'s>, at: &At<'_, 's>) -> Vec<Piece> {
        if let Some(line) = &instance.part.syntax {
            return self.syntax(line, at);
        }
        let list = &instance.part.text;
        if let [(None, text)] = list.as_slice() {
            return self.template(text, at);
        }
        let mut conds = Vec::new();
        list.iter().filter_map(|(when, _)| when.as_ref()).for_each(|when| self.ask_in(when, at));
        for (when, _) in list {
            let cond = match when {
                None => Some(Cond::Const(true)),
                Some(text) => self.scope.condition(self.cx, text, &instance.prefix, &instance.env),
            };
            conds.push(cond.unwrap_or(Cond::Const(false)));
        }
        if let Some(choices) = self.choices {
            let picked = choices.pick_of(&conds);
            return picked.map_or_else(Vec::new, |picked| self.template(&list[picked].1, at));
        }
        let mut pieces = Vec::new();
        let mut earlier = NoneOf::default();
        let (before, mut most) = (self.uses.get(), self.uses.get());
        for ((when, text), cond) in list.iter().zip(conds) {
            // Only one of the variants is present.
            self.uses.set(before);
            let body = self.template(text, at);
            most = most.max(self.uses.get());
            let own = earlier.but(cond.clone());
            earlier.push(cond);
            pieces.extend(self.when(own, when.as_ref().unwrap_or(text).span, body));
        }
        self.uses.set(most);
        pieces
    }

    fn when(&self, cond: Cond, span: Span, body: Vec<Piece>) -> Vec<Piece> {
        match cond {
            Cond::Const(true) => body,
            Cond::Const(false) => Vec::new(),
            cond => {
                vec![Piece::Group { when: When::Holds(Condition::new(cond, span)), body }]
            }
        }
    }
}
