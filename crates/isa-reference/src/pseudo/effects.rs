//! Checks that pseudo-instructions have the effect they declare: expansion and declaration run on the same registers and memory.

use crate::eval::{Address, Given, Op, Reference, Scene, State, Trace, Written};
use crate::samples::Random;
use isa_asm::Sample;
use isa_engine::{Codec, Statement, no_symbols};
use isa_sim::{Action, Engine as _, Flow, MachineInfo, State as _, Wanted};
use isa_spec::diag::Diagnostic;
use isa_spec::model::{Isa, Word};
use isa_spec::semantics::int::Int;
use isa_spec::semantics::{MeaningFault, Semantics, typed};

/// The number of states that each statement runs on.
const STATES: u64 = 4;
/// The number of instructions after which an expansion is abandoned.
const MOST_STEPS: usize = 256;
/// The number of bytes around an address in a statement that are set.
const NEAR: u64 = 16;
/// The number of registers of a file that get new numbers for each state: those of larger files get them in turn.
const RENEWED: usize = 64;

/// The pseudo-instructions of an instruction set, with the means to run them.
pub(super) struct Doing<'a> {
    isa: &'a Isa,
    reference: Reference<'a>,
}

/// The intended effect of a statement.
enum Meant {
    /// The declared effect of the pseudo-instruction.
    Declared(typed::Body),
    /// An instruction, with a target that it reaches.
    Near(Op),
}

impl<'a> Doing<'a> {
    /// `None` if nothing can be run.
    pub(super) fn new(isa: &'a Isa) -> Option<Self> {
        Some(Self { isa, reference: Reference::new(isa).ok()? })
    }

    /// True if the effect of a pseudo-instruction is known: it is declared, or it is an instruction that does not reach.
    pub(super) fn is_known(&self, pseudo: usize) -> bool {
        self.isa.assembly.pseudo[pseudo].far || self.isa.pseudo_semantics[pseudo].is_some()
    }

    /// The first finding about each pseudo-instruction.
    pub(super) fn findings(&self, samples: &[Sample], codec: &dyn Codec) -> Vec<Diagnostic> {
        let mut registers = Registers::new(self.reference.state(), self.reference.machine());
        let each = samples.chunk_by(|a, b| a.pseudo == b.pseudo);
        let mut codec = codec.fork();
        let mut wrong = |sample| self.wrong(sample, &mut *codec, &mut registers);
        each.flat_map(|same| same.iter().find_map(&mut wrong).unwrap_or_default()).collect()
    }

    fn wrong(&self, sample: &Sample, codec: &mut dyn Codec, registers: &mut Registers) -> Option<Vec<Diagnostic>> {
        let mut random = Random::new(sample.address * 2 + 1);
        let meant = match &self.isa.pseudo_semantics[sample.pseudo] {
            Some(semantics) => match self.declared(semantics, sample)? {
                Ok(body) => Meant::Declared(body),
                Err(faults) => return Some(faults),
            },
            None => Meant::Near(self.instruction(sample, codec)?),
        };
        for _ in 0..STATES {
            registers.renew(self.reference.machine(), &mut random);
            let scene = self.start(sample, &mut random);
            let found = self.run(sample, &mut registers.found, scene.clone());
            let wanted = match &meant {
                Meant::Declared(body) => self.body(body, &mut registers.wanted, scene),
                Meant::Near(op) => self.near(op, sample, &mut registers.wanted, scene),
            };
            let difference = self.differs(&found, &wanted, registers);
            registers.restore(found.written.iter().chain(&wanted.written));
            // Instructions without semantics tell nothing.
            if !found.is_described {
                return None;
            }
            if let Some(found) = difference {
                return Some(vec![self.finding(sample, &found)]);
            }
        }
        None
    }

    /// The declared effect on the operands of a statement, or what is wrong with it.
    fn declared(&self, semantics: &Semantics, sample: &Sample) -> Option<Result<typed::Body, Vec<Diagnostic>>> {
        let finding = |fault: &MeaningFault| {
            let mut found = fault.diagnostic(|range| semantics.at(range), &self.isa.machine.function_texts);
            found.help.get_or_insert_with(|| format!("`{}` is tried", sample.text));
            found
        };
        let body = self.reference.body(semantics, &self.given(sample)?);
        Some(body.map_err(|faults| faults.iter().map(finding).collect()))
    }

    fn finding(&self, sample: &Sample, found: &str) -> Diagnostic {
        let text = &sample.text;
        match &self.isa.pseudo_semantics[sample.pseudo] {
            Some(semantics) => Diagnostic::error("assembly", format!("`{text}` becomes something else: {found}"), semantics.span),
            None => {
                let place = self.isa.assembly_places[self.isa.assembly.modifiers.len() + sample.pseudo];
                let message = format!("`{text}` becomes something else where it does not reach: {found}");
                Diagnostic::error("assembly", message, place)
            }
        }
    }

    /// Memory with random bytes around the addresses in the statement.
    fn start(&self, sample: &Sample, random: &mut Random) -> Scene {
        let (mut scene, info) = (self.reference.scene(), self.reference.machine());
        for (space, _) in info.spaces.iter().enumerate() {
            for (_, number) in &sample.numbers {
                for ahead in 0..2 * NEAR {
                    let address = (*number as u64).wrapping_add(ahead).wrapping_sub(NEAR) & self.address_mask();
                    scene.memory.set(Address { space, bank: 0, lane: 0, address }, 1, Int::from(random.wide() & 0xff));
                }
            }
        }
        (scene.pc, scene.next) = (sample.address, sample.address + sample.bytes.len() as u64);
        scene
    }

    fn address_mask(&self) -> u64 {
        u64::MAX >> (64 - self.isa.assembly.address)
    }

    /// The meanings of names in the declared effect; `None` for an operand that is neither a register nor a number.
    fn given(&self, sample: &Sample) -> Option<Vec<(String, Given)>> {
        let mnemonic = sample.mnemonic.iter().map(|(name, place, all)| Some((name.clone(), Given::Word(*place, all.clone()))));
        let named = sample.names.iter().map(|(name, text)| {
            let given = match self.reference.machine().register(text) {
                Some((file, number)) => Given::Register(file, number),
                None => Given::Number(text.parse().ok()?, self.isa.assembly.address),
            };
            Some((name.clone(), given))
        });
        let number = |(name, number): &(String, i64)| Some((name.clone(), Given::Number(*number, self.isa.assembly.address)));
        mnemonic.chain(named).chain(sample.numbers.iter().map(number)).collect()
    }

    /// Runs the words of a statement, until execution leaves them.
    fn run(&self, sample: &Sample, state: &mut State, mut scene: Scene) -> Outcome {
        let (start, end) = (scene.pc, scene.next);
        let (mut wanted, mut written, mut is_described) = (Wanted::default(), Vec::new(), true);
        for _ in 0..MOST_STEPS {
            let rest = scene.pc.checked_sub(start).and_then(|from| sample.bytes.get(usize::try_from(from).ok()?..));
            let Some((word, bits)) = rest.and_then(|rest| self.word(rest)) else { break };
            let Ok(op) = self.reference.prepare(word, bits) else {
                is_described = false;
                break;
            };
            scene.next = scene.pc + u64::from(bits.div_ceil(8));
            let trace = self.reference.trace(&op, state, &mut scene);
            written.extend(trace.written);
            scene.pc = goes_on(&trace.flow, scene.next);
            wanted = elsewhere(&trace.flow);
            if wanted != Wanted::default() || scene.pc == end {
                break;
            }
        }
        Outcome { pc: scene.pc, wanted, written, scene, is_described }
    }

    /// The word at the beginning of some bytes, and its bits.
    fn word(&self, bytes: &[u8]) -> Option<(Word, u32)> {
        let units = self.isa.words.units();
        let unit = bytes.get(..self.isa.words.unit.div_ceil(8) as usize)?;
        let bits = self.reference.length_of(units.read(unit))?;
        Some((units.read(bytes.get(..bits.div_ceil(8) as usize)?), bits))
    }

    /// The same for the declared effect.
    fn body(&self, body: &typed::Body, state: &mut State, mut scene: Scene) -> Outcome {
        let Trace { flow, written } = self.reference.trace_body(body, state, &mut scene);
        Outcome { pc: goes_on(&flow, scene.next), wanted: elsewhere(&flow), written, scene, is_described: true }
    }

    /// The instruction that a pseudo-instruction replaces where it does not reach, with a target that it reaches.
    fn instruction(&self, sample: &Sample, codec: &mut dyn Codec) -> Option<Op> {
        let Statement { form, word, .. } = codec.try_read(&sample.near, sample.address, &no_symbols)?;
        self.reference.prepare(word, codec.length(form)).ok()
    }

    /// The same for an instruction that reaches its target: there, it continues at the intended place.
    fn near(&self, op: &Op, sample: &Sample, state: &mut State, mut scene: Scene) -> Outcome {
        let Trace { flow, written } = self.reference.trace(op, state, &mut scene);
        let target = sample.numbers.first().map_or(scene.next, |(_, number)| *number as u64);
        let pc = if goes_on(&flow, scene.next) == sample.address { target } else { scene.next };
        Outcome { pc, wanted: elsewhere(&flow), written, scene, is_described: true }
    }

    /// The first difference between two outcomes.
    fn differs(&self, found: &Outcome, wanted: &Outcome, registers: &Registers) -> Option<String> {
        let info = self.reference.machine();
        // The effects before a faulting access are left open.
        match [found, wanted].map(|outcome| !outcome.scene.memory.faults.is_empty()) {
            [true, true] => return None,
            [false, false] => {}
            _ => return Some("only one of them accesses memory that can't be".to_owned()),
        }
        let written = found.written.iter().chain(&wanted.written);
        let different = written.filter_map(|written| registers.difference(*written, info));
        if let Some((_, message)) = different.min_by_key(|(order, _)| *order) {
            return Some(message);
        }
        let bytes = |outcome: &Outcome| outcome.scene.memory.all().collect::<Vec<_>>();
        if bytes(found) != bytes(wanted) {
            let byte = |outcome: &Outcome, at: Address| outcome.scene.memory.get(at, 1).low_u128();
            let both = bytes(found).into_iter().chain(bytes(wanted)).map(|(at, _)| at);
            let at = both.into_iter().find(|at| byte(found, *at) != byte(wanted, *at));
            if let Some(at) = at {
                let (is, should) = (byte(found, at), byte(wanted, at));
                let space = &info.spaces[at.space].name;
                return Some(format!("`{space}[{:#x}]` is {is:#04x}, and should be {should:#04x}", at.address));
            }
        }
        if found.wanted != wanted.wanted {
            return Some("one of them ends otherwise".to_owned());
        }
        let mask = self.address_mask();
        let [found, wanted] = [found.pc & mask, wanted.pc & mask];
        (found != wanted).then(|| format!("it goes on at {found:#x}, and should at {wanted:#x}"))
    }
}

/// The registers that statements and their declared effects run on: random numbers, the same for both.
struct Registers {
    initial: State,
    found: State,
    wanted: State,
    /// The first register of a large file that gets a new number next.
    next: usize,
}

impl Registers {
    fn new(state: State, info: &MachineInfo) -> Self {
        let (found, wanted) = (state.clone(), state.clone());
        let mut registers = Self { initial: state, found, wanted, next: 0 };
        let all = info.registers.iter().map(|file| file.count).max().unwrap_or(0);
        let mut random = Random::new(1);
        (0..all.div_ceil(RENEWED)).for_each(|_| registers.renew(info, &mut random));
        registers
    }

    fn each(&mut self) -> [&mut State; 3] {
        [&mut self.initial, &mut self.found, &mut self.wanted]
    }

    /// Draws new numbers.
    fn renew(&mut self, info: &MachineInfo, random: &mut Random) {
        for (file, registers) in info.registers.iter().enumerate() {
            for ahead in 0..registers.count.min(RENEWED) {
                let (index, value) = ((self.next + ahead) % registers.count, random.value(registers.width));
                self.each().into_iter().for_each(|state| state.set_register(file, index, 0, value));
            }
        }
        for (file, flags) in info.flags.iter().enumerate() {
            let ones = u64::MAX.checked_shr(64 - flags.flags.len() as u32).unwrap_or(0);
            for index in 0..flags.count {
                let value = random.next_u64() & ones;
                self.each().into_iter().for_each(|state| state.set_flags(file, index, 0, value));
            }
        }
        self.next = self.next.wrapping_add(RENEWED);
    }

    /// The order of a register that was written among all, and what it is and should be, if that differs.
    fn difference(&self, written: Written, info: &MachineInfo) -> Option<((u8, usize, usize), String)> {
        let Self { found, wanted, .. } = self;
        match written {
            Written::Register(file, index, _) => {
                let (file, index) = found.own(file, index);
                let [found, wanted] = [found, wanted].map(|state| state.register(file, index, 0));
                let name = info.registers[file].name_of(index);
                (found != wanted).then(|| ((0, file, index), format!("`{name}` is {found:#x}, and should be {wanted:#x}")))
            }
            Written::Flags(file, index, _) => {
                let [found, wanted] = [found, wanted].map(|state| state.flags(file, index, 0));
                let name = &info.flags[file].name;
                let message = || format!("the flags `{name}` are {found:#b}, and should be {wanted:#b}");
                (found != wanted).then(|| ((1, file, index), message()))
            }
            Written::Value(index, _) => {
                let [found, wanted] = [found, wanted].map(|state| state.value(index, 0));
                let name = &info.values[index].0;
                (found != wanted).then(|| ((2, index, 0), format!("`{name}` is {found:#x}, and should be {wanted:#x}")))
            }
            Written::Memory(..) => None,
        }
    }

    /// Restores what was written.
    fn restore<'w>(&mut self, written: impl Iterator<Item = &'w Written>) {
        let Self { initial, found, wanted, .. } = self;
        for written in written {
            for state in [&mut *found, &mut *wanted] {
                match *written {
                    Written::Register(file, index, _) => state.set_register(file, index, 0, initial.register(file, index, 0)),
                    Written::Flags(file, index, _) => state.set_flags(file, index, 0, initial.flags(file, index, 0)),
                    Written::Value(index, _) => state.set_value(index, 0, initial.value(index, 0)),
                    Written::Memory(..) => {}
                }
            }
        }
    }
}

/// The effect of a statement.
struct Outcome {
    /// The address where it continues.
    pc: u64,
    /// Its other control-flow requests.
    wanted: Wanted,
    written: Vec<Written>,
    scene: Scene,
    /// All of its instructions have semantics.
    is_described: bool,
}

/// The control-flow requests besides jumps and interrupts. A check for interrupts follows each change of state, and the words of
/// an expansion change state more often than the declared effect.
fn elsewhere(flow: &Flow) -> Wanted {
    flow.wanted().without(&[Action::Branch, Action::Ask])
}

fn goes_on(flow: &Flow, next: u64) -> u64 {
    if flow.wanted()[Action::Branch] == 0 { next } else { flow.target(0) }
}
