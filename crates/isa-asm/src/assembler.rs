//! Statements, one after the other: labels, directives, macros, instructions.

use crate::conditions::Conditions;
use crate::deferred::{Open, OpenKind};
use crate::directives::{self, Does};
use crate::expr::{Expr, Parser, Syntax};
use crate::kept::{Collect, Macro};
use crate::lines::{Comments, LineFault, Mark, Scanner, Source};
use crate::place::{Fault, Line};
use crate::placed::Placed;
use crate::program::{self, Item, ItemKind};
use crate::pseudo::Pseudo;
use crate::section::{Flags, Part, Place};
use crate::world::{Assigned, Def, World};
use crate::{Full, Options};
use isa_engine::{Codec, Style, Word};
use object::elf;
use rustc_hash::FxHashMap;
use std::ops::Range;
use std::rc::Rc;

/// The limit of nested macros, repetitions and files.
const DEEPEST: u32 = 100;
/// The limit of lines of a program, including those that macros generate.
const MOST_LINES: u64 = 1 << 24;
/// The limit of bytes of a program.
pub(crate) const MOST_BYTES: u64 = 1 << 30;
/// The number of faults after which generated lines are not read.
const MOST_MADE: usize = 1000;
/// The number of faults that are reported.
const MOST_FAULTS: usize = 1 << 16;

/// An assertion that is checked at the end.
pub(crate) struct Asserted {
    pub(crate) line: Line,
    pub(crate) position: u32,
    pub(crate) place: Place,
    pub(crate) at: Range<usize>,
    pub(crate) expr: Expr,
    pub(crate) message: String,
}

/// The lines that are read, and where reading is.
pub(crate) struct Input {
    scanner: Scanner,
    pub(crate) comments: Comments,
    file: Rc<str>,
    pub(crate) depth: u32,
    lines: u64,
    /// The lines of the file itself, and the end of each.
    pub(crate) source: program::Source,
    /// The first line with a local label, and the first with an address without `0x`: a program may have only one of them.
    first_local: Option<usize>,
    first_bare: Option<usize>,
    pub(crate) is_over: bool,
    /// The number of statements that have been read.
    pub(crate) position: u32,
    /// The nesting depth of pseudo-instructions.
    pub(crate) expanding: u32,
}

/// What stands for other lines.
#[derive(Default)]
pub(crate) struct Macros {
    pub(crate) pseudo: Vec<Pseudo>,
    /// Other names of directives.
    pub(crate) aliases: FxHashMap<String, String>,
    pub(crate) collect: Option<Collect>,
    pub(crate) defined: FxHashMap<String, Rc<Macro>>,
    /// The number of macro uses.
    pub(crate) uses: u64,
    /// The number of macros and repetitions that are being read, and whether the rest of the innermost one is skipped.
    pub(crate) depth: u32,
    pub(crate) leaves: bool,
}

/// The lengths of words that are allowed, and the words that are known.
pub(crate) struct Words {
    /// Instructions that can't be read are explained, which takes longer than reading them.
    pub(crate) explains: bool,
    /// Bits of every instruction, if all have the same.
    pub(crate) fixed: Option<u32>,
    pub(crate) shortest: u32,
    pub(crate) style: Style,
    /// Instructions that have been read, by their texts, and whether short words were allowed then.
    pub(crate) read: FxHashMap<Box<str>, (u32, Rc<[u8]>)>,
    pub(crate) read_compressed: bool,
    /// True if short words are allowed, and the stack of `.option push`.
    pub(crate) compress: bool,
    /// True if symbols may be in other files, as `.option pic` says.
    pub(crate) pic: bool,
    pub(crate) kept: Vec<(bool, bool)>,
}

/// The sections of the program: those that are written, and their names.
#[derive(Default)]
pub(crate) struct Sections {
    pub(crate) current: usize,
    pub(crate) previous: usize,
    pub(crate) pushed: Vec<(usize, usize)>,
    /// The latest part of each section.
    pub(crate) by_name: FxHashMap<Rc<str>, usize>,
    /// Bytes of the program.
    pub(crate) bytes: u64,
}

/// What is settled at the end.
#[derive(Default)]
pub(crate) struct Pending {
    pub(crate) open: Vec<Open>,
    /// True if the statements that paired modifiers refer to have been read at their places.
    pub(crate) has_anchors: bool,
    /// Assertions, to be checked at the end.
    pub(crate) asserted: Vec<Asserted>,
    /// The items whose words get other values of some bits: the item, the bits and the values.
    pub(crate) altered: Vec<(u32, Word, Word)>,
    /// The assignments whose values are computed on use, to be checked at the end.
    pub(crate) later: Vec<Assigned>,
}

/// Assembles a program, line by line.
pub struct Assembler<'c> {
    pub(crate) codec: Box<dyn Codec + 'c>,
    pub(crate) world: World,
    pub(crate) options: Options,
    pub(crate) input: Input,
    pub(crate) conditions: Conditions,
    pub(crate) macros: Macros,
    pub(crate) words: Words,
    pub(crate) sections: Sections,
    /// The last label that is not local to another.
    pub(crate) last_label: String,
    pub(crate) pending: Pending,
    pub(crate) items: Vec<Item>,
    pub(crate) faults: Vec<Fault>,
    /// The addresses of lines that were assembled separately.
    pub(crate) placed: Placed,
}

impl<'c> Assembler<'c> {
    /// Assembles lines of a file.
    ///
    /// # Errors
    /// When the instruction set's declaration of the syntax, or an option, is wrong.
    pub fn new(codec: Box<dyn Codec + 'c>, file: &str, options: Options) -> Result<Self, String> {
        let assembly = codec.assembly();
        let syntax = Syntax::new(&assembly)?;
        let has_operators = codec.has_literal(&crate::expr::is_operator);
        let pseudo = assembly.pseudo.iter().map(|pseudo| Pseudo::new(&syntax, pseudo)).collect::<Result<_, _>>()?;
        let comments = Comments::new(&assembly);
        let aliases = assembly.directives.iter().map(|(name, is)| (name.to_lowercase(), is.clone())).collect();
        let lengths = codec.shape().lengths.clone();
        let input = Input {
            scanner: Scanner::new(comments.clone()),
            comments,
            file: file.into(),
            depth: 0,
            lines: 0,
            source: program::Source::default(),
            first_local: None,
            first_bare: None,
            is_over: false,
            position: 0,
            expanding: 0,
        };
        let words = Words {
            explains: true,
            fixed: crate::fixed(&*codec),
            shortest: lengths.first().copied().unwrap_or(0),
            style: options.style,
            read: FxHashMap::default(),
            read_compressed: true,
            compress: true,
            pic: false,
            kept: Vec::new(),
        };
        let mut own = Self {
            world: World::new(syntax, assembly, options.relocatable, has_operators),
            codec,
            options,
            input,
            conditions: Conditions::default(),
            macros: Macros { pseudo, aliases, ..Macros::default() },
            words,
            sections: Sections::default(),
            last_label: String::new(),
            pending: Pending::default(),
            items: Vec::new(),
            faults: Vec::new(),
            placed: Placed::default(),
        };
        own.set_style(true);
        own.section(".text", None);
        for (name, value) in own.options.defines.clone() {
            let is_name = !isa_engine::label_name(&name).is_empty() && isa_engine::label_name(&name).len() == name.len();
            if !is_name {
                return Err(format!("`{name}` is not the name of a symbol"));
            }
            let parsed = Parser::whole(&own.world.syntax, &value, 0).map_err(|(_, why)| format!("{name}={value}: {why}"))?;
            let value = own.world.evaluate(&parsed, 0, own.here()).map_err(|_| format!("{name}={value}: not a number"))?;
            let id = own.world.intern(&name) as usize;
            let symbol = &mut own.world.symbols[id];
            (symbol.def, symbol.is_set) = (Def::Value(value), true);
        }
        Ok(own)
    }

    /// Reads the next line of the file.
    ///
    /// # Errors
    /// When the program exceeds a limit.
    pub fn line(&mut self, number: usize, text: &str) -> Result<(), Full> {
        let line = self.line_of(number, text);
        self.input.source.push(number, text);
        if self.input.source.bytes() > MOST_BYTES {
            return Err(Full(format!("{}:{number}: a program has at most {MOST_BYTES} characters", self.input.file)));
        }
        let mut scanner = std::mem::take(&mut self.input.scanner);
        let result = self.scan(&mut scanner, &line);
        self.input.scanner = scanner;
        result
    }

    /// Adds bytes in the place of the next line of the file, as one piece.
    ///
    /// # Errors
    /// When the program exceeds a limit.
    pub fn bytes(&mut self, number: usize, bytes: &[u8]) -> Result<(), Full> {
        let line = self.line_of(number, "");
        self.input.source.push(number, "");
        self.input.position += 1;
        self.emit(&line, bytes, ItemKind::Data(1), 0..0)
    }

    /// Reads lines nested in another one: of a macro, of a file.
    pub(crate) fn inside(&mut self, lines: impl Iterator<Item = Line>, of: &Line, at: Range<usize>) -> Result<(), Full> {
        if self.input.depth == DEEPEST {
            self.fault(of, at, format!("macros, repetitions and files are more than {DEEPEST} deep inside each other"));
            return Ok(());
        }
        self.input.depth += 1;
        let mut scanner = Scanner::new(self.input.comments.clone());
        let result =
            lines.into_iter().try_for_each(|line| if self.macros.leaves { Ok(()) } else { self.scan(&mut scanner, &line) });
        self.input.depth -= 1;
        if let Some((number, text, LineFault { at, message })) = scanner.unclosed() {
            let line = Line { number, text: text.into(), ..of.clone() };
            self.fault(&line, at, message);
        }
        result
    }

    fn scan(&mut self, scanner: &mut Scanner, line: &Line) -> Result<(), Full> {
        self.count_lines(line, 1)?;
        self.input.lines += 1;
        if self.input.is_over || is_marker(&line.text) {
            return Ok(());
        }
        let text = line.text.clone();
        for source in scanner.statements(line.number, &text) {
            if self.input.is_over || self.macros.leaves {
                break;
            }
            match self.macros.collect.take() {
                Some(collect) => self.collect(collect, line, &source)?,
                None => self.statement(line, source)?,
            }
        }
        Ok(())
    }

    /// Checks the limit of lines.
    pub(crate) fn count_lines(&self, line: &Line, more: u64) -> Result<(), Full> {
        let (file, number) = (&line.file, line.number);
        if self.input.lines.saturating_add(more) > MOST_LINES {
            return Err(Full(format!("{file}:{number}: a program has at most {MOST_LINES} lines, those of macros included")));
        }
        if self.input.depth > 0 && self.faults.len() > MOST_MADE {
            return Err(Full(format!("{file}:{number}: more than {MOST_MADE} faults, and this line was made by another one")));
        }
        Ok(())
    }

    /// The comment that is not closed.
    pub(crate) fn take_unclosed(&mut self) -> Option<(usize, String, LineFault)> {
        self.input.scanner.unclosed()
    }

    /// A line of the file itself.
    pub(crate) fn line_of(&self, number: usize, text: &str) -> Line {
        Line { file: self.input.file.clone(), number, text: text.into(), within: None }
    }

    pub(crate) fn statement(&mut self, line: &Line, source: Source<'_>) -> Result<(), Full> {
        let text = source.text();
        let at = source.at();
        if !self.conditions.is_active() {
            if let Some((does, behind)) = self.directive_at(text) {
                self.skipped(line, text, at, does, behind);
            }
            return Ok(());
        }
        self.input.position += 1;
        if let Some(fault) = &source.fault {
            return self.no_instruction(line, fault.at.clone(), fault.message.clone());
        }
        if let Some(bare) = source.bare.clone() {
            self.input.first_bare.get_or_insert(line.number);
            if self.is_mixed(line, bare) {
                return Ok(());
            }
        }
        for mark in &source.marks {
            match mark {
                Mark::Address(address) => self.go_to(*address),
                Mark::Label(name, at) => {
                    if let Some(message) = self.label(line, name) {
                        return self.no_instruction(line, *at..at + name.len(), message);
                    }
                }
                Mark::Local(number, at) => {
                    self.input.first_local.get_or_insert(line.number);
                    if self.is_mixed(line, *at..at + number.len()) {
                        return Ok(());
                    }
                    let (position, place) = (self.input.position, self.here());
                    self.world.define_local(number, position, place);
                }
            }
        }
        if text.is_empty() {
            return Ok(());
        }
        if let Some((name, operator, value)) = assignment(text)
            && !self.is_begun(text, name, operator, value)
        {
            let once = operator == "==" || operator == ":=";
            self.set(line, (name, at..at + name.len()), (text, value, at), once);
            return Ok(());
        }
        if let Some((does, behind)) = self.directive_at(text) {
            return self.directive(line, text, at, does, behind);
        }
        let name = &text[..text.find(|c: char| c.is_whitespace()).unwrap_or(text.len())];
        if let Some(own) = self.macros.defined.get(&name.to_lowercase()).cloned() {
            return self.use_macro(line, &own, text, name.len(), at);
        }
        if name.starts_with('.') && name.len() > 1 && !self.is_instruction(text) {
            self.unknown_directive(line, name, at);
            return Ok(());
        }
        self.instruction(line, text, at)
    }

    /// The directive at the beginning of a statement, and the start of its arguments.
    pub(crate) fn directive_at(&self, text: &str) -> Option<(Does, usize)> {
        let end = text.find(|c: char| c.is_whitespace()).unwrap_or(text.len());
        let name = &text[..end];
        if !self.macros.aliases.is_empty()
            && let Some(is) = self.macros.aliases.get(&name.to_lowercase())
        {
            return directives::find(is).map(|directive| (directive.does, end));
        }
        if !name.starts_with('.') {
            return None;
        }
        let end = name[1..].find(|c: char| !c.is_alphanumeric() && !"_.".contains(c)).map_or(end, |end| end + 1);
        directives::find(&text[..end]).map(|directive| (directive.does, end))
    }

    fn unknown_directive(&mut self, line: &Line, name: &str, at: usize) {
        let mut known: Vec<&str> = directives::names().collect();
        known.extend(self.macros.aliases.keys().map(String::as_str));
        let near = isa_engine::nearest(name, known).map_or(String::new(), |near| format!("; did you mean `{near}`?"));
        self.fault(line, at..at + name.len(), format!("there is no directive `{name}`{near}"));
    }

    /// True if an instruction or a pseudo-instruction begins as an assignment does, up to its first `=`, with or without blanks.
    fn is_begun(&mut self, text: &str, name: &str, operator: &str, value: usize) -> bool {
        let operator_begin = operator.split_inclusive('=').next().unwrap_or_default();
        let equals = value - operator.len() + operator_begin.len();
        let has_blank = text[name.len()..].starts_with(char::is_whitespace);
        let is_pseudo = has_blank && self.macros.pseudo.iter().any(|pseudo| pseudo.begins(name, "="));
        is_pseudo || self.codec.begins(&text[..equals]) || has_blank && self.codec.begins(&format!("{name}{operator_begin}"))
    }

    /// True if an instruction has this text.
    fn is_instruction(&mut self, text: &str) -> bool {
        self.codec.try_read(text, 0, &isa_engine::no_symbols).is_some()
    }

    pub(crate) fn fault(&mut self, line: &Line, at: Range<usize>, message: impl Into<String>) {
        self.report(Fault::new(line, at, message));
    }

    pub(crate) fn report(&mut self, fault: Fault) {
        if self.faults.len() < MOST_FAULTS {
            let kind = ItemKind::Fault(self.faults.len() as u32);
            self.faults.push(fault);
            self.add_item(0, false, kind, 0..0);
        }
    }

    /// True if a number before `:` occurs in a program that has both local labels and addresses without `0x`.
    fn is_mixed(&mut self, line: &Line, at: Range<usize>) -> bool {
        let (Some(local), Some(bare)) = (self.input.first_local, self.input.first_bare) else { return false };
        let name = &line.text[at.clone()];
        let message = match local > bare {
            true => format!(
                "`{name}:` is a local label, and line {bare} has an address without `0x`: write `0x{name}:` for an address"
            ),
            false => format!("`{name}:` is an address without `0x`, and line {local} has a local label: write `0x{name}:`"),
        };
        self.fault(line, at, message);
        true
    }

    /// Switches to a section by its name; the flags apply if it is new.
    pub(crate) fn section(&mut self, name: &str, flags: Option<Flags>) {
        self.section_of(name, flags, None);
    }

    /// The same for a section in the group that a symbol names.
    pub(crate) fn section_of(&mut self, name: &str, flags: Option<Flags>, group: Option<u32>) {
        // Sections with one name are apart in different groups; a name has no comma.
        let key: Rc<str> = group.map_or(name.into(), |group| format!("{name},{group}").into());
        if let Some(part) = self.sections.by_name.get(&key) {
            self.sections.current = *part;
            return;
        }
        let own = self.options.sections.iter().chain(&self.world.assembly.sections).find(|(own, _)| own == name);
        let is_first = self.world.parts.is_empty() && own.is_none();
        let address = if self.world.relocatable || is_first { Some(0) } else { own.map(|own| own.1) };
        let name: Rc<str> = name.into();
        let flags = flags.unwrap_or_else(|| default_flags(&name));
        self.sections.current = self.world.parts.len();
        self.sections.by_name.insert(key, self.sections.current);
        self.world.parts.push(Part::new(name, flags, group, address));
    }

    /// Continues at an address.
    pub(crate) fn go_to(&mut self, address: u64) {
        let part = &self.world.parts[self.sections.current];
        let (name, flags) = (part.name.clone(), part.flags);
        self.sections.current = self.world.parts.len();
        self.sections.by_name.insert(name.clone(), self.sections.current);
        self.world.parts.push(Part::new(name, flags, None, Some(address)));
    }

    /// The place of the next byte.
    pub(crate) fn here(&self) -> Place {
        let part = &self.world.parts[self.sections.current];
        let frag = part.frags.len() as u32 - 1;
        let offset = part.frags.last().map_or(0, |frag| frag.bytes.len() as u32);
        Place { part: self.sections.current as u32, frag, offset }
    }

    pub(crate) fn part(&mut self) -> &mut Part {
        &mut self.world.parts[self.sections.current]
    }

    /// Counts bytes of the program.
    pub(crate) fn count(&mut self, line: &Line, bytes: u64) -> Result<(), Full> {
        self.sections.bytes = self.sections.bytes.saturating_add(bytes);
        if self.sections.bytes > MOST_BYTES {
            return Err(Full(format!("{}:{}: a program has at most {MOST_BYTES} bytes", line.file, line.number)));
        }
        Ok(())
    }

    /// Adds the item of a statement, which is placed here, or with `is_tail` after the bytes of its frag; returns its place among
    /// the items.
    fn add_item(&mut self, length: u32, is_tail: bool, kind: ItemKind, at: Range<u32>) -> u32 {
        let (place, line) = (self.here(), self.input.source.last() as u32);
        self.items.push(Item { place, is_tail, length, line, is_own: self.input.depth == 0, at, kind });
        self.items.len() as u32 - 1
    }

    /// Adds known bytes.
    pub(crate) fn emit(&mut self, line: &Line, bytes: &[u8], kind: ItemKind, at: Range<u32>) -> Result<(), Full> {
        self.count(line, bytes.len() as u64)?;
        self.add_item(bytes.len() as u32, false, kind, at);
        self.part().last().bytes.extend_from_slice(bytes);
        Ok(())
    }

    /// Adds an open statement, of a known size (`tail` is `None`) or an unknown one.
    pub(crate) fn add_open(
        &mut self,
        line: &Line,
        size: u64,
        is_tail: bool,
        kind: OpenKind,
        item: ItemKind,
        at: Range<u32>,
    ) -> Result<(), Full> {
        self.count(line, size)?;
        let (place, position) = (self.here(), self.input.position);
        let item = self.add_item(size as u32, is_tail, item, at);
        self.pending.open.push(Open { line: line.clone(), position, place, is_tail, item, kind });
        let part = self.part();
        if is_tail {
            part.first_open.get_or_insert(place.frag);
            part.end_frag(size);
        } else {
            let last = part.last();
            last.bytes.resize(last.bytes.len() + size as usize, 0);
        }
        Ok(())
    }

    /// Adds bytes that fill a gap: with zeros, a large one has no memory.
    pub(crate) fn emit_filling(&mut self, line: &Line, size: u64, value: u64, width: u32) -> Result<(), Full> {
        self.count(line, size)?;
        let is_gap = is_gap(size, value);
        self.add_item(size as u32, is_gap, ItemKind::Filled, 0..0);
        let own = self.filling(size, Some(value), width.max(1), false);
        let part = self.part();
        match is_gap {
            true => part.end_frag(size),
            false => part.last().bytes.extend(own),
        }
        Ok(())
    }

    /// Continues after lines that were assembled separately, at these addresses.
    pub fn go_on_behind(&mut self, placed: Placed, address: u64) {
        self.placed = placed;
        if address != 0 {
            self.go_to(address);
        }
    }
}

/// The size in bytes from which gaps of zeros have no memory.
const GAP: u64 = 1 << 16;

/// True if the bytes of a gap are left out.
pub(crate) fn is_gap(size: u64, value: u64) -> bool {
    size >= GAP && value == 0
}

pub(crate) fn shifted(at: Range<usize>, by: usize) -> Range<usize> {
    at.start + by..at.end + by
}

/// True if a line is a marker of a preprocessor: `# 12 "file.c"`.
fn is_marker(text: &str) -> bool {
    let rest = text.strip_prefix("# ").map(str::trim_start).unwrap_or("");
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    digits > 0 && rest[digits..].trim_start().starts_with('"')
}

/// `name = value`: the name, the operator, and the start of the value.
fn assignment(text: &str) -> Option<(&str, &str, usize)> {
    let name = isa_engine::label_name(text);
    let rest = text[name.len()..].trim_start();
    let operator = ["==", ":=", "="].into_iter().find(|operator| rest.starts_with(operator)).filter(|_| !name.is_empty())?;
    Some((name, operator, text.len() - rest.len() + operator.len()))
}

/// The type of a section that is neither of bytes nor of zeros, by its name in `.section` or at the beginning of its name.
fn section_type(name: &str) -> Option<u32> {
    let kind = match name {
        "note" => elf::SHT_NOTE,
        "init_array" => elf::SHT_INIT_ARRAY,
        "fini_array" => elf::SHT_FINI_ARRAY,
        "preinit_array" => elf::SHT_PREINIT_ARRAY,
        _ => return None,
    };
    Some(kind.0)
}

/// The flags of a section as `.section` writes them, and its type; or the character that is none.
pub(crate) fn section_flags(name: &str, given: &str, kind: Option<&str>) -> Result<Flags, char> {
    let others = |c| match c {
        'a' | 'w' | 'x' | 'M' | 'S' | 'G' | 'o' | '?' | '0'..='9' => Ok(0),
        'T' => Ok(elf::SHF_TLS.0),
        'e' => Ok(elf::SHF_EXCLUDE.0),
        'R' => Ok(elf::SHF_GNU_RETAIN.0),
        other => Err(other),
    };
    let by_name = default_flags(name);
    Ok(Flags {
        alloc: given.contains('a'),
        write: given.contains('w'),
        code: given.contains('x'),
        nobits: kind.map_or(by_name.nobits, |kind| kind == "nobits"),
        kind: kind.map_or(by_name.kind, section_type),
        others: given.chars().map(others).try_fold(0, |all, flag| flag.map(|flag| all | flag))?,
    })
}

/// The flags of a section without declared flags.
fn default_flags(name: &str) -> Flags {
    let is = |kind: &str| name == kind || name.strip_prefix(kind).is_some_and(|rest| rest.starts_with('.'));
    let nothing = [".comment", ".note", ".debug", ".riscv.attributes", ".gnu", ".symtab", ".strtab", ".shstrtab"];
    Flags {
        alloc: !nothing.iter().any(|begin| name.starts_with(begin)),
        write: !is(".text") && !is(".rodata"),
        code: is(".text"),
        nobits: is(".bss") || is(".sbss") || is(".tbss"),
        kind: section_type(name.trim_start_matches('.').split('.').next().unwrap_or_default()),
        others: if is(".tdata") || is(".tbss") { elf::SHF_TLS.0 } else { 0 },
    }
}
