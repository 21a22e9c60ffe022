//! Faults in a source text.

use crate::diag::Diagnostic;
use crate::span::{Span, Text};
use std::ops::Range;

/// Something wrong in a source text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MeaningFault {
    /// The place, in bytes of the source; for a fault inside a function, the call in the source.
    pub range: Range<usize>,
    /// The place inside a function, then the calls inside functions that lead there, the last made first. Empty for a fault in the
    /// source itself.
    pub inside: Vec<InFunction>,
    /// The message.
    pub message: String,
    /// A way to fix it, if one is known.
    pub help: Option<String>,
}

/// A place in a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InFunction {
    /// The text that the function is of, [`Function::text`](super::Function::text).
    pub text: usize,
    /// The place, in bytes of that text.
    pub range: Range<usize>,
}

impl MeaningFault {
    /// A fault in the source itself.
    pub fn new(range: Range<usize>, message: impl Into<String>) -> Self {
        Self { range, inside: Vec::new(), message: message.into(), help: None }
    }

    /// The finding: at the place in the function if it is inside one, the calls marked. `at` gives the places of the source,
    /// `functions` are the texts of functions.
    pub fn diagnostic(&self, at: impl Fn(Range<usize>) -> Span, functions: &[Text]) -> Diagnostic {
        let inside = self.inside.iter().map(|place| functions[place.text].at(place.range.clone()));
        let source = at(self.range.clone());
        let mut calls: Vec<Span> = inside.chain([source]).collect();
        let place = calls.remove(0);
        // A function that calls itself is called at one place.
        calls.dedup();
        let mut found = Diagnostic::error("semantics", self.message.clone(), place);
        found.labels.extend(calls.into_iter().map(|call| (call, "called here".to_owned())));
        found.help.clone_from(&self.help);
        found
    }
}
