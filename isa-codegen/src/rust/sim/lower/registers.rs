//! The state of a lane: registers, flags, named values. In a loop over lanes they are rows, which are looked up in front of it.

use super::kinds::{lit, room};
use super::{Lower, Mode};
use crate::rust::sim::names::{field, flags_name, operand_name, register_name, state_place, value_name};
use isa_spec::semantics::machine::StateKind;
use isa_spec::semantics::typed::{Expr, Flags, Register};
use proc_macro2::{Ident, Literal, TokenStream};
use quote::{format_ident, quote};

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

    pub(super) fn register(&mut self, r: &Register) -> TokenStream {
        if self.mode == Mode::Operands {
            let name = self.operand(r);
            return quote!(#name);
        }
        let (file, index) = (register_name(r.file), self.index(&r.index, r.plus));
        if self.mode == Mode::One {
            return match self.last_of_all(r) {
                Some(last) => quote!(s.#file[#index & #last].value()),
                None => quote!(sim::get(&s.#file, #index).value()),
            };
        }
        let row = self.register_row(r, &index);
        self.cell(&file, index, row)
    }

    /// The variable of an operand's value; only bodies without other registers are made so.
    pub(super) fn operand(&self, r: &Register) -> Ident {
        match field(r) {
            Some(field) => operand_name(self.cx, &self.keys.fields[field].0),
            None => unreachable!("registers are operands here"),
        }
    }

    /// The row of a register. One that is there whatever its number is need not be copied.
    pub(super) fn register_row(&self, r: &Register, index: &TokenStream) -> TokenStream {
        let file = register_name(r.file);
        match self.last_of_all(r) {
            Some(last) => quote!(&s.#file[#index & #last]),
            None => quote!(sim::row(&s.#file, #index)),
        }
    }

    /// The last register of a file, if any number that a register can have here is one of the file.
    fn last_of_all(&self, r: &Register) -> Option<Literal> {
        let of = &self.isa().registers[r.file];
        let is_any = r.plus == 0 && r.index.width <= of.index && of.end() == 1 << of.index;
        is_any.then(|| Literal::usize_unsuffixed((1 << of.index) - 1))
    }

    /// The lane's cell of a named value.
    pub(super) fn state_cell(&self, name: &Ident) -> TokenStream {
        if self.mode == Mode::One { quote!(s.#name) } else { quote!(s.#name[l]) }
    }

    pub(super) fn flags(&mut self, f: &Flags) -> TokenStream {
        let (file, index) = (flags_name(f.file), self.index(&f.index, 0));
        if self.mode == Mode::One {
            return quote!(sim::get(&s.#file, #index).value());
        }
        let row = quote!(sim::row(&s.#file, #index));
        self.cell(&file, index, row)
    }

    fn cell(&mut self, name: &Ident, index: TokenStream, row: TokenStream) -> TokenStream {
        if self.mode == Mode::Lanes {
            return quote!(sim::cell(&s.#name, #index, l).value());
        }
        let row = self.row(name, &index, row);
        quote!(#row[l].value())
    }

    /// The name of a row that is read.
    pub(super) fn row(&mut self, name: &Ident, index: &TokenStream, row: TokenStream) -> Ident {
        let next = format_ident!("row{}", self.rows.len());
        self.rows.entry(format!("{name} {index}")).or_insert((next, row)).0.clone()
    }

    /// A named value of the machine.
    pub(super) fn state(&mut self, state: usize, width: u32) -> TokenStream {
        let place = state_place(self.isa(), state);
        match self.isa().machine.state[state].kind {
            StateKind::Launch => {
                let at = Literal::usize_unsuffixed(place);
                let lane = self.lane();
                self.keep(quote!(step.launch_values[#at][#lane]), width)
            }
            StateKind::Written => {
                let name = value_name(place);
                if matches!(self.mode, Mode::Lanes | Mode::One) {
                    let cell = self.state_cell(&name);
                    return quote!(#cell.value());
                }
                let row = self.row(&name, &TokenStream::new(), quote!(s.#name));
                quote!(#row[l].value())
            }
        }
    }
}
