//! A form of its parts: conditions, texts and semantics, now that all fields are known.

use super::Builder;
use crate::diag::Diagnostic;
use crate::expand::conditions::{FormScope, Resolved};
use crate::expand::context::Context;
use crate::expand::texts;
use crate::expand::values::Meaning;
use crate::expand::{access, expansion, overlap, semantics};
use crate::model::condition::not;
use crate::model::{Cond, Condition, Constraint, ControlItem, Exclusion, Field, Form, FormId, Isa, Label, Named, Raw};
use crate::read::{ConstraintDecl, ControlDecl};
use crate::sets::WordSet;
use crate::yaml::Text;

impl Builder<'_, '_, '_> {
    /// The form, and its fixed fields.
    pub(super) fn finish(self) -> Option<(Form, Vec<(Field, Raw)>)> {
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
        let texts::Texts { text, also, has_base, bodies, refused, full } = texts::assemble(self.cx, &scope, self.assembly, meant);
        let names: Vec<Named> = (0..self.fields.len())
            .filter(|i| self.isa.is_name(&self.fields[*i]))
            .map(|field| Named { field, place: 0 })
            .collect();
        let behaviour = match (&self.assembly.semantics, meant) {
            (None, Some((scope, assembly))) => semantics::behaviour(self.cx, scope, assembly, &self.name()),
            _ => semantics::behaviour(self.cx, &scope, self.assembly, &self.name()),
        };
        let control = self.control(&scope);
        let accesses = access::accesses(self.cx, &scope, self.assembly, meant, behaviour.as_ref());
        overlap::keep(self.cx, FormId(self.isa.forms.len() as u32), self.assembly);
        let expanded = expansion.as_ref().filter(|_| names.is_empty()).and_then(|expansion| expansion.expanded(self.isa));
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
            bodies,
            refused,
            full,
            control,
            behaviour,
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
