//! A slip in one key or name of a spec is one finding, or a few: what only follows from it is not shown.

use harness::{amount, shipped};
use std::ops::Range;

#[test]
fn one_slip_is_few_findings() {
    // All of them take too long.
    let every = amount(61, 483);
    let (mut slips, mut many, mut none) = (0, Vec::new(), 0);
    for path in shipped() {
        let text = std::fs::read_to_string(&path).expect("it is shipped");
        for key in keys(&text).into_iter().step_by(every) {
            let spec = format!("{}{}{}", &text[..key.start], misspelt(&text[key.clone()]), &text[key.end..]);
            let loaded = isa_spec::load_str("slip.yaml", &spec, path.parent());
            slips += 1;
            none += usize::from(loaded.diagnostics.is_empty());
            if loaded.diagnostics.len() > 3 {
                let line = text[..key.start].lines().count();
                many.push(format!("{}:{line}: `{}`: {} findings", path.display(), &text[key], loaded.diagnostics.len()));
            }
        }
    }
    // A name that is only declared and printed (an instruction's) can be anything.
    assert!(slips > amount(40, 5) && none * 2 < slips, "{none} of {slips} slips are not seen");
    assert!(
        many.len() * 25 <= slips + amount(0, 24),
        "{} of {slips} slips give more than three findings:\n{}",
        many.len(),
        many.join("\n")
    );
}

/// The words before a colon, outside of comments and quotes.
fn keys(text: &str) -> Vec<Range<usize>> {
    let mut keys = Vec::new();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let code = line.split('#').next().unwrap_or_default();
        let mut from = 0;
        while let Some(colon) = code[from..].find(": ").or_else(|| code[from..].find(":\n")).map(|at| from + at) {
            let word = code[..colon].rfind(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).map_or(0, |at| at + 1);
            let is_quoted = code[..word].matches('"').count() % 2 == 1 || code[..word].matches('\'').count() % 2 == 1;
            if code[word..].starts_with(|c: char| c.is_ascii_alphabetic()) && word < colon && !is_quoted {
                keys.push(start + word..start + colon);
            }
            from = colon + 1;
        }
        start += line.len();
    }
    keys
}

/// Two letters in the middle change places, or one is added.
fn misspelt(word: &str) -> String {
    let mut letters: Vec<char> = word.chars().collect();
    let middle = letters.len() / 2;
    if letters.len() < 4 || letters[middle] == letters[middle - 1] {
        letters.push('x');
    } else {
        letters.swap(middle, middle - 1);
    }
    letters.into_iter().collect()
}
