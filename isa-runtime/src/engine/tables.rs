//! The tables that an instruction set is made of. See docs/tables.md for what each section holds.

use super::Bits;
use super::image::BadImage;
use super::record::{Record, record};
use super::table::Table;

record! {
    /// A string: where it begins in [`Tables::bytes`], and how many bytes it has.
    Str {
        /// First byte.
        at: u32,
        /// Bytes.
        len: u32,
    }

    /// Consecutive rows of a table.
    Rows {
        /// The first row.
        at: u32,
        /// How many.
        len: u32,
    }

    /// Some bits of a word, as a part of an index: `rotate_right(limb, at % 64) & mask`, where `limb` is the 64 bits of the word from
    /// bit `at - at % 64` on.
    Term {
        /// Which limb, and by how many bits it is rotated.
        at: u8,
        /// Ones where the bits stand in the index.
        mask: u16,
    }

    /// A condition on few bits: whether bit `index` of a truth table is set.
    Test {
        /// The index: the terms added up.
        index: [Term; 2],
        /// First element of the truth table in [`Tables::truth`].
        table: u32,
    }

    /// A step of a decision diagram: it asks for a bit and goes on at another node. Nodes 0 and 1 are `no` and `yes`; children
    /// stand before their parents.
    Node {
        /// The bit.
        bit: u8,
        /// Where it goes on if the bit is clear.
        lo: u32,
        /// Where it goes on if the bit is set.
        hi: u32,
    }

    /// The instruction set.
    Head {
        /// Its name.
        name: Str,
        /// One line.
        summary: Str,
        /// Bits of a unit of a stream.
        unit: u16,
        /// [`LOW_FIRST`], [`LITTLE_ENDIAN`], [`TEXT_ONLY`], [`SHORTEST`], [`OCTAL`], [`BLOCKS`].
        flags: u8,
        /// Bytes of the longest text.
        longest: u32,
    }

    /// A length of words.
    Length<W> {
        /// Bits of a word.
        bits: u16,
        /// The index of its forms: what to add up.
        index: [Term; 3],
        /// First element of the index in [`Tables::index`]; it has a power of two of them.
        base: u32,
        /// The index of the truth tables of its rows: bits that most rules are about.
        truth: [Term; 2],
        /// The first units that begin a word of this length: a diagram.
        prefix: u32,
        /// The words of this length: a diagram.
        words: u32,
        /// The bits that all forms of this length fix, bits that are reserved in one of them left out.
        opcode: W,
    }

    /// The order in which diagrams of words of a length ask for bits.
    Order {
        /// Bits of a word.
        bits: u16,
        /// The bits, in [`Tables::orders`].
        order: Rows,
    }

    /// A step of decoding: the words of a form, and where to go on with others.
    Row<W> {
        /// The bits that all legal words of the form have alike.
        mask: W,
        /// Their values.
        value: W,
        /// What must be true of other bits: first element of a truth table in [`Tables::truth`], for the index of the length.
        table: u32,
        /// What must be true besides: a diagram.
        rest: u32,
        /// The form.
        form: u16,
        /// The next row; 0 is the end.
        next: u16,
    }

    /// An instruction.
    Insn {
        /// Its name.
        name: Str,
        /// Its mnemonic.
        mnemonic: Str,
        /// How many names of registers it can have, where programs name registers.
        names: u16,
        /// Its first form.
        first: u16,
        /// How many forms it has.
        forms: u16,
    }

    /// A form: what a word decodes to.
    Form<W> {
        /// Its name.
        name: Str,
        /// Its instruction.
        insn: u16,
        /// Bits of its words.
        length: u16,
        /// [`ALONE`], [`HAS_BASE`].
        flags: u8,
        /// The bits that are fixed, reserved ones included.
        mask: W,
        /// Their values.
        value: W,
        /// The word with every field at its default.
        default: W,
        /// The bits that must be zero.
        reserved: W,
        /// Bits without a meaning, which are kept.
        kept: W,
        /// Its fields, in [`Tables::lists`].
        fields: Rows,
        /// Those that its text without aliases can show, in the order of the text, and behind the first one of an operand its other ones,
        /// in [`Tables::lists`].
        operands: Rows,
        /// Its fixed values, in [`Tables::fixed`].
        fixed: Rows,
        /// Its words, specialisations left out: a diagram.
        words: u32,
        /// The words that keep all rules: a diagram.
        legal: u32,
        /// The words whose full text can be read to the letter in one way only, which is the way in which it is printed: a diagram.
        one_way: u32,
        /// Why it has fewer words than mask and value say, in [`Tables::exclusions`].
        exclusions: Rows,
        /// What makes a word illegal, in [`Tables::rules`].
        rules: Rows,
        /// The registers that it reads and writes, in [`Tables::accesses`].
        accesses: Rows,
        /// The items of its lists of control codes, in [`Tables::control`]; those of one list are neighbours.
        control: Rows,
    }

    /// What the control codes of a word do: a flag, or an item of a list.
    ControlItem {
        /// The name of the flag or of the list.
        list: Str,
        /// The item; empty for a flag.
        item: Str,
        /// The words that have it: a diagram.
        when: u32,
    }

    /// What happens to the registers that a field names: so many consecutive ones, from the one that it says on. Of the rows of a form
    /// that read (write) the registers of one field, at most one has a diagram that holds for a word.
    Access {
        /// The field.
        field: u16,
        /// The words in which it happens: a diagram.
        when: u32,
        /// How many are read.
        reads: u8,
        /// How many are written.
        writes: u8,
    }

    /// What prints the texts of a form, in [`Tables::ops`].
    Texts {
        /// Its text.
        text: Rows,
        /// Its text without aliases.
        base: Rows,
        /// What `--full` adds.
        full: Rows,
    }

    /// A range of bits.
    Range {
        /// The most significant bit.
        hi: u8,
        /// The least significant bit.
        lo: u8,
    }

    /// A field of a form; forms share equal ones. A field without bits has a number that is fixed, and is in no form's list.
    Field {
        /// Its name in the form.
        path: Str,
        /// Its bits, the high part first, in [`Tables::ranges`].
        ranges: Rows,
        /// How many bits.
        width: u8,
        /// The kind of thing that its number is: [`NUMBER`], [`REGISTER`], [`ENUM`], [`FLAG`], [`SET`]. No text depends on it but messages.
        label: u8,
        /// Its place among the names that a program gives to registers of its instruction, or [`NO_PLACE`].
        place: u8,
        /// The register file or the enumeration, in [`Tables::registers`] or [`Tables::enums`]; 0 for other labels.
        of: u32,
        /// The way from its bits to its number, in [`Tables::codes`].
        code: u32,
        /// The texts of its number where an operation or a step has no other ones, in [`Tables::spellings`].
        spelling: u32,
    }

    /// The way from the bits of a field to its number.
    Code {
        /// Its steps, in [`Tables::code_steps`]; without steps the bits are the number.
        steps: Rows,
        /// [`OTHER_SIGN`].
        flags: u8,
    }

    /// A step from the bits of a field to its number.
    CodeStep {
        /// What it does: one of the steps of codes below.
        kind: u8,
        /// Its number; 0 for a step without one.
        by: i64,
    }

    /// A part of the text of a number.
    Part {
        /// The lowest bit of the number that the part is for.
        lo: u8,
        /// How many bits of the number it is for; 0 for the whole number, with its sign.
        width: u8,
        /// Names that are printed, in [`Tables::names`], by number; a number has one at most.
        printed: Rows,
        /// Names that are read, in [`Tables::names`], the longest first; of equally long ones, those that are read as another number last.
        read: Rows,
        /// The texts of other numbers: [`NONE`], [`DIGITS`], [`NUMBERED`], [`GIVEN`].
        other: u8,
        /// How the digits of other numbers print: 16, 10, or [`FLOAT`].
        radix: u8,
        /// How many digits there are at least; bits of a floating-point number.
        digits: u8,
        /// What stands before the digits.
        before: Str,
        /// What stands after them, and after the name of a half.
        after: Str,
        /// 1 if the digits are those of half the number, and the name of a half follows.
        halved: u8,
        /// The names of halves: those of even numbers and of odd ones.
        halves: [Str; 2],
        /// The last number with digits.
        last: u128,
        /// The names that programs can give, each a row of classes, in [`Tables::patterns`].
        patterns: Rows,
    }

    /// A number and its name.
    Named {
        /// The number.
        value: u128,
        /// The name, perhaps empty.
        text: Str,
        /// 1 if it is only read, 0 if it is also printed.
        also: u8,
    }

    /// A part of a name that a program can give.
    Class {
        /// ASCII characters, one bit each.
        of: u128,
        /// [`MISSING`], [`REPEATS`].
        flags: u8,
    }

    /// A register file.
    Registers {
        /// Its name.
        name: Str,
        /// The texts of registers, in [`Tables::spellings`].
        spelling: u32,
        /// The name of the register file that its registers are of: its own, or another that it is a part of.
        of: Str,
        /// The number of its first register in that file.
        from: u32,
    }

    /// An enumeration.
    Enum {
        /// Its name.
        name: Str,
        /// The texts of values, in [`Tables::spellings`].
        spelling: u32,
    }

    /// A fixed value of a form.
    Fixed {
        /// Its name, perhaps empty.
        name: Str,
        /// Its bits, in [`Tables::ranges`].
        ranges: Rows,
        /// The value.
        value: u128,
    }

    /// Words that are taken out of a form.
    Exclusion {
        /// Which: a diagram.
        when: u32,
        /// The field concerned, or [`NO_FIELD`].
        field: u16,
        /// The reason.
        why: Str,
    }

    /// A rule that legal words keep.
    Rule {
        /// The words that keep it: a diagram.
        holds: u32,
        /// The fields that it is about, in [`Tables::lists`].
        fields: Rows,
        /// The rule, in words.
        why: Str,
    }

    /// Words that have a name and no form.
    Hole<W> {
        /// The name.
        name: Str,
        /// What they are, perhaps empty.
        summary: Str,
        /// Bits of the words.
        length: u16,
        /// The bits that they have alike.
        mask: W,
        /// Their values.
        value: W,
    }

    /// First units of a stream that belong together.
    Region {
        /// The name.
        name: Str,
        /// The first unit.
        first: crate::word::U256,
        /// The last unit.
        last: crate::word::U256,
        /// Bits at the low end that belong to no code.
        open: u8,
    }

    /// An operation of printing.
    Op {
        /// What it does: one of the operations below.
        kind: u8,
        /// 1 for a number with a sign.
        signed: u8,
        /// The parts of an index, as in [`Term`].
        at: [u8; 2],
        /// Ones where they stand in the index.
        mask: [u16; 2],
        /// First string, or the field, or the condition.
        base: u32,
        /// How many operations are left out if a condition does not hold, or belong together with this one.
        skip: u16,
        /// The texts of a field's number, in [`Tables::spellings`].
        spelling: u32,
    }

    /// A step of reading.
    Step {
        /// What it reads: one of the steps below.
        kind: u8,
        /// The texts of a field's number, in [`Tables::spellings`].
        spelling: u32,
        /// The string, the field, the condition or the list of alternatives.
        of: u32,
        /// What is read then.
        next: u32,
        /// The first step of a group.
        body: u32,
        /// The ASCII characters with which what is read from here on can begin, in [`Tables::initials`].
        initials: u32,
    }

    /// A text of a form, for reading.
    Template {
        /// The form.
        form: u16,
        /// 0 for the text that is printed, then those that are only read.
        which: u16,
        /// Its first step.
        step: u32,
        /// The word that all its texts contain, if there is one.
        word: Str,
        /// The ASCII characters that all its texts contain, one bit each.
        needs: u128,
        /// The characters that its texts can contain as they are printed; the last bit stands for all that are not ASCII.
        made_of: u128,
        /// The pairs of characters that all its texts contain as they are printed: bit `(31 * first + second) % 128` for each.
        pairs: u128,
        /// The longest word of its literals.
        longest: Str,
    }

    /// A word, and the templates whose texts all contain it.
    Key {
        /// The word.
        word: Str,
        /// The templates, in [`Tables::lists`], ascending.
        templates: Rows,
    }

    /// A wrong way to write a form.
    Refused {
        /// The form.
        form: u16,
        /// Its first step.
        step: u32,
        /// What is wrong.
        why: Str,
    }

    /// A mark in the lines of programs.
    Mark {
        /// The mark.
        text: Str,
        /// [`COMMENT`] or [`SEPARATOR`].
        kind: u8,
    }

    /// An architecture of the object files that hold code of the instruction set.
    Object {
        /// The machine as ELF numbers it.
        machine: u16,
        /// The architecture: `sm_80`.
        architecture: Str,
        /// The name of the register file of which such files say how many a kernel has; empty if they say it of none.
        registers: Str,
    }

    /// The machine that programs run on.
    Machine {
        /// Lanes of a warp.
        lanes: u8,
        /// Bits of an address of code.
        pc: u8,
        /// How lanes part and meet: 0 by a stack of masks, 1 by the lowest address.
        divergence: u8,
        /// 1 if a launch puts parameters of a kernel into a memory space.
        has_params: u8,
        /// The memory space of these parameters.
        params: u32,
        /// Their bank, if the space has banks.
        bank: u32,
        /// The address of the first, in bytes.
        at: u64,
    }

    /// Registers of the machine.
    File {
        /// The name of the register file.
        name: Str,
        /// Bits of a register.
        width: u32,
        /// How many there are; 4294967295 for this many and more.
        count: u32,
        /// The register that reads as zero, if there is one.
        zero: u32,
        /// The register that reads as all ones, if there is one.
        one: u32,
        /// [`HAS_ZERO`], [`HAS_ONE`], [`VIEW`].
        flags: u8,
    }

    /// Registers of flags.
    Flags {
        /// Their name.
        name: Str,
        /// How many there are.
        count: u32,
        /// The flags of each, in [`Tables::machine_texts`]; the first is bit 0.
        flags: Rows,
    }

    /// A named value of a lane.
    State {
        /// Its name.
        name: Str,
        /// Its bits.
        width: u16,
        /// [`LAUNCH`] or [`WRITTEN`].
        kind: u8,
    }

    /// A memory space.
    Space {
        /// Its name.
        name: Str,
        /// Bits of an address; addresses count bytes.
        address: u8,
        /// How many banks; 0 for a space without banks.
        banks: u32,
        /// Its size in bytes (of each bank); 0 if the launch sets it.
        size: u64,
        /// 1 if instructions only read it.
        read_only: u8,
        /// The owner of an instance: 0 a lane, 1 a block, 2 the grid.
        owner: u8,
    }

    /// A choice among the machines of one instruction set.
    Variant {
        /// Its name.
        name: Str,
        /// The values, in [`Tables::machine_texts`]; the first is the default.
        values: Rows,
    }

    /// Words by some of their bits.
    Cube<W> {
        /// Which bits.
        mask: W,
        /// Their values.
        value: W,
    }
}

macro_rules! kinds {
    ($($(#[doc = $doc:literal])* $name:ident: $ty:ty = $value:expr,)*) => {
        $($(#[doc = $doc])* pub const $name: $ty = $value;)*

        /// The constants above: name, value, and what it says, in Markdown; it begins with the column, as in [`Head::flags`].
        pub const KINDS: &[(&str, u64, &str)] = &[$((stringify!($name), $name as u64, concat!($($doc),*))),*];
    };
}

kinds! {
    /// [`Head::flags`]: the first unit of a stream is the low one of a word.
    LOW_FIRST: u8 = 1,
    /// [`Head::flags`]: the bytes of a unit are little-endian.
    LITTLE_ENDIAN: u8 = 2,
    /// [`Head::flags`]: it is text-only.
    TEXT_ONLY: u8 = 4,
    /// [`Head::flags`]: of several words of one text, the shortest is assembled.
    SHORTEST: u8 = 8,
    /// [`Head::flags`]: a number that begins with `0` is octal; without it, such a number is refused.
    OCTAL: u8 = 16,
    /// [`Head::flags`]: in programs, `/*` begins a comment that ends at `*/`.
    BLOCKS: u8 = 32,

    /// [`Mark::kind`]: the rest of the line is a comment.
    COMMENT: u8 = 0,
    /// [`Mark::kind`]: another statement follows.
    SEPARATOR: u8 = 1,

    /// [`File::flags`]: a register reads as zero.
    HAS_ZERO: u8 = 1,
    /// [`File::flags`]: a register reads as all ones.
    HAS_ONE: u8 = 2,
    /// [`File::flags`]: the registers are parts of those of another file.
    VIEW: u8 = 4,

    /// [`State::kind`]: the launch sets it.
    LAUNCH: u8 = 0,
    /// [`State::kind`]: instructions write it; it starts as 0.
    WRITTEN: u8 = 1,

    /// [`Form::flags`]: no form that is tried before this one reads the full text of a word to the letter.
    ALONE: u8 = 1,

    /// [`Form::flags`]: the text has aliases. The first of the texts that are only read is the one without.
    HAS_BASE: u8 = 2,

    /// [`Field::label`]: a number.
    NUMBER: u8 = 0,
    /// [`Field::label`]: a register.
    REGISTER: u8 = 1,
    /// [`Field::label`]: a value of an enumeration.
    ENUM: u8 = 2,
    /// [`Field::label`]: one bit.
    FLAG: u8 = 3,
    /// [`Field::label`]: a set; each bit is a member.
    SET: u8 = 4,

    /// [`Field::place`]: programs give no names to it.
    NO_PLACE: u8 = u8::MAX,

    /// [`Code::flags`]: a number is also read as the one with the same bits, without a sign or with one.
    OTHER_SIGN: u8 = 1,

    /// [`Part::other`]: other numbers have no text.
    NONE: u8 = 0,
    /// [`Part::other`]: the number in digits, with its sign, and with `0x` where it is hexadecimal.
    DIGITS: u8 = 1,
    /// [`Part::other`]: the number without a sign between two texts.
    NUMBERED: u8 = 2,
    /// [`Part::other`]: the name that a program gives; between two texts where there is none.
    GIVEN: u8 = 3,

    /// [`Part::radix`]: a floating-point number, of which the field has the high bits.
    FLOAT: u8 = 2,

    /// [`Class::flags`]: the part can be missing.
    MISSING: u8 = 1,
    /// [`Class::flags`]: there can be several.
    REPEATS: u8 = 2,

    /// [`Exclusion::field`]: it is not about one field.
    NO_FIELD: u16 = u16::MAX,

    /// [`Op::kind`]: appends a ready string of [`Tables::entries`]. Here `skip` is how many operations of this kind follow at once.
    ENTRY: u8 = 0,
    /// [`Op::kind`]: appends a field.
    FIELD: u8 = 1,
    /// [`Op::kind`]: appends a number of up to 64 bits in one limb, from `at[0]` on: it has `at[1]` bits, a sign if `signed` is 1, and is
    /// multiplied by `mask[0]`; the low byte of `mask[1]` is its radix, the high byte the least number of digits.
    PLAIN: u8 = 2,
    /// [`Op::kind`]: leaves operations out unless a [`Test`] holds.
    UNLESS_TEST: u8 = 3,
    /// [`Op::kind`]: leaves operations out unless a diagram holds.
    UNLESS_SET: u8 = 4,
    /// [`Op::kind`]: leaves operations out if the word is in a [`Cube`].
    UNLESS_DIFFERS: u8 = 5,

    /// [`Step::kind`]: the text ends here.
    END: u8 = 0,
    /// [`Step::kind`]: a string.
    LITERAL: u8 = 1,
    /// [`Step::kind`]: a field.
    VALUE: u8 = 2,
    /// [`Step::kind`]: a group that is there exactly if a diagram holds.
    HOLDS: u8 = 3,
    /// [`Step::kind`]: a group that is there if the word is not in a [`Cube`].
    DIFFERS: u8 = 4,
    /// [`Step::kind`]: the text ends here, or what `--full` adds follows.
    FULL: u8 = 5,
    /// [`Step::kind`]: one of two ways on: that of `body`, or else that of `next`.
    EITHER: u8 = 6,
    /// [`Step::kind`]: a text inside the text, from `body` on; it returns to `next`.
    ONE_OF: u8 = 7,
    /// [`Step::kind`]: a text inside the text ends here.
    RETURN: u8 = 8,
}

/// A ready string of up to 15 bytes, the first one lowest; the highest byte says how many.
pub type Entry = u128;

macro_rules! tables {
    ($($(#[doc = $doc:literal])* $name:ident: $ty:ty,)*) => {
        /// The tables in the order of an image: name, type of a row, and what a table holds, in Markdown.
        pub const SECTIONS: &[(&str, &str, &str)] = &[$((stringify!($name), stringify!($ty), concat!($($doc),*))),*];

        /// An instruction set as tables: those of an image, or of a static.
        #[derive(Clone, Copy)]
        pub struct Tables<'a, W> {
            head: Table<'a, Head>,
            $($(#[doc = $doc])* pub $name: Table<'a, $ty>,)*
        }

        impl<'a, W: Bits> Tables<'a, W> {
            /// The tables in the bytes behind the header of an image.
            pub(super) const fn split(bytes: &'a [u8]) -> Result<Self, BadImage> {
                let Some((head, rest)) = Table::take(bytes, 1) else { return Err(BadImage::CutOff("head")) };
                $(let Some(($name, rest)) = Table::take_counted(rest) else { return Err(BadImage::CutOff(stringify!($name))) };)*
                if !rest.is_empty() {
                    return Err(BadImage::GoesOn(rest.len()));
                }
                Ok(Self { head, $($name,)* })
            }

            /// The instruction set.
            #[inline(always)]
            pub fn head(&self) -> Head {
                self.head.get(0).unwrap_or_default()
            }
        }

        /// Tables that are being made: an image is written from them.
        #[derive(Clone, Debug, Default, PartialEq, Eq)]
        pub struct Owned<W> {
            /// The instruction set.
            pub head: Head,
            $($(#[doc = $doc])* pub $name: alloc::vec::Vec<$ty>,)*
        }

        impl<W: Bits> Owned<W> {
            /// Appends what stands behind the header of an image.
            pub(super) fn write(&self, out: &mut alloc::vec::Vec<u8>) {
                self.head.write(out);
                $(
                    (self.$name.len() as u32).write(out);
                    self.$name.iter().for_each(|row| row.write(out));
                )*
            }
        }
    };
}

impl<W> core::fmt::Debug for Tables<'_, W> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Tables").field("head", &self.head).finish_non_exhaustive()
    }
}

tables! {
    /// All strings, in UTF-8.
    bytes: u8,
    /// Strings by number.
    strings: Str,
    /// Lists of numbers.
    lists: u16,
    /// Lengths of words, ascending.
    lengths: Length<W>,
    /// Where the rows of words begin; 0 is none.
    index: u16,
    /// What words are; row 0 has none.
    rows: Row<W>,
    /// Truth tables.
    truth: u64,
    /// Decision diagrams; the first two are `no` and `yes`.
    nodes: Node,
    /// Bits in the order in which diagrams ask for them.
    orders: u8,
    /// For words of which length.
    order_of: Order,
    /// Instructions.
    insns: Insn,
    /// Forms.
    forms: Form<W>,
    /// What prints the texts of each form.
    texts: Texts,
    /// Fields.
    fields: Field,
    /// Ranges of bits.
    ranges: Range,
    /// Ways from bits to numbers.
    codes: Code,
    /// Their steps.
    code_steps: CodeStep,
    /// The texts of numbers: the parts of each, in [`Tables::parts`], one after the other in a text.
    spellings: Rows,
    /// Parts of the texts of numbers.
    parts: Part,
    /// Names of numbers.
    names: Named,
    /// The names that programs give: the classes of each, in [`Tables::classes`].
    patterns: Rows,
    /// Parts of the names that programs give.
    classes: Class,
    /// Register files.
    registers: Registers,
    /// Enumerations.
    enums: Enum,
    /// Fixed values.
    fixed: Fixed,
    /// What is taken out of forms.
    exclusions: Exclusion,
    /// Rules.
    rules: Rule,
    /// Registers that are read and written.
    accesses: Access,
    /// Items of lists of control codes.
    control: ControlItem,
    /// Words with a name and no form.
    holes: Hole<W>,
    /// First units, divided as documents do.
    regions: Region,
    /// What prints texts.
    ops: Op,
    /// Ready strings of up to 15 bytes, the first one lowest; the highest byte says how many.
    entries: u128,
    /// Conditions on few bits.
    tests: Test,
    /// Words by some of their bits.
    cubes: Cube<W>,
    /// What reads texts.
    steps: Step,
    /// Sets of ASCII characters; the last bit stands for all others.
    initials: u128,
    /// Texts, for reading.
    templates: Template,
    /// Words that texts contain, ascending.
    keys: Key,
    /// Wrong ways to write forms.
    refused: Refused,
    /// Marks in the lines of programs.
    marks: Mark,
    /// Object files with code of the instruction set.
    objects: Object,
    /// The machine: one row.
    machine: Machine,
    /// Register files of the machine, in the order of the specification.
    files: File,
    /// Registers of flags.
    flags: Flags,
    /// Named values of a lane.
    states: State,
    /// Memory spaces.
    spaces: Space,
    /// Choices among machines.
    variants: Variant,
    /// Names of flags, those of one row of `flags` after those of the other, and then values of variants in the same manner.
    machine_texts: Str,
}
