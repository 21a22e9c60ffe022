//! Relocations, for a linker to resolve.

use crate::assembler::Assembler;
use crate::deferred::Open;
use crate::expr::{Base, Value};
use crate::instruction::read;
use crate::program::{Relocation, RelocationOf};
use crate::world::View;
use isa_engine::{Lengths, Statement};

impl Assembler<'_> {
    /// The bits of the field that contains a symbol, as the documentation shows them.
    pub(crate) fn field_of_symbol(&mut self, open: &Open, text: &str, address: u64, statement: &Statement) -> Option<String> {
        let mut differ = None;
        self.codec.set_lengths(Lengths::LongestFirst);
        for shift in 0..48 {
            let view = View::new(&self.world, open.position, open.place);
            view.state.borrow_mut().instead = Some(i128::from(address) + (1 << shift));
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

    /// Adds a relocation, if the instruction set has one of the kind.
    pub(crate) fn relocate(
        &self,
        open: &Open,
        what: (Value, &str, Option<&str>, u32),
        relocations: &mut Vec<Relocation>,
    ) -> bool {
        let (value, modifier, bits, data) = what;
        let all = &self.world.assembly.relocations;
        let plain = |text: &str| text.chars().filter(|c| !c.is_whitespace()).collect::<String>();
        let found = all.iter().find(|own| {
            own.modifier == modifier && own.data == data && (data > 0 || bits.is_some_and(|bits| plain(bits) == plain(&own.bits)))
        });
        let Some(found) = found else { return false };
        let of = match value.base {
            Base::External(id) | Base::Modified { external: true, of: id, .. } => RelocationOf::Symbol(id as usize),
            Base::Section(part) | Base::Modified { of: part, .. } => RelocationOf::Section(part as usize),
            Base::None => return true,
        };
        let is_paired = |own: &&crate::expr::Modifier| own.name == modifier && own.pair.is_some();
        let (of, addend) = match of {
            // A paired modifier finds the other statement by its label.
            RelocationOf::Section(part) if self.world.syntax.modifiers.iter().any(|own| is_paired(&own)) => {
                let at = u64::try_from(value.addend).ok().and_then(|at| self.world.label_at(part as u32, at));
                let Some(label) = at else { return false };
                (RelocationOf::Symbol(label as usize), 0)
            }
            of => (of, value.addend),
        };
        let offset = self.world.address(open.place).0;
        relocations.push(Relocation { section: open.place.part as usize, offset, kind: found.number, of, addend: addend as i64 });
        true
    }
}
