//! Elaborated semantics: forms that give the same answers share a meaning.

use isa_model::model::{Field, Label};
use isa_model::semantics::{Expr, Expression, Int, Machine, MeaningFault, typed};
use isa_model::span::Span;
use isa_semantics::{Is, Referent, Scope};
use rustc_hash::FxHashMap;
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::sync::Arc;

/// The names of a form, with the fields that some of them are.
pub(super) trait FieldNames: Scope {
    /// The field of this path, fixed or not.
    fn field_of(&self, path: &str) -> Option<&Field>;
}

/// Values of operands, by their place and their text after substitution of parameters; `None` for one with a fault.
pub(super) type OperandValues = FxHashMap<(Span, String), Option<Rc<OperandValue>>>;

/// The value of an operand, read.
pub(super) struct OperandValue {
    pub(super) value: Expression,
    pub(super) expr: Arc<Expr>,
}

/// The elaborated semantics of the forms so far.
#[derive(Default)]
pub(super) struct Elaborated {
    pub(super) bodies: Known<typed::Body>,
    pub(super) values: Known<typed::Value>,
    pub(super) operands: Known<()>,
}

/// The meanings of each source, by its place and its text after substitution: one for each group of forms whose names mean the
/// same, in the order in which they were requested.
pub(super) struct Known<T>(RefCell<FxHashMap<(Span, String), Meanings<T>>>);

/// The meanings of one source.
struct Meanings<T> {
    list: Vec<(Vec<Asked>, T)>,
    /// One was taken over.
    is_shared: bool,
    /// No meaning is kept any more.
    is_hopeless: bool,
}

impl<T> Default for Known<T> {
    fn default() -> Self {
        Self(RefCell::default())
    }
}

impl<T> Default for Meanings<T> {
    fn default() -> Self {
        Self { list: Vec::new(), is_shared: false, is_hopeless: false }
    }
}

/// The number of meanings kept for one source. A source with more meanings is likely to have one for every form.
const MAX_MEANINGS: usize = 4;

impl<T: Clone> Known<T> {
    /// The meaning of the source in the form with these names. It depends only on the answers to its queries: equal answers give
    /// the same meaning, and the queries are the same up to the first answer that differs.
    pub(super) fn of(
        &self,
        names: &dyn FieldNames,
        key: (Span, String),
        make: impl FnOnce(&dyn Scope) -> Result<T, Vec<MeaningFault>>,
    ) -> Result<T, Vec<MeaningFault>> {
        let mut all = self.0.borrow_mut();
        let known = all.entry(key).or_default();
        if !known.is_shared && known.list.len() == MAX_MEANINGS {
            known.list.clear();
            known.list.shrink_to_fit();
            known.is_hopeless = true;
        }
        if known.is_hopeless {
            return make(names);
        }
        let holds = |asked: &&(Vec<Asked>, T)| asked.0.iter().all(|asked| asked.holds(names));
        if let Some((_, made)) = known.list.iter().rev().find(holds) {
            known.is_shared = true;
            return Ok(made.clone());
        }
        let traced = Traced { names, asked: RefCell::default(), is_open: Cell::new(false) };
        let made = make(&traced)?;
        if !traced.is_open.get() {
            if known.list.len() == MAX_MEANINGS {
                known.list.remove(0);
            }
            known.list.push((traced.asked.into_inner(), made.clone()));
        }
        Ok(made)
    }
}

/// A question about the names of a form, and the answer.
enum Asked {
    Name(String, Option<Referent>),
    Is(String, String, Is),
    /// The texts of a field follow from its kind and its width.
    Texts(String, Option<(Label, u32)>),
}

impl Asked {
    fn holds(&self, names: &dyn FieldNames) -> bool {
        match self {
            Self::Name(path, answer) => names.name(path) == *answer,
            Self::Is(slot, alternative, answer) => names.is(slot, alternative) == *answer,
            Self::Texts(path, answer) => {
                let field = names.field_of(path);
                field.map(|f| (&f.label, f.bits.width())) == answer.as_ref().map(|(kind, width)| (kind, *width))
            }
        }
    }
}

/// The names of a form, and what was asked about them, each question once.
struct Traced<'a> {
    names: &'a dyn FieldNames,
    asked: RefCell<Vec<Asked>>,
    /// More names were queried than are recorded.
    is_open: Cell<bool>,
}

impl Scope for Traced<'_> {
    fn machine(&self) -> &Machine {
        self.names.machine()
    }

    fn name(&self, path: &str) -> Option<Referent> {
        let known = self.asked.borrow().iter().find_map(|asked| match asked {
            Asked::Name(known, answer) if known == path => Some(answer.clone()),
            _ => None,
        });
        known.unwrap_or_else(|| {
            let answer = self.names.name(path);
            self.asked.borrow_mut().push(Asked::Name(path.to_owned(), answer.clone()));
            answer
        })
    }

    fn is(&self, slot: &str, alternative: &str) -> Is {
        let answer = self.names.is(slot, alternative);
        self.asked.borrow_mut().push(Asked::Is(slot.to_owned(), alternative.to_owned(), answer.clone()));
        answer
    }

    fn texts(&self, path: &str) -> Option<Vec<(String, Int)>> {
        let is_known = self.asked.borrow().iter().any(|asked| matches!(asked, Asked::Texts(known, _) if known == path));
        if !is_known {
            let field = self.names.field_of(path).map(|f| (f.label, f.bits.width()));
            self.asked.borrow_mut().push(Asked::Texts(path.to_owned(), field));
        }
        self.names.texts(path)
    }

    fn names(&self) -> Vec<String> {
        self.is_open.set(true);
        self.names.names()
    }
}
