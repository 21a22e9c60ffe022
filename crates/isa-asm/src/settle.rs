//! The end of a program: sections get their addresses, and open statements their sizes and bytes.

use crate::assembler::{Assembler, Asserted, MOST_BYTES, shifted};
use crate::data::gap;
use crate::deferred::{Open, OpenInstruction, OpenKind};
use crate::expr::{Base, Problem, Value};
use crate::instruction::is_elsewhere;
use crate::instruction::{UNEXPLAINED, read, said, try_read};
use crate::place::Fault;
use crate::placed::Run;
use crate::program::{ItemKind, Program, Relocation, RelocationOf, Section, Symbol};
use crate::relocate::Field;
use crate::section::{Frag, Frags, Part, Place};
use crate::world::{Assigned, Def, View, World};
use isa_engine::Statement;
use object::elf;
use std::ops::Range;

/// The limit of rounds in which sizes are recomputed until they are stable.
const ROUNDS: usize = 200;

impl World {
    /// Sets the address of every section and everything in it from the sizes.
    fn place(&mut self) {
        for part in &mut self.parts {
            part.place(0, part.frags.len() - 1);
        }
        if self.relocatable {
            return;
        }
        // Sections without bytes in files come after all others.
        let mut end = 0u64;
        for nobits in [false, true] {
            for part in self.parts.iter_mut().filter(|part| part.flags.nobits == nobits) {
                match part.address {
                    Some(address) => part.base = address,
                    None if !part.flags.alloc => part.base = 0,
                    None => part.base = end.next_multiple_of(part.align.max(1)),
                }
                if part.flags.alloc && !part.is_empty() {
                    end = part.base.saturating_add(part.size());
                }
            }
        }
    }
}

impl Assembler<'_> {
    /// Ends the program.
    pub fn finish(mut self) -> Program {
        self.check_ended();
        self.fill_ends();
        self.world.place();
        self.world.is_complete = true;
        self.settle();
        self.check_size();
        let mut relocations = Vec::new();
        let open = std::mem::take(&mut self.pending.open);
        self.world.applied.borrow_mut().clear();
        self.pending.has_anchors = false;
        for own in &open {
            self.close(own, &open, &mut relocations);
        }
        self.alter();
        self.check_asserted();
        self.check_assigned();
        self.check_overlaps();
        self.check_zeros();
        self.program(relocations)
    }

    fn check_ended(&mut self) {
        if let Some((number, text, fault)) = self.take_unclosed() {
            let line = self.line_of(number, &text);
            self.fault(&line, fault.at, fault.message);
        }
        self.check_collected();
        if let Some((line, at)) = self.conditions.end_to(0) {
            self.fault(&line, at, "this does not end: there is no `.endif` behind it");
        }
    }

    /// Refuses a program in which the statements of unknown size have become too large together.
    fn check_size(&mut self) {
        let size = self.world.parts.iter().fold(0u64, |all, part| all.saturating_add(part.size()));
        if size <= MOST_BYTES {
            return;
        }
        let line = self.line_of(self.input.source.last(), "");
        self.fault(&line, 0..0, format!("a program has at most {MOST_BYTES} bytes, and this one {size}"));
        self.items.retain(|item| matches!(item.kind, ItemKind::Fault(_)));
        self.pending.open.clear();
        self.pending.altered.clear();
        self.world.parts.iter_mut().for_each(|part| part.frags = vec![Frag::default()]);
    }

    /// Fills code up to the alignment of its section, as GNU as does.
    fn fill_ends(&mut self) {
        if self.world.assembly.fill.is_empty() {
            return;
        }
        for part in 0..self.world.parts.len() {
            let Part { align, flags, .. } = self.world.parts[part];
            if align > 1 && flags.code && !self.world.parts[part].is_empty() {
                self.sections.current = part;
                let line = self.line_of(self.input.source.last(), "");
                // There is room: it is less than an earlier alignment.
                let _ = self.align_to(&line, align, (None, 1), u64::MAX);
            }
        }
    }

    /// Computes the sizes of open statements.
    fn settle(&mut self) {
        let open = std::mem::take(&mut self.pending.open);
        let is_word = |open: &&Open| matches!(open.kind, OpenKind::Instruction(_));
        let (mut words, gaps): (Vec<&Open>, Vec<&Open>) = open.iter().filter(|open| open.is_tail).partition(is_word);
        let longest = self.codec.shape().lengths.last().map_or(0, |bits| u64::from(bits.div_ceil(8)));
        for round in 0..ROUNDS {
            let mut has_changed = false;
            self.world.applied.borrow_mut().clear();
            if self.world.has_missed.take() {
                self.read_anchors(&open);
            }
            words.retain(|open| {
                // Short words become long ones, but never short again: so this terminates.
                has_changed |= self.resize(open, true);
                // A statement with its largest size is not examined again.
                !matches!(&open.kind, OpenKind::Instruction(own) if !own.is_far && self.frag_size(open.place) == longest)
            });
            if has_changed {
                self.world.place();
            }
            // The size of a gap depends on those before it, which would take a round each if all were computed from the places of
            // the last round.
            let mut placed = vec![0; self.world.parts.len()];
            for open in &gaps {
                let (part, frag) = (open.place.part as usize, open.place.frag as usize);
                self.world.parts[part].place(placed[part], frag);
                placed[part] = frag;
                // A size that alternates is fixed at the largest.
                has_changed |= self.resize(open, round > ROUNDS / 2);
            }
            if !has_changed {
                break;
            }
            self.world.place();
        }
        self.pending.open = open;
    }

    /// Computes the size of an open statement, which with `only_grows` does not become smaller; returns true if it changes.
    fn resize(&mut self, open: &Open, only_grows: bool) -> bool {
        let before = self.frag_size(open.place);
        let size = self.size(open).unwrap_or(before);
        let size = if only_grows { size.max(before) } else { size };
        self.world.parts[open.place.part as usize].frags[open.place.frag as usize].size = size;
        size != before
    }

    /// Reads the statements that paired modifiers refer to, at their current places.
    fn read_anchors(&mut self, open: &[Open]) {
        for open in open {
            if let OpenKind::Instruction(own) = &open.kind
                && own.is_anchor
            {
                let address = self.world.address(open.place).0;
                let _ = self.try_open(open, own, own.text(&open.line), address);
            }
        }
        self.world.has_missed.set(false);
    }

    fn frag_size(&self, place: Place) -> u64 {
        self.world.parts[place.part as usize].frags[place.frag as usize].size
    }

    /// The size of an open statement, if it is known.
    fn size(&mut self, open: &Open) -> Option<u64> {
        let (address, _) = self.world.address(open.place);
        match &open.kind {
            OpenKind::Instruction(own) => {
                if self.is_kept(open, own) {
                    return Some(self.frag_size(open.place));
                }
                let text = own.text(&open.line);
                match self.try_open(open, own, text, address) {
                    (Some((statement, looked)), _) => {
                        let size = self.codec.length(statement.form).div_ceil(8).into();
                        self.keep(open, own, statement, &looked);
                        Some(size)
                    }
                    (None, unknown) if unknown.is_empty() => self.far_bytes(open, own, text).map(|bytes| bytes.len() as u64),
                    (None, _) => None,
                }
            }
            OpenKind::Align { to, most, .. } => Some(gap(address, *to, *most)),
            OpenKind::Fill { count, width, .. } => {
                let count = self.value(open, count).ok()?.number;
                u64::try_from(count).ok()?.checked_mul((*width).into()).filter(|size| *size <= MOST_BYTES)
            }
            OpenKind::Org { to, is_address, .. } => {
                let bytes = self.bytes_to(open, to, *is_address).ok()?;
                u64::try_from(bytes).ok().filter(|size| *size <= MOST_BYTES)
            }
            OpenKind::Data { bytes, .. } => Some((*bytes).into()),
            OpenKind::Reloc { .. } => Some(0),
        }
    }

    /// The bytes up to the target of `.org`.
    fn bytes_to(&self, open: &Open, to: &crate::expr::Expr, is_address: bool) -> Result<i128, Problem> {
        let to = self.value(open, to)?;
        let begin = self.world.parts[open.place.part as usize].base;
        let from = if is_address || to.base != Base::None { 0 } else { begin };
        Ok(to.number + i128::from(from) - i128::from(self.world.address(open.place).0))
    }

    fn value(&self, open: &Open, expr: &crate::expr::Expr) -> Result<Value, Problem> {
        self.world.evaluate(expr, open.position, open.place)
    }

    /// The bytes of the expansion of an instruction that does not reach its target.
    fn far_bytes(&mut self, open: &Open, own: &OpenInstruction, text: &str) -> Option<Vec<u8>> {
        self.set_style(own.compress);
        let statements = if own.is_far && open.is_tail { self.far(text)? } else { return None };
        let start = self.world.address(open.place).0;
        let (mut bytes, mut end): (Vec<u8>, u64) = (Vec::new(), 0);
        // `{end}` is the end of the words of the attempt before.
        for _ in 0..3 {
            bytes.clear();
            for text in &statements {
                let place = Place { offset: open.place.offset + bytes.len() as u32, ..open.place };
                let view = View::new(&self.world, open.position, place);
                let address = self.world.address(place).0;
                let text = text.replace("{end}", &format!("{:#x}", start.wrapping_add(end)));
                let statement = try_read(&mut *self.codec, &text, address, &view)?;
                bytes.extend(self.codec.shape().units.write(statement.word, self.codec.length(statement.form)));
            }
            if end == bytes.len() as u64 {
                break;
            }
            end = bytes.len() as u64;
        }
        Some(bytes)
    }

    /// Writes an open statement.
    fn close(&mut self, open: &Open, all: &[Open], relocations: &mut Vec<Relocation>) {
        let size = if open.is_tail { self.frag_size(open.place) } else { 0 };
        let result = match &open.kind {
            OpenKind::Instruction(own) => self.close_instruction(open, own, all, relocations),
            OpenKind::Data { value, bytes } => {
                let shift = self.items[open.item as usize].at.start as usize - value.at.start;
                match self.value(open, value) {
                    Ok(own) => {
                        let relocated = self.world.relocatable && own.base != Base::None;
                        let field = Field { modifier: "", bits: None, data: *bytes };
                        let result = match relocated {
                            true => self.relocate(open, own, field, relocations).map(|()| 0),
                            false => Ok(own.number),
                        };
                        let result = result.and_then(|number| self.data_bytes(number, *bytes));
                        result.map_err(|message| (shifted(value.at.clone(), shift), message))
                    }
                    Err(problem) => {
                        let (at, message) = problem.said(value.at.clone());
                        Err((shifted(at, shift), message))
                    }
                }
            }
            OpenKind::Reloc { offset, kind, value } => {
                let found = self.value(open, offset).and_then(|offset| Ok((offset, self.value(open, value)?)));
                let found = found.map_err(|problem| problem.said(0..0).1).and_then(|(offset, value)| {
                    let target = value.base.origin().and_then(|of| self.target("", of, value.symbol, value.addend));
                    let (of, addend) = target.ok_or("the value of a relocation is a symbol, perhaps with an offset")?;
                    let section = open.place.part as usize;
                    let size = self.world.parts[section].size();
                    let inside = u64::try_from(offset.number).ok().filter(|offset| *offset <= size);
                    let offset =
                        inside.ok_or_else(|| format!("{} is not in this section, which has {size} bytes", offset.number))?;
                    relocations.push(Relocation { section, offset, kind: *kind, of, addend: addend as i64 });
                    Ok(Vec::new())
                });
                found.map_err(|message| (open.line.trimmed(), message))
            }
            OpenKind::Align { fill, width, code, .. } => Ok(self.filling(size, *fill, *width, *code)),
            OpenKind::Fill { count, width, value } => match self.size(open) {
                Some(own) if own == size => Ok(self.filling(size, Some(*value), (*width).max(1), false)),
                _ => Err(self.why_not(open, count, "bytes that can be filled")),
            },
            OpenKind::Org { to, fill, is_address } => match self.size(open) {
                Some(own) if own == size => Ok(self.filling(size, Some((*fill).into()), 1, false)),
                _ => {
                    let is_far = self.bytes_to(open, to, *is_address).is_ok_and(|bytes| bytes > MOST_BYTES.into());
                    let far = format!("a place within {MOST_BYTES:#x} bytes, as many as a program has at most");
                    Err(self.why_not(open, to, if is_far { &far } else { "a place behind this one" }))
                }
            },
        };
        match result {
            Ok(bytes) => {
                let frag = &mut self.world.parts[open.place.part as usize].frags[open.place.frag as usize];
                self.items[open.item as usize].length = if bytes.is_empty() { size as u32 } else { bytes.len() as u32 };
                match open.is_tail {
                    true => frag.tail = bytes,
                    false => {
                        let from = open.place.offset as usize;
                        if let Some(room) = frag.bytes.get_mut(from..from + bytes.len()) {
                            room.copy_from_slice(&bytes);
                        }
                    }
                }
            }
            Err((at, message)) => {
                // An error reported elsewhere is not reported again.
                if !message.is_empty() {
                    let fault = Fault::new(&open.line, at, message);
                    self.items[open.item as usize].kind = ItemKind::Fault(self.faults.len() as u32);
                    self.faults.push(fault);
                }
            }
        }
    }

    fn why_not(&self, open: &Open, expr: &crate::expr::Expr, what: &str) -> (Range<usize>, String) {
        let at = open.line.trimmed();
        match self.value(open, expr) {
            Ok(value) => (at, format!("{:#x} is not {what}", value.number)),
            Err(problem) => (at.clone(), problem.said(at).1),
        }
    }

    fn close_instruction(
        &mut self,
        open: &Open,
        own: &OpenInstruction,
        all: &[Open],
        relocations: &mut Vec<Relocation>,
    ) -> Result<Vec<u8>, (Range<usize>, String)> {
        let (text, at) = (own.text(&open.line), own.at as usize);
        let (address, _) = self.world.address(open.place);
        let size = if open.is_tail { self.frag_size(open.place) } else { self.items[open.item as usize].length.into() };
        if self.is_kept(open, own) {
            let frag = &mut self.world.parts[open.place.part as usize].frags[open.place.frag as usize];
            let from = open.place.offset as usize;
            let bytes =
                if open.is_tail { std::mem::take(&mut frag.tail) } else { frag.bytes[from..from + size as usize].to_vec() };
            if bytes.len() as u64 == size {
                return Ok(bytes);
            }
        }
        let (mut found, mut unknown) = self.try_open(open, own, text, address);
        if self.world.has_missed.take() && !self.pending.has_anchors {
            // A statement refers to one that follows.
            self.pending.has_anchors = true;
            self.read_anchors(all);
            (found, unknown) = self.try_open(open, own, text, address);
        }
        let has_size = |own: &Self, statement: &Statement| u64::from(own.codec.length(statement.form).div_ceil(8)) == size;
        if !found.as_ref().is_some_and(|(statement, _)| has_size(self, statement)) {
            if unknown.is_empty()
                && let Some(bytes) = self.far_bytes(open, own, text).filter(|bytes| bytes.len() as u64 == size)
            {
                self.items[open.item as usize].kind = ItemKind::Filled;
                return Ok(bytes);
            }
            if found.is_some() {
                // It has become longer than necessary.
                let long = format!("{text} {{{} bits}}", size * 8);
                let short = std::mem::replace(&mut found, self.try_open(open, own, &long, address).0);
                if found.is_none()
                    && let Some(bytes) = short.and_then(|(statement, _)| self.padded(&statement, size as usize))
                {
                    self.items[open.item as usize].kind = ItemKind::Filled;
                    return Ok(bytes);
                }
            }
        }
        let Some((statement, looked)) = found else {
            if !self.words.explains {
                return Err((at..at + text.len(), UNEXPLAINED.to_owned()));
            }
            self.set_style(own.compress);
            let view = View::new(&self.world, open.position, open.place);
            return Err(match read(&mut *self.codec, text, address, &view) {
                Err(error) => said(error, &view.state.into_inner(), &view.unknown.into_inner(), text, at),
                Ok(_) => (at..at + text.len(), format!("this has become {} bits long, and is none of them then", size * 8)),
            });
        };
        if let Some(value) = looked.based.filter(|value| self.world.relocatable && is_elsewhere(&self.world, *value, open.place))
        {
            let field = self.field_of_symbol(open, text, address, &statement);
            let modifier = match value.base {
                Base::Modified { modifier, .. } => self.world.syntax.modifiers[usize::from(modifier)].name.clone(),
                _ => String::new(),
            };
            let field = Field { modifier: &modifier, bits: field.as_deref(), data: 0 };
            self.relocate(open, value, field, relocations).map_err(|message| (at..at + text.len(), message))?;
        }
        let bits = self.codec.length(statement.form);
        let bytes = self.codec.shape().units.write(statement.word, bits).collect();
        let item = &mut self.items[open.item as usize];
        item.kind = ItemKind::word(statement, true, self.codec.is_text());
        Ok(bytes)
    }

    /// The bytes of a word that is shorter than its room, with instructions behind it that do nothing.
    fn padded(&mut self, statement: &Statement, size: usize) -> Option<Vec<u8>> {
        let bits = self.codec.length(statement.form);
        let mut bytes: Vec<u8> = self.codec.shape().units.write(statement.word, bits).collect();
        bytes.extend(self.nops(size.checked_sub(bytes.len())?)?);
        Some(bytes)
    }

    /// Writes other values of some bits into words.
    fn alter(&mut self) {
        let units = self.codec.shape().units;
        for (number, mask, value) in std::mem::take(&mut self.pending.altered) {
            let item = &mut self.items[number as usize];
            let frag = &mut self.world.parts[item.place.part as usize].frags[item.place.frag as usize];
            let from = if item.is_tail { 0 } else { item.place.offset as usize };
            let room = if item.is_tail { &mut frag.tail } else { &mut frag.bytes };
            if let (Some(own), ItemKind::Word { .. }) = (room.get_mut(from..from + item.length as usize), &item.kind) {
                let word = units.read(own) & !mask | value;
                own.iter_mut().zip(units.write(word, item.length * 8)).for_each(|(byte, new)| *byte = new);
                item.kind = ItemKind::Data(item.length);
            }
        }
    }

    fn check_asserted(&mut self) {
        for Asserted { line, position, place, at, expr, message } in std::mem::take(&mut self.pending.asserted) {
            let wrong = match self.world.evaluate(&expr, position, place) {
                Ok(value) if value.number != 0 => continue,
                Ok(_) if message.is_empty() => "this does not hold".to_owned(),
                Ok(_) => message,
                Err(problem) => problem.said(at.clone()).1,
            };
            self.faults.push(Fault::new(&line, at, wrong));
        }
    }

    /// Reports the assignments that have no value, used or not.
    fn check_assigned(&mut self) {
        for Assigned { line, position, place, value, shift } in std::mem::take(&mut self.pending.later) {
            let (at, message) = match self.world.evaluate(&value, position, place) {
                Ok(_) => continue,
                // A symbol that the value of another one lacks is reported there.
                Err(Problem::Undefined(name)) => match value.place_of(&name) {
                    Some(at) => (at, format!("there is no symbol `{name}`")),
                    None => continue,
                },
                // Such an error has been reported at the uses.
                Err(Problem::Wrong(_, message)) if self.faults.iter().any(|fault| fault.message.starts_with(&message)) => {
                    continue;
                }
                Err(Problem::Wrong(at, message)) => (at, message),
            };
            self.faults.push(Fault::new(&line, shifted(at, shift), message));
        }
    }

    /// Reports statements at addresses that are already used.
    fn check_overlaps(&mut self) {
        if self.world.relocatable || self.codec.is_text() || self.options.overlaps {
            return;
        }
        let mut placed = std::mem::take(&mut self.placed);
        let mut wrong = Vec::new();
        for (number, item) in self.items.iter().enumerate() {
            let part = &self.world.parts[item.place.part as usize];
            if item.length == 0 || !part.flags.alloc || matches!(item.kind, ItemKind::Fault(_)) {
                continue;
            }
            let (address, _) = self.world.address(item.place);
            let added = placed.add(Run::one(address, item.length.into(), item.line as usize));
            // For a line with several numbers, it is reported once.
            let is_said = |line| wrong.last().is_some_and(|(other, _): &(usize, String)| self.items[*other].line == line);
            if let Err(message) = added
                && !is_said(item.line)
            {
                wrong.push((number, message));
            }
        }
        self.report_items(wrong);
    }

    /// Reports statements that put anything but zeros where files have no bytes.
    fn check_zeros(&mut self) {
        let is_wrong = |item: &crate::program::Item| {
            let part = &self.world.parts[item.place.part as usize];
            let Some(frag) = part.frags.get(item.place.frag as usize) else { return false };
            let from = item.place.offset as usize;
            let own = if item.is_tail { Some(&*frag.tail) } else { frag.bytes.get(from..from + item.length as usize) };
            let is_zero = own.is_none_or(|own| own.iter().all(|byte| *byte == 0));
            part.flags.nobits && !matches!(item.kind, ItemKind::Fault(_)) && !is_zero
        };
        let wrong = self.items.iter().enumerate().filter(|(_, item)| is_wrong(item)).map(|(number, item)| {
            let name = &self.world.parts[item.place.part as usize].name;
            (number, format!("the section `{name}` has only zeros, because it has no bytes in files"))
        });
        let wrong = wrong.collect();
        self.report_items(wrong);
    }

    fn report_items(&mut self, wrong: Vec<(usize, String)>) {
        for (number, message) in wrong {
            let line = self.items[number].line as usize;
            let line = self.line_of(line, self.input.source.line(line));
            let at = line.trimmed();
            self.items[number].kind = ItemKind::Fault(self.faults.len() as u32);
            self.faults.push(Fault::new(&line, at, message));
        }
    }

    /// The assembled program.
    fn program(mut self, relocations: Vec<Relocation>) -> Program {
        let part = |part: &Part| Section {
            name: part.name.clone(),
            address: part.base,
            size: part.size(),
            align: part.align.max(1),
            is_loaded: part.flags.alloc,
            is_written: part.flags.write,
            is_code: part.flags.code,
            is_empty_in_files: part.flags.nobits,
            group: part.group.map(|group| group as usize),
            kind: part.flags.kind,
            flags: part.flags.others,
        };
        let sections = self.world.parts.iter().map(part).collect();
        let kinds: Vec<u32> = self.world.assembly.relocations.iter().filter(|own| own.thread).map(|own| own.number).collect();
        let mut of_threads = vec![false; self.world.symbols.len()];
        for Relocation { kind, of, .. } in &relocations {
            if let (RelocationOf::Symbol(symbol), true) = (*of, kinds.contains(kind)) {
                of_threads[symbol] = true;
            }
        }
        let symbols = self.world.symbols.iter().enumerate().map(|(number, symbol)| {
            let place = Place { part: 0, frag: 0, offset: 0 };
            let view = View::new(&self.world, u32::MAX, place);
            let value = match &symbol.def {
                Def::Undefined => None,
                _ => crate::expr::Scope::symbol(&view, &symbol.name).ok(),
            };
            let section = value.and_then(|value| if let Base::Section(part) = value.base { Some(part as usize) } else { None });
            let is_of_threads = match section {
                Some(part) => self.world.parts[part].flags.others & elf::SHF_TLS.0 != 0,
                None => of_threads[number],
            };
            // Another name of a symbol is one for what has that symbol's type and size.
            let like = match &symbol.def {
                Def::Value(value) => value.symbol,
                Def::Later(value, place, position) => {
                    self.world.evaluate(value, *position, *place).ok().and_then(|value| value.symbol)
                }
                Def::Undefined | Def::Label(_) => None,
            };
            let like = like.map_or(symbol, |of| &self.world.symbols[of as usize]);
            let kind = if symbol.kind == elf::STT_NOTYPE.0 { like.kind } else { symbol.kind };
            Symbol {
                name: symbol.name.clone(),
                value: value.map_or(0, |value| value.number as u64),
                section,
                is_defined: !matches!(symbol.def, Def::Undefined),
                is_global: symbol.global,
                is_weak: symbol.weak,
                size: symbol.size.or(like.size).unwrap_or(0),
                kind: if is_of_threads { elf::STT_TLS.0 } else { kind },
                visibility: symbol.visibility,
                common: symbol.common,
            }
        });
        let symbols = symbols.collect();
        let mut lengths = std::collections::BTreeSet::from([0]);
        for item in &self.items {
            if let ItemKind::Word { form, .. } = item.kind {
                lengths.insert(self.codec.length(form as usize));
            }
        }
        let flags =
            self.world.assembly.flags.iter().filter(|(bits, _)| lengths.contains(bits)).fold(0, |all, (_, flags)| all | flags);
        let (is_64, is_little) = (self.world.assembly.address > 32, self.codec.shape().units.little_endian);
        let (items, source) = (std::mem::take(&mut self.items), std::mem::take(&mut self.input.source));
        let faults = std::mem::take(&mut self.faults);
        Program { items, source, world: Frags(self.world.parts), sections, symbols, faults, relocations, flags, is_64, is_little }
    }
}
