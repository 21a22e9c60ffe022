//! Traversal of pieces, and joining of adjacent ones.

use isa_model::model::{Piece, When};
use isa_syntax::lang::PieceAst;

/// The fields that a group prints, and those that its conditions ask for.
pub(super) fn walk(pieces: &[Piece], printed: &mut Vec<usize>, asked: &mut Vec<usize>) {
    for piece in pieces {
        match piece {
            Piece::Literal(_) => {}
            Piece::Field { .. } | Piece::Reading(_) => printed.extend(piece.fields()),
            Piece::Group { when, body } => {
                if let When::Holds(condition) = when {
                    asked.extend(condition.cond.fields());
                }
                walk(body, printed, asked);
            }
            // Groups that are examined here have no lists of texts.
            Piece::OneOf(_) => {}
        }
    }
}

/// True if a text contains one of several texts.
pub(super) fn has_one_of(pieces: &[Piece]) -> bool {
    pieces.iter().any(|piece| match piece {
        Piece::Literal(_) | Piece::Field { .. } | Piece::Reading(_) => false,
        Piece::Group { body, .. } => has_one_of(body),
        Piece::OneOf(_) => true,
    })
}

/// The number of pieces that count towards the limits on texts.
pub(super) fn size(pieces: &[Piece]) -> usize {
    let piece = |piece: &Piece| match piece {
        Piece::Literal(text) => 1 + text.len() / 64,
        Piece::Field { .. } | Piece::Reading(_) | Piece::OneOf(_) => 1,
        Piece::Group { body, .. } => 1 + size(body),
    };
    pieces.iter().map(piece).sum()
}

/// Neighbouring literals become one; empty ones go.
pub(super) fn join(pieces: Vec<Piece>) -> Vec<Piece> {
    let mut out: Vec<Piece> = Vec::new();
    for piece in pieces {
        match (piece, out.last_mut()) {
            (Piece::Literal(text), _) if text.is_empty() => {}
            (Piece::Literal(text), Some(Piece::Literal(last))) => last.push_str(&text),
            (Piece::Group { when, body }, _) => out.push(Piece::Group { when, body: join(body) }),
            (piece, _) => out.push(piece),
        }
    }
    // There can be very many texts.
    out.shrink_to_fit();
    out
}

/// Groups that hold only `{x?}` may come out empty.
pub(super) fn mentions_optional(pieces: &[PieceAst]) -> bool {
    pieces.iter().any(|p| match p {
        PieceAst::Place { .. } => true,
        PieceAst::Group(body, _) => mentions_optional(body),
        PieceAst::When { body, otherwise, .. } => mentions_optional(body) || mentions_optional(otherwise),
        PieceAst::Literal(..) => false,
    })
}
