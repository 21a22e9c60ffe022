//! Templates to the flat text of one form: operands and choices put in, conditions resolved.

use super::Context;
use super::conditions::{Found, NoneOf, Scope};
use super::leaf::{Assembly, Instance, is_known};
use crate::lang::{self, Name, PieceAst};
use crate::model::{Cond, Condition, Field, Isa, Kind, Owner, Piece, Radix, Raw, Refused, When};
use crate::span::Span;
use crate::yaml::Text;
use std::cell::{Cell, RefCell};

/// The texts of a form.
pub(super) struct Texts {
    /// What is printed.
    pub(super) text: Vec<Piece>,
    /// What is read as well.
    pub(super) also: Vec<Vec<Piece>>,
    /// What is known to be wrong.
    pub(super) refused: Vec<Refused>,
    /// What `--full` adds.
    pub(super) full: Vec<Piece>,
}

/// The texts of a form.
pub(super) fn assemble<'s>(cx: &Context<'s, '_>, scope: &Scope<'_>, assembly: &Assembly<'s>) -> Texts {
    let (open, room) = (RefCell::default(), Cell::new(MAX_TEXT));
    let a = Assembler { cx, scope, assembly, instead: None, open: &open, room: &room };
    let TextsOnly { text, mut also, refused } = a.all();
    // Other texts of an alternative stand where its own stands.
    for instance in &assembly.instances {
        if let Owner::Slot(slot, None) = instance.owner {
            also.extend(instance.part.also.iter().map(|also| Assembler { instead: Some((slot, also)), ..a }.all().text));
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
    let also = also.into_iter().map(join).filter(|pieces| !pieces.is_empty()).collect();
    let refused = refused.into_iter().map(|(begins, why)| Refused { begins: join(begins), why });
    Texts { text: join(text), also, refused: refused.filter(|r| !r.begins.is_empty()).collect(), full: join(full) }
}

/// Whether a field is the name of a register.
pub(super) fn is_name(isa: &Isa, field: &Field) -> bool {
    matches!(field.kind, Kind::Register(id) if isa.registers[id.index()].names.is_some())
}

/// The fields that a text has, as often as it has them; with those inside groups, or without.
pub(super) fn places(pieces: &[Piece], deep: bool) -> Vec<usize> {
    let mut out = Vec::new();
    for piece in pieces {
        match piece {
            Piece::Literal(_) => {}
            Piece::Field { field, .. } => out.push(*field),
            Piece::Group { body, .. } if deep => out.extend(places(body, deep)),
            Piece::Group { .. } => {}
        }
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
    refused: Vec<(Vec<Piece>, String)>,
}

/// Where a template stands.
struct At<'a, 's> {
    instance: &'a Instance<'s>,
    body: Option<&'a [Piece]>,
    /// The slot whose alternative's own text this is.
    slot: Option<usize>,
}

impl<'s> Assembler<'_, 's, '_> {
    /// From the instruction outwards, each format around what is there.
    fn all(&self) -> TextsOnly {
        let assembly = self.assembly;
        let instruction = &assembly.instances[assembly.formats];
        let mut text = if instruction.part.has_text() {
            self.variants(instruction, None)
        } else {
            let mnemonic = instruction.part.mnemonic.as_ref().unwrap_or(assembly.name);
            vec![Piece::Literal(mnemonic.value.clone())]
        };
        let mut also: Vec<Vec<Piece>> = self.also(instruction, std::slice::from_ref(&text)).collect();
        let mut refused: Vec<_> = self.refused(instruction, std::slice::from_ref(&text)).collect();
        for format in assembly.instances[..assembly.formats].iter().rev() {
            let bodies: Vec<Vec<Piece>> = std::iter::once(text.clone()).chain(also.iter().cloned()).collect();
            if format.part.has_text() {
                text = self.variants(format, Some(text));
                also = also.into_iter().map(|body| self.variants(format, Some(body))).collect();
                refused = refused.into_iter().map(|(body, why)| (self.variants(format, Some(body)), why)).collect();
            }
            also.extend(self.also(format, &bodies));
            refused.extend(self.refused(format, &bodies));
        }
        TextsOnly { text, also, refused }
    }

    /// The templates of `refused`, around each of these bodies.
    fn refused<'b>(
        &'b self,
        instance: &'b Instance<'s>,
        bodies: &'b [Vec<Piece>],
    ) -> impl Iterator<Item = (Vec<Piece>, String)> + 'b {
        instance.part.refused.iter().flat_map(move |refused| {
            let begins = |body| self.template(&refused.begins, &At { instance, body: Some(body), slot: None });
            let bodies = bodies.iter().take_while(|_| self.room.get() > 0);
            bodies.map(move |body| (begins(body.as_slice()), refused.why.clone()))
        })
    }

    /// The templates of `also`, around each of these bodies.
    fn also<'b>(&'b self, instance: &'b Instance<'s>, bodies: &'b [Vec<Piece>]) -> impl Iterator<Item = Vec<Piece>> + 'b {
        instance.part.also.iter().flat_map(move |text| {
            let bodies = bodies.iter().take_while(|_| self.room.get() > 0);
            bodies.map(move |body| self.template(text, &At { instance, body: Some(body), slot: None }))
        })
    }

    fn variants(&self, instance: &Instance<'s>, body: Option<Vec<Piece>>) -> Vec<Piece> {
        self.variants_in(instance, &At { instance, body: body.as_deref(), slot: None })
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
        for ((when, text), cond) in list.iter().zip(conds) {
            let body = self.template(text, at);
            let own = earlier.but(cond.clone());
            earlier.push(cond);
            pieces.extend(self.when(own, when.as_ref().unwrap_or(text).span, body));
        }
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
                PieceAst::When(cond, body, range) => {
                    let body = self.pieces(body, text, at);
                    if let Some(cond) = self.scope.resolve(self.cx, cond, text, &at.instance.prefix) {
                        out.extend(self.when(cond, text.at(range.clone()), body));
                    }
                }
            }
        }
        out
    }

    fn place(&self, name: &Name, radix: Option<Radix>, text: &Text, at: &At<'_, 's>) -> Vec<Piece> {
        if name.path == "body" {
            return match at.body {
                Some(body) => self.copy(body, text.at(name.range.clone())),
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
        PieceAst::Group(body, _) | PieceAst::When(_, body, _) => mentions_optional(body),
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
        }
    }
}

/// How much of the room for texts these pieces take.
fn size(pieces: &[Piece]) -> usize {
    let piece = |piece: &Piece| match piece {
        Piece::Literal(text) => 1 + text.len() / 64,
        Piece::Field { .. } => 1,
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
    out
}
