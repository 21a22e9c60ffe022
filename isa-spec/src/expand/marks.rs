//! The marks of comments and between statements: none that a text of an instruction has.

use super::context::Context;
use crate::model::{Assembly, Isa, Kind, Piece, RegisterFile};

/// The syntax of programs.
pub(super) fn assembly(cx: &Context<'_, '_>, isa: &Isa) -> Assembly {
    let declared = &cx.spec.assembly;
    let own = Own::new(isa);
    let values = |marks: &[crate::yaml::Text]| marks.iter().map(|mark| mark.value.clone()).collect::<Vec<_>>();
    for mark in declared.comments.iter().flatten().chain(&declared.separators) {
        if let Some(text) = own.text_with(&mark.value) {
            let message = format!("`{}` is in a text of the instruction set: `{}`", mark.value, text.escape_debug());
            cx.error("text-line", message, mark.span);
        }
    }
    let separators = values(&declared.separators);
    let is_free = |mark: &&str| own.text_with(mark).is_none() && !separators.iter().any(|separator| separator == mark);
    let comments = match &declared.comments {
        Some(marks) => values(marks),
        None => Assembly::COMMENTS.into_iter().filter(is_free).map(str::to_owned).collect(),
    };
    Assembly { comments, separators, blocks: own.text_with(Assembly::BLOCK[0]).is_none(), octal: declared.octal }
}

/// The texts that instructions consist of, fields without names left out.
struct Own<'a> {
    texts: Vec<&'a str>,
    /// ASCII characters that the names can have that programs give, one bit each.
    named: u128,
}

impl<'a> Own<'a> {
    fn new(isa: &'a Isa) -> Self {
        let mut own = Self { texts: Vec::new(), named: 0 };
        for form in &isa.forms {
            for text in [&form.text, &form.full].into_iter().chain(&form.also).chain(form.bodies.iter().flatten()) {
                own.pieces(text);
            }
            own.texts.extend(form.fields.iter().filter_map(|field| match &field.kind {
                Kind::Flag(text) | Kind::Bitset(text) => Some(text.as_str()),
                _ => None,
            }));
        }
        for file in &isa.registers {
            own.registers(file);
        }
        for e in &isa.enums {
            own.texts.extend(e.values.iter().flat_map(|value| value.read().map(String::as_str)));
            own.texts.extend(e.otherwise.iter().flat_map(|other| [other.before.as_str(), other.after.as_str()]));
        }
        own
    }

    fn pieces(&mut self, pieces: &'a [Piece]) {
        for piece in pieces {
            match piece {
                Piece::Literal(text) => self.texts.push(text),
                Piece::Field { .. } | Piece::Fixed(_) | Piece::OneOf(_) => {}
                Piece::Group { body, .. } => self.pieces(body),
            }
        }
    }

    fn registers(&mut self, file: &'a RegisterFile) {
        self.texts.extend([file.prefix.as_str(), file.suffix.as_str()]);
        self.texts.extend(file.halves.iter().flatten().map(String::as_str));
        self.texts.extend(file.special.iter().chain(&file.also).map(|(_, name)| name.as_str()));
        self.named |= file.names.as_ref().map_or(0, |names| names.begins() | names.goes_on());
    }

    /// A text that has a mark.
    fn text_with(&self, mark: &str) -> Option<&str> {
        let is_name = mark.chars().all(|c| c.is_ascii() && self.named >> (c as u32) & 1 == 1);
        if is_name && !mark.is_empty() {
            return Some("a name that a program gives to a register");
        }
        self.texts.iter().copied().find(|text| text.contains(mark))
    }
}
