//! The effects of directives.

use crate::arguments::Arguments;
use crate::assembler::{Assembler, Asserted, section_flags, shifted};
use crate::directives::{AlignBy, Does, If};
use crate::expr::{Expr, Parser, string};
use crate::place::{Fault, Line};
use crate::program::ItemKind;
use crate::world::Def;
use crate::{Full, files};
use object::elf;
use std::rc::Rc;

impl Assembler<'_> {
    /// Handles a directive among skipped lines.
    pub(crate) fn skipped(&mut self, line: &Line, text: &str, at: usize, does: Does, from: usize) {
        let arguments = Arguments { text, from, shift: at };
        match does {
            Does::If(_) => self.conditions.begin(line, at..at + text.len(), None),
            Does::ElseIf | Does::Else | Does::EndIf => self.branch(line, does, arguments),
            _ => {}
        }
    }

    pub(crate) fn branch(&mut self, line: &Line, does: Does, arguments: Arguments<'_>) {
        let whole = arguments.shift..arguments.shift + arguments.text.len();
        if does == Does::EndIf {
            if !self.conditions.end() {
                self.fault(line, whole, "there is no `.if` before this");
            }
            return;
        }
        match self.conditions.may_go_on() {
            Err(message) => self.fault(line, whole, message),
            Ok(is_looked_at) => {
                let holds = is_looked_at
                    && (does == Does::Else
                        || self.known(line, arguments.text, arguments.from, arguments.shift).is_some_and(|n| n != 0));
                self.conditions.go_on(holds, does == Does::Else);
            }
        }
    }

    /// Executes a directive.
    pub(crate) fn directive(&mut self, line: &Line, text: &str, at: usize, does: Does, from: usize) -> Result<(), Full> {
        let arguments = Arguments { text, from, shift: at };
        let whole = at..at + text.len();
        match does {
            Does::Data(bytes) => self.data(line, arguments, if bytes == 0 { self.world.assembly.word } else { bytes })?,
            Does::Float(bytes) => self.floats(line, arguments, bytes)?,
            Does::Leb(is_signed) => self.leb(line, arguments, is_signed)?,
            Does::Strings(has_end, width) => self.strings(line, arguments, has_end, width)?,
            Does::Align(by, width) => self.align(line, arguments, by, width)?,
            Does::Space => self.space(line, arguments)?,
            Does::Fill => self.fill(line, arguments)?,
            Does::Org => self.org(line, arguments)?,
            Does::Reloc => self.reloc(line, arguments)?,
            Does::Insn => self.insn(line, arguments)?,
            Does::Altered => self.altered(line, arguments)?,
            Does::Section => self.begin_section(line, arguments, false),
            Does::PushSection => self.begin_section(line, arguments, true),
            Does::Named(name) => {
                if !matches!(arguments.rest().trim(), "" | "0") {
                    self.fault(line, arguments.span(), "there are no subsections: a part of a section is a section of its own");
                }
                self.sections.previous = self.sections.current;
                self.section(name, None);
            }
            Does::PopSection => match self.sections.pushed.pop() {
                Some((current, previous)) => (self.sections.current, self.sections.previous) = (current, previous),
                None => self.fault(line, whole, "there is no `.pushsection` before this"),
            },
            Does::Previous => std::mem::swap(&mut self.sections.current, &mut self.sections.previous),
            Does::Global | Does::Local | Does::Weak => {
                for name in self.names(line, arguments) {
                    let id = self.world.intern(&name) as usize;
                    let symbol = &mut self.world.symbols[id];
                    symbol.global = does != Does::Local;
                    symbol.is_local = does == Does::Local;
                    symbol.weak |= does == Does::Weak;
                }
            }
            Does::Visibility(visibility) => {
                for name in self.names(line, arguments) {
                    let id = self.world.intern(&name) as usize;
                    self.world.symbols[id].visibility = visibility;
                }
            }
            Does::Size => {
                if let Some((name, from)) = self.name_and(line, arguments)
                    && let Ok(size) = self.parse(text, from)
                    && let Ok(size) = self.world.evaluate(&size, self.input.position, self.here())
                {
                    let id = self.world.intern(&name) as usize;
                    self.world.symbols[id].size = u64::try_from(size.number).ok();
                }
            }
            Does::Type => {
                if let Some((name, from)) = self.name_and(line, arguments) {
                    let kind = text[from..].trim().trim_start_matches(['@', '%', '#', '"']).trim_end_matches('"').to_lowercase();
                    let id = self.world.intern(&name) as usize;
                    self.world.symbols[id].kind = match kind.trim_start_matches("stt_") {
                        "function" | "func" => elf::STT_FUNC.0,
                        "object" => elf::STT_OBJECT.0,
                        "tls_object" | "tls" => elf::STT_TLS.0,
                        "gnu_indirect_function" | "gnu_ifunc" => elf::STT_GNU_IFUNC.0,
                        _ => elf::STT_NOTYPE.0,
                    };
                }
            }
            Does::Common => self.common(line, arguments)?,
            Does::Equ => {
                let once = text[..from].eq_ignore_ascii_case(".equiv");
                let start = at + arguments.start();
                if let Some((name, behind)) = self.name_and(line, arguments) {
                    self.set(line, (&name, start..start + name.len()), (text, behind, at), once);
                }
            }
            Does::Include => self.include(line, arguments)?,
            Does::Incbin => self.incbin(line, arguments)?,
            Does::Macro | Does::Repeat | Does::Each | Does::EachCharacter => {
                self.begin_collect(line, does, (arguments.rest(), at + arguments.start().min(text.len())));
            }
            Does::EndMacro => self.fault(line, whole, "there is no `.macro` before this"),
            Does::EndRepeat => self.fault(line, whole, "there is no `.rept` before this"),
            Does::ExitMacro => match self.macros.depth {
                0 => self.fault(line, whole, "this is in no macro and no repetition"),
                _ => self.macros.leaves = true,
            },
            Does::Purge => {
                for name in self.names(line, arguments) {
                    if self.macros.defined.remove(&name.to_lowercase()).is_none() {
                        self.fault(line, arguments.span(), format!("there is no macro `{name}`"));
                    }
                }
            }
            Does::If(what) => {
                let holds = self.condition(line, arguments, what);
                // A wrong condition skips its lines, and those after its `.else`.
                self.conditions.begin(line, whole, holds);
            }
            Does::ElseIf | Does::Else | Does::EndIf => self.branch(line, does, arguments),
            Does::Error | Does::Warning => {
                let message = text_of(arguments.rest()).unwrap_or_else(|| arguments.rest().to_owned());
                let message = if message.is_empty() { format!("`{}`", text[..from].trim()) } else { message };
                let mut fault = Fault::new(line, whole, message);
                fault.is_warning = does == Does::Warning;
                if fault.is_warning { self.faults.push(fault) } else { self.report(fault) }
            }
            Does::Assert => {
                let (value, message) = match arguments.rest().rfind(",").filter(|_| arguments.rest().ends_with('"')) {
                    Some(comma) => (comma, text_of(arguments.rest()[comma + 1..].trim()).unwrap_or_default()),
                    None => (arguments.rest().len(), String::new()),
                };
                match self.parse(&text[..arguments.start() + value], from) {
                    Ok(expr) => {
                        let place = self.here();
                        self.pending.asserted.push(Asserted {
                            line: line.clone(),
                            position: self.input.position,
                            place,
                            at: arguments.span(),
                            expr,
                            message,
                        });
                    }
                    Err((wrong, message)) => self.fault(line, shifted(wrong, at), message),
                }
            }
            Does::Option => self.option(line, arguments)?,
            Does::End => self.input.is_over = true,
            Does::Ignore => {}
        }
        Ok(())
    }

    /// The value of a condition; `None` if that is not known.
    pub(crate) fn condition(&mut self, line: &Line, arguments: Arguments<'_>, what: If) -> Option<bool> {
        let rest = arguments.rest();
        let named = |own: &Self| own.world.symbol(rest).is_some_and(|(_, symbol)| !matches!(symbol.def, Def::Undefined));
        let two = || {
            let (a, b) = rest.split_once(',').unwrap_or((rest, ""));
            a.trim().trim_matches(['\'', '"']) == b.trim().trim_matches(['\'', '"'])
        };
        Some(match what {
            If::Defined => named(self),
            If::NotDefined => !named(self),
            If::Blank => rest.is_empty(),
            If::NotBlank => !rest.is_empty(),
            If::Same => two(),
            If::Different => !two(),
            _ => {
                let value = self.known(line, arguments.text, arguments.from, arguments.shift)? as i64;
                match what {
                    If::Zero => value == 0,
                    If::Less => value < 0,
                    If::LessEqual => value <= 0,
                    If::Greater => value > 0,
                    If::GreaterEqual => value >= 0,
                    _ => value != 0,
                }
            }
        })
    }

    /// The arguments as names.
    pub(crate) fn names(&mut self, line: &Line, arguments: Arguments<'_>) -> Vec<String> {
        let mut parser = Parser::new(&self.world.syntax, arguments.text, arguments.from);
        let mut names = Vec::new();
        loop {
            match parser.name() {
                Some(name) => names.push(name.to_owned()),
                None => {
                    let (at, message) = parser.unexpected("a symbol");
                    self.fault(line, shifted(at, arguments.shift), message);
                    return names;
                }
            }
            if !parser.takes(",") {
                break;
            }
        }
        if let Err((at, message)) = parser.end() {
            self.fault(line, shifted(at, arguments.shift), message);
        }
        names
    }

    /// A name, and the start of the text after its comma.
    pub(crate) fn name_and(&mut self, line: &Line, arguments: Arguments<'_>) -> Option<(String, usize)> {
        let mut parser = Parser::new(&self.world.syntax, arguments.text, arguments.from);
        let name = parser.name().map(str::to_owned);
        let has_more = parser.takes(",");
        let behind = parser.at();
        if name.is_none() || !has_more {
            self.fault(line, arguments.span(), "expected a symbol, `,` and what is said of it");
        }
        Some((name.filter(|_| has_more)?, behind))
    }

    /// The arguments as parsed expressions.
    pub(crate) fn expressions(&mut self, line: &Line, arguments: Arguments<'_>) -> Vec<Expr> {
        let mut parser = Parser::new(&self.world.syntax, arguments.text, arguments.from);
        let mut all = Vec::new();
        let wrong = loop {
            match parser.expression() {
                Ok(expr) => all.push(expr),
                Err(what) => break Some(what),
            }
            if !parser.takes(",") {
                break parser.end().err();
            }
        };
        if let Some((at, message)) = wrong {
            self.fault(line, shifted(at, arguments.shift), message);
            return Vec::new();
        }
        all.iter_mut().for_each(|expr| self.localise(expr));
        all
    }

    /// The values of arguments that must be known here.
    pub(crate) fn numbers(&mut self, line: &Line, arguments: Arguments<'_>) -> Option<Vec<i128>> {
        let exprs = self.expressions(line, arguments);
        let values = exprs.iter().map(|expr| self.number_now(line, expr, arguments.shift)).collect::<Option<Vec<_>>>()?;
        Some(values).filter(|values| !values.is_empty())
    }

    pub(crate) fn begin_section(&mut self, line: &Line, arguments: Arguments<'_>, pushes: bool) {
        let rest = arguments.rest();
        let mut parts = rest.split(',').map(|part| part.trim());
        let name = parts.next().unwrap_or("").trim_matches('"').to_owned();
        if name.is_empty() || name.contains(char::is_whitespace) {
            return self.fault(line, arguments.span(), "expected the name of a section");
        }
        let mut parts = parts.peekable();
        let given = parts.next_if(|part| part.starts_with('"')).map(|part| part.trim_matches('"'));
        let kind = parts.next_if(|part| part.starts_with(['@', '%'])).map(|part| &part[1..]);
        let has = |flag| given.is_some_and(|given| given.contains(flag));
        // The size of what can be merged comes before the group.
        let mut parts = parts.skip(usize::from(has('M')));
        let group = parts.next().filter(|_| has('G')).map(|group| self.world.intern(group.trim_matches('"')));
        let flags = match given.map(|given| section_flags(&name, given, kind)).transpose() {
            Ok(flags) => flags,
            Err(c) => {
                let message = format!("`{c}` is no flag of a section: `a` (loaded), `w` (written), `x` (code)");
                return self.fault(line, arguments.span(), message);
            }
        };
        if pushes {
            self.sections.pushed.push((self.sections.current, self.sections.previous));
        }
        self.sections.previous = self.sections.current;
        self.section_of(&name, flags, group);
    }

    pub(crate) fn common(&mut self, line: &Line, arguments: Arguments<'_>) -> Result<(), Full> {
        let Some((name, from)) = self.name_and(line, arguments) else { return Ok(()) };
        let Some(values) = self.numbers(line, Arguments { from, ..arguments }) else { return Ok(()) };
        let align = values.get(1).and_then(|n| u64::try_from(*n).ok()).unwrap_or(1).max(1);
        let (Ok(size), true) = (u64::try_from(values[0]), align.is_power_of_two()) else {
            self.fault(line, arguments.span(), "expected `symbol, bytes, align`, where `align` is a power of two");
            return Ok(());
        };
        let id = self.world.intern(&name) as usize;
        let symbol = &mut self.world.symbols[id];
        let is_free = matches!(symbol.def, Def::Undefined);
        if self.world.relocatable && arguments.text.starts_with(".comm") && !symbol.is_local && is_free {
            (symbol.common, symbol.size, symbol.global) = (Some(align), Some(size), true);
            return Ok(());
        }
        let current = (self.sections.current, self.sections.previous);
        self.section(".bss", None);
        let text = format!(".balign {align}");
        self.align(line, Arguments { text: &text, from: 7, shift: 0 }, AlignBy::Bytes, 1)?;
        let place = self.here();
        let id = self.world.intern(&name) as usize;
        let symbol = &mut self.world.symbols[id];
        if !matches!(symbol.def, Def::Undefined) {
            let first = symbol.line;
            self.fault(line, arguments.span(), format!("`{name}` is already defined at line {first}"));
        } else {
            (symbol.def, symbol.line, symbol.size) = (Def::Label(place), line.number, Some(size));
            symbol.global |= arguments.text.starts_with(".comm") && !symbol.is_local;
            self.emit_filling(line, size, 0, 1)?;
        }
        (self.sections.current, self.sections.previous) = current;
        Ok(())
    }

    pub(crate) fn option(&mut self, line: &Line, arguments: Arguments<'_>) -> Result<(), Full> {
        let rest = arguments.rest();
        match rest.split([',', ' ']).next().unwrap_or("") {
            "rvc" => self.set_style(true),
            "norvc" => self.set_style(false),
            "pic" => self.words.pic = true,
            "nopic" => self.words.pic = false,
            "push" => self.words.kept.push((self.words.compress, self.words.pic)),
            "pop" => match self.words.kept.pop() {
                Some((compress, pic)) => {
                    self.words.pic = pic;
                    self.set_style(compress);
                }
                None => self.fault(line, arguments.span(), "there is no `.option push` before this"),
            },
            "arch" if rest.contains(['+', '-']) => {
                for change in rest.split(',').skip(1).map(str::trim) {
                    match self.expansion(line, &format!("option.arch {change}"), arguments.shift, false) {
                        Some(result) => result?,
                        None => {
                            let message = format!("the instruction set has no extension that `{change}` could select");
                            self.fault(line, arguments.span(), message);
                        }
                    }
                }
            }
            "arch" => {
                let message = "the extensions stay those of the instruction set; `.option norvc` selects long words";
                let mut fault = Fault::new(line, arguments.span(), message);
                fault.is_warning = true;
                self.faults.push(fault);
            }
            "relax" | "norelax" | "csr-check" | "no-csr-check" => {}
            _ => self.fault(
                line,
                arguments.span(),
                format!("there is no option `{rest}`; there are: rvc, norvc, push, pop, relax, norelax, pic, nopic, arch"),
            ),
        }
        Ok(())
    }

    pub(crate) fn include(&mut self, line: &Line, arguments: Arguments<'_>) -> Result<(), Full> {
        let Some(path) = self.file_name(line, arguments) else { return Ok(()) };
        let found = files::read(&self.options.include, &line.file, &path.0, files::MOST_TEXT);
        let text = match found.and_then(|(path, bytes)| {
            String::from_utf8(bytes).map(|text| (path.clone(), text)).map_err(|_| format!("{path}: it is not text in UTF-8"))
        }) {
            Ok(text) => text,
            Err(message) => {
                self.fault(line, arguments.span(), message);
                return Ok(());
            }
        };
        let (file, text): (Rc<str>, String) = (text.0.as_str().into(), text.1);
        let within = line.inside("a file that is included".to_owned());
        let lines = text.lines().enumerate().map(|(number, text)| Line {
            file: file.clone(),
            number: number + 1,
            text: text.into(),
            within: within.clone(),
        });
        self.inside(lines, line, arguments.span())
    }

    pub(crate) fn incbin(&mut self, line: &Line, arguments: Arguments<'_>) -> Result<(), Full> {
        let Some((path, behind)) = self.file_name(line, arguments) else { return Ok(()) };
        let rest = arguments.text[behind..].trim_start();
        let values = match rest.strip_prefix(',') {
            Some(rest) => match self.numbers(line, Arguments { from: arguments.text.len() - rest.len(), ..arguments }) {
                Some(values) => values,
                None => return Ok(()),
            },
            None => Vec::new(),
        };
        match files::read(&self.options.include, &line.file, &path, files::MOST_BYTES) {
            Ok((_, bytes)) => {
                let size = bytes.len() as i128;
                let skip = values.first().copied().unwrap_or(0);
                // As in GNU as, a count of 0 means all bytes that are left.
                let count = values.get(1).copied().filter(|count| *count != 0).unwrap_or(size.saturating_sub(skip));
                if skip < 0 || count < 0 || skip.saturating_add(count) > size {
                    let message = format!("`{path}` has {size} bytes: it lacks {count} bytes after the first {skip}");
                    let message = if skip < 0 || skip > size {
                        format!("`{path}` has {size} bytes: {skip} can't be skipped")
                    } else {
                        message
                    };
                    self.fault(line, arguments.span(), message);
                    return Ok(());
                }
                self.emit(line, &bytes[skip as usize..(skip + count) as usize], ItemKind::Filled, 0..0)?;
            }
            Err(message) => self.fault(line, arguments.span(), message),
        }
        Ok(())
    }

    /// The name of a file, and the start of the text after it.
    pub(crate) fn file_name(&mut self, line: &Line, arguments: Arguments<'_>) -> Option<(String, usize)> {
        let start = arguments.start();
        match string(&arguments.text[start..]) {
            Ok((bytes, length)) => Some((String::from_utf8_lossy(&bytes).into_owned(), start + length)),
            Err((_, message)) => {
                self.fault(line, arguments.span(), message.replace("a string", "the name of a file"));
                None
            }
        }
    }
}

/// The text of the string at the beginning of a text.
fn text_of(text: &str) -> Option<String> {
    string(text).ok().map(|(bytes, _)| String::from_utf8_lossy(&bytes).into_owned())
}
