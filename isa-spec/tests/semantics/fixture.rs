//! A small machine and forms on it, for tests; and typed trees as text.

use isa_spec::semantics::ast::{BinaryOp, UnaryOp};
use isa_spec::semantics::floats::{Direction, Format, MinKind, Round, Sum};
use isa_spec::semantics::int::Int;
use isa_spec::semantics::machine::{Flags, Machine, Sharing, Space, State, StateKind, Variant, View};
use isa_spec::semantics::typed::{Access, Expr, ExprKind, Place, PlaceKind, Register, Stmt, StmtKind};
use isa_spec::semantics::{Is, MeaningFault, Referent, Scope, elaborate, parse, parse_expr, parse_functions};
use isa_spec::span::Span;
use isa_spec::yaml::Text;
use std::sync::Arc;

/// A form and its machine.
pub(crate) struct Scene {
    machine: Machine,
    names: Vec<(String, Referent)>,
    picks: Vec<(&'static str, &'static [&'static str], &'static str)>,
    texts: Vec<(&'static str, &'static [&'static str])>,
}

impl Scene {
    /// Registers `R` and `A`, predicates `P`, flags `C`, memories, and nothing in the form.
    pub(crate) fn new() -> Self {
        let span = Span::default();
        let space = |name: &str, banks, read_only| {
            let name = name.to_owned();
            Space {
                name,
                address: 32,
                unit: 8,
                banks,
                size: None,
                read_only,
                program: false,
                coherent: false,
                unaligned: false,
                big_endian: false,
                owner: Sharing::Grid,
                regions: Vec::new(),
                windows: Vec::new(),
                elsewhere: None,
                summary: String::new(),
                span,
            }
        };
        let state = |name: &str, width, kind| State::new(name, width, kind, span);
        let variant = Variant {
            name: "fmad".into(),
            values: ["fused", "rounded", "truncated"].map(str::to_owned).to_vec(),
            summary: String::new(),
            span,
        };
        let machine = Machine {
            lanes: 32,
            spaces: vec![space("global", None, false), space("shared", None, false), space("const", Some(16), true)],
            flags: vec![
                Flags {
                    name: "C".into(),
                    count: 4,
                    flags: ["z", "s", "c", "o"].map(str::to_owned).to_vec(),
                    summary: String::new(),
                    span,
                },
                Flags { name: "CC".into(), count: 1, flags: vec!["x".into()], summary: String::new(), span },
            ],
            views: vec![View { name: "RH".into(), of: "R".into(), span }],
            state: vec![state("tid.x", 16, StateKind::Launch), state("mode", 2, StateKind::Written)],
            variants: vec![variant],
            ..Machine::default()
        };
        let file = |file, index, width| Referent::Registers { file, index, width };
        let names = [("R", file(0, 8, 32)), ("P", file(1, 3, 1)), ("A", file(2, 3, 16)), ("RH", file(3, 9, 16))];
        let names = names.map(|(n, f)| (n.to_owned(), f)).to_vec();
        Self { machine, names, picks: Vec::new(), texts: Vec::new() }
    }

    /// The same with a named value.
    pub(crate) fn state(mut self, name: &str, width: u32) -> Self {
        let span = self.machine.span;
        self.machine.state.push(State::new(name, width, StateKind::Written, span));
        self
    }

    /// The same with a list of directions of rounding.
    pub(crate) fn rounding(mut self, words: &[&str]) -> Self {
        let direction = |word: &&str| match Round::parse(word) {
            Some(round) => Direction::Known(round),
            None if *word == "illegal" => Direction::Illegal,
            None => Direction::Value((*word).to_owned(), self.machine.span),
        };
        self.machine.rounding = words.iter().map(direction).collect();
        self
    }

    /// The same with one lane.
    pub(crate) fn core(mut self) -> Self {
        self.machine.lanes = 1;
        self
    }

    pub(crate) fn functions(mut self, source: &str) -> Self {
        self.machine.functions = parse_functions(source).unwrap_or_else(|f| panic!("{f:?}"));
        self.machine.function_texts = vec![Text::new(source, self.machine.span)];
        self
    }

    fn with(mut self, name: &str, what: impl FnOnce(usize) -> Referent) -> Self {
        let index = self.names.len() - 4;
        self.names.push((name.to_owned(), what(index)));
        self
    }

    pub(crate) fn field(self, name: &str, width: u32) -> Self {
        self.with(name, |index| Referent::Field { index, width, signed: false, register: None, above: None })
    }

    pub(crate) fn signed(self, name: &str, width: u32) -> Self {
        self.with(name, |index| Referent::Field { index, width, signed: true, register: None, above: None })
    }

    /// A field that is the number of a register.
    pub(crate) fn reg(self, name: &str, file: &str) -> Self {
        let width = if file == "P" || file == "A" { 3 } else { 8 };
        self.with(name, |index| Referent::Field { index, width, signed: false, register: Some(file.to_owned()), above: None })
    }

    pub(crate) fn fixed(self, name: &str, width: u32, value: u128) -> Self {
        self.with(name, |_| Referent::Constant { value: Int::from(value), width, signed: false })
    }

    pub(crate) fn operand(self, name: &str, value: &str) -> Self {
        let value = Arc::new(parse_expr(value).unwrap_or_else(|f| panic!("{f:?}")));
        self.with(name, |_| Referent::Operand(value))
    }

    /// A slot, its alternatives, and the one that is picked.
    pub(crate) fn slot(mut self, slot: &'static str, alternatives: &'static [&'static str], pick: &'static str) -> Self {
        self.picks.push((slot, alternatives, pick));
        self
    }

    /// A field with texts, from 0 up.
    pub(crate) fn enumeration(mut self, name: &'static str, width: u32, texts: &'static [&'static str]) -> Self {
        self.texts.push((name, texts));
        self.field(name, width)
    }

    /// The body as text, one statement a line.
    pub(crate) fn typed(&self, source: &str) -> String {
        let body = parse(source).unwrap_or_else(|f| panic!("{source}: {f:?}"));
        let body =
            elaborate(&body, self).unwrap_or_else(|f| panic!("{source}: {}", faults(source, &f, &self.machine.function_texts)));
        block(&body.stmts, "\n")
    }

    /// Its faults, each as `characters: message (help)`; the characters of a function are followed by those of the calls: `x < f(a)`.
    pub(crate) fn faults(&self, source: &str) -> String {
        let body = parse(source).unwrap_or_else(|f| panic!("{source}: {f:?}"));
        faults(source, &isa_spec::semantics::check(&body, self), &self.machine.function_texts)
    }
}

fn faults(source: &str, list: &[MeaningFault], functions: &[Text]) -> String {
    let show = |f: &MeaningFault| {
        let help = f.help.as_ref().map_or(String::new(), |h| format!(" ({h})"));
        let inside = f.inside.iter().map(|place| &functions[place.text].value[place.range.clone()]);
        let mut places: Vec<_> = inside.chain([&source[f.range.clone()]]).collect();
        places.dedup();
        let places = places.join(" < ");
        format!("{places}: {}{help}", f.message)
    };
    list.iter().map(show).collect::<Vec<_>>().join("\n")
}

impl Scope for Scene {
    fn machine(&self) -> &Machine {
        &self.machine
    }
    fn name(&self, path: &str) -> Option<Referent> {
        self.names.iter().find(|n| n.0 == path).map(|n| n.1.clone())
    }
    fn is(&self, slot: &str, alternative: &str) -> Is {
        match self.picks.iter().find(|p| p.0 == slot) {
            None => Is::NoSlot,
            Some((_, all, _)) if !all.contains(&alternative) => Is::NoAlternative(all.iter().map(|a| (*a).to_owned()).collect()),
            Some((.., pick)) if *pick == alternative => Is::Yes,
            Some(_) => Is::No,
        }
    }
    fn texts(&self, path: &str) -> Option<Vec<(String, Int)>> {
        let (_, texts) = self.texts.iter().find(|t| t.0 == path)?;
        Some(texts.iter().enumerate().map(|(i, t)| ((*t).to_owned(), Int::from(i as u128))).collect())
    }
    fn names(&self) -> Vec<String> {
        self.names.iter().map(|n| n.0.clone()).collect()
    }
}

fn block(stmts: &[Stmt], between: &str) -> String {
    stmts.iter().map(stmt).collect::<Vec<_>>().join(between)
}

fn stmt(s: &Stmt) -> String {
    let braces = |b: &[Stmt]| format!("{{ {} }}", block(b, "; "));
    match &s.kind {
        StmtKind::Set(p, e) => format!("{} = {}", place(p), expr(e)),
        StmtKind::If { arms, otherwise } => {
            let arms: Vec<_> = arms.iter().map(|(c, b)| format!("if {} {}", expr(c), braces(b))).collect();
            let last = if otherwise.is_empty() { String::new() } else { format!(" else {}", braces(otherwise)) };
            format!("{}{last}", arms.join(" else "))
        }
        StmtKind::Match { on, arms, otherwise } => {
            let arms: Vec<_> = arms.iter().map(|(l, b)| format!("{} => {}", labels(l), braces(b))).collect();
            format!("match {} {{ {} else => {} }}", expr(on), arms.join(" "), braces(otherwise))
        }
        StmtKind::Store(a, e) => format!("store{} = {}", access(a), expr(e)),
        StmtKind::Atomic { at, old, new } => format!("v{old} = atomic{} = {}", access(at), expr(new)),
        StmtKind::Action(action, args) => format!("{action:?}({})", exprs(args)),
    }
}

fn labels(list: &[Int]) -> String {
    list.iter().map(Int::to_string).collect::<Vec<_>>().join(", ")
}

fn exprs(list: &[Expr]) -> String {
    list.iter().map(expr).collect::<Vec<_>>().join(", ")
}

fn access(a: &Access) -> String {
    let bank = a.bank.as_ref().map_or(String::new(), |b| format!("{}, ", expr(b)));
    format!("{}({bank}{})", a.space, expr(&a.address))
}

fn register(r: &Register) -> String {
    let plus = if r.plus == 0 { String::new() } else { format!("+{}", r.plus) };
    format!("r{}[{}{plus}]", r.file, expr(&r.index))
}

fn place(p: &Place) -> String {
    match &p.kind {
        PlaceKind::Var(v) => format!("v{v}"),
        PlaceKind::Register(r) => register(r),
        PlaceKind::Flags(f) => format!("flags{}[{}]", f.file, expr(&f.index)),
        PlaceKind::State(s) => format!("state{s}"),
        PlaceKind::Slice { of, lo } => format!("{}[{lo}+:{}]", place(of), p.width),
        PlaceKind::Part { of, at } => format!("{}[{}+:{}]", place(of), expr(at), p.width),
        PlaceKind::Concat(parts) => format!("({})", parts.iter().map(place).collect::<Vec<_>>().join(" ++ ")),
    }
}

pub(crate) fn expr(e: &Expr) -> String {
    match &e.kind {
        ExprKind::Const(v) => format!("{v}:{}", e.width),
        ExprKind::Var(v) => format!("v{v}"),
        ExprKind::Field(f) => format!("f{f}"),
        ExprKind::Condition(c) => format!("cond{c}"),
        ExprKind::Register(r) => register(r),
        ExprKind::Flags(f) => format!("flags{}[{}]", f.file, expr(&f.index)),
        ExprKind::State(s) => format!("state{s}"),
        ExprKind::Supplied(what) => supplied(*what),
        ExprKind::Variant(v) => format!("variant{v}"),
        ExprKind::Slice { of, lo } => format!("{}[{lo}+:{}]", expr(of), e.width),
        ExprKind::Part { of, at } => format!("{}[{}+:{}]", expr(of), expr(at), e.width),
        ExprKind::Concat(parts) => format!("({})", parts.iter().map(expr).collect::<Vec<_>>().join(" ++ ")),
        ExprKind::Unary(UnaryOp::Neg, of) => format!("-{}", expr(of)),
        ExprKind::Unary(UnaryOp::Not, of) => format!("~{}", expr(of)),
        ExprKind::Unary(UnaryOp::LogicNot, of) => format!("!{}", expr(of)),
        ExprKind::Binary(op, a, b) => format!("({} {} {})", expr(a), BinaryOp::text(*op), expr(b)),
        ExprKind::If { arms, otherwise } => {
            let arms: Vec<_> = arms.iter().map(|(c, v)| format!("if {} {{{}}} else ", expr(c), expr(v))).collect();
            format!("{}{{{}}}", arms.concat(), expr(otherwise))
        }
        ExprKind::Match { on, arms, otherwise } => {
            let arms: Vec<_> = arms.iter().map(|(l, v)| format!("{} => {}, ", labels(l), expr(v))).collect();
            format!("match {} {{{}else => {}}}", expr(on), arms.concat(), expr(otherwise))
        }
        ExprKind::Other { value, lane } => format!("from_lane({}, {})", expr(lane), expr(value)),
        ExprKind::Ballot(of) => format!("ballot({})", expr(of)),
        ExprKind::Load(a) => format!("load{}:{}", access(a), e.width),
        ExprKind::Call { function, args, exact: Some(exact), .. } => {
            let flags = [
                (exact.raised, "raised"),
                (exact.flush_operands, "ftz_in"),
                (exact.flush_results, "ftz_out"),
                (exact.saturate, "sat"),
                (exact.finite, "satfinite"),
                (exact.signalling, "signalling"),
            ];
            let mut words = vec![exprs(args)];
            words.extend(flags.into_iter().filter(|f| f.0).map(|f| f.1.to_owned()));
            words.extend((exact.kind != MinKind::Number).then(|| format!("{:?}", exact.kind)));
            let Sum { products, block, aligned } = exact.sum;
            words.extend((products > 0).then(|| format!("{products} by {block}")));
            words.extend(aligned.map(|places| format!("aligned {places}")));
            let named = |format: Format| match Format::of_width(format.width()) {
                Some(known) if known == format => String::new(),
                _ => format!(".{}", format.name()),
            };
            let to = if exact.to == exact.of { String::new() } else { named(exact.to) };
            format!("{function:?}{}:{}{to}({})", named(exact.of), exact.bits, words.join(", "))
        }
        ExprKind::Call { function, args, exact: None } => format!("{function:?}:{}({})", e.width, exprs(args)),
        ExprKind::Block(stmts, value) => format!("{{ {}; {} }}", block(stmts, "; "), expr(value)),
    }
}

fn supplied(what: isa_spec::semantics::builtins::Supplied) -> String {
    let row = isa_spec::semantics::builtins::SUPPLIED.iter().find(|row| row.1 == what);
    row.map_or_else(|| format!("{what:?}"), |row| row.0.to_owned())
}
