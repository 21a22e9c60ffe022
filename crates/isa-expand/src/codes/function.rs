//! A function of some bits that a specification declares.

use crate::context::Context;
use isa_model::diag::Diagnostic;
use isa_model::model::Raw;
use isa_model::semantics::typed::{Body, Expr, PlaceKind, Stmt, StmtKind};
use isa_model::semantics::{self, Ident, Int, Machine, MeaningFault, Width};
use isa_model::span::{Span, Text};
use isa_semantics::affine::{self, Sum};
use isa_semantics::pure::{Impure, Pure};
use isa_semantics::{Is, Referent, Scope, elaborate};
use isa_syntax::lang::semantics::parse_functions;

/// Operations that may be executed to compute all numbers of a code.
const MAX_OPERATIONS: usize = 1 << 26;

/// A function of some bits.
pub(super) struct Function<'t> {
    text: &'t Text,
    /// The place of its name.
    pub(super) name: Span,
    /// The place of its parameter.
    pub(super) param: Span,
    /// Bits of its parameter.
    pub(super) width: u32,
    /// Bits of its value.
    pub(super) result_width: u32,
    body: Body,
    /// The variable that is its value.
    result: usize,
}

impl<'t> Function<'t> {
    /// The last function of a text.
    pub(super) fn read(cx: &Context<'_, '_>, text: &'t Text) -> Option<Self> {
        let mut functions = parse_functions(&text.value).map_err(|faults| report(cx, text, &faults)).ok()?;
        let Some(function) = functions.pop() else {
            cx.error("semantics", "a code is a function: `fn number(x:4) : 8 { return … }`", text.span);
            return None;
        };
        let at = |ident: &Ident| text.at(ident.range.clone());
        let ([(param, Width::Bits(width))], Some(value)) = (function.params.as_slice(), function.value) else {
            let message = "a code is a function of one parameter, the number of whose bits is given, and it returns a number: `fn number(x:4) : 8 { return … }`";
            cx.error("semantics", message, at(&function.name));
            return None;
        };
        let Some(Width::Bits(result_width)) = function.width else {
            let message = format!(
                "this function returns a number, of as many bits as are behind a colon: `fn {}(…) : 8`",
                function.name.text
            );
            cx.error("width", message, at(&function.name));
            return None;
        };
        let (name, param_at, width) = (at(&function.name), at(param), *width);
        // The value is that of a variable that no text can name.
        let last_range = value.range.clone();
        let variable = Ident { text: "return".to_owned(), range: value.range.clone() };
        let last = semantics::StmtKind::Let { name: variable, width: Some(result_width), value };
        let last = semantics::Stmt { range: last_range, kind: last };
        let stmts = function.body.into_iter().chain([last]).collect::<Vec<_>>();
        let names = Names { machine: Machine { functions, ..Machine::default() }, param: param.text.clone(), width };
        let body = elaborate(&stmts, &names).map_err(|faults| report(cx, text, &faults)).ok()?;
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
        Some(Self { text, name, param: param_at, width, result_width, body, result })
    }

    /// The values for all bits.
    pub(super) fn all(&self, cx: &Context<'_, '_>) -> Result<Vec<u64>, ()> {
        if operations(&self.body.stmts) << self.width > MAX_OPERATIONS {
            let message = format!("all numbers of this code take more than {MAX_OPERATIONS} operations");
            cx.error("too-large", message, self.name);
            return Err(());
        }
        let mut pure = Pure::new(&self.body);
        let value = |bits: u128| pure.run(Int::from(bits), self.result).map(Int::low);
        let all = (0..1u128 << self.width).map(value).collect::<Result<_, _>>();
        all.map_err(|Impure(range)| self.impure(cx, range))
    }

    /// The bits of the value, each as a sum of bits of the parameter, if that is found easily.
    pub(super) fn found_sums(&self) -> Option<Vec<Sum>> {
        affine::run(&self.body, self.width, self.result).ok()
    }

    /// The bits of the value, each as a sum of bits of the parameter.
    pub(super) fn sums(&self, cx: &Context<'_, '_>) -> Option<Vec<Sum>> {
        if operations(&self.body.stmts) * self.width as usize > MAX_OPERATIONS {
            cx.error("too-large", format!("the numbers of this code take more than {MAX_OPERATIONS} operations"), self.name);
            return None;
        }
        let fault = match affine::run(&self.body, self.width, self.result) {
            Ok(sums) => return Some(sums),
            Err(fault) => fault,
        };
        match fault {
            affine::Fault::Impure(range) => self.impure(cx, range),
            affine::Fault::NoSum(range) => {
                let message = format!(
                    "a code of {} bits can't be turned round where this depends on more than exclusive-ors of its bits",
                    self.width
                );
                let help = "codes of more than 16 bits are made of `^ ~ ++`, slices, shifts and rotations by constants, `reverse`, `fill`, \
                            `parity`, and `& | + if` where they come to the same";
                cx.report(Diagnostic::error("entangled", message, self.text.at(range)).with_help(help));
            }
        }
        None
    }

    /// Checks that the function gives these bits for these numbers.
    pub(super) fn leads_back(&self, cx: &Context<'_, '_>, all: impl Iterator<Item = (Raw, Raw)>) -> Option<()> {
        let mut pure = Pure::new(&self.body);
        for (bits, number) in all {
            match pure.run(Int::from(number), self.result).map(Int::low_u128) {
                Ok(found) if found == bits => {}
                Ok(found) => {
                    let message = format!("`bits` gives {found:#x} for {number:#x}, which is the number of the bits {bits:#x}");
                    cx.error("value", message, self.name);
                    return None;
                }
                Err(Impure(range)) => {
                    self.impure(cx, range);
                    return None;
                }
            }
        }
        Some(())
    }

    fn impure(&self, cx: &Context<'_, '_>, range: std::ops::Range<usize>) {
        let message = "a code is computed from its bits alone, without state, floats or actions";
        cx.error("semantics", message, self.text.at(range));
    }
}

fn report(cx: &Context<'_, '_>, text: &Text, faults: &[MeaningFault]) {
    for fault in faults {
        cx.report(fault.diagnostic(|range| text.at(range), std::slice::from_ref(text)));
    }
}

/// The greatest number of operations that some statements execute, over all branches.
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
