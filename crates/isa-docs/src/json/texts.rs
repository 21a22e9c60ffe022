//! Texts of forms, and conditions.

use super::value::{Json, Object};
use super::{MAX_CUBES, cube, style};
use crate::pages::own_style;
use isa_spec::model::{Compared, Cond, Field, Form, Isa, Piece, Reading, When};
use isa_spec::sets::WordSet;

pub(super) fn condition(form: &Form, cond: &Cond) -> Json {
    let all = |parts: &[Cond]| Json::Array(parts.iter().map(|c| condition(form, c)).collect());
    match cond {
        Cond::Const(value) => Json::Bool(*value),
        Cond::Test { field, values } => tested("field", &form.fields[*field], values),
        Cond::Read { reading, values } => tested("reading", &reading.field, values),
        Cond::Same(both) => Object::default()
            .with("same", Json::Array(both.iter().map(|i| form.fields[*i].path.as_str().into()).collect()))
            .into(),
        Cond::Compared(Compared { sides, plus, is_less }) => {
            let names = Json::Array(sides.iter().map(|side| side.field(&form.fields).path.as_str().into()).collect());
            let object = Object::default().with(if *is_less { "less" } else { "equal" }, names);
            if *plus == 0 { object } else { object.with("plus", *plus) }.into()
        }
        Cond::Not(inner) => Object::default().with("not", condition(form, inner)).into(),
        Cond::And(parts) => Object::default().with("all", all(parts)).into(),
        Cond::Or(parts) => Object::default().with("any", all(parts)).into(),
    }
}

/// The bits of a field or a reading that are some of these.
fn tested(what: &'static str, field: &Field, values: &WordSet) -> Json {
    let object = Object::default().with(what, field.path.as_str());
    match values.cubes(MAX_CUBES) {
        Some(values) => object.with("in", Json::Array(values.iter().map(cube).collect())).into(),
        // Too many to be listed.
        None => object.with("values", values.count(field.bits.width()).to_string()).into(),
    }
}

pub(super) fn texts(isa: &Isa, form: &Form, list: &[Vec<Piece>]) -> Vec<Json> {
    list.iter().map(|text| Json::Array(pieces(isa, form, text))).collect()
}

/// A reading that a text shows.
fn shown(form: &Form, reading: &Reading) -> Json {
    let style = reading.field.spelling.style();
    let own = form.readings.iter().find(|own| own.field.path == reading.field.path).and_then(|own| own.field.spelling.style());
    let style = style.filter(|style| own != Some(*style)).map(super::style).unwrap_or_default();
    Object::default().with("reading", reading.field.path.as_str()).text("style", &style).into()
}

fn fixed(isa: &Isa, field: &Field) -> Json {
    let distance = field.code.bias().saturating_add(field.code.relative().map_or(0, |origin| origin.offset));
    let style = own_style(isa, &field.spelling).map(style).unwrap_or_default();
    Object::default().with("fixed", field.path.as_str()).with("target", distance).text("style", &style).into()
}

pub(super) fn pieces(isa: &Isa, form: &Form, text: &[Piece]) -> Vec<Json> {
    let piece = |piece: &Piece| match piece {
        Piece::Literal(text) => text.as_str().into(),
        Piece::Field { field, spelling } => {
            let field = &form.fields[*field];
            let other = spelling.style().filter(|style| field.spelling.style() != Some(*style));
            let style = other.map(style).unwrap_or_default();
            Object::default().with("field", field.path.as_str()).text("style", &style).into()
        }
        Piece::Reading(reading) if reading.field.is_target() => fixed(isa, &reading.field),
        Piece::Reading(reading) => shown(form, reading),
        Piece::OneOf(list) => Object::default().with("oneOf", *list as u32).into(),
        Piece::Group { when, body } => {
            let when = match when {
                When::Differs(fields) => {
                    let fields = fields.iter().map(|f| Json::from(form.fields[*f].path.as_str())).collect();
                    Object::default().with("differs", Json::Array(fields)).into()
                }
                When::Holds(when) => condition(form, &when.cond),
            };
            Object::default().with("when", when).with("body", Json::Array(pieces(isa, form, body))).into()
        }
    };
    text.iter().map(piece).collect()
}
