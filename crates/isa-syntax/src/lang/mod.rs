//! The small languages inside strings. Each has a pest grammar beside this file; this module turns what pest finds into
//! plain trees whose nodes carry ranges of bytes in the string. Names are resolved later, by `expand`.

mod condition;
mod field;
#[rustfmt::skip]
mod grammar;
mod layout;
pub mod semantics;
mod sum;
mod template;

pub use condition::{Compare, CondAst, Lhs, Name, Term, parse_condition};
pub use field::{
    Alternative, Argument, FIELD_WORDS, FieldEntry, Head, Meaning, Pick, Reference, Use, Value, parse_bit_list, parse_docs,
    parse_field, parse_head, parse_names, parse_use, parse_value,
};
pub use layout::{Layout, LayoutPart, Mark, NO_ORDER, RegionEntry, parse_layout, parse_region};
pub use sum::{Column, ReadingEntry, ReadingOf, Sum, parse_column, parse_reading, parse_sum};
pub use template::{PieceAst, Styled, parse_syntax, parse_template};

use isa_model::bits::Word;
use isa_model::diag::nearest;
use isa_runtime::value::Number;
use pest::Parser;
use pest::error::{ErrorVariant, InputLocation};
use pest::iterators::Pair;
use std::ops::Range;

use grammar::{Grammar, Rule};

/// A fault in a string, at a range of its bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SyntaxFault {
    /// The place in the text.
    pub range: Range<usize>,
    /// The message.
    pub message: String,
}

impl SyntaxFault {
    /// A fault at a place.
    pub fn new(range: Range<usize>, message: impl Into<String>) -> Self {
        Self { range, message: message.into() }
    }
}

/// Brackets may nest this deep; deeper ones would only exhaust the stack.
const MAX_NESTING: usize = 64;

/// Counts what nests before anything recurses over it: brackets, and the `!` before them. In plain text a quote is a character like others.
fn bounded(text: &str, template: bool, plain: bool) -> Result<(), SyntaxFault> {
    let (mut open, mut depth, mut nots, mut quoted, mut escaped) = (Vec::new(), 0usize, 0usize, false, false);
    for (at, b) in text.bytes().enumerate() {
        let is_escaped = std::mem::take(&mut escaped);
        match b {
            _ if is_escaped => {}
            b'\\' if template => escaped = true,
            b'"' if !plain => quoted = !quoted,
            _ if quoted => {}
            b'!' => nots += 1,
            b'(' | b'{' | b'<' if b != b'<' || template => {
                open.push(nots + 1);
                depth += nots + 1;
                nots = 0;
            }
            b')' | b'}' | b'>' if b != b'>' || template => {
                depth -= open.pop().unwrap_or(0);
                nots = 0;
            }
            b if b.is_ascii_whitespace() => {}
            _ => nots = 0,
        }
        if depth + nots > MAX_NESTING {
            return Err(SyntaxFault::new(at..at + 1, format!("brackets nest deeper than {MAX_NESTING}")));
        }
    }
    Ok(())
}

/// Runs one rule over a whole string.
fn parse(rule: Rule, text: &str) -> Result<Pair<'_, Rule>, SyntaxFault> {
    let template = rule == Rule::template_entry;
    bounded(text, template, template || rule == Rule::syntax_entry)?;
    if let Rule::sum_entry | Rule::column_entry | Rule::reading_entry = rule {
        sum::bounded(text)?;
    }
    if rule == Rule::layout_entry {
        layout::has_an_order(text)?;
    }
    match Grammar::parse(rule, text) {
        Ok(mut pairs) => Ok(pairs.next().expect("a rule that matched gives a pair")),
        Err(error) => {
            let at = match error.location {
                InputLocation::Pos(at) | InputLocation::Span((at, _)) => at.min(text.len()),
            };
            let end = text[at..].chars().next().map_or(at, |c| at + c.len_utf8());
            let expected = match error.variant {
                ErrorVariant::ParsingError { positives, .. } => expectation(&positives),
                ErrorVariant::CustomError { message } => message,
            };
            if template && text[at..].starts_with("<else:") {
                return Err(SyntaxFault::new(at..at + "<else:".len(), "`<else: …>` comes right after a `<when …: …>`"));
            }
            let word =
                text[at..].find(|c: char| !c.is_ascii_alphanumeric() && c != '_').map_or(&text[at..], |end| &text[at..at + end]);
            if word.starts_with(|c: char| c.is_ascii_digit()) && (expected.contains("a value") || expected.contains("a number")) {
                return Err(SyntaxFault::new(at..at + word.len(), format!("`{word}` is not a number")));
            }
            if expected.contains(MODIFIER)
                && let Some(near) = nearest(word, MODIFIERS)
            {
                return Err(SyntaxFault::new(at..at + word.len(), format!("unexpected `{word}`: did you mean `{near}`?")));
            }
            let found = match text[at..].chars().next() {
                Some(c) if template && "<>{}\\".contains(c) && expected.contains("text") => {
                    return Err(SyntaxFault::new(at..end, format!("unexpected `{c}`: the character itself is written `\\{c}`")));
                }
                Some('=') if expected.starts_with("a comparison") => {
                    return Err(SyntaxFault::new(at..end, "unexpected `=`: equality is written `==`"));
                }
                Some('\n' | '\r') => "unexpected end of line".to_string(),
                Some(c) if c.is_control() => format!("unexpected {c:?}"),
                Some(c) => format!("unexpected `{c}`"),
                None => "unexpected end".to_string(),
            };
            Err(SyntaxFault::new(at..end, if expected.is_empty() { found } else { format!("{found}: expected {expected}") }))
        }
    }
}

/// The modifiers of a field, for messages.
const MODIFIER: &str = "a modifier (`*4`, `+1`, `inverted`, `signed`, `wraps`, `hex`, `dec`, `f64`, `target`)";
/// The modifiers that are words.
const MODIFIERS: [&str; 6] = ["inverted", "signed", "wraps", "hex", "dec", "target"];

/// "a, b or c", in words.
fn expectation(rules: &[Rule]) -> String {
    let mut words: Vec<&str> = rules.iter().filter_map(|r| describe(*r)).collect();
    words.sort_unstable();
    words.dedup();
    match words.split_last() {
        None => String::new(),
        Some((last, [])) => (*last).to_string(),
        Some((last, rest)) => format!("{} or {last}", rest.join(", ")),
    }
}

fn describe(rule: Rule) -> Option<&'static str> {
    Some(match rule {
        Rule::ident | Rule::path | Rule::name => "a name",
        Rule::number => "a number",
        Rule::string => "a text in quotes",
        Rule::bits | Rule::range => "bits",
        Rule::meaning | Rule::unsigned | Rule::signed | Rule::bitset => {
            "a meaning (`signed`, `unsigned`, a register file, an enum, a text in quotes)"
        }
        Rule::modifier
        | Rule::scale
        | Rule::bias
        | Rule::bit_step
        | Rule::its_sign
        | Rule::wraps
        | Rule::hex
        | Rule::dec
        | Rule::float
        | Rule::target => MODIFIER,
        Rule::declared => "a width in parentheses",
        Rule::default => "`=` and a default",
        Rule::doc => "`@` and lines of a document",
        Rule::reference | Rule::lines => "lines of a document",
        Rule::value | Rule::right => "a value",
        Rule::parameter => "a parameter",
        Rule::alternative => "an alternative",
        Rule::argument | Rule::argument_text => "an argument",
        Rule::pick => "`only` or `except`",
        Rule::condition | Rule::conjunction | Rule::negation | Rule::atom | Rule::test => "a condition",
        Rule::factor | Rule::either | Rule::toggled | Rule::masked | Rule::shift | Rule::sum | Rule::product => {
            "a number or a name"
        }
        Rule::compare | Rule::inside | Rule::arith => "a comparison",
        Rule::place => "`{name}`",
        Rule::group | Rule::when => "`<…>`",
        Rule::otherwise => "`<else: …>`",
        Rule::literal | Rule::syntax_word | Rule::syntax_sign => "text",
        Rule::syntax_group => "`{…}`",
        Rule::syntax_blank => "a blank",
        Rule::format => "a format (`x`, `d`, `02`, `04x`)",
        Rule::layout_entry | Rule::part | Rule::split_layout => "a layout",
        Rule::order => "`lsb0` or `msb0`",
        Rule::letters => "bits as letters",
        Rule::code => "a code (`0`, `1`, `x`)",
        Rule::names_row | Rule::names_part | Rule::class | Rule::plain => "characters, or some in brackets",
        Rule::class_item | Rule::class_char => "a character",
        Rule::repeat => "`*` or `+`",
        Rule::quote => "a closing quote",
        Rule::end_of_letters => "`0`, `1`, `-`, `?`, `.`, a letter or a closing quote",
        Rule::close => "`)`",
        Rule::close_bracket => "`]`",
        Rule::close_brace => "`}`",
        Rule::close_angle => "`>`",
        Rule::EOI => "the end",
        _ => return None,
    })
}

fn range_of(pair: &Pair<'_, Rule>) -> Range<usize> {
    pair.as_span().start()..pair.as_span().end()
}

/// A number as it is written: decimal, `0x`, `0b`, with `_` between digits.
pub fn number(text: &str) -> Option<i128> {
    // The upper half of u128 (masks, values of whole words) wraps on purpose: callers see the bits.
    wide_number(text).map(|n| if n.negative { (n.magnitude as i128).wrapping_neg() } else { n.magnitude as i128 })
}

/// The same with all numbers of 128 bits and a sign.
pub fn wide_number(text: &str) -> Option<Number> {
    let (negative, digits) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text),
    };
    let clean: String = digits.chars().filter(|c| *c != '_').collect();
    let value = if let Some(hex) = clean.strip_prefix("0x") {
        u128::from_str_radix(hex, 16)
    } else if let Some(bin) = clean.strip_prefix("0b") {
        u128::from_str_radix(bin, 2)
    } else {
        clean.parse()
    };
    value.ok().map(|magnitude| Number { negative: negative && magnitude > 0, magnitude })
}

/// A word as a number is written.
pub fn word(text: &str) -> Option<Word> {
    let clean: String = text.chars().filter(|c| *c != '_').collect();
    match (clean.strip_prefix("0x"), clean.strip_prefix("0b")) {
        (Some(digits), _) => Word::from_str_radix(digits, 16),
        (_, Some(digits)) => Word::from_str_radix(digits, 2),
        _ => Word::from_str_radix(&clean, 10),
    }
}

fn read_number(pair: &Pair<'_, Rule>) -> Result<i128, SyntaxFault> {
    read_wide(pair)?.to_i128().ok_or_else(|| SyntaxFault::new(range_of(pair), "this number is too large"))
}

fn read_wide(pair: &Pair<'_, Rule>) -> Result<Number, SyntaxFault> {
    wide_number(pair.as_str()).ok_or_else(|| SyntaxFault::new(range_of(pair), "this number is too large"))
}
