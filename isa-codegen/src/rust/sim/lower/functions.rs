//! Calls of functions of integers.

// A kind of expression, statement or function that is new must be handled here.
#![warn(clippy::wildcard_enum_match_arm)]

use super::Lower;
use super::kinds::lit;
use isa_spec::semantics::builtins::IntFunction;
use isa_spec::semantics::typed::Expr;
use proc_macro2::TokenStream;
use quote::quote;

impl Lower<'_> {
    /// A function of integers.
    pub(super) fn int(&mut self, function: IntFunction, args: &[Expr], e: &Expr) -> TokenStream {
        use IntFunction::*;
        let width = e.width;
        let of = args.first().map_or(width, |a| a.width);
        let codes: Vec<TokenStream> = args.iter().map(|a| self.expr(a)).collect();
        let x = codes.first().cloned().unwrap_or_default();
        let (w, f) = (lit(width), lit(of));
        let kind = self.kinds().kind(width);
        match function {
            Zext => self.convert(x, of, width),
            Trunc => {
                let code = self.convert(x, of, width);
                self.keep(code, width)
            }
            Sext => {
                let code = self.convert(x, of, width);
                self.keep(quote!(#code.sext(#f)), width)
            }
            Fill => {
                let code = self.convert(x, of, width);
                self.keep(quote!(#code.neg()), width)
            }
            SatSS | SatSU | SatUS | SatUU => {
                let room_for_both = of.max(width);
                let code = self.convert(x, of, room_for_both);
                let (signed, to_signed) = (matches!(function, SatSS | SatSU), matches!(function, SatSS | SatUS));
                let code = self.convert(quote!(#code.saturate(#f, #signed, #w, #to_signed)), room_for_both, width);
                self.keep(code, width)
            }
            Abs => self.keep(quote!({ let x = #x; if x.bit(#w - 1) { x.neg() } else { x } }), width),
            Clz => quote!(#kind::of32(#x.clz(#w))),
            Ctz => quote!(#kind::of32(#x.ctz(#w))),
            Popcount => quote!(#kind::of32(#x.popcount())),
            Reverse => quote!(#x.reverse(#w)),
            Clmul => {
                let y = &codes[1];
                self.keep(quote!(#x.clmul(#y)), width)
            }
            MinS | MaxS | MinU | MaxU => {
                let y = &codes[1];
                let less = if matches!(function, MinS | MaxS) { quote!(x.less_s(y, #w)) } else { quote!(x.less(y)) };
                let (lesser, greater) =
                    if matches!(function, MinS | MinU) { (quote!(x), quote!(y)) } else { (quote!(y), quote!(x)) };
                quote!({ let (x, y) = (#x, #y); if #less { #lesser } else { #greater } })
            }
            Any => {
                let kind = self.kinds().kind(of);
                quote!(u32::from(#x != #kind::default()))
            }
            All => {
                let kind = self.kinds().kind(of);
                quote!(u32::from(#x == #kind::ones(#f)))
            }
            Parity => quote!((#x.popcount() & 1)),
            CmpS | CmpU => {
                let y = &codes[1];
                let (less, greater) = if function == CmpS {
                    (quote!(x.less_s(y, #f)), quote!(y.less_s(x, #f)))
                } else {
                    (quote!(x.less(y)), quote!(y.less(x)))
                };
                quote!({ let (x, y) = (#x, #y); u32::from(#less) | u32::from(x == y) << 1 | u32::from(#greater) << 2 })
            }
        }
    }
}
