//! The state of a lane: registers, flags, named values. In a loop over lanes they are rows, which are looked up in front of it.

use super::kinds::{lit, room};
use super::{Lower, Mode, found};
use crate::rust::sim::names::{constants, field, file_name, operand_name};
use crate::rust::sim::scan::{File, Held};
use isa_spec::semantics::machine::StateKind;
use isa_spec::semantics::typed::{Expr, Register};
use proc_macro2::{Ident, Literal, TokenStream};
use quote::quote;

impl Lower<'_> {
    /// The number of a register, as an index.
    pub(in super::super) fn index(&mut self, e: &Expr, plus: u32) -> TokenStream {
        let code = self.expr(e);
        let code = match room(e.width) {
            32 => quote!(#code as usize),
            _ => quote!(#code.low() as usize),
        };
        if plus == 0 {
            return quote!((#code));
        }
        let plus = lit(plus);
        quote!((#code + #plus))
    }

    /// The value of a register.
    pub(super) fn register(&mut self, r: &Register) -> TokenStream {
        if self.mode == Mode::Operands {
            let name = self.operand(r);
            return quote!(#name);
        }
        self.held(Held::register(r))
    }

    /// The variable of an operand's value; only bodies without other registers are made so.
    pub(super) fn operand(&self, r: &Register) -> Ident {
        match field(r) {
            Some(field) => operand_name(self.cx, &self.keys.fields[field].0),
            None => unreachable!("registers are operands here"),
        }
    }

    /// A named value of the machine.
    pub(super) fn state(&mut self, state: usize, width: u32) -> TokenStream {
        if self.isa().machine.state[state].kind == StateKind::Written {
            return self.held(Held::state(state));
        }
        let (at, lane) = (Literal::usize_unsuffixed(self.isa().machine.state_place(state)), self.lane());
        self.keep(quote!(step.launch_values[#at][#lane]), width)
    }

    /// The value of a register, of flags, or of a named value.
    pub(super) fn held(&mut self, held: Held<'_>) -> TokenStream {
        let (name, last) = (file_name(self.isa(), held.file), self.last_of_all(held));
        match (self.mode, held.index) {
            (Mode::One, None) => quote!(s.#name.value()),
            (Mode::One, Some(index)) => {
                let index = self.index(index, held.plus);
                last.map_or_else(|| quote!(sim::get(&s.#name, #index).value()), |last| quote!(s.#name[#index & #last].value()))
            }
            (Mode::Lanes, None) => quote!(s.#name[l].value()),
            (Mode::Lanes, Some(index)) => {
                let index = self.index(index, held.plus);
                quote!(sim::cell(&s.#name, #index, l).value())
            }
            _ => {
                let row = self.row(held);
                quote!(#row[l].value())
            }
        }
    }

    /// The name of a row that is read. One that is there whatever its number is need not be copied.
    pub(super) fn row(&mut self, held: Held<'_>) -> Ident {
        let (name, last) = (file_name(self.isa(), held.file), self.last_of_all(held));
        let row = match (held.index.map(|index| self.index(index, held.plus)), last) {
            (None, _) => quote!(s.#name),
            (Some(index), Some(last)) => quote!(&s.#name[#index & #last]),
            (Some(index), None) => quote!(sim::row(&s.#name, #index)),
        };
        found(&mut self.rows, "row", held.key(), row)
    }

    /// The last register of a file, if any number that a register can have here is one of the file.
    fn last_of_all(&self, held: Held<'_>) -> Option<Literal> {
        let (File::Registers(file), Some(index)) = (held.file, held.index) else { return None };
        let of = &self.isa().registers[file];
        let is_any = held.plus == 0 && index.width <= of.index && of.end() == 1 << of.index;
        is_any.then(|| Literal::usize_unsuffixed((1 << of.index) - 1))
    }

    /// The statement by which one lane's register, flags or named value takes a value.
    pub(super) fn assign_lane(&mut self, held: Held<'_>, value: &TokenStream) -> TokenStream {
        let (name, constants, is_one) =
            (file_name(self.isa(), held.file), constants(self.isa(), held.file), self.mode == Mode::One);
        let Some(index) = held.index else {
            return if is_one { quote!(s.#name = Cell::of(#value);) } else { quote!(s.#name[l] = Cell::of(#value);) };
        };
        let index = self.index(index, held.plus);
        // Values computed from registers are computed before these change.
        let put = match is_one {
            true => quote!(sim::put(&mut s.#name, index, #constants, value);),
            false => quote!(sim::put_lane(&mut s.#name, index, #constants, l, value);),
        };
        quote!({ let (value, index) = (Cell::of(#value), #index); #put })
    }
}
