//! The kinds of changes, and their messages.

/// The effect of a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Effect {
    /// Existing words, texts or names have another meaning, or none.
    Breaks,
    /// It could not be decided whether something breaks.
    Undecided,
    /// Something is added.
    Adds,
}

impl Effect {
    /// Its code in JSON.
    pub fn code(self) -> &'static str {
        match self {
            Self::Breaks => "breaks",
            Self::Undecided => "undecided",
            Self::Adds => "adds",
        }
    }
}

macro_rules! kinds {
    ($($variant:ident $code:literal $effect:ident $sentence:literal;)*) => {
        /// The kind of a change.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum What { $(#[doc = $sentence] $variant,)* }
        impl What {
            /// Every kind.
            pub const ALL: &[Self] = &[$(Self::$variant,)*];
            /// Its code in JSON.
            pub fn code(self) -> &'static str {
                match self { $(Self::$variant => $code,)* }
            }
            /// The effect of such a change.
            pub fn effect(self) -> Effect {
                match self { $(Self::$variant => Effect::$effect,)* }
            }
            /// The sentence, with `{name}`, `{old}` and `{new}` for the members of the change.
            pub fn sentence(self) -> &'static str {
                match self { $(Self::$variant => $sentence,)* }
            }
        }
    };
}

kinds! {
    Stream "stream" Breaks "{name} of the stream: {old} is now {new}";
    Length "length" Breaks "the words of {old} bits are gone";
    LengthAdded "length-added" Adds "words of {new} bits are new";
    Prefer "prefer" Breaks "of several words of one text, the {new} is assembled, not the {old}";
    InstructionRemoved "instruction-removed" Breaks "instruction {name} is gone";
    InstructionRenamed "instruction-renamed" Breaks "instruction {old} is called {new}";
    InstructionAdded "instruction-added" Adds "instruction {name} is new";
    FormRemoved "form-removed" Breaks "form {name} is gone";
    FormRenamed "form-renamed" Breaks "form {old} is called {new}";
    FormAdded "form-added" Adds "form {name} is new";
    FormMoved "form-moved" Breaks "form {name} moved from {old} to {new}";
    FormLength "form-length" Breaks "form {name} has {new} bits, not {old}";
    WordsTaken "words-taken" Breaks "words of {old} are words of {new}";
    WordsRefused "words-refused" Breaks "words of {name} are refused";
    WordsAdded "words-added" Adds "{name} has more words";
    HoleAdded "hole-added" Adds "hole {name} is new";
    HoleRemoved "hole-removed" Adds "hole {name} is gone";
    FieldRemoved "field-removed" Breaks "field `{name}` is gone";
    FieldRenamed "field-renamed" Breaks "field `{old}` is called `{new}`";
    FieldAdded "field-added" Adds "field `{name}` is new";
    FieldMoved "field-moved" Breaks "field `{name}` moved from {old} to {new}";
    FieldWidened "field-widened" Breaks "field `{name}` is wider: {new}, not {old}";
    FieldNarrowed "field-narrowed" Breaks "field `{name}` is narrower: {new}, not {old}";
    FieldMeaning "field-meaning" Breaks "field `{name}` means {new}, not {old}";
    FieldNumbers "field-numbers" Breaks "{new} gives the bits of field `{name}` other numbers";
    FieldDefault "field-default" Breaks "the default of field `{name}` is {new}, not {old}";
    Text "text" Breaks "{name} has other texts";
    TextUndecided "text-undecided" Undecided "whether {name} has other texts takes too long to decide";
    WordsUndecided "words-undecided" Undecided "which words of {name} are others takes too long to decide";
    Assembled "assembled" Breaks "texts of {name} are assembled as other words";
    AssembledUndecided "assembled-undecided" Undecided "whether texts of {name} are assembled as other words takes too long to decide";
    AlsoRemoved "also-removed" Breaks "other ways to write {name} are no longer read";
    AlsoAdded "also-added" Adds "{name} can be written in more ways";
    EnumRemoved "enum-removed" Breaks "enumeration {name} is gone";
    EnumRenamed "enum-renamed" Breaks "enumeration {old} is called {new}";
    EnumAdded "enum-added" Adds "enumeration {name} is new";
    ValueRemoved "value-removed" Breaks "{name} has no value {old} any more";
    ValueText "value-text" Breaks "{name} is {new}, not {old}";
    ValueName "value-name" Breaks "the value {name} is called {new} in Rust, not {old}";
    ValueAdded "value-added" Adds "{name} has a new value {new}";
    SpellingRemoved "spelling-removed" Breaks "{name} is no longer written {old}";
    SpellingAdded "spelling-added" Adds "{name} can be written {new}";
    RegistersRemoved "registers-removed" Breaks "register file {name} is gone";
    RegistersRenamed "registers-renamed" Breaks "register file {old} is called {new}";
    RegistersAdded "registers-added" Adds "register file {name} is new";
    Registers "registers" Breaks "{name}: {new}, not {old}";
    Semantics "semantics" Breaks "{name} does something else";
    SemanticsRemoved "semantics-removed" Breaks "{name} no longer says what it does";
    SemanticsAdded "semantics-added" Adds "{name} says what it does";
    Routine "routine" Breaks "the machine's routine `{name}` does something else";
    Member "member" Breaks "`{name}` is {new}, not {old}";
    MemberRemoved "member-removed" Breaks "`{name}` is gone";
    MemberAdded "member-added" Adds "`{name}` is new";
}

/// A change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// Its kind.
    pub what: What,
    /// The name of the changed item.
    pub name: String,
    /// Its old value, if it has one.
    pub old: String,
    /// Its new value.
    pub new: String,
    /// The places: instructions of which all forms are concerned, and forms. Empty if the name identifies the place.
    pub places: Vec<String>,
    /// A word, or a text, that shows it.
    pub example: Option<Example>,
}

impl Change {
    /// The message, without a full stop.
    pub fn message(&self) -> String {
        let sentence = self.what.sentence();
        [("{name}", &self.name), ("{old}", &self.old), ("{new}", &self.new)]
            .iter()
            .fold(sentence.to_owned(), |text, (mark, value)| text.replace(mark, value))
    }
}

/// A word in both versions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Example {
    /// The word in hexadecimal with all its digits; `None` in a text-only instruction set.
    pub word: Option<String>,
    /// The old version's result: the text, or the reason for a refusal.
    pub old: Result<String, String>,
    /// The new version's result.
    pub new: Result<String, String>,
}
