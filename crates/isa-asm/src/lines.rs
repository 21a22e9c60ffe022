//! The lines of a program: statements, each with its labels and addresses; comments.

use crate::expr::character;
use isa_engine::{Assembly, is_local, is_symbol};
use std::borrow::Cow;
use std::ops::Range;

/// A longer text is not an instruction, in bytes.
const LONGEST_TEXT: usize = 16 << 10;

/// An error in a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineFault {
    /// The bytes of the line.
    pub at: Range<usize>,
    /// The reason.
    pub message: String,
}

/// A label or an address before an instruction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Mark {
    /// A label, and its place in the line.
    Label(String, usize),
    /// A local label, which is a decimal number, and its place in the line.
    Local(String, usize),
    /// The address of the next statement.
    Address(u64),
}

/// A parsed statement of a line.
#[derive(Debug)]
pub struct Source<'l> {
    /// All of the line.
    pub whole: &'l str,
    /// The statement with its labels, without comments; a comment within it is replaced by blanks, so that columns stay.
    part: Cow<'l, str>,
    /// Its start in the line.
    start: usize,
    /// The labels and addresses before the instruction.
    pub marks: Vec<Mark>,
    /// The first address that is written without `0x`.
    pub bare: Option<Range<usize>>,
    /// The place of the instruction; empty if there is none.
    at: Range<usize>,
    /// The error in it.
    pub fault: Option<LineFault>,
}

impl<'l> Source<'l> {
    /// Parses a line with one statement.
    pub fn new(whole: &'l str, comments: &Comments) -> Self {
        let mut all = Statements::new(whole, comments, comments.strip(whole)).filter(|source| !source.is_empty());
        let Some(mut first) = all.next() else {
            return Self { whole, part: "".into(), start: 0, marks: Vec::new(), bare: None, at: 0..0, fault: None };
        };
        if let (Some(second), None) = (all.next(), &first.fault) {
            first.fault = Some(LineFault { at: second.at, message: "one statement a line is expected here".to_owned() });
        }
        first
    }

    /// A statement that begins at a byte of the line.
    fn statement(whole: &'l str, part: Cow<'l, str>, start: usize) -> Self {
        let (mut marks, mut bare, mut fault) = (Vec::new(), None, None);
        let text = &*part;
        let mut at = text.len() - text.trim_start().len();
        while let Some((mark, name, after)) = mark(text, at) {
            let place = start + name.start..start + name.end;
            match mark {
                Ok(mark) => {
                    let is_bare = matches!(mark, Mark::Address(_)) && !has_prefix(&text[name]);
                    bare = bare.or(is_bare.then_some(place));
                    marks.push(match mark {
                        Mark::Label(name, at) => Mark::Label(name, start + at),
                        Mark::Local(name, at) => Mark::Local(name, start + at),
                        Mark::Address(_) => mark,
                    });
                }
                Err(message) => fault = Some(LineFault { at: place, message }),
            }
            at = text.len() - text[after..].trim_start().len();
        }
        let own = text[at..].trim_end();
        let place = start + at..start + at + own.len();
        if own.len() > LONGEST_TEXT && fault.is_none() && !own.starts_with('.') {
            fault = Some(LineFault { at: place.clone(), message: format!("no instruction is longer than {LONGEST_TEXT} bytes") });
        }
        Self { whole, part, start, marks, bare, at: place, fault }
    }

    /// True if it is empty.
    fn is_empty(&self) -> bool {
        self.at.is_empty() && self.marks.is_empty() && self.fault.is_none()
    }

    /// The instruction without comments.
    pub fn text(&self) -> &str {
        &self.part[self.at.start - self.start..self.at.end - self.start]
    }

    /// The statement with its labels.
    pub(crate) fn part(&self) -> &str {
        &self.part
    }

    /// The labels and addresses before the instruction.
    pub(crate) fn before(&self) -> &str {
        &self.part[..self.at.start - self.start]
    }

    /// Its start in the line.
    pub fn at(&self) -> usize {
        self.at.start
    }
}

/// The statements of a line, one after the other.
pub struct Statements<'l, 'c> {
    whole: &'l str,
    comments: &'c Comments,
    /// The line without comments, until its last statement takes it.
    clean: Option<Cow<'l, str>>,
    /// The start of the next statement.
    at: usize,
}

impl<'l, 'c> Statements<'l, 'c> {
    /// The statements of a line, given without its comments.
    fn new(whole: &'l str, comments: &'c Comments, clean: Cow<'l, str>) -> Self {
        Self { whole, comments, clean: Some(clean), at: 0 }
    }
}

impl<'l> Iterator for Statements<'l, '_> {
    type Item = Source<'l>;

    fn next(&mut self) -> Option<Source<'l>> {
        let (whole, clean) = (self.whole, self.clean.take()?);
        // Errors of an earlier command are passed on.
        if let Some(reason) = clean.strip_prefix("! ") {
            let at = 0..whole.trim_end().len();
            let fault = Some(LineFault { at: at.clone(), message: reason.trim().to_owned() });
            return Some(Source { whole, part: whole.into(), start: 0, marks: Vec::new(), bare: None, at, fault });
        }
        let start = self.at;
        let rest = &clean[start..];
        let separator = if self.comments.may_begin(rest) { first_of(&self.comments.separators, rest) } else { None };
        let end = separator.as_ref().map_or(clean.len(), |separator| start + separator.start);
        let part = match &clean {
            Cow::Borrowed(clean) => Cow::Borrowed(&clean[start..end]),
            Cow::Owned(clean) => Cow::Owned(clean[start..end].to_owned()),
        };
        if let Some(separator) = separator {
            self.at = start + separator.end;
            self.clean = Some(clean);
        }
        Some(Source::statement(whole, part, start))
    }
}

/// The lines of a program, in which a comment can span lines.
#[derive(Clone, Default)]
pub struct Scanner {
    comments: Comments,
    /// The comment that is not closed: the number and the text of its first line, and its place there.
    open: Option<(usize, String, usize)>,
}

impl Scanner {
    /// A scanner before the first line.
    pub fn new(comments: Comments) -> Self {
        Self { comments, open: None }
    }

    /// The statements of the next line.
    pub fn statements<'l>(&mut self, number: usize, line: &'l str) -> Statements<'l, '_> {
        let mut open = self.open.as_ref().map(|_| Begin::Before);
        let clean = self.comments.without(line, &mut open);
        match open {
            None => self.open = None,
            Some(Begin::Before) => {}
            Some(Begin::At(at)) => self.open = Some((number, line.to_owned(), at)),
        }
        Statements::new(line, &self.comments, clean)
    }

    /// True if the next line begins within a comment.
    pub fn is_open(&self) -> bool {
        self.open.is_some()
    }

    /// The comment that is not closed: its first line, and the error.
    pub fn unclosed(&mut self) -> Option<(usize, String, LineFault)> {
        let (number, line, at) = self.open.take()?;
        let message = format!("the comment does not end: there is no `{}` behind it", BLOCK[1]);
        Some((number, line, LineFault { at: at..at + BLOCK[0].len(), message }))
    }
}

/// True if a label can have this name, perhaps by a reference to a local one.
pub fn is_name(name: &str) -> bool {
    name.starts_with(|c: char| !c.is_ascii_digit()) || is_local(name)
}

/// A label or an address at this place of a line, with its place and the place where the next one can be; or the error.
fn mark(text: &str, at: usize) -> Option<(Result<Mark, String>, Range<usize>, usize)> {
    let rest = &text[at..];
    let length = rest.find(|c: char| !is_symbol(c))?;
    let first = rest.chars().next().filter(|_| length > 0)?;
    let colon = rest[length..].find(|c: char| !c.is_whitespace()).filter(|n| rest[length + n..].starts_with(':'))?;
    let after = at + length + colon + 1;
    // `a::b` is a name.
    if text[after..].starts_with(':') {
        return None;
    }
    let (name, place) = (&rest[..length], at..at + length);
    let mark = if !first.is_ascii_digit() {
        Ok(Mark::Label(name.to_owned(), at))
    } else if name == "0" || (first != '0' && name.bytes().all(|c| c.is_ascii_digit())) {
        Ok(Mark::Local(name.to_owned(), at))
    } else {
        let digits = if has_prefix(name) { &name[2..] } else { name };
        let address = u64::from_str_radix(digits, 16).map(Mark::Address);
        address.map_err(|_| format!("`{name}` is not a hexadecimal address of 64 bits"))
    };
    Some((mark, place, after))
}

/// True if a number begins with `0x`.
fn has_prefix(number: &str) -> bool {
    number.starts_with("0x") || number.starts_with("0X")
}

/// The place of the first of some marks in a text outside of strings and characters, the longest if several match.
fn first_of(marks: &[String], text: &str) -> Option<Range<usize>> {
    if marks.is_empty() {
        return None;
    }
    let mut at = 0;
    while at < text.len() {
        let rest = &text.as_bytes()[at..];
        if matches!(rest[0], b'"' | b'\'') {
            at += quoted(text, at).unwrap_or(1);
            continue;
        }
        let found = marks.iter().filter(|mark| rest.starts_with(mark.as_bytes())).map(String::len).max();
        if let Some(length) = found {
            return Some(at..at + length);
        }
        at += 1;
    }
    None
}

/// The length of the string or the character that begins at this byte, if one does.
pub(crate) fn quoted(text: &str, at: usize) -> Option<usize> {
    let rest = &text[at..];
    if rest.starts_with('\'') {
        let is_inside = text[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_');
        return character(rest).map(|(_, length)| length).filter(|_| !is_inside);
    }
    let mut escaped = false;
    rest.char_indices().skip(1).find_map(|(at, c)| {
        let ends = c == '"' && !escaped;
        escaped = c == '\\' && !escaped;
        ends.then_some(at + 1)
    })
}

/// The start and end marks of a comment that can span lines.
const BLOCK: [&str; 2] = Assembly::BLOCK;

/// The start of a comment that is not closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Begin {
    /// On a line before.
    Before,
    /// At this byte of the line.
    At(usize),
}

/// The marks of comments and between statements.
#[derive(Clone, Debug, Default)]
pub struct Comments {
    tails: Vec<String>,
    separators: Vec<String>,
    blocks: bool,
    block: [String; 1],
    /// The first characters of all of them, one bit each; the last bit means all that are not ASCII.
    begins: u128,
}

impl Comments {
    /// The marks of an instruction set.
    pub fn new(assembly: &Assembly) -> Self {
        let Assembly { comments, separators, blocks, .. } = assembly.clone();
        let block = BLOCK[0].bytes().take(usize::from(blocks));
        let begins = comments.iter().chain(&separators).filter_map(|mark| mark.bytes().next()).chain(block);
        let begins = begins.fold(0, |set, c| set | 1 << c.min(127));
        Self { tails: comments, separators, blocks, block: [BLOCK[0].to_owned()], begins }
    }

    /// A mark that makes the rest of a line a comment.
    pub fn mark(&self) -> Option<&str> {
        self.tails.iter().find(|mark| *mark == "//").or(self.tails.first()).map(String::as_str)
    }

    /// True if a comment or another statement can begin on a line: most lines have neither.
    fn may_begin(&self, line: &str) -> bool {
        line.bytes().any(|c| self.begins >> c.min(127) & 1 != 0)
    }

    /// The line with comments replaced by blanks; a comment that does not end on the line is left.
    pub fn strip<'l>(&self, line: &'l str) -> Cow<'l, str> {
        let mut open = None;
        let clean = self.without(line, &mut open);
        if open.is_some() { line.into() } else { clean }
    }

    /// The same for one of several lines. `open` is the comment in which it begins, and then that in which it ends.
    fn without<'l>(&self, line: &'l str, open: &mut Option<Begin>) -> Cow<'l, str> {
        // Errors of an earlier command are passed on.
        if open.is_none() && (!self.may_begin(line) || line.starts_with("! ")) {
            return line.into();
        }
        let (mut clean, mut at) = (String::new(), 0);
        loop {
            let rest = &line[at..];
            if open.is_some() {
                let end = rest.find(BLOCK[1]).map(|end| end + BLOCK[1].len());
                clean.extend(std::iter::repeat_n(' ', end.unwrap_or(rest.len())));
                let Some(end) = end else { return clean.into() };
                *open = None;
                at += end;
                continue;
            }
            let tail = first_of(&self.tails, rest).map_or(rest.len(), |tail| tail.start);
            match first_of(&self.block, rest).map(|block| block.start).filter(|block| self.blocks && *block <= tail) {
                None if at == 0 => return line[..tail].into(),
                None => {
                    clean.push_str(&rest[..tail]);
                    return clean.into();
                }
                Some(block) => {
                    clean.push_str(&rest[..block]);
                    clean.extend(std::iter::repeat_n(' ', BLOCK[0].len()));
                    *open = Some(Begin::At(at + block));
                    at += block + BLOCK[0].len();
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn comments(tails: &[&str], separators: &[&str]) -> Comments {
        let list = |marks: &[&str]| marks.iter().map(|mark| (*mark).to_owned()).collect();
        Comments::new(&Assembly { comments: list(tails), separators: list(separators), blocks: true, ..Assembly::default() })
    }

    fn all() -> Comments {
        comments(&["#", "//", ";"], &[])
    }

    fn label(name: &str, at: usize) -> Mark {
        Mark::Label(name.to_owned(), at)
    }

    fn marks(line: &str) -> (Vec<Mark>, String, usize) {
        let source = Source::new(line, &all());
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
    fn a_number_of_decimal_digits_is_a_local_label() {
        let local = |name: &str, at| Mark::Local(name.to_owned(), at);
        assert_eq!(marks("2: NOP"), (vec![local("2", 0)], "NOP".into(), 3));
        assert_eq!(marks("0: 10: NOP"), (vec![local("0", 0), local("10", 3)], "NOP".into(), 7));
        assert_eq!(marks("0010: NOP"), (vec![Mark::Address(0x10)], "NOP".into(), 6));
        assert_eq!(marks("1f8: NOP"), (vec![Mark::Address(0x1f8)], "NOP".into(), 5));
        assert_eq!(Source::new("0010: NOP", &all()).bare, Some(0..4));
        assert_eq!(Source::new("0x10: NOP", &all()).bare, None);
    }

    /// The statements of lines, each with its place.
    fn statements(comments: Comments, lines: &[&str]) -> Vec<(String, usize)> {
        let mut scanner = Scanner::new(comments);
        let mut found = Vec::new();
        for (number, line) in lines.iter().enumerate() {
            found.extend(scanner.statements(number, line).filter(|s| !s.is_empty()).map(|s| (s.text().to_owned(), s.at())));
        }
        found.extend(scanner.unclosed().map(|(number, line, fault)| (format!("{number}: {line}"), fault.at.start)));
        found
    }

    #[test]
    fn statements_of_a_line() {
        let own = |text: &str, at| (text.to_owned(), at);
        assert_eq!(statements(all(), &["a; b"]), [own("a", 0)]);
        assert_eq!(statements(comments(&["#"], &[";"]), &["a; x: b ;; c # d; e"]), [own("a", 0), own("b", 6), own("c", 11)]);
        assert_eq!(statements(comments(&["#"], &["|", "||"]), &["a||b|c"]), [own("a", 0), own("b", 3), own("c", 5)]);
        assert_eq!(statements(comments(&["é"], &[";"]), &["a é b; c"]), [own("a", 0)]);
        let two = Source::new("a; b", &comments(&[], &[";"])).fault;
        assert_eq!(two.map(|fault| fault.at), Some(3..4));
    }

    #[test]
    fn comments_of_several_lines() {
        let own = |text: &str, at| (text.to_owned(), at);
        let found = statements(all(), &["a /* b", "c", "! d", "*/ e /* f */ /*", "*/"]);
        assert_eq!(found, [own("a", 0), own("e", 3)]);
        assert_eq!(statements(all(), &["a # /* b", "c"]), [own("a", 0), own("c", 0)]);
        assert_eq!(statements(all(), &["a", " /* b /* c", "d"]), [own("a", 0), own("1:  /* b /* c", 1)]);
    }

    #[test]
    fn failures_are_passed_on() {
        let source = Source::new("! not this; not that", &all());
        assert_eq!(source.fault, Some(LineFault { at: 0..20, message: "not this; not that".into() }));
    }

    #[test]
    fn an_address_is_hexadecimal() {
        let source = Source::new("0x12345678901234567: NOP", &all());
        let message = "`0x12345678901234567` is not a hexadecimal address of 64 bits".to_owned();
        assert_eq!(source.fault, Some(LineFault { at: 0..19, message }));
    }
}
