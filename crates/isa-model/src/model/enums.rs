//! Enumerations: the texts of values.

use super::{Doc, Raw};
use crate::describe::described;
use crate::span::Span;
use isa_runtime::value::{Name, Numbered, Other, Role, Spelling};
use std::sync::Arc;

described! {
    /// An enumeration.
    #[derive(Clone, Debug)]
    pub struct Enum {
        /// Its name in the spec.
        pub name: String,
        /// Its values, ascending.
        pub values: Vec<EnumValue>,
        /// The text of a value without a name: `SR{n}`.
        pub otherwise: Option<Otherwise>,
        /// The texts of its values, made of the above.
        pub spelling: Arc<Spelling>,
        /// One line.
        pub summary: String,
        /// The lines of the documents that describe it.
        pub doc: Doc,
        /// The place of the declaration.
        pub span: Span,
    }

    /// The text of values without a name: `SR{n}`, `csr{n:x}`.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct Otherwise {
        /// The characters before the number.
        pub before: String,
        /// The characters after it.
        pub after: String,
        /// The number is hexadecimal, not decimal.
        pub is_hex: bool,
    }
}

impl Otherwise {
    /// The text of a value.
    pub fn text_of(&self, value: Raw) -> String {
        match self.is_hex {
            true => format!("{}{value:#x}{}", self.before, self.after),
            false => format!("{}{value}{}", self.before, self.after),
        }
    }
}

/// The text as declared.
impl std::fmt::Display for Otherwise {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let place = if self.is_hex { "{n:x}" } else { "{n}" };
        write!(f, "{}{place}{}", self.before, self.after)
    }
}

described! {
    /// One value of an enumeration.
    #[derive(Clone, Debug)]
    pub struct EnumValue {
        /// The bits.
        pub value: Raw,
        /// The printed text; may be empty.
        pub text: String,
        /// Other texts that are read.
        pub also: Vec<String>,
        /// It prints what another value prints, and that one is read.
        pub like: Option<Raw>,
        /// Name for generated code, if the text doesn't give one.
        pub name: Option<String>,
        /// The meaning of the value, in a line of prose.
        pub note: String,
        /// The lines of the documents that describe it.
        pub doc: Doc,
    }
}

impl EnumValue {
    /// All texts that are read as this value, the one that is printed first.
    pub fn read(&self) -> impl Iterator<Item = &String> {
        std::iter::once(&self.text).chain(&self.also).filter(|_| self.like.is_none())
    }
}

impl Enum {
    /// The enumeration with the texts of its values.
    #[must_use]
    pub fn spelt(self) -> Self {
        // If a value has several names, the first is printed.
        let mut last = None;
        let read = |v: &EnumValue| {
            let is_first = last.replace(v.value) != Some(v.value);
            let role = |i| if i == 0 && is_first { Role::Both } else { Role::Read };
            let texts = v.read().enumerate();
            texts.map(|(i, text)| Name { role: role(i), ..Name::new(v.value, text) }).collect::<Vec<_>>()
        };
        let like = self.values.iter().filter(|v| v.like.is_some());
        let like = like.map(|v| Name { role: Role::Print, ..Name::new(v.value, &v.text) });
        let names = self.values.iter().flat_map(read).chain(like).collect();
        let other = self.otherwise.as_ref().map(|other| {
            let (before, after) = (other.before.clone(), other.after.clone());
            Other::Numbered(Numbered { before, is_hex: other.is_hex, halves: None, after, end: None })
        });
        Self { spelling: Arc::new(Spelling::part(names, other)), ..self }
    }

    /// The text of a value, if it is allowed.
    pub fn text_of(&self, value: Raw) -> Option<std::borrow::Cow<'_, str>> {
        match self.values.iter().find(|v| v.value == value) {
            Some(v) => Some(v.text.as_str().into()),
            None => self.otherwise.as_ref().map(|other| other.text_of(value).into()),
        }
    }
}
