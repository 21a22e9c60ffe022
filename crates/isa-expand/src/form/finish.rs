//! A form of its parts: conditions, texts and semantics, now that all fields are known.

use super::Builder;
use crate::assembly::Instance;
use crate::conditions::{FormScope, Found, Resolved};
use crate::context::Context;
use crate::texts;
use crate::values::Meaning;
use crate::{access, expansion, overlap, semantics};
use isa_model::diag::Diagnostic;
use isa_model::model::condition::not;
use isa_model::model::{
    Cond, Condition, Constraint, ControlItem, Exclusion, Executes, Field, Form, FormId, Isa, Label, Named, NoEffect, Owner, Raw,
    Word,
};
use isa_model::sets::WordSet;
use isa_model::span::Text;
use isa_syntax::lang;
use isa_syntax::read::{ConstraintDecl, ControlDecl};

impl Builder<'_, '_, '_> {
    /// The form, and its fixed fields.
    pub(super) fn finish(mut self) -> Option<(Form, Vec<(Field, Raw)>)> {
        let scope = FormScope {
            isa: self.isa,
            fields: &self.fields,
            fixed: &self.fixed,
            picks: &self.assembly.picks,
            tags: &self.assembly.tags,
            defines: &self.assembly.defines,
            readings: &self.assembly.readings,
            failed: &self.failed,
            renamed: None,
            resolved: Resolved::default(),
        };
        let expansion = expansion::Expansion::of(self.cx, &scope, self.assembly);
        let meant = expansion.as_ref().map(|expansion| (expansion.scope(&scope), &expansion.meant.assembly));
        let meant = meant.as_ref().map(|(scope, assembly)| (scope, *assembly));
        let exclusions = self.exclusions(&scope);
        let constraints = self.constraints(&scope);
        let readings = self.assembly.readings.iter().filter_map(|used| scope.reading(self.cx, used)).collect();
        let texts::Texts { text, also, has_base, spelt, bodies, refused, full } =
            texts::assemble(self.cx, &scope, self.assembly, meant);
        let names: Vec<Named> = (0..self.fields.len())
            .filter(|i| self.isa.is_name(&self.fields[*i]))
            .map(|field| Named { field, place: 0 })
            .collect();
        let behaviour = match (&self.assembly.semantics, meant) {
            (None, Some((scope, assembly))) => semantics::behaviour(self.cx, scope, assembly, &self.name()),
            _ => semantics::behaviour(self.cx, &scope, self.assembly, &self.name()),
        };
        let control = self.control(&scope);
        let executes = self.executes(&scope, behaviour.is_some());
        let accesses = access::accesses(self.cx, &scope, self.assembly, meant, behaviour.as_ref());
        let meant = meant.map(|(scope, assembly)| (scope, &assembly.instances));
        let declared = meant.into_iter().chain([(&scope, &self.assembly.instances)]);
        let no_effect: Vec<_> = declared.flat_map(|(scope, instances)| no_effect(self.cx, scope, instances)).collect();
        overlap::keep(self.cx, FormId(self.isa.forms.len() as u32), self.assembly);
        let expanded = expansion.as_ref().filter(|_| names.is_empty()).and_then(|expansion| expansion.expanded(self.isa));
        let mut choices: Vec<(usize, NoEffect)> = Vec::new();
        // Without semantics there are no effects that could depend on anything.
        for (of, declared) in no_effect.into_iter().filter(|_| behaviour.is_some()) {
            match of {
                Shown::Field(field) => self.fields[field].no_effect = Some(declared),
                Shown::Choice(slot) => {
                    choices.retain(|(known, _)| *known != slot);
                    choices.push((slot, declared));
                }
            }
        }
        let form = Form {
            id: FormId(self.isa.forms.len() as u32),
            name: self.name(),
            instruction: self.assembly.instruction,
            length: self.length,
            picks: self.assembly.pick_indices.clone(),
            mask: self.mask,
            value: self.value,
            fixed: self.fixed_list,
            fields: self.fields,
            readings,
            names,
            plain: self.plain,
            words: WordSet::empty(),
            legal: WordSet::empty(),
            exclusions,
            specialised_by: Vec::new(),
            over: Vec::new(),
            constraints,
            text,
            also,
            has_base,
            spelt,
            bodies,
            refused,
            full,
            control,
            behaviour,
            no_effect: choices,
            executes,
            accesses,
            expanded,
            observed: self.assembly.observed,
        };
        Some((form, self.fixed))
    }

    /// `IADD3.imm`: the instruction and the alternatives that were picked.
    fn name(&self) -> String {
        let mut name = self.assembly.name.value.clone();
        for picked in &self.assembly.named {
            name.push('.');
            name.push_str(picked);
        }
        name
    }

    /// Words that do not belong to the form: values that a field does not have, and what `not` says.
    fn exclusions(&self, scope: &FormScope<'_>) -> Vec<Exclusion> {
        let mut list = value_exclusions(self.cx, self.isa, &self.fields);
        for instance in &self.assembly.instances {
            for text in &instance.part.not {
                let Some(cond) = scope.condition(self.cx, text, &instance.prefix, &instance.env) else { continue };
                list.push(Exclusion {
                    field: cond.fields().into_iter().next(),
                    when: Condition::new(cond, text.span),
                    why: format!("excluded by `not: {}`", text.value),
                    span: text.span,
                });
            }
        }
        list
    }

    /// The words that the machine executes as this form.
    fn executes(&self, scope: &FormScope<'_>, is_described: bool) -> Option<Executes> {
        let instance = &self.assembly.instances[self.assembly.formats];
        let decl = instance.part.executes.as_ref()?;
        if !is_described && !self.cx.report.unsound.get() {
            let message = format!("`{}` has no semantics that the machine could execute", self.assembly.name.value);
            self.cx.error("missing", message, decl.span);
            return None;
        }
        let (mut ignored, mut value) = (Word::ZERO, Word::ZERO);
        for text in &decl.ignored {
            let text = instance.env.apply(self.cx, text)?;
            if text.value.starts_with(|c: char| c.is_ascii_digit()) {
                let list = self.cx.parse(&self.cx.parsed.bit_lists, &text, lang::parse_bit_list)?;
                if let Some((_, range)) = list.iter().find(|(bits, _)| self.is_beyond(bits.mask())) {
                    self.beyond("ignored bits", text.at(range.clone()));
                    return None;
                }
                ignored |= list.iter().fold(Word::ZERO, |all, (bits, _)| all | bits.mask());
            } else {
                let field = self.fields.iter().chain(self.fixed.iter().map(|(field, _)| field)).find(|f| f.path == text.value);
                let Some(field) = field else {
                    scope.unknown(self.cx, &text.value, "", text.span);
                    return None;
                };
                ignored |= field.bits.mask();
            }
        }
        for field in self.fields.iter().filter(|field| !(field.bits.mask() & ignored).is_zero()) {
            if !field.has_default {
                let message = format!("the machine can't ignore `{}`, which has no default to be executed with", field.path);
                self.cx.error("value", message, decl.span);
                return None;
            }
            value |= field.bits.place(field.default);
        }
        let value = (self.value | value) & ignored;
        let fields: Vec<Field> = self.fields.iter().chain(self.fixed.iter().map(|(field, _)| field)).cloned().collect();
        let open = FormScope { fields: &fields, fixed: &[], renamed: None, resolved: Resolved::default(), ..*scope };
        let not = decl.not.iter().filter_map(|text| {
            let cond = open.condition(self.cx, text, "", &instance.env)?;
            Some(Condition::new(cond, text.span))
        });
        let (not, except, span) = (not.collect(), decl.except.clone(), decl.span);
        Some(Executes { ignored, value, words: WordSet::empty(), not, fields, except, span })
    }

    /// The rules that legal words keep.
    fn constraints(&self, scope: &FormScope<'_>) -> Vec<Constraint> {
        let mut list = Vec::new();
        for instance in &self.assembly.instances {
            for decl in &instance.part.constraints {
                if let Some(cond) = scope.condition(self.cx, &decl.that, &instance.prefix, &instance.env) {
                    list.extend(self.constraint(cond, decl));
                }
            }
        }
        list
    }

    /// The flags and lists beside `full`; a later part's item takes the place of an earlier one's.
    fn control(&self, scope: &FormScope<'_>) -> Vec<ControlItem> {
        let mut items: Vec<ControlItem> = Vec::new();
        for instance in &self.assembly.instances {
            for (list, declared) in &instance.part.control {
                let declared: Vec<(Option<&Text>, &Text)> = match declared {
                    ControlDecl::Flag(when) => vec![(None, when)],
                    ControlDecl::List(items) => items.iter().map(|(item, when)| (Some(item), when)).collect(),
                };
                let is_flag = declared.iter().any(|(item, _)| item.is_none());
                if !is_flag && self.fields.iter().any(|field| field.path == list.value) {
                    let message = format!("`{}` is a field: a list of control codes has a name of its own", list.value);
                    self.cx.error("duplicate", message, list.span);
                    continue;
                }
                if items.iter().any(|known| known.list == list.value && known.item.is_none() != is_flag) {
                    let message = format!("`{}` is a condition in one place and a list in another", list.value);
                    self.cx.error("duplicate", message, list.span);
                    continue;
                }
                for (item, when) in declared {
                    if let Some(item) = item.filter(|item| item.value.is_empty()) {
                        self.cx.error("name", "an item of a list has a name", item.span);
                        continue;
                    }
                    let Some(cond) = scope.condition(self.cx, when, &instance.prefix, &instance.env) else { continue };
                    let when = Condition::new(cond, when.span);
                    let item = item.map(|item| item.value.clone());
                    let of_list = items.iter().rposition(|known| known.list == list.value);
                    match items.iter_mut().find(|known| known.list == list.value && known.item == item) {
                        Some(known) => known.when = when,
                        None => {
                            let new = ControlItem { list: list.value.clone(), item, when };
                            items.insert(of_list.map_or(items.len(), |last| last + 1), new);
                        }
                    }
                }
            }
        }
        items
    }

    fn constraint(&self, cond: Cond, decl: &ConstraintDecl) -> Option<Constraint> {
        match cond {
            Cond::Const(true) => None,
            Cond::Const(false) => {
                let message = format!("no word of this form of `{}` satisfies this rule", self.assembly.name.value);
                let d = Diagnostic::error("empty", message, decl.that.span);
                self.cx.report(d.with_label(self.assembly.name.span, "the instruction"));
                None
            }
            cond => Some(Constraint {
                fields: cond.fields().into_iter().collect(),
                that: Condition::new(cond, decl.that.span),
                why: if decl.why.is_empty() { decl.that.value.clone() } else { decl.why.clone() },
                doc: self.cx.doc(decl.doc.as_ref()),
                span: decl.that.span,
            }),
        }
    }
}

/// Something that a text shows.
enum Shown {
    /// Index into the fields of the form.
    Field(usize),
    /// Index into the choices of the instruction.
    Choice(usize),
}

/// The names in `no-effect` of the parts of a form; the last declaration counts.
fn no_effect(cx: &Context<'_, '_>, scope: &FormScope<'_>, instances: &[Instance<'_>]) -> Vec<(Shown, NoEffect)> {
    let mut list = Vec::new();
    for instance in instances {
        for (name, why) in &instance.part.no_effect {
            let (Some(path), Some(why)) = (instance.env.apply(cx, name), instance.env.apply(cx, why)) else { continue };
            if why.value.trim().is_empty() {
                cx.error("missing", format!("`{}` needs the reason why it has no effect", path.value), why.span);
            }
            let (path, is_optional) = match path.value.strip_suffix('?') {
                Some(path) => (path, true),
                None => (path.value.as_str(), false),
            };
            let within = format!("{}{path}.", instance.prefix);
            let shown = match scope.find(path, &instance.prefix) {
                Found::Field(field) => vec![Shown::Field(field)],
                // Its value is the same in all words of the form.
                Found::Fixed(..) => Vec::new(),
                Found::Reading(_) | Found::Define(_) => {
                    let message = format!("`{path}` is computed from fields: name these");
                    cx.error("unread", message, name.span);
                    continue;
                }
                Found::Nothing => {
                    // The fields of an operand, or a choice with those of its alternatives.
                    let slot = scope.picks.iter().position(|(slot, ..)| slot == path);
                    let is_of_slot = |field: &Field| matches!(field.owner, Owner::Slot(of, _) if Some(of) == slot);
                    let operand: Vec<usize> = scope.within(&within).into_iter().map(|(field, _)| field).collect();
                    let fields = 0..scope.fields.len();
                    let fields =
                        fields.filter(|at| operand.contains(at) || scope.renamed.is_none() && is_of_slot(&scope.fields[*at]));
                    let shown: Vec<Shown> = slot.map(Shown::Choice).into_iter().chain(fields.map(Shown::Field)).collect();
                    if shown.is_empty() && !scope.fixed.iter().any(|(field, _)| field.path.starts_with(&within)) {
                        if !is_optional {
                            scope.unknown(cx, path, &instance.prefix, name.span);
                        }
                        continue;
                    }
                    shown
                }
            };
            cx.mark_used(name.span);
            list.extend(shown.into_iter().map(|of| (of, NoEffect { why: why.value.clone(), span: name.span })));
        }
    }
    list
}

/// Values that an enumeration or a register file does not have.
fn value_exclusions(cx: &Context<'_, '_>, isa: &Isa, fields: &[Field]) -> Vec<Exclusion> {
    let mut list = Vec::new();
    for (index, field) in fields.iter().enumerate() {
        let allowed = match Meaning::of(isa, field).allowed() {
            Ok(Some(values)) => Cond::Test { field: index, values },
            Ok(None) => continue,
            Err(error) => {
                cx.error("entangled", format!("the values of `{}` are too many: {error}", field.path), field.span);
                continue;
            }
        };
        let why = match field.label {
            Label::Enum(id) => format!("`{}` has no such value", isa.enums[id.index()].name),
            _ if let Some(code) = isa.code_of(&field.code) => format!("`{}` has no number for these bits", code.name),
            _ => "there is no such register".to_string(),
        };
        list.push(Exclusion { when: Condition::new(not(allowed), field.span), field: Some(index), why, span: field.span });
    }
    list
}
