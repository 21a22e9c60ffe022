//! A page for each diagnostic code: what it means, the smallest specification that has it with its message, and how to fix it.
//!
//! The pages are sections of the Markdown files of this folder, by subject. A page contains its example; the message is that of the
//! example, made when the page is shown, so that it can't be out of date. `isagen explain-error` prints a page, and docs/errors.md
//! has all of them.

use crate::{evidence, lint};
use isa_spec::Loaded;
use isa_spec::diag::{Diagnostic, render_terminal};
use std::fmt::Write;

/// The files, in the order of docs/errors.md.
const FILES: [&str; 6] = [
    include_str!("files.md"),
    include_str!("names.md"),
    include_str!("bits.md"),
    include_str!("text.md"),
    include_str!("conditions.md"),
    include_str!("commands.md"),
];

/// The name of an example's file.
const EXAMPLE: &str = "example.yaml";

/// The page of a code.
#[derive(Clone, Copy, Debug)]
pub struct Page {
    /// The code: `clash`.
    pub code: &'static str,
    /// The text below the heading, in Markdown, without messages.
    text: &'static str,
}

/// All pages, in the order of docs/errors.md.
pub fn pages() -> impl Iterator<Item = Page> {
    FILES.iter().flat_map(|file| sections(file).skip(1)).map(|(code, text)| Page { code, text })
}

/// The page of a code, if there is such a code.
///
/// ```
/// let page = isa_reference::codes::page("clash").expect("there is such a code");
/// assert!(page.markdown().contains("error[clash]: add and sub clash: 0x5 is a word of both"));
/// ```
pub fn page(code: &str) -> Option<Page> {
    pages().find(|page| page.code == code)
}

/// All pages as one document: docs/errors.md.
pub fn document() -> String {
    let mut out = String::from(
        "# Errors and warnings\nA *finding* is an error or a warning. Each finding has a code, which is in brackets after `error` \
         or `warning`, and in\nthe output of `--diagnostics json`. `isagen explain-error CODE` prints the section of a code.\n",
    );
    for file in FILES {
        let (title, about) = sections(file).next().expect("a file begins with its title");
        write!(out, "\n#{title}\n{about}").expect("writing to a String does not fail");
        for (code, text) in sections(file).skip(1) {
            write!(out, "\n### {code}\n{}", Page { code, text }.markdown()).expect("writing to a String does not fail");
        }
    }
    out
}

/// The sections of a file: first its title with `#`, then each code; with the text below.
fn sections(file: &'static str) -> impl Iterator<Item = (&'static str, &'static str)> {
    file.split("\n## ").map(|section| {
        let (head, text) = section.split_once('\n').unwrap_or((section, ""));
        (head, text.trim_start_matches('\n'))
    })
}

impl Page {
    /// The text of the page, in Markdown, with the message after the example.
    pub fn markdown(&self) -> String {
        let text = format!("{}\n", self.text.trim_end());
        let Some(end) = self.example_end() else { return text };
        let loaded = self.load(&self.files());
        let messages: Vec<String> = loaded.diagnostics.iter().map(|d| render_terminal(d, &loaded.files, false)).collect();
        format!("{}```text\n{}\n```\n{}", &text[..end], messages.join("\n\n"), &text[end..])
    }

    /// The first paragraph: what the code means.
    pub fn summary(&self) -> &'static str {
        self.text.split("\n```").next().unwrap_or_default().trim_end()
    }

    /// The findings in the example; `None` for a page that is not about specifications.
    pub fn findings(&self) -> Option<Vec<Diagnostic>> {
        self.example_end().map(|_| self.load(&self.files()).diagnostics)
    }

    /// The text of the example once it is fixed as the page says, and the findings in it; `None` for a page without an example.
    pub fn fixed(&self) -> Option<(String, Vec<Diagnostic>)> {
        let rest = &self.text[self.example_end()?..];
        let files = match blocks(rest).next() {
            Some((_, text)) => vec![(EXAMPLE, text.to_owned())],
            None => {
                let mut files: Vec<_> = self.files().into_iter().map(|(name, text)| (name, text.to_owned())).collect();
                for (old, new) in changes(rest) {
                    if let Some((_, text)) = files.iter_mut().find(|(_, text)| text.contains(old)) {
                        *text = text.replacen(old, new, 1);
                    }
                }
                files
            }
        };
        let files: Vec<(&str, &str)> = files.iter().map(|(name, text)| (*name, text.as_str())).collect();
        Some((files[0].1.to_owned(), self.load(&files).diagnostics))
    }

    /// The end of the blocks of the example in the text: those that follow each other without a line between them.
    fn example_end(&self) -> Option<usize> {
        let (mut at, _) = blocks(self.text).next()?;
        while let Some((end, _)) = blocks(&self.text[at..]).next().filter(|_| self.text[at..].starts_with("```yaml")) {
            at += end;
        }
        Some(at)
    }

    /// The files of the example with their names. A block that begins with `# NAME` is a file that the first one names.
    fn files(&self) -> Vec<(&'static str, &'static str)> {
        let end = self.example_end().unwrap_or(0);
        let files = blocks(&self.text[..end]).map(|(_, text)| text);
        files.map(|text| (text.lines().next().and_then(|line| line.strip_prefix("# ")).unwrap_or(EXAMPLE), text)).collect()
    }

    /// Loads an example and looks for all that `isagen check` looks for.
    fn load(&self, files: &[(&str, &str)]) -> Loaded {
        let mut loaded = isa_spec::load_texts(EXAMPLE, files);
        let more: Vec<_> = loaded.isa.iter().flat_map(|isa| lint::all(isa).into_iter().chain(evidence::check(isa))).collect();
        loaded.diagnostics.extend(more);
        loaded
    }
}

/// The `yaml` blocks of a text: the end of each, after its last line, and its content.
fn blocks(text: &'static str) -> impl Iterator<Item = (usize, &'static str)> {
    const OPEN: &str = "```yaml\n";
    const CLOSE: &str = "```\n";
    text.match_indices(OPEN).filter_map(move |(at, _)| {
        let from = at + OPEN.len();
        let length = text[from..].find("\n```").map(|n| n + 1)?;
        Some(((from + length + CLOSE.len()).min(text.len()), &text[from..from + length]))
    })
}

/// The changes that a page asks for: "Instead of `OLD`, write `NEW`" and "remove `OLD`".
fn changes(text: &str) -> Vec<(&str, &str)> {
    let mut list = Vec::new();
    let mut quoted = text.split('`');
    let mut before = quoted.next().unwrap_or_default();
    while let Some(old) = quoted.next() {
        let behind = quoted.next().unwrap_or_default();
        let mut words = before.split_whitespace().rev();
        let last = words.next().unwrap_or_default();
        let is_replaced = last == "of" && words.next().is_some_and(|word| word.ends_with("nstead"));
        if is_replaced && behind.trim_end().ends_with("write") {
            list.push((old, quoted.next().unwrap_or_default()));
            before = quoted.next().unwrap_or_default();
            continue;
        }
        if last.ends_with("emove") {
            list.push((old, ""));
        }
        before = behind;
    }
    list
}
