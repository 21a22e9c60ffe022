//! Findings about words that several forms have, held against what trying all words says.

use super::brute::{Brute, Form};
use super::spec::{Spec, Word};
use isa_spec::diag::Diagnostic;
use std::collections::BTreeSet;

/// Holds the findings of a spec all of whose forms have words.
pub(crate) fn hold(spec: &Spec, brute: &Brute, findings: &[Diagnostic]) -> Result<(), String> {
    let declares = |inner: &Form, outer: &Form| {
        let name = &spec.instructions[outer.instruction].0;
        spec.instructions[inner.instruction].1.over.iter().find(|over| over.name == *name)
    };
    let all = || brute.forms.iter().flat_map(|inner| brute.forms.iter().map(move |outer| (inner, outer)));
    let inside: Vec<(&Form, &Form)> = all().filter(|(inner, outer)| brute.is_inside(inner, outer)).collect();
    let is_taken = |outer: &Form, word| inside.iter().any(|(a, b)| b.name == outer.name && a.words.has(word));
    let empty: BTreeSet<&str> = brute
        .forms
        .iter()
        .filter(|outer| outer.words.iter().all(|word| is_taken(outer, word)))
        .map(|f| f.name.as_str())
        .collect();
    // Pairs that are declared, and those that follow from them.
    let mut said: BTreeSet<(&str, &str)> =
        inside.iter().filter(|(a, b)| declares(a, b).is_some()).map(|(a, b)| (a.name.as_str(), b.name.as_str())).collect();
    let is_inside = |a: &str, b: &str| inside.iter().any(|(c, d)| c.name == a && d.name == b);
    loop {
        let more: Vec<_> =
            said.iter().flat_map(|(a, b)| said.range((*b, "")..).take_while(|p| p.0 == *b).map(|p| (*a, p.1))).collect();
        let before = said.len();
        said.extend(more.into_iter().filter(|(a, b)| is_inside(a, b)));
        if said.len() == before {
            break;
        }
    }
    let is_open =
        |(a, b): &&(&Form, &Form)| !said.contains(&(a.name.as_str(), b.name.as_str())) && !empty.contains(b.name.as_str());
    let open: Vec<&(&Form, &Form)> = inside.iter().filter(is_open).collect();
    let shared = findings.iter().filter(|f| f.message.contains(" clash") && f.message.contains(" is a word of both"));
    let mut pairs: usize = shared.map(|f| 1 + more(&f.message)).sum();
    for finding in findings.iter().filter(|f| f.message.contains(" takes words of ")) {
        pairs += 1 + more(&finding.message);
        let Some((inner, outer, word)) = named(&finding.message) else { return Err(format!("which? {}", finding.message)) };
        let Some((a, b)) = open.iter().find(|(a, b)| a.name == inner && b.name == outer) else {
            return Err(format!("declared, or not so: {}", finding.message));
        };
        let text = format!("`{}`, and would be `{}`", a.text(word), b.text(word));
        if !a.words.has(word) || !finding.message.ends_with(&text) {
            return Err(format!("{}\nis not of {text}", finding.message));
        }
    }
    if pairs != brute.clashes.len() + open.len() {
        let open: Vec<_> = open.iter().map(|(a, b)| (&a.name, &b.name)).collect();
        return Err(format!("{pairs} pairs are reported; clashes {:?}, undeclared {open:?}", brute.clashes));
    }
    if !brute.clashes.is_empty() {
        return Ok(());
    }
    let expected: BTreeSet<usize> =
        brute.forms.iter().filter(|f| empty.contains(f.name.as_str())).map(|f| f.instruction).collect();
    let found = findings.iter().filter(|f| f.message.starts_with("no word is left for ")).count();
    if found != expected.len() {
        return Err(format!("{found} instructions have forms without words, not {}", expected.len()));
    }
    for (i, (name, part)) in spec.instructions.iter().enumerate() {
        for over in &part.over {
            let j = spec.instructions.iter().position(|(other, _)| *other == over.name);
            let nested = j.map_or_else(Vec::new, |j| brute.nested(i, j));
            let is_wrong = over.bits.as_ref().is_some_and(|(bits, value)| {
                let is = |(a, b): &(&Form, &Form)| {
                    bits.mask() & !a.mask == 0 && bits.get(a.value) == *value && a.own_bits(b) & !bits.mask() == 0
                };
                !nested.iter().all(is)
            });
            let of = |f: &&Diagnostic, what: &str| {
                f.code == "overlap" && f.message.contains(what) && f.message.split([' ', '.']).next() == Some(name)
            };
            let needless = format!(" takes no word of {}", over.name);
            let is_needless = findings.iter().any(|f| of(&f, " takes no word of ") && f.message.ends_with(&needless));
            let other = format!(" takes the words of {}", over.name);
            let is_other = findings.iter().any(|f| of(&f, &other));
            if is_needless != nested.is_empty() || is_other != is_wrong {
                return Err(format!("{name} over {}: needless {is_needless}, other words {is_other}, not so", over.name));
            }
        }
    }
    Ok(())
}

/// The number of pairs besides the one that a finding names: `, and 3 more pairs of forms`.
fn more(message: &str) -> usize {
    let Some((before, _)) = message.split_once(" more pair") else { return 0 };
    before.rsplit(' ').next().and_then(|number| number.parse().ok()).unwrap_or(0)
}

/// `A takes words of B: 0x12 is …`
fn named(message: &str) -> Option<(String, String, Word)> {
    let (inner, rest) = message.split_once(" takes words of ")?;
    let outer = rest.split([',', ':']).next()?;
    let (_, rest) = rest.split_once(": 0x")?;
    let word = Word::from_str_radix(rest.split(' ').next()?, 16).ok()?;
    Some((inner.to_string(), outer.to_string(), word))
}
