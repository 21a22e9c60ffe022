//! Layouts of a small spec.

use super::spec::{At, FixKey, Layout, Part, Plain, Ranges, Word};
use super::text::quoted;

/// A layout, what its letters mean, and the fields that it places.
pub(super) struct Drawing {
    pub(super) text: String,
    pub(super) places: Vec<(String, String)>,
    pub(super) fields: Vec<String>,
}

/// The bits of a part as a layout, with those of other parts declared elsewhere; `None` if it has none.
pub(super) fn drawing(part: &Part, style: Layout, bits: u32) -> Option<Drawing> {
    let mut marks = vec!['.'; bits as usize];
    // A `where` can have words of a line of syntax as well.
    let mut letters = ('b'..='z').filter(|c| !"su".contains(*c));
    let (mut places, mut fields, mut whole) = (Vec::new(), Vec::new(), Vec::new());
    let bits_of = |ranges: &Ranges| -> Vec<u32> { ranges.0.iter().flat_map(|(hi, lo)| (*lo..=*hi).rev()).collect() };
    for field in &part.fields {
        let At::Here(ranges) = &field.at else { continue };
        let own = bits_of(ranges);
        // A letter has its bits in the order of the word.
        if own.is_sorted_by(|a, b| a > b) {
            let letter = letters.next()?;
            own.iter().for_each(|bit| marks[*bit as usize] = letter);
            fields.push(field.name.clone());
            whole.push((letter, ranges.0.len() == 1));
            places.push((letter.to_string(), field.name.clone()));
        }
    }
    for (key, value) in &part.fix {
        if let FixKey::Bits(At::Here(ranges)) = key {
            let word = ranges.place(value.number as Word);
            bits_of(ranges).iter().for_each(|bit| marks[*bit as usize] = if word >> bit & 1 == 1 { '1' } else { '0' });
        }
    }
    for (what, ranges) in &part.plain {
        let mark = match what {
            Plain::Ignored => '-',
            Plain::Unknown => '?',
            Plain::Reserved => continue,
        };
        bits_of(ranges).iter().for_each(|bit| marks[*bit as usize] = mark);
    }
    if marks.iter().all(|mark| *mark == '.') {
        return None;
    }
    if style != Layout::Parts || marks.contains(&'.') {
        if style != Layout::Lsb {
            marks.reverse();
        }
        let order = if style == Layout::Lsb { "lsb0" } else { "msb0" };
        let groups: Vec<String> = marks.chunks(4).map(|c| c.iter().collect()).collect();
        return Some(Drawing { text: format!("'{order} \"{}\"'", groups.join(" ")), places, fields });
    }
    marks.reverse();
    // A field in one place has a part of its own; the bits between such fields are read by letters.
    let is_whole = |mark: char| whole.contains(&(mark, true));
    let (mut parts, mut names): (Vec<String>, Vec<char>) = (Vec::new(), Vec::new());
    for run in marks.chunk_by(|a, b| a == b || !is_whole(*a) && !is_whole(*b)) {
        let name = places.iter().find(|p| is_whole(run[0]) && p.0 == run[0].to_string()).map(|p| p.1.clone());
        parts.push(match name {
            Some(name) => format!("{name}({})", run.len()),
            None => format!("PART{}:{}({})", parts.len(), run.iter().collect::<String>(), run.len()),
        });
        names.extend(Some(run[0]).filter(|mark| is_whole(*mark)));
    }
    places.retain(|(letter, _)| !names.iter().any(|n| n.to_string() == *letter));
    Some(Drawing { text: quoted(&parts.join(" | ")), places, fields })
}
