//! Grammars as tables, and the parser that walks them with pest's state: pest's own generator makes a function of each rule, which
//! took an eighth of the time to compile this crate.

use pest::iterators::Pairs;
use pest::{Atomicity, ParseResult, ParserState, RuleType};

type State<'t, R> = Box<ParserState<'t, R>>;

/// A grammar, as pest optimises it.
#[derive(Debug)]
pub(crate) struct Grammar<R: 'static> {
    /// The rules, each at its number.
    pub(crate) rules: &'static [(R, Kind, Expr<R>)],
    /// The rule of the end of a text.
    pub(crate) end: R,
    /// The rule of blanks between tokens.
    pub(crate) blank: R,
    /// The rule of comments, which can be between tokens as well.
    pub(crate) comment: Option<R>,
}

/// The kind of a rule: whether it makes a node, and whether blanks are allowed between its tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// `{ … }`
    Normal,
    /// `_{ … }`: without a node.
    Silent,
    /// `@{ … }`: without blanks and without nodes inside.
    Atomic,
    /// `${ … }`: without blanks.
    CompoundAtomic,
    /// `!{ … }`: with blanks, also inside of an atomic rule.
    NonAtomic,
}

/// An expression that a rule matches.
#[derive(Debug)]
pub(crate) enum Expr<R: 'static> {
    Text(&'static str),
    Range(char, char),
    Any,
    Start,
    End,
    Rule(R),
    /// Matches if the expression follows, without consuming it.
    Ahead(&'static Expr<R>),
    /// Matches if the expression does not follow.
    NotAhead(&'static Expr<R>),
    Sequence(&'static [Expr<R>]),
    Choice(&'static [Expr<R>]),
    Optional(&'static Expr<R>),
    Repeated(&'static Expr<R>),
    /// Anything up to one of these texts.
    Until(&'static [&'static str]),
}

impl<R: RuleType + Into<usize>> Grammar<R> {
    /// The tree of a text that is one of a rule as a whole.
    pub(crate) fn parse<'t>(&self, rule: R, text: &'t str) -> Result<Pairs<'t, R>, Box<pest::error::Error<R>>> {
        pest::state(text, |state| self.rule(rule, state)).map_err(Box::new)
    }

    fn rule<'t>(&self, rule: R, state: State<'t, R>) -> ParseResult<State<'t, R>> {
        let Some((_, kind, expr)) = self.rules.get(rule.into()) else { return Err(state) };
        let whole = |state| self.expr(expr, state);
        match kind {
            Kind::Silent if rule == self.blank || Some(rule) == self.comment => state.atomic(Atomicity::Atomic, whole),
            Kind::Silent => whole(state),
            Kind::Normal => state.rule(rule, whole),
            Kind::Atomic => state.rule(rule, |state| state.atomic(Atomicity::Atomic, whole)),
            Kind::CompoundAtomic => state.atomic(Atomicity::CompoundAtomic, |state| state.rule(rule, whole)),
            Kind::NonAtomic => state.atomic(Atomicity::NonAtomic, |state| state.rule(rule, whole)),
        }
    }

    fn expr<'t>(&self, expr: &'static Expr<R>, state: State<'t, R>) -> ParseResult<State<'t, R>> {
        match expr {
            Expr::Text(text) => state.match_string(text),
            Expr::Range(from, to) => state.match_range(*from..*to),
            Expr::Any => state.skip(1),
            Expr::Start => state.start_of_input(),
            Expr::End => state.rule(self.end, |state| state.end_of_input()),
            Expr::Rule(rule) => self.rule(*rule, state),
            Expr::Ahead(expr) => state.lookahead(true, |state| self.expr(expr, state)),
            Expr::NotAhead(expr) => state.lookahead(false, |state| self.expr(expr, state)),
            Expr::Sequence(parts) => state.sequence(|state| self.sequence(parts, state)),
            Expr::Choice(parts) => self.choice(parts, state),
            Expr::Optional(expr) => state.optional(|state| self.expr(expr, state)),
            Expr::Repeated(expr) if state.atomicity() != Atomicity::NonAtomic => state.repeat(|state| self.expr(expr, state)),
            Expr::Repeated(expr) => state.sequence(|state| {
                state.optional(|state| {
                    let first = self.expr(expr, state)?;
                    first.repeat(|state| state.sequence(|state| self.expr(expr, self.blanks(state)?)))
                })
            }),
            Expr::Until(texts) => state.skip_until(texts),
        }
    }

    fn sequence<'t>(&self, parts: &'static [Expr<R>], mut state: State<'t, R>) -> ParseResult<State<'t, R>> {
        for (i, part) in parts.iter().enumerate() {
            if i > 0 {
                state = self.blanks(state)?;
            }
            state = self.expr(part, state)?;
        }
        Ok(state)
    }

    fn choice<'t>(&self, parts: &'static [Expr<R>], mut state: State<'t, R>) -> ParseResult<State<'t, R>> {
        for part in parts {
            state = match self.expr(part, state) {
                Ok(state) => return Ok(state),
                Err(state) => state,
            };
        }
        Err(state)
    }

    /// Skips blanks and comments between tokens, where they are allowed.
    fn blanks<'t>(&self, state: State<'t, R>) -> ParseResult<State<'t, R>> {
        if state.atomicity() != Atomicity::NonAtomic {
            return Ok(state);
        }
        let blanks = |state: State<'t, R>| state.repeat(|state| self.rule(self.blank, state));
        let Some(comment) = self.comment else { return blanks(state) };
        state.sequence(|state| blanks(state)?.repeat(|state| state.sequence(|state| blanks(self.rule(comment, state)?))))
    }
}
