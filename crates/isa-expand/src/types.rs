//! The types that generated code has for operands and choices: one for each set of fields that a use comes to.

use super::assembly::Assembly;
use super::context::Context;
use isa_model::model::{
    Alternative, Bind, ChoiceType, ChoiceTypeId, Doc, Field, FieldType, Form, Isa, OperandType, OperandTypeId, Owner, Slot,
};
use isa_model::span::Span;
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, HashMap, HashSet};

/// Types found so far.
#[derive(Default)]
pub(super) struct Types {
    operands: Vec<(OperandType, String)>,
    /// The types of each operand, by its name.
    of_operand: FxHashMap<String, FxHashMap<Vec<FieldType>, usize>>,
    choices: Vec<(ChoiceType, String)>,
    /// The types of each choice, by where it is declared.
    of_choice: HashMap<Span, Vec<usize>>,
    /// The operands by name of the current instruction, and the resulting alternatives of each slot.
    binds: BTreeMap<usize, (String, OperandTypeId)>,
    slots: Vec<BTreeMap<usize, Members>>,
}

#[derive(Clone, Default, PartialEq)]
struct Members {
    fields: Vec<FieldType>,
    binds: Vec<(String, OperandTypeId)>,
}

/// A slot as declared.
pub(super) struct SlotInfo {
    pub(super) name: String,
    pub(super) choice: String,
    pub(super) summary: String,
    pub(super) span: Span,
    pub(super) alternatives: Vec<(String, String, Doc, bool, Span)>,
}

impl Types {
    /// A new instruction.
    pub(super) fn begin(&mut self, slots: usize) {
        self.binds.clear();
        self.slots = vec![BTreeMap::new(); slots];
    }

    /// Takes in one of its forms.
    pub(super) fn form(&mut self, assembly: &Assembly<'_>, form: &Form) {
        for (slot, pick) in form.picks.iter().enumerate() {
            let fields = form.fields.iter().filter(|f| f.owner == Owner::Slot(slot, None)).map(FieldType::of).collect();
            self.slots[slot].entry(*pick).or_default().fields = fields;
        }
        for instance in &assembly.instances {
            let Some((head, key)) = &instance.operand else { continue };
            let own: Vec<&Field> = form.fields.iter().filter(|f| f.path.starts_with(&instance.prefix)).collect();
            let optional: String = own
                .iter()
                .filter(|f| {
                    instance.part.fields.iter().any(|d| d.name.value == f.name && instance.env.uses_optional(&d.entry, head))
                })
                .map(|f| camel(&f.name))
                .collect();
            let id = self.operand(OperandType {
                name: format!("{}{optional}", camel(&head.name)),
                operand: head.name.clone(),
                fields: own.into_iter().map(FieldType::of).collect(),
                summary: instance.part.summary.clone(),
                doc: own_doc(form, &instance.prefix),
                span: key.span,
            });
            let name = instance.prefix.trim_end_matches('.').to_string();
            match instance.owner {
                Owner::Bind(bind) => {
                    self.binds.insert(bind, (name, id));
                }
                Owner::Slot(slot, Some(k)) => {
                    let binds = &mut self.slots[slot].entry(form.picks[slot]).or_default().binds;
                    match binds.get_mut(k) {
                        Some(bind) => *bind = (name, id),
                        None => binds.push((name, id)),
                    }
                }
                _ => {}
            }
        }
    }

    fn operand(&mut self, new: OperandType) -> OperandTypeId {
        if let Some(index) = self.of_operand.get(&new.operand).and_then(|types| types.get(&new.fields)) {
            return OperandTypeId(*index as u32);
        }
        let index = self.operands.len();
        self.of_operand.entry(new.operand.clone()).or_default().insert(new.fields.clone(), index);
        let base = new.name.clone();
        self.operands.push((new, base));
        OperandTypeId(index as u32)
    }

    /// The instruction is done: its slots and operands.
    pub(super) fn end(
        &mut self,
        _cx: &Context<'_, '_>,
        _isa: &Isa,
        instruction: &str,
        slots: &[SlotInfo],
    ) -> (Vec<Slot>, Vec<Bind>) {
        let mut list = Vec::new();
        for (info, shapes) in slots.iter().zip(std::mem::take(&mut self.slots)) {
            let alternatives: Vec<Alternative> = info
                .alternatives
                .iter()
                .enumerate()
                .map(|(i, (name, summary, doc, observed, span))| {
                    let shape = shapes.get(&i).cloned().unwrap_or_default();
                    Alternative {
                        name: name.clone(),
                        fields: shape.fields,
                        binds: shape.binds,
                        summary: summary.clone(),
                        doc: doc.clone(),
                        observed: *observed,
                        span: *span,
                    }
                })
                .collect();
            let same = |a: &Alternative, b: &Alternative| a.name == b.name && a.fields == b.fields && a.binds == b.binds;
            let known = self.of_choice.entry(info.span).or_default();
            let found = known.iter().copied().find(|i| {
                let c = &self.choices[*i].0;
                c.alternatives.len() == alternatives.len() && c.alternatives.iter().zip(&alternatives).all(|(a, b)| same(a, b))
            });
            let index = found.unwrap_or_else(|| {
                known.push(self.choices.len());
                let new = ChoiceType { name: camel(&info.choice), alternatives, summary: info.summary.clone(), span: info.span };
                self.choices.push((new, camel(instruction)));
                self.choices.len() - 1
            });
            list.push(Slot { name: info.name.clone(), choice: ChoiceTypeId(index as u32) });
        }
        let binds = std::mem::take(&mut self.binds).into_values().map(|(name, operand)| Bind { name, operand }).collect();
        (list, binds)
    }

    /// Gives every operand type and every choice type a name that no other one has. Names of Rust are the generator's matter.
    pub(super) fn finish(self, isa: &mut Isa) {
        let mut taken = HashSet::new();
        for (mut t, base) in self.operands {
            let bits: u32 = t.fields.iter().map(|f| f.code.width).sum();
            t.name = free(&taken, [base.clone(), format!("{base}{bits}")], &base);
            taken.insert(t.name.clone());
            isa.operand_types.push(t);
        }
        taken.clear();
        for (mut c, user) in self.choices {
            c.name = free(&taken, [c.name.clone(), format!("{}{user}", c.name)], &c.name);
            taken.insert(c.name.clone());
            isa.choice_types.push(c);
        }
    }
}

/// The first of the names that is not taken, else the base with a number.
fn free<const N: usize>(taken: &HashSet<String>, names: [String; N], base: &str) -> String {
    let numbered = (2..).map(|n| format!("{base}{n}"));
    names.into_iter().chain(numbered).find(|n| !taken.contains(n)).expect("numbers don't end")
}

fn own_doc(form: &Form, prefix: &str) -> Doc {
    form.fields.iter().find(|f| f.path.starts_with(prefix)).map(|f| f.doc.clone()).unwrap_or_default()
}

/// `addend_reg` as `AddendReg`.
pub(crate) fn camel(name: &str) -> String {
    name.split(['_', '-', '.'])
        .map(|w| w.chars().take(1).flat_map(char::to_uppercase).chain(w.chars().skip(1)).collect::<String>())
        .collect()
}
