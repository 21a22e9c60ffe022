//! The behaviour of forms: the names in a semantics are those of the form, the registers and the machine.

use super::assembly::Assembly;
use super::conditions::{FormScope, Found};
use super::context::Context;
use super::elaborated::{FieldNames, OperandValue};
use super::env::Env;
use isa_model::diag::Diagnostic;
use isa_model::machine_info;
use isa_model::model::{Behaviour, Cond, Condition, Field, Isa, Label, Raw, ones};
use isa_model::semantics::machine::{Accessors, MAX_REGISTERS, MAX_STATE, Routine};
use isa_model::semantics::value::{value, value_type};
use isa_model::semantics::{Expr, Int, Machine, MeaningFault, Semantics, typed};
use isa_model::span::{Span, Text};
use isa_semantics::{Is, Referent, Scope, asks, check_warps, elaborate, elaborate_value};
use isa_syntax::lang::semantics::{read_expression, read_semantics};
use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::HashSet;
use std::rc::Rc;
use std::sync::Arc;

/// Reads the semantics of an instruction; a fault in the text is reported once.
pub(super) fn read(cx: &Context<'_, '_>, text: Option<&Text>) -> Option<Semantics> {
    let text = text?;
    let told = |mut faults: Vec<MeaningFault>| {
        for fault in &mut faults {
            // The rest of the name of an unknown parameter.
            let rest = text.value.get(fault.range.start..).and_then(|rest| rest.strip_prefix('$'));
            if let Some(rest) = rest {
                let name: String =
                    rest.trim_start_matches('{').chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
                fault.message = format!("there is no parameter `{name}`");
            }
        }
        report(cx, &faults, |r| text.at(r), &[], &None);
    };
    read_semantics(text).map_err(told).ok()
}

/// The routines of the machine, which run outside instructions.
pub(super) fn routines(cx: &Context<'_, '_>, isa: &Isa) -> Vec<(Routine, typed::Body)> {
    views(cx, isa);
    conventions(cx, isa);
    let body = |(routine, text): &(Routine, Semantics)| {
        let names = FormNames { routine: Some(*routine), ..FormNames::of_machine(cx, isa) };
        let body = elaborate(&text.body, &names).and_then(|body| once_per_warp(isa, body));
        let body = body.unwrap_or_else(|faults| {
            report(cx, &faults, |r| text.at(r), &isa.machine.function_texts, &None);
            typed::Body::default()
        });
        (*routine, body)
    };
    isa.machine.routines.iter().map(body).collect()
}

/// A body that writes what a warp has once as one.
fn once_per_warp(isa: &Isa, body: typed::Body) -> Result<typed::Body, Vec<MeaningFault>> {
    let of_warp = |file: usize| isa.registers.get(file).is_some_and(|file| file.of_warp);
    let faults = check_warps(&body, &isa.machine, &of_warp);
    if faults.is_empty() { Ok(body) } else { Err(faults) }
}

/// A view and the registers that it is of are register files.
fn views(cx: &Context<'_, '_>, isa: &Isa) {
    for view in &isa.machine.views {
        for name in [&view.name, &view.of] {
            match isa.registers.iter().find(|r| r.name == *name) {
                Some(file) => cx.mark_used(file.span),
                None => cx.unknown("register file", name, view.span, isa.registers.iter().map(|r| r.name.as_str())),
            }
        }
    }
    for Accessors { file, .. } in &isa.machine.accessors {
        match isa.registers.iter().find(|r| r.name == file.value) {
            Some(registers) => cx.mark_used(registers.span),
            None => cx.unknown("register file", &file.value, file.span, isa.registers.iter().map(|r| r.name.as_str())),
        }
    }
}

/// The registers of system calls and of the debugger exist.
fn conventions(cx: &Context<'_, '_>, isa: &Isa) {
    let info = machine_info(isa);
    let names = || info.registers.iter().flat_map(|file| file.names.iter().map(|name| name.text.as_str()));
    if let Some(linux) = &isa.machine.linux {
        for name in [&linux.number, &linux.result, &linux.stack].into_iter().chain(&linux.arguments) {
            match info.register(&name.value) {
                Some((file, _)) => cx.mark_used(isa.registers[file].span),
                None => cx.unknown("register", &name.value, name.span, names()),
            }
        }
    }
    for name in isa.machine.debugger.iter().flat_map(|debugger| &debugger.features).flat_map(|feature| &feature.1) {
        match isa.registers.iter().find(|file| file.name == name.value) {
            Some(file) => cx.mark_used(file.span),
            None if name.value == "pc" => {}
            None => cx.unknown("register file", &name.value, name.span, isa.registers.iter().map(|file| file.name.as_str())),
        }
    }
}

/// Registers are what a machine can hold, where an instruction says what it does with one.
pub(super) fn limits(cx: &Context<'_, '_>, isa: &Isa) {
    if isa.forms.iter().all(|form| form.behaviour.is_none()) {
        return;
    }
    for (file, declared) in isa.registers.iter().zip(&cx.spec.registers).filter(|(file, _)| file.part_of.is_none()) {
        let name = &file.name;
        if file.width > MAX_STATE {
            let message = format!("registers of `{name}` have {} bits: with semantics, {MAX_STATE} are the most", file.width);
            cx.error("too-large", message, declared.width_span);
        } else if file.end() > u128::from(MAX_REGISTERS) {
            let message = format!("`{name}` has {} registers: with semantics, {MAX_REGISTERS} are the most", file.end());
            let help = "`count:` says how many there are";
            cx.report(Diagnostic::error("too-large", message, declared.name.span).with_help(help));
        }
    }
}

/// The behaviour of a form.
pub(super) fn behaviour<'s>(
    cx: &Context<'s, '_>,
    scope: &FormScope<'_>,
    assembly: &Assembly<'s>,
    form: &str,
) -> Option<Behaviour> {
    let body = assembly.semantics.as_deref().filter(|_| !cx.report.unsound.get())?;
    let machine = &scope.isa.machine;
    let names = FormNames::of_form(cx, scope, assembly)?;
    let instruction = Some((assembly.name.span, IN_A_FORM.to_owned()));
    let written = written_name(scope.isa, assembly.name.span);
    let own = (form != written).then(|| (assembly.name.span, format!("in the form `{form}`")));
    let elaborate = |s: &Semantics, before: Option<&Semantics>, within: &Within| {
        let stmts = before.map_or_else(|| Cow::Borrowed(&s.body), |before| Cow::Owned([&before.body[..], &s.body].concat()));
        let source = before.map_or("", |before| &before.source).to_owned() + &s.source;
        let made =
            cx.forms.elaborated.bodies.of(&names, (s.span, source), |names| once_per_warp(scope.isa, elaborate(&stmts, names)?));
        made.map_err(|faults| report(cx, &faults, |r| s.at(r), &machine.function_texts, within)).ok()
    };
    let guard = machine.guard.as_ref().map(|guard| {
        let value = cx
            .forms
            .elaborated
            .values
            .of(&names, (guard.span, String::new()), |scope| elaborate_value(&guard.expr, None, Some(1), scope));
        value.map_err(|faults| report(cx, &faults, |r| guard.at(r), &machine.function_texts, &instruction)).ok()
    });
    // The faults of the group's statements are found in them alone, where their places are known.
    let before = assembly.group.and_then(|group| scope.isa.groups[group.index()].guard.as_ref());
    if let Some(before) = before {
        elaborate(before, None, &instruction)?;
    }
    let body = elaborate(body, before, &own);
    let after = machine.after.as_ref().map_or(Some(typed::Body::default()), |s| elaborate(s, None, &instruction));
    let guard = match guard {
        Some(guard) => Some(guard?),
        None => None,
    };
    let (mut body, mut after) = (body?, after?);
    asks::complete(&mut body, scope.isa);
    asks::complete(&mut after, scope.isa);
    Some(Behaviour {
        guard,
        body,
        after,
        conditions: names.conditions.into_inner().into_iter().map(|c| Condition::new(c.1, Span::default())).collect(),
    })
}

/// The name of an instruction as it is written, before parameters are put in.
fn written_name(isa: &Isa, name: Span) -> &str {
    &isa.files.file(name.file).text[name.range()]
}

const IN_A_FORM: &str = "in a form of this instruction";

/// The instruction whose form it was, and a label for it, for faults in code that several forms share.
type Within = Option<(Span, String)>;

/// Reports faults of a text; `functions` are the texts of functions that it can call.
fn report(
    cx: &Context<'_, '_>,
    faults: &[MeaningFault],
    at: impl Fn(std::ops::Range<usize>) -> Span,
    functions: &[Text],
    within: &Within,
) {
    for fault in faults {
        let mut d = fault.diagnostic(&at, functions);
        let span = at(fault.range.clone());
        if let Some((within, what)) = within.as_ref().filter(|(w, _)| w.file == span.file) {
            d = d.with_label(*within, what.clone());
        }
        // A name that nothing has is most likely declared under another one.
        if !fault.message.contains("there is no ") || cx.report.told.borrow_mut().insert(fault.message.clone()) {
            cx.report(d);
        }
    }
}

/// The names of one form.
struct FormNames<'a, 's, 'd> {
    cx: &'a Context<'s, 'd>,
    isa: &'a Isa,
    scope: Option<&'a FormScope<'a>>,
    routine: Option<Routine>,
    /// The prefix of each operand, `a.`, and its value.
    operands: Vec<(String, Arc<Expr>)>,
    /// The conditions that were asked for: name and meaning.
    conditions: RefCell<Vec<(String, Cond)>>,
    /// The definitions with a reported fault, which are not resolved again.
    faulty: RefCell<HashSet<String>>,
}

impl<'a, 's, 'd> FormNames<'a, 's, 'd> {
    fn of_machine(cx: &'a Context<'s, 'd>, isa: &'a Isa) -> Self {
        Self {
            cx,
            isa,
            scope: None,
            routine: None,
            operands: Vec::new(),
            conditions: RefCell::default(),
            faulty: RefCell::default(),
        }
    }

    /// `None` if the value of an operand has a fault, which is reported where it is defined.
    fn of_form(cx: &'a Context<'s, 'd>, scope: &'a FormScope<'a>, assembly: &Assembly<'s>) -> Option<Self> {
        let mut names = Self { scope: Some(scope), ..Self::of_machine(cx, scope.isa) };
        let mut good = true;
        let mut values: Vec<(String, Rc<OperandValue>)> = Vec::new();
        for instance in &assembly.instances {
            let Some(text) = &instance.part.value else { continue };
            let Some(value) = operand_value(cx, &instance.env, text) else {
                good &= !cx.errors();
                continue;
            };
            values.push((instance.prefix.trim_end_matches('.').to_owned(), value));
        }
        names.operands = values.iter().map(|(name, value)| (name.clone(), value.expr.clone())).collect();
        for (name, value) in &values {
            let key = (value.value.span, format!("{name}.{}", value.value.source));
            let made = cx
                .forms
                .elaborated
                .operands
                .of(&names, key, |scope| elaborate_value(&value.expr, Some(name), None, scope).map(|_| ()));
            if let Err(faults) = made {
                report(
                    cx,
                    &faults,
                    |r| value.value.at(r),
                    &names.isa.machine.function_texts,
                    &Some((assembly.name.span, IN_A_FORM.to_owned())),
                );
                good = false;
            }
        }
        good.then_some(names)
    }

    fn field(&self, index: usize, field: &Field) -> Referent {
        let shape = value_type(&field.code);
        let file = match field.label {
            Label::Register(id) => Some(&self.isa.registers[id.index()]),
            _ => None,
        };
        let (width, above) = match file.and_then(|file| Some((file, file.part_of?))) {
            Some((file, part)) => {
                let whole = self.isa.registers[part.file.index()].index;
                (whole, Some((u128::from(part.from >> file.index), whole - file.index)))
            }
            None => (shape.width, None),
        };
        let register = file.map(|file| file.name.clone());
        Referent::Field { index, width, signed: shape.signed, register, above }
    }

    /// The field of that path, fixed or not.
    fn any_field(&self, path: &str) -> Option<&'a Field> {
        match self.scope?.find(path, "") {
            Found::Field(index) => Some(&self.scope?.fields[index]),
            Found::Fixed(field, _) => Some(field),
            Found::Define(_) | Found::Reading(_) | Found::Nothing => None,
        }
    }

    /// A definition: known for all words of the form, or a condition.
    fn definition(&self, scope: &FormScope<'_>, path: &str, text: &Text) -> Option<Referent> {
        self.cx.mark_used(text.span);
        let constant = |holds: bool| Referent::Constant { value: Int::from(u128::from(holds)), width: 1, signed: false };
        if let Some(index) = self.conditions.borrow().iter().position(|c| c.0 == path) {
            return Some(Referent::Condition { index });
        }
        if self.faulty.borrow().contains(path) {
            return Some(constant(false));
        }
        match scope.condition(self.cx, text, "", &Env::default()) {
            Some(Cond::Const(holds)) => Some(constant(holds)),
            Some(cond) => {
                let mut known = self.conditions.borrow_mut();
                known.push((path.to_owned(), cond));
                Some(Referent::Condition { index: known.len() - 1 })
            }
            None => {
                self.faulty.borrow_mut().insert(path.to_owned());
                Some(constant(false))
            }
        }
    }
}

impl FieldNames for FormNames<'_, '_, '_> {
    fn field_of(&self, path: &str) -> Option<&Field> {
        self.any_field(path)
    }
}

/// An operand's `value:` with its parameters put in; the same text is read once.
fn operand_value(cx: &Context<'_, '_>, env: &Env, text: &Text) -> Option<Rc<OperandValue>> {
    let text = env.apply(cx, text)?;
    let key = (text.span, text.value.clone());
    if let Some(value) = cx.forms.operand_values.borrow().get(&key) {
        return value.clone();
    }
    let value = read_expression(&text).map_err(|faults| report(cx, &faults, |r| text.at(r), &[], &None)).ok();
    let value = value.map(|value| Rc::new(OperandValue { expr: Arc::new(value.expr.clone()), value }));
    cx.forms.operand_values.borrow_mut().insert(key, value.clone());
    value
}

impl Scope for FormNames<'_, '_, '_> {
    fn machine(&self) -> &Machine {
        &self.isa.machine
    }

    fn routine(&self) -> Option<Routine> {
        self.routine
    }

    fn name(&self, path: &str) -> Option<Referent> {
        if let Some(scope) = self.scope {
            match scope.find(path, "") {
                Found::Field(index) => return Some(self.field(index, &scope.fields[index])),
                Found::Fixed(field, bits) => {
                    let width = field.bits.width();
                    let shape = value_type(&field.code);
                    let value = value(&field.code, bits);
                    return Some(match self.field(0, field) {
                        Referent::Field { width: whole, above: Some((above, _)), .. } => Referent::Constant {
                            value: value.wrapping_add(Int::from(above << width)),
                            width: whole,
                            signed: false,
                        },
                        _ => Referent::Constant { value, width: shape.width, signed: shape.signed },
                    });
                }
                Found::Define(text) => return self.definition(scope, path, text),
                // Semantics compute it themselves.
                Found::Reading(_) | Found::Nothing => {}
            }
        }
        if let Some((_, value)) = self.operands.iter().find(|(name, _)| name == path) {
            return Some(Referent::Operand(value.clone()));
        }
        let file = self.isa.registers.iter().position(|r| r.name == path)?;
        let registers = &self.isa.registers[file];
        self.cx.mark_used(registers.span);
        Some(Referent::Registers { file, index: registers.index, width: registers.width })
    }

    fn is(&self, slot: &str, alternative: &str) -> Is {
        let Some((_, picked, all)) = self.scope.and_then(|s| s.picks.iter().find(|p| p.0 == slot)) else { return Is::NoSlot };
        match () {
            () if !all.iter().any(|a| a == alternative) => Is::NoAlternative(all.clone()),
            () if picked == alternative => Is::Yes,
            () => Is::No,
        }
    }

    fn texts(&self, path: &str) -> Option<Vec<(String, Int)>> {
        let field = self.any_field(path)?;
        // A semantics sees registers and texts by what they mean, whatever the bits are.
        let all = ones(field.bits.width());
        let fits = |value: &Raw| *value <= all;
        match field.label {
            Label::Register(id) => {
                let special = self.isa.registers[id.index()].special.iter();
                Some(special.filter(|s| fits(&s.0)).map(|(index, name)| (name.clone(), Int::from(*index))).collect())
            }
            Label::Enum(id) => {
                let values = self.isa.enums[id.index()].values.iter().filter(|v| fits(&v.value));
                let texts =
                    values.flat_map(|v| std::iter::once(&v.text).chain(&v.also).map(|text| (text.clone(), Int::from(v.value))));
                Some(texts.collect())
            }
            _ => None,
        }
    }

    fn names(&self) -> Vec<String> {
        let mut names: Vec<String> = self.scope.map_or_else(Vec::new, |s| s.names().map(str::to_owned).collect());
        names.extend(self.operands.iter().map(|(name, _)| name.clone()));
        names.extend(self.isa.registers.iter().map(|r| r.name.clone()));
        names
    }
}
