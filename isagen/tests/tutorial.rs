//! The commands of pages print the output on the page: each `$` line of their `console` blocks is executed by a shell. A block of
//! another kind after a paragraph that ends with "into `FILE`:" is written to that file. Blocks with commands of `cargo` are not run.
//!
//! `BLESS=1 cargo test -p isagen --test tutorial` writes the output into the pages.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

/// The repository.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Copies a file, or a folder with all that is in it.
fn copy(from: &Path, to: &Path) {
    if !from.is_dir() {
        fs::copy(from, to).expect("it can be copied");
        return;
    }
    fs::create_dir_all(to).expect("a folder for tests");
    for entry in fs::read_dir(from).expect("a folder") {
        let entry = entry.expect("an entry of the folder");
        copy(&entry.path(), &to.join(entry.file_name()));
    }
}

/// Fails if a copy, or a file in a copied folder, differs from the original.
fn is_unchanged(original: &Path, copied: &Path) {
    if original.is_dir() {
        for entry in fs::read_dir(original).expect("a folder") {
            let entry = entry.expect("an entry of the folder");
            is_unchanged(&entry.path(), &copied.join(entry.file_name()));
        }
    } else {
        assert!(fs::read(original).ok() == fs::read(copied).ok(), "the page changes {}", original.display());
    }
}

/// Runs the commands of a page in a folder with these files; there are at least `least` commands.
fn runs(page: &str, name: &str, files: &[&str], least: usize) {
    let page = root().join(page);
    let text = fs::read_to_string(&page).expect("the page");
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a folder for tests");
    for file in files {
        let file = root().join(file);
        copy(&file, &folder.join(file.file_name().expect("a file")));
    }
    let programs = Path::new(env!("CARGO_BIN_EXE_isagen")).parent().expect("a folder");
    let path =
        env::join_paths([programs.to_path_buf()].into_iter().chain(env::split_paths(&env::var_os("PATH").unwrap_or_default())));
    let path = path.expect("a search path");
    let mut out = String::new();
    let mut lines = text.lines();
    let (mut paragraph, mut commands) = (String::new(), 0);
    while let Some(line) = lines.next() {
        out += &format!("{line}\n");
        let block = |lines: &mut std::str::Lines<'_>| -> String {
            lines.by_ref().take_while(|line| *line != "```").map(|line| format!("{line}\n")).collect()
        };
        let file = paragraph.strip_suffix("`: ").and_then(|rest| rest.rsplit_once("into `")).map(|(_, file)| file.to_owned());
        match (line, file) {
            (fence, Some(file)) if fence.starts_with("```") => {
                let content = block(&mut lines);
                fs::write(folder.join(file), &content).expect("the folder can be written to");
                out += &format!("{content}```\n");
            }
            ("```console", _) => {
                let content = block(&mut lines);
                if content.starts_with("$ cargo ") {
                    out += &format!("{content}```\n");
                    paragraph.clear();
                    continue;
                }
                for command in content.lines().filter_map(|line| line.strip_prefix("$ ")) {
                    let run = Command::new("sh").args(["-c", command]).current_dir(&folder).env("PATH", &path).output();
                    let run = run.expect("a shell");
                    let (printed, said) = (String::from_utf8_lossy(&run.stdout), String::from_utf8_lossy(&run.stderr));
                    out += &format!("$ {command}\n{printed}{said}");
                    commands += 1;
                }
                out += "```\n";
            }
            _ => {}
        }
        match line {
            "" => paragraph.clear(),
            line if line.starts_with("```") => paragraph.clear(),
            line => paragraph += &format!("{line} "),
        }
    }
    assert!(commands >= least, "{name} has its commands");
    // A reader runs them in a clone, where these files are not to be changed.
    for file in files {
        let file = root().join(file);
        is_unchanged(&file, &folder.join(file.file_name().expect("a file")));
    }
    if env::var_os("BLESS").is_some() {
        fs::write(&page, &out).expect("the page can be written");
    } else {
        assert!(out == text, "{name} is not what is printed: BLESS=1 cargo test -p isagen --test tutorial\n{out}");
    }
}

#[test]
fn the_tutorial_runs() {
    runs("docs/tutorial.md", "tutorial", &["specs"], 10);
}

#[test]
fn the_page_about_programs_runs() {
    runs("docs/programs.md", "programs", &["tests/programs/collatz"], 10);
}

#[test]
fn the_page_about_computers_runs() {
    runs("docs/computer.md", "computer", &[], 6);
}

#[test]
fn the_page_about_the_6502_runs() {
    runs("docs/6502.md", "6502", &["examples/6502/6502.yaml"], 25);
}

#[test]
fn the_page_about_cubins_runs() {
    let files = ["saxpy.cubin", "zstd.fatbin", "relocatable.cubin"].map(|file| format!("crates/isa-object/tests/data/{file}"));
    runs("docs/cubins.md", "cubins", &files.each_ref().map(String::as_str), 6);
}

#[test]
fn the_page_about_kernels_runs() {
    runs("docs/kernels.md", "kernels", &["tests/cubins/blur"], 4);
}

#[test]
fn the_readme_runs() {
    runs("README.md", "readme", &["tests"], 15);
}

/// The pages of codes about inputs and runs; `conformance --test language` has the others.
#[test]
fn the_pages_about_inputs_and_runs_have_the_messages_of_their_codes() {
    runs("crates/isa-reference/src/codes/commands.md", "codes", &["crates/isa-object/tests/data/saxpy.cubin"], 8);
    let text = fs::read_to_string(root().join("crates/isa-reference/src/codes/commands.md")).expect("the page");
    for section in text.split("\n## ").skip(1).filter(|section| section.contains("$ ")) {
        let code = section.lines().next().unwrap_or_default();
        assert_eq!(section.matches(&format!("\"code\":\"{code}\"")).count(), 1, "{section}");
        assert_eq!(section.matches("\"code\":").count(), 1, "{section}");
    }
}
