//! Directives that produce bytes or reserve room.

use crate::Full;
use crate::arguments::Arguments;
use crate::assembler::{Assembler, is_gap, shifted};
use crate::deferred::OpenKind;
use crate::directives::AlignBy;
use crate::expr::{Base, Expr, Problem, Value, evaluate, string};
use crate::place::Line;
use crate::program::ItemKind;
use crate::world::View;
use isa_runtime::literal;

/// The bytes from an address to the next multiple of a power of two; 0 if they are more than `most`.
pub(crate) fn gap(address: u64, to: u64, most: u64) -> u64 {
    Some(address.wrapping_neg() & (to - 1)).filter(|bytes| *bytes <= most).unwrap_or(0)
}

impl Assembler<'_> {
    pub(crate) fn data(&mut self, line: &Line, arguments: Arguments<'_>, bytes: u32) -> Result<(), Full> {
        if arguments.rest().starts_with('"') {
            // A string is accepted as in other assemblers: its bytes are numbers.
            return self.strings(line, arguments, false, 1);
        }
        if bytes > 8 {
            return self.long_numbers(line, arguments, bytes);
        }
        for expr in self.expressions(line, arguments) {
            let span = (arguments.shift + expr.at.start) as u32..(arguments.shift + expr.at.end) as u32;
            let view = View::new(&self.world, self.input.position, self.here());
            let value = evaluate(&self.world.syntax, &expr, &view);
            let is_final = !view.state.borrow().tentative;
            let unknown = view.unknown.into_inner();
            self.name_externals(&unknown);
            match value {
                Ok(value) if is_final && !(self.world.relocatable && value.base != Base::None) => {
                    match self.data_bytes(value.number, bytes) {
                        Ok(own) => self.emit(line, &own, ItemKind::Data(bytes), span)?,
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
            let shown = if number < 0 { number.to_string() } else { format!("{number:#x}") };
            return Err(format!("{shown} does not fit {bits} bits: from {least} to {most}"));
        }
        let little: Vec<u8> = number.to_le_bytes().into_iter().take(bytes as usize).collect();
        Ok(if self.codec.shape().units.little_endian { little } else { little.into_iter().rev().collect() })
    }

    pub(crate) fn floats(&mut self, line: &Line, arguments: Arguments<'_>, bytes: u32) -> Result<(), Full> {
        let mut from = arguments.from;
        for part in arguments.text[arguments.from..].split(',') {
            let start = from + part.len() - part.trim_start().len();
            let span = arguments.shift + start..arguments.shift + start + part.trim().len();
            from += part.len() + 1;
            // GNU as writes `0f1.5`, with a letter that has no meaning, and all bits of NaN are ones.
            let text = part.trim().strip_prefix('0').and_then(|rest| rest.strip_prefix(['f', 'F', 'd', 'D', 'r', 'R', 's', 'S']));
            let text = text.unwrap_or(part.trim());
            let nan = |sign: bool| if sign { u64::MAX } else { u64::MAX >> 1 };
            let bits = match bytes {
                4 => text.parse::<f32>().ok().map(
                    |n| {
                        if n.is_nan() { nan(n.is_sign_negative()) >> 32 } else { n.to_bits().into() }
                    },
                ),
                _ => text.parse::<f64>().ok().map(|n| if n.is_nan() { nan(n.is_sign_negative()) } else { n.to_bits() }),
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

    /// Numbers of more than 64 bits, which no expression has.
    fn long_numbers(&mut self, line: &Line, arguments: Arguments<'_>, bytes: u32) -> Result<(), Full> {
        for part in arguments.rest().split(',').map(str::trim) {
            let Ok(number) = literal::number(part) else {
                let expr = self.parse(part, 0).ok();
                let Some(number) = expr.and_then(|expr| self.number_now(line, &expr, arguments.shift)) else {
                    self.fault(line, arguments.span(), format!("`{part}` is not a number of {} bits", bytes * 8));
                    continue;
                };
                let own = self.data_bytes(number, bytes).unwrap_or_default();
                self.emit(line, &own, ItemKind::Data(bytes), 0..0)?;
                continue;
            };
            let value = if number.negative { number.magnitude.wrapping_neg() } else { number.magnitude };
            let own = self.data_bytes(value as i128, bytes).unwrap_or_default();
            self.emit(line, &own, ItemKind::Data(bytes), 0..0)?;
        }
        Ok(())
    }

    pub(crate) fn leb(&mut self, line: &Line, arguments: Arguments<'_>, is_signed: bool) -> Result<(), Full> {
        for mut number in self.numbers(line, arguments).unwrap_or_default() {
            if number < 0 && !is_signed {
                self.fault(line, arguments.span(), format!("{number} has a sign, for which there is `.sleb128`"));
                continue;
            }
            let mut bytes = Vec::new();
            loop {
                let low = (number & 0x7f) as u8;
                number >>= 7;
                // The rest has the sign of the last byte.
                let is_last = if is_signed { number == if low & 0x40 == 0 { 0 } else { -1 } } else { number == 0 };
                bytes.push(if is_last { low } else { low | 0x80 });
                if is_last {
                    break;
                }
            }
            self.emit(line, &bytes, ItemKind::Data(1), 0..0)?;
        }
        Ok(())
    }

    pub(crate) fn strings(&mut self, line: &Line, arguments: Arguments<'_>, has_end: bool, width: usize) -> Result<(), Full> {
        let mut at = arguments.start();
        loop {
            match string(&arguments.text[at..]) {
                Ok((mut bytes, length)) => {
                    if has_end {
                        bytes.push(0);
                    }
                    if width > 1 {
                        let wide = bytes.iter().map(|byte| self.data_bytes((*byte).into(), width as u32).unwrap_or_default());
                        bytes = wide.flatten().collect();
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

    pub(crate) fn align(&mut self, line: &Line, arguments: Arguments<'_>, by: AlignBy, width: u32) -> Result<(), Full> {
        // The value can be omitted: `.balign 4,,2`.
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
        self.align_to(line, to, (fill, width), most)
    }

    /// Continues at a multiple of a power of two; the value that fills the gap has a number of bytes.
    pub(crate) fn align_to(&mut self, line: &Line, to: u64, (fill, width): (Option<u64>, u32), most: u64) -> Result<(), Full> {
        let place = self.here();
        let (address, is_final) = self.world.address(place);
        let part = self.part();
        part.align = part.align.max(to);
        let code = part.flags.code;
        let kind = OpenKind::Align { to, fill, width, most, code };
        let need = gap(address, to, most);
        if is_final || self.world.relocatable && self.part().is_fixed(place.frag) {
            if need > 0 && (fill.is_some() || !code) {
                return self.emit_filling(line, need, fill.unwrap_or(0), width);
            }
            let own = self.filling(need, None, 1, code);
            if !own.is_empty() {
                self.emit(line, &own, ItemKind::Filled, 0..0)?;
            }
            return Ok(());
        }
        self.add_open(line, need, true, kind, ItemKind::Filled, 0..0)
    }

    /// The bytes that fill a gap of `bytes` bytes; none for a large gap of zeros.
    pub(crate) fn filling(&mut self, bytes: u64, value: Option<u64>, width: u32, code: bool) -> Vec<u8> {
        if is_gap(bytes, value.unwrap_or(u64::from(code))) {
            return Vec::new();
        }
        let bytes = bytes as usize;
        if let Some(value) = value {
            let own = self.data_bytes(i128::from(value) & (256i128.pow(width.min(8)) - 1), width.min(8)).unwrap_or_default();
            return own.into_iter().cycle().take(bytes).collect();
        }
        let unit = (self.codec.shape().units.bits / 8).max(1) as usize;
        let mut out = vec![0; if code { bytes % unit } else { bytes }];
        if let Some(nops) = self.nops(bytes - out.len()) {
            out.extend(nops);
        }
        out.resize(bytes, 0);
        out
    }

    /// The instructions that fill a gap of `bytes` bytes, short ones first, up to a multiple of the longest; `None` if they don't
    /// fill it.
    pub(crate) fn nops(&mut self, bytes: usize) -> Option<Vec<u8>> {
        let (mut nops, mut out) = (Vec::<Vec<u8>>::new(), Vec::new());
        for text in self.world.assembly.fill.clone() {
            if let Ok(statement) = self.codec.read(&text, 0, &isa_engine::no_symbols) {
                let bits = self.codec.length(statement.form);
                nops.push(self.codec.shape().units.write(statement.word, bits).collect());
            }
        }
        nops.sort_by_key(|nop| std::cmp::Reverse(nop.len()));
        let largest = nops.first().map_or(1, Vec::len);
        while out.len() < bytes {
            let rest = bytes - out.len();
            let is_due = |nop: &&Vec<u8>| nop.len() <= rest && (nop.len() == largest) == rest.is_multiple_of(largest);
            let own = nops.iter().find(is_due).or_else(|| nops.iter().find(|nop| nop.len() <= rest));
            out.extend_from_slice(own?);
        }
        Some(out)
    }

    pub(crate) fn space(&mut self, line: &Line, arguments: Arguments<'_>) -> Result<(), Full> {
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

    pub(crate) fn fill(&mut self, line: &Line, arguments: Arguments<'_>) -> Result<(), Full> {
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

    pub(crate) fn add_fill(
        &mut self,
        line: &Line,
        arguments: Arguments<'_>,
        count: Expr,
        width: u32,
        value: u64,
    ) -> Result<(), Full> {
        match self.value_now(&count) {
            Ok(Value { number, .. }) => {
                let Some(bytes) = u64::try_from(number).ok().and_then(|n| n.checked_mul(width.into())) else {
                    self.fault(line, arguments.span(), format!("{number} bytes can't be filled"));
                    return Ok(());
                };
                self.emit_filling(line, bytes, value, width)
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

    /// True if the value of an expression may become known later.
    pub(crate) fn is_open(&self, expr: &Expr) -> bool {
        matches!(self.world.evaluate(expr, self.input.position, self.here()), Ok(_) | Err(Problem::Undefined(_)))
    }

    pub(crate) fn reloc(&mut self, line: &Line, arguments: Arguments<'_>) -> Result<(), Full> {
        let all = self.expressions(line, arguments);
        let Ok([offset, kind, value]) = <[Expr; 3]>::try_from(all) else {
            self.fault(line, arguments.span(), "expected an offset, the number of a relocation, and a value");
            return Ok(());
        };
        let number = self.number_now(line, &kind, arguments.shift);
        let Some(kind) = number.and_then(|kind| u32::try_from(kind).ok()).filter(|_| self.world.relocatable) else {
            self.fault(line, arguments.span(), "a relocation has a number, and needs an object file");
            return Ok(());
        };
        self.name_symbols(&value);
        let open = OpenKind::Reloc { offset: Box::new(offset), kind, value: Box::new(value) };
        self.add_open(line, 0, false, open, ItemKind::Filled, 0..0)
    }

    /// Notes the symbols of an expression that may be defined in other object files.
    fn name_symbols(&mut self, expr: &Expr) {
        let view = View::new(&self.world, self.input.position, self.here());
        let _ = evaluate(&self.world.syntax, expr, &view);
        let unknown = view.unknown.into_inner();
        self.name_externals(&unknown);
    }

    pub(crate) fn org(&mut self, line: &Line, arguments: Arguments<'_>) -> Result<(), Full> {
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
}
