//! Templates to the flat text of one form: operands and choices put in, conditions resolved.

use super::Context;
use super::conditions::{Found, NoneOf, Scope, not};
use super::leaf::{Assembly, Instance, is_known};
use crate::diag::Diagnostic;
use crate::lang::{self, Name, PieceAst};
use crate::model::{Cond, Condition, Field, Isa, Kind, Owner, Piece, Radix, Raw, Refused, When};
use crate::span::Span;
use crate::yaml::Text;
use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;

/// The texts of a form.
pub(super) struct Texts {
    /// What is printed.
    pub(super) text: Vec<Piece>,
    /// What is read as well.
    pub(super) also: Vec<Vec<Piece>>,
    /// The first of these is the text without aliases.
    pub(super) has_base: bool,
    /// What a piece of these can be one of.
    pub(super) bodies: Vec<Vec<Vec<Piece>>>,
    /// What is known to be wrong.
    pub(super) refused: Vec<Refused>,
    /// What `--full` adds.
    pub(super) full: Vec<Piece>,
}

/// The texts of a form, and those of the instruction that it stands for.
pub(super) fn assemble<'s>(
    cx: &Context<'s, '_>,
    scope: &Scope<'_>,
    assembly: &Assembly<'s>,
    meant: Option<(&Scope<'_>, &Assembly<'s>)>,
) -> Texts {
    let (open, room, uses, bodies) = (RefCell::default(), Cell::new(MAX_TEXT), Cell::new(0), RefCell::default());
    let a = Assembler { cx, scope, assembly, instead: None, open: &open, room: &room, uses: &uses, bodies: &bodies };
    let TextsOnly { mut text, mut also, mut refused } = a.all();
    let mut aliases = a.aliases();
    if let Some((scope, assembly)) = meant {
        let printed = Assembler { scope, assembly, ..a }.printed();
        aliases.push((Cond::Const(true), Span::default(), printed));
    }
    // Other texts of an alternative stand where its own stands.
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
    // One that is there for other forms alone (`<when …>`) comes out empty.
    also.retain(|pieces| !pieces.is_empty());
    let has_base = !aliases.is_empty();
    if has_base {
        let base = join(text);
        text = a.first_of(aliases, &base);
        also.insert(0, base);
    }
    refused.retain(|refused| !refused.begins.is_empty());
    let mut bodies = bodies.into_inner();
    keep_used(&mut bodies, &mut also, &mut refused);
    Texts { text: join(text), also, has_base, bodies, refused, full: join(full) }
}

/// Takes out the lists of texts that no text has after all.
fn keep_used(bodies: &mut Vec<Vec<Vec<Piece>>>, also: &mut [Vec<Piece>], refused: &mut [Refused]) {
    fn each(pieces: &mut [Piece], visit: &mut impl FnMut(&mut usize)) {
        for piece in pieces {
            match piece {
                Piece::Literal(_) | Piece::Field { .. } => {}
                Piece::Group { body, .. } => each(body, visit),
                Piece::OneOf(list) => visit(list),
            }
        }
    }
    let mut used = vec![false; bodies.len()];
    let mut texts: Vec<&mut Vec<Piece>> = also.iter_mut().chain(refused.iter_mut().map(|r| &mut r.begins)).collect();
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

/// Whether a field is the name of a register.
pub(super) fn is_name(isa: &Isa, field: &Field) -> bool {
    matches!(field.kind, Kind::Register(id) if isa.registers[id.index()].names.is_some())
}

/// How often a text has a field; twice stands for more.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Count {
    /// Outside groups.
    pub(super) outside: u8,
    /// Everywhere.
    pub(super) all: u8,
}

/// How often a text can have a field, with what is known of the lists of texts that it has.
pub(super) fn counts(pieces: &[Piece], field: usize, inside: &[BTreeSet<Count>]) -> BTreeSet<Count> {
    let mut out = BTreeSet::from([Count::default()]);
    for piece in pieces {
        let more = match piece {
            Piece::Field { field: other, .. } if *other == field => BTreeSet::from([Count { outside: 1, all: 1 }]),
            Piece::Literal(_) | Piece::Field { .. } => continue,
            Piece::Group { body, .. } => {
                counts(body, field, inside).into_iter().map(|count| Count { outside: 0, ..count }).collect()
            }
            Piece::OneOf(list) => inside[*list].clone(),
        };
        let both = |a: Count, b: Count| Count { outside: (a.outside + b.outside).min(2), all: (a.all + b.all).min(2) };
        out = out.iter().flat_map(|a| more.iter().map(|b| both(*a, *b))).collect();
    }
    out
}

struct Assembler<'a, 's, 'd> {
    cx: &'a Context<'s, 'd>,
    scope: &'a Scope<'a>,
    assembly: &'a Assembly<'s>,
    /// A template in the place of that of the alternative that this slot has picked.
    instead: Option<(usize, &'s Text)>,
    /// The operands and choices whose text is being put together.
    open: &'a RefCell<Vec<(Open, String)>>,
    /// How much the texts of the form may still grow.
    room: &'a Cell<usize>,
    /// How often the text that is being put together has `{body}`, if it can have it several times at once.
    uses: &'a Cell<usize>,
    /// The lists of texts that stand in other texts.
    bodies: &'a RefCell<Vec<Vec<Vec<Piece>>>>,
}

/// What has a text of its own.
#[derive(PartialEq)]
enum Open {
    Slot(usize),
    Operand(String),
}

/// The texts of a form together have so many pieces at most, a long literal counted for each 64 of its bytes.
const MAX_TEXT: usize = 50_000;
/// Texts of operands and choices nest so deep at most.
const MAX_DEPTH: usize = 32;

/// What is printed, what is read as well, how wrong texts begin and what is wrong with them.
struct TextsOnly {
    text: Vec<Piece>,
    also: Vec<Vec<Piece>>,
    refused: Vec<Refused>,
}

/// Where a template stands.
struct At<'a, 's> {
    instance: &'a Instance<'s>,
    body: Option<&'a [Piece]>,
    /// The slot whose alternative's own text this is.
    slot: Option<usize>,
}

impl<'s> Assembler<'_, 's, '_> {
    /// What is printed: from the instruction outwards, each format around what is there.
    fn text(&self) -> Vec<Piece> {
        let texts = self.assembly.instances[..self.assembly.formats].iter().rev().filter(|format| format.part.has_text());
        texts.fold(self.own_text(), |text, format| self.variants(format, Some(&text)))
    }

    /// What is printed with aliases.
    fn printed(&self) -> Vec<Piece> {
        let base = self.text();
        self.first_of(self.aliases(), &base)
    }

    /// What is printed in the place of the text: the instruction's first, then those of its formats, each inside the texts of the
    /// formats around it that have `{body}`.
    fn aliases(&self) -> Vec<(Cond, Span, Vec<Piece>)> {
        let mut list = Vec::new();
        let instances = &self.assembly.instances[..=self.assembly.formats];
        for (level, instance) in instances.iter().enumerate().rev() {
            for (when, is) in &instance.part.aliases {
                let cond = match when {
                    None => Some(Cond::Const(true)),
                    Some(text) => self.scope.condition(self.cx, text, &instance.prefix, &instance.env),
                };
                let mut text = self.template(is, &At { instance, body: None, slot: None });
                for format in instances[..level].iter().rev().filter(|format| format.part.has_text()) {
                    self.uses.set(0);
                    let around = self.variants(format, Some(&text));
                    if self.uses.get() > 0 {
                        text = around;
                    }
                }
                list.push((cond.unwrap_or(Cond::Const(false)), when.as_ref().unwrap_or(is).span, text));
            }
        }
        list
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
            // Where no alias is meant: this is no condition of the spec, and may always hold.
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
                let around = |body: Option<&[Piece]>| self.around(body, span, |body| self.variants(format, Some(body)));
                also = around(other.as_deref());
                let each = |Refused { begins, why }: Refused| {
                    around(Some(&begins)).into_iter().map(move |begins| Refused { begins, why: why.clone() })
                };
                refused = refused.into_iter().flat_map(each).collect();
                self.uses.set(0);
                let whole = self.variants(format, Some(&text));
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
        let each = |refused: &'s crate::read::RefusedDecl| {
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

    /// What is built around a body: one text, or one for each of those that the body can be.
    fn around(&self, body: Option<&[Piece]>, span: Span, build: impl Fn(&[Piece]) -> Vec<Piece>) -> Vec<Vec<Piece>> {
        let Some(body) = body.filter(|_| self.room.get() > 0) else { return Vec::new() };
        self.uses.set(0);
        let text = build(body);
        if self.uses.get() > 1 && has_one_of(body) {
            // Wherever the body stands it is the same of its texts.
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
                Piece::Literal(_) | Piece::Field { .. } => vec![vec![piece.clone()]],
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
        for (when, _) in list {
            let cond = match when {
                None => Some(Cond::Const(true)),
                Some(text) => self.scope.condition(self.cx, text, &instance.prefix, &instance.env),
            };
            conds.push(cond.unwrap_or(Cond::Const(false)));
        }
        let mut pieces = Vec::new();
        let mut earlier = NoneOf::default();
        let (before, mut most) = (self.uses.get(), self.uses.get());
        for ((when, text), cond) in list.iter().zip(conds) {
            // Of the variants one is there.
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

    fn template(&self, text: &Text, at: &At<'_, 's>) -> Vec<Piece> {
        let Some(text) = at.instance.env.apply(self.cx, text) else { return Vec::new() };
        if !self.grow(1, text.span) {
            return Vec::new();
        }
        match self.cx.parse(&self.cx.templates, &text, lang::parse_template) {
            Some(ast) => self.pieces(&ast, &text, at),
            None => Vec::new(),
        }
    }

    /// A document's line of syntax. Which of its words are fields is said beside it, or by the nearest format.
    fn syntax(&self, line: &Text, at: &At<'_, 's>) -> Vec<Piece> {
        let Some(line) = at.instance.env.apply(self.cx, line) else { return Vec::new() };
        let formats = self.assembly.instances[..self.assembly.formats].iter().rev();
        let parts: Vec<_> = std::iter::once(at.instance).chain(formats).collect();
        let field = |word: &str| {
            parts.iter().find_map(|i| i.part.letters.iter().find(|(k, _)| k.value == word)).map(|(_, name)| name.value.clone())
        };
        match lang::parse_syntax(&line.value, &field) {
            Ok(ast) => self.pieces(&ast, &line, at),
            Err(fault) => {
                self.cx.error("syntax", fault.message, line.at(fault.range));
                Vec::new()
            }
        }
    }

    fn pieces(&self, list: &[PieceAst], text: &Text, at: &At<'_, 's>) -> Vec<Piece> {
        let mut out = Vec::new();
        for piece in list {
            match piece {
                PieceAst::Literal(literal, _) => out.push(Piece::Literal(literal.clone())),
                PieceAst::Place { name, radix } => out.extend(self.place(name, *radix, text, at)),
                PieceAst::Group(inner, range) => {
                    let body = self.pieces(inner, text, at);
                    if has_one_of(&body) {
                        // What the group shows is different for each of the texts.
                        self.uses.set(2);
                        continue;
                    }
                    let fields = shown_fields(&body, self.scope.fields);
                    if !fields.is_empty() {
                        out.push(Piece::Group { when: When::Differs(fields), body });
                    } else if !mentions_optional(inner) {
                        self.cx.error(
                            "template",
                            "nothing in this group can differ from a default: it would never be printed",
                            text.at(range.clone()),
                        );
                    }
                }
                PieceAst::When { cond, body, otherwise, range } => {
                    let before = self.uses.get();
                    let body = self.pieces(body, text, at);
                    // Of the two one is there.
                    let most = self.uses.replace(before);
                    let otherwise = self.pieces(otherwise, text, at);
                    self.uses.set(most.max(self.uses.get()));
                    if let Some(cond) = self.scope.resolve(self.cx, cond, text, &at.instance.prefix) {
                        let span = text.at(range.clone());
                        out.extend(self.when(cond.clone(), span, body));
                        if !otherwise.is_empty() {
                            out.extend(self.when(not(cond), span, otherwise));
                        }
                    }
                }
            }
        }
        out
    }

    fn place(&self, name: &Name, radix: Option<Radix>, text: &Text, at: &At<'_, 's>) -> Vec<Piece> {
        if name.path == "body" {
            return match at.body {
                Some(body) => {
                    self.uses.set(self.uses.get() + 1);
                    self.copy(body, text.at(name.range.clone()))
                }
                None => {
                    self.cx.error("template", "`{body}` stands in the text of a format only", text.at(name.range.clone()));
                    Vec::new()
                }
            };
        }
        if !is_known(self.scope, &name.path, &at.instance.prefix) {
            if let Some(pieces) = self.piece_of_form(&name.path, at, text.at(name.range.clone())) {
                return pieces;
            }
            if name.path == "mnemonic" {
                return vec![self.mnemonic()];
            }
            if !name.optional && !self.scope.has_failed(&name.path, &at.instance.prefix) {
                self.unknown(name, text);
            }
            return Vec::new();
        }
        match self.scope.find(&name.path, &at.instance.prefix) {
            Found::Field(field) => vec![Piece::Field { field, radix }],
            Found::Fixed(field, value) => vec![Piece::Literal(self.fixed_text(field, value, radix))],
            Found::Define(_) | Found::Nothing => {
                self.cx.error(
                    "template",
                    format!("`{}` is a condition: it can stand after `when`", name.path),
                    text.at(name.range.clone()),
                );
                Vec::new()
            }
        }
    }

    /// The text of an operand or choice, unless it is being put together already and would contain itself.
    fn once(&self, part: Open, name: &str, span: Span, pieces: impl FnOnce() -> Vec<Piece>) -> Vec<Piece> {
        // What is wrong is said once.
        if self.room.get() == 0 {
            return Vec::new();
        }
        let way = || self.open.borrow().iter().map(|(_, name)| format!("`{name}`")).collect::<Vec<_>>();
        let start = self.open.borrow().iter().position(|(open, _)| *open == part);
        if let Some(start) = start {
            let between = &way()[start..];
            let through = if between.len() > 1 { format!(": {}, `{name}`", between.join(", ")) } else { String::new() };
            self.cx.error("cycle", format!("the text of `{name}` contains itself{through}"), span);
            self.room.set(0);
            return Vec::new();
        }
        if self.open.borrow().len() >= MAX_DEPTH {
            self.cx.error("too-large", format!("texts of operands and choices nest deeper than {MAX_DEPTH}"), span);
            self.room.set(0);
        }
        if !self.grow(1, span) {
            return Vec::new();
        }
        self.open.borrow_mut().push((part, name.to_string()));
        let pieces = pieces();
        self.open.borrow_mut().pop();
        if self.grow(size(&pieces), span) { pieces } else { Vec::new() }
    }

    /// The same pieces once more.
    fn copy(&self, pieces: &[Piece], span: Span) -> Vec<Piece> {
        match self.grow(size(pieces), span) {
            true => pieces.to_vec(),
            false => Vec::new(),
        }
    }

    /// Whether the texts may grow by so much; the first time that they may not, it is said.
    fn grow(&self, size: usize, span: Span) -> bool {
        let (form, spec) = (self.room.get(), self.cx.text_room.get());
        if form == 0 || spec == 0 {
            return false;
        }
        self.room.set(form.saturating_sub(size));
        self.cx.text_room.set(spec.saturating_sub(size));
        let message = match (form > size, spec > size) {
            (true, true) => return true,
            (false, _) => {
                format!("with this, the texts of a form of `{}` have more than {MAX_TEXT} pieces", self.assembly.name.value)
            }
            (_, false) => format!("with this, the texts of all forms have more than {} pieces", super::MAX_TEXTS),
        };
        self.cx.error("too-large", message, span);
        false
    }

    /// An operand, or what a slot picked.
    fn piece_of_form(&self, name: &str, at: &At<'_, 's>, span: Span) -> Option<Vec<Piece>> {
        let slot = self.assembly.picks.iter().position(|(slot, ..)| slot == name).filter(|i| at.slot != Some(*i));
        let Some(slot) = slot else { return self.bound(name, span) };
        let alternative = self.assembly.instances.iter().find(|i| i.owner == Owner::Slot(slot, None))?;
        let within = At { instance: alternative, body: at.body, slot: Some(slot) };
        let once = |pieces: &dyn Fn() -> Vec<Piece>| Some(self.once(Open::Slot(slot), name, span, pieces));
        if let Some((_, text)) = self.instead.filter(|(instead, _)| *instead == slot) {
            return once(&|| self.template(text, &within));
        }
        if alternative.part.has_text() {
            return once(&|| self.variants_in(alternative, &within));
        }
        let mut operands = self.assembly.instances.iter().filter(|i| matches!(i.owner, Owner::Slot(s, Some(_)) if s == slot));
        match (operands.next(), operands.next()) {
            (Some(only), None) => Some(self.operand(only, span)),
            (None, _) => Some(Vec::new()),
            // Several operands and no text of its own: perhaps one of them has the slot's name.
            _ => self.bound(name, span),
        }
    }

    fn bound(&self, name: &str, span: Span) -> Option<Vec<Piece>> {
        let prefix = format!("{name}.");
        self.assembly.instances.iter().find(|i| i.prefix == prefix).map(|i| self.operand(i, span))
    }

    /// The text of an operand that is named at this place.
    fn operand(&self, instance: &Instance<'s>, span: Span) -> Vec<Piece> {
        let name = instance.prefix.trim_end_matches('.');
        self.once(Open::Operand(instance.prefix.clone()), name, span, || self.operand_text(instance))
    }

    fn operand_text(&self, instance: &Instance<'s>) -> Vec<Piece> {
        // A text that uses a parameter that is not given is missing too.
        if instance
            .part
            .text
            .iter()
            .map(|(_, text)| text)
            .chain(&instance.part.syntax)
            .any(|text| instance.env.apply(self.cx, text).is_some())
        {
            return self.variants_in(instance, &At { instance, body: None, slot: None });
        }
        let own: Vec<usize> =
            (0..self.scope.fields.len()).filter(|i| self.scope.fields[*i].path.starts_with(&instance.prefix)).collect();
        if let [field] = own.as_slice() {
            return vec![Piece::Field { field: *field, radix: None }];
        }
        if let (Some((head, text)), false) =
            (&instance.operand, self.scope.failed.iter().any(|f| f.starts_with(&instance.prefix)))
        {
            self.cx.error("missing", format!("operand `{}` has {} fields and no `text`", head.name, own.len()), text.span);
        }
        Vec::new()
    }

    fn fixed_text(&self, field: &Field, value: Raw, radix: Option<Radix>) -> String {
        let mut out = String::new();
        crate::value_text::print_value(self.scope.isa, field, value, radix, 0, &mut out);
        out
    }

    fn unknown(&self, name: &Name, text: &Text) {
        let slots = self.assembly.picks.iter().map(|p| p.0.clone());
        let binds =
            self.assembly.instances.iter().filter(|i| !i.prefix.is_empty()).map(|i| i.prefix.trim_end_matches('.').to_string());
        let fields = self.scope.fields.iter().map(|f| f.path.clone());
        let known: Vec<String> = slots.chain(binds).chain(fields).collect();
        self.cx.unknown("field, operand or choice", &name.path, text.at(name.range.clone()), known.iter().map(String::as_str));
    }
}

/// Groups that hold only `{x?}` may come out empty.
fn mentions_optional(pieces: &[PieceAst]) -> bool {
    pieces.iter().any(|p| match p {
        PieceAst::Place { .. } => true,
        PieceAst::Group(body, _) => mentions_optional(body),
        PieceAst::When { body, otherwise, .. } => mentions_optional(body) || mentions_optional(otherwise),
        PieceAst::Literal(..) => false,
    })
}

/// The fields that a group shows: those it prints, and those of the same operands that decide what is printed (a sign).
fn shown_fields(pieces: &[Piece], fields: &[Field]) -> Vec<usize> {
    let (mut printed, mut asked) = (Vec::new(), Vec::new());
    walk(pieces, &mut printed, &mut asked);
    let operand = |i: usize| fields[i].path.rsplit_once('.').map(|(prefix, _)| prefix);
    if printed.is_empty() {
        return asked;
    }
    let more: Vec<usize> =
        asked.into_iter().filter(|a| operand(*a).is_some() && printed.iter().any(|p| operand(*p) == operand(*a))).collect();
    printed.extend(more);
    printed.sort_unstable();
    printed.dedup();
    printed
}

fn walk(pieces: &[Piece], printed: &mut Vec<usize>, asked: &mut Vec<usize>) {
    for piece in pieces {
        match piece {
            Piece::Literal(_) => {}
            Piece::Field { field, .. } => printed.push(*field),
            Piece::Group { when, body } => {
                if let When::Holds(condition) = when {
                    asked.extend(condition.cond.fields());
                }
                walk(body, printed, asked);
            }
            // It stands in no group that this is asked for.
            Piece::OneOf(_) => {}
        }
    }
}

/// Whether one of several texts stands in a text.
fn has_one_of(pieces: &[Piece]) -> bool {
    pieces.iter().any(|piece| match piece {
        Piece::Literal(_) | Piece::Field { .. } => false,
        Piece::Group { body, .. } => has_one_of(body),
        Piece::OneOf(_) => true,
    })
}

/// How much of the room for texts these pieces take.
fn size(pieces: &[Piece]) -> usize {
    let piece = |piece: &Piece| match piece {
        Piece::Literal(text) => 1 + text.len() / 64,
        Piece::Field { .. } | Piece::OneOf(_) => 1,
        Piece::Group { body, .. } => 1 + size(body),
    };
    pieces.iter().map(piece).sum()
}

/// Neighbouring literals become one; empty ones go.
fn join(pieces: Vec<Piece>) -> Vec<Piece> {
    let mut out: Vec<Piece> = Vec::new();
    for piece in pieces {
        match (piece, out.last_mut()) {
            (Piece::Literal(text), _) if text.is_empty() => {}
            (Piece::Literal(text), Some(Piece::Literal(last))) => last.push_str(&text),
            (Piece::Group { when, body }, _) => out.push(Piece::Group { when, body: join(body) }),
            (piece, _) => out.push(piece),
        }
    }
    // There can be very many texts.
    out.shrink_to_fit();
    out
}
