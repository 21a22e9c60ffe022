//! Layouts: bit templates in either order, and width lists.

use super::{Rule, SyntaxFault, parse, range_of, read_number};
use isa_model::bits::Word;
use pest::iterators::Pair;
use std::ops::Range;

/// A layout as it is written.
#[derive(Clone, Debug)]
pub enum Layout {
    /// Letters, most significant bit first (turned round if they were written the other way).
    Letters(Vec<(Mark, Range<usize>)>),
    /// Parts with their widths, from the most significant bit.
    Parts(Vec<LayoutPart>),
    /// Letters that read one part of another layout.
    Split(LayoutPart),
}

/// One bit of a template.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// `0` or `1`.
    Fixed(bool),
    /// A letter: a bit of a field.
    Letter(char),
    /// `-`
    Ignored,
    /// `?`
    Unknown,
    /// `.`
    Elsewhere,
}

/// A part of a width list.
#[derive(Clone, Debug)]
pub struct LayoutPart {
    /// The field.
    pub name: String,
    /// Its width.
    pub width: u32,
    /// Its division into fields by letters, most significant bit first.
    pub split: Option<Vec<(Mark, Range<usize>)>>,
    /// The place of the part.
    pub range: Range<usize>,
}

/// The fault of letters without the order in which they name the bits.
pub const NO_ORDER: &str =
    "the order of the letters is missing: `msb0 \"…\"` where the first one is the highest bit, `lsb0 \"…\"` where it is bit 0";

/// Refuses letters without the order in which they name the bits.
pub(super) fn has_an_order(text: &str) -> Result<(), SyntaxFault> {
    let start = text.len() - text.trim_start().len();
    let letters = text.trim().trim_matches('"');
    let is_letter = |c: char| c.is_ascii_alphanumeric() || " \n\r_-?.".contains(c);
    let has_order = ["lsb0", "msb0"].iter().any(|order| letters.starts_with(order));
    if has_order || letters.is_empty() || !letters.chars().all(is_letter) {
        return Ok(());
    }
    let first = text[start..].chars().next().map_or(0, char::len_utf8);
    Err(SyntaxFault::new(start..start + first, NO_ORDER))
}

/// Parses a layout.
pub fn parse_layout(text: &str) -> Result<Layout, SyntaxFault> {
    let pair = parse(Rule::layout_entry, text)?.into_inner().next().expect("a layout has a part");
    if pair.as_rule() == Rule::template_layout {
        let mut parts = pair.into_inner();
        let lsb_first = parts.next().expect("an order").as_str() == "lsb0";
        let letters = parts.next().expect("letters");
        let mut marks = marks(letters.as_str(), letters.as_span().start());
        if lsb_first {
            marks.reverse();
        }
        return Ok(Layout::Letters(marks));
    }
    if pair.as_rule() == Rule::split_layout {
        return Ok(Layout::Split(read_part(pair)?));
    }
    Ok(Layout::Parts(pair.into_inner().map(read_part).collect::<Result<_, _>>()?))
}

/// A region of the first unit of a stream as it is written.
#[derive(Clone, Debug)]
pub struct RegionEntry {
    /// Bits of a unit.
    pub width: u32,
    /// The first unit.
    pub first: Word,
    /// The last unit.
    pub last: Word,
    /// The number of `x` that each code ends with.
    pub open: u32,
}

/// Parses `1111100 0000xxxxx -> 1111100 1111xxxxx`, or one code.
pub fn parse_region(text: &str) -> Result<RegionEntry, SyntaxFault> {
    let pairs = parse(Rule::region_entry, text)?.into_inner().filter(|p| p.as_rule() == Rule::code);
    let mut codes = Vec::new();
    for pair in pairs {
        let digits: String = pair.as_str().chars().filter(|c| *c != ' ').collect();
        let code = digits.trim_end_matches('x');
        if code.contains('x') || digits.len() > Word::BITS as usize {
            return Err(SyntaxFault::new(range_of(&pair), "a code is a row of 0 and 1, and `x` for the bits that are left"));
        }
        let open = digits.len() - code.len();
        let value = code.bytes().fold(Word::ZERO, |v, b| v << 1 | Word::from(b == b'1'));
        codes.push((digits.len() as u32, value << open as u32, open as u32, range_of(&pair)));
    }
    let (width, first, open, _) = codes[0];
    let (other_width, last, other_open, range) = codes.pop().expect("a region has a code");
    if (width, open) != (other_width, other_open) {
        return Err(SyntaxFault::new(range, "both codes have as many bits, and as many `x`"));
    }
    if last < first {
        return Err(SyntaxFault::new(range, "the last code comes before the first"));
    }
    Ok(RegionEntry { width, first, last: last | Word::ones(open), open })
}

fn read_part(pair: Pair<'_, Rule>) -> Result<LayoutPart, SyntaxFault> {
    let mut part = LayoutPart { name: String::new(), width: 0, split: None, range: range_of(&pair) };
    for p in pair.into_inner() {
        match p.as_rule() {
            Rule::ident => part.name = p.as_str().to_string(),
            Rule::close | Rule::end_of_letters => {}
            Rule::split | Rule::letters => part.split = Some(marks(p.as_str(), p.as_span().start())),
            _ => {
                part.width = u32::try_from(read_number(&p)?)
                    .ok()
                    .filter(|w| (1..=Word::BITS).contains(w))
                    .ok_or_else(|| SyntaxFault::new(range_of(&p), format!("a width is 1 to {} bits", Word::BITS)))?;
            }
        }
    }
    if let Some(split) = &part.split
        && split.len() as u32 != part.width
    {
        return Err(SyntaxFault::new(part.range, format!("{} letters for {} bits", split.len(), part.width)));
    }
    Ok(part)
}

fn marks(text: &str, start: usize) -> Vec<(Mark, Range<usize>)> {
    text.char_indices()
        .filter(|(_, c)| !c.is_whitespace() && *c != '_')
        .map(|(i, c)| {
            let mark = match c {
                '0' => Mark::Fixed(false),
                '1' => Mark::Fixed(true),
                '-' => Mark::Ignored,
                '?' => Mark::Unknown,
                '.' => Mark::Elsewhere,
                c => Mark::Letter(c),
            };
            (mark, start + i..start + i + c.len_utf8())
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_begin_with_the_most_significant_bit() {
        let marks = |text: &str| match parse_layout(text) {
            Ok(Layout::Letters(marks)) => marks.into_iter().map(|(mark, _)| mark).collect::<Vec<_>>(),
            other => panic!("{other:?}"),
        };
        let wanted = [Mark::Fixed(true), Mark::Letter('a'), Mark::Letter('a'), Mark::Ignored, Mark::Unknown, Mark::Elsewhere];
        assert_eq!(marks("msb0 \"1aa -?.\""), wanted);
        assert_eq!(marks("lsb0 \".?- aa1\""), wanted);
    }

    #[test]
    fn parts_have_widths() {
        let Ok(Layout::Parts(parts)) = parse_layout("OP(7) | MOD:tu(2)") else { panic!("two parts") };
        let shown: Vec<_> =
            parts.iter().map(|p| (p.name.as_str(), p.width, p.split.as_ref().map(Vec::len), p.range.clone())).collect();
        assert_eq!(shown, [("OP", 7, None, 0..5), ("MOD", 2, Some(2), 8..17)]);
    }
}
