//! Values of parameters.

/// The values of a piece's parameters; `None` for one that may be missing and is.
#[derive(Clone, Debug, Default)]
pub(super) struct Env(pub(super) Vec<(String, Option<String>)>);
