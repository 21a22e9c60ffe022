use isa_reference::samples::Random;

/// The pieces of damage: extreme numbers, brackets, words of the languages.
const PIECES: &[&str] = &[
    "0",
    "1",
    "7",
    "8",
    "63",
    "64",
    "127",
    "128",
    "129",
    "255",
    "2147483647",
    "2147483648",
    "4294967296",
    "9223372036854775807",
    "9223372036854775808",
    "18446744073709551616",
    "170141183460469231731687303715884105727",
    "340282366920938463463374607431768211455",
    "340282366920938463463374607431768211456",
    "-1",
    "-9223372036854775808",
    "-170141183460469231731687303715884105728",
    "0x",
    "0b1",
    "1_0",
    "..",
    "++",
    "{",
    "}",
    "[",
    "]",
    "<",
    ">",
    "<when x: ",
    "(",
    ")",
    "\"",
    "'",
    "\\",
    "|",
    "||",
    "&&",
    "!",
    "==",
    "!=",
    "%",
    "&",
    "*",
    "+",
    "=",
    "@",
    "~",
    "$",
    "$at",
    "?",
    ".",
    ",",
    ":",
    ": ",
    "- ",
    "# ",
    "\n",
    "\n  ",
    "\t",
    "é",
    "漢",
    "\u{0}",
    "\u{feff}",
    "\u{202e}",
    "only",
    "except",
    "inverted",
    "signed",
    "unsigned",
    "wraps",
    "hex",
    "dec",
    "target",
    "bitset \"ab\"",
    "onehot(x)",
    "has t",
    "x is y",
    "x? % 3 == 1",
    "x in {5 .. 2}",
    "prefix[0]",
    "R",
    "null",
    "true",
    "else",
    "rest: ignored",
    "none",
    "[a-z]",
    "names: r[0-9]*",
    "syntax: \"a{.x}\"",
    "(5)",
    "lsb0 \"01\"",
    "{x}",
    "{body}",
    "{x?}",
    "{n}",
    "*a",
    "&a ",
    "!!binary ",
    "<<: ",
    "? ",
    "%YAML 1.2\n---\n",
    "...",
];

/// Damages a text at a random place: a piece more, some characters less, a number blown up or off by one, words that change
/// places, lines that go, come twice or change places, brackets by the hundred.
pub fn damage(random: &mut Random, text: &mut String) {
    let mut below = |n: usize| (random.next_u64() >> 16) as usize % n.max(1);
    let places: Vec<usize> = text.char_indices().map(|(i, _)| i).chain([text.len()]).collect();
    let at = places[below(places.len())];
    let piece = PIECES[below(PIECES.len())];
    match below(9) {
        0 => text.insert_str(at, piece),
        1 => {
            let end = text[at..].char_indices().nth(1 + below(4)).map_or(text.len(), |(i, _)| at + i);
            text.replace_range(at..end, "");
        }
        // Numbers are where the limits are.
        2 | 3 => {
            if let Some(number) = run(text, at, |b| b.is_ascii_digit()) {
                text.replace_range(number, piece);
            }
        }
        4 => {
            if let Some(number) = run(text, at, |b| b.is_ascii_digit())
                && let Ok(n) = text[number.clone()].parse::<u64>()
            {
                let off = if below(2) == 0 { n.saturating_add(1) } else { n.saturating_sub(1) };
                text.replace_range(number, &off.to_string());
            }
        }
        // Keys and names change places.
        5 => {
            let word = |b: u8| b.is_ascii_alphanumeric() || b == b'_';
            let other = places[below(places.len())];
            let (Some(a), Some(b)) = (run(text, at, word), run(text, other, word)) else { return };
            let (a, b) = if a.start <= b.start { (a, b) } else { (b, a) };
            if a.end <= b.start {
                let (first, second) = (text[a.clone()].to_string(), text[b.clone()].to_string());
                text.replace_range(b, &first);
                text.replace_range(a, &second);
            }
        }
        6 => {
            let count = [2, 10, 100, 1000][below(4)];
            let repeated = ["(", "!", "[", "{", "<", "<when x: ", "{ a: ", "- ", "x && ", "{body}", "((x) || "];
            let repeated = repeated[below(11)];
            text.insert_str(at, &repeated.repeat(count));
        }
        _ => {
            let mut lines: Vec<&str> = text.lines().collect();
            if lines.is_empty() {
                return;
            }
            let (from, to) = (below(lines.len()), below(lines.len()));
            match below(4) {
                0 => drop(lines.remove(from)),
                1 => lines.swap(from, to),
                _ => lines.insert(to, lines[from]),
            }
            *text = lines.join("\n");
        }
    }
}

/// The first row of such bytes at or after a place.
fn run(text: &str, at: usize, is: impl Fn(u8) -> bool) -> Option<std::ops::Range<usize>> {
    let start = at + text[at..].bytes().position(&is)?;
    let end = text[start..].bytes().position(|b| !is(b)).map_or(text.len(), |i| start + i);
    Some(start..end)
}
