//! What is fixed prints as if it were not: its text, and whether a group is there that shows it.

use super::walk::walk;
use super::{Assembler, At};
use crate::lang::CondAst;
use crate::model::condition::{not, or};
use crate::model::{Bits, Cond, Field, Kind, Piece, Radix, Raw, When};
use crate::span::Span;
use crate::value_text::{number, print_value};
use crate::yaml::Text;

/// A fixed field that a text prints, or that a condition in it asks for.
pub(super) struct Fixed {
    path: String,
    is_printed: bool,
    is_default: bool,
}

impl Fixed {
    fn of(field: &Field, raw: Raw, is_printed: bool) -> Self {
        Self { path: field.path.clone(), is_printed, is_default: field.default == raw }
    }
}

/// When a group of what differs is there.
pub(super) enum Shown {
    /// Always: what is fixed is not at its default.
    Always,
    When(Cond),
    Differs(Vec<usize>),
    /// What it shows is at its default.
    Never,
}

impl<'s> Assembler<'_, 's, '_> {
    /// The text of a fixed field.
    pub(super) fn fixed(&self, field: &Field, raw: Raw, style: Option<Radix>) -> Piece {
        self.fixed.borrow_mut().push(Fixed::of(field, raw, true));
        // Distances have 64 bits.
        let value = || number(&field.kind, field.bits.width(), field.flipped(raw)).map(|n| n as i64);
        if let Kind::Int { radix, target: target @ Some(_), .. } = field.kind
            && let Some(bias) = value()
        {
            let kind = Kind::Int { signed: false, scale: 1, bias, radix: style.or(radix), target };
            return Piece::Fixed(Box::new(Field { bits: Bits(Vec::new()), kind, inverted: false, default: 0, ..field.clone() }));
        }
        let mut out = String::new();
        print_value(self.scope.isa, field, raw, style, 0, &mut out);
        Piece::Literal(out)
    }

    /// Notes the fixed fields that a condition asks for.
    pub(super) fn ask(&self, cond: &CondAst, prefix: &str) {
        let mut asked = Vec::new();
        self.scope.fixed_in(self.cx, cond, prefix, &mut asked);
        self.fixed.borrow_mut().extend(asked.into_iter().map(|(field, raw)| Fixed::of(field, raw, false)));
    }

    /// The same for a condition of a variant.
    pub(super) fn ask_in(&self, cond: &Text, at: &At<'_, 's>) {
        let text = at.instance.env.apply(self.cx, cond);
        if let Some(cond) = text.and_then(|text| self.cx.parse(&self.cx.conditions, &text, crate::lang::parse_condition)) {
            self.ask(&cond, &at.instance.prefix);
        }
    }

    /// When a group with these pieces is there, whose fixed fields have been noted from `since` on: when one of the fields differs that
    /// it prints, or of the same operands that decide what is printed (a sign).
    pub(super) fn shown(&self, body: &[Piece], since: usize) -> Shown {
        let (mut printed, mut asked) = (Vec::new(), Vec::new());
        walk(body, &mut printed, &mut asked);
        let (path, fixed) = (|i: &usize| self.scope.fields[*i].path.as_str(), self.fixed.borrow());
        let fixed = &fixed[since..];
        let operand = |path: &str| path.rsplit_once('.').map(|(operand, _)| operand.to_owned());
        let mut operands: Vec<Option<String>> = printed.iter().map(|i| operand(path(i))).collect();
        operands.extend(fixed.iter().filter(|f| f.is_printed).map(|f| operand(&f.path)));
        // Where nothing is printed, all counts that is asked for.
        let counts = |path: &str| operands.is_empty() || operand(path).is_some_and(|own| operands.contains(&Some(own)));
        if fixed.iter().any(|f| !f.is_default && (f.is_printed || counts(&f.path))) {
            return Shown::Always;
        }
        asked.retain(|i| counts(path(i)));
        printed.extend(asked);
        printed.sort_unstable();
        printed.dedup();
        self.differs(printed)
    }

    /// When one of these fields is not at its default: in an instruction that stands for another one, at the default that it has there.
    fn differs(&self, fields: Vec<usize>) -> Shown {
        let fields_of = &self.scope.fields;
        let renamed = self.scope.renamed.unwrap_or_default();
        let default = |i: usize| renamed.iter().find(|r| r.field == i).map_or(Some(fields_of[i].default), |r| r.default);
        let defaults: Vec<Option<Raw>> = fields.iter().map(|i| default(*i)).collect();
        if fields.is_empty() {
            return Shown::Never;
        }
        if fields.iter().zip(&defaults).all(|(i, default)| *default == Some(fields_of[*i].default)) {
            return Shown::Differs(fields);
        }
        let other = |(field, default): (usize, Option<Raw>)| {
            let values = self.scope.exactly(self.cx, field, default?)?;
            Some(not(Cond::Test { field, values }))
        };
        let others: Option<Vec<Cond>> = fields.into_iter().zip(defaults).map(other).collect();
        others.map_or(Shown::Always, |others| Shown::When(or(others)))
    }

    /// The pieces of a group of what differs.
    pub(super) fn group(&self, body: Vec<Piece>, shown: Shown) -> Vec<Piece> {
        match shown {
            Shown::Always => body,
            // This is not a condition of the spec, and may always hold.
            Shown::When(cond) => self.when(cond, Span::default(), body),
            Shown::Differs(fields) => vec![Piece::Group { when: When::Differs(fields), body }],
            Shown::Never => Vec::new(),
        }
    }
}
