//! No test passes because an environment variable is not set: it would be counted as passed without having tested anything. Tests
//! that need a variable are `#[ignore = "needs …"]`, and fail without it.
//!
//! A search in the text of test code: statements that ask for a variable, or call a function that asks for one and says so by an
//! `Option`, a `Result` or a `bool`, and then return. It does not see a variable whose value is kept for a later statement, a
//! loop over a list that is empty without the variable, a macro, or a program that is looked for without a variable.

use harness::project_files;
use std::path::Path;

/// The source without comments and without what strings and characters contain, with the same lines.
fn bare(source: &str) -> String {
    let (mut out, mut rest) = (String::new(), source);
    while let Some(c) = rest.chars().next() {
        let raw = rest.strip_prefix('r').map(|behind| behind.len() - behind.trim_start_matches('#').len());
        let is_word = out.ends_with(|c: char| c.is_alphanumeric() || c == '_');
        let length = match c {
            '/' if rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
            'r' if !is_word && raw.is_some_and(|hashes| rest[1 + hashes..].starts_with('"')) => {
                let end = format!("\"{}", "#".repeat(raw.unwrap_or(0)));
                let start = 1 + end.len();
                rest[start..].find(&end).map_or(rest.len(), |at| start + at + end.len())
            }
            '"' => {
                let mut escaped = false;
                let is_end = |c| {
                    let was_escaped = escaped;
                    escaped = c == '\\' && !escaped;
                    !was_escaped && c == '"'
                };
                let end = rest[1..].find(is_end);
                end.map_or(rest.len(), |at| at + 2)
            }
            '\'' if rest[1..].starts_with('\\') => rest[3..].find('\'').map_or(rest.len(), |at| at + 4),
            '\'' if rest.chars().nth(2) == Some('\'') => 2 + rest.chars().nth(1).map_or(0, char::len_utf8),
            _ => 0,
        };
        match length {
            0 => out.push(c),
            _ => out.extend(rest[..length].chars().filter(|c| *c == '\n')),
        }
        rest = &rest[length.max(c.len_utf8())..];
    }
    out
}

/// The end of what begins at a place: of a statement, or of the block that ends it.
fn end(source: &str, from: usize) -> usize {
    let (mut depth, bytes) = (0, source.as_bytes());
    for at in from..bytes.len() {
        match bytes[at] {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' if depth == 0 => return at,
            b')' | b']' => depth -= 1,
            b'}' => {
                depth -= 1;
                let rest = source[at + 1..].trim_start();
                if depth == 0 && !rest.starts_with([';', '.', '?', ')', ',']) && !rest.starts_with("else") {
                    return at + 1;
                }
            }
            b';' if depth == 0 => return at,
            _ => {}
        }
    }
    bytes.len()
}

/// The place where the statement around a place begins.
fn start(source: &str, at: usize) -> usize {
    let mut depth = 0;
    for (place, c) in source[..at].bytes().enumerate().rev() {
        match c {
            b')' | b']' => depth += 1,
            b'(' | b'[' if depth > 0 => depth -= 1,
            b';' | b'{' | b'}' if depth == 0 => return place + 1,
            _ => {}
        }
    }
    0
}

/// The places of calls of a function in a source.
fn calls<'s>(source: &'s str, name: &'s str) -> impl Iterator<Item = usize> + 's {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    source.match_indices(name).map(|(at, _)| at).filter(move |at| {
        let before = &source[..*at];
        source[at + name.len()..].starts_with('(') && !before.ends_with(is_part) && !before.ends_with("fn ")
    })
}

/// True if a statement returns, without a value, where what it asks for is missing.
fn returns(statement: &str) -> bool {
    let returns = |text: &str| {
        text.split("return")
            .skip(1)
            .any(|rest| rest.trim_start().chars().next().is_none_or(|c| matches!(c, ';' | '}' | ',' | ')')))
    };
    let condition = statement.split('{').next().unwrap_or_default();
    let has = |word: &str| condition.split(|c: char| !c.is_alphanumeric() && c != '_').any(|own| own == word);
    let is_missing = condition.contains('!') || ["is_none", "is_err", "None", "Err"].into_iter().any(has);
    match condition.trim_start().starts_with("if ") {
        // The block for what is there may return.
        true if !is_missing => statement.split_once("else").is_some_and(|(_, rest)| returns(rest)),
        _ => returns(statement),
    }
}

/// The functions of a source that answer whether something is there: their names and bodies.
fn answers(source: &str) -> Vec<(&str, &str)> {
    let functions = source.match_indices("fn ").filter_map(|(at, _)| {
        let open = at + source[at..].find(['{', ';'])?;
        let head = &source[at + 3..open];
        let (_, result) = head.split_once("->")?;
        let name = head.split(|c: char| !c.is_alphanumeric() && c != '_').next()?;
        let is_answer = ["Option", "Result", "bool"].iter().any(|kind| result.contains(kind));
        (is_answer && !name.is_empty()).then(|| (name, &source[open..end(source, open)]))
    });
    functions.collect()
}

/// The statements of sources that return where a variable is not set: the number of the source, the line and the statement.
fn skipped(sources: &[String]) -> Vec<(usize, usize, String)> {
    let sources: Vec<String> = sources.iter().map(|source| bare(source)).collect();
    let mut answers: Vec<(&str, &str)> = sources.iter().flat_map(|source| answers(source)).collect();
    let mut asked = vec!["env::var", "env::var_os"];
    let mut at = 0;
    while let Some(call) = asked.get(at).copied() {
        let (more, rest) = answers.into_iter().partition(|(_, body): &(&str, &str)| calls(body, call).next().is_some());
        answers = rest;
        let more: Vec<(&str, &str)> = more;
        asked.extend(more.into_iter().map(|(name, _)| name));
        at += 1;
    }
    let mut found = Vec::new();
    for (number, source) in sources.iter().enumerate() {
        for at in asked.iter().flat_map(|call| calls(source, call)) {
            let from = start(source, at);
            let statement = &source[from..end(source, from)];
            if returns(statement) {
                let statement = statement.split_whitespace().collect::<Vec<_>>().join(" ");
                found.push((number, source[..at].lines().count(), statement));
            }
        }
    }
    found
}

#[test]
fn the_ways_to_return_are_seen() {
    let body = |text: &str| {
        let source = format!(
            "#[test]\nfn one() {{\n    {text}\n    assert!(true);\n}}\nfn asks() -> bool {{ env::var(\"A\").is_ok() }}\n\
             fn named() -> Option<String> {{ env::var(\"A\").ok().filter(|_| asks()) }}\n"
        );
        !skipped(&[source]).is_empty()
    };
    for text in [
        "let Some(a) = env::var_os(\"A\") else { return };",
        "let Ok(a) = std::env::var(\"A\") else {\n        eprintln!(\"skipped\");\n        return;\n    };",
        "let Some(a) = env::var_os(\"A\").map(PathBuf::from) else { return };",
        "if env::var_os(\"A\").is_none() { return; }",
        "if let Err(_) = env::var(\"A\") { return; }",
        "if !asks() { return }",
        "let a = match env::var(\"A\") { Ok(a) => a, Err(_) => return };",
        "let a = asked(env::var(\"A\").ok()); let Some(b) = named() else { return };",
        "if env::var(\"A\").is_ok() { assert!(false) } else { return }",
    ] {
        assert!(body(text), "{text}");
    }
    for text in [
        "let a = env::var(\"A\").expect(\"A is a folder\");",
        "if env::var_os(\"BLESS\").is_some() { write(); return; }",
        "let a = env::var(\"A\").unwrap_or_default(); let Some(b) = c else { return };",
        "// let Some(a) = env::var_os(\"A\") else { return };",
        "let text = \"let Some(a) = env::var_os() else { return };\";",
        "let Some(a) = scope.var(1) else { return };",
        "let Ok(a) = env::var(\"A\") else { return others };",
        "if asks() { return }",
    ] {
        assert!(!body(text), "{text}");
    }
}

#[test]
fn no_test_passes_because_a_variable_is_not_set() {
    let mut files = Vec::new();
    for path in project_files(Path::new("."), &["rs"]) {
        let text = std::fs::read_to_string(&path).expect("a source file");
        let name = path.display().to_string();
        let name = name.rsplit_once("/./").map_or(name.as_str(), |(_, name)| name).to_owned();
        // Code of tests: their folders, and what has tests in it from there on.
        let from = if name.starts_with("tests/") || name.contains("/tests/") || name.ends_with("/tests.rs") {
            Some(0)
        } else {
            text.find("#[cfg(test)]")
        };
        if let Some(from) = from.filter(|_| !name.ends_with("project/skipped.rs")) {
            let lines = "\n".repeat(text[..from].lines().count());
            files.push((name, lines + &text[from..]));
        }
    }
    assert!(files.len() > 150, "{}", files.len());
    let sources: Vec<String> = files.iter().map(|file| file.1.clone()).collect();
    let found = skipped(&sources);
    let found: Vec<String> = found.into_iter().map(|(file, line, text)| format!("{}:{line}: {text}", files[file].0)).collect();
    assert!(found.is_empty(), "`#[ignore = \"needs …\"]`, and `expect` in place of a return:\n{}", found.join("\n"));
}
