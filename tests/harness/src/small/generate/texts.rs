//! Templates.

use super::Generator;
use super::conditions::Scope;
use crate::small::spec::{Choose, FixKey, Meaning, Part, Piece, Radix};

/// The style of a part of a text.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Style {
    /// Behind the mnemonic; it begins with a dot, or is empty.
    Suffix,
    /// A number: after the mnemonic with a dot before it, or among the operands.
    Number,
    Operand,
    /// Among the operands, and never left out.
    Name,
    Letters,
}

impl Generator {
    fn style(&self, meaning: &Meaning) -> Style {
        match meaning {
            Meaning::Flag(_) => Style::Suffix,
            Meaning::Enum(e) if self.spec.enums[*e].dotted => Style::Suffix,
            Meaning::Int { .. } | Meaning::Code(..) => Style::Number,
            Meaning::Bitset(_) => Style::Letters,
            Meaning::Register(file) if self.spec.registers[*file].names.is_some() => Style::Name,
            Meaning::Register(_) | Meaning::Enum(_) | Meaning::Float(_) => Style::Operand,
        }
    }

    /// A template that shows most of what the instruction has.
    pub(super) fn text(&mut self, part: &Part, scope: &Scope, mnemonic: &str) -> Vec<Piece> {
        let mut items: Vec<(String, Style)> = part.fields.iter().map(|f| (f.name.clone(), self.style(&f.meaning))).collect();
        items.extend(part.bind.iter().map(|b| (b.0.clone(), Style::Operand)));
        for (slot, choose) in &part.choose {
            let suffixes = matches!(choose, Choose::Inline(list) if list[0].1.fields.is_empty());
            items.push((slot.clone(), if suffixes { Style::Suffix } else { Style::Operand }));
        }
        let mut next = part.extends;
        while let Some(format) = next {
            let format = &self.spec.formats[format].1;
            let open = format.fields.iter().filter(|f| f.name.starts_with("op"));
            let open = open.filter(|f| !part.fix.iter().any(|(key, _)| matches!(key, FixKey::Field(name) if *name == f.name)));
            items.extend(open.map(|f| (f.name.clone(), self.style(&f.meaning))));
            next = format.extends;
        }
        for at in (1..items.len()).rev() {
            let other = self.below(at + 1);
            items.swap(at, other);
        }
        let (mut suffixes, mut operands) = (vec![Piece::Literal(mnemonic.to_string())], Vec::new());
        // Such a mark would go on with the number before it.
        let has_words = part.fields.iter().any(|field| matches!(&field.meaning, Meaning::Flag(text) if text.starts_with('_')));
        let mut first = true;
        for (name, style) in items {
            // In a text-only instruction set, a text has all there is.
            if self.percent(8) && !self.spec.is_text {
                continue;
            }
            let radix = (style == Style::Number && self.radices && self.percent(20))
                .then(|| self.pick(&[Radix::Hex, Radix::Dec, Radix::Padded(2)]));
            let is_padded = radix.is_none() && style == Style::Number && self.radices && self.extra(12);
            let radix = if is_padded { Some(Radix::Padded(2)) } else { radix };
            let radix = self.style_of(radix);
            let read = if matches!(style, Style::Number | Style::Operand) { self.read(part, &name) } else { None };
            let name = read.unwrap_or(name);
            let place = Piece::Place { name, optional: false, radix };
            match style {
                Style::Suffix if self.percent(25) => suffixes.push(Piece::Group(vec![place])),
                Style::Suffix => suffixes.push(place),
                Style::Number if self.percent(15) && !has_words => {
                    let pieces = vec![Piece::Literal(".".into()), place];
                    if self.percent(60) { suffixes.push(Piece::Group(pieces)) } else { suffixes.extend(pieces) }
                }
                _ => {
                    let mut pieces = vec![Piece::Literal(if first { " " } else { ", " }.into()), place];
                    if style == Style::Letters {
                        pieces.insert(1, Piece::Literal("{".into()));
                        pieces.push(Piece::Literal("}.".into()));
                    }
                    if self.percent(20) && !first && style != Style::Name {
                        operands.push(Piece::Group(pieces));
                    } else {
                        operands.extend(pieces);
                    }
                    first = false;
                }
            }
        }
        if self.percent(15) && !scope.asked.is_empty() {
            let cond = self.cond(scope, 1);
            suffixes.push(Piece::When(cond, vec![Piece::Literal(".q".into())]));
        }
        // The first operand follows a blank.
        for known in scope.readings.clone() {
            if !first && self.extra(60) {
                let radix = if self.radices && self.extra(20) { Some(Radix::Dec) } else { None };
                operands.append(&mut self.show(&known, radix));
            }
        }
        suffixes.append(&mut operands);
        suffixes
    }
}
