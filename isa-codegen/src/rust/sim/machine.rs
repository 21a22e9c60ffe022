//! Registers of a warp, and the engine for the machine of the runtime.

use super::lower::{cell, is_one, lit};
use super::names::{constants, file_name, of_warp, window_name, written};
use super::scan::File;
use crate::rust::Cx;
use crate::rust::docs::attributes;
use isa_spec::model::Isa;
use isa_spec::semantics::machine::{Machine, Routine};
use proc_macro2::{Ident, Literal, TokenStream};
use quote::{format_ident, quote};

/// Registers that rows can hold: 128 bits wide, numbered by 16.
pub(super) fn fits(isa: &Isa) -> bool {
    isa.registers.iter().all(|r| r.width <= 128 && r.index <= 16)
}

fn usize(n: impl TryInto<usize>) -> Literal {
    Literal::usize_unsuffixed(n.try_into().unwrap_or(usize::MAX))
}

/// `State`, and `machine()`.
pub(super) fn machine(cx: &Cx<'_>) -> TokenStream {
    let isa = cx.isa;
    let m = &isa.machine;
    let is_one = is_one(isa);
    // The type and the initial value of a register, from those of its cell.
    let lanes = usize(m.lanes);
    let row = |of: TokenStream| if is_one { of } else { quote!([#of; #lanes]) };
    let registers: Vec<_> = isa.registers.iter().enumerate().filter(|(_, r)| !is_view(isa, &r.name)).collect();
    let fields = registers.iter().map(|(i, r)| {
        let (name, cell, count, docs) =
            (file_name(isa, File::Registers(*i)), cell(r.width), usize(r.end()), attributes(&format!("`{}`", r.name)));
        let row = row(quote!(#cell));
        quote!(#docs pub #name: Box<[#row; #count]>,)
    });
    let flags = m.flags.iter().enumerate().map(|(i, f)| {
        let (name, cell, count, docs) =
            (file_name(isa, File::Flags(i)), cell(f.flags.len() as u32), usize(f.count), attributes(&format!("`{}`", f.name)));
        let row = row(quote!(#cell));
        quote!(#docs pub #name: [#row; #count],)
    });
    let values: Vec<_> = written(isa).into_iter().map(|i| (file_name(isa, File::Value(i)), &m.state[i])).collect();
    let value_fields = values.iter().map(|(name, v)| {
        let (cell, docs) = (cell(v.width), attributes(&format!("`{}`", v.name)));
        let row = row(quote!(#cell));
        quote!(#docs pub #name: #row,)
    });
    let start = registers.iter().map(|(i, r)| {
        let name = file_name(isa, File::Registers(*i));
        match r.one {
            Some(one) => {
                let (one, width) = (usize(one), Literal::u32_unsuffixed(r.width));
                quote!(#name: sim::file_with_ones(#one, #width),)
            }
            None => quote!(#name: sim::file(),),
        }
    });
    let flags_start = m.flags.iter().enumerate().map(|(i, f)| {
        let (name, count) = (file_name(isa, File::Flags(i)), usize(f.count));
        let zeros = row(quote!(0));
        quote!(#name: [#zeros; #count],)
    });
    let values_start = values.iter().map(|(name, _)| {
        let zeros = row(quote!(0));
        quote!(#name: #zeros,)
    });
    let docs =
        if is_one { " Registers, flags and values." } else { " Registers, flags and values of a warp: a row of lanes for each." };
    let windows = (0..m.spaces.len()).filter(|space| m.shows_others(*space)).map(|space| windows(m, space));
    quote! {
        #(#windows)*

        #[doc = #docs]
        #[derive(Clone)]
        pub struct State {
            #(#fields)*
            #(#flags)*
            #(#value_fields)*
            fetched: sim::Fetched<Lanes>,
        }

        impl State {
            /// The state at the start of a warp: zeros, and ones in registers that are constant ones.
            pub fn new() -> Self {
                Self { #(#start)* #(#flags_start)* #(#values_start)* fetched: sim::Fetched::default() }
            }
        }

        impl Default for State {
            fn default() -> Self {
                Self::new()
            }
        }

        /// The machine of the specification.
        pub fn machine() -> info::MachineInfo {
            info::MachineInfo::of(&super::TABLES)
        }
    }
}

/// `fn window_4(address: u64) -> (usize, u64)`: the memory in which an address of a space is that shows others, and the address there.
fn windows(machine: &Machine, space: usize) -> TokenStream {
    let (windows, elsewhere) = machine.windows(space);
    let (name, elsewhere) = (window_name(space), usize(elsewhere.unwrap_or(space)));
    let hex = |n: u64| -> Literal { format!("{n:#x}").parse().expect("a number") };
    let arms = windows.into_iter().map(|(first, last, of)| {
        let (first, last, of) = (hex(first), hex(last), usize(of));
        quote!(#first..=#last => (#of, address - #first),)
    });
    quote! {
        #[inline]
        fn #name(address: u64) -> (usize, u64) {
            match address { #(#arms)* _ => (#elsewhere, address) }
        }
    }
}

/// Its registers are parts of another file's.
pub(super) fn is_view(isa: &Isa, name: &str) -> bool {
    isa.machine.views.iter().any(|v| v.name == name)
}

/// A register file whose registers are parts of another one's.
struct View {
    number: usize,
    of: usize,
    /// The number of these registers in one of the other file.
    parts: u32,
    width: u32,
}

fn view(isa: &Isa, view: &isa_spec::semantics::machine::View) -> Option<View> {
    let find = |name: &str| isa.registers.iter().position(|r| r.name == name);
    let (number, of) = (find(&view.name)?, find(&view.of)?);
    let width = isa.registers[number].width;
    Some(View { number, of, parts: isa.registers[of].width / width, width })
}

/// A register file whose registers can be sources of any body: its number, the row of the first, and how many there are.
pub(super) fn row_files(isa: &Isa) -> Vec<(usize, u64, u64)> {
    let widths = if is_one(isa) { 1..=64 } else { 17..=32 };
    let is_row = |r: &isa_spec::model::RegisterFile| widths.contains(&r.width) && !is_view(isa, &r.name);
    let files = isa.registers.iter().enumerate().filter(|(_, r)| is_row(r));
    let count = |r: &isa_spec::model::RegisterFile| u64::try_from(r.end()).unwrap_or(u64::MAX);
    files
        .scan(0, |base, (i, r)| {
            let first = *base;
            *base += count(r);
            Some((i, first, count(r)))
        })
        .collect()
}

/// The method that finds a source: a register, a constant of the instruction, or what was fetched.
fn row(isa: &Isa) -> TokenStream {
    let files = row_files(isa);
    let is_one = is_one(isa);
    let arms = files.iter().map(|(file, base, count)| {
        let (name, first, last) =
            (file_name(isa, File::Registers(*file)), Literal::u64_unsuffixed(*base), Literal::u64_unsuffixed(base + count - 1));
        let cell = quote!(self.#name[(at - #first) as usize]);
        let row = if is_one { quote!(#cell as u64) } else { quote!(&#cell) };
        quote!(#first..=#last => #row,)
    });
    let first = first_own(isa);
    let other = quote!(self.fetched.row(constants, #first, at));
    // In one lane constants are asked for as often as registers are, and fewer files come before them.
    let (signature, arms) = match is_one {
        true => (quote!((&self, constants: &[u64], at: u64) -> u64), quote!(#first.. => *#other, #(#arms)*)),
        false => (quote!(<'a>(&'a self, constants: &'a [Lanes], at: u64) -> &'a Lanes), quote!(#(#arms)* _ => #other)),
    };
    quote! {
        #[inline(always)]
        fn row #signature {
            match at {
                #arms
            }
        }
    }
}

/// The number of the first row that is no register.
pub(super) fn first_own(isa: &Isa) -> Literal {
    Literal::u64_unsuffixed(row_files(isa).last().map_or(0, |(_, base, count)| base + count))
}

/// `Compiled`, for the machine of the runtime.
pub(super) fn engine(cx: &Cx<'_>, routines: &[(Routine, TokenStream)]) -> TokenStream {
    let (isa, rt) = (cx.isa, &cx.rt);
    let registers: Vec<_> = isa.registers.iter().enumerate().filter(|(_, r)| !is_view(isa, &r.name)).map(|(i, _)| i).collect();
    let (numbers, names): (Vec<_>, Vec<_>) = registers.iter().map(|i| (usize(*i), file_name(isa, File::Registers(*i)))).unzip();
    let (flag_numbers, flag_names): (Vec<_>, Vec<_>) =
        (0..isa.machine.flags.len()).map(|i| (usize(i), file_name(isa, File::Flags(i)))).unzip();
    let views: Vec<_> = isa.machine.views.iter().filter_map(|v| view(isa, v)).collect();
    let (view_numbers, view_of): (Vec<_>, Vec<_>) = views.iter().map(|v| (usize(v.number), usize(v.of))).unzip();
    let (view_parts, view_widths): (Vec<_>, Vec<_>) = views.iter().map(|v| (usize(v.parts), lit(v.width))).unzip();
    let values: Vec<File> = written(isa).into_iter().map(File::Value).collect();
    let (value_numbers, value_names): (Vec<_>, Vec<_>) =
        values.iter().enumerate().map(|(i, file)| (usize(i), file_name(isa, *file))).unzip();
    let (row, is_one) = (row(isa), is_one(isa));
    let get =
        |name: &Ident| if is_one { quote!(sim::get(&self.#name, index)) } else { quote!(sim::cell(&self.#name, index, lane)) };
    let put = |name: &Ident, constants: &TokenStream, value: TokenStream| match is_one {
        true => quote!(sim::put(&mut self.#name, index, #constants, #value)),
        false => quote!(sim::put_lane(&mut self.#name, index, #constants, lane, #value)),
    };
    let of128 = quote!(Cell::of(value.to()));
    let gets = names.iter().map(get);
    let puts = registers.iter().zip(&names).map(|(file, name)| {
        let put = put(name, &constants(isa, File::Registers(*file)), of128.clone());
        // Registers of a warp have the same value in all lanes.
        match of_warp(isa, File::Registers(*file)) && !is_one {
            true => quote!({ #put; sim::spread(&mut self.#name, index, 1 << lane); }),
            false => put,
        }
    });
    let flag_gets = flag_names.iter().map(get);
    let flag_puts = flag_names.iter().map(|name| put(name, &constants(isa, File::Flags(0)), quote!(Cell::of(Bits::of64(value)))));
    let cells: Vec<_> =
        value_names.iter().map(|name| if is_one { quote!(self.#name) } else { quote!(self.#name[lane]) }).collect();
    let lanes = usize(isa.machine.lanes);
    let cell_puts = values.iter().zip(value_names.iter().zip(&cells)).map(|(value, (name, cell))| match of_warp(isa, *value) {
        true => quote!(self.#name = [#of128; #lanes]),
        false => quote!(#cell = #of128),
    });
    let (names, codes): (Vec<_>, Vec<_>) = routines.iter().map(|(name, code)| (format_ident!("{name:?}"), code)).unzip();
    let has = if routines.is_empty() { quote!(false) } else { quote!(matches!(routine, #(info::Routine::#names)|*)) };
    let others = (routines.len() < Routine::ALL.len()).then(|| quote!(_ => {}));
    let routine = quote! {
        fn has(&self, routine: info::Routine) -> bool {
            #has
        }

        fn routine(&self, routine: info::Routine, s: &mut State, step: &mut Step<'_>) {
            let on = step.active;
            match routine {
                #(info::Routine::#names => { #codes })*
                #others
            }
        }
    };
    quote! {
        impl State {
            #row
        }

        impl sim::Fetching<Lanes> for State {
            #[inline]
            fn fetched(&mut self) -> &mut sim::Fetched<Lanes> {
                &mut self.fetched
            }
        }

        impl info::State for State {
            fn register(&self, file: usize, index: usize, lane: usize) -> u128 {
                match file {
                    #(#numbers => #gets.value().low128(),)*
                    #(#view_numbers => sim::part(self.register(#view_of, index / #view_parts, lane), index % #view_parts, #view_widths),)*
                    _ => 0,
                }
            }
            fn set_register(&mut self, file: usize, index: usize, lane: usize, value: u128) {
                match file {
                    #(#numbers => #puts,)*
                    #(#view_numbers => {
                        let old = self.register(#view_of, index / #view_parts, lane);
                        let new = sim::with_part(old, index % #view_parts, #view_widths, value);
                        self.set_register(#view_of, index / #view_parts, lane, new);
                    })*
                    _ => {}
                }
            }
            fn flags(&self, file: usize, index: usize, lane: usize) -> u64 {
                match file {
                    #(#flag_numbers => #flag_gets.value().low64(),)*
                    _ => 0,
                }
            }
            fn set_flags(&mut self, file: usize, index: usize, lane: usize, value: u64) {
                match file {
                    #(#flag_numbers => #flag_puts,)*
                    _ => {}
                }
            }
            fn value(&self, index: usize, lane: usize) -> u128 {
                match index {
                    #(#value_numbers => #cells.value().low128(),)*
                    _ => 0,
                }
            }
            fn set_value(&mut self, index: usize, lane: usize, value: u128) {
                match index {
                    #(#value_numbers => #cell_puts,)*
                    _ => {}
                }
            }
        }

        /// These instructions, for the machine of the runtime.
        #[derive(Clone, Debug)]
        pub struct Compiled {
            machine: info::MachineInfo,
        }

        impl Compiled {
            /// The engine.
            pub fn new() -> Self {
                Self { machine: machine() }
            }
        }

        impl Default for Compiled {
            fn default() -> Self {
                Self::new()
            }
        }

        impl info::Engine for Compiled {
            type State = State;
            type Op = Op;

            fn machine(&self) -> &info::MachineInfo {
                &self.machine
            }

            fn prepare(&self, word: #rt::U256, bits: u32) -> Result<Op, info::NotExecutable> {
                CODE.make(&super::TABLES, word, bits)
            }

            fn length_of(&self, unit: #rt::U256) -> Option<u32> {
                sim::length_of(&super::TABLES, unit)
            }

            fn text(&self, word: #rt::U256, bits: u32, address: u64) -> String {
                CODE.operands.text(&super::TABLES, word, bits, address)
            }

            fn writes(&self, word: #rt::U256, bits: u32) -> Option<info::prelude::Vec<info::Write>> {
                CODE.writes(&super::TABLES, word, bits)
            }

            fn state(&self) -> State {
                State::new()
            }

            #routine

            #[inline]
            fn execute(&self, op: &Op, s: &mut State, step: &mut Step<'_>) {
                op.execute(s, step);
            }
        }
    }
}

/// The conversion of a typed instruction to a prepared one.
pub(super) fn op() -> TokenStream {
    quote! {
        impl super::Insn {
            /// The instruction made ready: the arguments of its function are taken out of the word once. `None` where the specification
            /// does not say what it does.
            pub fn op(self) -> Option<Op> {
                CODE.prepare(&super::TABLES, self.form() as u16, self.word())
            }
        }
    }
}
