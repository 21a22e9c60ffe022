//! Descriptions of values that are declared elsewhere, or that are no structures.

use super::{Assembly, Behaviour, BitRange, Bits, Condition, Doc, DocRef, FormId, Label, Modifier, Numbers, Owner, Piece};
use super::{PlainKind, Precedence, Prefer, Pseudo, Relocation, Subject};
use crate::describe::{Item, Items, Shape, all, kebab, members, shapes};
use crate::semantics::floats::{Direction, Fraction, NanInteger, NanRule, Rules};
use crate::semantics::machine::{Divergence, Routine, Sharing, StateKind};
use crate::semantics::{Expression, Semantics, ast, typed};
use crate::sets::Order;
use crate::span::SourceMap;
use isa_runtime::Case;
use isa_runtime::value::{Code, Names, Spelling, Style};

members! { Assembly {
    comments, separators, blocks, octal, case, numbers, here, precedence, local, word, align_bytes, org_address, fill,
    directives, sections, modifiers, pseudo, relocations, flags, address,
} }
members! { Modifier { name, value, reaches, pair } }
members! { Pseudo { text, far, values, cases } }
members! { Relocation { number, modifier, bits, data, thread } }
members! { Rules {
    nan, made_sign, made_fraction, tiny_before, nan_integer, beyond_indefinite, invalid_product_quiet, flush_tiny;
    flush_inputs, flush_results, finite_results,
} }
all! { |variant| Shape::Text(kebab(&format!("{variant:?}")).into());
    Case, Divergence, Fraction, NanInteger, NanRule, PlainKind, Precedence, Prefer, Sharing, StateKind,
}
all! { |value| Shape::Other(value);
    Behaviour, Code, Label, Names, Numbers, Order, Owner, Piece, SourceMap, Spelling, Style, Subject, ast::Function,
    typed::Body, std::ops::Range<FormId>,
}

shapes! {
    Semantics: |semantics| Shape::Text((&semantics.source).into());
    Expression: |expression| Shape::Text((&expression.source).into());
    Condition: |condition| Shape::Words(&condition.words);
    Doc: |doc| Shape::List(doc.0.iter().map(|lines| lines as _).collect());
    DocRef: |lines| Shape::Lines(Item { of: Items::Sources, at: lines.source.index() }, lines.lines);
    Routine: |routine| Shape::Text(routine.name().into());
    Bits: |bits| Shape::Text(bits.to_string().into());
    BitRange: |bits| Shape::Text(bits.to_string().into());
    Direction: |direction| Shape::Text(match direction {
        Direction::Known(round) => round.name().into(),
        Direction::Illegal => "illegal".into(),
        Direction::Value(name, _) => name.into(),
    });
}
