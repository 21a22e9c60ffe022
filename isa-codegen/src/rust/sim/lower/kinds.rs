//! The Rust types of values, and numbers as such values.

use crate::rust::sim::tree::Choice;
use isa_spec::model::Isa;
use isa_spec::semantics::Int;
use proc_macro2::{Ident, Literal, TokenStream};
use quote::{format_ident, quote};

/// The types in which a machine computes: up to 32 bits `u32`, up to 64 `Pair`, which many lanes make vectors of, or `u64` for one
/// lane, up to 128 `u128`, up to 256 `Long`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) struct Kinds {
    pub(super) is_one: bool,
}

impl Kinds {
    pub(in super::super) fn of(isa: &Isa) -> Self {
        Self { is_one: is_one(isa) }
    }

    /// The type of a value of `width` bits.
    pub(in super::super) fn kind(self, width: u32) -> Ident {
        let name = match room(width) {
            32 => "u32",
            64 if self.is_one => "u64",
            64 => "Pair",
            128 => "u128",
            _ => "Long",
        };
        format_ident!("{name}")
    }

    /// A number of 64 bits as a value of `width` bits.
    pub(super) fn of64(self, code: TokenStream, width: u32) -> TokenStream {
        match room(width) {
            32 => quote!((#code as u32)),
            64 if self.is_one => quote!((#code as u64)),
            64 => quote!(Pair::of64(#code as u64)),
            128 => quote!((#code as u128)),
            _ => quote!(Long::of64(#code as u64)),
        }
    }

    /// A number of 128 bits as a value of more than 64.
    pub(super) fn of128(self, code: TokenStream, width: u32) -> TokenStream {
        if room(width) == 128 { code } else { quote!(Long::of128(#code)) }
    }

    /// A number as a value.
    pub(super) fn number(self, value: Int, width: u32) -> TokenStream {
        let hex = |n: u64| -> Literal { if n < 10 { lit(n) } else { format!("{n:#x}").parse().expect("a number") } };
        // Methods need to know what a bare number is.
        let typed = |kind: &str| -> TokenStream {
            let value: Literal = format!("{}_{kind}", hex(value.low())).parse().expect("a number");
            quote!(#value)
        };
        match room(width) {
            32 => typed("u32"),
            64 if self.is_one => typed("u64"),
            64 => {
                let value = hex(value.low());
                quote!(Pair::of64(#value))
            }
            128 => {
                let [low, high, ..] = value.limbs();
                let value: Literal = format!("{:#x}_u128", u128::from(high) << 64 | u128::from(low)).parse().expect("a number");
                quote!(#value)
            }
            _ => {
                let limbs = value.limbs().map(hex);
                quote!(Long::of_limbs([#(#limbs),*]))
            }
        }
    }

    /// The code of a choice, of the conditions or the number by which it is made, and of what it chooses among.
    pub(in super::super) fn choose(self, (by, choice): (Vec<TokenStream>, Choice<'_, TokenStream>)) -> TokenStream {
        match choice {
            Choice::If { arms, otherwise } => {
                let arms = by.iter().zip(arms).map(|(cond, (_, code))| quote!(if #cond { #code }));
                let last = (!otherwise.is_empty()).then(|| quote!(else { #otherwise }));
                quote!(#(#arms)else* #last)
            }
            Choice::Match { on, arms, otherwise } => {
                let arms = arms.iter().map(|(labels, code)| (labels.iter().map(|l| self.number(*l, on.width)), code));
                if room(on.width) == 32 {
                    let arms = arms.map(|(labels, code)| quote!(#(#labels)|* => { #code }));
                    return quote!(match #(#by)* { #(#arms)* _ => { #otherwise } });
                }
                let arms = arms.map(|(labels, code)| quote!(if #(chosen == #labels)||* { #code } else));
                quote!({ let chosen = #(#by)*; #(#arms)* { #otherwise } })
            }
        }
    }
}

/// True if the machine has one lane: its registers are numbers, and no code has lanes.
pub(in super::super) fn is_one(isa: &Isa) -> bool {
    isa.machine.lanes == 1
}

pub(super) fn room(width: u32) -> u32 {
    match width {
        0..=32 => 32,
        33..=64 => 64,
        65..=128 => 128,
        _ => 256,
    }
}

/// The cell that holds a register of `width` bits.
pub(in super::super) fn cell(width: u32) -> Ident {
    format_ident!("u{}", [8, 16, 32, 64].into_iter().find(|w| width <= *w).unwrap_or(128))
}

pub(in super::super) fn lit(n: impl Into<u64>) -> Literal {
    Literal::u64_unsuffixed(n.into())
}

/// The amount of a shift; `None` for 0.
pub(super) fn shift(by: u32) -> Option<TokenStream> {
    (by > 0).then(|| {
        let by = lit(by);
        quote!(#by)
    })
}

pub(in super::super) fn var(v: usize) -> Ident {
    format_ident!("v{v}")
}

/// Code after what has to come first.
pub(super) fn after(first: &TokenStream, code: TokenStream) -> TokenStream {
    if first.is_empty() { code } else { quote!({ #first #code }) }
}
