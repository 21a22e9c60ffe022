//! Faults in a source text.

use std::ops::Range;

/// Something wrong in a source text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MeaningFault {
    /// The place, in bytes of the source.
    pub range: Range<usize>,
    /// The message.
    pub message: String,
    /// A way to fix it, if one is known.
    pub help: Option<String>,
}

pub(super) fn fault(range: Range<usize>, message: impl Into<String>) -> MeaningFault {
    MeaningFault { range, message: message.into(), help: None }
}
