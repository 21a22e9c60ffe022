//! The lines of a file that a finding shows. Rendering takes time in proportion to what it is given, so that findings in large files
//! are rendered from excerpts: the lines around each place, empty lines between them, so that line numbers stay right.

use crate::escape::mask;
use crate::span::SourceFile;
use std::ops::Range;

/// Lines that are shown before and after a place at most.
const CONTEXT: usize = 4;
/// Places further apart than so many lines are in different excerpts.
const GAP: usize = 10_000;
/// Of a place with more lines only the first is marked.
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

/// The excerpts that show places of a file, the first place's first; `None` if a line is too long to be shown.
pub(crate) fn excerpts(file: &SourceFile, places: &[Range<usize>]) -> Option<Vec<Excerpt>> {
    let places = places.iter().map(|place| clamp(file, place));
    let mut sorted: Vec<(usize, Range<usize>)> = places.enumerate().collect();
    sorted.sort_by_key(|(i, place)| (place.start, *i));
    let mut clusters: Vec<Vec<(usize, Range<usize>)>> = Vec::new();
    let mut last = 0;
    for (i, place) in sorted {
        let (first, end) = (file.line_at(place.start), file.line_at(place.end));
        match clusters.last_mut() {
            Some(cluster) if first <= last + GAP => cluster.push((i, place)),
            _ => clusters.push(vec![(i, place)]),
        }
        last = last.max(end);
    }
    clusters.sort_by_key(|cluster| cluster.iter().map(|(i, _)| *i).min());
    clusters.into_iter().map(|cluster| excerpt(file, cluster)).collect()
}

/// A place inside the file, between characters, that is not too long.
fn clamp(file: &SourceFile, place: &Range<usize>) -> Range<usize> {
    let (mut start, mut end) = (place.start.min(file.text.len()), place.end.min(file.text.len()));
    while !file.text.is_char_boundary(start) {
        start -= 1;
    }
    end = end.max(start);
    while !file.text.is_char_boundary(end) {
        end += 1;
    }
    let line = file.line_at(start);
    if file.line_at(end) - line > LONGEST_PLACE {
        end = file.lines(line, 1).end.saturating_sub(1).max(start);
    }
    start..end
}

fn excerpt(file: &SourceFile, mut places: Vec<(usize, Range<usize>)>) -> Option<Excerpt> {
    // The lines that are shown, ascending and apart.
    let mut shown: Vec<Range<usize>> = Vec::new();
    for (_, place) in &places {
        let (first, last) = (file.line_at(place.start), file.line_at(place.end));
        if [first, last].into_iter().any(|line| file.lines(line, 1).len() > LONGEST_LINE) {
            return None;
        }
        let lines = first.saturating_sub(CONTEXT)..last + CONTEXT + 1;
        match shown.last_mut() {
            Some(before) if lines.start <= before.end => before.end = before.end.max(lines.end),
            _ => shown.push(lines),
        }
    }
    let first_line = shown.first()?.start;
    let mut text = String::new();
    let mut next = first_line;
    // Where each line begins in the file and in the text.
    let mut moved: Vec<(usize, usize)> = Vec::new();
    for line in shown.into_iter().flatten() {
        text.extend(std::iter::repeat_n('\n', line - next));
        let bytes = file.lines(line, 1);
        moved.push((bytes.start, text.len()));
        text.push_str(if bytes.len() > LONGEST_LINE { "\n" } else { &file.text[bytes] });
        next = line + 1;
    }
    let place_of = |offset: usize| {
        let line = moved.partition_point(|(from, _)| *from <= offset).checked_sub(1)?;
        Some(moved[line].1 + offset - moved[line].0)
    };
    for (_, place) in &mut places {
        *place = place_of(place.start)?..place_of(place.end)?;
    }
    Some(Excerpt { text: mask(text), first_line: first_line + 1, places })
}

#[cfg(test)]
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
        let bytes = file.lines(number - 1, 1);
        bytes.start..bytes.end - 1
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
        let file = SourceFile::new("f", None, "x".repeat(LONGEST_LINE + 1));
        assert_eq!(shown(&file, std::slice::from_ref(&(5..6))), None);
    }
}
