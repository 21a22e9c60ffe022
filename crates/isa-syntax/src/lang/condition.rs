//! Conditions.

use super::field::{Alternative, read_alternative, read_range, read_value};
use super::{Rule, SyntaxFault, Value, parse, range_of, read_wide};
use isa_model::model::BitRange;
use isa_runtime::value::Number;
use pest::iterators::Pair;
use std::ops::Range;

/// A condition as it is written.
#[derive(Clone, Debug)]
pub enum CondAst {
    /// Any of them.
    Or(Vec<CondAst>),
    /// All of them.
    And(Vec<CondAst>),
    /// Not.
    Not(Box<CondAst>),
    /// Some part of the form carries the tag.
    Has(String, Range<usize>),
    /// Exactly one bit is set.
    OneHot(Name),
    /// The slot has picked one of these alternatives.
    Is {
        /// The slot.
        slot: (String, Range<usize>),
        /// The alternatives.
        alternatives: Vec<Alternative>,
    },
    /// A comparison, or a name alone: not zero.
    Test {
        /// The left side.
        lhs: Lhs,
        /// `%` or `&` with a number.
        arith: Option<(char, Number)>,
        /// The comparison and its right side.
        compare: Compare,
        /// The place of the test.
        range: Range<usize>,
    },
}

/// The left side of a comparison.
#[derive(Clone, Debug)]
pub enum Lhs {
    /// A field, its number, a sum with it, or a definition.
    Term(Term),
    /// Bits of the first unit of a stream's word.
    Prefix(BitRange),
}

/// The value of a field and a number.
#[derive(Clone, Debug)]
pub struct Term {
    /// The field.
    pub name: Name,
    /// `number(…)`: it is compared by its number, whatever that is the number of.
    pub is_number: bool,
    /// The number that is added.
    pub plus: i64,
    /// The place of the term.
    pub range: Range<usize>,
}

impl Term {
    /// Returns true if it is a name and nothing else.
    pub fn is_plain(&self) -> bool {
        !self.is_number && self.plus == 0
    }
}

/// A name in a condition or template.
#[derive(Clone, Debug)]
pub struct Name {
    /// The name, with dots.
    pub path: String,
    /// `?`: the form may lack it.
    pub optional: bool,
    /// The place of the name.
    pub range: Range<usize>,
}

/// A comparison with its right side.
#[derive(Clone, Debug)]
pub enum Compare {
    /// It is not zero.
    NotZero,
    /// With one value: `==`, `!=`, `<`, `<=`, `>`, `>=`.
    With(&'static str, Value, Range<usize>),
    /// With another field that is no name alone.
    Field(&'static str, Term),
    /// It is one of these values, or in one of these intervals.
    In(Vec<(Value, Option<Value>, Range<usize>)>),
}

/// Parses a condition.
pub fn parse_condition(text: &str) -> Result<CondAst, SyntaxFault> {
    read_condition(parse(Rule::condition_entry, text)?.into_inner().next().expect("a condition"))
}

pub(super) fn read_condition(pair: Pair<'_, Rule>) -> Result<CondAst, SyntaxFault> {
    match pair.as_rule() {
        Rule::condition => several(pair, CondAst::Or),
        Rule::conjunction => several(pair, CondAst::And),
        Rule::negation => {
            let mut parts = pair.into_inner();
            let first = parts.next().expect("a negation has a part");
            if first.as_rule() == Rule::not {
                return Ok(CondAst::Not(Box::new(read_condition(parts.next().expect("what is negated"))?)));
            }
            read_condition(first)
        }
        Rule::atom => read_atom(pair.into_inner().next().expect("an atom has a part")),
        rule => unreachable!("the grammar puts no {rule:?} in a condition"),
    }
}

fn several(pair: Pair<'_, Rule>, join: fn(Vec<CondAst>) -> CondAst) -> Result<CondAst, SyntaxFault> {
    let mut parts = pair.into_inner().map(read_condition).collect::<Result<Vec<_>, _>>()?;
    Ok(if parts.len() == 1 { parts.remove(0) } else { join(parts) })
}

fn ident(pair: &Pair<'_, Rule>) -> (String, Range<usize>) {
    (pair.as_str().to_string(), range_of(pair))
}

fn read_atom(pair: Pair<'_, Rule>) -> Result<CondAst, SyntaxFault> {
    let range = range_of(&pair);
    let rule = pair.as_rule();
    let mut parts = pair.into_inner();
    Ok(match rule {
        Rule::has => {
            let (tag, range) = ident(&parts.next().expect("a tag"));
            CondAst::Has(tag, range)
        }
        Rule::onehot => CondAst::OneHot(read_name(parts.next().expect("a name"))),
        Rule::is => {
            let slot = ident(&parts.next().expect("a slot"));
            CondAst::Is { slot, alternatives: parts.map(|p| read_alternative(&p)).collect() }
        }
        _ => {
            let first = parts.next().expect("what is compared");
            let lhs = match first.as_rule() {
                Rule::prefix => Lhs::Prefix(read_range(first.into_inner().next().expect("bits"))?),
                _ => Lhs::Term(read_term(first)?),
            };
            let mut arith = None;
            let mut compare = Compare::NotZero;
            while let Some(part) = parts.next() {
                match part.as_rule() {
                    Rule::arith => {
                        let op = part.as_str().chars().next().expect("an operator");
                        arith = Some((op, read_wide(&parts.next().expect("a number"))?));
                    }
                    Rule::compare => {
                        let op =
                            ["==", "!=", "<=", ">=", "<", ">"].into_iter().find(|o| *o == part.as_str()).expect("an operator");
                        let right = parts.next().expect("a value");
                        let (at, value) = (range_of(&right), right.into_inner().next().expect("a value"));
                        compare = match value.as_rule() {
                            Rule::term => {
                                let written = value.as_str().trim().to_string();
                                let term = read_term(value)?;
                                match term.is_plain() {
                                    true => Compare::With(op, Value::Name(written), at),
                                    false => Compare::Field(op, term),
                                }
                            }
                            _ => Compare::With(op, read_value(value)?, at),
                        };
                    }
                    _ => {
                        compare = Compare::In(
                            part.into_inner()
                                .filter(|p| p.as_rule() == Rule::element)
                                .map(read_element)
                                .collect::<Result<_, _>>()?,
                        )
                    }
                }
            }
            CondAst::Test { lhs, arith, compare, range }
        }
    })
}

fn read_term(pair: Pair<'_, Rule>) -> Result<Term, SyntaxFault> {
    let start = pair.as_span().start();
    let range = start..start + pair.as_str().trim_end().len();
    let mut parts = pair.into_inner();
    let first = parts.next().expect("a field");
    let is_number = first.as_rule() == Rule::counted;
    let name = match is_number {
        true => first.into_inner().find(|part| part.as_rule() == Rule::name).expect("a field"),
        false => first,
    };
    let plus = parts.next().map_or(Ok(0), read_sum)?;
    Ok(Term { name: read_name(name), is_number, plus, range })
}

/// The number that is added.
fn read_sum(pair: Pair<'_, Rule>) -> Result<i64, SyntaxFault> {
    let mut parts = pair.into_inner();
    let is_negative = parts.next().is_some_and(|sign| sign.as_str() == "-");
    let number = parts.next().expect("a number");
    let plus = read_wide(&number)?.to_i128().and_then(|plus| i64::try_from(plus).ok());
    let plus = plus.filter(|plus| plus.unsigned_abs() <= 1 << 62);
    let plus = plus.ok_or_else(|| SyntaxFault::new(range_of(&number), "at most 2^62 is added, with or without a sign"))?;
    Ok(if is_negative { -plus } else { plus })
}

fn read_element(pair: Pair<'_, Rule>) -> Result<(Value, Option<Value>, Range<usize>), SyntaxFault> {
    let range = range_of(&pair);
    let mut values = pair.into_inner().map(read_value);
    let first = values.next().expect("a value")?;
    Ok((first, values.next().transpose()?, range))
}

pub(super) fn read_name(pair: Pair<'_, Rule>) -> Name {
    let range = range_of(&pair);
    let optional = pair.as_str().ends_with('?');
    Name { path: pair.into_inner().next().expect("a path").as_str().to_string(), optional, range }
}
