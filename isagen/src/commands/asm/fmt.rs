//! The lines of a program as `fmt` writes them: instructions in their canonical text, all else kept.

use super::writer::Writer;
use isa_asm::lines::{Comments, Mark, Scanner};
use isa_asm::{Piece, PieceKind, Program};
use isa_engine::{Codec, Statement};
use isa_stream::Stop;
use std::io::Write;

/// The largest column to which comments after instructions are moved so that they are aligned.
const WIDEST: usize = 60;

/// A line that is to be written.
struct Row {
    text: String,
    comment: String,
}

/// Writes the lines of a program.
pub(super) fn lines(program: &Program, codec: &dyn Codec, writer: &mut Writer<'_>, out: &mut dyn Write) -> Result<(), Stop> {
    let mut pieces = program.pieces().peekable();
    let mut scanner = Scanner::new(Comments::new(&codec.assembly()));
    let separators = codec.assembly().separators;
    let mut rows: Vec<Row> = Vec::new();
    for (number, line) in program.lines().enumerate().map(|(number, line)| (number + 1, line)) {
        let mut own = Vec::new();
        while let Some(piece) = pieces.next_if(|piece| piece.line <= number) {
            if piece.line == number {
                own.push(piece);
            }
        }
        if let Some(fault) =
            own.iter().find_map(|piece| if let PieceKind::Fault(fault) = piece.kind { Some(fault) } else { None })
        {
            let _ = scanner.statements(number, line).count();
            rows.push(Row { text: format!("! {}", fault.message.replace('\n', " ")), comment: String::new() });
            continue;
        }
        let was_open = scanner.is_open();
        let (mut text, mut end, mut has_statement) = (String::new(), 0, false);
        let mut is_whole = !was_open;
        for source in scanner.statements(number, line) {
            if has_statement && let Some(separator) = separators.first() {
                text.push_str(separator);
            }
            has_statement = false;
            for mark in &source.marks {
                let mark = match mark {
                    Mark::Label(name, _) | Mark::Local(name, _) => format!("{name}:"),
                    Mark::Address(address) => format!("{address:#x}:"),
                };
                join(&mut text, &mark);
            }
            let at = source.at()..source.at() + source.text().len();
            // A comment inside an instruction stays in its place.
            is_whole &= line.get(at.clone()) == Some(source.text());
            if !at.is_empty() {
                has_statement = true;
                let indent = line.starts_with(char::is_whitespace) && text.is_empty();
                let statement = statement(&own, at.start, source.text(), writer);
                if indent {
                    text.push_str("    ");
                }
                join(&mut text, &statement);
            }
            end = end.max(at.end);
        }
        let mut rest = line.get(end..).unwrap_or("").trim();
        while let Some(behind) = separators.iter().find_map(|separator| rest.strip_prefix(separator.as_str())) {
            rest = behind.trim_start();
        }
        match is_whole && !scanner.is_open() {
            true => rows.push(Row { text, comment: rest.to_owned() }),
            false => rows.push(Row { text: line.trim_end().to_owned(), comment: String::new() }),
        }
    }
    for group in rows.chunk_by(|a, b| a.comment.is_empty() == b.comment.is_empty() && a.text.is_empty() == b.text.is_empty()) {
        let width = group.iter().map(|row| row.text.chars().count()).filter(|width| *width <= WIDEST).max().unwrap_or(0);
        for Row { text, comment } in group {
            match (text.is_empty(), comment.is_empty()) {
                (true, _) => writeln!(out, "{comment}")?,
                (_, true) => writeln!(out, "{text}")?,
                _ => writeln!(out, "{text}{:blanks$}  {comment}", "", blanks = width.saturating_sub(text.chars().count()))?,
            }
        }
    }
    Ok(())
}

fn join(text: &mut String, more: &str) {
    if !text.is_empty() && !text.ends_with(' ') {
        text.push(' ');
    }
    text.push_str(more);
}

/// The canonical text of the instruction that begins at a byte of the line, or else its own text.
fn statement(pieces: &[Piece<'_>], start: usize, text: &str, writer: &mut Writer<'_>) -> String {
    let found = pieces.iter().find(|piece| match &piece.kind {
        PieceKind::Word { at, is_symbolic, .. } => piece.is_own && !is_symbolic && at.start == start,
        PieceKind::Text { at, .. } => piece.is_own && at.start == start,
        _ => false,
    });
    let mut out = Vec::new();
    match found.map(|piece| (piece, &piece.kind)) {
        Some((piece, PieceKind::Word { form, .. })) => {
            let word = writer.codec.shape().units.read(piece.bytes);
            writer.next = Some(piece.address);
            writer.instruction(&Statement { form: *form, word, names: Vec::new() }, piece.address, &mut out);
        }
        Some((piece, PieceKind::Text { statement, .. })) => writer.instruction(statement, piece.address, &mut out),
        _ => return blanks_joined(text),
    }
    String::from_utf8_lossy(&out).trim_end().to_owned()
}

/// A text in which each sequence of blanks is one blank, except in strings.
fn blanks_joined(text: &str) -> String {
    if text.contains(['"', '\'']) {
        return text.to_owned();
    }
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
