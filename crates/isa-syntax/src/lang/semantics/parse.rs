//! Source text to tree.

use super::grammar::{Grammar, Rule};
use super::messages::syntax_fault;
use super::precedence;
use isa_model::semantics::MeaningFault;
use isa_model::semantics::ast::{BinaryOp, Expr, ExprKind, Function, Ident, Stmt, StmtKind, UnaryOp, Width};
use isa_model::semantics::int::{Int, MAX_WIDTH};
use pest::Parser;
use pest::iterators::{Pair, Pairs};
use std::ops::Range;

/// The greatest nesting depth of brackets: source and tree are walked recursively, and no source may exhaust the stack.
pub const MAX_DEPTH: usize = 100;
/// The greatest depth of the tree of an expression.
const MAX_TREE: usize = 150;

/// Reads a body: what an instruction does.
pub fn parse(source: &str) -> Result<Vec<Stmt>, Vec<MeaningFault>> {
    let mut builder = Builder::default();
    let body = builder.stmts(&mut tokens(Rule::body, source)?);
    builder.finish(body)
}

/// Reads one expression: the value of an operand.
pub fn parse_expr(source: &str) -> Result<Expr, Vec<MeaningFault>> {
    let mut builder = Builder::default();
    let expr = builder.expr(only(tokens(Rule::value, source)?));
    builder.finish(expr)
}

/// Reads the functions of a machine.
pub fn parse_functions(source: &str) -> Result<Vec<Function>, Vec<MeaningFault>> {
    let mut builder = Builder::default();
    let list = tokens(Rule::functions, source)?.filter(|p| p.as_rule() == Rule::function).map(|p| builder.function(p)).collect();
    builder.finish(list)
}

fn tokens(rule: Rule, source: &str) -> Result<Pairs<'_, Rule>, Vec<MeaningFault>> {
    bounded(source)?;
    let mut pairs = Grammar::parse(rule, source).map_err(|e| vec![syntax_fault(&e, source)])?;
    Ok(pairs.next().expect("a parse gives its rule").into_inner())
}

/// Counts brackets before anything recurses over them.
fn bounded(source: &str) -> Result<(), Vec<MeaningFault>> {
    let (mut depth, mut text, mut comment, mut before) = (0usize, false, false, ' ');
    for (at, c) in source.char_indices() {
        match c {
            '\n' => (text, comment) = (false, false),
            _ if comment => {}
            '"' => text = !text,
            _ if text => {}
            '/' if before == '/' => comment = true,
            '(' | '[' | '{' => {
                depth += 1;
                if depth > MAX_DEPTH {
                    return Err(vec![MeaningFault::new(at..at + 1, format!("brackets nest more than {MAX_DEPTH} deep"))]);
                }
            }
            ')' | ']' | '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        before = c;
    }
    Ok(())
}

fn range(pair: &Pair<'_, Rule>) -> Range<usize> {
    let span = pair.as_span();
    // A rule that ends with something optional takes the blanks before it along; a statement, its semicolon.
    span.start()..span.start() + span.as_str().trim_end_matches([' ', '\t', '\r', '\n', ';']).len()
}

fn ident(pair: &Pair<'_, Rule>) -> Ident {
    Ident { text: pair.as_str().to_owned(), range: range(pair) }
}

fn only(mut pairs: Pairs<'_, Rule>) -> Pair<'_, Rule> {
    pairs.find(|p| p.as_rule() == Rule::expr).expect("the grammar has an expression here")
}

/// True if the pair is more than punctuation.
fn matters(pair: &Pair<'_, Rule>) -> bool {
    use Rule::*;
    !matches!(
        pair.as_rule(),
        kw_let
            | kw_if
            | kw_else
            | else_if
            | kw_for
            | kw_in
            | kw_match
            | kw_is
            | kw_fn
            | kw_return
            | assign
            | arrow
            | colon
            | comma
            | semicolon
            | open_paren
            | close_paren
            | open_bracket
            | close_bracket
            | open_brace
            | close_brace
            | EOI
    )
}

/// Makes trees of pairs, and collects what is wrong although the grammar allows it.
#[derive(Default)]
pub(super) struct Builder {
    pub(super) faults: Vec<MeaningFault>,
    depth: usize,
}

impl Builder {
    fn finish<T>(self, made: T) -> Result<T, Vec<MeaningFault>> {
        if self.faults.is_empty() { Ok(made) } else { Err(self.faults) }
    }

    fn function(&mut self, pair: Pair<'_, Rule>) -> Function {
        let range = range(&pair);
        let mut inner = pair.into_inner().filter(matters).peekable();
        let name = ident(&inner.next().expect("a function has a name"));
        let mut params = Vec::new();
        while let Some(param) = inner.next_if(|p| p.as_rule() == Rule::param) {
            let mut parts = param.into_inner().filter(matters);
            let name = ident(&parts.next().expect("a parameter has a name"));
            params.push((name, self.size(parts.next().expect("a parameter has a width"))));
        }
        let width = inner.next_if(|p| p.as_rule() == Rule::size).map(|p| self.size(p));
        let (mut body, mut value) = (Vec::new(), None);
        for pair in inner {
            match pair.as_rule() {
                Rule::give => value = Some(self.expr(only(pair.into_inner()))),
                _ => body.push(self.stmt(pair)),
            }
        }
        match (&value, &width) {
            (Some(v), None) => {
                let say = format!("`{}` returns a value, but doesn't say how wide it is", name.text);
                self.faults.push(MeaningFault {
                    help: Some(format!("write `fn {}(…) : 32 {{`", name.text)),
                    ..MeaningFault::new(v.range.clone(), say)
                });
            }
            (None, Some(_)) => {
                self.faults.push(MeaningFault::new(name.range.clone(), format!("`{}` doesn't end with `return`", name.text)))
            }
            _ => {}
        }
        Function { name, params, width, body, value, text: 0, range }
    }

    fn size(&mut self, pair: Pair<'_, Rule>) -> Width {
        let pair = pair.into_inner().next().expect("a width is a number or a name");
        if pair.as_rule() == Rule::width { Width::Bits(self.width(&pair)) } else { Width::Named(ident(&pair)) }
    }

    fn stmts(&mut self, pairs: &mut Pairs<'_, Rule>) -> Vec<Stmt> {
        pairs.filter(matters).map(|p| self.stmt(p)).collect()
    }

    fn stmt(&mut self, pair: Pair<'_, Rule>) -> Stmt {
        let (rule, whole) = (pair.as_rule(), range(&pair));
        let mut inner = pair.into_inner().filter(matters).peekable();
        let kind = match rule {
            Rule::let_stmt => {
                let name = ident(&inner.next().expect("a `let` has a name"));
                let width = inner.next_if(|p| p.as_rule() == Rule::width).map(|p| self.width(&p));
                StmtKind::Let { name, width, value: self.next_expr(&mut inner) }
            }
            Rule::if_stmt => {
                let (mut arms, mut otherwise) = (Vec::new(), Vec::new());
                while let Some(pair) = inner.next() {
                    if pair.as_rule() == Rule::block {
                        otherwise = self.block(pair);
                    } else {
                        let cond = self.expr(pair);
                        arms.push((cond, self.block(inner.next().expect("a condition has a block"))));
                    }
                }
                StmtKind::If { arms, otherwise }
            }
            Rule::for_stmt => {
                let name = ident(&inner.next().expect("a `for` has a name"));
                let from = self.next_expr(&mut inner);
                inner.next();
                let to = self.next_expr(&mut inner);
                StmtKind::For { name, from, to, body: self.block(inner.next().expect("a `for` has a block")) }
            }
            Rule::match_stmt => {
                let on = self.next_expr(&mut inner);
                let (mut arms, mut otherwise) = (Vec::new(), Vec::new());
                while let Some(pair) = inner.next() {
                    if pair.as_rule() == Rule::block {
                        otherwise = self.block(pair);
                    } else {
                        let labels = self.labels(pair);
                        arms.push((labels, self.block(inner.next().expect("a label has a block"))));
                    }
                }
                StmtKind::Match { on, arms, otherwise }
            }
            _ => {
                let left = self.next_expr(&mut inner);
                match (inner.next(), left) {
                    // `x |= y;` is `x = x | y;`
                    (Some(compound), place) if compound.as_rule() == Rule::compound => {
                        let sign = compound.as_str().trim_end_matches('=');
                        let op =
                            precedence::OPERATORS.into_iter().find(|op| op.text() == sign).expect("an operator of the grammar");
                        let (at, right) = (range(&compound), self.next_expr(&mut inner));
                        let whole = place.range.start..right.range.end;
                        let kind = ExprKind::Binary { op, at, left: Box::new(place.clone()), right: Box::new(right) };
                        StmtKind::Assign { place, value: Expr { kind, range: whole } }
                    }
                    (Some(value), place) => StmtKind::Assign { place, value: self.expr(value) },
                    (None, Expr { kind: ExprKind::Call { name, args }, .. }) => StmtKind::Call { name, args },
                    (None, other) => {
                        let help = "a statement assigns (`place = value;`) or calls (`exit();`)".into();
                        self.faults.push(MeaningFault {
                            help: Some(help),
                            ..MeaningFault::new(other.range.clone(), "this value is not used")
                        });
                        StmtKind::If { arms: Vec::new(), otherwise: Vec::new() }
                    }
                }
            }
        };
        Stmt { kind, range: whole }
    }

    fn block(&mut self, pair: Pair<'_, Rule>) -> Vec<Stmt> {
        self.stmts(&mut pair.into_inner())
    }

    fn next_expr<'a>(&mut self, inner: &mut impl Iterator<Item = Pair<'a, Rule>>) -> Expr {
        let pair = inner.next().expect("the grammar has an expression here");
        self.expr(pair)
    }

    fn expr(&mut self, pair: Pair<'_, Rule>) -> Expr {
        let whole = range(&pair);
        let inner = pair.into_inner();
        // Brackets are bounded, but a chain of operators makes a tree as deep as it is long.
        self.deeper(inner.len().div_ceil(2), whole, |builder| {
            let mut terms = Vec::new();
            let mut operators: Vec<(BinaryOp, Range<usize>)> = Vec::new();
            for pair in inner {
                match pair.as_rule() {
                    Rule::infix => operators.push(builder.operator(&pair)),
                    _ => terms.push(builder.term(pair)),
                }
            }
            precedence::tree(terms, operators, &mut builder.faults)
        })
    }

    /// Makes a tree that is `by` nodes deep and whatever is below, unless that is too deep.
    fn deeper(&mut self, by: usize, whole: Range<usize>, make: impl FnOnce(&mut Self) -> Expr) -> Expr {
        self.depth += by;
        let made = if self.depth > MAX_TREE {
            let help = Some("give parts of it names with `let`".into());
            self.faults.push(MeaningFault { help, ..MeaningFault::new(whole.clone(), "this expression is too long") });
            Expr { kind: ExprKind::Int { value: Int::default(), width: None }, range: whole }
        } else {
            make(self)
        };
        self.depth -= by;
        made
    }

    fn operator(&mut self, pair: &Pair<'_, Rule>) -> (BinaryOp, Range<usize>) {
        let text = pair.as_str();
        let at = range(pair);
        if let Some(op) = precedence::OPERATORS.iter().find(|op| op.text() == text) {
            return (*op, at);
        }
        let help = Some(format!("write `{text}s` for signed or `{text}u` for unsigned numbers"));
        let say = format!("`{text}` doesn't say whether the numbers have signs");
        self.faults.push(MeaningFault { help, ..MeaningFault::new(at.clone(), say) });
        let unsigned = precedence::OPERATORS.iter().find(|op| op.text().strip_suffix('u') == Some(text));
        (*unsigned.expect("every operator without a sign has an unsigned sister"), at)
    }

    fn term(&mut self, pair: Pair<'_, Rule>) -> Expr {
        let whole = range(&pair);
        let inner = pair.into_inner();
        self.deeper(inner.len() - 1, whole, |builder| {
            let mut prefixes = Vec::new();
            let mut made: Option<Expr> = None;
            for pair in inner {
                made = match (pair.as_rule(), made) {
                    (Rule::prefix, None) => {
                        let op = match pair.as_str() {
                            "-" => UnaryOp::Neg,
                            "~" => UnaryOp::Not,
                            _ => UnaryOp::LogicNot,
                        };
                        prefixes.push((op, pair.as_span().start()));
                        None
                    }
                    (_, None) => Some(builder.primary(pair)),
                    (_, Some(of)) => Some(builder.suffix(of, pair)),
                };
            }
            let made = made.expect("a term has a primary");
            prefixes.into_iter().rev().fold(made, |of, (op, start)| {
                let range = start..of.range.end;
                Expr { kind: ExprKind::Unary { op, of: Box::new(of) }, range }
            })
        })
    }

    fn suffix(&mut self, of: Expr, pair: Pair<'_, Rule>) -> Expr {
        let range = of.range.start..range(&pair).end;
        let of = Box::new(of);
        let rule = pair.as_rule();
        let mut inner = pair.into_inner().filter(matters);
        let first = inner.next().expect("a suffix is not empty");
        let kind = if rule == Rule::member {
            ExprKind::Member { of, name: ident(&first) }
        } else {
            let at = Box::new(self.expr(first));
            match inner.next().map(|p| p.as_rule()) {
                None => ExprKind::Index { of, at },
                Some(Rule::dots) => ExprKind::Slice { of, hi: at, lo: Box::new(self.next_expr(&mut inner)) },
                Some(_) => ExprKind::Part { of, at, count: Box::new(self.next_expr(&mut inner)) },
            }
        };
        Expr { kind, range }
    }

    fn primary(&mut self, pair: Pair<'_, Rule>) -> Expr {
        let range = range(&pair);
        let kind = match pair.as_rule() {
            Rule::int => self.int(pair),
            Rule::text => {
                let text = pair.as_str();
                ExprKind::Text(text[1..text.len() - 1].to_owned())
            }
            Rule::parens => {
                let inner = only(pair.into_inner());
                self.expr(inner).kind
            }
            Rule::if_expr => {
                let mut values: Vec<Expr> = pair.into_inner().filter(matters).map(|p| self.expr(p)).collect();
                let otherwise = Box::new(values.pop().expect("an `if` has an `else`"));
                let mut values = values.into_iter();
                let mut arms = Vec::new();
                while let (Some(cond), Some(value)) = (values.next(), values.next()) {
                    arms.push((cond, value));
                }
                ExprKind::If { arms, otherwise }
            }
            Rule::match_expr => {
                let mut inner = pair.into_inner().filter(matters);
                let on = Box::new(self.next_expr(&mut inner));
                let mut arms = Vec::new();
                loop {
                    let pair = inner.next().expect("a `match` has an `else`");
                    if pair.as_rule() == Rule::expr {
                        break ExprKind::Match { on, arms, otherwise: Box::new(self.expr(pair)) };
                    }
                    let labels = self.labels(pair);
                    arms.push((labels, self.next_expr(&mut inner)));
                }
            }
            _ => self.name(pair),
        };
        Expr { kind, range }
    }

    fn name(&mut self, pair: Pair<'_, Rule>) -> ExprKind {
        let mut inner = pair.into_inner();
        let path = ident(&inner.next().expect("a name has a path"));
        match inner.next() {
            None => ExprKind::Name { path: path.text, optional: false },
            Some(p) if p.as_rule() == Rule::optional => ExprKind::Name { path: path.text, optional: true },
            Some(p) if p.as_rule() == Rule::is_tail => {
                let alternative = |p: Pair<'_, Rule>| {
                    let mut parts = p.into_inner();
                    (ident(&parts.next().expect("an alternative has a name")), parts.next().is_some())
                };
                let alternatives = p.into_inner().filter(matters).map(alternative).collect();
                ExprKind::Is { slot: path, alternatives }
            }
            Some(p) => {
                let args = p.into_inner().filter(matters).map(|p| self.arg(p)).collect();
                ExprKind::Call { name: path, args }
            }
        }
    }

    fn arg(&mut self, pair: Pair<'_, Rule>) -> Expr {
        if pair.as_rule() != Rule::change {
            return self.expr(pair);
        }
        let range = range(&pair);
        let mut parts = pair.into_inner().filter(|p| p.as_rule() != Rule::arrow);
        let old = ident(&parts.next().expect("a change names what was there"));
        let new = self.expr(parts.next().expect("a change has a value"));
        Expr { kind: ExprKind::Change { old, new: Box::new(new) }, range }
    }

    fn labels(&mut self, pair: Pair<'_, Rule>) -> Vec<Expr> {
        let labels = pair.into_inner().filter(matters);
        labels
            .map(|pair| match pair.as_rule() {
                Rule::path => {
                    Expr { range: range(&pair), kind: ExprKind::Name { path: pair.as_str().to_owned(), optional: false } }
                }
                _ => self.primary(pair),
            })
            .collect()
    }

    fn int(&mut self, pair: Pair<'_, Rule>) -> ExprKind {
        let whole = range(&pair);
        let mut inner = pair.into_inner();
        let digits = inner.next().expect("a number has digits");
        let width = inner.next().map(|p| self.width(&p));
        let value = Int::parse(digits.as_str()).unwrap_or_else(|| {
            self.faults.push(MeaningFault::new(
                range(&digits),
                format!("`{}` is not a number of up to {MAX_WIDTH} bits", digits.as_str()),
            ));
            Int::default()
        });
        if let Some(width) = width.filter(|w| value.bits() > *w) {
            self.faults.push(MeaningFault::new(whole, format!("{} doesn't fit in {width} bits", digits.as_str())));
        }
        ExprKind::Int { value, width }
    }

    fn width(&mut self, pair: &Pair<'_, Rule>) -> u32 {
        match pair.as_str().parse() {
            Ok(width) if (1..=MAX_WIDTH).contains(&width) => width,
            _ => {
                let help = (pair.as_str() == "0").then(|| "bits of a value are written `x[3..0]`".to_owned());
                self.faults
                    .push(MeaningFault { help, ..MeaningFault::new(range(pair), format!("a width is 1 to {MAX_WIDTH} bits")) });
                MAX_WIDTH
            }
        }
    }
}
