//! Documentation tables: an instruction set as Markdown, and as pages in HTML (`site`).
//!
//! `view` turns the model into the content of a page, in its order, as plain text; the templates in `templates/` turn that into
//! Markdown or HTML and determine only its appearance. The text depends only on the model, so that a checked-in page can be
//! compared with the current output.

mod calls;
#[cfg(test)]
mod contrast;
mod control;
mod data;
mod effects;
mod fields;
mod filters;
mod flags;
mod forms;
mod instruction;
mod layout;
mod machine;
mod map;
mod opcodes;
mod prose;
mod pseudo;
mod registers;
mod render;
mod site;
mod slugs;
mod syntax;
mod text;
mod values;
mod view;
mod wrap;

pub use site::site;
pub use text::provenance;
pub(crate) use text::{own_style, style_text};

use askama::Template;
use isa_codegen::{Backend, File};
use isa_spec::diag::Diagnostic;
use isa_spec::model::Isa;
use render::render;
use view::Page;

/// The Markdown back end: `NAME.md`, see [`markdown`].
#[derive(Debug)]
pub struct Markdown;

impl Backend for Markdown {
    fn name(&self) -> &'static str {
        "md"
    }

    fn emit(&self, isa: &Isa) -> Result<Vec<File>, Box<Diagnostic>> {
        Ok(vec![File::new(format!("{}.md", isa.name), markdown(isa))])
    }
}

/// The HTML back end: `NAME.html` and the folder `NAME/`, see [`html`].
#[derive(Debug)]
pub struct Html;

impl Backend for Html {
    fn name(&self) -> &'static str {
        "html"
    }

    fn emit(&self, isa: &Isa) -> Result<Vec<File>, Box<Diagnostic>> {
        Ok(html(isa))
    }
}

#[derive(Template)]
#[template(path = "isa.md", escape = "none")]
struct MarkdownPage<'a> {
    page: &'a Page,
}

/// The tables as Markdown, to be read on a forge.
pub fn markdown(isa: &Isa) -> String {
    let page = Page::new(isa);
    wrap::wrapped(&render(&MarkdownPage { page: &page }))
}

/// The pages in HTML; they need the files that [`site`] writes beside them.
pub fn html(isa: &Isa) -> Vec<File> {
    site::pages(isa)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SPEC: &str = r#"
isa: t
summary: one instruction
word: 8
sources: { doc: { title: a book, file: t.txt } }
registers: { R: { index: 2, width: 8, text: "r{n}", doc: 9 } }
choices:
  B:
    reg: { fix: { form: 0 }, fields: { r: 1..0 R }, ignored: 2, text: "{r}" }
    imm: { fix: { form: 1 }, fields: { n: 2..0 }, observed: true, text: "{n}" }
instructions:
  inc:
    doc: 3-4
    summary: counts *up*
    notes: Wraps `around`.
    fix: { op: 5 }
    choose: { b: B }
    fields: { op: 7..5, s: 4 ".s" @4, form: 3 }
    text: "inc{s} {b}"
    errata: { E1: { at: 3, kind: wrong, says: "4|5", is: "5", evidence: { "a1": inc r1 }, by: tool } }
"#;

    #[test]
    fn an_instruction_in_markdown() {
        let loaded = isa_spec::load_str("t.yaml", SPEC, None);
        let findings: Vec<_> = loaded.diagnostics.iter().map(|d| &d.message).collect();
        let isa = loaded.isa.unwrap_or_else(|| panic!("{findings:?}"));
        let text = markdown(&isa);
        let section = text.split_once("\n## inc\n").and_then(|t| t.1.split_once("\n## ")).map(|t| t.0);
        assert_eq!(section, Some(include_str!("sample.md")));
        assert_eq!(markdown(&isa), text, "the same model gives the same text");
    }
}
