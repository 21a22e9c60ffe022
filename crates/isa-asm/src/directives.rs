//! The directives: one table, which messages and documentation use.

/// A directive.
#[derive(Debug)]
pub struct Directive {
    /// Its names, with the dot.
    pub names: &'static [&'static str],
    /// The syntax of its arguments.
    pub arguments: &'static str,
    /// Its description.
    pub doc: &'static str,
    pub(crate) does: Does,
}

/// The effect of a directive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Does {
    /// Numbers of this number of bytes; 0 for those of `.word`.
    Data(u32),
    /// Floating-point numbers of this number of bytes.
    Float(u32),
    /// Numbers of 7 bits a byte; whether they are signed.
    Leb(bool),
    /// Strings; whether each ends with a zero, and the number of bytes of a character.
    Strings(bool, usize),
    /// Alignment to an address: by a power of two, by bytes, or as the instruction set declares; and the bytes of the value that
    /// fills the gap.
    Align(AlignBy, u32),
    /// Bytes.
    Space,
    /// Numbers of a size, several times.
    Fill,
    Org,
    /// A relocation.
    Reloc,
    /// A word as a number, or by a format of the instruction set.
    Insn,
    /// An instruction with other values of some bits.
    Altered,
    Section,
    /// The section of this name.
    Named(&'static str),
    PushSection,
    PopSection,
    Previous,
    Global,
    Local,
    Weak,
    /// The visibility of symbols in object files, by its number.
    Visibility(u8),
    Size,
    Type,
    Common,
    Equ,
    Include,
    Incbin,
    Macro,
    EndMacro,
    ExitMacro,
    Purge,
    Repeat,
    Each,
    EachCharacter,
    EndRepeat,
    If(If),
    ElseIf,
    Else,
    EndIf,
    Error,
    Warning,
    Assert,
    Option,
    End,
    Ignore,
}

/// The unit of an alignment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AlignBy {
    Power,
    Bytes,
    Declared,
}

/// The kind of a condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum If {
    /// A number that is not 0.
    True,
    /// A number compared with 0.
    Zero,
    NotZero,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Defined,
    NotDefined,
    Blank,
    NotBlank,
    Same,
    Different,
}

const fn row(names: &'static [&'static str], arguments: &'static str, does: Does, doc: &'static str) -> Directive {
    Directive { names, arguments, doc, does }
}

/// All directives.
pub const DIRECTIVES: &[Directive] = &[
    row(&[".byte", ".1byte", ".dc.b"], "value, …", Does::Data(1), "Numbers of one byte."),
    row(&[".half", ".short", ".hword", ".2byte", ".dc.w", ".dc"], "value, …", Does::Data(2), "Numbers of two bytes."),
    row(
        &[".word"],
        "value, …",
        Does::Data(0),
        "Numbers with the number of bytes that the instruction set declares (`word`), 4 by default.",
    ),
    row(&[".long", ".int", ".4byte", ".dc.l"], "value, …", Does::Data(4), "Numbers of four bytes."),
    row(&[".dword", ".quad", ".8byte"], "value, …", Does::Data(8), "Numbers of eight bytes."),
    row(&[".octa"], "value, …", Does::Data(16), "Numbers of 16 bytes."),
    row(&[".uleb128"], "value, …", Does::Leb(false), "Numbers in bytes of 7 bits, the low ones first (LEB128)."),
    row(&[".sleb128"], "value, …", Does::Leb(true), "The same with a sign."),
    row(&[".float", ".single", ".dc.s"], "number, …", Does::Float(4), "Floating-point numbers of 32 bits."),
    row(&[".double", ".dc.d"], "number, …", Does::Float(8), "Floating-point numbers of 64 bits."),
    row(
        &[".ascii"],
        "\"text\", …",
        Does::Strings(false, 1),
        "The bytes of texts; `\\n \\t \\r \\b \\f \\\\ \\\" \\123 \\x1f` are escapes.",
    ),
    row(
        &[".asciz", ".string", ".asciiz", ".string8"],
        "\"text\", …",
        Does::Strings(true, 1),
        "The same, each followed by a zero byte.",
    ),
    row(&[".string16"], "\"text\", …", Does::Strings(true, 2), "The same with two bytes for each."),
    row(&[".string32"], "\"text\", …", Does::Strings(true, 4), "The same with four bytes for each."),
    row(&[".string64"], "\"text\", …", Does::Strings(true, 8), "The same with eight bytes for each."),
    row(
        &[".align"],
        "n [, value [, most]]",
        Does::Align(AlignBy::Declared, 1),
        "Continues at a multiple of 2^n, or of n bytes if the instruction set declares this (`align: bytes`). The gap is filled \
         with `value`, or in code with the instructions of `fill`. With a gap of more than `most` bytes, it does nothing.",
    ),
    row(&[".p2align"], "n [, value [, most]]", Does::Align(AlignBy::Power, 1), "Continues at a multiple of 2^n."),
    row(&[".p2alignw"], "n [, value [, most]]", Does::Align(AlignBy::Power, 2), "The same with a value of two bytes."),
    row(&[".p2alignl"], "n [, value [, most]]", Does::Align(AlignBy::Power, 4), "The same with a value of four bytes."),
    row(&[".balign"], "n [, value [, most]]", Does::Align(AlignBy::Bytes, 1), "Continues at a multiple of n bytes."),
    row(&[".balignw"], "n [, value [, most]]", Does::Align(AlignBy::Bytes, 2), "The same with a value of two bytes."),
    row(&[".balignl"], "n [, value [, most]]", Does::Align(AlignBy::Bytes, 4), "The same with a value of four bytes."),
    row(&[".space", ".skip", ".zero"], "bytes [, value]", Does::Space, "A number of bytes with the same value, 0 by default."),
    row(&[".fill"], "count [, size [, value]]", Does::Fill, "`count` numbers of `size` bytes (1 by default, at most 8)."),
    row(
        &[".org"],
        "to [, value]",
        Does::Org,
        "Continues at a distance from the beginning of the section, or at an address if the instruction set declares this (`org: \
         address`).",
    ),
    row(
        &[".section"],
        "name [, \"flags\" [, @type]]",
        Does::Section,
        "Continues in a section. Flags: `a` (loaded), `w` (writable), `x` (code), `T` (one for each thread), `G` (in the group that \
         `, name, comdat` names after the type), `e` (left out by linkers), `R` (kept by linkers); `M` and `S` with a size are \
         read and have no effect. Types: `@progbits`, `@nobits`, `@note`, `@init_array`, `@fini_array`, `@preinit_array`.",
    ),
    row(
        &[".reloc"],
        "offset, kind, value",
        Does::Reloc,
        "Adds a relocation with this number to an object file, for the place at an offset in the section (`.` is here).",
    ),
    row(
        &[".insn"],
        "[bytes,] value, or format operand, …",
        Does::Insn,
        "A word as a number; or `.insn r …` is the statement `insn.r …`, if the instruction set declares such a pseudo-instruction.",
    ),
    row(
        &[".altered"],
        "mask, value, instruction",
        Does::Altered,
        "The word of the instruction, in which `value` replaces the bits of `mask`.",
    ),
    row(&[".text"], "", Does::Named(".text"), "Continues in the section `.text`."),
    row(&[".data"], "", Does::Named(".data"), "Continues in the section `.data`."),
    row(&[".rodata"], "", Does::Named(".rodata"), "Continues in the section `.rodata`."),
    row(&[".bss"], "", Does::Named(".bss"), "Continues in the section `.bss`, which contains zeros and has no bytes in files."),
    row(&[".pushsection"], "name [, \"flags\" [, @type]]", Does::PushSection, "As `.section`; `.popsection` returns."),
    row(&[".popsection"], "", Does::PopSection, "Returns to the section before `.pushsection`."),
    row(&[".previous"], "", Does::Previous, "Returns to the section before this one."),
    row(&[".globl", ".global"], "symbol, …", Does::Global, "Makes the symbols visible to other object files."),
    row(&[".local"], "symbol, …", Does::Local, "Hides the symbols from other object files, which is the default."),
    row(
        &[".weak"],
        "symbol, …",
        Does::Weak,
        "Makes the symbols weak: those of other object files take precedence, and without any they are 0.",
    ),
    row(&[".internal"], "symbol, …", Does::Visibility(1), "Sets the visibility of the symbols in object files."),
    row(&[".hidden"], "symbol, …", Does::Visibility(2), "The same."),
    row(&[".protected"], "symbol, …", Does::Visibility(3), "The same."),
    row(&[".size"], "symbol, bytes", Does::Size, "Sets the number of bytes of the symbol."),
    row(
        &[".type"],
        "symbol, @function or @object",
        Does::Type,
        "Sets the type of the symbol; also `@tls_object`, `@gnu_indirect_function`, `@notype`.",
    ),
    row(
        &[".comm", ".lcomm"],
        "symbol, bytes [, align]",
        Does::Common,
        "Bytes of zeros in `.bss` with this symbol; in an object file, `.comm` leaves them to the linker, unless `.local` names the symbol.",
    ),
    row(
        &[".equ", ".set", ".equiv"],
        "symbol, value",
        Does::Equ,
        "Gives a symbol a value, as `symbol = value` does; `.equiv` only once.",
    ),
    row(
        &[".include"],
        "\"file\"",
        Does::Include,
        "Reads a file at this place. It is searched beside the file that names it, then in the folders of `-I`.",
    ),
    row(
        &[".incbin"],
        "\"file\" [, skip [, count]]",
        Does::Incbin,
        "The bytes of a file: `count` of them after the first `skip`, or all that are left. It is an error if the file has fewer.",
    ),
    row(
        &[".macro"],
        "name [parameter [=default | :req | :vararg], …]",
        Does::Macro,
        "Defines a macro: a statement `name argument, …` is replaced by the lines up to `.endm`. `\\parameter` is the argument, \
         `\\@` a number that is unique to each use, and `\\()` is nothing.",
    ),
    row(&[".endm", ".endmacro"], "", Does::EndMacro, "Ends a macro."),
    row(&[".exitm"], "", Does::ExitMacro, "Skips the rest of a macro, or of a repetition with all its rounds."),
    row(&[".purgem"], "name", Does::Purge, "Removes a macro."),
    row(&[".rept"], "count", Does::Repeat, "Repeats the lines up to `.endr`."),
    row(&[".irp"], "parameter, value, …", Does::Each, "Repeats the lines up to `.endr` with each value for `\\parameter`."),
    row(
        &[".irpc"],
        "parameter, characters",
        Does::EachCharacter,
        "Repeats the lines up to `.endr` with each character for `\\parameter`.",
    ),
    row(&[".endr"], "", Does::EndRepeat, "Ends a repetition."),
    row(
        &[".if"],
        "value",
        Does::If(If::True),
        "Reads the lines up to `.endif`, `.else` or `.elseif` only if the value is not 0.",
    ),
    row(&[".ifeq"], "value", Does::If(If::Zero), "The same for a value that is 0."),
    row(&[".ifne"], "value", Does::If(If::NotZero), "The same for a value that is not 0."),
    row(&[".iflt"], "value", Does::If(If::Less), "The same for a value below 0."),
    row(&[".ifle"], "value", Does::If(If::LessEqual), "The same for a value that is at most 0."),
    row(&[".ifgt"], "value", Does::If(If::Greater), "The same for a value above 0."),
    row(&[".ifge"], "value", Does::If(If::GreaterEqual), "The same for a value that is at least 0."),
    row(&[".ifdef"], "symbol", Does::If(If::Defined), "The same for a symbol that is defined above."),
    row(&[".ifndef", ".ifnotdef"], "symbol", Does::If(If::NotDefined), "The same for a symbol that is not defined above."),
    row(&[".ifb"], "text", Does::If(If::Blank), "The same for a text that is empty."),
    row(&[".ifnb"], "text", Does::If(If::NotBlank), "The same for a text that is not empty."),
    row(&[".ifc"], "text, text", Does::If(If::Same), "The same for two texts that are equal."),
    row(&[".ifnc"], "text, text", Does::If(If::Different), "The same for two texts that are not equal."),
    row(&[".elseif"], "value", Does::ElseIf, "Reads the lines that follow if none before them were read and the value is not 0."),
    row(&[".else"], "", Does::Else, "Reads the lines that follow if none before them were read."),
    row(&[".endif"], "", Does::EndIf, "Ends a condition."),
    row(&[".error", ".err"], "[\"text\"]", Does::Error, "Reports an error with this text."),
    row(&[".warning"], "[\"text\"]", Does::Warning, "Reports a warning with this text."),
    row(
        &[".assert"],
        "value [, \"text\"]",
        Does::Assert,
        "Reports an error with this text if the value is 0 at the end of the program.",
    ),
    row(
        &[".option"],
        "rvc, norvc, pic, nopic, push, pop, or arch with changes",
        Does::Option,
        "`norvc` selects the longest word for each text from here on; `rvc` returns to the choice of the instruction set; `pic` \
         and `nopic` select the cases of pseudo-instructions with `pic`; `push` and `pop` save and restore these settings. \
         `relax` and `norelax` have no effect. `.option arch, +c, -m` is the statements `option.arch +c` and `option.arch -m`, which are \
         errors unless the instruction set declares such pseudo-instructions; `arch` with a whole name has no effect but a warning.",
    ),
    row(&[".end"], "", Does::End, "Ends the program: the rest is not read."),
    row(
        &[
            ".file",
            ".ident",
            ".attribute",
            ".loc",
            ".addrsig",
            ".addrsig_sym",
            ".cfi_startproc",
            ".cfi_endproc",
            ".cfi_def_cfa_offset",
            ".cfi_def_cfa_register",
            ".cfi_def_cfa",
            ".cfi_offset",
            ".cfi_restore",
            ".cfi_remember_state",
            ".cfi_restore_state",
            ".cfi_sections",
            ".cfi_personality",
            ".cfi_lsda",
            ".variant_cc",
            ".line",
        ],
        "…",
        Does::Ignore,
        "Directives that compilers write for debuggers and linkers: they are read and ignored.",
    ),
];

/// The directive with a name, in any case.
pub(crate) fn find(name: &str) -> Option<&'static Directive> {
    DIRECTIVES.iter().find(|directive| directive.names.iter().any(|own| own.eq_ignore_ascii_case(name)))
}

/// All names.
pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    DIRECTIVES.iter().flat_map(|directive| directive.names).copied()
}

/// The reference of the directives as a table in Markdown.
pub fn markdown() -> String {
    let mut out = String::from("| directive | arguments | what it does |\n|---|---|---|\n");
    for Directive { names, arguments, doc, .. } in DIRECTIVES {
        let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
        let arguments = if arguments.is_empty() { String::new() } else { format!("`{}`", arguments.replace('|', "\\|")) };
        out.push_str(&format!("| {} | {arguments} | {} |\n", names.join(" "), doc.replace('|', "\\|")));
    }
    out
}
