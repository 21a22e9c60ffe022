//! docs/tables.md and the engine in JavaScript agree with the code: this test writes their lists of tables and records
//! (`BLESS=1`), and compares their numbers of kinds and flags with those of the engine.

use isa_runtime::engine::image::VERSION;
use isa_runtime::engine::record::Layout;
use isa_runtime::engine::tables::{KINDS, SECTIONS, layouts};
use isa_runtime::value::STEPS;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

const BEGIN: &str = "<!-- tables: begin -->\n";
const END: &str = "<!-- tables: end -->\n";

#[test]
fn tables_and_records_are_those_of_the_page() {
    same_between("docs/tables.md", [BEGIN, END], &lists());
    same_between("docs/tables.md", ["<!-- steps: begin -->\n", "<!-- steps: end -->\n"], &steps());
}

#[test]
fn tables_and_records_are_those_of_the_engine_in_javascript() {
    let marks = ["  // layout: begin\n", "  // layout: end\n"];
    same_between("isa-docs/templates/site/engine.js", marks, &javascript());
}

/// Compares the text between two marks of a file, or writes it (`BLESS=1`).
fn same_between(file: &str, [begin, end]: [&str; 2], wanted: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(file);
    let text = fs::read_to_string(&path).expect("the file");
    let (before, rest) = text.split_once(begin).expect("where the lists begin");
    let (_, after) = rest.split_once(end).expect("where they end");
    let wanted = format!("{before}{begin}{wanted}{end}{after}");
    if std::env::var_os("BLESS").is_some() {
        fs::write(&path, wanted).expect("the file can be written");
    } else {
        assert!(text == wanted, "{file} is not what the records are: BLESS=1 cargo test -p isa-runtime --test tables_page");
    }
}

#[test]
fn numbers_of_kinds_and_flags_are_those_of_the_page() {
    let known: Vec<(&str, u64)> = KINDS.iter().map(|(name, number, _)| (*name, *number)).collect();
    let text = fs::read_to_string(page()).expect("the page");
    let (_, section) = text.split_once("## Values of kinds and flags").expect("the section");
    let section = section.split("\n## ").next().unwrap_or_default();
    let rows = section.lines().filter_map(|line| {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        let number = cells.get(2)?.parse().ok()?;
        Some((cells.get(3)?.trim_matches('`'), number))
    });
    assert_eq!(rows.collect::<Vec<(&str, u64)>>(), known);
}

/// The version, the tables and the records as the engine in JavaScript declares them, and the numbers of kinds and flags by their
/// columns.
fn javascript() -> String {
    let mut text = format!("  const VERSION = {VERSION};\n  const RECORDS = {{\n");
    for layout in layouts::<u32>() {
        let columns: Vec<String> = layout.columns.iter().map(|c| format!("{} {}", c.name, javascript_type(c.ty))).collect();
        writeln!(text, "    {}: '{}',", layout.name, columns.join(", ")).expect("writing to a String");
    }
    text.push_str("  };\n  const TABLES = [\n");
    for (name, row, _) in SECTIONS {
        writeln!(text, "    '{name} {}',", javascript_type(row)).expect("writing to a String");
    }
    text.push_str("  ];\n  const NAMED = {\n");
    let column = |about: &'static str| about.split_once("[`").and_then(|(_, rest)| rest.split_once("`]")).expect("a column").0;
    for of_column in KINDS.chunk_by(|(.., one), (.., other)| column(one) == column(other)) {
        let numbers: Vec<String> = of_column.iter().map(|(name, number, _)| format!("{name}: {number}")).collect();
        writeln!(text, "    '{}': {{ {} }},", column(of_column[0].2).replace("::", "."), numbers.join(", "))
            .expect("writing to a String");
    }
    let steps: Vec<String> = STEPS.iter().map(|(name, number, ..)| format!("{name}: {number}")).collect();
    writeln!(text, "    'CodeStep.kind': {{ {} }},", steps.join(", ")).expect("writing to a String");
    text.push_str("  };\n");
    text
}

/// `[Term; 2]` is `Term 2`.
fn javascript_type(ty: &str) -> String {
    plain(ty).trim_matches(['[', ']']).replace(';', "")
}

/// The steps of codes.
fn steps() -> String {
    let mut text = String::from("| step | number | what it gives |\n|---|---|---|\n");
    for (name, number, _, about) in STEPS {
        writeln!(text, "| `{name}` | {number} | {about} |").expect("writing to a String");
    }
    text
}

fn page() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../docs/tables.md")
}

/// The list of tables, and the columns of each record.
fn lists() -> String {
    let mut text = String::from("| table | rows | what it holds |\n|---|---|---|\n");
    let add = |text: &mut String, line: std::fmt::Arguments<'_>| writeln!(text, "{line}").expect("writing to a String");
    for (name, row, about) in SECTIONS {
        add(&mut text, format_args!("| `{name}` | {} | {} |", plain(row), links(about)));
    }
    text.push_str("\n### Records\n`w` is the number of bytes of a word.\n");
    for (narrow, wide) in layouts::<u32>().into_iter().zip(layouts::<u64>()) {
        add(&mut text, format_args!("\n#### {}\n{}\n", narrow.name, wrapped(&links(narrow.about))));
        text.push_str("| at | bytes | name | type | |\n|---|---|---|---|---|\n");
        for (i, column) in narrow.columns.iter().enumerate() {
            let at = in_words(offset(&narrow, i), offset(&wide, i));
            let bytes = in_words(column.bytes, wide.columns[i].bytes);
            let (name, ty) = (column.name, plain(column.ty));
            add(&mut text, format_args!("| {at} | {bytes} | `{name}` | {ty} | {} |", links(column.about)));
        }
        let columns = narrow.columns.len();
        add(&mut text, format_args!("\n{} bytes.", in_words(offset(&narrow, columns), offset(&wide, columns))));
    }
    text.push('\n');
    text
}

/// Prose in lines of at most 120 characters.
fn wrapped(prose: &str) -> String {
    let mut lines: Vec<String> = Vec::new();
    for word in prose.split_whitespace() {
        match lines.last_mut().filter(|line| line.chars().count() + 1 + word.chars().count() <= 120) {
            Some(line) => *line += &format!(" {word}"),
            None => lines.push(word.to_owned()),
        }
    }
    lines.join("\n")
}

fn offset(layout: &Layout, columns: usize) -> usize {
    layout.columns[..columns].iter().map(|c| c.bytes).sum()
}

/// A number of bytes from its values for words of four bytes and of eight: `12 + 2w`.
fn in_words(narrow: usize, wide: usize) -> String {
    let words = (wide - narrow) / 4;
    let term = if words == 1 { "w".to_owned() } else { format!("{words}w") };
    match (narrow - 4 * words, words) {
        (bytes, 0) => bytes.to_string(),
        (0, _) => term,
        (bytes, _) => format!("{bytes} + {term}"),
    }
}

/// A type by its name on the page.
fn plain(ty: &str) -> String {
    ty.replace("<W>", "").replace("crate::word::", "")
}

/// A comment of the code without its links.
fn links(about: &str) -> String {
    about.trim().replace("[`Common::", "`").replace("[`", "`").replace("`]", "`").replace("::", ".")
}
