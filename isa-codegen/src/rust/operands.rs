//! `pub struct Reg { … }` for an operand type, `pub enum SrcB { … }` for a choice type.

use super::Cx;
use super::code::Code;
use super::docs::{DocLines, doc};
use super::fields::{float, ty};
use super::names::{camel, distinct, ident, snake};
use isa_spec::model::{Alternative, ChoiceType, FieldType, Label, OperandType};
use proc_macro2::Ident;

/// `rt::operand! { pub struct Reg { r: R, neg: bool } }`
pub(super) fn operand(cx: &Cx<'_>, index: usize, code: &mut Code) {
    let operand = &cx.isa.operand_types[index];
    let name = &cx.names.operands[index];
    let mut docs = DocLines::new(cx.isa, &[&operand.summary, &format!("An operand {}.", operand.operand)]);
    docs.cite(&operand.doc).place(operand.span);
    let fields = member_names(&operand.fields);
    code.gap().block("rt::operand! {", "}", |code| {
        code.docs(docs.lines()).block(format_args!("pub struct {name} {{"), "}", |code| {
            for (field, name) in operand.fields.iter().zip(&fields) {
                code.docs(doc(&about(cx, field))).line(format_args!("{name}: {},", ty(cx, field).in_operand()));
            }
        });
    });
    from_value(cx, operand, name, &fields, code);
}

/// An operand of one value and some flags can be made from the value: flags have their defaults.
fn from_value(cx: &Cx<'_>, operand: &OperandType, name: &Ident, fields: &[Ident], code: &mut Code) {
    let is_flag = |f: &FieldType| f.label == Label::Flag;
    let mut values = operand.fields.iter().zip(fields).filter(|(f, _)| !is_flag(f));
    let (Some((value, field)), None) = (values.next(), values.next()) else { return };
    // `From<bool>` would say nothing, and an enumeration alone is a modifier.
    if !matches!(value.label, Label::Register(_) | Label::Number) || ty(cx, value).value == "bool" {
        return;
    }
    let ty = ty(cx, value).in_operand().value;
    let flags = operand.fields.iter().zip(fields).filter(|(f, _)| is_flag(f));
    let flags: String = flags.map(|(f, name)| format!(", {name}: {}", f.is_set)).collect();
    code.gap().block(format_args!("impl From<{ty}> for {name} {{"), "}", |code| {
        code.block(format_args!("fn from(value: {ty}) -> Self {{"), "}", |code| {
            code.line(format_args!("Self {{ {field}: value{flags} }}"));
        });
    });
}

/// The description of a field of a type.
pub(super) fn about(cx: &Cx<'_>, f: &FieldType) -> String {
    match f.label {
        Label::Flag => match f.spelling.set_text().as_str() {
            "" => format!("`{}`: one bit.", f.name),
            text => format!("`{text}`"),
        },
        Label::Register(id) => format!("`{}`: a register of the file {}.", f.name, cx.isa.registers[id.index()].name),
        Label::Enum(id) => format!("`{}`: a value of {}.", f.name, cx.isa.enums[id.index()].name),
        Label::Set => format!("`{}`: a bit for each of `{}`.", f.name, f.spelling.set_text()),
        Label::Number if f.code.relative().is_some() => format!("`{}`: a target, {} bits.", f.name, f.code.width),
        Label::Number if float(f).is_some() => format!("`{}`: a floating-point number, {} bits.", f.name, f.code.width),
        Label::Number if f.code.width == 1 => format!("`{}`: one bit.", f.name),
        Label::Number => format!("`{}`: a number of {} bits.", f.name, f.code.width),
    }
}

/// The fields' names in Rust.
pub(super) fn member_names(fields: &[FieldType]) -> Vec<Ident> {
    distinct(fields.iter().map(field_name))
}

/// The name that the spec gives for Rust, or the field's own.
fn field_name(field: &FieldType) -> String {
    snake(field.rust_name.as_ref().unwrap_or(&field.name))
}

/// The variants of a choice type.
fn variants(choice: &ChoiceType) -> Vec<Ident> {
    distinct(choice.alternatives.iter().map(|a| ident(&camel(&a.name)).to_string()))
}

/// `rt::choice! { pub enum SrcB { Reg(value: Reg) = 0, Const { … } = 1 | _ } }`
pub(super) fn choice(cx: &Cx<'_>, index: usize, code: &mut Code) {
    let choice = &cx.isa.choice_types[index];
    let name = &cx.names.choices[index];
    let mut docs = DocLines::new(cx.isa, &[&choice.summary, &format!("What {} can be.", choice.name)]);
    docs.place(choice.span);
    code.gap().block("rt::choice! {", "}", |code| {
        code.docs(docs.lines()).block(format_args!("pub enum {name} {{"), "}", |code| {
            let last = choice.alternatives.len() - 1;
            for (i, (alternative, variant)) in choice.alternatives.iter().zip(variants(choice)).enumerate() {
                let number = if i == last { format!("{i} | _") } else { i.to_string() };
                self::variant(cx, alternative, &variant, &number, code);
            }
        });
    });
}

/// A variant: alone, with one operand, or with the names of its fields, then of its operands.
fn variant(cx: &Cx<'_>, a: &Alternative, variant: &Ident, number: &str, code: &mut Code) {
    let mut docs = DocLines::new(cx.isa, &[&a.summary, &format!("`{}`", a.name)]);
    if a.observed {
        docs.paragraph("Observed: a tool shows it, the document does not have it.");
    }
    code.docs(docs.cite(&a.doc).lines());
    let operands: Vec<&Ident> = a.binds.iter().map(|(_, id)| &cx.names.operands[id.index()]).collect();
    match (a.fields.as_slice(), operands.as_slice()) {
        ([], []) => {
            code.line(format_args!("{variant} = {number},"));
        }
        ([], [operand]) => {
            code.line(format_args!("{variant}(value: {operand}) = {number},"));
        }
        (fields, operands) => {
            let names = distinct(fields.iter().map(field_name).chain(a.binds.iter().map(|(name, _)| snake(name))));
            let (own, bound) = names.split_at(fields.len());
            code.block(format_args!("{variant} {{"), &format!("}} = {number},"), |code| {
                for (field, name) in fields.iter().zip(own) {
                    code.docs(doc(&about(cx, field))).line(format_args!("{name}: {},", ty(cx, field).in_operand()));
                }
                for ((name, operand), (spec, _)) in bound.iter().zip(operands).zip(&a.binds) {
                    code.docs(doc(&format!("Operand `{spec}`."))).line(format_args!("{name}: {operand},"));
                }
            });
        }
    }
}
