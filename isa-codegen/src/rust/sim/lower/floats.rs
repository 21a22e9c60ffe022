//! Calls of functions of floats that are computed by the rules of the machine, to the last bit and flag.

use super::Lower;
use super::kinds::lit;
use crate::rust::sim::tree::{Uses, any, any_of, visit_stmts};
use isa_spec::model::Isa;
use isa_spec::semantics::builtins::{BUILTINS, FloatFunction, Function};
use isa_spec::semantics::floats::{Exact, Format, Rules};
use isa_spec::semantics::typed::{Expr, ExprKind, PlaceKind, Stmt, StmtKind};
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

/// The rules of the machine, as a constant.
pub(in super::super) fn rules(isa: &Isa) -> TokenStream {
    let floats = isa.machine.floats;
    let (nan, fraction, integer) = (variant(floats.nan), variant(floats.made_fraction), variant(floats.nan_integer));
    let Rules { made_sign, tiny_before, beyond_indefinite, invalid_product_quiet, flush_tiny, .. } = floats;
    quote! {
        const FLOATS: soft::Rules = soft::Rules {
            nan: soft::NanRule::#nan,
            made_sign: #made_sign,
            made_fraction: soft::Fraction::#fraction,
            tiny_before: #tiny_before,
            nan_integer: soft::NanInteger::#integer,
            beyond_indefinite: #beyond_indefinite,
            invalid_product_quiet: #invalid_product_quiet,
            flush_tiny: #flush_tiny,
            ..soft::Rules::NVIDIA
        };
    }
}

/// The name of a variant without fields.
fn variant(of: impl std::fmt::Debug) -> Ident {
    format_ident!("{}", format!("{of:?}"))
}

/// A format by the name of its constant.
fn format(format: Format) -> TokenStream {
    let name = format_ident!("{}", format.name().to_uppercase());
    quote!(soft::Format::#name)
}

/// The name of a function in specifications.
fn float_name(function: FloatFunction) -> Ident {
    let builtin = BUILTINS.iter().find(|b| b.function == Function::Float(function));
    format_ident!("{}", builtin.map_or("", |b| b.name))
}

impl Lower<'_> {
    /// A call, or the flags that it raises.
    pub(super) fn exact(&mut self, function: FloatFunction, args: &[Expr], exact: &Exact, e: &Expr) -> TokenStream {
        if let Some((_, name)) = self.raised.iter().find(|known| known.0 == e.kind) {
            return quote!(#name.1);
        }
        if exact.raised {
            let pair = self.pair(function, args, exact);
            return quote!(#pair.1);
        }
        if let Some(value) = self.plain(function, &args[0], exact, e.width) {
            return value;
        }
        if let Some(value) = self.approximated(function, &args[0], exact) {
            return value;
        }
        let known = self.near(function, args, exact);
        let result = known.unwrap_or_else(|| {
            let pair = self.pair(function, args, exact);
            quote!(#pair.0)
        });
        self.result(result, function, exact, e.width)
    }

    /// A function of bits alone.
    fn plain(&mut self, function: FloatFunction, x: &Expr, exact: &Exact, width: u32) -> Option<TokenStream> {
        use FloatFunction::*;
        if !matches!(function, Fneg | Fabs | Fsat | Fnan | Fclass) {
            return None;
        }
        let (f, x, name) = (format(exact.of), self.expr(x), float_name(function));
        let code = match function {
            Fneg | Fabs | Fsat if exact.of == Format::F32 => return Some(quote!(float::#name(#x))),
            Fnan if exact.of == Format::F32 => return Some(quote!(u32::from(float::fnan(#x)))),
            Fneg => quote!((#x.low64() ^ #f.sign())),
            Fabs => quote!((#x.low64() & !#f.sign())),
            Fsat => quote!(#f.limited(#x.low64())),
            Fclass => return Some(quote!(soft::classify(#f, #x.low64()))),
            _ => return Some(quote!(u32::from(#f.is_nan(#x.low64())))),
        };
        Some(self.kinds().of64(code, width))
    }

    /// A function that machines approximate, which raises nothing.
    fn approximated(&mut self, function: FloatFunction, x: &Expr, exact: &Exact) -> Option<TokenStream> {
        use FloatFunction::*;
        if !matches!(function, Rcp | Rsq | Sin | Cos | Ex2 | Lg2 | Sinpi | Cospi | Tanh) {
            return None;
        }
        let (f, x, name) = (format(exact.of), self.expr(x), float_name(function));
        let (flush, saturate) = (exact.flush_operands, exact.saturate);
        if flush == exact.flush_results {
            return Some(quote!(float::#name(#x, #flush, #saturate)));
        }
        let x = if flush { quote!(soft::flush(#f, #x.low64()) as u32) } else { x };
        Some(self.result(quote!(u64::from(float::#name(#x, false, #saturate))), function, exact, 32))
    }

    /// A statement that sets a variable to the result of a call whose flags are asked for afterwards: one call gives both. The statements
    /// of a value, unlike those of a body, stay together.
    pub(super) fn with_flags(&mut self, stmt: &Stmt, later: &[Stmt], end: Option<&Expr>) -> Option<TokenStream> {
        let StmtKind::Set(place, value) = &stmt.kind else { return None };
        let (PlaceKind::Var(v), ExprKind::Call { function: Function::Float(function), args, exact: Some(exact) }) =
            (&place.kind, &value.kind)
        else {
            return None;
        };
        if exact.raised || end.is_none() && !self.scope.lets.contains(v) {
            return None;
        }
        let raised = Some(Exact { raised: true, ..*exact });
        let flags = ExprKind::Call { function: Function::Float(*function), args: args.clone(), exact: raised };
        if !any_of(later, |kind| *kind == flags) && !end.is_some_and(|end| any(end, |kind| *kind == flags)) {
            return None;
        }
        // Arguments that are the same then, and a variable that lives as long.
        let changes = end.map(|end| {
            let mut uses = Uses::of_expr(self.scope.widths.len(), end);
            visit_stmts(later, &mut uses);
            uses.sets
        });
        let is_fixed = |e: &Expr| match e.kind {
            ExprKind::Const(_) | ExprKind::Field(_) => true,
            ExprKind::Var(a) => {
                self.scope.lets.contains(&a)
                    || self.scope.given.contains_key(&a)
                    || a != *v && changes.as_ref().is_some_and(|changes| changes[a] == 0)
            }
            _ => false,
        };
        if !args.iter().all(is_fixed) {
            return None;
        }
        let pair = self.pair(*function, args, exact);
        let name = format_ident!("both{v}");
        let result = self.result(quote!(#name.0), *function, exact, value.width);
        let assigned = self.assign(place, result);
        self.raised.push((flags, name.clone()));
        Some(quote!(let #name = #pair; #assigned))
    }

    /// The result of a call that always rounds to the nearest and whose flags are not asked for, if the host has the function.
    fn near(&mut self, function: FloatFunction, args: &[Expr], exact: &Exact) -> Option<TokenStream> {
        use FloatFunction::*;
        let (round, args) = args.split_last()?;
        let is_nearest = matches!(&round.kind, ExprKind::Const(number) if !matches!(number.low(), 1..=4));
        let name = match function {
            Fadd => "add",
            Fsub => "sub",
            Fmul => "mul",
            Fdiv => "div",
            Fsqrt => "sqrt",
            Ffma => "fma",
            F2f => "convert",
            _ => return None,
        };
        if !is_nearest {
            return None;
        }
        let (name, rules) = (format_ident!("{name}"), self.rules(exact));
        let (from, to) = (format(exact.of), format(exact.to));
        let formats = if function == F2f { quote!(#from, #to) } else { from };
        let codes = self.arguments_of(args);
        Some(quote!(soft::near::#name(#formats, #rules, #(#codes),*)))
    }

    fn arguments_of(&mut self, args: &[Expr]) -> Vec<TokenStream> {
        args.iter().map(|a| self.expr(a)).map(|code| quote!(#code.low64())).collect()
    }

    /// The call that gives the result and the flags.
    fn pair(&mut self, function: FloatFunction, args: &[Expr], exact: &Exact) -> TokenStream {
        use FloatFunction::*;
        let (from, to) = (format(exact.of), format(exact.to));
        let (of, bits) = (lit(args[0].width), lit(exact.bits));
        let rules = self.rules(exact);
        let rounds = !matches!(function, Fmin | Fmax | Fcmp | H2f);
        let (args, round) = args.split_at(args.len() - usize::from(rounds));
        let round = round.first().map_or_else(|| quote!(soft::Round::Nearest), |round| self.round(round));
        if function == Fdot {
            return self.dot(args, exact, &rules, &round);
        }
        let codes = self.arguments_of(args);
        let x = &codes[0];
        match function {
            Fadd => quote!(soft::add(#from, #rules, #(#codes,)* #round)),
            Fsub => quote!(soft::sub(#from, #rules, #(#codes,)* #round)),
            Fmul => quote!(soft::mul(#from, #rules, #(#codes,)* #round)),
            Fdiv => quote!(soft::div(#from, #rules, #(#codes,)* #round)),
            Ffma => quote!(soft::fma(#from, #rules, #(#codes,)* #round)),
            Fsqrt => quote!(soft::sqrt(#from, #rules, #x, #round)),
            Fround => quote!(soft::round_to_integer(#from, #rules, #x, #round)),
            Fmin | Fmax => {
                let kind = variant(exact.kind);
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
            F2f | F2h | H2f => quote!(soft::convert(#from, #to, #rules, #x, #round)),
            Fdot => unreachable!("a sum has arguments of its own"),
            Fneg | Fabs | Fsat | Fnan | Fclass => unreachable!("functions of bits raise nothing"),
            Rcp | Rsq | Sin | Cos | Ex2 | Lg2 | Sinpi | Cospi | Tanh => unreachable!("approximations raise nothing"),
        }
    }

    /// The value that a call's result has in the specification.
    fn result(&self, result: TokenStream, function: FloatFunction, exact: &Exact, width: u32) -> TokenStream {
        use FloatFunction::*;
        match function {
            Fcmp => return result,
            F2iS | F2iU if exact.bits > 64 => {
                let kind = self.kinds().kind(width);
                return quote!(#kind::of_limbs(#result));
            }
            F2iS | F2iU => return self.kinds().of64(result, width),
            _ => {}
        }
        let to = format(exact.to);
        let value = if exact.flush_results { quote!(soft::flush(#to, #result)) } else { result };
        let value = if exact.saturate { quote!(#to.limited(#value)) } else { value };
        self.kinds().of64(value, width)
    }

    /// The rules of the machine with those of a call.
    fn rules(&self, exact: &Exact) -> TokenStream {
        let is_tiny = exact.flush_results && self.isa().machine.floats.flush_tiny;
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
            let mut factors = [(0, 0); #products];
            for (i, pair) in factors.iter_mut().enumerate() {
                let at = i as u32 * #element_width;
                *pair = (a.shr(at).low64(), b.shr(at).low64());
            }
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
