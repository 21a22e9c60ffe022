//! How a listing looks.

/// How instructions are written.
#[derive(Clone, Copy)]
pub struct Format {
    /// With all that the text leaves open.
    pub control: bool,
    /// As JSON objects.
    pub json: bool,
}

/// What is the same for the whole file.
#[derive(Clone, Copy)]
pub struct Look<'a> {
    /// How instructions are written.
    pub format: Format,
    /// With the word of each instruction.
    pub hex: bool,
    /// Nothing but the texts.
    pub raw: bool,
    /// Functions by their names in the source.
    pub demangle: bool,
    /// What begins a comment.
    pub mark: Option<&'a str>,
}

impl Look<'_> {
    /// Whether there are instructions and nothing else.
    pub fn is_bare(&self) -> bool {
        self.raw || self.format.json
    }
}
