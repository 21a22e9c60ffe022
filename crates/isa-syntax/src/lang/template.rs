//! Text templates.

use super::condition::{read_condition, read_name};
use super::{CondAst, Name, Rule, SyntaxFault, parse, range_of};
use isa_runtime::value::Style;
use pest::iterators::Pair;
use std::ops::Range;

/// A piece of a template as it is written.
#[derive(Clone, Debug)]
pub enum PieceAst {
    /// These characters.
    Literal(String, Range<usize>),
    /// `{name}`
    Place {
        /// The name.
        name: Name,
        /// `x` and so on, after the colon.
        style: Option<Styled>,
    },
    /// `<…>`
    Group(Vec<PieceAst>, Range<usize>),
    /// `<when cond: …>`, perhaps with `<else: …>`
    When {
        /// The condition.
        cond: Box<CondAst>,
        /// The pieces printed if the condition holds.
        body: Vec<PieceAst>,
        /// The pieces printed if it does not.
        otherwise: Vec<PieceAst>,
        /// The place of the group.
        range: Range<usize>,
    },
}

/// The style of a number, as a template has it.
#[derive(Clone, Debug)]
pub struct Styled {
    /// The style.
    pub style: Style,
    /// The place of the style.
    pub range: Range<usize>,
}

/// Parses a template.
pub fn parse_template(text: &str) -> Result<Vec<PieceAst>, SyntaxFault> {
    pieces(parse(Rule::template_entry, text)?)
}

/// Parses a document's line of syntax, `vop4.dtype{.sat}  d{.mask}`: a template in another notation. `{…}` may be missing, a row of
/// blanks is one, and `field` says which words are fields; the others are themselves.
pub fn parse_syntax(text: &str, field: &dyn Fn(&str) -> Option<String>) -> Result<Vec<PieceAst>, SyntaxFault> {
    syntax_pieces(parse(Rule::syntax_entry, text)?, field)
}

fn syntax_pieces(pair: Pair<'_, Rule>, field: &dyn Fn(&str) -> Option<String>) -> Result<Vec<PieceAst>, SyntaxFault> {
    let pieces = pair.into_inner().filter(|p| !matches!(p.as_rule(), Rule::EOI | Rule::close_brace));
    let piece = |pair: Pair<'_, Rule>| {
        let range = range_of(&pair);
        Ok(match pair.as_rule() {
            Rule::syntax_group => PieceAst::Group(syntax_pieces(pair, field)?, range),
            Rule::syntax_blank => PieceAst::Literal(" ".to_string(), range),
            _ => match field(pair.as_str()) {
                Some(path) => PieceAst::Place { name: Name { path, optional: false, range }, style: None },
                None => PieceAst::Literal(pair.as_str().to_string(), range),
            },
        })
    };
    pieces.map(piece).collect()
}

fn pieces(pair: Pair<'_, Rule>) -> Result<Vec<PieceAst>, SyntaxFault> {
    pair.into_inner().filter(|p| !matches!(p.as_rule(), Rule::EOI | Rule::close_angle)).map(piece).collect()
}

fn piece(pair: Pair<'_, Rule>) -> Result<PieceAst, SyntaxFault> {
    let range = range_of(&pair);
    Ok(match pair.as_rule() {
        Rule::literal => {
            let mut text = String::new();
            let mut chars = pair.as_str().chars();
            while let Some(c) = chars.next() {
                text.push(if c == '\\' { chars.next().unwrap_or(c) } else { c });
            }
            PieceAst::Literal(text, range)
        }
        Rule::place => {
            let mut parts = pair.into_inner();
            let name = read_name(parts.next().expect("a name"));
            let style = parts.find(|p| p.as_rule() == Rule::format).map(|f| {
                let style = match f.as_str() {
                    "x" => Style::Hex,
                    "d" => Style::Dec,
                    padded => match padded.strip_suffix('x') {
                        Some(digits) => Style::PaddedHex(digits.parse().unwrap_or(u8::MAX)),
                        None => Style::Padded(padded.parse().unwrap_or(u8::MAX)),
                    },
                };
                Styled { style, range: range_of(&f) }
            });
            PieceAst::Place { name, style }
        }
        Rule::group => PieceAst::Group(pieces(pair)?, range),
        _ => {
            let mut parts = pair.into_inner();
            let cond = Box::new(read_condition(parts.next().expect("a condition"))?);
            let (mut body, mut otherwise) = (Vec::new(), Vec::new());
            for part in parts.filter(|p| p.as_rule() != Rule::close_angle) {
                match part.as_rule() {
                    Rule::otherwise => otherwise = pieces(part)?,
                    _ => body.push(piece(part)?),
                }
            }
            PieceAst::When { cond, body, otherwise, range }
        }
    })
}
