//! An instruction that expands to another one: it has the other one's texts and semantics, with its fields renamed.

use super::assembly::{Assembly, Meant};
use super::conditions::{FormScope, Renamed, Resolved};
use super::context::Context;
use super::values::Meaning;
use isa_model::diag::Diagnostic;
use isa_model::model::{Expanded, Field, Isa, Label, Raw, RegisterId};
use isa_model::span::Span;
use isa_runtime::value::Style;
use isa_syntax::lang::{self, Value};
use isa_syntax::read::ExpandsDecl;
use std::rc::Rc;
use std::sync::Arc;

/// The names of the other instruction, in a form of this one.
pub(super) struct Expansion<'s> {
    pub(super) meant: Rc<Meant<'s>>,
    /// The other one's fields that are fields here.
    renamed: Vec<Renamed>,
    /// The other one's fields that have a fixed value here.
    fixed: Vec<(Field, Raw)>,
    /// Fields here, and the places of those of the other one that they are.
    fields: Vec<(usize, usize)>,
    /// The places of the other one's fields that have one value, each with the bits that it has there; `None` if no bits have it.
    values: Vec<(usize, Option<Raw>)>,
}

impl<'s> Expansion<'s> {
    /// The expansion of a form, if its instruction has one.
    pub(super) fn of(cx: &Context<'s, '_>, scope: &FormScope<'_>, assembly: &Assembly<'s>) -> Option<Self> {
        let meant = assembly.meant.clone()?;
        let decl = assembly.instances[assembly.formats].part.expands.as_ref()?;
        let mut own = Self { renamed: Vec::new(), fixed: meant.fixed.clone(), meant, fields: Vec::new(), values: Vec::new() };
        let mut good = true;
        for (name, _) in &decl.fields {
            if !own.meant.fields.iter().any(|f| f.path == name.value) {
                let known = own.meant.fields.iter().map(|f| f.path.as_str());
                cx.unknown("field", &name.value, name.span, known);
                good = false;
            }
        }
        // A name that is wrong is most likely meant to be one that would be missing.
        if !good {
            return None;
        }
        for (place, field) in own.meant.clone().fields.iter().enumerate() {
            good &= own.field(cx, scope, decl, (place, field)).is_some();
        }
        good.then_some(own)
    }

    /// Finds what a field of the other instruction is here.
    fn field(
        &mut self,
        cx: &Context<'_, '_>,
        scope: &FormScope<'_>,
        decl: &ExpandsDecl,
        (place, field): (usize, &Field),
    ) -> Option<()> {
        let said = decl.fields.iter().find(|(name, _)| name.value == field.path);
        let (name, span) = said.map_or((field.path.as_str(), decl.to.span), |(_, is)| (is.value.as_str(), is.span));
        if let Some(index) = scope.fields.iter().position(|f| f.path == name) {
            alike(cx, scope, &scope.fields[index], field, span)?;
            let own = &scope.fields[index];
            self.fields.push((index, place));
            self.renamed.push(Renamed {
                name: field.path.clone(),
                field: index,
                default: default_here(scope, own, field),
                style: style_there(own, field),
            });
            return Some(());
        }
        if let Some((own, raw)) = scope.fixed.iter().find(|(f, _)| f.path == name) {
            alike(cx, scope, own, field, span)?;
            // A distance that is counted from another place would be another number.
            let is_like = own.code.relative() == field.code.relative();
            self.values.push((place, same_bits(scope, (own, *raw), field).filter(|_| is_like)));
            self.fixed.push((as_there(scope, own, *raw, field), *raw));
            return Some(());
        }
        let Some((_, is)) = said else {
            if field.has_default {
                self.values.push((place, Some(field.default)));
                self.fixed.push((field.clone(), field.default));
                return Some(());
            }
            if !scope.has_failed(name, "") && !cx.is_renamed(name) {
                let message = format!("`{name}` of `{}` has no value here", decl.to.value);
                let help = format!("name a field or a value: `expands: {{ {}: {{ {name}: … }} }}`", decl.to.value);
                cx.report(Diagnostic::error("missing", message, span).with_help(help));
            }
            return None;
        };
        let value: Rc<Value> = cx.parse(&cx.parsed.values, is, lang::parse_value)?;
        let raw = Meaning::of(scope.isa, field).raw(cx, &value, span)?;
        self.values.push((place, Some(raw)));
        self.fixed.push((field.clone(), raw));
        Some(())
    }

    /// The form of the other instruction, with its fields; none if no bits of one have its value.
    pub(super) fn expanded(&self, isa: &Isa) -> Option<Expanded> {
        let to = isa.instructions.get(self.meant.assembly.instruction.index())?.forms.start;
        let value = |(place, raw): &(usize, Option<Raw>)| Some((*place, (*raw)?));
        let values = self.values.iter().map(value).collect::<Option<_>>()?;
        Some(Expanded { to, fields: self.fields.clone(), values })
    }

    /// The scope in which the other instruction is read in a form of this one.
    pub(super) fn scope<'a>(&'a self, own: &FormScope<'a>) -> FormScope<'a> {
        let Assembly { picks, tags, defines, readings, .. } = &self.meant.assembly;
        FormScope {
            fixed: &self.fixed,
            renamed: Some(&self.renamed),
            picks,
            tags,
            defines,
            readings,
            failed: &[],
            resolved: Resolved::default(),
            ..*own
        }
    }
}

/// The bits of a field that mean what the default of the field does whose place it takes.
fn default_here(scope: &FormScope<'_>, own: &Field, other: &Field) -> Option<Raw> {
    same_bits(scope, (other, other.default), own)
}

/// The bits of a field that mean what those of another one do.
fn same_bits(scope: &FormScope<'_>, (one, raw): (&Field, Raw), other: &Field) -> Option<Raw> {
    let value = one.index(raw);
    let from = |id: RegisterId| scope.isa.registers[id.index()].part_of.map_or(0, |part| Raw::from(part.from));
    let value = match (one.label, other.label) {
        (Label::Number, Label::Number) => {
            let number = one.code.value(raw)?;
            return other.code.bits(number).ok();
        }
        (Label::Register(a), Label::Register(b)) => (value + from(a)).checked_sub(from(b))?,
        _ => value,
    };
    other.bits_of(value)
}

/// The style of numbers of the field `other`, if it differs from that of `own`, which replaces it.
fn style_there(own: &Field, other: &Field) -> Option<Style> {
    let style = other.spelling.style()?;
    own.spelling.with_style(style).filter(|spelling| *spelling != *own.spelling).map(|_| style)
}

/// A field that is fixed, in the place of another: it has the name, the default and the style of that.
fn as_there(scope: &FormScope<'_>, own: &Field, raw: Raw, other: &Field) -> Field {
    let mut field = Field { path: other.path.clone(), ..own.clone() };
    // If no bits give the default, any other value will do.
    field.default = default_here(scope, own, other).unwrap_or(raw ^ 1);
    if let Some(spelling) = style_there(own, other).and_then(|style| own.spelling.with_style(style)) {
        field.spelling = Arc::new(spelling);
    }
    field
}

/// Checks that a field can take the place of another: registers of one file, values of one enumeration, numbers.
fn alike(cx: &Context<'_, '_>, scope: &FormScope<'_>, own: &Field, other: &Field, span: Span) -> Option<()> {
    let whole = |id: RegisterId| scope.isa.registers[id.index()].part_of.map_or(id, |part| part.file);
    let is_alike = match (own.label, other.label) {
        (Label::Register(a), Label::Register(b)) => whole(a) == whole(b),
        (Label::Number, Label::Number) => match (own.code.relative(), other.code.relative()) {
            // Within pages, distances from two places differ by the address.
            (Some(one), Some(other)) => one == other || (one.page, other.page) == (0, 0),
            (one, other) => one.is_some() == other.is_some(),
        },
        (Label::Flag | Label::Set, _) => own.label == other.label && own.spelling == other.spelling,
        (a, b) => a == b,
    };
    if let (Label::Register(a), Label::Register(b), true) = (own.label, other.label, is_alike)
        && scope.isa.registers[a.index()].part_of.is_none()
        && scope.isa.registers[b.index()].part_of.is_none()
        && own.bits.width() != other.bits.width()
    {
        let (file, width) = (&scope.isa.registers[a.index()].name, own.bits.width());
        let message =
            format!("`{}` has {width} bits, and `{}`, whose place it takes, {}", own.path, other.path, other.bits.width());
        let part = format!("`{file}c: {{ of: {file}, from: {}, index: {width} }}`", 1u128 << width.min(64));
        let help = format!("a part of the register file has fewer bits: {part}");
        cx.report(Diagnostic::error("expands", message, own.span).with_help(help));
        return None;
    }
    // Do not report a mismatch with a register file that already has an error.
    if !is_alike && !cx.errors() {
        let message = format!("`{}` can't be `{}`: they are of different kinds", other.path, own.path);
        cx.report(Diagnostic::error("expands", message, span).with_label(own.span, "this field"));
    }
    is_alike.then_some(())
}
