//! What directives do.

use crate::assembler::{Assembler, Asserted, shifted};
use crate::directives::{AlignBy, Does, If};
use crate::expr::{Base, Expr, Parser, Problem, Value, evaluate, string};
use crate::place::{Fault, Line};
use crate::program::ItemKind;
use crate::world::{Def, Flags, OpenKind, SymbolKind, View};
use crate::{Full, files};
use std::ops::Range;
use std::rc::Rc;

/// The arguments of a directive: the statement, where they begin, and where the statement stands in the line.
#[derive(Clone, Copy)]
pub(crate) struct Arguments<'t> {
    pub(crate) text: &'t str,
    pub(crate) from: usize,
    pub(crate) shift: usize,
}

impl<'t> Arguments<'t> {
    fn rest(&self) -> &'t str {
        self.text[self.from..].trim()
    }

    /// Where all of them stand in the line.
    fn span(&self) -> Range<usize> {
        let rest = &self.text[self.from..];
        let start = self.from + rest.len() - rest.trim_start().len();
        if rest.trim().is_empty() {
            self.shift..self.shift + self.text.len()
        } else {
            self.shift + start..self.shift + self.text.trim_end().len()
        }
    }

    /// Where the arguments begin, blanks left out.
    fn start(&self) -> usize {
        let rest = &self.text[self.from..];
        self.from + rest.len() - rest.trim_start().len()
    }
}

impl Assembler<'_> {
    /// A directive among lines that are not read.
    pub(crate) fn skipped(&mut self, line: &Line, text: &str, at: usize, does: Does, from: usize) {
        let arguments = Arguments { text, from, shift: at };
        match does {
            Does::If(_) => self.conditions.begin(line, at..at + text.len(), None),
            Does::ElseIf | Does::Else | Does::EndIf => self.branch(line, does, arguments),
            Does::Macro | Does::Repeat | Does::Each | Does::EachCharacter => {}
            _ => {}
        }
    }

    fn branch(&mut self, line: &Line, does: Does, arguments: Arguments<'_>) {
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

    /// Does what a directive says.
    pub(crate) fn directive(&mut self, line: &Line, text: &str, at: usize, does: Does, from: usize) -> Result<(), Full> {
        let arguments = Arguments { text, from, shift: at };
        let whole = at..at + text.len();
        match does {
            Does::Data(bytes) => self.data(line, arguments, if bytes == 0 { self.world.assembly.word } else { bytes })?,
            Does::Float(bytes) => self.floats(line, arguments, bytes)?,
            Does::Strings(has_end) => self.strings(line, arguments, has_end)?,
            Does::Align(by) => self.align(line, arguments, by)?,
            Does::Space => self.space(line, arguments)?,
            Does::Fill => self.fill(line, arguments)?,
            Does::Org => self.org(line, arguments)?,
            Does::Section => self.begin_section(line, arguments, false),
            Does::PushSection => self.begin_section(line, arguments, true),
            Does::Named(name) => {
                self.previous = self.current;
                self.section(name, None);
            }
            Does::PopSection => match self.pushed.pop() {
                Some((current, previous)) => (self.current, self.previous) = (current, previous),
                None => self.fault(line, whole, "there is no `.pushsection` before this"),
            },
            Does::Previous => std::mem::swap(&mut self.current, &mut self.previous),
            Does::Global | Does::Local | Does::Weak => {
                for name in self.names(line, arguments) {
                    let id = self.world.intern(&name) as usize;
                    let symbol = &mut self.world.symbols[id];
                    symbol.global = does != Does::Local;
                    symbol.weak |= does == Does::Weak;
                }
            }
            Does::Size => {
                if let Some((name, from)) = self.name_and(line, arguments)
                    && let Some(size) = self.known_if_possible(text, from)
                {
                    let id = self.world.intern(&name) as usize;
                    self.world.symbols[id].size = u64::try_from(size).ok();
                }
            }
            Does::Type => {
                if let Some((name, from)) = self.name_and(line, arguments) {
                    let kind = text[from..].trim().trim_start_matches(['@', '%', '#', '"']).trim_end_matches('"').to_lowercase();
                    let id = self.world.intern(&name) as usize;
                    self.world.symbols[id].kind = match kind.as_str() {
                        "function" | "stt_func" => Some(SymbolKind::Function),
                        "object" | "stt_object" => Some(SymbolKind::Object),
                        _ => None,
                    };
                }
            }
            Does::Common => self.common(line, arguments)?,
            Does::Equ => {
                let once = text[..from].eq_ignore_ascii_case(".equiv");
                let mut parser = Parser::new(&self.world.syntax, text, from);
                let start = arguments.start();
                let name = parser.name().map(str::to_owned);
                let is_there = parser.takes(",");
                let behind = parser.at();
                match name.filter(|_| is_there) {
                    Some(name) => {
                        let name_at = at + start..at + start + name.len();
                        self.set(line, (&name, name_at), (text, behind, at), once);
                    }
                    None => self.fault(line, arguments.span(), "expected `symbol, value`"),
                }
            }
            Does::Include => self.include(line, arguments)?,
            Does::Incbin => self.incbin(line, arguments)?,
            Does::Macro | Does::Repeat | Does::Each | Does::EachCharacter => {
                self.begin_collect(line, does, (arguments.rest(), at + arguments.start().min(text.len())));
            }
            Does::EndMacro => self.fault(line, whole, "there is no `.macro` before this"),
            Does::EndRepeat => self.fault(line, whole, "there is no `.rept` before this"),
            Does::ExitMacro => match self.depth {
                0 => self.fault(line, whole, "this is in no macro"),
                _ => self.leaves = true,
            },
            Does::Purge => {
                for name in self.names(line, arguments) {
                    if self.macros.remove(&name.to_lowercase()).is_none() {
                        self.fault(line, arguments.span(), format!("there is no macro `{name}`"));
                    }
                }
            }
            Does::If(what) => {
                let holds = self.condition(line, arguments, what);
                // What is at fault is not read, and neither is what follows its `.else`.
                self.conditions.begin(line, whole, holds);
            }
            Does::ElseIf | Does::Else | Does::EndIf => self.branch(line, does, arguments),
            Does::Error | Does::Warning => {
                let message = string(arguments.rest())
                    .map_or_else(|_| arguments.rest().to_owned(), |(bytes, _)| String::from_utf8_lossy(&bytes).into_owned());
                let message = if message.is_empty() { format!("`{}`", text[..from].trim()) } else { message };
                let mut fault = Fault::new(line, whole, message);
                fault.is_warning = does == Does::Warning;
                if fault.is_warning { self.faults.push(fault) } else { self.report(fault) }
            }
            Does::Assert => {
                let (value, message) = match arguments.rest().rfind(",").filter(|_| arguments.rest().ends_with('"')) {
                    Some(comma) => (
                        comma,
                        string(arguments.rest()[comma + 1..].trim())
                            .map_or(String::new(), |(text, _)| String::from_utf8_lossy(&text).into_owned()),
                    ),
                    None => (arguments.rest().len(), String::new()),
                };
                match self.parse(&text[..arguments.start() + value], from) {
                    Ok(expr) => {
                        let place = self.here();
                        self.asserted.push(Asserted {
                            line: line.clone(),
                            position: self.position,
                            place,
                            at: arguments.span(),
                            expr,
                            message,
                        });
                    }
                    Err((wrong, message)) => self.fault(line, shifted(wrong, at), message),
                }
            }
            Does::Option => self.option(line, arguments),
            Does::End => self.is_over = true,
            Does::Ignore => {}
        }
        Ok(())
    }

    /// Whether a condition holds; `None` where that can't be said.
    fn condition(&mut self, line: &Line, arguments: Arguments<'_>, what: If) -> Option<bool> {
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

    /// The names that arguments are.
    fn names(&mut self, line: &Line, arguments: Arguments<'_>) -> Vec<String> {
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

    /// A name, and where what follows its comma begins.
    fn name_and(&mut self, line: &Line, arguments: Arguments<'_>) -> Option<(String, usize)> {
        let mut parser = Parser::new(&self.world.syntax, arguments.text, arguments.from);
        let name = parser.name().map(str::to_owned);
        let has_more = parser.takes(",");
        let behind = parser.at();
        if name.is_none() || !has_more {
            self.fault(line, arguments.span(), "expected a symbol, `,` and what is said of it");
        }
        Some((name.filter(|_| has_more)?, behind))
    }

    fn known_if_possible(&self, text: &str, from: usize) -> Option<i128> {
        let parsed = self.parse(text, from).ok()?;
        let view = View::new(&self.world, self.position, self.here());
        evaluate(&self.world.syntax, &parsed, &view).ok().map(|value| value.number)
    }

    /// The expressions that arguments are, each parsed.
    fn expressions(&mut self, line: &Line, arguments: Arguments<'_>) -> Vec<Expr> {
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
    fn numbers(&mut self, line: &Line, arguments: Arguments<'_>) -> Option<Vec<i128>> {
        let mut values = Vec::new();
        for expr in self.expressions(line, arguments) {
            let message = match self.value_now(&expr) {
                Ok(value) => {
                    values.push(value.number);
                    continue;
                }
                Err(Problem::Wrong(at, message)) => (at, message),
                Err(Problem::Undefined(name)) => (expr.at.clone(), format!("`{name}` must be defined before this line")),
            };
            self.fault(line, shifted(message.0, arguments.shift), message.1);
            return None;
        }
        Some(values).filter(|values| !values.is_empty())
    }

    fn data(&mut self, line: &Line, arguments: Arguments<'_>, bytes: u32) -> Result<(), Full> {
        if arguments.rest().starts_with('"') {
            // As other assemblers have it: the bytes of a text are numbers.
            return self.strings(line, arguments, false);
        }
        for expr in self.expressions(line, arguments) {
            let span = (arguments.shift + expr.at.start) as u32..(arguments.shift + expr.at.end) as u32;
            let view = View::new(&self.world, self.position, self.here());
            let value = evaluate(&self.world.syntax, &expr, &view);
            let is_final = !view.state.borrow().tentative;
            let unknown = view.unknown.into_inner();
            self.name_externals(&unknown);
            match value {
                Ok(value) if is_final && !(self.world.relocatable && value.base != Base::None) => {
                    match self.data_bytes(value.number, bytes) {
                        Ok(own) => _ = self.emit(line, &own, ItemKind::Data(bytes), span)?,
                        Err(message) => self.fault(line, shifted(expr.at.clone(), arguments.shift), message),
                    }
                }
                Err(Problem::Wrong(at, message)) => self.fault(line, shifted(at, arguments.shift), message),
                _ => {
                    let kind = OpenKind::Data { value: Box::new(expr), bytes };
                    self.add_open(line, bytes.into(), false, kind, ItemKind::Data(bytes), span)?;
                }
            }
        }
        Ok(())
    }

    /// The bytes of a number.
    pub(crate) fn data_bytes(&self, number: i128, bytes: u32) -> Result<Vec<u8>, String> {
        let bits = bytes * 8;
        if bits < 64 && !(-(1i128 << (bits - 1))..1i128 << bits).contains(&number) {
            let (least, most) = (-(1i128 << (bits - 1)), (1i128 << bits) - 1);
            return Err(format!("{number:#x} does not fit {bits} bits: from {least} to {most}"));
        }
        let little: Vec<u8> = number.to_le_bytes().into_iter().take(bytes as usize).collect();
        Ok(if self.codec.shape().units.little_endian { little } else { little.into_iter().rev().collect() })
    }

    fn floats(&mut self, line: &Line, arguments: Arguments<'_>, bytes: u32) -> Result<(), Full> {
        let mut from = arguments.from;
        for part in arguments.text[arguments.from..].split(',') {
            let start = from + part.len() - part.trim_start().len();
            let span = arguments.shift + start..arguments.shift + start + part.trim().len();
            from += part.len() + 1;
            let bits = match bytes {
                4 => part.trim().parse::<f32>().ok().map(|n| u64::from(n.to_bits())),
                _ => part.trim().parse::<f64>().ok().map(f64::to_bits),
            };
            match bits {
                Some(bits) => {
                    let own = self.data_bytes(bits.into(), bytes).unwrap_or_default();
                    self.emit(line, &own, ItemKind::Data(bytes), span.start as u32..span.end as u32)?;
                }
                None => self.fault(line, span, "expected a floating-point number: `1.5`, `-2e-3`, `inf`"),
            }
        }
        Ok(())
    }

    fn strings(&mut self, line: &Line, arguments: Arguments<'_>, has_end: bool) -> Result<(), Full> {
        let mut at = arguments.start();
        loop {
            match string(&arguments.text[at..]) {
                Ok((mut bytes, length)) => {
                    if has_end {
                        bytes.push(0);
                    }
                    let span = (arguments.shift + at) as u32..(arguments.shift + at + length) as u32;
                    self.emit(line, &bytes, ItemKind::Data(1), span)?;
                    at += length;
                }
                Err((wrong, message)) => {
                    self.fault(line, shifted(wrong, arguments.shift + at), message);
                    return Ok(());
                }
            }
            let rest = arguments.text[at..].trim_start();
            if rest.is_empty() {
                return Ok(());
            }
            let Some(next) = rest.strip_prefix(',') else {
                let start = arguments.shift + arguments.text.len() - rest.len();
                self.fault(line, start..start + 1, "expected `,` or the end");
                return Ok(());
            };
            at = arguments.text.len() - next.trim_start().len();
        }
    }

    fn align(&mut self, line: &Line, arguments: Arguments<'_>, by: AlignBy) -> Result<(), Full> {
        // The value can be left out: `.balign 4,,2`.
        let left_out = arguments.text.split_once(',').filter(|(_, rest)| rest.trim_start().starts_with(','));
        let text = left_out.map_or(arguments.text.to_owned(), |(to, rest)| format!("{to}, 0{rest}"));
        let has_value = left_out.is_none();
        let own = Arguments { text: &text, ..arguments };
        let Some(values) = self.numbers(line, own) else { return Ok(()) };
        let bytes = match by {
            AlignBy::Bytes => true,
            AlignBy::Power => false,
            AlignBy::Declared => self.world.assembly.align_bytes,
        };
        let to =
            if bytes { u64::try_from(values[0]).ok() } else { u32::try_from(values[0]).ok().and_then(|n| 1u64.checked_shl(n)) };
        let Some(to) = to.filter(|to| *to <= 1 << 30).map(|to| to.max(1)).filter(|to| to.is_power_of_two()) else {
            let what = if bytes { "a power of two, at most 2^30" } else { "at most 30: it is the power of two" };
            self.fault(line, arguments.span(), format!("an alignment is {what}"));
            return Ok(());
        };
        let fill = values.get(1).filter(|_| has_value).map(|value| *value as u64);
        let most = values.get(2).and_then(|n| u64::try_from(*n).ok()).unwrap_or(u64::MAX);
        self.align_to(line, to, fill, most)
    }

    /// Goes on at a multiple of a power of two.
    pub(crate) fn align_to(&mut self, line: &Line, to: u64, fill: Option<u64>, most: u64) -> Result<(), Full> {
        let place = self.here();
        let (address, is_final) = self.world.address(place);
        let part = self.part();
        part.align = part.align.max(to);
        let code = part.flags.code;
        let kind = OpenKind::Align { to, fill, most, width: 1, code };
        let need = address.wrapping_neg() & (to - 1);
        let need = if need > most { 0 } else { need };
        if is_final || self.world.relocatable && self.part().is_fixed(place.frag) {
            let own = self.filling(need, fill, 1, code);
            if !own.is_empty() {
                self.emit(line, &own, ItemKind::Filled, 0..0)?;
            }
            return Ok(());
        }
        self.add_open(line, need, true, kind, ItemKind::Filled, 0..0)
    }

    /// Bytes that fill so much room.
    pub(crate) fn filling(&mut self, bytes: u64, value: Option<u64>, width: u32, code: bool) -> Vec<u8> {
        let bytes = bytes as usize;
        if let Some(value) = value {
            let own = self.data_bytes(i128::from(value) & (256i128.pow(width.min(8)) - 1), width.min(8)).unwrap_or_default();
            return own.into_iter().cycle().take(bytes).collect();
        }
        let mut out = Vec::with_capacity(bytes);
        let unit = (self.codec.shape().units.bits / 8).max(1) as usize;
        if code && !self.world.assembly.fill.is_empty() {
            let mut nops: Vec<Vec<u8>> = Vec::new();
            for text in self.world.assembly.fill.clone() {
                if let Ok(statement) = self.codec.read(&text, 0, &isa_engine::no_symbols) {
                    let bits = self.codec.length(statement.form);
                    nops.push(self.codec.shape().units.write(statement.word, bits).collect());
                }
            }
            nops.sort_by_key(Vec::len);
            out.resize(bytes % unit, 0);
            let largest = nops.last().map_or(1, Vec::len);
            // Short ones first, up to a multiple of the longest.
            while out.len() < bytes {
                let rest = bytes - out.len();
                let own =
                    nops.iter().rev().find(|nop| nop.len() <= rest && (nop.len() == largest) == rest.is_multiple_of(largest));
                match own.or_else(|| nops.iter().rev().find(|nop| nop.len() <= rest)) {
                    Some(nop) => out.extend_from_slice(nop),
                    None => out.push(0),
                }
            }
        }
        out.resize(bytes, 0);
        out
    }

    fn space(&mut self, line: &Line, arguments: Arguments<'_>) -> Result<(), Full> {
        let mut all = self.expressions(line, arguments);
        if all.is_empty() {
            return Ok(());
        }
        let count = all.remove(0);
        let value = match all.first() {
            Some(value) => match self.value_now(value) {
                Ok(value) => value.number as u64,
                Err(_) => {
                    self.fault(line, arguments.span(), "the value that fills must be known here");
                    return Ok(());
                }
            },
            None => 0,
        };
        self.add_fill(line, arguments, count, 1, value)
    }

    fn fill(&mut self, line: &Line, arguments: Arguments<'_>) -> Result<(), Full> {
        let mut all = self.expressions(line, arguments);
        if all.is_empty() {
            return Ok(());
        }
        let count = all.remove(0);
        let mut rest = Vec::new();
        for expr in &all {
            match self.value_now(expr) {
                Ok(value) => rest.push(value.number),
                Err(_) => {
                    self.fault(line, arguments.span(), "the size and the value must be known here");
                    return Ok(());
                }
            }
        }
        let width = rest.first().copied().unwrap_or(1);
        if !(0..=8).contains(&width) {
            self.fault(line, arguments.span(), "a size is from 0 to 8 bytes");
            return Ok(());
        }
        self.add_fill(line, arguments, count, width as u32, rest.get(1).map_or(0, |value| *value as u64))
    }

    fn add_fill(&mut self, line: &Line, arguments: Arguments<'_>, count: Expr, width: u32, value: u64) -> Result<(), Full> {
        match self.value_now(&count) {
            Ok(Value { number, .. }) => {
                let Some(bytes) = u64::try_from(number).ok().and_then(|n| n.checked_mul(width.into())) else {
                    self.fault(line, arguments.span(), format!("{number} bytes can't be filled"));
                    return Ok(());
                };
                // What is too large is said before there is room for it.
                self.count(line, bytes)?;
                self.bytes -= bytes;
                let own = self.filling(bytes, Some(value), width.max(1), false);
                self.emit(line, &own, ItemKind::Filled, 0..0)?;
                Ok(())
            }
            Err(Problem::Wrong(at, message)) if !self.is_open(&count) => {
                self.fault(line, shifted(at, arguments.shift), message);
                Ok(())
            }
            Err(_) => {
                let kind = OpenKind::Fill { count: Box::new(count), width, value };
                self.add_open(line, 0, true, kind, ItemKind::Filled, 0..0)
            }
        }
    }

    /// Whether the value of an expression may still come.
    fn is_open(&self, expr: &Expr) -> bool {
        let view = View::new(&self.world, self.position, self.here());
        let value = evaluate(&self.world.syntax, expr, &view);
        value.is_ok() || matches!(value, Err(Problem::Undefined(_)))
    }

    fn org(&mut self, line: &Line, arguments: Arguments<'_>) -> Result<(), Full> {
        let mut all = self.expressions(line, arguments);
        if all.is_empty() {
            return Ok(());
        }
        let to = all.remove(0);
        let fill = all.first().and_then(|value| self.value_now(value).ok()).map_or(0, |value| value.number as u8);
        let is_address = self.world.assembly.org_address;
        if is_address && let Ok(value) = self.value_now(&to) {
            self.go_to(value.number as u64);
            return Ok(());
        }
        let kind = OpenKind::Org { to: Box::new(to), fill, is_address };
        self.add_open(line, 0, true, kind, ItemKind::Filled, 0..0)
    }

    fn begin_section(&mut self, line: &Line, arguments: Arguments<'_>, pushes: bool) {
        let rest = arguments.rest();
        let mut parts = rest.split(',').map(str::trim);
        let name = parts.next().unwrap_or("").trim_matches('"').to_owned();
        if name.is_empty() || name.contains(char::is_whitespace) {
            return self.fault(line, arguments.span(), "expected the name of a section");
        }
        let mut flags = None;
        let (mut given, mut kind) = (None, None);
        for part in parts {
            if part.starts_with('"') {
                given = Some(part.trim_matches('"').to_owned());
            } else {
                kind = kind.or(Some(part.trim_start_matches(['@', '%']).to_owned()));
            }
        }
        if let Some(given) = given {
            if let Some(c) = given.chars().find(|c| !"awxMSGTeo?R0123456789".contains(*c)) {
                return self.fault(
                    line,
                    arguments.span(),
                    format!("`{c}` is no flag of a section: `a` (loaded), `w` (written), `x` (code)"),
                );
            }
            let is_nobits = kind.as_deref() == Some("nobits") || kind.is_none() && name.starts_with(".bss");
            flags = Some(Flags {
                alloc: given.contains('a'),
                write: given.contains('w'),
                code: given.contains('x'),
                nobits: is_nobits,
            });
        }
        if pushes {
            self.pushed.push((self.current, self.previous));
        }
        self.previous = self.current;
        self.section(&name, flags);
    }

    fn common(&mut self, line: &Line, arguments: Arguments<'_>) -> Result<(), Full> {
        let Some((name, from)) = self.name_and(line, arguments) else { return Ok(()) };
        let Some(values) = self.numbers(line, Arguments { from, ..arguments }) else { return Ok(()) };
        let align = values.get(1).and_then(|n| u64::try_from(*n).ok()).unwrap_or(1).max(1);
        let (Ok(size), true) = (u64::try_from(values[0]), align.is_power_of_two()) else {
            self.fault(line, arguments.span(), "expected `symbol, bytes, align`, where `align` is a power of two");
            return Ok(());
        };
        let current = (self.current, self.previous);
        self.section(".bss", None);
        let text = format!(".balign {align}");
        self.align(line, Arguments { text: &text, from: 7, shift: 0 }, AlignBy::Bytes)?;
        let place = self.here();
        let id = self.world.intern(&name) as usize;
        let symbol = &mut self.world.symbols[id];
        if !matches!(symbol.def, Def::Undefined) {
            let first = symbol.line;
            self.fault(line, arguments.span(), format!("`{name}` is already defined at line {first}"));
        } else {
            (symbol.def, symbol.line, symbol.size) = (Def::Label(place), line.number, Some(size));
            symbol.global |= arguments.text.starts_with(".comm");
            self.count(line, size)?;
            self.part().last().bytes.resize(place.offset as usize + size as usize, 0);
        }
        (self.current, self.previous) = current;
        Ok(())
    }

    fn option(&mut self, line: &Line, arguments: Arguments<'_>) {
        let rest = arguments.rest();
        match rest.split([',', ' ']).next().unwrap_or("") {
            "rvc" => self.compress = true,
            "norvc" => self.compress = false,
            "push" => self.kept.push(self.compress),
            "pop" => match self.kept.pop() {
                Some(kept) => self.compress = kept,
                None => self.fault(line, arguments.span(), "there is no `.option push` before this"),
            },
            "relax" | "norelax" | "pic" | "nopic" | "arch" | "csr-check" | "no-csr-check" => {}
            _ => self.fault(
                line,
                arguments.span(),
                format!("there is no option `{rest}`; there are: rvc, norvc, push, pop, relax, norelax, pic, nopic, arch"),
            ),
        }
    }

    fn include(&mut self, line: &Line, arguments: Arguments<'_>) -> Result<(), Full> {
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

    fn incbin(&mut self, line: &Line, arguments: Arguments<'_>) -> Result<(), Full> {
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
                let skip = values.first().map_or(0, |n| usize::try_from(*n).unwrap_or(usize::MAX)).min(bytes.len());
                let count = values.get(1).map_or(usize::MAX, |n| usize::try_from(*n).unwrap_or(0)).min(bytes.len() - skip);
                self.emit(line, &bytes[skip..skip + count], ItemKind::Filled, 0..0)?;
            }
            Err(message) => self.fault(line, arguments.span(), message),
        }
        Ok(())
    }

    /// A file by its name, and where what follows the name begins.
    fn file_name(&mut self, line: &Line, arguments: Arguments<'_>) -> Option<(String, usize)> {
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
