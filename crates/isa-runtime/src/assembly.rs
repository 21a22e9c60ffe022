//! The syntax of programs, apart from the syntax of single instructions.

use crate::engine::tables as t;
use alloc::borrow::ToOwned as _;
use alloc::string::String;
use alloc::vec::Vec;

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

/// The case of letters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Case {
    /// `mov r1, sp`
    Lower,
    /// `MOV R1, SP`
    Upper,
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

/// The precedence of operators, and the value of a comparison that holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Precedence {
    /// The order of GNU as: `* / % << >>`, then `| & ^ !`, `+ -`, comparisons, `&&`, `||`; a comparison that holds gives -1.
    #[default]
    Gnu,
    /// The order of C; a comparison that holds gives 1.
    C,
}

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

impl Pseudo {
    /// Its mnemonics, and the name of the operand that selects one of them; empty if there is one mnemonic.
    pub fn mnemonics(&self) -> (&str, impl Iterator<Item = &str>) {
        let head = self.text.split(char::is_whitespace).next().unwrap_or_default();
        let several = head.strip_prefix('{').and_then(|head| head.strip_suffix('}')).and_then(|head| head.split_once(':'));
        let (name, all) = several.unwrap_or(("", head));
        (name, all.split('|'))
    }
}

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

    /// Its rows in the tables, except the flags: kind, text, value and number of each.
    pub fn rows(&self, mut row: impl FnMut(u8, &str, &str, u64)) {
        self.comments.iter().for_each(|mark| row(t::COMMENT, mark, "", 0));
        self.separators.iter().for_each(|mark| row(t::SEPARATOR, mark, "", 0));
        self.numbers.iter().for_each(|(prefix, radix)| row(t::RADIX, prefix, "", (*radix).into()));
        self.here.iter().for_each(|mark| row(t::HERE, mark, "", 0));
        if self.precedence == Precedence::C {
            row(t::AS_IN_C, "", "", 0);
        }
        if !self.local.is_empty() {
            row(t::LOCAL, &self.local, "", 0);
        }
        if self.word != 4 {
            row(t::WORD_BYTES, "", "", self.word.into());
        }
        if self.align_bytes {
            row(t::ALIGN_BYTES, "", "", 0);
        }
        if self.org_address {
            row(t::ORG_ADDRESS, "", "", 0);
        }
        self.fill.iter().for_each(|statement| row(t::FILL, statement, "", 0));
        self.directives.iter().for_each(|(name, is)| row(t::DIRECTIVE, name, is, 0));
        self.sections.iter().for_each(|(name, address)| row(t::SECTION, name, "", *address));
        for modifier in &self.modifiers {
            row(t::MODIFIER, &modifier.name, &modifier.value, 0);
            if !modifier.reaches.is_empty() {
                row(t::REACHES, &modifier.reaches, "", 0);
            }
            if !modifier.pair.is_empty() {
                row(t::PAIR, &modifier.pair, "", 0);
            }
        }
        for pseudo in &self.pseudo {
            row(t::PSEUDO, &pseudo.text, "", 0);
            if pseudo.far {
                row(t::FAR, "", "", 0);
            }
            pseudo.values.iter().for_each(|(name, value)| row(t::NAMED, name, value, 0));
            for (when, statements) in &pseudo.cases {
                row(t::CASE, when, "", 0);
                statements.iter().for_each(|statement| row(t::STATEMENT, statement, "", 0));
            }
        }
        for relocation in &self.relocations {
            let kind = if relocation.data == 0 { t::RELOCATION } else { t::DATA_RELOCATION };
            let number = u64::from(relocation.data) << 32 | u64::from(relocation.number);
            row(kind, &relocation.modifier, &relocation.bits, number);
        }
        if self.address != 64 {
            row(t::ADDRESS_BITS, "", "", self.address.into());
        }
        self.flags.iter().for_each(|(bits, flags)| row(t::FLAGS, "", "", u64::from(*bits) << 32 | u64::from(*flags)));
    }

    /// Adds a row of tables.
    pub fn add(&mut self, kind: u8, text: &str, value: &str, number: u64) {
        let own = || text.to_owned();
        match kind {
            t::COMMENT => self.comments.push(own()),
            t::SEPARATOR => self.separators.push(own()),
            t::RADIX => self.numbers.push((own(), (number as u32).clamp(2, 36))),
            t::HERE => self.here.push(own()),
            t::AS_IN_C => self.precedence = Precedence::C,
            t::LOCAL => self.local = own(),
            t::WORD_BYTES => self.word = (number as u32).clamp(1, 16),
            t::ALIGN_BYTES => self.align_bytes = true,
            t::ORG_ADDRESS => self.org_address = true,
            t::FILL => self.fill.push(own()),
            t::DIRECTIVE => self.directives.push((own(), value.to_owned())),
            t::SECTION => self.sections.push((own(), number)),
            t::MODIFIER => self.modifiers.push(Modifier { name: own(), value: value.to_owned(), ..Modifier::default() }),
            t::REACHES => self.modifiers.last_mut().into_iter().for_each(|modifier| modifier.reaches = own()),
            t::PAIR => self.modifiers.last_mut().into_iter().for_each(|modifier| modifier.pair = own()),
            t::PSEUDO => self.pseudo.push(Pseudo { text: own(), ..Pseudo::default() }),
            t::FAR => self.pseudo.last_mut().into_iter().for_each(|pseudo| pseudo.far = true),
            t::NAMED => self.pseudo.last_mut().into_iter().for_each(|pseudo| pseudo.values.push((own(), value.to_owned()))),
            t::CASE => self.pseudo.last_mut().into_iter().for_each(|pseudo| pseudo.cases.push((own(), Vec::new()))),
            t::STATEMENT => {
                let case = self.pseudo.last_mut().and_then(|pseudo| pseudo.cases.last_mut());
                case.into_iter().for_each(|case| case.1.push(own()));
            }
            t::RELOCATION | t::DATA_RELOCATION => self.relocations.push(Relocation {
                number: number as u32,
                modifier: own(),
                bits: value.to_owned(),
                data: (number >> 32) as u32,
            }),
            t::FLAGS => self.flags.push(((number >> 32) as u32, number as u32)),
            t::ADDRESS_BITS => self.address = (number as u32).clamp(1, 64),
            _ => {}
        }
    }

    /// The comment marks if the specification declares none, except those that occur in the texts of its instructions.
    pub const COMMENTS: [&str; 3] = ["#", "//", ";"];
    /// The start and end marks of a comment that can span lines.
    pub const BLOCK: [&str; 2] = ["/*", "*/"];
}
