//! Doc comments: what the spec says of an item, where the documents have it and where they are wrong, and its entry.

use crate::visible::visible;
use isa_spec::model::{Doc, DocRef, Erratum, Evidence, Instruction, Isa};
use isa_spec::span::Span;
use proc_macro2::TokenStream;
use quote::quote;
use std::borrow::Cow;

/// Collects the lines of a doc comment.
pub(super) struct DocLines<'a> {
    isa: &'a Isa,
    lines: Vec<String>,
}

impl<'a> DocLines<'a> {
    /// Begins with the first of `first` that isn't empty.
    pub(super) fn new(isa: &'a Isa, first: &[&str]) -> Self {
        let line = first.iter().find(|l| !l.trim().is_empty()).map_or("", |l| l.trim());
        let mut doc = Self { isa, lines: Vec::new() };
        doc.prose(line);
        doc
    }

    /// Adds lines of prose.
    pub(super) fn prose(&mut self, text: &str) -> &mut Self {
        self.lines.extend(prose(text));
        self
    }

    /// Adds a paragraph, if there is anything to say.
    pub(super) fn paragraph(&mut self, text: &str) -> &mut Self {
        if !text.trim().is_empty() {
            self.lines.push(String::new());
            self.prose(text.trim());
        }
        self
    }

    /// Adds code as it is.
    pub(super) fn code(&mut self, language: &str, source: &str) -> &mut Self {
        self.lines.push(String::new());
        self.lines.extend(block(language, &source.lines().collect::<Vec<_>>()));
        self
    }

    /// Adds the lines of the documents.
    pub(super) fn cite(&mut self, doc: &Doc) -> &mut Self {
        let list = cited(self.isa, doc);
        if !list.is_empty() {
            self.paragraph(&format!("In the documents: {list}."));
        }
        self
    }

    /// Adds the place in the specification.
    pub(super) fn place(&mut self, span: Span) -> &mut Self {
        let file = self.isa.files.file(span.file);
        let line = self.isa.files.line(span);
        // The directory says where it was generated, not what it is.
        let name = file.name.rsplit(['/', '\\']).next().unwrap_or(&file.name).to_owned();
        self.paragraph(&format!("Specified at `{name}:{line}`."))
    }

    /// Adds the errors in the documents.
    pub(super) fn errata(&mut self, errata: &[Erratum]) -> &mut Self {
        if errata.is_empty() {
            return self;
        }
        self.paragraph("# Errata");
        for erratum in errata {
            let line = format!("- {}", self.said(erratum));
            self.prose(&line);
            self.lines.extend(erratum.evidence.iter().map(evidence));
        }
        self
    }

    /// Adds the errors in the documents about a field, with one piece of evidence each: all of it is at the instruction, or on
    /// the pages.
    pub(super) fn field_errata(&mut self, errata: &[&Erratum]) -> &mut Self {
        for erratum in errata {
            self.paragraph(&self.said(erratum));
            self.lines.extend(erratum.evidence.first().map(evidence));
        }
        self
    }

    /// `E3, wrong (A book, line 4): the document has “5”; it is “6”, says a tool.`
    fn said(&self, erratum: &Erratum) -> String {
        let at = cited(self.isa, &erratum.at);
        let mut line = format!("{}, {} ({at})", erratum.id, erratum.kind);
        if !erratum.says.is_empty() {
            line.push_str(&format!(": the document has “{}”", one_line(&erratum.says)));
        }
        line.push_str(&format!("; it is “{}”", one_line(&erratum.is)));
        if !erratum.by.is_empty() {
            line.push_str(&format!(", says {}", erratum.by));
        }
        line.push('.');
        line
    }

    /// Everything about an instruction.
    pub(super) fn instruction(isa: &'a Isa, insn: &Instruction) -> Self {
        let mut doc = Self::new(isa, &[&insn.summary, &insn.mnemonic]);
        doc.paragraph(&insn.notes);
        if !insn.status.is_empty() {
            doc.paragraph(&format!("Status: {}.", insn.status));
        }
        if insn.observed {
            doc.paragraph("Observed: a tool shows it, the document does not have it.");
        }
        doc.cite(&insn.doc).errata(&insn.errata).place(insn.span);
        doc
    }

    /// The attributes.
    pub(super) fn tokens(&self) -> TokenStream {
        // A line for each keeps them line comments when they are printed.
        let lines = self.lines().map(|l| if l.is_empty() { String::new() } else { format!(" {l}") });
        quote! { #(#[doc = #lines])* }
    }

    /// The lines.
    pub(super) fn lines(&self) -> impl Iterator<Item = Cow<'_, str>> {
        self.lines.iter().map(|l| visible(l))
    }
}

/// The lines of a doc comment of one line or a few.
pub(super) fn doc(text: &str) -> Vec<String> {
    prose(text).into_iter().map(|line| visible(&line).into_owned()).collect()
}

/// The same as attributes.
pub(super) fn attributes(text: &str) -> TokenStream {
    let lines = doc(text).into_iter().map(|l| if l.is_empty() { l } else { format!(" {l}") });
    quote! { #(#[doc = #lines])* }
}

/// `line 17; nvdisasm`: where the documents have it, without the title of the main one.
pub(super) fn lines_of(isa: &Isa, doc: &Doc) -> String {
    by_source(doc, |source, has_lines| match (source, has_lines) {
        (0, true) => String::new(),
        _ => isa.sources[source].name.clone(),
    })
}

/// `Title, lines 17–59, 61; nvdisasm`
fn cited(isa: &Isa, doc: &Doc) -> String {
    by_source(doc, |source, _| {
        let source = &isa.sources[source];
        if source.title.is_empty() { source.name.clone() } else { source.title.clone() }
    })
}

/// The references to a source in one part. `name` returns how it begins, depending on whether lines follow.
fn by_source(doc: &Doc, name: impl Fn(usize, bool) -> String) -> String {
    let part = |refs: &[DocRef]| {
        let range = |(first, last): (u32, u32)| if first == last { first.to_string() } else { format!("{first}–{last}") };
        let mut lines: Vec<String> = refs.iter().filter_map(|r| r.lines).map(range).collect();
        lines.dedup();
        let lines = match lines.as_slice() {
            [] => String::new(),
            [one] if !one.contains('–') => format!("line {one}"),
            all => format!("lines {}", all.join(", ")),
        };
        let name = name(refs[0].source.index(), !lines.is_empty());
        [name, lines].into_iter().filter(|text| !text.is_empty()).collect::<Vec<_>>().join(", ")
    };
    doc.0.chunk_by(|a, b| a.source == b.source).map(part).collect::<Vec<_>>().join("; ")
}

fn evidence(evidence: &Evidence) -> String {
    let code = |text: &str| text.replace('`', "'");
    let of = code(&evidence.of.to_string());
    match &evidence.text {
        Some(text) => format!("  - `{of}` is `{}`", code(text)),
        None => format!("  - `{of}` is refused"),
    }
}

/// Lines of prose in Markdown. A line that begins with blanks would be code, so none does; text between fences is code of no
/// language, or rustdoc would run it.
fn prose(text: &str) -> Vec<String> {
    let mut out = Vec::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        let Some(fence) = fence_of(line) else {
            out.push(escape(line.trim()));
            continue;
        };
        let closes = |l: &str| fence_of(l).is_some_and(|f| f.starts_with(fence) && f.len() == l.trim().len());
        // A fence that nothing closes would swallow all that follows.
        let length = lines.clone().take_while(|l| !closes(l)).count();
        if length == lines.clone().count() {
            out.push(escape(line.trim()));
            continue;
        }
        out.extend(block("text", &lines.by_ref().take(length + 1).take_while(|l| !closes(l)).collect::<Vec<_>>()));
    }
    out
}

/// The fence with which a line begins.
fn fence_of(line: &str) -> Option<&str> {
    let line = line.trim();
    let mark = line.chars().next().filter(|c| matches!(c, '`' | '~'))?;
    let length = line.len() - line.trim_start_matches(mark).len();
    (length >= 3 && !(mark == '`' && line[length..].contains('`'))).then_some(&line[..length])
}

/// Lines between fences that are longer than any in them.
fn block(language: &str, lines: &[&str]) -> Vec<String> {
    let longest = lines.iter().flat_map(|l| l.split(|c| c != '`')).map(str::len).max().unwrap_or(0);
    let fence = "`".repeat((longest + 1).max(3));
    let begin = format!("{fence}{language}");
    std::iter::once(begin).chain(lines.iter().map(|l| (*l).to_owned())).chain([fence]).collect()
}

/// Brackets outside code would be links or tags, and marks of code that nothing closes would make code of what follows.
fn escape(line: &str) -> String {
    let mut out = String::with_capacity(line.len());
    let mut rest = line;
    while let Some(at) = rest.find('`') {
        plain(&rest[..at], &mut out);
        let marks = rest.len() - at - rest[at..].trim_start_matches('`').len();
        let after = &rest[at + marks..];
        // Code ends with as many marks as it begins with. Three or more at the beginning of a line, or of an item, are a fence.
        let end = if marks < 3 { run_of(after, marks) } else { None };
        match end {
            Some(end) => {
                out.push_str(&rest[at..at + marks + end + marks]);
                rest = &after[end + marks..];
            }
            None => {
                out.push_str(&"\\`".repeat(marks));
                rest = after;
            }
        }
    }
    plain(rest, &mut out);
    out
}

/// The beginning of the first run of exactly `marks` marks of code.
fn run_of(text: &str, marks: usize) -> Option<usize> {
    let mut at = 0;
    while let Some(next) = text[at..].find('`') {
        at += next;
        let length = text.len() - at - text[at..].trim_start_matches('`').len();
        if length == marks {
            return Some(at);
        }
        at += length;
    }
    None
}

fn plain(text: &str, out: &mut String) {
    for c in text.chars() {
        if matches!(c, '[' | ']' | '<' | '>' | '*' | '~') {
            out.push('\\');
        }
        out.push(c);
    }
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_of_code_come_in_pairs() {
        assert_eq!(escape("`a[0]` and b[0], <x>"), "`a[0]` and b\\[0\\], \\<x\\>");
        assert_eq!(escape("one ` mark [x]"), "one \\` mark \\[x\\]");
        assert_eq!(escape("`` a`b `` c"), "`` a`b `` c");
        assert_eq!(escape("- ```rust"), "- \\`\\`\\`rust");
    }

    #[test]
    fn fences_are_closed_and_of_no_language() {
        assert_eq!(prose("a\n```rust\n  panic!()\n```\n  b"), ["a", "```text", "  panic!()", "```", "b"]);
        assert_eq!(prose("```rust\nx\n\ny"), ["\\`\\`\\`rust", "x", "", "y"]);
        assert_eq!(prose("~~~\n```\n~~~~ "), ["````text", "```", "````"]);
        assert_eq!(block("text", &["```"]), ["````text", "```", "````"]);
    }
}
