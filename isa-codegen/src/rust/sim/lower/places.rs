//! Places that statements write.

use super::kinds::{lit, shift, var};
use super::{Lower, Mode, Out};
use crate::rust::sim::scan::Held;
use isa_spec::semantics::typed::{Place, PlaceKind};
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

impl Lower<'_> {
    /// The statement by which a place takes a value of its own width.
    pub(super) fn assign(&mut self, place: &Place, value: TokenStream) -> TokenStream {
        match &place.kind {
            PlaceKind::Var(v) => {
                let name = var(*v);
                if self.scope.lets.contains(v) { quote!(let #name = #value;) } else { quote!(#name = #value;) }
            }
            PlaceKind::Slice { of, lo } => {
                let lo = lit(*lo);
                self.insert(of, quote!(#lo), place.width, value)
            }
            PlaceKind::Part { of, at } => {
                let at = self.count(at);
                self.insert(of, at, place.width, value)
            }
            PlaceKind::Concat(parts) => {
                let starts = parts.iter().rev().scan(0, |end, part| {
                    *end += part.width;
                    Some(*end - part.width)
                });
                let mut parts: Vec<(u32, &Place)> = starts.zip(parts.iter().rev()).collect();
                // All parts take their values at once: variables that locate other parts take theirs last. If two parts are the
                // same register, the higher one counts.
                parts.sort_by_key(|(_, part)| (sets_variable(part), part.exprs().is_empty()));
                let pieces: Vec<TokenStream> = parts
                    .into_iter()
                    .map(|(lo, part)| {
                        let piece = self.slice(quote!(value), place.width, &shift(lo), part.width);
                        self.assign(part, piece)
                    })
                    .collect();
                quote!({ let value = #value; #(#pieces)* })
            }
            PlaceKind::Register(r) if self.mode == Mode::Operands => {
                let name = format_ident!("w_{}", self.operand(r));
                quote!(#name = #value;)
            }
            PlaceKind::Register(_) | PlaceKind::Flags(_) | PlaceKind::State(_) => match Held::of_place(place) {
                Some(held) if matches!(self.mode, Mode::Lanes | Mode::One) => self.assign_lane(held, &value),
                held => {
                    let out = self.out(held, place.width);
                    quote!(#out = #value;)
                }
            },
        }
    }

    /// Some bits of a place change, the others stay.
    fn insert(&mut self, of: &Place, lo: TokenStream, width: u32, value: TokenStream) -> TokenStream {
        let (kind, all, w) = (self.kinds().kind(of.width), lit(of.width), lit(width));
        let old = self.current(of);
        let value = self.convert(value, width, of.width);
        let new = quote!({
            let at = #lo;
            #old.and(#kind::ones(#w).shl(at).not()).or(#value.shl(at)).keep(#all)
        });
        self.assign(of, new)
    }

    /// The current value of a place.
    fn current(&mut self, place: &Place) -> TokenStream {
        match &place.kind {
            PlaceKind::Var(v) => {
                let name = var(*v);
                quote!(#name)
            }
            PlaceKind::Slice { of, lo } => {
                let code = self.current(of);
                self.slice(code, of.width, &shift(*lo), place.width)
            }
            PlaceKind::Part { of, at } => {
                let at = self.count(at);
                let code = self.current(of);
                self.slice(code, of.width, &Some(at), place.width)
            }
            PlaceKind::Concat(parts) => {
                let kind = self.kinds().kind(place.width);
                parts.iter().fold(quote!(#kind::default()), |high, part| {
                    let code = self.current(part);
                    let low = self.convert(code, part.width, place.width);
                    let by = lit(part.width);
                    quote!(#high.shl(#by).or(#low))
                })
            }
            PlaceKind::Register(_) | PlaceKind::Flags(_) | PlaceKind::State(_) => match Held::of_place(place) {
                Some(held) if matches!(self.mode, Mode::Lanes | Mode::One) => self.held(held),
                held => {
                    let out = self.out(held, place.width);
                    quote!(#out)
                }
            },
        }
    }

    /// The variable of a lane for a row that is written.
    fn out(&mut self, held: Option<Held<'_>>, width: u32) -> Ident {
        let Some(held) = held else { unreachable!("only registers, flags and named values are rows") };
        let key = held.key();
        if let Some(at) = self.outs.iter().position(|o| o.key == key) {
            // The row that is written last is put back last.
            let out = self.outs.remove(at);
            let found = out.name.clone();
            self.outs.push(out);
            return found;
        }
        let (is_part, when) = self.scan.keeps(&key);
        let when = when.cloned();
        let index = held.index.map_or_else(|| quote!(0), |index| self.index(index, held.plus));
        let old = is_part.then(|| self.row(held));
        let when = when.map(|when| self.cond(&when));
        let name = format_ident!("out{}", self.outs.len());
        self.outs.push(Out { key, name: name.clone(), index, width, old, when });
        name
    }
}

fn sets_variable(place: &Place) -> bool {
    match &place.kind {
        PlaceKind::Var(_) => true,
        PlaceKind::Slice { of, .. } | PlaceKind::Part { of, .. } => sets_variable(of),
        PlaceKind::Concat(parts) => parts.iter().any(sets_variable),
        PlaceKind::Register(_) | PlaceKind::Flags(_) | PlaceKind::State(_) => false,
    }
}
