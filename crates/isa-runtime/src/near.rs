//! The known name nearest to a misspelt one.

use alloc::string::String;
use alloc::vec::Vec;

/// The name nearest to `name` among `known`, if at most a third of its characters differ.
pub fn nearest<'n>(name: &str, known: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    nearest_within(name, known, (name.chars().count() / 3).max(1))
}

/// The name nearest to `name` among `known`, if it is at most `limit` edits away.
pub fn nearest_within<'n>(name: &str, known: impl IntoIterator<Item = &'n str>, limit: usize) -> Option<&'n str> {
    let lower = name.to_lowercase();
    let mut room = [const { Vec::new() }; 3];
    // Much longer names are not near, and comparing them takes long.
    let own = known.into_iter().filter(|known| *known != name && known.len().abs_diff(name.len()) <= 64);
    let far = own.map(|known| (far(&lower, &known.to_lowercase(), &mut room), known));
    far.filter(|(far, _)| *far <= limit).min_by_key(|(far, _)| *far).map(|(_, known)| known)
}

/// The distance of two names: small if one begins with the other, else the number of edits (insert, delete, replace, swap two
/// neighbours).
fn far(a: &String, b: &String, rows: &mut [Vec<usize>; 3]) -> usize {
    let (short, long) = if a.len() < b.len() { (a, b) } else { (b, a) };
    if short.len() > 2 && long.starts_with(short.as_str()) {
        return 1;
    }
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    rows[2].clear();
    rows[2].extend(0..=b.len());
    for (i, x) in a.iter().enumerate() {
        rows.rotate_left(1);
        let [before, last, row] = &mut *rows;
        row.clear();
        row.push(i + 1);
        for (j, y) in b.iter().enumerate() {
            let mut least = (last[j] + usize::from(x != y)).min(last[j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && *x == b[j - 1] && a[i - 1] == *y {
                least = least.min(before[j - 1] + 1);
            }
            row.push(least);
        }
    }
    rows[2].last().copied().unwrap_or(0)
}
