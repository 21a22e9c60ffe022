//! Codes: the numbers of all bits, computed by the functions of the specification.

use super::context::Context;
use crate::diag::Diagnostic;
use crate::model::NumberCode;
use crate::read::CodeDecl;
use crate::semantics::pure::{Impure, Pure};
use crate::semantics::typed::{Body, Expr, PlaceKind, Stmt, StmtKind};
use crate::semantics::{self, Ident, Int, Is, Machine, MeaningFault, Referent, Scope, Width};
use crate::yaml::Text;
use isa_runtime::value::Map;
use std::sync::Arc;

/// Bits of a code, of which all values are computed.
const MAX_BITS: u32 = 16;

/// Bits of the numbers of a code.
const MAX_NUMBER: u32 = 64;

/// So many operations may be executed to compute all numbers of a code.
const MAX_OPERATIONS: usize = 1 << 26;

/// The codes of a specification.
pub(super) fn codes(cx: &Context<'_, '_>) -> Vec<NumberCode> {
    cx.spec.codes.iter().filter_map(|decl| code(cx, decl)).collect()
}

fn code(cx: &Context<'_, '_>, decl: &CodeDecl) -> Option<NumberCode> {
    let text = decl.number.as_ref()?;
    let number = Function::read(cx, text, MAX_NUMBER);
    let defined = decl.defined.as_ref().map(|text| Function::read(cx, text, 1));
    let (number, defined) = match defined {
        Some(defined) => (number?, Some(defined?)),
        None => (number?, None),
    };
    if let Some((defined, text)) = defined.as_ref().zip(decl.defined.as_ref()).filter(|(d, _)| d.width != number.width) {
        let message = format!("`number` is of {} bits, and `defined` of {}", number.width, defined.width);
        cx.error("width", message, text.span);
        return None;
    }
    let is_defined = defined.as_ref().map(|defined| defined.all(cx)).transpose().ok()?;
    let numbers = number.all(cx).ok()?;
    let is_there = |bits: &usize| is_defined.as_ref().is_none_or(|defined| defined[*bits] == 1);
    let listed = (0..numbers.len()).filter(is_there).map(|bits| (bits as u16, numbers[bits]));
    let takes_greatest = decl.several.is_some_and(|(greatest, _)| greatest);
    let map = Map::new(listed, takes_greatest).of_width(number.result_width);
    if map.numbers().is_empty() {
        cx.error("empty", format!("no bits have a number by `{}`", decl.name.value), decl.name.span);
        return None;
    }
    if decl.several.is_none()
        && let Some([one, other]) = twins(&map)
    {
        let number = map.number(one.into()).unwrap_or_default();
        let message = format!("the bits {one:#x} and {other:#x} have one number, {number:#x}, so it can't be read back");
        let help = "if this is intended, state which bits are assembled: `several: least`, or `several: greatest`";
        cx.report(Diagnostic::error("ambiguous-text", message, decl.name.span).with_help(help));
    }
    Some(NumberCode {
        name: decl.name.value.clone(),
        width: number.width,
        map: Arc::new(map),
        source: [Some(text), decl.defined.as_ref()]
            .into_iter()
            .flatten()
            .map(|text| text.value.trim())
            .collect::<Vec<_>>()
            .join("\n"),
        summary: decl.summary.clone(),
        doc: cx.doc(decl.doc.as_ref()),
        span: decl.name.span,
    })
}

/// Two bits that have one number.
fn twins(map: &Map) -> Option<[u16; 2]> {
    let pair = |number: u64| {
        let mut bits = map.bits(number);
        Some([bits.next()?, bits.next()?])
    };
    map.numbers().iter().find_map(|(_, number)| pair(*number))
}

/// A function of some bits.
struct Function<'t> {
    text: &'t Text,
    width: u32,
    /// Bits of its value.
    result_width: u32,
    body: Body,
    /// The variable that is its value.
    result: usize,
}

impl<'t> Function<'t> {
    /// The last function of a text.
    fn read(cx: &Context<'_, '_>, text: &'t Text, most: u32) -> Option<Self> {
        let mut functions = semantics::parse_functions(&text.value).map_err(|faults| report(cx, text, &faults)).ok()?;
        let Some(function) = functions.pop() else {
            cx.error("semantics", "a code is a function: `fn number(x:4) : 8 { return … }`", text.span);
            return None;
        };
        let at = |ident: &Ident| text.at(ident.range.clone());
        let ([(param, Width::Bits(width))], Some(value)) = (function.params.as_slice(), function.value) else {
            let message = "a code is a function of one parameter of so many bits, which returns a number: `fn number(x:4) : 8 { return … }`";
            cx.error("semantics", message, at(&function.name));
            return None;
        };
        if *width > MAX_BITS {
            cx.error(
                "width",
                format!("a code is of at most {MAX_BITS} bits, not {width}: all its numbers are computed"),
                at(param),
            );
            return None;
        }
        let number = match function.width {
            Some(Width::Bits(bits)) if bits <= most => bits,
            _ => {
                let bits = if most == 1 { "one bit".to_string() } else { format!("1 to {most} bits") };
                cx.error(
                    "width",
                    format!("this function returns a number of {bits}: `fn {}(…) : {most}`", function.name.text),
                    at(&function.name),
                );
                return None;
            }
        };
        // The value is that of a variable that no text can name.
        let name = Ident { text: "return".to_owned(), range: value.range.clone() };
        let last =
            semantics::Stmt { range: value.range.clone(), kind: semantics::StmtKind::Let { name, width: Some(number), value } };
        let stmts = function.body.into_iter().chain([last]).collect::<Vec<_>>();
        let names = Names { machine: Machine { functions, ..Machine::default() }, param: param.text.clone(), width: *width };
        let body = semantics::elaborate(&stmts, &names).map_err(|faults| report(cx, text, &faults)).ok()?;
        let result = body.stmts.last().and_then(|stmt| match &stmt.kind {
            StmtKind::Set(place, _) => {
                if let PlaceKind::Var(var) = place.kind {
                    Some(var)
                } else {
                    None
                }
            }
            _ => None,
        })?;
        if operations(&body.stmts) << width > MAX_OPERATIONS {
            let message = format!("all numbers of this code take more than {MAX_OPERATIONS} operations");
            cx.error("too-large", message, at(&function.name));
            return None;
        }
        Some(Self { text, width: *width, result_width: number, body, result })
    }

    /// The values for all bits.
    fn all(&self, cx: &Context<'_, '_>) -> Result<Vec<u64>, ()> {
        let mut pure = Pure::new(&self.body);
        let value = |bits: u128| pure.run(Int::from(bits), self.result).map(Int::low);
        let all = (0..1u128 << self.width).map(value).collect::<Result<_, _>>();
        all.map_err(|Impure(range)| {
            cx.error(
                "semantics",
                "a code is computed from its bits alone, without state, floats or actions",
                self.text.at(range),
            );
        })
    }
}

fn report(cx: &Context<'_, '_>, text: &Text, faults: &[MeaningFault]) {
    for fault in faults {
        let diagnostic = Diagnostic::error("semantics", fault.message.clone(), text.at(fault.range.clone()));
        cx.report(match &fault.help {
            Some(help) => diagnostic.with_help(help.clone()),
            None => diagnostic,
        });
    }
}

/// How many operations some statements have at most, whichever way they go.
fn operations(stmts: &[Stmt]) -> usize {
    let each = |stmt: &Stmt| {
        let own = match &stmt.kind {
            StmtKind::Set(_, value) => of_expr(value),
            StmtKind::If { arms, .. } => arms.iter().map(|(condition, _)| of_expr(condition)).sum(),
            StmtKind::Match { on, .. } => of_expr(on),
            _ => 0,
        };
        1 + own + stmt.nested().into_iter().map(|stmt| operations(std::slice::from_ref(stmt))).sum::<usize>()
    };
    stmts.iter().map(each).sum()
}

fn of_expr(expr: &Expr) -> usize {
    let inner = match &expr.kind {
        semantics::typed::ExprKind::Block(stmts, _) => operations(stmts),
        _ => 0,
    };
    1 + inner + expr.children().into_iter().map(of_expr).sum::<usize>()
}

/// The names in the functions of a code: the parameter.
struct Names {
    machine: Machine,
    param: String,
    width: u32,
}

impl Scope for Names {
    fn machine(&self) -> &Machine {
        &self.machine
    }

    fn name(&self, path: &str) -> Option<Referent> {
        let bits = Referent::Field { index: 0, width: self.width, signed: false, register: None, above: None };
        (path == self.param).then_some(bits)
    }

    fn is(&self, _: &str, _: &str) -> Is {
        Is::NoSlot
    }

    fn texts(&self, _: &str) -> Option<Vec<(String, Int)>> {
        None
    }

    fn names(&self) -> Vec<String> {
        vec![self.param.clone()]
    }
}
