use crate::{Warp, WarpEngine, amount};
use isa_reference::eval::Reference;
use isa_reference::samples::Random;
use isa_sim::simt::{Finished, Image, Launch, RunError};
use isa_sim::{Action, AnyEngine, Flow, MachineInfo, Memory, Placed, Sharing, State, Wanted};
use isa_spec::model::{Form, Isa, Word, ones};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// The bytes of each memory of each space.
type Memories = Vec<Vec<Vec<u8>>>;

/// The number of words tried to find a legal one.
const TRIES: usize = 100;
/// Random programs of each instruction set.
const PROGRAMS: u64 = 4;
/// Instructions of a program, and how many of them a run executes at most.
const LENGTH: usize = 64;
const STEPS: u64 = 100;
/// Bytes of memories whose size a specification leaves open.
const BYTES: u64 = 0x400;

/// Random words of each form, each in random lanes.
fn per_form() -> usize {
    amount(12, 4)
}

/// The reference evaluator and an engine, on the same state.
struct Both<'e> {
    isa: &'e Isa,
    reference: &'e dyn WarpEngine,
    compiled: &'e dyn WarpEngine,
    info: MachineInfo,
    /// Instructions of lanes that both have executed.
    executed: AtomicU64,
}

/// Holds compiled semantics against the reference evaluator: on random words of each form, each on random registers, flags,
/// values and memories, and on random programs. Gives how many instructions lanes have executed on each.
///
/// # Panics
/// When the two differ, with the seed and the instruction; when no word of a form has run.
pub fn engines_agree(isa: &Isa, compiled: &dyn WarpEngine) -> u64 {
    let reference = Reference::new(isa).expect("it can be simulated");
    let info = reference.machine().clone();
    assert_eq!(format!("{:?}", compiled.machine()), format!("{info:?}"), "{}: what the two say of the machine", isa.name);
    let both = Both { isa, reference: &reference, compiled, info, executed: AtomicU64::new(0) };
    let idle: Vec<&str> =
        both.forms().filter(|(i, form)| both.form(*i as u64 + 1, form) < per_form() / 4).map(|f| f.1.name.as_str()).collect();
    assert!(idle.is_empty(), "{}: hardly a random word of these forms is legal: {idle:?}", isa.name);
    (1..=PROGRAMS).for_each(|seed| both.program(seed));
    both.executed.into_inner()
}

/// The same for all words; each one reads what earlier ones have written.
///
/// # Panics
/// As [`engines_agree`]; also when words are longer than 20 bits.
pub fn engines_agree_on_every_word(isa: &Isa, compiled: &dyn WarpEngine) -> u64 {
    let reference = Reference::new(isa).expect("it can be simulated");
    let both = Both { isa, reference: &reference, compiled, info: reference.machine().clone(), executed: AtomicU64::new(0) };
    let bits = isa.max_bits();
    assert!(bits <= 20, "{}: these are too many words", isa.name);
    // Each time on other registers and memories.
    let (rounds, step) = amount((3, 1), (1, 4));
    for round in 1..=rounds {
        let mut random = Random::new(u64::wrapping_mul(round, 0x9e37_79b9_7f4a_7c15));
        let mut warps = (Warp::new(both.reference, BYTES), Warp::new(both.compiled, BYTES));
        // An odd step: so words of one form do not follow each other.
        let words = (0..1u128 << bits).step_by(step).map(|i| Word::from(i.wrapping_mul(0x9_e379)) & Word::ones(bits));
        let ran = words.enumerate().filter(|(i, word)| both.word(*word, bits, i % 64 == 0, &mut warps, &mut random)).count();
        assert!(ran * step * 2 > 1 << bits, "{}: {ran} words ran", isa.name);
    }
    both.executed.into_inner()
}

impl<'e> Both<'e> {
    fn forms(&self) -> impl Iterator<Item = (usize, &'e Form)> {
        self.isa.forms.iter().enumerate().filter(|(_, f)| f.behaviour.is_some())
    }

    /// Words of a form, one by one; how many ran.
    fn form(&self, seed: u64, form: &Form) -> usize {
        let mut random = Random::new(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let mut warps = (Warp::new(self.reference, BYTES), Warp::new(self.compiled, BYTES));
        let mut ran = 0;
        for _ in 0..TRIES * per_form() {
            let word = random.word_of(form);
            ran += usize::from(self.word(word, form.length, ran % 8 == 0, &mut warps, &mut random));
            if ran == per_form() {
                break;
            }
        }
        ran
    }

    /// A word in random lanes, on new registers and memories or on those that the words before left; whether it ran.
    fn word(&self, word: Word, bits: u32, is_new: bool, (one, other): &mut (Warp<'_>, Warp<'_>), random: &mut Random) -> bool {
        let (isa, info) = (&self.isa.name, &self.info);
        match (one.prepare(word, bits), other.prepare(word, bits)) {
            (Ok(()), Ok(())) => {}
            (Err(_), Err(_)) => return false,
            (a, b) => panic!("{isa}: {word:#x}: reference {:?}, compiled {:?}", a.err(), b.err()),
        }
        // After equal results both continue from the same state.
        if is_new {
            self.fill(one, random);
            copy(one, other);
        }
        let active = match random.next_u64() % 3 {
            0 => random.next_u64(),
            _ => u64::MAX,
        } & ones(info.lanes) as u64;
        // At least one lane takes part.
        let active = active.max(1);
        let text = || format!("{isa}: {word:#x} `{}` in lanes {active:#x}", self.reference.text(word, bits, 0x100));
        let (x, y) = (one.execute(active), other.execute(active));
        if let Some(difference) = difference(info, one.state(), other.state()) {
            panic!("{}: {difference}", text());
        }
        assert_eq!(wanted(&x.flow), wanted(&y.flow), "{}: the flow of control", text());
        assert_eq!(x.trouble, y.trouble, "{}: faults of memory", text());
        let memories = info.spaces.iter().zip(one.memories.iter().zip(&other.memories));
        for (space, (x, y)) in memories.filter(|(space, _)| !space.read_only) {
            let same = x.iter().zip(y).all(|(x, y)| x.bytes(0, x.size()) == y.bytes(0, y.size()));
            assert!(same, "{}: memory `{}`", text(), space.name);
        }
        self.executed.fetch_add(active.count_ones().into(), Relaxed);
        true
    }

    /// Random registers, flags, values, memories and variants.
    fn fill(&self, warp: &mut Warp<'_>, random: &mut Random) {
        warp.fill(random);
        warp.fill_memory(random);
        small_addresses(&self.info, warp.state_mut(), random);
        for (chosen, variant) in warp.variants.iter_mut().zip(&self.info.variants) {
            *chosen = random.next_u64() as usize % variant.values.len();
        }
    }

    /// A random program on both machines, block after block: every instruction leaves the same, and both end in the same way.
    fn program(&self, seed: u64) {
        let mut random = Random::new(seed.wrapping_mul(0xd134_2543_de82_ef95));
        let forms: Vec<&Form> = self.forms().map(|f| f.1).collect();
        let mut words: Vec<Placed> = Vec::new();
        let (mut address, mut lanes) = (0, self.reference.lanes());
        for _ in 0..TRIES * per_form() {
            let form = forms[random.next_u64() as usize % forms.len()];
            let word = random.word_of(form);
            if lanes.prepare(word, form.length).is_ok() {
                words.push(Placed { address, word, bits: form.length });
                address += (form.length.div_ceil(8) as usize).next_multiple_of(self.info.units.bytes()) as u64;
            }
            if words.len() == LENGTH {
                break;
            }
        }
        let launch = self.launch(&mut random);
        let (one, other) = (self.trace(self.reference, &words, &launch), self.trace(self.compiled, &words, &launch));
        for (i, (x, y)) in one.0.iter().zip(&other.0).enumerate() {
            let text = || {
                let at = words.iter().find(|w| w.address == x.pc);
                at.map_or_else(String::new, |w| self.reference.text(w.word, w.bits, x.pc))
            };
            assert_eq!(x, y, "{}, program {seed}, instruction {i}: `{}`", self.isa.name, text());
        }
        assert_eq!(one.0.len(), other.0.len(), "{}, program {seed}: instructions", self.isa.name);
        assert_eq!(one.1, other.1, "{}, program {seed}: how it ends", self.isa.name);
        let lanes: u32 = one.0.iter().map(|left| left.active.count_ones()).sum();
        self.executed.fetch_add(lanes.into(), Relaxed);
    }

    fn launch(&self, random: &mut Random) -> Launch {
        let images =
            self.info.spaces.iter().enumerate().filter(|(_, space)| space.owner != Sharing::Lane).flat_map(|(i, space)| {
                let size = space.size.unwrap_or(BYTES).min(BYTES);
                (0..space.banks.unwrap_or(1)).map(move |bank| (i, bank, size))
            });
        let images = images.map(|(space, bank, size)| {
            let bytes = (0..size).map(|_| random.next_u64() as u8).collect();
            Image { space, bank, address: 0, bytes }
        });
        let images = images.collect();
        let variants = self.info.variants.iter().enumerate().map(|(i, v)| (i, random.next_u64() as usize % v.values.len()));
        Launch {
            grid: [2, 1, 1],
            block: [self.info.lanes + self.info.lanes.div_ceil(2), 1, 1],
            params: if self.info.params.is_some() { vec![0x10; 4] } else { Vec::new() },
            images,
            variants: variants.collect(),
            limit: STEPS,
            ..Launch::default()
        }
    }

    /// The state after each instruction of a run, and the end of the run.
    fn trace(&self, engine: &dyn AnyEngine, words: &[Placed], launch: &Launch) -> (Vec<Left>, Result<Memories, RunError>) {
        let mut left = Vec::new();
        let mut see = |t: &isa_sim::simt::Traced<'_>| {
            let mut state = 0u128;
            Place::each(&self.info, |place| state = state.wrapping_mul(0x1_0000_01b3).wrapping_add(place.of(t.after)));
            left.push(Left { block: t.block, warp: t.warp, pc: t.pc, active: t.active, state });
        };
        let ended = engine.run(words, launch, Some(&mut see)).map(|Finished { memory, .. }| {
            let bytes = |m: &Memory| m.bytes(0, m.size()).expect("all of it").to_vec();
            memory.iter().map(|banks| banks.iter().map(bytes).collect()).collect()
        });
        (left, ended)
    }
}

/// The state after an instruction of a warp.
#[derive(Debug, PartialEq, Eq)]
struct Left {
    block: [u32; 3],
    warp: u32,
    pc: u64,
    active: u64,
    /// A sum of all registers, flags and values.
    state: u128,
}

/// A register, a register of flags, or a value of a warp: its file and number, and the lane.
#[derive(Clone, Copy)]
enum Place {
    Register(usize, usize, usize),
    Flags(usize, usize, usize),
    Value(usize, usize),
}

impl Place {
    /// Hands over all places of a machine: plain loops, since the tests spend most of their time here.
    fn each(info: &MachineInfo, mut see: impl FnMut(Self)) {
        let lanes = info.lanes as usize;
        for (file, registers) in info.registers.iter().enumerate() {
            for i in 0..registers.count {
                (0..lanes).for_each(|lane| see(Self::Register(file, i, lane)));
            }
        }
        for (file, flags) in info.flags.iter().enumerate() {
            for i in 0..flags.count {
                (0..lanes).for_each(|lane| see(Self::Flags(file, i, lane)));
            }
        }
        for i in 0..info.values.len() {
            (0..lanes).for_each(|lane| see(Self::Value(i, lane)));
        }
    }

    fn of(self, state: &dyn State) -> u128 {
        match self {
            Self::Register(file, i, lane) => state.register(file, i, lane),
            Self::Flags(file, i, lane) => state.flags(file, i, lane).into(),
            Self::Value(i, lane) => state.value(i, lane),
        }
    }

    fn name(self, info: &MachineInfo) -> String {
        match self {
            Self::Register(file, i, lane) => format!("{}[{i}] of lane {lane}", info.registers[file].name),
            Self::Flags(file, i, lane) => format!("{}[{i}] of lane {lane}", info.flags[file].name),
            Self::Value(i, lane) => format!("{} of lane {lane}", info.values[i].0),
        }
    }
}

/// The first register, flag or value in which two warps differ.
fn difference(info: &MachineInfo, a: &dyn State, b: &dyn State) -> Option<String> {
    let mut first = None;
    Place::each(info, |place| {
        if first.is_none() && place.of(a) != place.of(b) {
            first = Some(place);
        }
    });
    let first = first?;
    Some(format!("{}: reference {:#x}, compiled {:#x}", first.name(info), first.of(a), first.of(b)))
}

fn wanted(flow: &Flow) -> (Wanted, Vec<u64>, Option<(u64, u64)>) {
    let wanted = *flow.wanted();
    // The lanes that request an action of at least so many arguments.
    let lanes = |least| Action::ALL.iter().filter(|action| action.args().len() >= least).fold(0, |all, a| all | wanted[*a]);
    let of = |lanes: u64| (0..64).filter(move |lane| lanes >> lane & 1 == 1);
    let mut targets: Vec<u64> = of(lanes(1)).map(|lane| flow.target(lane)).collect();
    targets.extend(of(lanes(2)).map(|lane| flow.second(lane)));
    targets.push(flow.ones());
    (wanted, targets, flow.raised())
}

fn copy(from: &Warp<'_>, to: &mut Warp<'_>) {
    from.copy_to(to.state_mut());
    for (to, from) in to.memories.iter().flatten().zip(from.memories.iter().flatten()) {
        to.set_bytes(0, &from.bytes(0, from.size()).expect("all of it"));
    }
    to.variants.clone_from(&from.variants);
    to.launch_values.clone_from(&from.launch_values);
    to.pc = from.pc;
}

/// Half of the registers are small multiples of 16, so that accesses are often good.
fn small_addresses(info: &MachineInfo, state: &mut dyn State, random: &mut Random) {
    for (file, registers) in info.registers.iter().enumerate().filter(|f| f.1.width >= 16) {
        for i in (0..registers.count).filter(|i| i % 2 == 0) {
            for lane in 0..info.lanes as usize {
                state.set_register(file, i, lane, (random.next_u64() % 0x40 * 16).into());
            }
        }
    }
}
