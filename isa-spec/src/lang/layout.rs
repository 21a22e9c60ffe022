//! Layouts: bit templates in either order, and width lists.

use super::{Fault, Rule, parse, range_of, read_number};
use std::ops::Range;

/// A layout as it is written.
#[derive(Clone, Debug)]
pub enum Layout {
    /// Letters, most significant bit first (turned round if they were written the other way).
    Letters(Vec<(Mark, Range<usize>)>),
    /// Parts with their widths, from the most significant bit.
    Parts(Vec<Part>),
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
pub struct Part {
    /// The field.
    pub name: String,
    /// Its width.
    pub width: u32,
    /// How letters read it, most significant bit first.
    pub split: Option<Vec<(Mark, Range<usize>)>>,
    /// Where it stands.
    pub range: Range<usize>,
}

/// Parses a layout.
pub fn parse_layout(text: &str) -> Result<Layout, Fault> {
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
    let mut list = Vec::new();
    for pair in pair.into_inner() {
        let range = range_of(&pair);
        let mut part = Part { name: String::new(), width: 0, split: None, range };
        for p in pair.into_inner() {
            match p.as_rule() {
                Rule::ident => part.name = p.as_str().to_string(),
                Rule::split => part.split = Some(marks(p.as_str(), p.as_span().start())),
                _ => {
                    part.width = u32::try_from(read_number(&p)?)
                        .ok()
                        .filter(|w| (1..=128).contains(w))
                        .ok_or_else(|| Fault::new(range_of(&p), "a width is 1 to 128 bits"))?;
                }
            }
        }
        if let Some(split) = &part.split
            && split.len() as u32 != part.width
        {
            return Err(Fault::new(part.range, format!("{} letters for {} bits", split.len(), part.width)));
        }
        list.push(part);
    }
    Ok(Layout::Parts(list))
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
