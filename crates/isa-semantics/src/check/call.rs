//! Calls: functions of the language, memory, variants, functions of the spec.

use super::asked::asked;
use super::float::named;
use super::names::Found;
use super::{Bind, Checker, Local, Val, bits, fold, list, meant};
use crate::scope::Referent;
use isa_model::semantics::ast::{Expr, ExprKind, Function, Ident, Width};
use isa_model::semantics::builtins::IntFunction as F;
use isa_model::semantics::builtins::{self, Action, BUILTINS, Builtin, SPECIAL, Signature};
use isa_model::semantics::machine::{MAX_ACCESS, Routine};
use isa_model::semantics::typed::{self, Access, ExprKind as Kind, PlaceKind, Stmt, StmtKind};
use std::ops::Range;

impl Checker<'_> {
    /// A call that has a value.
    pub(super) fn call(&mut self, name: &Ident, args: &[Expr], hint: Option<u32>, range: &Range<usize>) -> Option<Val> {
        let path = name.text.as_str();
        let made = match path.split_once('.') {
            Some(("load", space)) => self.load(space, name, args, range),
            Some(("store", _)) => {
                self.fault(range, "`store` is a statement and has no value");
                None
            }
            Some(("atomic", _)) => {
                self.fault_with(range, "`atomic` is a statement of its own", Some(format!("write `let old = {path}(…);` first")));
                None
            }
            Some(_) if let Some((builtin, format)) = named(path) => self.float(builtin, format, name, args, range),
            _ if path == "variant" => self.variant(args, range),
            _ if path == "from_lane" || path == "ballot" => self.of_lanes(path, args, range),
            _ if path == "register" => self.register_of(args, range),
            _ if path == "present" => self.present(args, range),
            _ if path == "raised" => self.raised(args, range),
            _ if let Some(builtin) = BUILTINS.iter().find(|b| b.name == path) => self.builtin(builtin, name, args, hint, range),
            _ if path == "ext" => self.extend_as_declared(name, args, range),
            _ if let Some(function) = self.scope.machine().functions.iter().find(|f| f.name.text == path) => {
                self.function_value(function, args, &format!("`{path}`"), range)
            }
            _ if Action::named(path).is_some() => {
                self.fault(range, format!("`{path}` is a statement and has no value"));
                None
            }
            _ => {
                self.no_function(name);
                None
            }
        };
        made.map(Val::Typed)
    }

    /// The value of a function of the specification, in the middle of an expression: it sets variables of its own, and no more. `what`
    /// is the function, for messages.
    pub(super) fn function_value(
        &mut self,
        function: &Function,
        args: &[Expr],
        what: &str,
        range: &Range<usize>,
    ) -> Option<typed::Expr> {
        let name = &function.name.text;
        let (stmts, value) = self.expand(function, args, range)?;
        let Some(value) = value else {
            self.fault(range, format!("`{name}` returns nothing"));
            return None;
        };
        if !stmts.iter().all(is_pure) {
            let say = format!("{what} is used within an expression, and does more than set variables of its own");
            self.fault_with(range, say, Some("`let x = …;` with nothing else in it does that first"));
        }
        Some(self.block(stmts, value, range))
    }

    /// A value after statements that set variables.
    pub(super) fn block(&self, stmts: Vec<Stmt>, value: typed::Expr, range: &Range<usize>) -> typed::Expr {
        if stmts.is_empty() {
            return value;
        }
        let width = value.width;
        self.make(Kind::Block(stmts, Box::new(value)), width, range)
    }

    pub(super) fn no_function(&mut self, name: &Ident) {
        let machine = self.scope.machine();
        let mut known: Vec<String> = BUILTINS.iter().map(|b| b.name.to_owned()).collect();
        known.extend(Action::ALL.iter().map(|action| action.name().to_owned()).filter(|name| !name.is_empty()));
        known.extend(SPECIAL.map(str::to_owned));
        known.extend(machine.functions.iter().map(|f| f.name.text.clone()));
        let spaces = machine.spaces.iter().map(|s| &s.name);
        known.extend(spaces.flat_map(|s| [format!("load.{s}"), format!("store.{s}"), format!("atomic.{s}")]));
        self.fault_with(&name.range, format!("there is no function `{}`", name.text), meant(&name.text, &known));
    }

    /// Checks that there are `n` arguments.
    pub(super) fn count(&mut self, args: &[Expr], n: usize, usage: &str, range: &Range<usize>) -> Option<()> {
        if args.len() == n {
            return Some(());
        }
        let arguments = if n == 1 { "1 argument".into() } else { format!("{n} arguments") };
        self.fault(range, format!("`{usage}` takes {arguments}, this has {}", args.len()));
        None
    }

    /// `variant(fmad)`: the number of the value that is chosen, with which its names are compared.
    fn variant(&mut self, args: &[Expr], range: &Range<usize>) -> Option<typed::Expr> {
        self.count(args, 1, "variant(name)", range)?;
        let ExprKind::Name { path, .. } = &args[0].kind else {
            self.fault(&args[0].range, "`variant` takes the name of a variant");
            return None;
        };
        let variants = &self.scope.machine().variants;
        if let Some(index) = variants.iter().position(|v| v.name == *path) {
            return Some(self.make(Kind::Variant(index), 8, range));
        }
        let known: Vec<String> = variants.iter().map(|v| v.name.clone()).collect();
        self.fault_with(&args[0].range, format!("there is no variant `{path}`"), meant(path, &known));
        None
    }

    /// `register(x)`: the register that a field names, of the file that the field has in this form.
    fn register_of(&mut self, args: &[Expr], range: &Range<usize>) -> Option<typed::Expr> {
        self.count(args, 1, "register(field)", range)?;
        let field = match &args[0].kind {
            ExprKind::Name { path, .. } => match self.find(path) {
                Found::Form(Referent::Field { register: Some(file), .. }, _) => self.scope.name(&file),
                _ => None,
            },
            _ => None,
        };
        let Some(Referent::Registers { file, width, .. }) = field else {
            self.fault_with(&args[0].range, "`register` takes a field that is the number of a register", None::<String>);
            return None;
        };
        let index = Box::new(self.typed(&args[0], None)?);
        Some(self.make(Kind::Register(typed::Register { file, index, plus: 0 }), width, range))
    }

    /// `present(x)`: whether the form has the name.
    fn present(&mut self, args: &[Expr], range: &Range<usize>) -> Option<typed::Expr> {
        self.count(args, 1, "present(name)", range)?;
        let ExprKind::Name { path, .. } = &args[0].kind else {
            self.fault(&args[0].range, "`present` takes a name");
            return None;
        };
        let found = !matches!(self.find(path), Found::Missing);
        Some(self.bit(found, range))
    }

    /// `ext(field, n)`: with zeros or the sign, as the field is declared.
    fn extend_as_declared(&mut self, name: &Ident, args: &[Expr], range: &Range<usize>) -> Option<typed::Expr> {
        self.count(args, 2, "ext(field, n)", range)?;
        let function = match &args[0].kind {
            ExprKind::Name { path, .. } => match self.find(path) {
                Found::Form(Referent::Field { signed, .. } | Referent::Constant { signed, .. }, _) => {
                    Some(builtins::Function::Int(if signed { F::Sext } else { F::Zext }))
                }
                _ => None,
            },
            _ => None,
        };
        let Some(function) = function else {
            self.fault_with(&args[0].range, "`ext` takes a field", Some("`zext` and `sext` take any value"));
            return None;
        };
        let builtin = BUILTINS.iter().find(|b| b.function == function)?;
        self.builtin(builtin, name, args, None, range)
    }

    fn builtin(
        &mut self,
        builtin: &Builtin,
        path: &Ident,
        args: &[Expr],
        hint: Option<u32>,
        range: &Range<usize>,
    ) -> Option<typed::Expr> {
        let (name, usage) = (builtin.name, builtin.usage);
        let make = |checker: &Self, args: Vec<typed::Expr>, width: u32| {
            checker.make(Kind::Call { function: builtin.function, args, exact: None }, width, range)
        };
        match builtin.signature {
            Signature::Widen | Signature::Narrow | Signature::Resize | Signature::Fill => {
                self.count(args, 2, usage, range)?;
                let n = self.size(&args[1]);
                let x = match builtin.signature {
                    Signature::Fill => self.sized(&args[0], 1, "the bit")?,
                    // A number, such as a name that is absent, is as wide as it is wanted.
                    _ => self.typed(&args[0], n)?,
                };
                let n = n?;
                if builtin.signature == Signature::Widen && n < x.width || builtin.signature == Signature::Narrow && n > x.width {
                    let (can, other) = if n < x.width { ("narrow", "trunc") } else { ("widen", "zext") };
                    let say = format!("`{name}` can't {can} {} to {n}", bits(x.width));
                    self.fault_with(range, say, Some(format!("`{other}` does")));
                    return None;
                }
                Some(match builtin.function {
                    builtins::Function::Int(F::Zext | F::Sext | F::Trunc) if n == x.width => x,
                    builtins::Function::Int(F::Trunc) => fold::slice(x, 0, n, self.at(range)),
                    _ => make(self, vec![x], n),
                })
            }
            Signature::Unary | Signature::Test => {
                self.count(args, 1, usage, range)?;
                let x = self.typed(&args[0], if builtin.signature == Signature::Unary { hint } else { None })?;
                let width = if builtin.signature == Signature::Unary { x.width } else { 1 };
                Some(make(self, vec![x], width))
            }
            Signature::Binary | Signature::Compare => {
                self.count(args, 2, usage, range)?;
                let hint = if builtin.signature == Signature::Binary { hint } else { None };
                let (first, second) = if self.is_bare(&args[0]) { (&args[1], &args[0]) } else { (&args[0], &args[1]) };
                let a = self.typed(first, hint)?;
                let b = self.sized(second, a.width, &format!("the other argument of `{name}`"))?;
                let width = if builtin.signature == Signature::Binary { a.width } else { 3 };
                Some(make(self, if self.is_bare(&args[0]) { vec![b, a] } else { vec![a, b] }, width))
            }
            Signature::Float { .. } => self.float(builtin, None, path, args, range),
        }
    }

    /// The place in memory that the first arguments name, and the other arguments; a further one can be `aligned`.
    fn access<'e>(
        &mut self,
        space: &str,
        name: &Ident,
        args: &'e [Expr],
        others: usize,
        usage: &str,
        range: &Range<usize>,
    ) -> Option<(Access, &'e [Expr])> {
        let spaces = &self.scope.machine().spaces;
        let Some(index) = spaces.iter().position(|s| s.name == space) else {
            let known: Vec<String> = spaces.iter().map(|s| s.name.clone()).collect();
            let help = meant(space, &known).unwrap_or_else(|| match known.len() {
                0 => "the machine declares none".to_owned(),
                _ => format!("there are {}", list(known.iter().map(String::as_str))),
            });
            let place = name.range.end - space.len()..name.range.end;
            self.fault_with(&place, format!("there is no memory space `{space}`"), Some(help));
            return None;
        };
        let (banked, width) = (spaces[index].banks, spaces[index].address);
        let (first, form) = if banked.is_some() { (2, "bank, address") } else { (1, "address") };
        let is_aligned = |e: &Expr| matches!(&e.kind, ExprKind::Name { path, .. } if path == "aligned");
        // The operation of `atomic` is its last argument: such an access is always aligned.
        let (args, aligned) = match args {
            [args @ .., last] if others == 1 && args.len() == first + others && is_aligned(last) => (args, true),
            _ => (args, false),
        };
        self.count(args, first + others, &format!("{}({form}, {usage})", name.text), range)?;
        let bank = match banked {
            None => None,
            Some(count) => Some(self.bank(&args[0], count)?),
        };
        let address = self.sized(&args[first - 1], width, &format!("an address of `{space}`"));
        Some((Access { space: index, bank: bank.map(Box::new), address: Box::new(address?), aligned }, &args[first..]))
    }

    fn bank(&mut self, e: &Expr, count: u32) -> Option<typed::Expr> {
        match self.expr(e, None)? {
            Val::Typed(bank) => Some(bank),
            Val::Number(n) if (0..i128::from(count)).contains(&n) => self.number_of(n, Some(32), &e.range),
            Val::Number(n) => {
                self.fault(&e.range, format!("there is no bank {n}: there are {count}"));
                None
            }
        }
    }

    /// Checks that an access may be so wide.
    fn fits(&mut self, space: usize, width: u32, range: &Range<usize>) -> Option<()> {
        let space = &self.scope.machine().spaces[space];
        let units = width / space.unit.max(1);
        if width.is_multiple_of(space.unit.max(1)) && units.is_power_of_two() && width <= MAX_ACCESS {
            return Some(());
        }
        let say = format!(
            "`{}` is accessed in {}, or 2, 4, 8, … times as many up to {MAX_ACCESS}, not in {width}",
            space.name,
            bits(space.unit)
        );
        self.fault(range, say);
        None
    }

    fn load(&mut self, space: &str, name: &Ident, args: &[Expr], range: &Range<usize>) -> Option<typed::Expr> {
        let (access, rest) = self.access(space, name, args, 1, "bits", range)?;
        let width = self.size(&rest[0])?;
        self.fits(access.space, width, &rest[0].range)?;
        Some(self.make(Kind::Load(access), width, range))
    }

    fn writable(&mut self, access: &Access, name: &Ident) -> Option<()> {
        let space = &self.scope.machine().spaces[access.space];
        // Memory that instructions only read is written before they run.
        if !space.read_only || self.scope.routine() == Some(Routine::Launch) {
            return Some(());
        }
        let say = format!("`{}` can only be read", space.name);
        self.fault(&name.range, say);
        None
    }

    /// `store.shared(a, x)`
    pub(super) fn store(&mut self, space: &str, name: &Ident, args: &[Expr], range: &Range<usize>) -> Option<Stmt> {
        let (access, rest) = self.access(space, name, args, 1, "value", range)?;
        self.writable(&access, name)?;
        let value = self.typed(&rest[0], None)?;
        self.fits(access.space, value.width, &rest[0].range)?;
        Some(Stmt { kind: StmtKind::Store(access, value), range: self.at(range) })
    }

    /// `atomic.shared(a, 32, old => old + x)`; gives the variable that takes what was there, too.
    pub(super) fn atomic(&mut self, space: &str, name: &Ident, args: &[Expr], range: &Range<usize>) -> Option<(Stmt, usize)> {
        let (access, rest) = self.access(space, name, args, 2, "bits, old => new", range)?;
        self.writable(&access, name)?;
        let width = self.size(&rest[0])?;
        self.fits(access.space, width, &rest[0].range)?;
        let ExprKind::Change { old, new } = &rest[1].kind else {
            let help = Some("`old => old + x` adds, `old => x` exchanges");
            self.fault_with(&rest[1].range, "the last argument of `atomic` is what memory takes, made of what was there", help);
            return None;
        };
        self.free(old)?;
        let var = self.vars.len();
        self.vars.push(width);
        self.locals.push(Local { name: old.text.clone(), bind: Bind::Var(var) });
        let made = self.sized(new, width, "what memory takes");
        self.locals.pop();
        let new = made?;
        if let Some(inlined) = reads_memory(&new) {
            // Its place in the source is known, that in a function is not.
            let range = if self.function.is_some() { &rest[1].range } else { &inlined };
            let say = "what memory takes can't read memory: nothing comes between an atomic access and itself";
            self.fault_with(range, say, Some("read what is needed first, with `let`"));
            return None;
        }
        Some((Stmt { kind: StmtKind::Atomic { at: access, old: var, new }, range: self.at(range) }, var))
    }

    /// The body of a function of the spec, its parameters set to the arguments, and its value.
    pub(super) fn expand(
        &mut self,
        function: &Function,
        args: &[Expr],
        range: &Range<usize>,
    ) -> Option<(Vec<Stmt>, Option<typed::Expr>)> {
        let name = &function.name.text;
        let usage = format!("{name}({})", function.params.iter().map(|p| p.0.text.as_str()).collect::<Vec<_>>().join(", "));
        self.count(args, function.params.len(), &usage, range)?;
        let mut values = Vec::new();
        // Names of widths, and what they are in this call.
        let mut sizes: Vec<(&str, u32)> = Vec::new();
        let known = |sizes: &[(&str, u32)], width: &Width| match width {
            Width::Bits(bits) => Some(*bits),
            Width::Named(name) => sizes.iter().find(|size| size.0 == name.text).map(|size| size.1),
        };
        for (arg, (param, width)) in args.iter().zip(&function.params) {
            let value = match known(&sizes, width) {
                Some(bits) => self.sized(arg, bits, &format!("`{}` of `{name}`", param.text)),
                None => self.typed(arg, None),
            };
            if let (Width::Named(name), Some(value)) = (width, &value) {
                sizes.push((&name.text, value.width));
            }
            values.push(value);
        }
        let values: Option<Vec<_>> = values.into_iter().collect();
        let values = values?;
        self.function(range, function, |checker| {
            for (name, bits) in &sizes {
                checker.locals.push(Local { name: (*name).to_owned(), bind: Bind::Number((*bits).into()) });
            }
            let asked = std::mem::replace(&mut checker.asked, asked(&function.body, function.value.as_ref()));
            let mut stmts = Vec::new();
            for (value, (param, _)) in values.into_iter().zip(&function.params) {
                let (var, width) = (checker.vars.len(), value.width);
                checker.vars.push(width);
                checker.define_as(var, &value);
                checker.locals.push(Local { name: param.text.clone(), bind: Bind::Var(var) });
                let at = checker.at(range);
                let place = typed::Place { kind: PlaceKind::Var(var), width, range: at.clone() };
                stmts.push(Stmt { kind: StmtKind::Set(place, value), range: at });
            }
            stmts.extend(checker.stmts_here(&function.body));
            let value = match (&function.value, &function.width) {
                (Some(value), Some(width)) => match (known(&sizes, width), width) {
                    (None, Width::Named(size)) => {
                        checker.fault(&size.range, format!("no parameter of `{name}` is as wide as `{}`", size.text));
                        None
                    }
                    (bits, _) => bits.and_then(|bits| checker.sized(value, bits, "what is returned")),
                },
                _ => None,
            };
            checker.asked = asked;
            if value.is_none() && function.value.is_some() {
                return None;
            }
            Some((stmts, value))
        })
    }
}

/// The place where an expression reads memory.
fn reads_memory(e: &typed::Expr) -> Option<Range<usize>> {
    fn inside(stmt: &Stmt) -> Option<Range<usize>> {
        stmt.exprs().into_iter().find_map(reads_memory).or_else(|| stmt.nested().into_iter().find_map(inside))
    }
    match &e.kind {
        Kind::Load(_) => Some(e.range.clone()),
        Kind::Block(stmts, value) => stmts.iter().find_map(inside).or_else(|| reads_memory(value)),
        _ => e.children().into_iter().find_map(reads_memory),
    }
}

/// True if a statement only sets variables.
pub(super) fn is_pure(stmt: &Stmt) -> bool {
    match &stmt.kind {
        StmtKind::Set(place, _) => sets_variable(place),
        StmtKind::If { .. } | StmtKind::Match { .. } => stmt.nested().into_iter().all(is_pure),
        StmtKind::Store(..) | StmtKind::Atomic { .. } | StmtKind::Action(..) => false,
    }
}

fn sets_variable(place: &typed::Place) -> bool {
    match &place.kind {
        PlaceKind::Var(_) => true,
        PlaceKind::Register(_) | PlaceKind::Flags(_) | PlaceKind::State(_) => false,
        PlaceKind::Slice { of, .. } | PlaceKind::Part { of, .. } => sets_variable(of),
        PlaceKind::Concat(parts) => parts.iter().all(sets_variable),
    }
}
