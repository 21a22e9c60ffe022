//! Calls of functions of floats that are computed by the rules of the machine, to the last bit and flag.

use super::Lower;
use super::kinds::lit;
use isa_spec::model::Isa;
use isa_spec::semantics::builtins::Function;
use isa_spec::semantics::floats::{Exact, Fraction, MinKind, NanInteger, NanRule};
use isa_spec::semantics::typed::{Expr, ExprKind};
use proc_macro2::TokenStream;
use quote::quote;

/// The rules of the machine, as a constant.
pub(in super::super) fn rules(isa: &Isa) -> TokenStream {
    let floats = isa.machine.floats.unwrap_or_default();
    let nan = match floats.nan {
        NanRule::Made => quote!(Made),
        NanRule::First => quote!(First),
        NanRule::SignallingFirst => quote!(SignallingFirst),
    };
    let fraction = match floats.made_fraction {
        Fraction::High => quote!(High),
        Fraction::All => quote!(All),
    };
    let integer = match floats.nan_integer {
        NanInteger::Zero => quote!(Zero),
        NanInteger::Largest => quote!(Largest),
        NanInteger::Indefinite => quote!(Indefinite),
    };
    let beyond = if floats.beyond_indefinite { quote!(Indefinite) } else { quote!(Nearest) };
    let (sign, before, quiet) = (floats.made_sign, floats.tiny_before, floats.invalid_product_quiet);
    quote! {
        const FLOATS: soft::Rules = soft::Rules {
            nan: soft::NanRule::#nan,
            made_sign: #sign,
            made_fraction: soft::Made::#fraction,
            tiny_before: #before,
            nan_integer: soft::OfNan::#integer,
            beyond: soft::Beyond::#beyond,
            invalid_product_quiet: #quiet,
            flush_inputs: false,
            flush_results: false,
        };
        const FLUSHED: soft::Rules = soft::Rules { flush_inputs: true, ..FLOATS };
    }
}

fn format(width: u32) -> TokenStream {
    match width {
        16 => quote!(soft::Format::F16),
        32 => quote!(soft::Format::F32),
        _ => quote!(soft::Format::F64),
    }
}

impl Lower<'_> {
    /// A call, or the flags that it raises.
    pub(super) fn exact(&mut self, function: Function, args: &[Expr], exact: &Exact, width: u32) -> TokenStream {
        use Function::*;
        let of = args[0].width;
        let (from, to) = (format(of), format(exact.to));
        let (of, bits) = (lit(of), lit(exact.to));
        let rules = if exact.flush { quote!(&FLUSHED) } else { quote!(&FLOATS) };
        let rounds = !matches!(function, Fmin | Fmax | Fcmp | Fneg | Fabs | Fnan | Fsat | H2f);
        let (args, round) = args.split_at(args.len() - usize::from(rounds));
        let round = round.first().map_or_else(|| quote!(soft::Round::Nearest), |round| self.round(round));
        let codes: Vec<TokenStream> = args.iter().map(|a| self.expr(a)).map(|code| quote!(#code.low64())).collect();
        let x = &codes[0];
        let pair = match function {
            Fneg => return self.kinds().of64(quote!((#x ^ exact::sign(#from))), width),
            Fabs => return self.kinds().of64(quote!((#x & !exact::sign(#from))), width),
            Fsat => return self.kinds().of64(quote!(exact::limited(#from, #x)), width),
            Fnan => return quote!(u32::from(exact::is_nan(#from, #x))),
            Fadd => quote!(soft::add(#from, #rules, #(#codes,)* #round)),
            Fsub => quote!(soft::sub(#from, #rules, #(#codes,)* #round)),
            Fmul => quote!(soft::mul(#from, #rules, #(#codes,)* #round)),
            Fdiv => quote!(soft::div(#from, #rules, #(#codes,)* #round)),
            Ffma => quote!(soft::fma(#from, #rules, #(#codes,)* #round)),
            Fsqrt => quote!(soft::sqrt(#from, #rules, #x, #round)),
            Fround => quote!(soft::round_to_integer(#from, #rules, #x, #round)),
            Fmin | Fmax => {
                let kind = match exact.kind {
                    MinKind::Number => quote!(Number),
                    MinKind::Nan => quote!(Nan),
                    MinKind::Second => quote!(Second),
                };
                let name = if function == Fmin { quote!(min) } else { quote!(max) };
                quote!(soft::#name(#from, #rules, soft::MinKind::#kind, #(#codes),*))
            }
            Fcmp => {
                let signalling = exact.signalling;
                quote!(soft::compare(#from, #rules, #(#codes,)* #signalling))
            }
            F2iS | F2iU => {
                let signed = function == F2iS;
                quote!(soft::to_integer(#from, #rules, #x, #bits, #signed, #round))
            }
            I2fS | I2fU => {
                let signed = function == I2fS;
                quote!(soft::from_integer(#to, #rules, #x, #of, #signed, #round))
            }
            _ => quote!(soft::convert(#from, #to, #rules, #x, #round)),
        };
        if exact.raised {
            return quote!(#pair.1);
        }
        if function == Fcmp {
            return quote!(#pair.0);
        }
        let is_integer = matches!(function, F2iS | F2iU);
        let value = if exact.flush && !is_integer { quote!(soft::flush(#to, #pair.0)) } else { quote!(#pair.0) };
        let value = if exact.saturate { quote!(exact::limited(#to, #value)) } else { value };
        self.kinds().of64(value, width)
    }

    /// A direction of rounding.
    fn round(&mut self, e: &Expr) -> TokenStream {
        let ExprKind::Const(number) = &e.kind else {
            let code = self.expr(e);
            return quote!(exact::round(#code));
        };
        match number.low() {
            1 => quote!(soft::Round::Zero),
            2 => quote!(soft::Round::Down),
            3 => quote!(soft::Round::Up),
            4 => quote!(soft::Round::Away),
            _ => quote!(soft::Round::Nearest),
        }
    }
}
