//! What is wrong in a source text.

use std::ops::Range;

/// Something wrong in a source text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MeaningFault {
    /// Where, in bytes of the source.
    pub range: Range<usize>,
    /// What is wrong.
    pub message: String,
    /// What would be right, if there is something to say.
    pub help: Option<String>,
}

pub(super) fn fault(range: Range<usize>, message: impl Into<String>) -> MeaningFault {
    MeaningFault { range, message: message.into(), help: None }
}
