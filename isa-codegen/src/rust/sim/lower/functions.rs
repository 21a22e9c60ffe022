//! Calls of functions, those on floats among them.

// A kind of expression, statement or function that is new must be handled here.
#![warn(clippy::wildcard_enum_match_arm)]

use super::Lower;
use super::kinds::lit;
use isa_spec::semantics::builtins::{BUILTINS, FloatFunction, Function, IntFunction, Modes, Rounding};
use isa_spec::semantics::typed::Expr;
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

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

    /// A function of floating-point numbers, which are their 32 bits.
    pub(super) fn float(&mut self, function: FloatFunction, args: &[Expr], modes: Modes, width: u32) -> TokenStream {
        use FloatFunction::*;
        let of = args[0].width;
        let codes: Vec<TokenStream> = args.iter().map(|a| self.expr(a)).collect();
        let name = float_name(function);
        let (x, of_bits, to_bits) = (&codes[0], lit(of), lit(width));
        let (flush, saturate) = (modes.flush, modes.saturate);
        let rounding = rounding(modes);
        let all = quote!(float::Modes { rounding: #rounding, flush: #flush, saturate: #saturate });
        match function {
            Fneg | Fabs | Fsat => quote!(float::#name(#x)),
            Fnan => quote!(u32::from(float::fnan(#x))),
            Fmin | Fmax | Fcmp => quote!(float::#name(#(#codes,)* #flush)),
            Rcp | Rsq | Sin | Cos | Ex2 | Lg2 | Sinpi | Cospi | Tanh => quote!(float::#name(#x, #flush, #saturate)),
            F2h => quote!(u32::from(float::f2h(#x, #all))),
            H2f => quote!(float::h2f(#x as u16, #flush)),
            F2iS | F2iU if width <= 64 => {
                let kind = self.kinds().kind(width);
                self.keep(quote!(#kind::of64(float::#name(#x, #to_bits, #all))), width)
            }
            F2iS | F2iU => {
                let name = format_ident!("{name}_wide");
                self.keep(self.kinds().of128(quote!(float::#name(#x, #to_bits, #all)), width), width)
            }
            I2fS if of <= 64 => quote!(float::i2f_s(#x.low64(), #of_bits, #rounding)),
            I2fU if of <= 64 => quote!(float::i2f_u(#x.low64(), #rounding)),
            I2fS => quote!(float::i2f_s_wide(#x.low128(), #of_bits, #rounding)),
            I2fU => quote!(float::i2f_u_wide(#x.low128(), #rounding)),
            Fadd | Fsub | Fmul | Ffma | Fdiv | Fsqrt | Fround => quote!(float::#name(#(#codes,)* #all)),
            F2f | Fclass | Fdot => unreachable!("they follow the rules of the machine"),
        }
    }
}

pub(super) fn float_name(function: FloatFunction) -> Ident {
    let builtin = BUILTINS.iter().find(|b| b.function == Function::Float(function));
    format_ident!("{}", builtin.map_or("", |b| b.name))
}

fn rounding(modes: Modes) -> TokenStream {
    match modes.rounding {
        Rounding::Nearest => quote!(float::Rounding::Nearest),
        Rounding::Zero => quote!(float::Rounding::Zero),
        Rounding::Up => quote!(float::Rounding::Up),
        Rounding::Down => quote!(float::Rounding::Down),
    }
}
