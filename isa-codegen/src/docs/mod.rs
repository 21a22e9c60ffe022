//! Documentation tables: an instruction set as Markdown and as one HTML page.
//!
//! [`view`] turns the model into what a page shows, in its order, as plain text; the templates in `templates/` turn that into
//! Markdown or HTML and decide nothing but looks. The text depends on the model alone, so that a checked-in page can be compared
//! with what would be written now.

mod fields;
mod filters;
mod instruction;
mod layout;
mod text;
mod values;
mod view;

pub use text::{fixed_bits, provenance, runs};

use askama::Template;
use isa_spec::model::Isa;
use view::Page;

#[derive(Template)]
#[template(path = "isa.md", escape = "none")]
struct Markdown<'a> {
    page: &'a Page,
}

#[derive(Template)]
#[template(path = "isa.html")]
struct Html<'a> {
    page: &'a Page,
}

#[derive(Template)]
#[template(path = "index.html")]
struct Index {
    pages: Vec<Entry>,
}

struct Entry {
    name: String,
    summary: String,
    instructions: usize,
    forms: usize,
}

/// The tables as Markdown, to be read on a forge.
pub fn markdown(isa: &Isa) -> String {
    let page = Page::new(isa);
    tidy(&Markdown { page: &page }.render().expect("a template that writes to a string can't fail"))
}

/// The tables as one HTML page that needs nothing else.
pub fn html(isa: &Isa) -> String {
    let page = Page::new(isa);
    tidy(&Html { page: &page }.render().expect("a template that writes to a string can't fail"))
}

/// A page that leads to the pages of these instruction sets.
pub fn index(isas: &[Isa]) -> String {
    let entry = |isa: &Isa| Entry {
        name: isa.name.clone(),
        summary: isa.summary.clone(),
        instructions: isa.instructions.len(),
        forms: isa.forms.len(),
    };
    let pages = isas.iter().map(entry).collect();
    tidy(&Index { pages }.render().expect("a template that writes to a string can't fail"))
}

/// One empty line at most, no blanks at the end of a line: templates are written to be read themselves.
fn tidy(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut empty = true;
    for line in text.lines().map(str::trim_end) {
        if line.is_empty() && empty {
            continue;
        }
        empty = line.is_empty();
        out.push_str(line);
        out.push('\n');
    }
    out.truncate(out.trim_end().len());
    out.push('\n');
    out
}
