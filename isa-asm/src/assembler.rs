//! Statements, one after the other: labels, directives, macros, instructions.

use crate::conditions::Conditions;
use crate::directives::{self, Does};
use crate::expr::{Base, Expr, Parser, Problem, Value, evaluate};
use crate::lines::{Comments, LineFault, Mark, Scanner, Source};
use crate::macros::{Collect, Macro};
use crate::place::{Fault, Line, Within};
use crate::placed::Placed;
use crate::program::{self, Item, ItemKind};
use crate::pseudo::Pseudo;
use crate::syntax::Syntax;
use crate::world::{Def, Flags, Frag, Open, OpenKind, Part, Place, View, World};
use crate::{Full, Options};
use isa_engine::{Codec, Statement, Style};
use rustc_hash::FxHashMap;
use std::ops::Range;
use std::rc::Rc;

/// So deep can macros, repetitions and files be inside each other.
const DEEPEST: u32 = 100;
/// A program has at most so many lines, those that macros make included.
const MOST_LINES: u64 = 1 << 24;
/// A program has at most so many bytes.
pub(crate) const MOST_BYTES: u64 = 1 << 30;
/// So many texts of instructions are kept with their words.
const MOST_READ: usize = 1 << 16;
/// After so many faults, lines that are made by others are not read.
const MOST_MADE: usize = 1000;
/// So many faults are reported.
const MOST_FAULTS: usize = 1 << 16;

/// What is to hold in the end.
pub(crate) struct Asserted {
    pub(crate) line: Line,
    pub(crate) position: u32,
    pub(crate) place: Place,
    pub(crate) at: Range<usize>,
    pub(crate) expr: Expr,
    pub(crate) message: String,
}

/// Assembles a program, line by line.
pub struct Assembler<'c> {
    pub(crate) codec: Box<dyn Codec + 'c>,
    pub(crate) world: World,
    pub(crate) options: Options,
    pub(crate) comments: Comments,
    pub(crate) pseudo: Vec<Pseudo>,
    /// Other names of directives.
    pub(crate) aliases: FxHashMap<String, String>,
    /// Bits of every instruction, if all have the same.
    pub(crate) fixed: Option<u32>,
    pub(crate) shortest: u32,
    pub(crate) style: Style,
    /// Instructions that have been read, by their texts, and whether short words were taken then.
    read: FxHashMap<Box<str>, (u32, Box<[u8]>)>,
    read_compressed: bool,
    /// Whether short words are taken, and what `.option push` has kept.
    pub(crate) compress: bool,
    pub(crate) kept: Vec<bool>,
    scanner: Scanner,
    file: Rc<str>,
    pub(crate) depth: u32,
    lines: u64,
    /// The lines of the file itself, and where each ends.
    pub(crate) source: program::Source,
    pub(crate) bytes: u64,
    pub(crate) collect: Option<Collect>,
    pub(crate) conditions: Conditions,
    pub(crate) macros: FxHashMap<String, Rc<Macro>>,
    /// How many times macros have been used.
    pub(crate) uses: u64,
    /// Whether the rest of the macro is left out.
    pub(crate) leaves: bool,
    pub(crate) is_over: bool,
    pub(crate) current: usize,
    pub(crate) previous: usize,
    pub(crate) pushed: Vec<(usize, usize)>,
    /// The latest part of each section.
    pub(crate) by_name: FxHashMap<Rc<str>, usize>,
    pub(crate) open: Vec<Open>,
    pub(crate) items: Vec<Item>,
    pub(crate) faults: Vec<Fault>,
    /// How many statements have been read.
    pub(crate) position: u32,
    /// The last label that is not local to another.
    last_label: String,
    /// How deep pseudo-instructions are inside each other.
    pub(crate) expanding: u32,
    /// The first line with a local label, and the first with an address without `0x`: a program has one or the other.
    first_local: Option<usize>,
    first_bare: Option<usize>,
    /// Where lines stand that were assembled without this.
    pub(crate) placed: Placed,
    /// What is asserted, to be looked at in the end.
    pub(crate) asserted: Vec<Asserted>,
}

impl<'c> Assembler<'c> {
    /// Assembles lines of a file.
    ///
    /// # Errors
    /// When the instruction set's declaration of the syntax, or an option, is at fault.
    pub fn new(codec: Box<dyn Codec + 'c>, file: &str, options: Options) -> Result<Self, String> {
        let assembly = codec.assembly();
        let syntax = Syntax::new(&assembly)?;
        let pseudo = assembly.pseudo.iter().map(|pseudo| Pseudo::new(&syntax, pseudo)).collect::<Result<_, _>>()?;
        let comments = Comments::new(&assembly);
        let aliases = assembly.directives.iter().map(|(name, is)| (name.to_lowercase(), is.clone())).collect();
        let lengths = codec.shape().lengths.clone();
        let mut own = Self {
            scanner: Scanner::new(comments.clone()),
            comments,
            pseudo,
            aliases,
            fixed: crate::fixed(&*codec),
            shortest: lengths.first().copied().unwrap_or(0),
            style: options.style,
            read: FxHashMap::default(),
            read_compressed: true,
            compress: true,
            kept: Vec::new(),
            world: World::new(syntax, assembly, options.relocatable),
            codec,
            file: file.into(),
            depth: 0,
            lines: 0,
            source: program::Source::default(),
            bytes: 0,
            collect: None,
            conditions: Conditions::default(),
            macros: FxHashMap::default(),
            uses: 0,
            leaves: false,
            is_over: false,
            current: 0,
            previous: 0,
            pushed: Vec::new(),
            by_name: FxHashMap::default(),
            open: Vec::new(),
            items: Vec::new(),
            faults: Vec::new(),
            position: 0,
            last_label: String::new(),
            expanding: 0,
            first_local: None,
            first_bare: None,
            placed: Placed::default(),
            asserted: Vec::new(),
            options,
        };
        own.section(".text", None);
        for (name, value) in own.options.defines.clone() {
            let is_name = !isa_engine::label_name(&name).is_empty() && isa_engine::label_name(&name).len() == name.len();
            if !is_name {
                return Err(format!("`{name}` is not the name of a symbol"));
            }
            let parsed = Parser::whole(&own.world.syntax, &value, 0).map_err(|(_, why)| format!("{name}={value}: {why}"))?;
            let view = View::new(&own.world, 0, own.here());
            let value = evaluate(&own.world.syntax, &parsed, &view).map_err(|_| format!("{name}={value}: not a number"))?;
            let id = own.world.intern(&name) as usize;
            let symbol = &mut own.world.symbols[id];
            (symbol.def, symbol.is_set) = (Def::Value(value), true);
        }
        Ok(own)
    }

    /// Reads the next line of the file.
    ///
    /// # Errors
    /// When the program is larger than any that is assembled.
    pub fn line(&mut self, number: usize, text: &str) -> Result<(), Full> {
        let line = Line { file: self.file.clone(), number, text: text.into(), within: None };
        self.source.push(number, text);
        if self.source.bytes() > MOST_BYTES {
            return Err(Full(format!("{}:{number}: a program has at most {MOST_BYTES} characters", self.file)));
        }
        let mut scanner = std::mem::take(&mut self.scanner);
        let result = self.scan(&mut scanner, &line);
        self.scanner = scanner;
        result
    }

    /// Reads lines inside of another one: of a macro, of a file.
    pub(crate) fn inside(&mut self, lines: impl Iterator<Item = Line>, of: &Line, at: Range<usize>) -> Result<(), Full> {
        if self.depth == DEEPEST {
            self.fault(of, at, format!("macros, repetitions and files are more than {DEEPEST} deep inside each other"));
            return Ok(());
        }
        self.depth += 1;
        let mut scanner = Scanner::new(self.comments.clone());
        let result = lines.into_iter().try_for_each(|line| if self.leaves { Ok(()) } else { self.scan(&mut scanner, &line) });
        self.depth -= 1;
        if let Some((number, text, LineFault { at, message })) = scanner.unclosed() {
            let line = Line { number, text: text.into(), ..of.clone() };
            self.fault(&line, at, message);
        }
        result
    }

    fn scan(&mut self, scanner: &mut Scanner, line: &Line) -> Result<(), Full> {
        self.count_lines(line, 1)?;
        self.lines += 1;
        if self.is_over || self.collect.is_some() && self.collect(line)? {
            return Ok(());
        }
        let text = line.text.clone();
        let marker = self.comments_begin_marker(&text);
        if marker {
            return Ok(());
        }
        for source in scanner.statements(line.number, &text) {
            if self.is_over || self.leaves {
                break;
            }
            self.statement(line, source)?;
        }
        Ok(())
    }

    /// Checks that there is room for more lines.
    pub(crate) fn count_lines(&self, line: &Line, more: u64) -> Result<(), Full> {
        let (file, number) = (&line.file, line.number);
        if self.lines.saturating_add(more) > MOST_LINES {
            return Err(Full(format!("{file}:{number}: a program has at most {MOST_LINES} lines, those of macros included")));
        }
        if self.depth > 0 && self.faults.len() > MOST_MADE {
            return Err(Full(format!("{file}:{number}: more than {MOST_MADE} faults, and this line was made by another one")));
        }
        Ok(())
    }

    /// The comment that does not end.
    pub(crate) fn take_unclosed(&mut self) -> Option<(usize, String, LineFault)> {
        self.scanner.unclosed()
    }

    /// The name of the file.
    pub(crate) fn file_name_of_program(&self) -> Rc<str> {
        self.file.clone()
    }

    /// Whether a line is one of a preprocessor: `# 12 "file.c"`.
    fn comments_begin_marker(&self, text: &str) -> bool {
        let rest = text.strip_prefix("# ").map(str::trim_start).unwrap_or("");
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        digits > 0 && rest[digits..].trim_start().starts_with('"')
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
        self.position += 1;
        if let Some(fault) = &source.fault {
            return self.no_instruction(line, fault.at.clone(), fault.message.clone());
        }
        if let Some(bare) = source.bare.clone() {
            self.first_bare.get_or_insert(line.number);
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
                    self.first_local.get_or_insert(line.number);
                    if self.is_mixed(line, *at..at + number.len()) {
                        return Ok(());
                    }
                    let (position, place) = (self.position, self.here());
                    self.world.define_local(number, position, place);
                }
            }
        }
        if text.is_empty() {
            return Ok(());
        }
        if let Some((name, operator, value)) = assignment(text)
            && !self.is_instruction(text)
        {
            let once = operator == "==" || operator == ":=";
            self.set(line, (name, at..at + name.len()), (text, value, at), once);
            return Ok(());
        }
        if let Some((does, behind)) = self.directive_at(text) {
            return self.directive(line, text, at, does, behind);
        }
        let name = &text[..text.find(|c: char| c.is_whitespace()).unwrap_or(text.len())];
        if let Some(own) = self.macros.get(&name.to_lowercase()).cloned() {
            return self.use_macro(line, &own, text, name.len(), at);
        }
        if name.starts_with('.') && name.len() > 1 && !self.is_instruction(text) {
            self.unknown_directive(line, name, at);
            return Ok(());
        }
        self.instruction(line, text, at)
    }

    /// The directive with which a statement begins, and where its arguments do.
    pub(crate) fn directive_at(&self, text: &str) -> Option<(Does, usize)> {
        let end = text.find(|c: char| c.is_whitespace()).unwrap_or(text.len());
        let name = &text[..end];
        if !self.aliases.is_empty()
            && let Some(is) = self.aliases.get(&name.to_lowercase())
        {
            return directives::find(is).map(|directive| (directive.does, end));
        }
        if !name.starts_with('.') {
            return None;
        }
        let end = name[1..].find(|c: char| !c.is_alphanumeric() && c != '_').map_or(end, |end| end + 1);
        directives::find(&text[..end]).map(|directive| (directive.does, end))
    }

    fn unknown_directive(&mut self, line: &Line, name: &str, at: usize) {
        let known = directives::names().map(str::to_owned).chain(self.aliases.keys().cloned());
        let near = crate::nearest(name, known).map_or(String::new(), |near| format!("; did you mean `{near}`?"));
        self.fault(line, at..at + name.len(), format!("there is no directive `{name}`{near}"));
    }

    /// Whether an instruction is written so.
    fn is_instruction(&mut self, text: &str) -> bool {
        self.codec.read(text, 0, &isa_engine::no_symbols).is_ok()
    }

    pub(crate) fn fault(&mut self, line: &Line, at: Range<usize>, message: impl Into<String>) {
        self.report(Fault::new(line, at, message));
    }

    pub(crate) fn report(&mut self, fault: Fault) {
        if self.faults.len() < MOST_FAULTS {
            let kind = ItemKind::Fault(self.faults.len() as u32);
            self.faults.push(fault);
            let place = self.here();
            let line = self.source.last() as u32;
            self.items.push(Item { place, is_tail: false, length: 0, line, is_own: self.depth == 0, at: 0..0, kind });
        }
    }

    /// Whether a number before `:` stands where a program has both local labels and addresses without `0x`.
    fn is_mixed(&mut self, line: &Line, at: Range<usize>) -> bool {
        let (Some(local), Some(bare)) = (self.first_local, self.first_bare) else { return false };
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

    /// The name by which a label is known.
    pub(crate) fn full_name(&self, name: &str) -> Option<String> {
        let local = self.world.assembly.local.as_str();
        (!local.is_empty() && name.starts_with(local)).then(|| format!("{}{name}", self.last_label))
    }

    /// Defines a label; what is wrong with that.
    fn label(&mut self, line: &Line, name: &str) -> Option<String> {
        let full = self.full_name(name);
        if full.is_none() {
            name.clone_into(&mut self.last_label);
        }
        let place = self.here();
        let id = self.world.intern(full.as_deref().unwrap_or(name)) as usize;
        let symbol = &mut self.world.symbols[id];
        if let Def::Undefined = symbol.def {
            (symbol.def, symbol.line) = (Def::Label(place), line.number);
            return None;
        }
        Some(match symbol.line {
            0 => format!("`{name}` is already defined by `-D`"),
            first => format!("the label `{name}` is already defined at line {first}"),
        })
    }

    /// Gives a symbol a value.
    pub(crate) fn set(&mut self, line: &Line, name: (&str, Range<usize>), value: (&str, usize, usize), once: bool) {
        let (name, name_at) = name;
        let (text, from, shift) = value;
        if self.world.assembly.here.iter().any(|here| here == name) || name == "." {
            return self.fault(line, name_at, "the address is set by `.org`, `.align` or `.space`");
        }
        let parsed = match self.parse(text, from) {
            Ok(parsed) => parsed,
            Err((at, message)) => return self.fault(line, shifted(at, shift), message),
        };
        let full = self.full_name(name);
        let place = self.here();
        let view = View::new(&self.world, self.position, place);
        let value = evaluate(&self.world.syntax, &parsed, &view);
        let is_final = !view.state.borrow().tentative;
        let def = match value {
            Ok(value) if is_final || value.base == Base::None && !view.state.borrow().tentative => Def::Value(value),
            Err(Problem::Wrong(at, message)) => return self.fault(line, shifted(at, shift), message),
            _ => Def::Later(Rc::new(parsed), place, self.position),
        };
        let position = self.position;
        let id = self.world.intern(full.as_deref().unwrap_or(name)) as usize;
        let symbol = &mut self.world.symbols[id];
        if let Def::Undefined = symbol.def {
            (symbol.def, symbol.line, symbol.is_set) = (def, line.number, !once);
        } else if symbol.is_set && !once {
            let before = std::mem::replace(&mut symbol.def, def);
            symbol.earlier.push((position, before));
            symbol.line = line.number;
        } else {
            let first = symbol.line;
            self.fault(line, name_at, format!("`{name}` is already defined at line {first}"));
        }
    }

    /// An expression, from a byte of a text on.
    pub(crate) fn parse(&self, text: &str, from: usize) -> Result<Expr, (Range<usize>, String)> {
        let mut parsed = Parser::whole(&self.world.syntax, text, from)?;
        self.localise(&mut parsed);
        Ok(parsed)
    }

    /// Gives labels that belong to others their full names.
    pub(crate) fn localise(&self, expr: &mut Expr) {
        if self.world.assembly.local.is_empty() {
            return;
        }
        match &mut expr.kind {
            crate::expr::Kind::Symbol(name) => {
                if let Some(full) = self.full_name(name) {
                    *name = full;
                }
            }
            crate::expr::Kind::Unary(_, inner) | crate::expr::Kind::Modified(_, inner) => self.localise(inner),
            crate::expr::Kind::Binary(_, left, right) => {
                self.localise(left);
                self.localise(right);
            }
            crate::expr::Kind::Call(_, arguments) => arguments.iter_mut().for_each(|argument| self.localise(argument)),
            _ => {}
        }
    }

    /// The value of an expression that must be known here.
    pub(crate) fn known(&mut self, line: &Line, text: &str, from: usize, shift: usize) -> Option<i128> {
        let parsed = match self.parse(text, from) {
            Ok(parsed) => parsed,
            Err((at, message)) => {
                self.fault(line, shifted(at, shift), message);
                return None;
            }
        };
        let message = match self.value_now(&parsed) {
            Ok(value) => return Some(value.number),
            Err(Problem::Wrong(at, message)) => (at, message),
            Err(Problem::Undefined(name)) => (parsed.at.clone(), format!("`{name}` must be defined before this line")),
        };
        self.fault(line, shifted(message.0, shift), message.1);
        None
    }

    /// The value of an expression, if it will not change.
    pub(crate) fn value_now(&self, expr: &Expr) -> Result<Value, Problem> {
        let view = View::new(&self.world, self.position, self.here());
        let value = evaluate(&self.world.syntax, expr, &view)?;
        if view.state.borrow().tentative && !self.is_distance(expr) {
            let message = "this depends on addresses that are not known yet".to_owned();
            return Err(Problem::Wrong(expr.at.clone(), message));
        }
        Ok(value)
    }

    /// Whether an expression is a distance between places that nothing of an unknown size parts.
    fn is_distance(&self, expr: &Expr) -> bool {
        use crate::expr::{Binary, Kind};
        let place = |expr: &Expr| match &expr.kind {
            Kind::Here => Some(self.here()),
            Kind::Symbol(name) => match &self.world.symbol(name)?.1.def {
                Def::Label(place) => Some(*place),
                _ => None,
            },
            _ => None,
        };
        match &expr.kind {
            Kind::Number(_) => true,
            Kind::Binary(Binary::Sub, left, right) if let (Some(one), Some(other)) = (place(left), place(right)) => {
                one.part == other.part && one.frag == other.frag
            }
            Kind::Binary(_, left, right) => self.is_distance(left) && self.is_distance(right),
            Kind::Unary(_, inner) => self.is_distance(inner),
            Kind::Symbol(name) => {
                self.world.symbol(name).is_some_and(|(_, symbol)| matches!(symbol.def, Def::Value(v) if v.base == Base::None))
            }
            Kind::Call(_, arguments) => arguments.iter().all(|argument| self.is_distance(argument)),
            Kind::Here | Kind::Modified(..) => false,
        }
    }

    /// The section of a name, with flags if that is the first time that it is named.
    pub(crate) fn section(&mut self, name: &str, flags: Option<Flags>) {
        if let Some(part) = self.by_name.get(name) {
            self.current = *part;
            return;
        }
        let own = self.options.sections.iter().chain(&self.world.assembly.sections).find(|(own, _)| own == name);
        let is_first = self.world.parts.is_empty() && own.is_none();
        let address = if self.world.relocatable || is_first { Some(0) } else { own.map(|own| own.1) };
        let name: Rc<str> = name.into();
        let flags = flags.unwrap_or_else(|| default_flags(&name));
        self.current = self.world.parts.len();
        self.by_name.insert(name.clone(), self.current);
        self.world.parts.push(Part::new(name, flags, address));
    }

    /// Goes on at an address.
    pub(crate) fn go_to(&mut self, address: u64) {
        let part = &self.world.parts[self.current];
        let (name, flags) = (part.name.clone(), part.flags);
        self.current = self.world.parts.len();
        self.by_name.insert(name.clone(), self.current);
        self.world.parts.push(Part::new(name, flags, Some(address)));
    }

    /// The place that the next byte has.
    pub(crate) fn here(&self) -> Place {
        let part = &self.world.parts[self.current];
        let frag = part.frags.len() as u32 - 1;
        let offset = part.frags.last().map_or(0, |frag| frag.bytes.len() as u32);
        Place { part: self.current as u32, frag, offset }
    }

    pub(crate) fn part(&mut self) -> &mut Part {
        &mut self.world.parts[self.current]
    }

    /// Counts bytes that the program has.
    pub(crate) fn count(&mut self, line: &Line, bytes: u64) -> Result<(), Full> {
        self.bytes = self.bytes.saturating_add(bytes);
        if self.bytes > MOST_BYTES {
            return Err(Full(format!("{}:{}: a program has at most {MOST_BYTES} bytes", line.file, line.number)));
        }
        Ok(())
    }

    /// Adds bytes that are known.
    pub(crate) fn emit(&mut self, line: &Line, bytes: &[u8], kind: ItemKind, at: Range<u32>) -> Result<u32, Full> {
        self.count(line, bytes.len() as u64)?;
        let (place, is_own) = (self.here(), self.depth == 0);
        let length = bytes.len() as u32;
        self.items.push(Item { place, is_tail: false, length, line: self.source.last() as u32, is_own, at, kind });
        self.part().last().bytes.extend_from_slice(bytes);
        Ok(self.items.len() as u32 - 1)
    }

    /// Adds what is open, of a size that is known (`tail` is none) or will be.
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
        let number = self.open.len() as u32;
        let place = self.here();
        let is_own = self.depth == 0;
        self.items.push(Item { place, is_tail, length: size as u32, line: self.source.last() as u32, is_own, at, kind: item });
        let open = Open { line: line.clone(), position: self.position, place, is_tail, item: self.items.len() as u32 - 1, kind };
        self.open.push(open);
        let part = self.part();
        if is_tail {
            let frag = part.frags.len() as u32 - 1;
            part.first_open.get_or_insert(frag);
            let last = part.last();
            (last.open, last.size) = (Some(number), size);
            let at = last.at + last.bytes.len() as u64 + size;
            part.frags.push(Frag { at, ..Frag::default() });
        } else {
            let bytes = &mut part.last().bytes;
            bytes.resize(bytes.len() + size as usize, 0);
        }
        Ok(())
    }

    /// The instruction of a text.
    pub(crate) fn instruction(&mut self, line: &Line, text: &str, at: usize) -> Result<(), Full> {
        let place = self.here();
        let (address, is_final) = self.world.address(place);
        let span = at as u32..(at + text.len()) as u32;
        self.set_style();
        let localised = self.with_full_names(text);
        let text = localised.as_deref().unwrap_or(text);
        if let Some((form, bytes)) = self.read.get(text).filter(|_| self.compress == self.read_compressed) {
            let (form, bytes) = (*form, bytes.clone());
            self.emit(line, &bytes, ItemKind::Word { form, is_symbolic: false }, span)?;
            return Ok(());
        }
        let view = View::new(&self.world, self.position, place);
        let read = try_read(&mut *self.codec, text, address, &view);
        let (looked, unknown) = (view.state.borrow().clone(), view.unknown.borrow().clone());
        self.name_externals(&unknown);
        match read {
            Some(statement) => {
                let has_target = !is_final && self.codec.has_target(statement.form);
                let is_modified = looked.based.is_some_and(|value| matches!(value.base, Base::Modified { .. }));
                let is_based = self.world.relocatable && looked.based.is_some();
                let is_settled = !(looked.tentative || has_target || is_modified || is_based);
                let bits = self.codec.length(statement.form);
                if is_settled {
                    let bytes: Vec<u8> = self.codec.shape().units.write(statement.word, bits).collect();
                    // What depends on nothing but its text is the same wherever it stands.
                    if !looked.used && unknown.is_empty() && !self.codec.is_text() && !self.codec.has_target(statement.form) {
                        if self.read.len() == MOST_READ || self.compress != self.read_compressed {
                            self.read.clear();
                            self.read_compressed = self.compress;
                        }
                        self.read.insert(text.into(), (statement.form as u32, bytes.as_slice().into()));
                    }
                    let kind = ItemKind::word(statement, looked.used, self.codec.is_text());
                    self.emit(line, &bytes, kind, span)?;
                    return Ok(());
                }
                self.wait(line, text, at, bits, span)
            }
            None => {
                if let Some(expansion) = self.expansion(line, text, at, !unknown.is_empty()) {
                    return expansion;
                }
                let waits = !unknown.is_empty() || looked.tentative || !is_final;
                if waits && looked.wrong.is_none() {
                    return self.wait(line, text, at, self.fixed.unwrap_or(self.shortest), span);
                }
                let view = View::new(&self.world, self.position, place);
                let (at, message) = match self::read(&mut *self.codec, text, address, &view) {
                    Err(error) => said(error, &view.state.into_inner(), &view.unknown.into_inner(), text, at),
                    Ok(_) => (at..at + text.len(), "this can't be read".to_owned()),
                };
                self.no_instruction(line, at, message)
            }
        }
    }

    /// A line in the place of an instruction that there is not: what follows stands as if there were a short one.
    fn no_instruction(&mut self, line: &Line, at: Range<usize>, message: String) -> Result<(), Full> {
        let bytes = if self.codec.is_text() { 0 } else { self.shortest.div_ceil(8) };
        self.fault(line, at, message);
        self.count(line, bytes.into())?;
        if let Some(item) = self.items.last_mut() {
            item.length = bytes;
        }
        let frag = self.part().last();
        frag.bytes.resize(frag.bytes.len() + bytes as usize, 0);
        Ok(())
    }

    /// Goes on behind lines that have been assembled without this, which stand there.
    pub fn go_on_behind(&mut self, placed: Placed, address: u64) {
        self.placed = placed;
        if address != 0 {
            self.go_to(address);
        }
    }

    /// Takes note of symbols that may be those of other object files.
    pub(crate) fn name_externals(&mut self, unknown: &[String]) {
        if self.world.relocatable {
            unknown.iter().filter(|name| !isa_engine::is_local(name)).for_each(|name| _ = self.world.intern(name));
        }
    }

    /// A text in which labels that belong to others have their full names.
    fn with_full_names(&self, text: &str) -> Option<String> {
        let local = self.world.assembly.local.as_str();
        if local.is_empty() || !text.contains(local) {
            return None;
        }
        let (mut out, mut at) = (String::with_capacity(text.len()), 0);
        while at < text.len() {
            let name = isa_engine::label_name(&text[at..]);
            if name.is_empty() {
                let c = text[at..].chars().next()?;
                out.push(c);
                at += c.len_utf8();
                continue;
            }
            let full = self.full_name(name).filter(|_| at > 0 && name.len() > local.len());
            out.push_str(full.as_deref().unwrap_or(name));
            at += name.len();
        }
        Some(out)
    }

    fn wait(&mut self, line: &Line, text: &str, at: usize, bits: u32, span: Range<u32>) -> Result<(), Full> {
        let kind = OpenKind::Instruction { text: text.into(), at: at as u32, compress: self.compress };
        let item = ItemKind::Word { form: 0, is_symbolic: true };
        self.add_open(line, bits.div_ceil(8).into(), self.fixed.is_none(), kind, item, span)
    }

    /// Has the codec take the words that are wanted here.
    pub(crate) fn set_style(&mut self) {
        let lengths = match (self.compress, self.style.lengths) {
            (false, isa_engine::Lengths::Preferred) => isa_engine::Lengths::LongestFirst,
            (_, lengths) => lengths,
        };
        self.codec.set_lengths(lengths);
    }

    /// What lines come from, where these are made by a line.
    pub(crate) fn made_by(line: &Line, what: String) -> Option<Rc<Within>> {
        line.inside(what)
    }
}

/// Reads an instruction, first as if parentheses around a whole operand were a part of it.
pub(crate) fn read(codec: &mut dyn Codec, text: &str, address: u64, view: &View<'_>) -> Result<Statement, isa_engine::ReadError> {
    let first = crate::foreign::read(codec, text, address, &|rest| view.operand(rest));
    let Err(error) = first else { return first };
    let declined = view.state.borrow().declined;
    // Where a text has the parenthesis, it has been read.
    match declined.map(|behind| text.len().saturating_sub(behind)).filter(|declined| error.at <= *declined) {
        Some(_) => {
            view.state.borrow_mut().parentheses = true;
            crate::foreign::read(codec, text, address, &|rest| view.operand(rest))
        }
        None => Err(error),
    }
}

/// The same; `None` where there is no such instruction.
pub(crate) fn try_read(codec: &mut dyn Codec, text: &str, address: u64, view: &View<'_>) -> Option<Statement> {
    let found = codec.try_read(text, address, &|rest| view.operand(rest));
    if found.is_none() && (view.state.borrow().declined.is_some() || text.contains('`') || text.starts_with('[')) {
        return read(codec, text, address, view).ok();
    }
    found
}

/// What is said of a text that can't be read.
pub(crate) fn said(
    error: isa_engine::ReadError,
    looked: &crate::world::Looked,
    unknown: &[String],
    text: &str,
    at: usize,
) -> (Range<usize>, String) {
    if let Some((start, end, message)) = &looked.wrong {
        let from = text.len().saturating_sub(*start);
        return (at + from..at + text.len().saturating_sub(*end).max(from), message.clone());
    }
    let word = crate::foreign::word_at(text, error.at);
    let mut message = error.message;
    if let Some(name) = unknown.iter().find(|name| text.get(error.at..).is_some_and(|rest| rest.starts_with(name.as_str())))
        && !message.contains("no label")
    {
        message.push_str(&format!("; there is no symbol `{name}`"));
    }
    (at + word.start..at + word.end, message)
}

pub(crate) fn shifted(at: Range<usize>, by: usize) -> Range<usize> {
    at.start + by..at.end + by
}

/// `name = value`: the name, the operator, and where the value begins.
fn assignment(text: &str) -> Option<(&str, &str, usize)> {
    let name = isa_engine::label_name(text);
    let rest = text[name.len()..].trim_start();
    let operator = ["==", ":=", "="].into_iter().find(|operator| rest.starts_with(operator)).filter(|_| !name.is_empty())?;
    Some((name, operator, text.len() - rest.len() + operator.len()))
}

/// The flags of a section of which nothing is said.
fn default_flags(name: &str) -> Flags {
    let is = |kind: &str| name == kind || name.strip_prefix(kind).is_some_and(|rest| rest.starts_with('.'));
    let nothing = [".comment", ".note", ".debug", ".riscv.attributes", ".gnu", ".symtab", ".strtab", ".shstrtab"];
    Flags {
        alloc: !nothing.iter().any(|begin| name.starts_with(begin)),
        write: !is(".text") && !is(".rodata"),
        code: is(".text"),
        nobits: is(".bss") || is(".sbss"),
    }
}
