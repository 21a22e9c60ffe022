//! The appearance of a listing.

/// The format of instructions.
#[derive(Clone, Copy)]
pub struct Format {
    /// With everything that the text omits.
    pub control: bool,
    /// JSON objects.
    pub json: bool,
}

/// The settings for a whole file.
#[derive(Clone, Copy)]
pub struct Look<'a> {
    /// The format of instructions.
    pub format: Format,
    /// Add the word of each instruction.
    pub hex: bool,
    /// Only the texts.
    pub raw: bool,
    /// Show functions by their names in the source.
    pub demangle: bool,
    /// The mark that begins a comment.
    pub mark: Option<&'a str>,
}

impl Look<'_> {
    /// True if only instructions are shown.
    pub fn is_bare(&self) -> bool {
        self.raw || self.format.json
    }
}
