//! The reference evaluator: what instructions do, by walking the model, one lane after the other. It runs any specification without
//! compiling it, and is what compiled code is held against.
//!
//! [`Reference`] is an [`Engine`] of the simulator; [`Reference::trace`] runs one instruction in one lane and says what it wrote,
//! and [`Scene::run_on`] has another engine run it.

mod arith;
mod error;
mod float;
mod lane;
mod machine_info;
mod memory;
mod on_engine;
mod state;
#[cfg(test)]
mod tests;

use crate::codec::{Codec, Lengths};
use crate::model::{Behaviour, FormId, Isa, Word};
use crate::semantics::int::Int;
use crate::semantics::machine::StateKind;
use crate::semantics::typed::Body;
use crate::semantics::value;
use error::{MAX_BITS, MAX_FLAGS, MAX_REGISTERS};
pub use error::{NotComparable, NotSimulated};
use isa_sim::{Engine, Flow, MAX_LANES, MachineInfo, NotExecutable, Step};
use lane::{Lane, World};
pub use machine_info::machine_info;
pub use memory::{AccessFault, Address, Scratch};
pub use state::State;

/// An instruction set that runs.
#[derive(Debug)]
pub struct Reference<'a> {
    isa: &'a Isa,
    codec: Codec<'a>,
    info: MachineInfo,
    /// Of each named value of the machine, its place among those that the launch sets, or among those that instructions write.
    named: Vec<usize>,
}

/// An instruction, made ready.
#[derive(Clone, Debug)]
pub struct Op {
    form: FormId,
    fields: Vec<Int>,
    conditions: Vec<bool>,
}

impl Op {
    /// Its form.
    pub fn form(&self) -> FormId {
        self.form
    }
}

/// Something that was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Written {
    /// A register: file, number, and the bits that were written.
    Register(usize, usize, u128),
    /// Flags: which, the number of the register, and a bit for each flag that was written.
    Flags(usize, usize, u64),
    /// A named value.
    Value(usize),
    /// So many bytes of memory.
    Memory(Address, u32),
}

/// One instruction in one lane.
#[derive(Clone, Debug)]
pub struct Trace {
    /// What was written, in order; registers that are constants are not.
    pub written: Vec<Written>,
    /// What the lane wants of the flow of control.
    pub flow: Flow,
}

/// Where one instruction runs that is traced.
#[derive(Clone, Debug)]
pub struct Scene {
    /// The number of the lane.
    pub lane: usize,
    /// The address of the instruction.
    pub pc: u64,
    /// The address of the one that follows it.
    pub next: u64,
    /// What the launch sets: for each of [`MachineInfo::launch_values`] the lanes' values.
    pub launch_values: Vec<[u32; MAX_LANES]>,
    /// Which value each of [`MachineInfo::variants`] has.
    pub variants: Vec<usize>,
    /// Memory.
    pub memory: Scratch,
}

impl<'a> Reference<'a> {
    /// Prepares an instruction set.
    ///
    /// # Errors
    /// When it has something that can't be simulated: registers or values of more than 128 bits, more than 64 flags in a register, or
    /// too many registers.
    pub fn new(isa: &'a Isa) -> Result<Self, NotSimulated> {
        let info = machine_info(isa);
        for file in &info.registers {
            let name = || file.name.clone();
            if file.width > MAX_BITS {
                return Err(NotSimulated::Registers { name: name(), width: file.width });
            }
            if file.count > MAX_REGISTERS {
                return Err(NotSimulated::File { name: name(), count: file.count });
            }
        }
        if let Some(flags) = info.flags.iter().find(|f| f.flags.len() > MAX_FLAGS) {
            return Err(NotSimulated::Flags { name: flags.name.clone(), count: flags.flags.len() });
        }
        if let Some((name, width)) = info.values.iter().find(|v| v.1 > MAX_BITS) {
            return Err(NotSimulated::Value { name: name.clone(), width: *width });
        }
        let index_of = |(i, state): (usize, &crate::semantics::machine::State)| {
            isa.machine.state[..i].iter().filter(|s| s.kind == state.kind).count()
        };
        let named = isa.machine.state.iter().enumerate().map(index_of).collect();
        Ok(Self { isa, codec: Codec::new(isa), info, named })
    }

    /// The instruction set.
    pub fn isa(&self) -> &'a Isa {
        self.isa
    }

    /// The same, but texts are read as words of these lengths.
    #[must_use]
    pub fn with_lengths(self, lengths: Lengths) -> Self {
        Self { codec: self.codec.with_lengths(lengths), ..self }
    }

    /// Its decoder and parser.
    pub fn codec(&self) -> &Codec<'a> {
        &self.codec
    }

    /// Makes a word of a form ready.
    ///
    /// # Errors
    /// When the specification doesn't say what the instruction does.
    pub fn op(&self, form: FormId, word: Word) -> Result<Op, NotExecutable> {
        let form = self.isa.form(form);
        let Some(behaviour) = &form.behaviour else {
            return Err(NotExecutable::Undescribed { instruction: self.isa.instruction(form.instruction).name.clone() });
        };
        Ok(Op {
            form: form.id,
            fields: form.fields.iter().map(|f| value::of(f, word)).collect(),
            conditions: behaviour.conditions.iter().map(|c| c.words.contains(word)).collect(),
        })
    }

    /// The scene of one instruction: nothing is set but the first lane, the first address, and the default of each variant.
    pub fn scene(&self) -> Scene {
        Scene {
            lane: 0,
            pc: 0,
            next: 0,
            launch_values: vec![[0; MAX_LANES]; self.info.launch_values.len()],
            variants: vec![0; self.info.variants.len()],
            memory: Scratch::new(&self.info),
        }
    }

    /// Runs one instruction in one lane, and says what it wrote.
    pub fn trace(&self, op: &Op, state: &mut State, scene: &mut Scene) -> Trace {
        let (mut written, mut flow) = (Vec::new(), Flow::default());
        let mut world = World {
            pc: scene.pc,
            next: scene.next,
            launch_values: &scene.launch_values,
            variants: &scene.variants,
            memory: &mut scene.memory,
            flow: &mut flow,
            written: Some(&mut written),
        };
        self.run(op, state, 1 << scene.lane, &mut world);
        Trace { written, flow }
    }

    fn behaviour(&self, op: &Op) -> &'a Behaviour {
        self.isa.form(op.form).behaviour.as_ref().expect("an instruction without semantics is not made ready")
    }

    /// The guard of all lanes, the body in those that take part, then what all active ones do.
    fn run(&self, op: &Op, state: &mut State, active: u64, world: &mut World<'_>) {
        let behaviour = self.behaviour(op);
        let mut part = active;
        if let Some(guard) = &behaviour.guard {
            for lane in self.lanes(active) {
                let vars = vec![Int::default(); guard.vars.len()];
                let holds = Lane { reference: self, op: Some(op), lane, state, world, vars }.expr(&guard.expr).bit(0);
                part &= !(u64::from(!holds) << lane);
            }
        }
        self.each(Some(op), &behaviour.body, part, state, world);
        self.each(Some(op), &behaviour.after, active, state, world);
    }

    /// A body in some lanes, one after the other.
    fn each(&self, op: Option<&Op>, body: &Body, active: u64, state: &mut State, world: &mut World<'_>) {
        if !body.stmts.is_empty() {
            for lane in self.lanes(active) {
                Lane { reference: self, op, lane, state, world, vars: Vec::new() }.body(body);
            }
        }
    }

    fn lanes(&self, mask: u64) -> impl Iterator<Item = usize> {
        (0..self.info.lanes as usize).filter(move |l| mask >> l & 1 == 1)
    }
}

impl Engine for Reference<'_> {
    type State = State;
    type Op = Op;

    fn machine(&self) -> &MachineInfo {
        &self.info
    }

    fn prepare(&self, word: Word, bits: u32) -> Result<Op, NotExecutable> {
        let form = self.codec.decode(word, bits).map_err(|e| NotExecutable::Illegal(e.message))?;
        self.op(form, word)
    }

    fn text(&self, word: Word, bits: u32, address: u64) -> String {
        let mut text = String::new();
        match self.codec.decode(word, bits) {
            Ok(form) => self.codec.print(form, word, address, &mut text),
            Err(error) => text = format!("! {}", error.message),
        }
        text
    }

    fn state(&self) -> State {
        State::new(self.isa, &self.info)
    }

    fn launch(&self, state: &mut State, step: &mut Step<'_>) {
        let active = step.active;
        self.each(None, &self.isa.launch, active, state, &mut world(step));
    }

    fn execute(&self, op: &Op, state: &mut State, step: &mut Step<'_>) {
        let active = step.active;
        self.run(op, state, active, &mut world(step));
    }
}

fn world<'w>(step: &'w mut Step<'_>) -> World<'w> {
    World {
        pc: step.pc,
        next: step.next,
        launch_values: step.launch_values,
        variants: step.variants,
        memory: &mut step.memory,
        flow: &mut step.flow,
        written: None,
    }
}

/// Which named values a launch sets, and which instructions write, by their places in [`MachineInfo`].
pub fn named_value(isa: &Isa, name: &str) -> Option<(StateKind, usize)> {
    let (i, state) = isa.machine.state.iter().enumerate().find(|s| s.1.name == name)?;
    Some((state.kind, isa.machine.state[..i].iter().filter(|s| s.kind == state.kind).count()))
}
