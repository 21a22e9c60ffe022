//! Fixed fields in texts: they print like other fields, and count for the groups that show them.

use super::walk::walk;
use super::{Assembler, At};
use crate::conditions::Found;
use crate::conditions::Renamed;
use isa_model::model::condition::{not, or};
use isa_model::model::{Bits, Cond, Field, Piece, Raw, Reading, When, ones};
use isa_model::print::print_value;
use isa_model::span::{Span, Text};
use isa_runtime::value::{Code, Spelling, Style};
use isa_syntax::lang::CondAst;
use std::sync::Arc;

/// A field that a text prints, or that a condition in it asks for.
pub(super) struct Met {
    path: String,
    is_printed: bool,
    what: What,
}

/// The kind of such a field.
enum What {
    Fixed {
        is_default: bool,
    },
    /// A field that replaces one with this default, if it can hold the default.
    Instead {
        field: usize,
        default: Option<Raw>,
    },
}

impl Met {
    fn fixed(field: &Field, raw: Raw, is_printed: bool) -> Self {
        Self { path: field.path.clone(), is_printed, what: What::Fixed { is_default: field.default == raw } }
    }

    fn instead(there: &Renamed, is_printed: bool) -> Self {
        let what = What::Instead { field: there.field, default: there.default };
        Self { path: there.name.clone(), is_printed, what }
    }

    /// True if it is fixed to what is not its default.
    fn differs(&self) -> bool {
        matches!(self.what, What::Fixed { is_default: false })
    }
}

/// The condition under which a group for fields that differ is printed.
pub(super) enum Shown {
    /// Always: what is fixed is not at its default.
    Always,
    When(Cond),
    Differs(Vec<usize>),
    /// Never: all its fields are at their defaults.
    Never,
}

/// The spelling of a field, in a style if one is given.
fn styled(field: &Field, style: Option<Style>) -> Arc<Spelling> {
    style.and_then(|style| field.spelling.with_style(style)).map_or_else(|| field.spelling.clone(), Arc::new)
}

/// A field that decides whether a group is there, as the template calls it, and its default there.
struct Shows<'a> {
    field: usize,
    path: &'a str,
    default: Option<Raw>,
}

impl<'s> Assembler<'_, 's, '_> {
    /// The piece for a field, which may replace another one; its number in this style, if one is given.
    pub(super) fn field(&self, field: usize, there: Option<&Renamed>, style: Option<Style>) -> Piece {
        self.met.borrow_mut().extend(there.map(|there| Met::instead(there, true)));
        let style = style.or(there.and_then(|there| there.style));
        Piece::Field { field, spelling: styled(&self.scope.fields[field], style) }
    }

    /// The piece for a reading; its number in this style, if one is given.
    pub(super) fn reading(&self, reading: &Arc<Reading>, style: Option<Style>) -> Piece {
        let spelling = styled(&reading.field, style);
        if spelling == reading.field.spelling {
            return Piece::Reading(reading.clone());
        }
        let field = Field { spelling, ..reading.field.clone() };
        Piece::Reading(Arc::new(Reading { field, ..(**reading).clone() }))
    }

    /// The text of a fixed field.
    pub(super) fn fixed(&self, field: &Field, raw: Raw, style: Option<Style>) -> Piece {
        self.met.borrow_mut().push(Met::fixed(field, raw, true));
        let spelling = styled(field, style);
        if field.is_target()
            && let Some(value) = field.code.value(raw)
        {
            // Distances have 64 bits.
            let code = Code::constant(value.low() as i64).then_all(field.code.shown_steps().iter().copied());
            let field = Field { bits: Bits(Vec::new()), code, spelling, default: 0, ..field.clone() };
            return Piece::Reading(Arc::new(Reading { field, of: Vec::new(), width: None, source: String::new() }));
        }
        let number = field.code.value(raw).map_or(raw, |number| number.low() & ones(field.code.width));
        if !spelling.has(number) {
            let message = format!("a text shows `{}`, which is fixed to {number}: that has no text", field.path);
            self.cx.error("value", message, field.span);
        }
        let mut out = String::new();
        print_value(&field.code, &spelling, raw, 0, &mut out);
        Piece::Literal(out)
    }

    /// Notes the fields that a condition asks for.
    pub(super) fn ask(&self, cond: &CondAst, prefix: &str) {
        self.scope.asked(self.cx, cond, prefix, &mut |found, there| self.meets(&found, there, false));
    }

    /// Notes a field that a reading prints, or that a condition asks for.
    pub(super) fn meets(&self, found: &Found<'_>, there: Option<&Renamed>, is_printed: bool) {
        let met = match found {
            Found::Fixed(field, raw) => Some(Met::fixed(field, *raw, is_printed)),
            _ => there.map(|there| Met::instead(there, is_printed)),
        };
        self.met.borrow_mut().extend(met);
    }

    /// The same for a condition of a variant.
    pub(super) fn ask_in(&self, cond: &Text, at: &At<'_, 's>) {
        let text = at.instance.env.apply(self.cx, cond);
        if let Some(cond) =
            text.and_then(|text| self.cx.parse(&self.cx.parsed.conditions, &text, isa_syntax::lang::parse_condition))
        {
            self.ask(&cond, &at.instance.prefix);
        }
    }

    /// The condition under which a group with these pieces is printed, whose fields have been noted from `since` on: one of the
    /// fields that it prints differs from its default, or one of the same operand that decides what is printed (a sign).
    pub(super) fn shown(&self, body: &[Piece], since: usize) -> Shown {
        let (mut printed, mut asked) = (Vec::new(), Vec::new());
        walk(body, &mut printed, &mut asked);
        let met = self.met.borrow();
        let met = &met[since..];
        let named = |fields: Vec<usize>, is_printed: bool| -> Vec<Shows<'_>> {
            fields.into_iter().flat_map(|field| self.shows(field, met, is_printed)).collect()
        };
        let (mut printed, mut asked) = (named(printed, true), named(asked, false));
        let operand = |path: &str| path.rsplit_once('.').map(|(operand, _)| operand.to_owned());
        let mut operands: Vec<Option<String>> = printed.iter().map(|shows| operand(shows.path)).collect();
        let fixed = || met.iter().filter(|met| matches!(met.what, What::Fixed { .. }));
        operands.extend(fixed().filter(|met| met.is_printed).map(|met| operand(&met.path)));
        // If nothing is printed, all fields that are asked for count.
        let counts = |path: &str| operands.is_empty() || operand(path).is_some_and(|own| operands.contains(&Some(own)));
        if fixed().any(|met| met.differs() && (met.is_printed || counts(&met.path))) {
            return Shown::Always;
        }
        asked.retain(|shows| counts(shows.path));
        printed.extend(asked);
        self.differs(printed)
    }

    /// A field as shown by a group that met the fields `met`: by its own name, or by those of the fields that it replaces.
    fn shows<'m>(&'m self, field: usize, met: &'m [Met], is_printed: bool) -> Vec<Shows<'m>> {
        let Some(renamed) = self.scope.renamed else {
            let own = &self.scope.fields[field];
            return vec![Shows { field, path: &own.path, default: Some(own.default) }];
        };
        let of = |met: &'m Met| match met.what {
            What::Instead { field: of, default } if of == field && met.is_printed == is_printed => {
                Some(Shows { field, path: &met.path, default })
            }
            _ => None,
        };
        let shows: Vec<Shows<'_>> = met.iter().filter_map(of).collect();
        if !shows.is_empty() {
            return shows;
        }
        // The field is in a text that was built earlier.
        let all = renamed.iter().filter(|there| there.field == field);
        all.map(|there| Shows { field, path: &there.name, default: there.default }).collect()
    }

    /// The condition that one of these fields differs from its default, which in an expanded instruction is the default of the
    /// replaced field.
    fn differs(&self, shows: Vec<Shows<'_>>) -> Shown {
        let fields_of = &self.scope.fields;
        let mut fields: Vec<(usize, Option<Raw>)> = shows.into_iter().map(|shows| (shows.field, shows.default)).collect();
        fields.sort_unstable();
        fields.dedup();
        if fields.is_empty() {
            return Shown::Never;
        }
        if fields.iter().all(|(i, default)| *default == Some(fields_of[*i].default)) {
            return Shown::Differs(fields.into_iter().map(|(field, _)| field).collect());
        }
        let other = |(field, default): (usize, Option<Raw>)| {
            let values = self.scope.exactly(self.cx, field, default?)?;
            Some(not(Cond::Test { field, values }))
        };
        let others: Option<Vec<Cond>> = fields.into_iter().map(other).collect();
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
