//! Passes, from strict to lenient, in which a text is read.

/// A pass: its tolerance for texts that differ from the printed ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pass {
    /// Exactly as it is printed, so that the text printed for a word is read as a word that prints it.
    Exact,
    /// Exactly as it is printed without aliases.
    Base,
    /// Blanks, and other ways to write values.
    Lenient,
    /// Groups that would be printed may be missing as well.
    Loose,
    /// Texts that are only read.
    Also,
    /// Aliases and variants, wherever their own condition holds.
    Spelt,
}

impl Pass {
    /// In the order in which they are tried.
    pub const ALL: [Self; 6] = [Self::Exact, Self::Base, Self::Lenient, Self::Loose, Self::Also, Self::Spelt];

    /// All passes, texts without aliases first.
    pub const BASE_FIRST: [Self; 6] = [Self::Base, Self::Exact, Self::Lenient, Self::Loose, Self::Also, Self::Spelt];

    /// The place of all texts of a form that are read in the last pass.
    pub const SPELT: usize = u16::MAX as usize;

    /// True if a text of a form, by its place among those that are read, is read in this pass. The first of those that are only
    /// read is the one without aliases, if the form has aliases.
    pub fn reads(self, which: usize, has_base: bool) -> bool {
        match self {
            Self::Exact | Self::Lenient | Self::Loose => which == 0,
            Self::Base => which == usize::from(has_base),
            Self::Also => which > 0 && which != Self::SPELT,
            Self::Spelt => which == Self::SPELT,
        }
    }

    /// True if texts are read exactly.
    #[inline(always)]
    pub fn is_exact(self) -> bool {
        matches!(self, Self::Exact | Self::Base)
    }

    /// True if groups that are printed when something differs from its default must then differ.
    pub fn is_strict(self) -> bool {
        matches!(self, Self::Exact | Self::Base | Self::Lenient)
    }
}
