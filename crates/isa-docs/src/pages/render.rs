//! Templates rendered.

use askama::Template;
use isa_codegen::visible;

/// The text of a template.
pub(super) fn render(template: &impl Template) -> String {
    tidy(&template.render().expect("a template that writes to a string can't fail"))
}

/// One empty line at most, no blanks at the end of a line: templates are written to be read themselves. Invisible characters are
/// escaped.
fn tidy(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut empty = true;
    for line in visible(text).lines().map(str::trim_end) {
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
