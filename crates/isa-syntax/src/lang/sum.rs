//! Arithmetic on parameters, and on fields.

use super::field::read_meaning;
use super::{Meaning, Rule, SyntaxFault, parse, range_of, read_number, wide_number};
use isa_runtime::value::{Number, Style};
use pest::iterators::Pair;
use std::ops::Range;

/// A sum of numbers and names, as it is written.
#[derive(Clone, Debug)]
pub enum Sum {
    /// A number.
    Number(i128),
    /// A parameter, or a field.
    Name(String, Range<usize>),
    /// The number with the other sign.
    Negative(Box<Sum>, Range<usize>),
    /// `| ^ & << >> + - * / %`.
    Binary(Box<Sum>, &'static str, Box<Sum>, Range<usize>),
}

/// A column of a table that is no list.
#[derive(Clone, Debug)]
pub enum Column {
    /// One number for each row.
    Each(Sum),
    /// A row for each number from the one to the other, both included.
    Rows(Sum, Sum),
}

/// A number that is computed of fields, as it is written.
#[derive(Clone, Debug)]
pub struct ReadingEntry {
    /// The number.
    pub of: ReadingOf,
    /// The meaning of the number.
    pub meaning: Option<(Meaning, Range<usize>)>,
    /// `hex`, `dec`
    pub style: Option<Style>,
}

/// The expression of a reading.
#[derive(Clone, Debug)]
pub enum ReadingOf {
    /// The bits of fields, those of the first on top: `a ++ b`.
    Joined(Vec<(String, Range<usize>)>),
    /// `a - b + 1`.
    Sum(Sum),
}

impl ReadingOf {
    /// Visits the names in it.
    pub fn each_name(&self, visit: &mut impl FnMut(&str, &Range<usize>)) {
        match self {
            Self::Joined(names) => names.iter().for_each(|(name, range)| visit(name, range)),
            Self::Sum(sum) => sum.each_name(visit),
        }
    }
}

/// Parses a reading: `imms - immr + 1`, `cond ^ 1 as Cond`.
///
/// # Errors
/// If it is none.
pub fn parse_reading(text: &str) -> Result<ReadingEntry, SyntaxFault> {
    let mut pairs = parse(Rule::reading_entry, text)?.into_inner();
    let first = pairs.next().expect("an entry begins with a number");
    let of = match first.as_rule() {
        Rule::joined => ReadingOf::Joined(first.into_inner().map(|name| (name.as_str().to_string(), range_of(&name))).collect()),
        _ => ReadingOf::Sum(read(first)?),
    };
    let mut entry = ReadingEntry { of, meaning: None, style: None };
    for pair in pairs {
        match pair.as_rule() {
            Rule::read_as => {
                let meaning = pair.into_inner().find(|pair| pair.as_rule() == Rule::meaning).expect("`as` has a meaning");
                let range = range_of(&meaning);
                entry.meaning = meaning.into_inner().next().map(|meaning| (read_meaning(meaning), range));
            }
            Rule::hex => entry.style = Some(Style::Hex),
            Rule::dec => entry.style = Some(Style::Dec),
            _ => {}
        }
    }
    Ok(entry)
}

/// Parses a sum.
///
/// # Errors
/// If it is none.
pub fn parse_sum(text: &str) -> Result<Sum, SyntaxFault> {
    read(parse(Rule::sum_entry, text)?.into_inner().next().expect("an entry has a sum"))
}

/// Parses a column: `0..63`, or `64 - r`.
///
/// # Errors
/// If it is none.
pub fn parse_column(text: &str) -> Result<Column, SyntaxFault> {
    let mut sums = parse(Rule::column_entry, text)?.into_inner().filter(|pair| pair.as_rule() == Rule::either);
    let first = read(sums.next().expect("a column begins with a sum"))?;
    Ok(match sums.next() {
        Some(last) => Column::Rows(first, read(last)?),
        None => Column::Each(first),
    })
}

/// The number of operators in a sum, whose tree is as deep as it has operators.
const MAX_OPERATORS: usize = 256;

/// Counts operators and signs before anything recurses over them.
pub(super) fn bounded(text: &str) -> Result<(), SyntaxFault> {
    let mut operators = text.match_indices(|c| "|^&<>+-*/%".contains(c)).filter(|(at, sign)| {
        let is_second = "<>+".contains(sign) && text[..*at].ends_with(sign);
        !is_second
    });
    match operators.nth(MAX_OPERATORS) {
        Some((at, sign)) => Err(SyntaxFault::new(at..at + sign.len(), format!("a sum has at most {MAX_OPERATORS} operators"))),
        None => Ok(()),
    }
}

fn read(pair: Pair<'_, Rule>) -> Result<Sum, SyntaxFault> {
    let range = range_of(&pair);
    let rule = pair.as_rule();
    let mut inner = pair.into_inner();
    let first = inner.next().expect("a sum has parts");
    match (rule, first.as_rule()) {
        (Rule::factor, Rule::number) => Ok(Sum::Number(read_number(&first)?)),
        (Rule::factor, Rule::path) => Ok(Sum::Name(first.as_str().to_string(), range_of(&first))),
        (Rule::factor, Rule::minus) => {
            let of = inner.next().expect("a factor follows the sign");
            Ok(Sum::Negative(Box::new(read(of)?), range))
        }
        (Rule::factor, _) => read(first),
        _ => {
            let mut sum = read(first)?;
            while let (Some(sign), Some(right)) = (inner.next(), inner.next()) {
                let sign = SIGNS.into_iter().find(|known| *known == sign.as_str()).expect("the grammar has these signs");
                let range = range.start..range_of(&right).end;
                sum = Sum::Binary(Box::new(sum), sign, Box::new(read(right)?), range);
            }
            Ok(sum)
        }
    }
}

const SIGNS: [&str; 10] = ["|", "^", "&", "<<", ">>", "+", "-", "*", "/", "%"];

impl Sum {
    /// Visits the names in it.
    pub fn each_name(&self, visit: &mut impl FnMut(&str, &Range<usize>)) {
        match self {
            Self::Number(_) => {}
            Self::Name(name, range) => visit(name, range),
            Self::Negative(of, _) => of.each_name(visit),
            Self::Binary(left, _, right, _) => {
                left.each_name(visit);
                right.each_name(visit);
            }
        }
    }

    /// Evaluates the sum with the texts of parameters. A quotient is rounded down, and a remainder is never negative.
    ///
    /// # Errors
    /// If a name has no number, a number is out of range, or a divisor is not positive.
    pub fn value<'v>(&self, of: &impl Fn(&str) -> Option<&'v str>) -> Result<i128, SyntaxFault> {
        self.number(&|name, range| {
            let text = of(name).ok_or_else(|| SyntaxFault::new(range.clone(), format!("there is no parameter `{name}`")))?;
            let number = wide_number(text.trim()).and_then(Number::to_i128);
            number.ok_or_else(|| SyntaxFault::new(range.clone(), format!("`{name}` is `{text}`, not a number")))
        })
    }

    /// The number that it is, with the numbers of names.
    ///
    /// # Errors
    /// If a name has none, a number is out of range, or a divisor is not positive.
    pub fn number(&self, of: &impl Fn(&str, &Range<usize>) -> Result<i128, SyntaxFault>) -> Result<i128, SyntaxFault> {
        let checked = |value: Option<i128>, range: &Range<usize>| {
            value.ok_or_else(|| SyntaxFault::new(range.clone(), "this number is too large"))
        };
        match self {
            Self::Number(number) => Ok(*number),
            Self::Name(name, range) => of(name, range),
            Self::Negative(sum, range) => checked(sum.number(of)?.checked_neg(), range),
            Self::Binary(left, sign, right, range) => {
                let (left, right) = (left.number(of)?, right.number(of)?);
                let value = match *sign {
                    "|" => Some(left | right),
                    "^" => Some(left ^ right),
                    "&" => Some(left & right),
                    "+" => left.checked_add(right),
                    "-" => left.checked_sub(right),
                    "*" => left.checked_mul(right),
                    "/" | "%" if right <= 0 => {
                        return Err(SyntaxFault::new(range.clone(), format!("{right} is no divisor: it is a positive number")));
                    }
                    "/" => Some(left.div_euclid(right)),
                    "%" => Some(left.rem_euclid(right)),
                    _ if !(0..i128::from(i128::BITS)).contains(&right) => {
                        return Err(SyntaxFault::new(range.clone(), format!("{left} can't be shifted by {right} bits")));
                    }
                    "<<" => 1i128.checked_shl(right as u32).filter(|by| *by > 0).and_then(|by| left.checked_mul(by)),
                    _ => Some(left >> right),
                };
                checked(value, range)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(text: &str) -> Result<i128, String> {
        let of = |name: &str| [("r", "5"), ("XLEN", "0x40"), ("f", "s")].into_iter().find(|of| of.0 == name).map(|of| of.1);
        parse_sum(text).and_then(|sum| sum.value(&of)).map_err(|fault| format!("{:?} {}", fault.range, fault.message))
    }

    #[test]
    fn sums_are_those_of_arithmetic() {
        for (text, number) in [
            ("64 - r", 59),
            ("64-r", 59),
            ("XLEN-1", 63),
            ("2 * r + 1", 11),
            ("2 * (r + 1)", 12),
            ("10 - 4 - 3", 3),
            ("-r / 2", -3),
            ("-r % 4", 3),
            ("1 << r + 1", 64),
            ("0x40 >> 2", 16),
            ("- -$r", 5),
            ("r ^ 1 | 8 & 12", 12),
        ] {
            assert_eq!(value(text), Ok(number), "{text}");
        }
    }

    #[test]
    fn what_is_no_number_is_refused() {
        for (text, message) in [
            ("r / 0", "0..5 0 is no divisor: it is a positive number"),
            ("1 << 127", "0..8 this number is too large"),
            ("1 << -1", "0..7 1 can't be shifted by -1 bits"),
            ("r + x", "4..5 there is no parameter `x`"),
            ("r + f", "4..5 `f` is `s`, not a number"),
            ("r +", "3..3 unexpected end: expected a number or a name"),
        ] {
            assert_eq!(value(text), Err(message.to_string()), "{text}");
        }
    }
}
