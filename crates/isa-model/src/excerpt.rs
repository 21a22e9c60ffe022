//! The lines of a file that a finding shows. Rendering takes time in proportion to what it is given, so that findings in large files
//! are rendered from excerpts: the lines around each place, empty lines between them, so that line numbers stay right.

use crate::escape::mask;
use crate::span::SourceFile;
use std::ops::{Range, RangeInclusive};

/// Lines that are shown before and after a place at most.
const CONTEXT: usize = 4;
/// The number of lines between two places beyond which they are in different excerpts.
const GAP: usize = 10_000;
/// If a place has more lines, or is longer than the longest line, only its first line is marked.
const LONGEST_PLACE: usize = 1_000;
/// A longer line is not shown, in bytes.
const LONGEST_LINE: usize = 16 << 10;

/// Some lines of a file with the places in them.
#[derive(Debug)]
pub(crate) struct Excerpt {
    /// The text, safe to show.
    pub(crate) text: String,
    /// The number of its first line, from 1.
    pub(crate) first_line: usize,
    /// The places: which of those that were asked for, and its bytes of the text.
    pub(crate) places: Vec<(usize, Range<usize>)>,
}

/// A place with its lines, counted from 0.
#[derive(Clone, Debug)]
struct Place {
    which: usize,
    bytes: Range<usize>,
    lines: RangeInclusive<usize>,
}

/// The excerpts that show places of a file, the first place's first; `None` if a line is too long to be shown.
pub(crate) fn excerpts(file: &SourceFile, places: &[Range<usize>]) -> Option<Vec<Excerpt>> {
    let mut sorted: Vec<Place> = places.iter().enumerate().map(|(which, bytes)| place(file, which, bytes)).collect();
    sorted.sort_by_key(|place| (place.bytes.start, place.which));
    let mut clusters: Vec<Vec<Place>> = Vec::new();
    let mut last = 0;
    for place in sorted {
        let end = *place.lines.end();
        match clusters.last_mut() {
            Some(cluster) if *place.lines.start() <= last + GAP => cluster.push(place),
            _ => clusters.push(vec![place]),
        }
        last = last.max(end);
    }
    clusters.sort_by_key(|cluster| cluster.iter().map(|place| place.which).min());
    clusters.iter().map(|cluster| excerpt(&file.text, cluster)).collect()
}

/// A place inside the file, between characters, that is not too long.
fn place(file: &SourceFile, which: usize, bytes: &Range<usize>) -> Place {
    let text = &*file.text;
    let (mut start, mut end) = (bytes.start.min(text.len()), bytes.end.min(text.len()));
    while !text.is_char_boundary(start) {
        start -= 1;
    }
    end = end.max(start);
    while !text.is_char_boundary(end) {
        end += 1;
    }
    let first = file.line_col(start).0 - 1;
    let mut more = text[start..end].bytes().filter(|b| *b == b'\n').count();
    if more > LONGEST_PLACE || end - start > LONGEST_LINE {
        end = text[start..].find('\n').map_or(end, |length| start + length);
        more = 0;
    }
    Place { which, bytes: start..end, lines: first..=first + more }
}

/// The beginning of the line that contains an offset; `None` if that is far away.
fn line_start(text: &str, offset: usize) -> Option<usize> {
    let far = offset.saturating_sub(LONGEST_LINE);
    match text.as_bytes()[far..offset].iter().rposition(|b| *b == b'\n') {
        Some(at) => Some(far + at + 1),
        None => (far == 0).then_some(0),
    }
}

/// The beginning of the next line, or the end of the file; `None` if that is far away.
fn line_end(text: &str, offset: usize) -> Option<usize> {
    let far = text.len().min(offset + LONGEST_LINE);
    match text.as_bytes()[offset..far].iter().position(|b| *b == b'\n') {
        Some(at) => Some(offset + at + 1),
        None => (far == text.len()).then_some(far),
    }
}

/// Lines of a file, one after the other.
struct Lines {
    bytes: Range<usize>,
    /// The number of the first, from 0.
    first: usize,
}

/// The lines of a place, and those around it that are not too long.
fn lines_around(text: &str, place: &Place) -> Option<Lines> {
    let (mut start, mut first) = (line_start(text, place.bytes.start)?, *place.lines.start());
    for _ in 0..CONTEXT {
        let Some(before) = start.checked_sub(1).and_then(|end| line_start(text, end)) else { break };
        (start, first) = (before, first - 1);
    }
    let mut end = line_end(text, place.bytes.end)?;
    for _ in 0..CONTEXT {
        let Some(after) = line_end(text, end) else { break };
        end = after;
    }
    Some(Lines { bytes: start..end, first })
}

fn excerpt(text: &str, places: &[Place]) -> Option<Excerpt> {
    let mut shown: Vec<Lines> = Vec::new();
    for place in places {
        let lines = lines_around(text, place)?;
        match shown.last_mut() {
            Some(before) if lines.bytes.start <= before.bytes.end => before.bytes.end = before.bytes.end.max(lines.bytes.end),
            _ => shown.push(lines),
        }
    }
    let first_line = shown.first()?.first;
    let mut out = String::new();
    let mut next = first_line;
    // For each run of lines, where it begins in the file and in the excerpt.
    let mut moved: Vec<(usize, usize)> = Vec::new();
    for Lines { bytes, first } in shown {
        out.extend(std::iter::repeat_n('\n', first - next));
        moved.push((bytes.start, out.len()));
        next = first + text[bytes.clone()].bytes().filter(|b| *b == b'\n').count();
        out.push_str(&text[bytes]);
    }
    let place_of = |offset: usize| {
        let (from, to) = moved[moved.partition_point(|(from, _)| *from <= offset).checked_sub(1)?];
        Some(offset - from + to)
    };
    let marked = |place: &Place| Some((place.which, place_of(place.bytes.start)?..place_of(place.bytes.end)?));
    let places = places.iter().map(marked).collect::<Option<_>>()?;
    Some(Excerpt { text: mask(out), first_line: first_line + 1, places })
}

#[cfg(test)]
#[allow(clippy::single_range_in_vec_init, reason = "the function takes several places")]
mod tests {
    use super::*;

    fn file(lines: usize) -> SourceFile {
        SourceFile::new("f", None, (1..=lines).map(|n| format!("line {n}\n")).collect::<String>())
    }

    /// For each excerpt its first line, how many lines it has, and what is marked in it.
    fn shown(file: &SourceFile, places: &[Range<usize>]) -> Option<Vec<(usize, usize, Vec<String>)>> {
        let list = excerpts(file, places)?;
        let marked = |e: &Excerpt| e.places.iter().map(|(_, place)| e.text[place.clone()].to_owned()).collect();
        Some(list.iter().map(|e| (e.first_line, e.text.lines().count(), marked(e))).collect())
    }

    fn line(file: &SourceFile, number: usize) -> Range<usize> {
        let start = file.text.find(&format!("line {number}\n")).expect("the line is there");
        start..start + format!("line {number}").len()
    }

    #[test]
    fn the_lines_around_a_place() {
        let file = file(30_000);
        let at = |number| line(&file, number);
        assert_eq!(shown(&file, &[at(100)]), Some(vec![(96, 9, vec!["line 100".into()])]));
        assert_eq!(shown(&file, &[at(1)]), Some(vec![(1, 5, vec!["line 1".into()])]));
        assert_eq!(shown(&file, &[at(30_000)]), Some(vec![(29_996, 5, vec!["line 30000".into()])]));
        assert_eq!(shown(&file, &[file.text.len()..file.text.len()]), Some(vec![(29_997, 4, vec!["".into()])]));
        let both = vec!["line 50".to_owned(), "line 90".to_owned()];
        assert_eq!(shown(&file, &[at(90), at(50)]), Some(vec![(46, 49, both)]));
        let far = vec![(19_996, 9, vec!["line 20000".to_owned()]), (46, 9, vec!["line 50".to_owned()])];
        assert_eq!(shown(&file, &[at(20_000), at(50)]), Some(far));
        assert_eq!(shown(&file, &[at(2).start..at(20_000).end]), Some(vec![(1, 6, vec!["line 2".into()])]));
    }

    #[test]
    fn a_long_line_is_not_shown() {
        let long = "x".repeat(2 * LONGEST_LINE);
        let file = SourceFile::new("f", None, format!("{long}\na\nb\n{long}"));
        assert_eq!(shown(&file, std::slice::from_ref(&(5..6))), None);
        // Not as a neighbour, either.
        let a = long.len() + 1;
        assert_eq!(shown(&file, std::slice::from_ref(&(a..a + 1))), Some(vec![(2, 2, vec!["a".into()])]));
        assert_eq!(shown(&file, std::slice::from_ref(&(a..file.text.len()))), Some(vec![(2, 2, vec!["a".into()])]));
    }
}
