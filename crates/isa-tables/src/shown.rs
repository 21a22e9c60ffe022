//! Pieces of texts with the texts of their fields, in which equal tables of ready strings are found.

use isa_check::text_graph::TextGraph;
use isa_model::bits::Bits;
use isa_model::model::{Field, Form, Piece, When, Word, ones};
use isa_model::sets::{Cube, WordSet};
use isa_runtime::value::{Code, Part, Spelling};
use rustc_hash::FxHashMap;
use std::hash::{Hash, Hasher};
use std::rc::Rc;
use std::sync::Arc;

/// A piece with the bits and texts of its fields: many forms have the same ones.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(super) enum Shown {
    Literal(String),
    Field(Bits, AllTexts),
    /// A group, and the words in which it is printed.
    Differs(Cube, Vec<Shown>),
    Holds(WordSet, Vec<Shown>),
}

impl Shown {
    pub(super) fn print(&self, word: Word, out: &mut String) {
        let (is_there, body) = match self {
            Self::Literal(text) => return out.push_str(text),
            Self::Field(bits, texts) => return out.push_str(texts.0.get(bits.get(word) as usize).map_or("", String::as_str)),
            Self::Differs(same, body) => (!same.contains(word), body),
            Self::Holds(words, body) => (words.contains(word), body),
        };
        if is_there {
            body.iter().for_each(|piece| piece.print(word, out));
        }
    }
}

/// The texts of all bits of a field: one list for all fields that are alike.
#[derive(Clone)]
pub(super) struct AllTexts(Rc<[String]>);

impl PartialEq for AllTexts {
    fn eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for AllTexts {}

impl Hash for AllTexts {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.as_ptr().hash(state);
    }
}

/// The same, by what they depend on.
pub(super) type Texts = FxHashMap<(Code, *const Spelling), AllTexts>;

/// The pieces with the texts of their fields.
pub(super) fn shown(known: &mut Texts, form: &Form, pieces: &[Piece]) -> Vec<Shown> {
    let mut piece = |piece: &Piece| match piece {
        Piece::Literal(text) => Some(Shown::Literal(text.clone())),
        Piece::Field { .. } | Piece::Reading(_) => {
            let (field, spelling) = piece.shown(&form.fields)?;
            let all = known.entry((field.code.clone(), Arc::as_ptr(spelling))).or_insert_with(|| {
                let graph = TextGraph::of(&field.code, spelling);
                // A word with such a value is refused; one that is only being explained may have it.
                let text = |raw| graph.text(raw).unwrap_or_else(|| unknown(field, spelling, raw));
                AllTexts((0..=ones(field.code.width)).map(text).collect())
            });
            Some(Shown::Field(field.bits.clone(), all.clone()))
        }
        Piece::Group { when, body } => {
            let body = shown(known, form, body);
            Some(match when {
                When::Differs(fields) => Shown::Differs(form.at_default(fields), body),
                When::Holds(condition) => Shown::Holds(condition.words.clone(), body),
            })
        }
        // Only in texts that are read.
        Piece::OneOf(_) => None,
    };
    pieces.iter().filter_map(&mut piece).collect()
}

/// The text of bits some parts of which have none: `?` and the number of the part.
fn unknown(field: &Field, spelling: &Spelling, raw: u128) -> String {
    let number = field.code.shown(raw, 0);
    // Bits that have no number are printed as they are.
    let code = if number.is_some() { field.code.clone() } else { Code::plain(field.code.width) };
    let number = number.unwrap_or(raw.into());
    let text = |part: &Part| {
        let own = Spelling { parts: vec![part.clone()] };
        let text = TextGraph::of(&code, &own).text(raw);
        text.unwrap_or_else(|| format!("?{}", part.of.map_or(number, |bits| bits.of(number.low()).into())))
    };
    spelling.parts.iter().map(text).collect()
}
