//! The structure of the crates: sizes, files that need each other, and structures that every file changes.
//!
//! What these tests don't see: paths that are written out without a `use`, and changes of members through methods or references.

use harness::project_files;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// Product files: their crate, their modules from its root on, and their text without unit tests.
fn product_files() -> Vec<(String, Vec<String>, String)> {
    let mut all = Vec::new();
    for path in project_files(Path::new("."), &["rs"]) {
        let name = path.display().to_string();
        let Some((folder, file)) = name.rsplit_once("/./").and_then(|(_, name)| name.split_once("/src/")) else { continue };
        let is_other = ["tests", "fuzz", "examples", "benches"].iter().any(|other| folder.starts_with(other));
        if is_other || file.ends_with("tests.rs") || file.contains("tests/") {
            continue;
        }
        let mut modules: Vec<String> = file.trim_end_matches(".rs").split('/').map(str::to_owned).collect();
        if modules.last().is_some_and(|last| matches!(last.as_str(), "mod" | "lib" | "main")) {
            modules.pop();
        }
        let text = std::fs::read_to_string(&path).expect("a source file");
        let text = text.split("#[cfg(test)]").next().unwrap_or_default().to_owned();
        all.push((folder.to_owned(), modules, text));
    }
    assert!(all.len() > 500, "{} files", all.len());
    all
}

/// The paths of the items of a `use` of one's own crate, in steps.
fn used(text: &str) -> Vec<Vec<String>> {
    let mut all = Vec::new();
    for line in text.split(';') {
        let Some((_, path)) = line.rsplit_once("use ") else { continue };
        if ["crate::", "super::", "self::"].iter().any(|own| path.starts_with(own)) {
            unfold(&path.split_whitespace().collect::<String>(), "", &mut all);
        }
    }
    all
}

/// Adds `a::b` and `a::c` for `a::{b, c}`.
fn unfold(path: &str, before: &str, all: &mut Vec<Vec<String>>) {
    let Some((start, inner)) = path.split_once('{') else {
        all.push(format!("{before}{path}").split("::").map(str::to_owned).collect());
        return;
    };
    let (mut depth, mut from) = (0, 0);
    let inner = inner.strip_suffix('}').unwrap_or(inner);
    for (at, c) in inner.char_indices().chain([(inner.len(), ',')]) {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                unfold(&inner[from..at], &format!("{before}{start}"), all);
                from = at + 1;
            }
            _ => {}
        }
    }
}

/// The file that a path leads to from a file.
fn target(from: &[String], path: &[String], files: &BTreeSet<Vec<String>>) -> Option<Vec<String>> {
    let mut at: Vec<String> = from.to_vec();
    for step in path {
        match step.as_str() {
            "crate" => at.clear(),
            "super" => _ = at.pop(),
            "self" => {}
            name => at.push(name.to_owned()),
        }
    }
    (0..=at.len()).rev().map(|length| at[..length].to_vec()).find(|file| files.contains(file))
}

/// A file may use those of its own folder and the folder's file may use it; others must not need each other in a circle.
#[test]
fn files_need_each_other_in_no_circle() {
    let mut crates: BTreeMap<String, Vec<(Vec<String>, String)>> = BTreeMap::new();
    for (folder, modules, text) in product_files() {
        crates.entry(folder).or_default().push((modules, text));
    }
    let mut circles = Vec::new();
    for (folder, files) in crates {
        let names: BTreeSet<Vec<String>> = files.iter().map(|(name, _)| name.clone()).collect();
        let mut uses: BTreeMap<Vec<String>, BTreeSet<Vec<String>>> = BTreeMap::new();
        for (name, text) in &files {
            let found = used(text).into_iter().filter_map(|path| target(name, &path, &names));
            let found = found.filter(|other| !other.starts_with(name) && !name.starts_with(other));
            uses.insert(name.clone(), found.collect());
        }
        // What nothing that is left uses, or what uses nothing that is left, is in no circle.
        loop {
            let is_used = |name: &Vec<String>| uses.values().any(|used| used.contains(name));
            let free: Vec<_> =
                uses.iter().filter(|(name, used)| used.is_empty() || !is_used(name)).map(|(name, _)| name.clone()).collect();
            if free.is_empty() {
                break;
            }
            for name in free {
                uses.remove(&name);
                uses.values_mut().for_each(|used| _ = used.remove(&name));
            }
        }
        if !uses.is_empty() {
            circles.push(format!("{folder}: {:?}", uses.keys().map(|name| name.join("/")).collect::<Vec<_>>()));
        }
    }
    assert!(circles.is_empty(), "{circles:#?}");
}

/// Lines without blank ones and comments.
#[test]
fn no_crate_is_too_large() {
    let mut lines: BTreeMap<String, usize> = BTreeMap::new();
    for (folder, _, text) in product_files() {
        let own = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with("//"));
        *lines.entry(folder).or_default() += own.count();
    }
    let large: Vec<_> = lines.iter().filter(|(_, lines)| **lines > 12_000).collect();
    assert!(large.is_empty(), "{large:?}");
}

/// A structure of many members is not changed all over its crate.
#[test]
fn large_structures_are_changed_in_few_files() {
    let files = product_files();
    let mut wrong = Vec::new();
    for (folder, _, text) in &files {
        for structure in text.split("struct ").skip(1) {
            let Some((name, rest)) = structure.split_once(" {\n") else { continue };
            let body = rest.split("\n}").next().unwrap_or_default();
            let members = body.lines().filter(|line| line.starts_with("    ") && !line.trim().starts_with(['/', '#']));
            let members: Vec<&str> = members.filter_map(|line| line.split_once(':')?.0.split_whitespace().last()).collect();
            if members.len() <= 15 {
                continue;
            }
            let is_changed = |text: &str| members.iter().any(|member| changes(text, member));
            let count = files.iter().filter(|(other, _, text)| other == folder && is_changed(text)).count();
            if count > 3 {
                wrong.push(format!("{folder}: {name} has {} members, and {count} files change them", members.len()));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// True if a member of `self` is assigned.
fn changes(text: &str, member: &str) -> bool {
    text.match_indices(&format!("self.{member} ")).any(|(at, own)| {
        let operator = text[at + own.len()..].split(' ').next().unwrap_or_default();
        operator.ends_with('=') && !["==", "!=", "<=", ">="].contains(&operator)
    })
}
