//! The syntax of programs: comments, statements, numbers.

use super::declarations::AssemblyDecl;
use crate::keys::{Key, KeyTable, Listing, Reader};
use crate::yaml::{Node, Text};

pub(super) fn listings() -> Vec<Listing> {
    vec![(&ASSEMBLY).into()]
}

static ASSEMBLY: KeyTable<AssemblyDecl> = KeyTable::new(
    "`assembly`",
    &[&[
        Key::own(
            "comments",
            "mark, or list of marks",
            |r, a, node, what| a.comments = Some(marks(r, node, what)),
            "Marks behind which the rest of a line is a comment. The default is `#`, `//` and `;`, except those that separate \
             statements or that a text of an instruction has.",
        ),
        Key::own(
            "separators",
            "mark, or list of marks",
            |r, a, node, what| a.separators = marks(r, node, what),
            "Marks between the statements of a line; there is none by default.",
        ),
        Key::flag("octal", |a| &mut a.octal, "A number that begins with `0` is octal. Without it, such a number is refused."),
    ]],
);

pub(super) fn assembly(reader: &mut Reader<'_>, node: &Node) -> AssemblyDecl {
    let mut assembly = AssemblyDecl::default();
    reader.fill(&ASSEMBLY, &mut assembly, node);
    let comments = assembly.comments.as_deref().unwrap_or_default();
    let twice = |mark: &&Text| comments.iter().any(|comment| comment.value == mark.value);
    if let Some(mark) = assembly.separators.iter().find(twice) {
        reader.error("text-line", format!("`{}` can't both begin a comment and separate statements", mark.value), mark.span);
    }
    assembly
}

/// A mark has at most so many bytes.
const LONGEST: usize = 8;

fn marks(reader: &mut Reader<'_>, node: &Node, what: &str) -> Vec<Text> {
    let mut marks = reader.texts(node, what);
    marks.retain(|mark| {
        let text = mark.value.as_str();
        // What labels, numbers, and the lines of `isagen` itself consist of.
        let is_taken = |c: char| c.is_alphanumeric() || c.is_whitespace() || c.is_control() || "_.$:{}".contains(c);
        let wrong = match text {
            "" => Some("a mark is not empty".to_owned()),
            "/*" | "*/" => Some("`/*` and `*/` begin and end a comment in any program".to_owned()),
            _ if text.len() > LONGEST => Some(format!("a mark has at most {LONGEST} bytes")),
            _ => text.chars().find(|c| is_taken(*c)).map(|c| {
                format!("`{}` can't be in a mark, which has no letters, digits, blanks, `_ . $ : {{ }}`", c.escape_debug())
            }),
        };
        if let Some(message) = &wrong {
            reader.error("text-line", message, mark.span);
        }
        wrong.is_none()
    });
    marks
}
