//! Texts as tokens, and the differences between two of them.

use isa_runtime::float_text;

/// The tokens of a text, which together are the text: names and numbers (a `.` before a name, a sign before a number, and the
/// parts of a floating-point number belong to it), and everything else character by character.
pub(super) fn tokens(text: &str) -> Vec<String> {
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut tokens: Vec<String> = Vec::new();
    let mut rest = text;
    let mut before = ' ';
    while let Some(c) = rest.chars().next() {
        let next = rest[c.len_utf8()..].chars().next();
        let is_plus = c == '+' && next.is_some_and(|c| c.is_ascii_digit());
        let is_apart = !is_name(before) && before != '.' && !is_plus;
        let float = if is_apart { float_text::length(rest.as_bytes()) } else { 0 };
        let is_sign = c == '-' && !is_name(before) && next.is_some_and(|c| c.is_ascii_digit());
        let is_suffix = c == '.' && next.is_some_and(|c| is_name(c) || c == '?');
        let goes_on = |c: char| is_name(c) || is_suffix && c == '?';
        let name = rest[c.len_utf8()..].find(|c| !goes_on(c)).map_or(rest.len(), |end| end + c.len_utf8());
        // A name or a number can continue after a floating-point number: `0x10`, `1D`.
        let length = match is_name(c) || is_sign || is_suffix {
            true => name.max(float),
            false => c.len_utf8().max(float),
        };
        let (token, behind) = rest.split_at(length);
        before = token.chars().next_back().unwrap_or(' ');
        tokens.push(token.to_owned());
        rest = behind;
    }
    tokens
}

/// The mnemonic of a text: its first word that begins with a letter (a guard does not); without the part after its first dot,
/// unless dots are parts of mnemonics.
pub(super) fn mnemonic(text: &str, with_dots: bool) -> &str {
    let is_name = |word: &&str| word.starts_with(|c: char| c.is_alphabetic() || c == '_');
    let word = text.split_whitespace().find(is_name).or_else(|| text.split_whitespace().next()).unwrap_or_default();
    if with_dots { word } else { word.split('.').next().unwrap_or(word) }
}

/// A difference between two texts: the tokens of the first that are replaced, and their replacement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Hunk {
    pub(super) from: usize,
    pub(super) to: usize,
    pub(super) text: String,
}

/// The differences of two texts: the tokens outside their longest common subsequence.
pub(super) fn hunks(a: &[String], b: &[String]) -> Vec<Hunk> {
    let width = b.len() + 1;
    let mut longest = vec![0u32; (a.len() + 1) * width];
    for i in (0..a.len()).rev() {
        for j in (0..b.len()).rev() {
            longest[i * width + j] = match a[i] == b[j] {
                true => longest[(i + 1) * width + j + 1] + 1,
                false => longest[(i + 1) * width + j].max(longest[i * width + j + 1]),
            };
        }
    }
    let mut hunks: Vec<Hunk> = Vec::new();
    let (mut i, mut j) = (0, 0);
    while i < a.len() || j < b.len() {
        if i < a.len() && j < b.len() && a[i] == b[j] {
            (i, j) = (i + 1, j + 1);
            continue;
        }
        if hunks.last().is_none_or(|hunk| hunk.to != i) {
            hunks.push(Hunk { from: i, to: i, text: String::new() });
        }
        let Some(hunk) = hunks.last_mut() else { break };
        if i < a.len() && (j == b.len() || longest[(i + 1) * width + j] >= longest[i * width + j + 1]) {
            i += 1;
            hunk.to = i;
        } else {
            hunk.text.push_str(&b[j]);
            j += 1;
        }
    }
    hunks
}

/// The number of a token, and whether it is hexadecimal.
pub(super) fn number(token: &str) -> Option<(i128, bool)> {
    let (sign, digits) = token.strip_prefix('-').map_or((1, token), |digits| (-1, digits));
    let (digits, radix) = digits.strip_prefix("0x").map_or((digits, 10), |digits| (digits, 16));
    let value = i128::from_str_radix(digits, radix).ok().filter(|_| !digits.starts_with(['-', '+']))?;
    Some((sign * value, radix == 16))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_their_tokens() {
        let text = "@!P0 FADD.FTZ R1, -|R2|, c[0x0][-0x10]";
        let parts = tokens(text);
        assert_eq!(parts.concat(), text);
        assert_eq!(parts[..6], ["@", "!", "P0", " ", "FADD", ".FTZ"]);
        assert_eq!(parts[parts.len() - 2..], ["-0x10", "]"]);
        assert_eq!(
            tokens("R0.64,-1.5e-45,1D.F32,[+0x8],+INF"),
            ["R0", ".64", ",", "-1.5e-45", ",", "1D", ".F32", ",", "[", "+", "0x8", "]", ",", "+INF"]
        );
    }

    #[test]
    fn differences_are_told_by_place() {
        let differ = |a: &str, b: &str| hunks(&tokens(a), &tokens(b));
        let hunk = |from, to, text: &str| Hunk { from, to, text: text.to_owned() };
        assert_eq!(differ("FADD R1, R2", "FADD R1, R2"), []);
        assert_eq!(differ("FADD R1, R2", "FADD R1, R3"), [hunk(5, 6, "R3")]);
        assert_eq!(differ("FADD R1, R2", "FADD.SAT R1, R2"), [hunk(1, 1, ".SAT")]);
        assert_eq!(differ("FADD R1, R2", "FADD R1, |R2|"), [hunk(5, 5, "|"), hunk(6, 6, "|")]);
    }

    #[test]
    fn mnemonics_are_behind_guards() {
        assert_eq!(mnemonic("@!P0 FADD.FTZ R1, R2", false), "FADD");
        assert_eq!(mnemonic("fadd.s  fa0, fa1", true), "fadd.s");
        assert_eq!(mnemonic("0x10", false), "0x10");
        assert_eq!(mnemonic("", true), "");
    }

    #[test]
    fn numbers_are_hexadecimal_or_not() {
        assert_eq!(number("-0x10"), Some((-16, true)));
        assert_eq!(number("10"), Some((10, false)));
        assert_eq!(number("R1"), None);
        assert_eq!(number("0x-1"), None);
    }
}
