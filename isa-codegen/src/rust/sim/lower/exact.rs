//! Calls of functions of floats that are computed by the rules of the machine, to the last bit and flag.

use super::Lower;
use super::kinds::lit;
use isa_spec::model::Isa;
use isa_spec::semantics::builtins::Function;
use isa_spec::semantics::floats::{Exact, Format, Fraction, MinKind, NanInteger, NanRule};
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
            finite_results: false,
        };
    }
}

fn format(format: Format) -> TokenStream {
    match format {
        Format::F16 => quote!(soft::Format::F16),
        Format::F32 => quote!(soft::Format::F32),
        Format::F64 => quote!(soft::Format::F64),
        Format::Bf16 => quote!(soft::Format::BF16),
        Format::Tf32 => quote!(soft::Format::TF32),
        Format::E4m3fn => quote!(soft::Format::E4M3FN),
        Format::E5m2 => quote!(soft::Format::E5M2),
    }
}

impl Lower<'_> {
    /// A call, or the flags that it raises.
    pub(super) fn exact(&mut self, function: Function, args: &[Expr], exact: &Exact, width: u32) -> TokenStream {
        use Function::*;
        let (from, to) = (format(exact.of), format(exact.to));
        let (of, bits) = (lit(args[0].width), lit(exact.bits));
        let rules = self.rules(exact);
        let rounds = !matches!(function, Fmin | Fmax | Fcmp | Fneg | Fabs | Fnan | Fsat | Fclass | H2f);
        let (args, round) = args.split_at(args.len() - usize::from(rounds));
        let round = round.first().map_or_else(|| quote!(soft::Round::Nearest), |round| self.round(round));
        if function == Fdot {
            let pair = self.dot(args, exact, &rules, &round);
            return self.result(pair, exact, width);
        }
        let codes: Vec<TokenStream> = args.iter().map(|a| self.expr(a)).map(|code| quote!(#code.low64())).collect();
        let x = &codes[0];
        let pair = match function {
            Fneg => return self.kinds().of64(quote!((#x ^ #from.sign())), width),
            Fabs => return self.kinds().of64(quote!((#x & !#from.sign())), width),
            Fsat => return self.kinds().of64(quote!(#from.limited(#x)), width),
            Fnan => return quote!(u32::from(#from.is_nan(#x))),
            Fclass => return quote!(soft::classify(#from, #x)),
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
            F2iS | F2iU if exact.bits > 64 => {
                let signed = function == F2iS;
                quote!(soft::to_wide_integer(#from, #rules, #x, #bits, #signed, #round))
            }
            I2fS | I2fU if args[0].width > 64 => {
                let (signed, limbs) = (function == I2fS, self.expr(&args[0]));
                quote!(soft::from_wide_integer(#to, #rules, #limbs.limbs(), #of, #signed, #round))
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
        match function {
            _ if exact.raised => quote!(#pair.1),
            Fcmp => quote!(#pair.0),
            F2iS | F2iU if exact.bits > 64 => quote!(Long(#pair.0)),
            F2iS | F2iU => self.kinds().of64(quote!(#pair.0), width),
            _ => self.result(pair, exact, width),
        }
    }

    /// The flags, or the float, of a pair of both.
    fn result(&self, pair: TokenStream, exact: &Exact, width: u32) -> TokenStream {
        if exact.raised {
            return quote!(#pair.1);
        }
        let to = format(exact.to);
        let value = if exact.flush_results { quote!(soft::flush(#to, #pair.0)) } else { quote!(#pair.0) };
        let value = if exact.saturate { quote!(#to.limited(#value)) } else { value };
        self.kinds().of64(value, width)
    }

    /// The rules of the machine with those of a call.
    fn rules(&self, exact: &Exact) -> TokenStream {
        let is_tiny = exact.flush_results && self.isa().machine.floats.unwrap_or_default().flush_tiny;
        let own = [
            (exact.flush_operands, quote!(flush_inputs)),
            (is_tiny, quote!(flush_results)),
            (exact.finite, quote!(finite_results)),
        ];
        let own: Vec<TokenStream> = own.into_iter().filter(|(is_set, _)| *is_set).map(|(_, name)| name).collect();
        if own.is_empty() { quote!(&FLOATS) } else { quote!(&soft::Rules { #(#own: true,)* ..FLOATS }) }
    }

    /// A sum of products; factors are elements of two values.
    fn dot(&mut self, args: &[Expr], exact: &Exact, rules: &TokenStream, round: &TokenStream) -> TokenStream {
        let (of, to) = (format(exact.of), format(exact.to));
        let codes: Vec<TokenStream> = args.iter().map(|a| self.expr(a)).collect();
        let [c, a, b] = &codes[..] else { unreachable!("an addend and two values of factors") };
        let element_width = lit(exact.of.width());
        let (products, block) = (lit(exact.sum.products), lit(exact.sum.block));
        let aligned = match exact.sum.aligned {
            None => quote!(None),
            Some(places) => {
                let places = lit(places);
                quote!(Some(#places))
            }
        };
        quote!({
            let (a, b) = (#a, #b);
            let element = |i: usize| {
                let at = i as u32 * #element_width;
                (a.shr(at).low64(), b.shr(at).low64())
            };
            let factors: [(u64, u64); #products] = ::core::array::from_fn(element);
            let sum = soft::Sum { block: #block, aligned: #aligned };
            soft::dot(#of, #to, #rules, #c.low64(), &factors, sum, #round)
        })
    }

    /// A direction of rounding.
    fn round(&mut self, e: &Expr) -> TokenStream {
        let ExprKind::Const(number) = &e.kind else {
            let code = self.expr(e);
            return quote!(soft::Round::from_number(#code).unwrap_or_default());
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
