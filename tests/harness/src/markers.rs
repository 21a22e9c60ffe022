/// The place of an expected finding: line and column (characters), both from 1, and its width in characters, if given.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Marker {
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
    /// Characters covered.
    pub width: Option<usize>,
}

/// The places that a spec marks: a comment of nothing but carets points at the line above it, `# at LINE:COLUMN` gives a place
/// that no comment can point at (column 1, inside a block of text).
///
/// ```
/// let text = "x: 1\n#^^\n# ^\n# at 7:1\n";
/// let places: Vec<_> = harness::markers(text).into_iter().map(|m| (m.line, m.column, m.width)).collect();
/// assert_eq!(places, [(1, 2, Some(2)), (1, 3, Some(1)), (7, 1, None)]);
/// ```
pub fn markers(text: &str) -> Vec<Marker> {
    let mut list = Vec::new();
    let mut above = 0;
    for (index, line) in text.lines().enumerate() {
        let comment = line.trim_start().strip_prefix('#');
        if let Some(at) = comment.and_then(|c| c.trim_start().strip_prefix("at ")) {
            let place = at.split_once(':').and_then(|(l, c)| Some((l.parse().ok()?, c.parse().ok()?)));
            let (line, column) = place.unwrap_or_else(|| panic!("line {}: `# at LINE:COLUMN`", index + 1));
            list.push(Marker { line, column, width: None });
        } else if let Some(carets) = comment.map(str::trim).filter(|c| !c.is_empty() && c.bytes().all(|b| b == b'^')) {
            let column = line.chars().take_while(|c| *c != '^').count() + 1;
            list.push(Marker { line: above, column, width: Some(carets.len()) });
        } else {
            above = index + 1;
        }
    }
    list.sort();
    list
}
