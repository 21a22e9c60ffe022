//! The members of an instruction over all its forms, and the places where each form keeps them.

use super::Cx;
use super::fields::place;
use super::names::{candidates, ident, snake};
use isa_spec::model::{Field, FieldType, Form, Instruction, Label, OperandTypeId, Owner, Slot};
use proc_macro2::Ident;
use std::collections::HashSet;

/// Methods that every instruction or its builder has.
const METHODS: [&str; 17] = [
    "new",
    "builder",
    "edit",
    "build",
    "word",
    "form",
    "length",
    "mnemonic",
    "expanded",
    "at",
    "fields",
    "operands",
    "reads",
    "writes",
    "push_text",
    "push_full",
    "eval",
];

/// An instruction and its members.
pub(super) struct Plan<'a> {
    pub(super) cx: &'a Cx<'a>,
    pub(super) insn: &'a Instruction,
    pub(super) forms: &'a [Form],
    pub(super) name: &'a Ident,
    pub(super) members: Vec<Member<'a>>,
    /// For each slot, the factor of an alternative in the number of a combination.
    strides: Vec<usize>,
}

/// A value that an accessor reads and a setter writes.
pub(super) struct Member<'a> {
    pub(super) name: Ident,
    /// The name in the spec.
    pub(super) spec: &'a str,
    pub(super) what: What,
    /// The places it can have.
    pub(super) cases: Vec<Case>,
    /// For each form its case.
    pub(super) of: Vec<usize>,
    /// Not all forms have it.
    pub(super) is_optional: bool,
    /// It is an argument of `new`.
    pub(super) is_argument: bool,
}

pub(super) enum What {
    /// A field of the instruction.
    Field(FieldType),
    /// An operand of the instruction.
    Bind(usize),
    /// A choice.
    Slot(usize),
}

/// An alternative, and where its fields are, in the order in which its type has them.
#[derive(PartialEq, Eq)]
pub(super) struct Case {
    pub(super) pick: usize,
    pub(super) places: Vec<String>,
}

impl<'a> Plan<'a> {
    pub(super) fn new(cx: &'a Cx<'a>, insn: &'a Instruction) -> Self {
        let forms = cx.isa.forms_of(insn);
        let name = &cx.names.instructions[insn.id.index()];
        let alternatives = |s: &Slot| cx.isa.choice_types[s.choice.index()].alternatives.len();
        let strides = (0..insn.slots.len()).map(|i| insn.slots[i + 1..].iter().map(alternatives).product()).collect();
        let mut taken: HashSet<String> = METHODS.iter().map(|m| (*m).to_owned()).collect();
        let mut free = |name: &str| {
            let name = ident(&snake(name)).to_string();
            let name = if METHODS.contains(&name.as_str()) { format!("{name}_") } else { name };
            let name = candidates(&name, "").find(|c| !taken.contains(c)).expect("there is always a larger number");
            taken.insert(name.clone());
            ident(&name)
        };
        let mut plan = Self { cx, insn, forms, name, members: Vec::new(), strides };
        let slots = insn.slots.iter().enumerate().map(|(i, slot)| (slot.name.as_str(), slot.name.as_str(), What::Slot(i)));
        let binds = insn.binds.iter().enumerate().map(|(i, bind)| (bind.name.as_str(), bind.name.as_str(), What::Bind(i)));
        let fields = own_fields(forms)
            .into_iter()
            .map(|(ft, field)| (field.rust_name.as_deref().unwrap_or(&field.name), field.name.as_str(), What::Field(ft)));
        for (name, spec, what) in slots.chain(binds).chain(fields) {
            let member = plan.member(free(name), spec, what);
            plan.members.push(member);
        }
        plan.order();
        plan
    }

    fn member(&self, name: Ident, spec: &'a str, what: What) -> Member<'a> {
        let mut member = Member { name, spec, what, cases: Vec::new(), of: Vec::new(), is_optional: false, is_argument: false };
        member.is_optional =
            matches!(member.what, What::Field(_)) && self.forms.iter().any(|form| self.fields_of(&member, form).next().is_none());
        for form in self.forms {
            let case = self.case(&member, form);
            let at = member.cases.iter().position(|c| *c == case).unwrap_or_else(|| {
                member.cases.push(case);
                member.cases.len() - 1
            });
            member.of.push(at);
        }
        member.is_argument = self.is_argument(&member);
        member
    }

    /// The place in which a form keeps a member.
    fn case(&self, member: &Member<'_>, form: &Form) -> Case {
        let (isa, insn) = (self.cx.isa, self.insn);
        let operand = |owner: &Owner, operand: OperandTypeId| -> Vec<String> {
            let types = &isa.operand_types[operand.index()].fields;
            types.iter().map(|ft| place_of(form, owner, ft)).collect()
        };
        match &member.what {
            What::Field(_) => {
                let field = self.fields_of(member, form).next();
                let places: Vec<String> = field.map(place).into_iter().collect();
                Case { pick: usize::from(member.is_optional && !places.is_empty()), places }
            }
            What::Bind(i) => Case { pick: 0, places: operand(&Owner::Bind(*i), insn.binds[*i].operand) },
            What::Slot(i) => {
                let pick = form.picks[*i];
                let alternative = &isa.choice_types[insn.slots[*i].choice.index()].alternatives[pick];
                let own = alternative.fields.iter().map(|ft| place_of(form, &Owner::Slot(*i, None), ft));
                let bound = alternative.binds.iter().enumerate();
                let bound = bound.flat_map(|(n, (_, id))| operand(&Owner::Slot(*i, Some(n)), *id));
                Case { pick, places: own.chain(bound).collect() }
            }
        }
    }

    /// Sorts the members as in the text: first choices without fields of their own (they are part of the mnemonic), then by place
    /// in the text, then those that the text doesn't show.
    fn order(&mut self) {
        let orders: Vec<Vec<usize>> = self.forms.iter().map(|f| f.operands()).collect();
        let place = |member: &Member<'_>| {
            if let What::Slot(_) = member.what
                && self.forms.iter().all(|f| self.fields_of(member, f).next().is_none())
            {
                return (0, 0);
            }
            // The first form that has it decides; forms mostly agree.
            for (form, order) in self.forms.iter().zip(&orders) {
                let is_owned = |i: &usize| self.fields_of(member, form).any(|f| std::ptr::eq(f, &form.fields[*i]));
                if let Some(at) = order.iter().position(is_owned) {
                    return (1, at);
                }
            }
            (2, 0)
        };
        let mut keys: Vec<(usize, (usize, usize))> = self.members.iter().map(place).enumerate().collect();
        keys.sort_by_key(|(_, key)| *key);
        let mut members: Vec<Option<Member<'a>>> = std::mem::take(&mut self.members).into_iter().map(Some).collect();
        self.members = keys.into_iter().filter_map(|(i, _)| members[i].take()).collect();
    }

    /// The fields of a form that make up a member.
    pub(super) fn fields_of<'f>(&self, member: &Member<'_>, form: &'f Form) -> impl Iterator<Item = &'f Field> + Clone {
        let owns = move |f: &&Field| match &member.what {
            What::Field(ft) => f.owner == Owner::Instruction && f.name == member.spec && FieldType::of(f) == *ft,
            What::Bind(i) => f.owner == Owner::Bind(*i),
            What::Slot(i) => matches!(f.owner, Owner::Slot(s, _) if s == *i),
        };
        form.fields.iter().filter(owns)
    }

    /// True if a member is an argument of `new`: choices and operands, where there is anything to choose or to set, and registers
    /// and numbers that all forms have in their text and that have no default.
    fn is_argument(&self, member: &Member<'_>) -> bool {
        match &member.what {
            What::Slot(_) if self.stride(member).is_some() => true,
            What::Slot(_) | What::Bind(_) => self.forms.iter().any(|form| self.fields_of(member, form).next().is_some()),
            What::Field(ft) => {
                let is_operand = matches!(ft.label, Label::Register(_) | Label::Number);
                is_operand && self.forms.iter().all(|form| self.is_shown(member, form))
            }
        }
    }

    /// True if the text of a form can show a field that has no default.
    fn is_shown(&self, member: &Member<'_>, form: &Form) -> bool {
        let shown = form.operands();
        self.fields_of(member, form).any(|f| !f.has_default && shown.iter().any(|i| std::ptr::eq(f, &form.fields[*i])))
    }

    /// The factor of an alternative of a choice in the number of a combination, and the number of alternatives, if there are
    /// several.
    pub(super) fn stride(&self, member: &Member<'_>) -> Option<(usize, usize)> {
        let What::Slot(slot) = member.what else { return None };
        let count = self.cx.isa.choice_types[self.insn.slots[slot].choice.index()].alternatives.len();
        (count > 1).then(|| (self.strides[slot], count))
    }

    /// For each combination of alternatives its form, counted from the first one; 65535 where there is none.
    pub(super) fn picks(&self) -> Vec<String> {
        let number = |form: &Form| -> usize { form.picks.iter().zip(&self.strides).map(|(pick, stride)| pick * stride).sum() };
        let all: Vec<usize> = self.forms.iter().map(number).collect();
        let count = all.iter().max().map_or(0, |most| most + 1);
        let mut picks = vec!["NO_FORM".to_owned(); count];
        for (i, number) in all.into_iter().enumerate() {
            picks[number] = i.to_string();
        }
        picks
    }
}

/// The place in which a form keeps a field of an operand or an alternative.
fn place_of(form: &Form, owner: &Owner, ft: &FieldType) -> String {
    let field = form.fields.iter().find(|f| f.owner == *owner && f.name == ft.name);
    field.map_or_else(|| "NOWHERE".to_owned(), place)
}

/// The instruction's own fields, each with one of its places.
fn own_fields(forms: &[Form]) -> Vec<(FieldType, &Field)> {
    let mut fields: Vec<(FieldType, &Field)> = Vec::new();
    for field in forms.iter().flat_map(|form| &form.fields).filter(|f| f.owner == Owner::Instruction) {
        let ft = FieldType::of(field);
        if !fields.iter().any(|(known, _)| *known == ft) {
            fields.push((ft, field));
        }
    }
    fields
}
