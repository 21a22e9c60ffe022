//! Sources, docs, specs and expected outputs are written in the terms of CONTRIBUTING.md, whose table says which words are not used.

use harness::project_files;
use std::path::Path;

/// The files that are searched. Expected outputs of other programs, licences and generated tables are not.
const EXTENSIONS: [&str; 10] = ["rs", "md", "yaml", "stderr", "txt", "pest", "html", "js", "toml", "css"];

/// The ruled out terms: those in backticks in the second column of the table under `## Terms`.
fn ruled_out(contributing: &str) -> Vec<String> {
    let (_, table) = contributing.split_once("\n## Terms\n").expect("CONTRIBUTING.md has a list of terms");
    let rows = table.lines().filter(|line| line.starts_with("| ")).skip(1);
    rows.flat_map(|row| {
        let cell = row.split(" | ").nth(1).unwrap_or_default();
        cell.split('`').skip(1).step_by(2).map(str::to_lowercase).collect::<Vec<_>>()
    })
    .collect()
}

/// True if a line has a term as whole words.
fn has(line: &str, term: &str) -> bool {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    line.match_indices(term).any(|(at, _)| {
        let before = line[..at].chars().next_back();
        let after = line[at + term.len()..].chars().next();
        !(before.is_some_and(is_word) || after.is_some_and(is_word) && term.ends_with(is_word))
    })
}

/// True if a file, or a line of it, quotes what others wrote: documents in errata, outputs and names of other programs.
fn quotes(path: &str, line: &str) -> bool {
    path.contains(".errata.")
        || path.contains("vectors/")
        || path.contains("/kernels/LICENSE")
        || path.starts_with("generated/docs/")
        || line.trim_start().starts_with("says:")
}

#[test]
fn a_term_is_found_as_whole_words() {
    assert!(has("this is no word.", "is no word"));
    assert!(!has("there is no wording", "is no word"));
    assert!(has("it cannot be.", "cannot be."));
    assert!(!has("unknowsn", "knows"));
}

#[test]
fn everything_is_written_in_the_terms_of_the_project() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let contributing = std::fs::read_to_string(root.join("CONTRIBUTING.md")).expect("CONTRIBUTING.md");
    let terms = ruled_out(&contributing);
    assert!(terms.len() > 20, "{terms:?}");
    let mut found = Vec::new();
    let mut searched = 0;
    for path in project_files(Path::new("."), &EXTENSIONS) {
        let name = path.display().to_string();
        let name = name.rsplit_once("/./").map_or(name.as_str(), |(_, name)| name).to_owned();
        if name == "CONTRIBUTING.md" || name.ends_with("tests/project/terms.rs") {
            continue;
        }
        let Ok(text) = std::fs::read_to_string(&path) else { continue };
        searched += 1;
        for (number, line) in text.lines().enumerate().filter(|(_, line)| !quotes(&name, line)) {
            let lower = line.to_lowercase();
            found.extend(
                terms.iter().filter(|term| has(&lower, term)).map(|t| format!("{name}:{}: `{t}`: {}", number + 1, line.trim())),
            );
        }
    }
    assert!(searched > 500, "{searched} files");
    assert!(found.is_empty(), "{} places; CONTRIBUTING.md says what to write instead:\n{}", found.len(), found.join("\n"));
}
