//! Checks the contrast of the style sheet's colours, light and dark, according to WCAG 2.1.

use std::collections::HashMap;

const STYLE: &str = include_str!("../../templates/site/style.css");

/// The contrast that level AA requires between text and its background.
const TEXT: f64 = 4.5;

/// The contrast required for borders and other signs.
const SIGN: f64 = 3.0;

/// The colours of the style sheet by name, light and dark: `--text: light-dark(#1c2128, #e3e7ec)`.
fn colours() -> HashMap<&'static str, [&'static str; 2]> {
    let declarations = STYLE.split("--").skip(1).filter_map(|rest| rest.split_once(": light-dark("));
    let both = declarations.filter_map(|(name, rest)| {
        let (light, dark) = rest.split_once(')')?.0.split_once(", ")?;
        Some((name, [light, dark]))
    });
    both.collect()
}

/// The relative luminance of `#1c2128` or `#fff`.
fn luminance(colour: &str) -> f64 {
    let digits = colour.trim_start_matches('#');
    let digits: String = if digits.len() == 3 { digits.chars().flat_map(|c| [c, c]).collect() } else { digits.to_owned() };
    let channel = |at: usize| {
        let value = f64::from(u8::from_str_radix(&digits[at..at + 2], 16).expect("a colour has hexadecimal digits")) / 255.0;
        if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
    };
    0.2126 * channel(0) + 0.7152 * channel(2) + 0.0722 * channel(4)
}

fn contrast(a: &str, b: &str) -> f64 {
    let (a, b) = (luminance(a), luminance(b));
    (a.max(b) + 0.05) / (a.min(b) + 0.05)
}

#[test]
fn black_on_white_is_21() {
    assert_eq!([contrast("#000", "#ffffff"), contrast("#777777", "#777")], [21.0, 1.0]);
}

#[test]
fn text_and_signs_have_the_contrast_of_level_aa() {
    let colours = colours();
    let fields = ["f0", "f1", "f2", "f3", "f4", "f5", "g0", "g1", "g2", "g3", "g4", "g5"];
    let grounds = ["back", "panel", "fixed", "plain", "bad-back"].into_iter().chain(fields);
    let mut pairs: Vec<(&str, &str, f64)> = grounds.map(|ground| ("text", ground, TEXT)).collect();
    pairs.extend(["back", "panel"].iter().flat_map(|ground| ["soft", "link", "mark", "bad"].map(|text| (text, *ground, TEXT))));
    // A chosen line of a list, refused words, wrong bits.
    pairs.extend([("soft", "f0", TEXT), ("bad", "f0", TEXT), ("bad", "bad-back", TEXT), ("back", "bad", TEXT)]);
    pairs.extend([("strong", "back", SIGN), ("mark", "back", SIGN), ("link", "back", SIGN)]);
    let mut low = Vec::new();
    for (over, under, least) in pairs {
        for scheme in 0..2 {
            let found = contrast(colours[over][scheme], colours[under][scheme]);
            if found < least {
                low.push(format!("{over} on {under}, {}: {found:.2}", ["light", "dark"][scheme]));
            }
        }
    }
    assert_eq!(low, Vec::<String>::new());
}
