//! Doc comments: what the spec says of an item, where the documents have it and where they are wrong, and its entry.

use isa_spec::model::{Doc, Erratum, Evidence, Instruction, Isa};
use isa_spec::span::Span;
use proc_macro2::TokenStream;
use quote::quote;

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

    /// Adds lines of prose as they are. A line of Markdown that begins with blanks would be code.
    pub(super) fn prose(&mut self, text: &str) -> &mut Self {
        self.lines.extend(text.lines().map(|l| escape(l.trim())));
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
        self.lines.extend([String::new(), format!("```{language}")]);
        self.lines.extend(source.lines().map(str::to_owned));
        self.lines.push("```".to_owned());
        self
    }

    /// Where it stands in the documents.
    pub(super) fn cite(&mut self, doc: &Doc) -> &mut Self {
        let list = cited(self.isa, doc);
        if !list.is_empty() {
            self.paragraph(&format!("In the documents: {list}."));
        }
        self
    }

    /// Where it stands in the spec.
    pub(super) fn place(&mut self, span: Span) -> &mut Self {
        let file = self.isa.files.file(span.file);
        let line = self.isa.files.line(span);
        // The directory says where it was generated, not what it is.
        let name = file.name.rsplit(['/', '\\']).next().unwrap_or(&file.name).to_owned();
        self.paragraph(&format!("Specified at `{name}:{line}`."))
    }

    /// What the documents have wrong.
    pub(super) fn errata(&mut self, errata: &[Erratum]) -> &mut Self {
        if errata.is_empty() {
            return self;
        }
        self.paragraph("# Errata");
        for erratum in errata {
            let id = if erratum.id.is_empty() { String::new() } else { format!("{}, ", erratum.id) };
            let at = cited(self.isa, &erratum.at);
            let mut line = format!("- {id}{} ({at})", erratum.kind);
            if !erratum.says.is_empty() {
                line.push_str(&format!(": the document has “{}”", one_line(&erratum.says)));
            }
            line.push_str(&format!("; it is “{}”", one_line(&erratum.is)));
            if !erratum.by.is_empty() {
                line.push_str(&format!(", says {}", erratum.by));
            }
            line.push('.');
            self.prose(&line);
            self.lines.extend(erratum.evidence.iter().map(evidence));
        }
        self
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
        doc.cite(&insn.doc).errata(&insn.errata).place(insn.span).quote(insn.entry);
        doc
    }

    /// The entry of the spec, letter by letter.
    fn quote(&mut self, entry: Span) -> &mut Self {
        let file = self.isa.files.file(entry.file);
        // The first line is quoted with its indentation, which the others share.
        let range = entry.range();
        let start = file.text[..range.start].rfind('\n').map_or(0, |n| n + 1);
        let text = file.text.get(start..range.end).unwrap_or("").trim_end();
        let indent = text.lines().next().map_or(0, |l| l.len() - l.trim_start().len());
        self.lines.extend([String::new(), "```yaml".to_owned()]);
        for line in text.lines() {
            let blanks = (line.len() - line.trim_start().len()).min(indent);
            self.lines.push(line[blanks..].replace("```", "` ` `"));
        }
        self.lines.push("```".to_owned());
        self
    }

    /// The attributes.
    pub(super) fn tokens(&self) -> TokenStream {
        // A line for each keeps them line comments when they are printed.
        let lines = self.lines.iter().map(|l| if l.is_empty() { String::new() } else { format!(" {l}") });
        quote! { #(#[doc = #lines])* }
    }

    /// The lines, each to stand after `//!`.
    pub(super) fn lines(&self) -> &[String] {
        &self.lines
    }
}

/// A doc comment of one line or a few.
pub(super) fn doc(text: &str) -> TokenStream {
    let lines = text.lines().map(|l| if l.is_empty() { String::new() } else { format!(" {}", escape(l)) });
    quote! { #(#[doc = #lines])* }
}

/// `Title, lines 17–59; nvdisasm`
fn cited(isa: &Isa, doc: &Doc) -> String {
    let refs = doc.0.iter().map(|r| {
        let source = &isa.sources[r.source.index()];
        let title = if source.title.is_empty() { &source.name } else { &source.title };
        match r.lines {
            Some((a, b)) if a == b => format!("{title}, line {a}"),
            Some((a, b)) => format!("{title}, lines {a}–{b}"),
            None => title.clone(),
        }
    });
    refs.collect::<Vec<_>>().join("; ")
}

fn evidence(evidence: &Evidence) -> String {
    let code = |text: &str| text.replace('`', "'");
    let of = code(&evidence.of.to_string());
    match &evidence.text {
        Some(text) => format!("  - `{of}` is `{}`", code(text)),
        None => format!("  - `{of}` is refused"),
    }
}

/// Brackets outside code would be links or tags.
fn escape(line: &str) -> String {
    let mut out = String::with_capacity(line.len());
    let mut code = false;
    for c in line.chars() {
        code ^= c == '`';
        if !code && matches!(c, '[' | ']' | '<' | '>' | '*') {
            out.push('\\');
        }
        out.push(c);
    }
    out
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
