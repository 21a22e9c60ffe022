//! How a listing looks.

/// How instructions are written.
#[derive(Clone, Copy)]
pub(crate) struct Format {
    /// With all that the text leaves open.
    pub(crate) control: bool,
    /// As JSON objects.
    pub(crate) json: bool,
}

/// What is the same for the whole file.
#[derive(Clone, Copy)]
pub(super) struct Look<'a> {
    pub(super) format: Format,
    pub(super) hex: bool,
    pub(super) raw: bool,
    pub(super) demangle: bool,
    /// What begins a comment.
    pub(super) mark: Option<&'a str>,
}

impl Look<'_> {
    /// Whether there are instructions and nothing else.
    pub(super) fn is_bare(&self) -> bool {
        self.raw || self.format.json
    }
}
