//! Relocations, for a linker to resolve.

use crate::assembler::Assembler;
use crate::deferred::Open;
use crate::expr::{Base, Origin, Scope as _, Value};
use crate::instruction::read;
use crate::program::{Relocation, RelocationOf};
use crate::section::Place;
use crate::world::View;
use isa_engine::{Lengths, Statement};

/// What a linker fills in: a field of an instruction by its bits as the documentation shows them, or a number of bytes of data.
#[derive(Clone, Copy)]
pub(crate) struct Field<'t> {
    pub(crate) modifier: &'t str,
    pub(crate) bits: Option<&'t str>,
    pub(crate) data: u32,
}

impl Assembler<'_> {
    /// The bits of the field that contains a symbol, as the documentation shows them.
    pub(crate) fn field_of_symbol(&mut self, open: &Open, text: &str, address: u64, statement: &Statement) -> Option<String> {
        let mut differ = None;
        self.codec.set_lengths(Lengths::LongestFirst);
        for shift in 0..48 {
            let view = View::new(&self.world, open.position, open.place);
            view.state.borrow_mut().instead = Some(1 << shift);
            if let Ok(other) = read(&mut *self.codec, text, address, &view)
                && other.form == statement.form
                && other.word != statement.word
            {
                differ = Some(other.word ^ statement.word);
                break;
            }
        }
        self.set_style(self.words.compress);
        let differ = differ?;
        let anatomy = self.codec.anatomy(statement.form, statement.word);
        let field =
            anatomy.fields.iter().find(|field| field.bits.iter().any(|range| range.mask() & differ != Default::default()))?;
        let shown: Vec<String> = field.bits.iter().map(|range| range.to_string()).collect();
        Some(shown.join(","))
    }

    /// Adds the relocations of an instruction's value, in a field with these bits and with this modifier, or of data of a number
    /// of bytes; the message if the instruction set has none of the kind.
    pub(crate) fn relocate(&self, open: &Open, value: Value, field: Field<'_>, out: &mut Vec<Relocation>) -> Result<(), String> {
        let Field { modifier, bits, data } = field;
        let mut add = |modifier: &str, of: Origin, symbol: Option<u32>, addend: i128| {
            let found = self.relocation(modifier, field).ok_or_else(|| {
                let what = if data > 0 { format!("{data} bytes of data") } else { format!("bits {}", bits.unwrap_or("?")) };
                let with = if modifier.is_empty() { String::new() } else { format!(" with `{modifier}`") };
                format!("the instruction set has no relocation for {what}{with}")
            })?;
            let (of, addend) =
                self.target(modifier, of, symbol, addend).ok_or("there is no label at the place that it refers to")?;
            let offset = self.world.address(open.place).0;
            out.push(Relocation { section: open.place.part as usize, offset, kind: found, of, addend: addend as i64 });
            Ok(())
        };
        match value.base {
            Base::None => Ok(()),
            Base::Section(part) => add(modifier, Origin::Section(part), value.symbol, value.addend),
            Base::External(symbol) => add(modifier, Origin::External(symbol), None, value.addend),
            Base::Modified { of, .. } => add(modifier, of, value.symbol, value.addend),
            // The addend of the difference is at the place that is added.
            Base::Difference { of, less } if data > 0 => {
                add("+", of, None, value.addend)?;
                add("-", less, None, 0)
            }
            _ => Err("a linker can't compute this from its addresses".to_owned()),
        }
    }

    /// The number of the relocation for a field or data.
    fn relocation(&self, modifier: &str, field: Field<'_>) -> Option<u32> {
        let plain = |text: &str| text.chars().filter(|c| !c.is_whitespace()).collect::<String>();
        let has_bits = |own: &str| field.bits.is_some_and(|bits| plain(bits) == plain(own));
        let mut all = self.world.assembly.relocations.iter().filter(|own| own.modifier == modifier && own.data == field.data);
        all.find(|own| field.data > 0 || has_bits(&own.bits)).map(|own| own.number)
    }

    /// The target of a relocation and its addend. Symbols that other files see, and those for which a linker makes an entry of a
    /// table, are named; a paired modifier finds the other statement by its label.
    pub(crate) fn target(&self, modifier: &str, of: Origin, symbol: Option<u32>, addend: i128) -> Option<(RelocationOf, i128)> {
        let part = match of {
            Origin::External(id) => return Some((RelocationOf::Symbol(id as usize), addend)),
            Origin::Section(part) => part,
        };
        let own = self.world.syntax.modifiers.iter().find(|own| own.name == modifier);
        if own.is_some_and(|own| own.pair.is_some()) {
            let label = self.world.label_at(part, u64::try_from(addend).ok()?)?;
            return Some((RelocationOf::Symbol(label as usize), 0));
        }
        let is_named = |id: &u32| {
            let symbol = &self.world.symbols[*id as usize];
            symbol.global || symbol.weak || own.is_some_and(|own| own.is_linkers())
        };
        let view = View::new(&self.world, u32::MAX, Place { part, frag: 0, offset: 0 });
        // A symbol that got another value afterwards may be elsewhere at the end.
        let named = symbol.filter(is_named).and_then(|id| Some((id, view.symbol(&self.world.symbols[id as usize].name).ok()?)));
        Some(match named.filter(|(_, begin)| begin.base == Base::Section(part)) {
            Some((id, begin)) => (RelocationOf::Symbol(id as usize), addend - begin.addend),
            None => (RelocationOf::Section(part as usize), addend),
        })
    }
}
