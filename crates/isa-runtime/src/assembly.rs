//! The syntax of programs, apart from the syntax of single instructions.

use crate::engine::tables as t;
use crate::stored::{Stored as _, named, stored};
use alloc::string::String;
use alloc::vec::Vec;

stored! {
    /// The syntax of programs: how lines are split, the numbers and directives, and the statements that an assembler adds to the
    /// instructions.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct Assembly {
        /// Marks that begin a comment, which extends to the end of the line.
        pub comments: Vec<String>,
        /// Marks between the statements of a line.
        pub separators: Vec<String>,
        /// `/*` begins a comment that ends at the next `*/`, perhaps on another line.
        pub blocks: bool,
        /// A number that begins with `0` is octal; without it, such a number is refused.
        pub octal: bool,
        /// The case of all letters of texts, if texts are read in any case.
        pub case: Option<Case>,
        /// Prefixes of numbers besides `0x`, `0b` and `0o`, with their radixes.
        pub numbers: Vec<(String, u32)>,
        /// Names of the address of a statement, besides `.`.
        pub here: Vec<String>,
        /// The precedence of operators.
        pub precedence: Precedence,
        /// The prefix of local labels, which belong to the label before them without it; empty if there are none.
        pub local: String,
        /// Bytes of `.word`.
        pub word: u32,
        /// The operand of `.align` is a number of bytes, not a power of two.
        pub align_bytes: bool,
        /// The operand of `.org` is an address, not an offset in its section.
        pub org_address: bool,
        /// The statements that fill code up to an address, the shortest first.
        pub fill: Vec<String>,
        /// Other names of directives, each with the directive that it means.
        pub directives: Vec<(String, String)>,
        /// Sections and the addresses where they begin.
        pub sections: Vec<(String, u64)>,
        /// Functions of addresses and numbers.
        pub modifiers: Vec<Modifier>,
        /// Statements that expand to others.
        pub pseudo: Vec<Pseudo>,
        /// Relocations: the entries of object files that a linker fills in.
        pub relocations: Vec<Relocation>,
        /// Flags of object files (`e_flags`), each with the word length in bits that sets them; 0 for any length.
        pub flags: Vec<(u32, u32)>,
        /// Bits of an address, for object files.
        pub address: u32,
    }
}

named! {
    /// The case of letters.
    pub enum Case {
        /// `mov r1, sp`
        Lower "lower",
        /// `MOV R1, SP`
        Upper "upper",
    }
}

impl Case {
    /// The case given by an image's [`Head::flags`](t::Head::flags).
    pub fn of_flags(flags: u8) -> Option<Self> {
        match flags & (t::LOWER_CASE | t::UPPER_CASE) {
            t::LOWER_CASE => Some(Self::Lower),
            t::UPPER_CASE => Some(Self::Upper),
            _ => None,
        }
    }

    /// The flag of an image for this case.
    pub fn flag(self) -> u8 {
        match self {
            Self::Lower => t::LOWER_CASE,
            Self::Upper => t::UPPER_CASE,
        }
    }

    /// A text in this case; `None` if it already is.
    pub fn fold(self, text: &str) -> Option<String> {
        let folded = match self {
            Self::Lower => text.to_ascii_lowercase(),
            Self::Upper => text.to_ascii_uppercase(),
        };
        (folded != text).then_some(folded)
    }
}

named! {
    /// The precedence of operators, and the value of a comparison that holds.
    pub enum Precedence {
        /// The order of GNU as: `* / % << >>`, then `| & ^ !`, `+ -`, comparisons, `&&`, `||`; a comparison that holds gives -1.
        Gnu "gnu",
        /// The order of C; a comparison that holds gives 1.
        C "c",
    }
}

stored! {
    /// A function of an address or a number: `%lo(x)`, `<x`.
    #[derive(Clone, Debug, Default, PartialEq, Eq)]
    pub struct Modifier {
        /// Its name or sign.
        pub name: String,
        /// Its value, an expression of `x` and `.`; `x` itself if it is empty.
        pub value: String,
        /// A condition on operands that it reaches: an expression of `x` and `.` that is not 0 for them; empty if it reaches all.
        pub reaches: String,
        /// The modifier that it is paired with: its operand is a label, and it takes the operand of that modifier there. Empty for
        /// none.
        pub pair: String,
    }
}

stored! {
    /// A statement that expands to others.
    #[derive(Clone, Debug, Default, PartialEq, Eq)]
    pub struct Pseudo {
        /// Its syntax: `li {rd},{x}`.
        pub text: String,
        /// It is an instruction, which expands only if it does not reach its target.
        pub far: bool,
        /// Values with names, each an expression of the operands and the names before it.
        pub values: Vec<(String, String)>,
        /// Its expansions: a condition (empty if there is none) and the statements. The first whose condition holds is taken.
        pub cases: Vec<(String, Vec<String>)>,
    }
}

impl Pseudo {
    /// Its mnemonics, and the name of the operand that selects one of them; empty if there is one mnemonic.
    pub fn mnemonics(&self) -> (&str, impl Iterator<Item = &str>) {
        let head = self.text.split(char::is_whitespace).next().unwrap_or_default();
        let several = head.strip_prefix('{').and_then(|head| head.strip_suffix('}')).and_then(|head| head.split_once(':'));
        let (name, all) = several.unwrap_or(("", head));
        (name, all.split('|'))
    }
}

stored! {
    /// A relocation: an entry of an object file that a linker fills in.
    #[derive(Clone, Debug, Default, PartialEq, Eq)]
    pub struct Relocation {
        /// Its number.
        pub number: u32,
        /// The modifier of the operand; empty for none.
        pub modifier: String,
        /// The bits of the field, as the documentation shows them (`31..20`); empty for data.
        pub bits: String,
        /// Bytes of the data, or 0.
        pub data: u32,
        /// Its symbol is a variable that each thread has.
        pub thread: bool,
    }
}

impl Default for Assembly {
    fn default() -> Self {
        Self {
            comments: Vec::new(),
            separators: Vec::new(),
            blocks: false,
            octal: false,
            case: None,
            numbers: Vec::new(),
            here: Vec::new(),
            precedence: Precedence::Gnu,
            local: String::new(),
            word: 4,
            align_bytes: false,
            org_address: false,
            fill: Vec::new(),
            directives: Vec::new(),
            sections: Vec::new(),
            modifiers: Vec::new(),
            pseudo: Vec::new(),
            relocations: Vec::new(),
            flags: Vec::new(),
            address: 64,
        }
    }
}

impl Assembly {
    /// The address at which the section `.text` begins, where programs say nothing else.
    pub fn text_start(&self) -> u64 {
        self.sections.iter().find(|(name, _)| name == ".text").map_or(0, |(_, address)| *address)
    }

    /// The syntax in tables. It is within the limits of specifications if they come from an image that was
    /// [checked](crate::engine::image::read).
    pub fn of(tables: &t::Common<'_>) -> Self {
        Self::read(&mut tables.assembly.bytes()).unwrap_or_default()
    }

    /// Its bytes in an image.
    pub fn bytes(&self) -> Vec<u8> {
        self.stored()
    }

    /// Returns true if its numbers are within the limits of specifications.
    pub(crate) fn is_bounded(&self) -> bool {
        (1..=16).contains(&self.word)
            && (1..=64).contains(&self.address)
            && self.numbers.iter().all(|(_, radix)| (2..=36).contains(radix))
    }

    /// The comment marks if the specification declares none, except those that occur in the texts of its instructions.
    pub const COMMENTS: [&str; 3] = ["#", "//", ";"];
    /// The start and end marks of a comment that can span lines.
    pub const BLOCK: [&str; 2] = ["/*", "*/"];
}
