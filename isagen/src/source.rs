//! A line of an assembler's source: what stands before the instruction, the instruction, comments.

use std::borrow::Cow;
use std::ops::Range;

/// A longer text is not an instruction, in bytes.
const LONGEST_TEXT: usize = 16 << 10;

/// What is wrong with a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LineFault {
    /// Which bytes of the line.
    pub(crate) at: Range<usize>,
    /// The reason.
    pub(crate) message: String,
}

/// What stands before an instruction.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Mark {
    /// A label, and where it stands in the line.
    Label(String, usize),
    /// The address of what follows.
    Address(u64),
}

/// A line, taken apart.
#[derive(Debug)]
pub(crate) struct Source<'l> {
    /// All of it.
    pub(crate) whole: &'l str,
    /// The line without comments; a comment inside it is blanks, so that columns stay.
    clean: Cow<'l, str>,
    /// What stands before the instruction.
    pub(crate) marks: Vec<Mark>,
    /// Where the instruction stands; it is empty if there is none.
    at: Range<usize>,
    pub(crate) fault: Option<LineFault>,
}

impl<'l> Source<'l> {
    /// Takes a line apart.
    pub(crate) fn new(whole: &'l str, comments: &Comments) -> Self {
        // What a command before this one could not do is passed on.
        if let Some(reason) = whole.strip_prefix("! ") {
            let at = 0..whole.trim_end().len();
            let fault = Some(LineFault { at: at.clone(), message: reason.trim().to_owned() });
            return Self { whole, clean: whole.into(), marks: Vec::new(), at, fault };
        }
        let clean = comments.strip(whole);
        let (mut marks, mut fault) = (Vec::new(), None);
        let mut at = clean.len() - clean.trim_start().len();
        while let Some((mark, after)) = mark(whole, &clean, at) {
            match mark {
                Ok(mark) => marks.push(mark),
                Err(error) => fault = Some(error),
            }
            let rest = &clean[after..];
            at = after + rest.len() - rest.trim_start().len();
        }
        let at = at..at + clean[at..].trim_end().len();
        if at.len() > LONGEST_TEXT && fault.is_none() {
            fault = Some(LineFault { at: at.clone(), message: format!("no instruction is longer than {LONGEST_TEXT} bytes") });
        }
        Self { whole, clean, marks, at, fault }
    }

    /// The instruction without comments.
    pub(crate) fn text(&self) -> &str {
        &self.clean[self.at.clone()]
    }

    /// Where it begins in the line.
    pub(crate) fn at(&self) -> usize {
        self.at.start
    }
}

/// Whether a label can have this name.
pub(crate) fn is_name(name: &str) -> bool {
    name.starts_with(|c: char| !c.is_ascii_digit())
}

/// A label or an address at this place of the line, and where it ends.
fn mark(whole: &str, clean: &str, at: usize) -> Option<(Result<Mark, LineFault>, usize)> {
    let rest = &clean[at..];
    let length = rest.find(|c: char| !c.is_alphanumeric() && !"_.$".contains(c))?;
    let first = rest.chars().next().filter(|_| length > 0)?;
    let colon = rest[length..].find(|c: char| !c.is_whitespace()).filter(|n| rest[length + n..].starts_with(':'))?;
    let after = at + length + colon + 1;
    // `a::b` is a name.
    if clean[after..].starts_with(':') {
        return None;
    }
    let name = &whole[at..at + length];
    if !first.is_ascii_digit() {
        return Some((Ok(Mark::Label(name.to_owned(), at)), after));
    }
    let digits = name.strip_prefix("0x").or_else(|| name.strip_prefix("0X")).unwrap_or(name);
    let address = u64::from_str_radix(digits, 16).map(Mark::Address);
    Some((
        address
            .map_err(|_| LineFault { at: at..at + length, message: format!("`{name}` is not a hexadecimal address of 64 bits") }),
        after,
    ))
}

/// What begins a comment: a mark that the instruction set's own text uses is none.
pub(crate) struct Comments {
    tails: Vec<&'static str>,
    blocks: bool,
}

impl Comments {
    /// The marks that are not in any of an instruction set's own texts.
    pub(crate) fn new(own: &str) -> Self {
        Self { tails: ["#", "//", ";"].into_iter().filter(|m| !own.contains(m)).collect(), blocks: !own.contains("/*") }
    }

    /// A mark behind which the rest of a line is a comment.
    pub(crate) fn mark(&self) -> Option<&'static str> {
        self.tails.iter().find(|mark| **mark == "//").or(self.tails.first()).copied()
    }

    /// The line without comments, blanks in their place.
    pub(crate) fn strip<'l>(&self, line: &'l str) -> Cow<'l, str> {
        // Most lines have no comment.
        if !line.bytes().any(|b| matches!(b, b'#' | b'/' | b';')) {
            return line.into();
        }
        let mut clean = String::with_capacity(line.len());
        let mut rest = line;
        while self.blocks
            && let Some(start) = rest.find("/*")
            && let Some(length) = rest[start..].find("*/")
        {
            let end = start + length + 2;
            clean.push_str(&rest[..start]);
            clean.extend(std::iter::repeat_n(' ', end - start));
            rest = &rest[end..];
        }
        clean.push_str(rest);
        let end = self.tails.iter().filter_map(|m| clean.find(m)).min().unwrap_or(clean.len());
        clean.truncate(end);
        clean.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: Comments = Comments { tails: Vec::new(), blocks: true };

    fn label(name: &str, at: usize) -> Mark {
        Mark::Label(name.to_owned(), at)
    }

    fn marks(line: &str) -> (Vec<Mark>, String, usize) {
        let source = Source::new(line, &Comments { tails: vec!["#", "//", ";"], ..ALL });
        assert_eq!(source.fault, None);
        let text = source.text().to_owned();
        (source.marks, text, source.at.start)
    }

    #[test]
    fn labels_and_addresses() {
        assert_eq!(marks("  NOP ; x"), (vec![], "NOP".into(), 2));
        assert_eq!(marks("loop: NOP"), (vec![label("loop", 0)], "NOP".into(), 6));
        assert_eq!(marks("add:"), (vec![label("add", 0)], "".into(), 4));
        assert_eq!(marks("0x10: .L_1 : NOP"), (vec![Mark::Address(16), label(".L_1", 6)], "NOP".into(), 13));
        assert_eq!(marks("0a5b0: NOP // y"), (vec![Mark::Address(0xa5b0)], "NOP".into(), 7));
        assert_eq!(marks("a::b c"), (vec![], "a::b c".into(), 0));
        assert_eq!(marks("NOP [B0-----:R-:W2]"), (vec![], "NOP [B0-----:R-:W2]".into(), 0));
        assert_eq!(marks("/*0010*/ NOP ; /* 0x1 */"), (vec![], "NOP".into(), 9));
    }

    #[test]
    fn failures_are_passed_on() {
        let source = Source::new("! not this; not that", &ALL);
        assert_eq!(source.fault, Some(LineFault { at: 0..20, message: "not this; not that".into() }));
    }

    #[test]
    fn an_address_is_hexadecimal() {
        let source = Source::new("12345678901234567: NOP", &ALL);
        let message = "`12345678901234567` is not a hexadecimal address of 64 bits".to_owned();
        assert_eq!(source.fault, Some(LineFault { at: 0..17, message }));
    }
}
