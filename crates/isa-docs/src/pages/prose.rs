//! Small pieces of text: paragraphs, anchors, shares.

/// Prose as paragraphs.
pub(super) fn paragraphs(text: &str) -> Vec<String> {
    text.split("\n\n").map(|p| p.trim().to_owned()).filter(|p| !p.is_empty()).collect()
}

/// The name of a heading's anchor, as forges make it.
pub(super) fn anchor(heading: &str) -> String {
    heading
        .to_lowercase()
        .chars()
        .filter(|c| c.is_alphanumeric() || " -_".contains(*c))
        .map(|c| if c == ' ' { '-' } else { c })
        .collect()
}

/// Words as an enumeration: `8, 16 and 24`.
pub(super) fn listed(words: &[String]) -> String {
    match words {
        [before @ .., last] if !before.is_empty() => format!("{} and {last}", before.join(", ")),
        words => words.concat(),
    }
}

/// A share in percent, with more digits where it is small.
pub(super) fn percent(share: f64) -> String {
    match share {
        1.0.. => "100".to_owned(),
        0.01.. => format!("{:.2}", share * 100.0),
        _ => format!("{:.4}", share * 100.0),
    }
}
