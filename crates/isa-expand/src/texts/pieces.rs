//! One template to pieces: names to fields, operands and choices, each with its own text.

use super::shown::Shown;
use super::walk::{has_one_of, mentions_optional, size};
use super::{Assembler, At, MAX_DEPTH, MAX_TEXT, Open};
use crate::assembly::Instance;
use crate::conditions::Found;
use crate::form::is_known;
use isa_model::diag::Diagnostic;
use isa_model::model::condition::not;
use isa_model::model::{Field, Label, Owner, Piece};
use isa_model::span::{Span, Text};
use isa_runtime::value::Style;
use isa_syntax::lang::{self, Name, PieceAst, Styled};
use isa_syntax::read::Choose;

impl<'s> Assembler<'_, 's, '_> {
    pub(super) fn template(&self, text: &Text, at: &At<'_, 's>) -> Vec<Piece> {
        let Some(text) = at.instance.env.apply(self.cx, text) else { return Vec::new() };
        if !self.grow(1, text.span) {
            return Vec::new();
        }
        match self.cx.parse(&self.cx.parsed.templates, &text, lang::parse_template) {
            Some(ast) => self.pieces(&ast, &text, at),
            None => Vec::new(),
        }
    }

    /// A document's line of syntax. The words in it that are fields are declared beside it, or by the nearest format.
    pub(super) fn syntax(&self, line: &Text, at: &At<'_, 's>) -> Vec<Piece> {
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

    pub(super) fn pieces(&self, list: &[PieceAst], text: &Text, at: &At<'_, 's>) -> Vec<Piece> {
        let mut out = Vec::new();
        for piece in list {
            match piece {
                PieceAst::Literal(literal, _) => out.push(Piece::Literal(literal.clone())),
                PieceAst::Place { name, style } => out.extend(self.place(name, style.as_ref(), text, at)),
                PieceAst::Group(inner, range) => {
                    let since = self.met.borrow().len();
                    let body = self.pieces(inner, text, at);
                    if has_one_of(&body) {
                        // The group's condition differs from text to text.
                        self.uses.set(2);
                        continue;
                    }
                    let shown = self.shown(&body, since);
                    if matches!(shown, Shown::Never) && !mentions_optional(inner) {
                        self.cx.error(
                            "template",
                            "no field in this group can differ from its default: the group would never be printed",
                            text.at(range.clone()),
                        );
                    }
                    out.extend(self.group(body, shown));
                }
                PieceAst::When { cond, body, otherwise, range } => {
                    self.ask(cond, &at.instance.prefix);
                    let before = self.uses.get();
                    let body = self.pieces(body, text, at);
                    // Only one of the two branches is present.
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

    pub(super) fn place(&self, name: &Name, style: Option<&Styled>, text: &Text, at: &At<'_, 's>) -> Vec<Piece> {
        let bare = |what: &str| self.without_style(name, style, what, text);
        if name.path == "body" {
            bare("a text");
            return match at.body {
                Some(body) => {
                    self.uses.set(self.uses.get() + 1);
                    self.copy(body, text.at(name.range.clone()))
                }
                None => {
                    self.cx.error("template", "`{body}` is only allowed in the text of a format", text.at(name.range.clone()));
                    Vec::new()
                }
            };
        }
        if !is_known(self.scope, &name.path, &at.instance.prefix) {
            if let Some(pieces) = self.piece_of_form(&name.path, at, text.at(name.range.clone())) {
                bare("an operand or a choice");
                return pieces;
            }
            if name.path == "mnemonic" {
                bare("a text");
                return vec![self.mnemonic()];
            }
            if !name.optional && !self.scope.has_failed(&name.path, &at.instance.prefix) {
                self.unknown(name, text);
            }
            return Vec::new();
        }
        match self.scope.find(&name.path, &at.instance.prefix) {
            Found::Field(field) => {
                let there = self.scope.stands_for(&name.path, &at.instance.prefix);
                let own = self.style_of(name, style, &self.scope.fields[field], text);
                vec![self.field(field, there, own)]
            }
            Found::Fixed(field, value) => {
                let style = self.style_of(name, style, field, text);
                vec![self.fixed(field, value, style)]
            }
            Found::Reading(used) => {
                let Some(reading) = self.scope.reading(self.cx, used) else { return Vec::new() };
                let style = self.style_of(name, style, &reading.field, text);
                self.scope.fields_of(self.cx, used, &mut |found, there| self.meets(&found, there, true));
                vec![self.reading(&reading, style)]
            }
            Found::Define(_) | Found::Nothing => {
                self.cx.error(
                    "template",
                    format!("`{}` is a condition: it is only allowed after `when`", name.path),
                    text.at(name.range.clone()),
                );
                Vec::new()
            }
        }
    }

    /// The style of a field's number; one that the field can't have is reported.
    fn style_of(&self, name: &Name, style: Option<&Styled>, field: &Field, text: &Text) -> Option<Style> {
        let asked = style?.style;
        if field.spelling.with_style(asked).is_some() {
            return Some(asked);
        }
        let what = match field.label {
            Label::Number => "a floating-point number",
            Label::Register(_) => "a register",
            Label::Enum(_) => "a value of an enumeration",
            Label::Flag => "a flag",
            Label::Set => "a bitset",
        };
        self.without_style(name, style, what, text);
        None
    }

    /// Reports the style of what is not an integer.
    fn without_style(&self, name: &Name, style: Option<&Styled>, what: &str, text: &Text) {
        let Some(style) = style else { return };
        let message = format!("only `signed` and `unsigned` numbers have a style, and `{}` is {what}", name.path);
        let help = match what {
            "an operand or a choice" => format!("the style is written in its own text; write `{{{}}}`", name.path),
            "a value of an enumeration" => {
                format!(
                    "the style of values without a name is written in `else`: `else: \"v{{n:x}}\"`; write `{{{}}}`",
                    name.path
                )
            }
            _ => format!("write `{{{}}}`", name.path),
        };
        self.cx.report(Diagnostic::error("template", message, text.at(style.range.clone())).with_help(help));
    }

    /// The text of an operand or choice, unless it is being put together already and would contain itself.
    pub(super) fn once(&self, part: Open, name: &str, span: Span, pieces: impl FnOnce() -> Vec<Piece>) -> Vec<Piece> {
        // The fault is reported once.
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
    pub(super) fn copy(&self, pieces: &[Piece], span: Span) -> Vec<Piece> {
        match self.grow(size(pieces), span) {
            true => pieces.to_vec(),
            false => Vec::new(),
        }
    }

    /// True if the texts may grow by `size` pieces; the first failure is reported.
    pub(super) fn grow(&self, size: usize, span: Span) -> bool {
        let (form, spec) = (self.room.get(), self.cx.budget.text_room.get());
        if form == 0 || spec == 0 {
            return false;
        }
        self.room.set(form.saturating_sub(size));
        self.cx.budget.text_room.set(spec.saturating_sub(size));
        let message = match (form > size, spec > size) {
            (true, true) => return true,
            (false, _) => {
                format!("with this, the texts of a form of `{}` have more than {MAX_TEXT} pieces", self.assembly.name.value)
            }
            (_, false) => {
                format!("with this, the texts of all forms have more than {} pieces", crate::context::MAX_TEXTS)
            }
        };
        self.cx.error("too-large", message, span);
        false
    }

    /// An operand, or what a slot picked.
    pub(super) fn piece_of_form(&self, name: &str, at: &At<'_, 's>, span: Span) -> Option<Vec<Piece>> {
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

    pub(super) fn bound(&self, name: &str, span: Span) -> Option<Vec<Piece>> {
        let prefix = format!("{name}.");
        self.assembly.instances.iter().find(|i| i.prefix == prefix).map(|i| self.operand(i, span))
    }

    /// The text of an operand that is named at this place.
    pub(super) fn operand(&self, instance: &Instance<'s>, span: Span) -> Vec<Piece> {
        let name = instance.prefix.trim_end_matches('.');
        self.once(Open::Operand(instance.prefix.clone()), name, span, || self.operand_text(instance))
    }

    pub(super) fn operand_text(&self, instance: &Instance<'s>) -> Vec<Piece> {
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
        let own = self.scope.within(&instance.prefix);
        if let [(field, there)] = own.as_slice() {
            return vec![self.field(*field, *there, None)];
        }
        let mut fixed = self.scope.fixed.iter().filter(|(field, _)| field.path.starts_with(&instance.prefix));
        if let ([], Some((field, raw)), None) = (own.as_slice(), fixed.next(), fixed.next()) {
            return vec![self.fixed(field, *raw, None)];
        }
        if let (Some((head, text)), false) =
            (&instance.operand, self.scope.failed.iter().any(|f| f.starts_with(&instance.prefix)))
        {
            self.cx.error("missing", format!("operand `{}` has {} fields and no `text`", head.name, own.len()), text.span);
        }
        Vec::new()
    }

    /// The alternatives that have a field or an operand of this name, each with its choice.
    fn alternatives_with(&self, name: &str) -> Vec<(&'s str, &'s str)> {
        let parts = self.assembly.instances.iter().take(self.assembly.formats + 1).map(|instance| instance.part);
        let mut found = Vec::new();
        for (slot, choose) in parts.flat_map(|part| &part.choose) {
            let decl = match choose {
                Choose::Inline(decl) => Some(decl),
                Choose::Named(text) => {
                    let used = self.cx.parse(&self.cx.parsed.uses, text, lang::parse_use);
                    used.and_then(|used| self.cx.sources.choices.get(&used.name)).map(|(_, _, decl)| *decl)
                }
            };
            for (alternative, part) in decl.into_iter().flat_map(|decl| &decl.alternatives) {
                let mut names = part.fields.iter().map(|field| &field.name).chain(part.bind.iter().map(|(name, _)| name));
                if names.any(|own| own.value == name) {
                    found.push((slot.value.as_str(), alternative.value.as_str()));
                }
            }
        }
        found
    }

    pub(super) fn unknown(&self, name: &Name, text: &Text) {
        let having = self.alternatives_with(&name.path);
        if let Some((slot, _)) = having.first() {
            let of: Vec<String> = having.iter().filter(|(other, _)| other == slot).map(|(_, name)| format!("`{name}`")).collect();
            let (which, has) = if of.len() == 1 { ("alternative", "has") } else { ("alternatives", "have") };
            let message = format!("only {which} {} of `{slot}` {has} `{}`", of.join(", "), name.path);
            let error = Diagnostic::error("unknown-name", message, text.at(name.range.clone()));
            self.cx.report(error.with_help(format!("write `{{{}?}}`", name.path)));
            return;
        }
        let slots = self.assembly.picks.iter().map(|p| p.0.clone());
        let binds =
            self.assembly.instances.iter().filter(|i| !i.prefix.is_empty()).map(|i| i.prefix.trim_end_matches('.').to_string());
        let fields = self.scope.fields.iter().map(|f| f.path.clone());
        let readings = self.scope.readings.iter().map(|reading| reading.path.clone());
        let known: Vec<String> = slots.chain(binds).chain(fields).chain(readings).collect();
        self.cx.unknown("field, operand or choice", &name.path, text.at(name.range.clone()), known.iter().map(String::as_str));
    }
}
