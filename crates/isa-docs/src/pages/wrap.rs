//! Markdown with lines of a readable length.

/// The greatest number of columns of a line of prose.
const COLUMNS: usize = 120;

/// Fills paragraphs and items of lists in which a line is longer than 120 columns: they are broken at blanks outside of code. Tables,
/// headings and blocks of code stay as they are.
pub(super) fn wrapped(markdown: &str) -> String {
    let mut out = String::with_capacity(markdown.len());
    let mut fence = None;
    let mut paragraph = Vec::new();
    for line in markdown.lines() {
        let text = line.trim_start();
        let (ticks, rest) = run(text);
        let is_prose = match fence {
            Some(length) if ticks >= length && rest.is_empty() => {
                fence = None;
                false
            }
            None if ticks >= 3 && !rest.contains('`') => {
                fence = Some(ticks);
                false
            }
            Some(_) => false,
            None => !text.is_empty() && !text.starts_with(['|', '#']),
        };
        if !is_prose || is_markup(text) {
            fill(&std::mem::take(&mut paragraph), &mut out);
        }
        if is_prose {
            paragraph.push(line);
        } else {
            out.push_str(line);
            out.push('\n');
        }
    }
    fill(&paragraph, &mut out);
    out
}

/// Adds the lines of a paragraph, filled if one is too long.
fn fill(lines: &[&str], out: &mut String) {
    if lines.iter().all(|line| line.chars().count() <= COLUMNS) {
        lines.iter().for_each(|line| out.extend([line, "\n"]));
        return;
    }
    let indented = lines[0].len() - lines[0].trim_start().len();
    let marker = if lines[0].trim_start().starts_with("- ") { 2 } else { 0 };
    let indent = " ".repeat(indented + marker);
    out.push_str(&indent[marker..]);
    let mut column = indented;
    let text = lines.iter().map(|line| line.trim()).collect::<Vec<_>>().join(" ");
    for (at, word) in words(&text).into_iter().enumerate() {
        let width = word.chars().count();
        if at > 0 && column + 1 + width > COLUMNS {
            out.extend(["\n", &indent]);
            column = indent.len();
        } else if at > 0 {
            out.push(' ');
            column += 1;
        }
        out.push_str(word);
        column += width;
    }
    out.push('\n');
}

/// The parts of a text between which it can be broken. Code is one part. A word that would be markup at the beginning of a line is in
/// one part with the word before it.
fn words(text: &str) -> Vec<&str> {
    let mut words = Vec::new();
    let (mut start, mut at) = (0, 0);
    while let Some(c) = text[at..].chars().next() {
        match c {
            '`' => {
                let (ticks, rest) = run(&text[at..]);
                at += ticks + code(rest, ticks).unwrap_or(0);
            }
            // The character after it is not markup.
            '\\' => at += 1 + text[at + 1..].chars().next().map_or(0, char::len_utf8),
            ' ' if at > start && !is_markup(&text[at + 1..]) => {
                words.push(&text[start..at]);
                at += 1;
                start = at;
            }
            c => at += c.len_utf8(),
        }
    }
    words.push(&text[start..]);
    words
}

/// The number of backquotes that a text begins with, and the rest.
fn run(text: &str) -> (usize, &str) {
    let rest = text.trim_start_matches('`');
    (text.len() - rest.len(), rest)
}

/// The length of code that this many backquotes end, with them.
fn code(text: &str, ticks: usize) -> Option<usize> {
    let mut at = 0;
    while let Some(next) = text[at..].find('`') {
        let (found, _) = run(&text[at + next..]);
        at += next + found;
        if found == ticks {
            return Some(at);
        }
    }
    None
}

/// True if a text would be a list, a heading, a quotation, a rule or a fence at the beginning of a line.
fn is_markup(text: &str) -> bool {
    let word = text.split(' ').next().unwrap_or_default();
    let number = word.trim_start_matches(|c: char| c.is_ascii_digit());
    let is_mark = !word.is_empty() && word.trim_matches(['-', '+', '*', '=', '#']).is_empty();
    is_mark || word.starts_with(['>', '|', '~']) || word.starts_with("```") || number != word && matches!(number, "." | ")")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prose_is_broken_and_nothing_else() {
        let line = |count: usize| vec!["word"; count].join(" ");
        assert_eq!(wrapped(&line(30)), format!("{}\n{}\n", line(24), line(6)));
        assert_eq!(
            wrapped(&format!("{}\nand so on\n\nend\n", line(30))),
            format!("{}\n{} and so on\n\nend\n", line(24), line(6))
        );
        assert_eq!(wrapped(&format!("  - {}", line(30))), format!("  - {}\n    {}\n", line(23), line(7)));
        for same in [
            format!("| {} |\n", line(30)),
            format!("# {}\n", line(30)),
            format!("```text\n{}\n```\n", line(30)),
            format!("{}\n", "x".repeat(200)),
        ] {
            assert_eq!(wrapped(&same), same);
        }
    }

    #[test]
    fn code_and_markup_stay_with_the_word_before() {
        assert_eq!(words("a `b c` d \\` e"), ["a", "`b c`", "d", "\\`", "e"]);
        assert_eq!(words("see ``a ` b``, 12. and 12.5 - # x"), ["see", "``a ` b``, 12.", "and", "12.5 - #", "x"]);
        assert_eq!(words("one ` mark"), ["one", "`", "mark"]);
    }
}
