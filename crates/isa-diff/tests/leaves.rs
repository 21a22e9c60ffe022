//! Each scalar of a specification, changed: another value that is accepted is a change. What `diff` does not know would say nothing.

use isa_diff::Diff;
use isa_spec::keys::Shape;
use isa_spec::span::FileId;
use isa_spec::yaml::{Node, NodeKind, parse};
use std::collections::HashMap;
use std::ops::Range;
use std::path::Path;

/// Keys of prose, provenance and messages, of names that are the author's own, and of what is only another way to write the same.
const NOT_COMPARED: &[&str] =
    &["summary", "notes", "note", "doc", "why", "errata", "sources", "manual", "title", "file", "for", "define", "does", "name"];

/// A scalar: the keys that lead to it, its place, and its text.
struct Leaf {
    path: Vec<String>,
    place: Range<usize>,
    text: String,
}

fn leaves(node: &Node, path: &mut Vec<String>, out: &mut Vec<Leaf>) {
    match &node.kind {
        NodeKind::Null => {}
        NodeKind::Scalar { text, .. } => {
            out.push(Leaf { path: path.clone(), place: node.span.range(), text: text.value.clone() });
        }
        NodeKind::Seq(items) => items.iter().for_each(|item| leaves(item, path, out)),
        NodeKind::Map(entries) => {
            for (key, value) in entries.iter().filter(|(key, _)| !NOT_COMPARED.contains(&key.value.as_str())) {
                path.push(key.value.clone());
                leaves(value, path, out);
                path.pop();
            }
        }
    }
}

/// Words that a key can have, by its name.
fn words() -> HashMap<&'static str, Vec<&'static str>> {
    let mut all: HashMap<&str, Vec<&str>> = HashMap::new();
    let listings = isa_spec::key_listings().into_iter().chain(isa_spec::machine_key_listings());
    for row in listings.flat_map(|listing| listing.rows) {
        match (row.key, row.shape) {
            (Some(key), Shape::Word(words)) => all.entry(key).or_default().extend(words),
            (Some(key), Shape::Flag) => all.entry(key).or_default().extend(["true", "false"]),
            _ => {}
        }
    }
    all
}

/// Other texts in the place of a scalar.
fn others(leaf: &Leaf, words: &HashMap<&'static str, Vec<&'static str>>) -> Vec<String> {
    let known = leaf.path.last().and_then(|key| words.get(key.as_str()));
    let mut all: Vec<String> = known.into_iter().flatten().map(|word| (*word).to_owned()).collect();
    let number =
        leaf.text.strip_prefix("0x").map_or_else(|| leaf.text.parse().ok(), |digits| i128::from_str_radix(digits, 16).ok());
    match number {
        Some(number) => all.extend([number + 1, number - 1, number * 2].map(|number| number.to_string())),
        None => all.push(format!("\"{}x\"", leaf.text.replace('\\', "\\\\").replace('"', "\\\""))),
    }
    all.retain(|other| *other != leaf.text);
    all
}

/// The number of other values of scalars that are accepted, and those of which no change was found.
fn changed(path: &Path, step: usize) -> (usize, Vec<String>) {
    let text = std::fs::read_to_string(path).expect("a file");
    let load = |text: &str| isa_spec::load_str("t.yaml", text, path.parent()).isa;
    let old = load(&text).unwrap_or_else(|| panic!("{}", path.display()));
    let mut all = Vec::new();
    leaves(&parse(&text, FileId(0)).expect("it is YAML"), &mut Vec::new(), &mut all);
    let (words, mut accepted, mut silent) = (words(), 0, Vec::new());
    for leaf in all.iter().step_by(step) {
        for other in others(leaf, &words) {
            let mut text = text.clone();
            text.replace_range(leaf.place.clone(), &other);
            let Some(new) = load(&text) else { continue };
            accepted += 1;
            if Diff::new(&old, &new).changes.is_empty() {
                silent.push(format!("{}: {}: {} → {other}", path.display(), leaf.path.join("."), leaf.text));
            }
        }
    }
    (accepted, silent)
}

fn check(specs: &[&str], step: usize, least: usize) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let (accepted, silent): (Vec<usize>, Vec<Vec<String>>) = specs.iter().map(|spec| changed(&root.join(spec), step)).unzip();
    assert_eq!(silent.concat(), [""; 0], "no change is found");
    let accepted: usize = accepted.iter().sum();
    assert!(accepted >= least, "{accepted} values were tried");
}

#[test]
fn each_member_of_a_small_set() {
    check(&["tests/specs/members.yaml", "tests/specs/warp.yaml"], 1, 150);
}

#[test]
fn each_scalar_of_others() {
    let step = if std::env::var_os("THOROUGH").is_some() { 1 } else { 7 };
    let specs = ["accepted/rules", "accepted/readings", "programs/events", "programs/floats-riscv"];
    let specs = specs.map(|name| format!("../../tests/specs/{name}.yaml"));
    check(&specs.each_ref().map(String::as_str), step, 14);
}
