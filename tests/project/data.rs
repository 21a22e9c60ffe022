//! DATA.md names the origin and the licence of every file that is not source code or documentation.

use std::path::Path;

/// Extensions of files written by hand: programs and their configuration, templates, pages.
const SOURCES: [&str; 13] = ["rs", "toml", "md", "pest", "html", "css", "js", "py", "pyi", "typed", "lock", "run", "gitignore"];
/// Folders of files that tools have made.
const MADE: [&str; 5] = ["target", ".git", "__pycache__", ".pytest_cache", ".mypy_cache"];

/// The paths in backticks in the first column of the table: folders, files, and beginnings of files.
fn listed(page: &str) -> Vec<String> {
    let rows = page.lines().filter(|line| line.starts_with("| `"));
    let first = rows.filter_map(|row| row.split(" | ").next());
    first.flat_map(|cell| cell.split('`').skip(1).step_by(2).map(str::to_owned).collect::<Vec<_>>()).collect()
}

fn covers(listed: &str, file: &str) -> bool {
    match listed.strip_suffix('*') {
        Some(begin) => file.starts_with(begin),
        None if listed.ends_with('/') => file.starts_with(listed),
        None => file == listed,
    }
}

fn walk(folder: &Path, root: &Path, found: &mut Vec<String>) {
    for entry in std::fs::read_dir(folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display())) {
        let path = entry.expect("an entry of the folder").path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if path.is_dir() {
            if !MADE.contains(&&*name) {
                walk(&path, root, found);
            }
        } else if name != ".git" {
            found.push(path.strip_prefix(root).expect("a file of the project").to_string_lossy().into_owned());
        }
    }
}

#[test]
fn every_data_file_has_an_origin_and_a_licence() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the workspace");
    let page = std::fs::read_to_string(root.join("DATA.md")).expect("DATA.md");
    let listed = listed(&page);
    let mut files = Vec::new();
    walk(root, root, &mut files);
    // `shared` is not a part of the project.
    files.retain(|file| !file.starts_with("shared/"));
    let is_source =
        |file: &str| SOURCES.iter().any(|end| file.rsplit(['.', '/']).next() == Some(end)) || file.starts_with("LICENSE-");
    let without: Vec<_> = files.iter().filter(|file| !is_source(file) && !listed.iter().any(|l| covers(l, file))).collect();
    assert!(without.is_empty(), "files that DATA.md does not list: {without:?}");
    let unused: Vec<_> = listed.iter().filter(|l| !files.iter().any(|file| covers(l, file))).collect();
    assert!(unused.is_empty(), "DATA.md lists what does not exist: {unused:?}");
}
