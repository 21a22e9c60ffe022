//! Texts with places, character by character.

use super::Span;
use std::borrow::Cow;
use std::ops::Range;

/// The content of a parameter after `$`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hole<'t> {
    /// `$name` or `${name}`.
    Name(&'t str),
    /// `$(64 - r)`: what the brackets hold.
    Sum(&'t str),
}

/// Some bytes of a text, and what is put in their place.
pub type Part<'v> = (Range<usize>, Cow<'v, str>);

/// The parameter at the beginning of a text, after `$`, and its length in bytes.
fn hole(rest: &str) -> (Hole<'_>, usize) {
    let length = |text: &str| text.bytes().take_while(|b| b.is_ascii_alphanumeric() || *b == b'_').count();
    let braced = rest.strip_prefix('{').and_then(|rest| rest.split_once('}')).map(|(name, _)| name);
    if let Some(name) = braced.filter(|name| !name.is_empty() && length(name) == name.len()) {
        return (Hole::Name(name), name.len() + 2);
    }
    let mut open = 0usize;
    for (at, b) in rest.bytes().enumerate().take_while(|_| rest.starts_with('(')) {
        open = match b {
            b'(' => open + 1,
            b')' => open - 1,
            _ => open,
        };
        if open == 0 {
            return (Hole::Sum(&rest[1..at]), at + 1);
        }
    }
    let name = &rest[..length(rest)];
    (Hole::Name(name), name.len())
}

/// A text with the origin of each of its bytes.
#[derive(Clone, Debug)]
pub struct Text {
    /// The text, decoded.
    pub value: String,
    /// The place of the whole text.
    pub span: Span,
    places: Places,
}

/// For each byte of a text, and for its end, the byte of the file: runs, the first at 0.
#[derive(Clone, Debug, Default)]
struct Places(Vec<Run>);

/// Bytes that follow each other in the file as they do in the text, or that all have one place.
#[derive(Clone, Copy, Debug)]
struct Run {
    /// The beginning in the text.
    at: u32,
    /// The beginning in the file.
    place: u32,
    one_place: bool,
}

impl Places {
    /// A single run: the text is in the file unchanged, from `place` on.
    fn from(place: usize) -> Self {
        Self(vec![Run { at: 0, place: place as u32, one_place: false }])
    }

    /// The byte of the file.
    fn of(&self, at: usize) -> u32 {
        let Some(last) = self.0.partition_point(|r| r.at as usize <= at).checked_sub(1) else { return 0 };
        let Run { at: start, place, one_place } = self.0[last];
        if one_place { place } else { place + (at as u32 - start) }
    }

    /// From this byte of the text on, up to the next run.
    fn push(&mut self, at: usize, place: u32, one_place: bool) {
        let at = at as u32;
        let goes_on = |last: &Run| !last.one_place && !one_place && last.place + (at - last.at) == place;
        if !self.0.last().is_some_and(goes_on) {
            self.0.push(Run { at, place, one_place });
        }
    }

    /// Appends the runs of a part of `of` to a text of `length` bytes.
    fn append(&mut self, length: usize, of: &Self, range: Range<usize>) {
        let first = of.0.partition_point(|r| r.at as usize <= range.start).saturating_sub(1);
        for run in of.0[first..].iter().take_while(|r| (r.at as usize) <= range.end) {
            let start = (run.at as usize).max(range.start);
            self.push(length + start - range.start, of.of(start), run.one_place);
        }
    }
}

impl Text {
    /// A text that does not occur literally, at the place that it comes from.
    pub fn new(value: impl Into<String>, span: Span) -> Self {
        Self { value: value.into(), span, places: Places(vec![Run { at: 0, place: span.start, one_place: true }]) }
    }

    /// No text, at a place.
    pub fn empty(span: Span) -> Self {
        Self { value: String::new(), span, places: Places::from(span.start as usize) }
    }

    /// A part of the text.
    pub fn slice(&self, range: Range<usize>) -> Self {
        let mut places = Places::default();
        places.append(0, &self.places, range.clone());
        Self { value: self.value[range.clone()].to_string(), span: self.at(range.clone()), places }
    }

    fn place(&self, at: usize) -> u32 {
        self.places.of(at.min(self.value.len()))
    }

    /// The place of a part of the text.
    pub fn at(&self, range: Range<usize>) -> Span {
        let start = self.place(range.start);
        let end = if range.end > range.start { self.place(range.end - 1) + 1 } else { start };
        // A range that crosses replaced parameters may run backwards; then the start is all that can be said.
        Span { file: self.span.file, start, end: end.max(start) }
    }

    /// The text with some parts replaced; `None` if nothing is. For each parameter after `$`, `parts_of` returns the parts of the
    /// text to replace, in order, with their values. A value gets the place of the part that it replaces.
    ///
    /// # Errors
    /// The first error of `parts_of`.
    pub fn replaced<'v, E>(
        &self,
        mut parts_of: impl FnMut(Hole<'_>, Range<usize>) -> Result<Vec<Part<'v>>, E>,
    ) -> Result<Option<Text>, E> {
        let (mut out, mut places) = (String::new(), Places::default());
        let (mut done, mut at) = (0, 0);
        while let Some(found) = self.value[at..].find('$') {
            let dollar = at + found;
            let (hole, length) = hole(&self.value[dollar + 1..]);
            at = dollar + 1 + length;
            for (part, value) in parts_of(hole, dollar..at)? {
                places.append(out.len(), &self.places, done..part.start);
                out.push_str(&self.value[done..part.start]);
                places.push(out.len(), self.place(part.start), true);
                out.push_str(&value);
                done = part.end;
            }
        }
        if done == 0 {
            return Ok(None);
        }
        places.append(out.len(), &self.places, done..self.value.len());
        out.push_str(&self.value[done..]);
        Ok(Some(Text { value: out, span: self.span, places }))
    }

    /// The decoded text of a scalar of YAML: quotes, escapes, folded lines and indentation of its source are stepped over.
    pub fn locate(value: String, source: &str, span: Span) -> Self {
        let block = block_start(&source[..span.range().start]);
        let start = block.unwrap_or(span.range().start);
        let raw = &source[start..span.range().end.max(start)];
        let block = block.is_some();
        if value == raw {
            return Self { value, span, places: Places::from(start) };
        }
        // A text in quotes without escapes.
        if raw.len() == value.len() + 2 && raw.get(1..=value.len()) == Some(value.as_str()) {
            return Self { value, span, places: Places::from(start + 1) };
        }
        let bytes = raw.as_bytes();
        let double = !block && bytes.first() == Some(&b'"');
        let single = !block && bytes.first() == Some(&b'\'');
        let mut at = usize::from(double || single);
        let mut places = Places::default();
        for (i, c) in value.char_indices() {
            let mut step = c.len_utf8();
            loop {
                match bytes.get(at) {
                    Some(b'\\') if double && !matches!(bytes.get(at + 1), Some(b'\n' | b'\r')) => {
                        step = match bytes.get(at + 1) {
                            Some(b'x') => 4,
                            Some(b'u') => 6,
                            Some(b'U') => 10,
                            _ => 2,
                        };
                        break;
                    }
                    Some(b'\'') if single => {
                        step = 2;
                        break;
                    }
                    Some(_) if raw[at..].starts_with(c) => break,
                    // A folded line break reads as a blank; indentation is not part of the text.
                    Some(b'\n') if c == ' ' => break,
                    Some(_) => at += raw[at..].chars().next().map_or(1, char::len_utf8),
                    None => break,
                }
            }
            // A character that is unchanged in the file keeps its bytes; an escape is one place.
            let itself = raw.get(at..).is_some_and(|r| r.starts_with(c));
            places.push(i, (start + at.min(bytes.len())) as u32, !itself);
            at = (at + step).min(bytes.len());
        }
        places.push(value.len(), (start + at) as u32, false);
        Self { value, span, places }
    }
}

/// The beginning of the lines of a block (`|`, `>`), if the scalar after this text is one: they are indented under the indicator,
/// blank lines and deeper indentation are part of them, and a quote at their beginning is an ordinary character.
fn block_start(before: &str) -> Option<usize> {
    let above = before.trim_end_matches([' ', '\t']).strip_suffix('\n')?.trim_end();
    let line = above.rsplit('\n').next().unwrap_or("");
    let line =
        line.split(" #").next().unwrap_or(line).trim_end().trim_end_matches(|c: char| c.is_ascii_digit() || c == '+' || c == '-');
    let lines = above.len() + before[above.len()..].find('\n')? + 1;
    line.ends_with(['|', '>']).then_some(lines)
}
