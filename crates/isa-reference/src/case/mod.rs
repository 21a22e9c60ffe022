//! One instruction on given inputs: `TEXT⇥NAME=VALUE⇥…` to `NAME=0x…⇥…`.

mod place;

pub use place::Place;

use crate::codec::{Object, Statement, Why};
use crate::eval::{self, Address, Reference, Scene, State, Trace, Written};
use isa_asm::Options;
use isa_asm::lines::Comments;
use isa_engine::Codec as _;
use isa_sim::{AnyEngine, Engine, MachineInfo, Register, State as _, TroubleKind};
use isa_spec::model::{Isa, Label, Named, Raw, Word, shown_fields};
use isa_spec::semantics::Int;
use isa_spec::semantics::machine::{LAUNCH_VALUES, StateKind};
use std::ops::Range;

/// The error of a case.
pub struct CaseFault {
    /// The bytes of the line.
    pub at: Range<usize>,
    /// The reason.
    pub message: String,
}

/// Runs cases of one instruction set.
pub struct Evaluator<'a> {
    isa: &'a Isa,
    reference: Reference<'a>,
    comments: Comments,
    variants: Vec<usize>,
    /// The state before anything is set.
    blank: State,
    /// The engine was requested explicitly.
    is_asked: bool,
}

/// `NAME=VALUE` of a case.
struct Setting {
    at: Range<usize>,
    place: Place,
    value: Int,
    /// The number of bits that are set.
    width: u32,
}

/// `1 bit`, `16 bits`
fn count(n: u32, what: &str) -> String {
    format!("{n} {what}{}", if n == 1 { "" } else { "s" })
}

impl<'a> Evaluator<'a> {
    /// With the number of the value of each variant, and whether the engine was requested explicitly.
    pub fn new(isa: &'a Isa, reference: Reference<'a>, variants: Vec<usize>, is_asked: bool) -> Self {
        Self { isa, comments: Comments::new(&isa.assembly), variants, blank: reference.state(), reference, is_asked }
    }

    /// The output for the case of a line; `None` for a line without one. With another engine, the results are those of that
    /// engine.
    pub fn case(&self, line: &str, engine: Option<&dyn AnyEngine>) -> Result<Option<String>, CaseFault> {
        let (head, rest) = line.split_once('\t').unwrap_or((line, ""));
        let head = self.comments.strip(head);
        let begin = head.len() - head.trim_start().len();
        let text = head.trim();
        if text.is_empty() && rest.trim().is_empty() {
            return Ok(None);
        }
        let parse = |address| {
            self.reference.codec().parse_statement(text, address, &|_| None).map_err(|error| {
                if let Some(message) = self.expansion(text) {
                    return CaseFault { at: begin..begin + text.len(), message };
                }
                let at = begin + error.at.min(text.len());
                CaseFault { at: at..at + head[at..].chars().next().map_or(0, char::len_utf8), message: error.to_string() }
            })
        };
        // A word that the machine executes may have no text.
        let given = self.word(text);
        // The names that a program gives are known once the text is read; they do not depend on its address.
        let named = if self.isa.is_text() { Some(parse(0)?) } else { None };
        let names = Names::new(self.isa, named.as_ref());
        let settings = self.settings(rest, line.len() - rest.len(), &names)?;
        let set = |place: Place| settings.iter().find(|s| s.place == place).map(|s| s.value.low());
        let mut scene = self.reference.scene();
        scene.variants.clone_from(&self.variants);
        scene.lane = set(Place::Lane).unwrap_or(0) as usize;
        scene.pc = set(Place::Pc).unwrap_or(0);
        let whole = || begin..begin + text.len();
        let (form, word, given) = match (named, given) {
            (Some(Statement { form, word, .. }), _) => (form, word, word),
            (None, Some((given, bits))) => {
                let fault = |why: Why<'_>| CaseFault { at: whole(), message: why.to_string() };
                let (form, word) = self.reference.decode(given, bits).map_err(fault)?;
                (form, word, given)
            }
            (None, None) => {
                let Statement { form, word, .. } = parse(scene.pc)?;
                (form, word, word)
            }
        };
        let op = self.reference.op(form, word).map_err(|why| CaseFault { at: whole(), message: why.to_string() })?;
        scene.next = scene.pc.wrapping_add(u64::from(self.isa.form(form).length.div_ceil(8)));
        let mut state = self.blank.clone();
        for setting in &settings {
            apply(setting, &mut state, &mut scene);
        }
        let start = engine.map(|engine| (engine, state.clone(), scene.clone()));
        let mut trace = self.reference.trace(&op, &mut state, &mut scene);
        if let Some(fault) = scene.memory.faults.first() {
            return Err(CaseFault { at: whole(), message: self.fault(fault) });
        }
        // Unless that engine was requested, the evaluator runs cases that it can't.
        let start = start.filter(|_| self.is_asked || scene.memory.is_low());
        if let Some((engine, mut registers, mut fresh)) = start {
            let word = (given, self.isa.form(form).length);
            let flow = fresh.run_on(engine, word, &mut registers, &trace.written, &scene.memory);
            trace.flow = flow.map_err(|why| CaseFault { at: whole(), message: why.to_string() })?;
            (state, scene) = (registers, fresh);
        }
        Ok(Some(self.written(&trace, &state, &scene, &names)))
    }

    /// A word in hexadecimal with all its digits, `0x0100000f`, and its bits.
    fn word(&self, text: &str) -> Option<(Word, u32)> {
        let digits = text.strip_prefix("0x")?;
        let length = self.isa.words.lengths.iter().find(|length| length.bits.div_ceil(4) as usize == digits.len())?;
        Some((Word::from_str_radix(digits, 16)?, length.bits))
    }

    /// The message for a pseudo-instruction: the instructions that it becomes.
    fn expansion(&self, text: &str) -> Option<String> {
        let mnemonic = text.split_whitespace().next()?;
        if !self.isa.assembly.pseudo.iter().any(|pseudo| pseudo.mnemonics().1.any(|own| own == mnemonic)) {
            return None;
        }
        let codec = Object::new(self.reference.codec());
        let program = isa_asm::assemble(&codec, "<arguments>", Options::default(), [text]).ok()?;
        let shown = |(address, form, word)| {
            let mut text = Vec::new();
            codec.fork().print(form, word, address, &mut text);
            format!("`{}`", String::from_utf8_lossy(&text))
        };
        let all: Vec<String> = program.words(&codec).map(shown).collect();
        let is_pseudo = !program.has_failed() && !all.is_empty();
        is_pseudo.then(|| format!("this is a pseudo-instruction; it becomes {}", all.join(", ")))
    }

    /// The settings after the text, which begin at this byte of the line.
    fn settings(&self, rest: &str, mut begin: usize, names: &Names) -> Result<Vec<Setting>, CaseFault> {
        let mut settings: Vec<Setting> = Vec::new();
        for part in rest.split('\t') {
            if !part.trim().is_empty() {
                let at = begin + part.len() - part.trim_start().len();
                let at = at..at + part.trim().len();
                let setting = || {
                    let usage = || format!("`{}`: a value is set as NAME=VALUE", part.trim());
                    let (name, number) = part.trim().split_once('=').ok_or_else(usage)?;
                    let place = names.find(self.isa, Engine::machine(&self.reference), name.trim())?;
                    place.value(self.isa, name.trim(), number.trim()).map(|(value, width)| (place, value, width))
                };
                let (place, value, width) = setting().map_err(|message| CaseFault { at: at.clone(), message })?;
                if settings.iter().any(|s| s.place == place) {
                    return Err(CaseFault { at, message: format!("`{}` is set twice", self.name(place, names)) });
                }
                settings.push(Setting { at, place, value, width });
            }
            begin += part.len() + 1;
        }
        // Parts of one place may also be set, in order; a constant can't.
        for setting in &settings {
            if let Place::Register(Register::Number(file, index)) = setting.place
                && !self.blank.is_writable(file, index)
            {
                let value = self.blank.register(file, index, 0);
                let message = format!("`{}` is always {value:#x}", self.name(setting.place, names));
                return Err(CaseFault { at: setting.at.clone(), message });
            }
        }
        Ok(settings)
    }

    fn name(&self, place: Place, names: &Names) -> String {
        match place {
            _ if names.of(place).is_some() => names.of(place).unwrap_or_default().to_owned(),
            Place::Register(Register::Number(file, index)) => {
                let file = &self.isa.registers[file];
                file.name_of(index as Raw).unwrap_or_else(|| format!("{}[{index}]", file.name))
            }
            Place::Register(register) => register.name(Engine::machine(&self.reference)),
            Place::Launch(index) => {
                let mut values = self.isa.machine.state.iter().filter(|s| s.kind == StateKind::Launch);
                values.nth(index).map_or(LAUNCH_VALUES[0], |s| &s.name).to_owned()
            }
            Place::Memory(space, bank, address) => place::memory_name(self.isa, space, bank, address),
            Place::Pc => "pc".to_owned(),
            Place::Lane => "lane".to_owned(),
        }
    }

    /// The results of a case: `NAME=0x…`, with all digits of the width, then the actions.
    fn written(&self, trace: &Trace, state: &State, scene: &Scene, names: &Names) -> String {
        let mut results: Vec<(Place, Int, u32)> = Vec::new();
        for written in &trace.written {
            for result in self.results(*written, state, scene) {
                match results.iter_mut().find(|r| r.0 == result.0) {
                    Some(known) => known.2 = known.2.max(result.2),
                    None => results.push(result),
                }
            }
        }
        // Registers named by the program are in the order of the text.
        results.sort_by_key(|(place, ..)| names.0.iter().position(|n| n.0 == *place));
        let shown = |(place, value, width): (Place, Int, u32)| {
            let digits = width.div_ceil(4) as usize;
            format!("{}=0x{:0>digits$}", self.name(place, names), value.to_string().trim_start_matches("0x"))
        };
        let mut shown: Vec<String> = results.into_iter().map(shown).collect();
        shown.extend(trace.flow.shown(scene.lane));
        shown.join("\t")
    }

    /// The places that were written, with the current value and width of each.
    fn results(&self, written: Written, state: &State, scene: &Scene) -> Vec<(Place, Int, u32)> {
        let lane = scene.lane;
        let registers = match written {
            Written::Register(file, index, mask) => {
                vec![self.part(file, index, mask).unwrap_or(Register::Number(file, index))]
            }
            Written::Flags(file, index, mask) => {
                let all = self.isa.machine.flags[file].flags.len() as u32;
                if mask.count_ones() == all && all > 1 {
                    vec![Register::Flags(file, index)]
                } else {
                    (0..all).filter(|bit| mask >> bit & 1 == 1).map(|bit| Register::Flag(file, index, bit)).collect()
                }
            }
            Written::Value(index, _) => vec![Register::Value(index)],
            Written::Memory(at, bytes) => {
                let place = Place::Memory(at.space, at.bank, at.address);
                return vec![(place, scene.memory.get(at, bytes), 8 * bytes)];
            }
        };
        let result = |register: Register| {
            let place = Place::Register(register);
            (place, Int::from(register.get_in(state, lane)), place.width(self.isa))
        };
        registers.into_iter().map(result).collect()
    }

    /// The register of a view that consists of these bits of a register.
    fn part(&self, file: usize, index: usize, mask: u128) -> Option<Register> {
        let of = &self.isa.registers[file].name;
        self.isa.machine.views.iter().filter(|v| v.of == *of).find_map(|view| {
            let part = self.isa.registers.iter().position(|r| r.name == view.name)?;
            let width = self.isa.registers[part].width;
            let number = mask.trailing_zeros() / width;
            let parts = self.isa.registers[file].width / width;
            let whole = isa_spec::model::ones(width) << (number * width);
            (mask == whole && parts > 1).then_some(Register::Number(part, index * parts as usize + number as usize))
        })
    }

    /// The message for an access that faulted.
    fn fault(&self, fault: &eval::AccessFault) -> String {
        let Address { space, bank, address, .. } = fault.at;
        let (name, bytes) = (place::memory_name(self.isa, space, bank, address), count(fault.bytes, "byte"));
        let is = if fault.bytes == 1 { "is" } else { "are" };
        let space = &self.isa.machine.spaces[space];
        match fault.kind {
            TroubleKind::Misaligned => format!("{name}: an access of {bytes} is at a multiple of {}", fault.bytes),
            TroubleKind::Outside => match space.size {
                Some(size) => format!("{name}: {bytes} there {is} out of range; `{}` has {size:#x} bytes", space.name),
                None => format!("{name}: {bytes} there {is} out of range"),
            },
            TroubleKind::NoBank => format!("{name}: `{}` has {} banks", space.name, space.banks.unwrap_or(1)),
            TroubleKind::ReadOnly => format!("{name}: `{}` can only be read", space.name),
            TroubleKind::MissingParameter => format!("{name}: the launch has no parameter there"),
            // All addresses are memory.
            _ => format!("{name}: {bytes} there can't be used"),
        }
    }
}

/// The names that the program gives to the registers of an instruction, where programs name registers; in the order of the text.
struct Names(Vec<(Place, String)>);

impl Names {
    fn new(isa: &Isa, statement: Option<&Statement>) -> Self {
        let of = |statement: &Statement| {
            let form = isa.form(statement.form);
            let name = |named: &Named| {
                let field = &form.fields[named.field];
                let (Label::Register(id), number) = (field.label, field.bits.get(statement.word) as usize) else { return None };
                Some((Place::Register(Register::Number(id.index(), number)), statement.names[number].clone()))
            };
            let order = shown_fields(&form.text);
            let mut names: Vec<&Named> = form.names.iter().collect();
            names.sort_by_key(|n| order.iter().position(|field| *field == n.field));
            names.into_iter().filter_map(name).collect()
        };
        Self(statement.map(of).unwrap_or_default())
    }

    /// The place of a name; names given by the program come before all others.
    fn find(&self, isa: &Isa, info: &MachineInfo, name: &str) -> Result<Place, String> {
        match self.0.iter().find(|(_, known)| known == name) {
            Some((place, _)) => Ok(*place),
            None if self.0.is_empty() => Place::find(isa, info, name),
            None => Place::find(isa, info, name).map_err(|_| {
                let mut known: Vec<&str> = Vec::new();
                for (_, name) in &self.0 {
                    if !known.contains(&name.as_str()) {
                        known.push(name);
                    }
                }
                format!("there is no `{name}`: the instruction names {}", known.join(", "))
            }),
        }
    }

    fn of(&self, place: Place) -> Option<&str> {
        self.0.iter().find(|(known, _)| *known == place).map(|(_, name)| name.as_str())
    }
}

/// Writes a value to its place.
fn apply(setting: &Setting, state: &mut State, scene: &mut Scene) {
    let (lane, value) = (scene.lane, setting.value);
    match setting.place {
        Place::Register(register) => register.set_in(state, lane, value.low_u128()),
        Place::Launch(index) => scene.launch_values[index][lane] = value.low() as u32,
        Place::Memory(space, bank, address) => {
            scene.memory.set(Address { space, bank, lane, address }, setting.width / 8, value);
        }
        Place::Pc | Place::Lane => {}
    }
}
