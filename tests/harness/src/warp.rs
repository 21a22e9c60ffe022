use isa_reference::samples::Random;
use isa_sim::{
    AnyEngine, Engine, Flow, MAX_LANES, Memories, Memory, NotExecutable, Sharing, Space, State, Step, Trouble, copy_lane,
};
use isa_spec::model::{Form, Isa, Label, Word, ones};

/// An engine whose instructions run one by one on a [`Warp`]. Tests take any engine as this: as generic functions they would be
/// compiled for each.
pub trait WarpEngine: AnyEngine {
    /// The registers of a warp, all zero.
    fn lanes(&self) -> Box<dyn Lanes + '_>;
}

/// The registers of a warp, and an instruction.
pub trait Lanes {
    /// The registers.
    fn state(&self) -> &dyn State;
    /// The same, for writing.
    fn state_mut(&mut self) -> &mut dyn State;
    /// Prepares the instruction that is executed next.
    ///
    /// # Errors
    /// The reason why the word can't be executed.
    fn prepare(&mut self, word: Word, bits: u32) -> Result<(), NotExecutable>;
    /// Executes it.
    fn execute(&mut self, step: &mut Step<'_>);
}

impl<E: Engine> WarpEngine for E {
    fn lanes(&self) -> Box<dyn Lanes + '_> {
        Box::new(Own { engine: self, state: self.state(), op: None })
    }
}

struct Own<'e, E: Engine> {
    engine: &'e E,
    state: E::State,
    op: Option<E::Op>,
}

impl<E: Engine> Lanes for Own<'_, E> {
    fn state(&self) -> &dyn State {
        &self.state
    }

    fn state_mut(&mut self) -> &mut dyn State {
        &mut self.state
    }

    fn prepare(&mut self, word: Word, bits: u32) -> Result<(), NotExecutable> {
        self.op = Some(self.engine.prepare(word, bits)?);
        Ok(())
    }

    fn execute(&mut self, step: &mut Step<'_>) {
        self.engine.execute(self.op.as_ref().expect("an instruction is prepared"), &mut self.state, step);
    }
}

/// A warp on which instructions run one by one, with memory of every space.
pub struct Warp<'e> {
    engine: &'e dyn WarpEngine,
    lanes: Box<dyn Lanes + 'e>,
    /// The memories of each space: one, one for each bank, or those of each lane.
    pub memories: Vec<Vec<Memory>>,
    /// The value of each variant.
    pub variants: Vec<usize>,
    /// The values set by the launch.
    pub launch_values: Vec<[u32; MAX_LANES]>,
    /// The address of the instruction, and of the one after it.
    pub pc: [u64; 2],
}

/// The results of an instruction besides registers and memory.
#[derive(Debug)]
pub struct Ran {
    /// The lanes' requests to the flow of control.
    pub flow: Flow,
    /// The invalid access, if there was one.
    pub trouble: Option<Trouble>,
}

impl<'e> Warp<'e> {
    /// A warp in which everything is 0, and memories without a declared size have `size` bytes.
    pub fn new(engine: &'e dyn WarpEngine, size: u64) -> Self {
        let info = engine.machine();
        let memories = info.spaces.iter().map(|space| {
            let lanes = if space.owner == Sharing::Lane { info.lanes } else { 1 };
            (0..lanes * space.banks.unwrap_or(1)).map(|_| Memory::new(space.size.unwrap_or(size))).collect()
        });
        Self {
            lanes: engine.lanes(),
            memories: memories.collect(),
            variants: vec![0; info.variants.len()],
            launch_values: vec![[0; MAX_LANES]; info.launch_values.len()],
            pc: [0x100, 0x110],
            engine,
        }
    }

    /// Registers.
    pub fn state(&self) -> &dyn State {
        self.lanes.state()
    }

    /// Registers, for writing.
    pub fn state_mut(&mut self) -> &mut dyn State {
        self.lanes.state_mut()
    }

    /// Writes its registers, flags and values into other registers of the same machine.
    pub fn copy_to(&self, to: &mut dyn State) {
        (0..self.lanes()).for_each(|lane| copy_lane(self.engine.machine(), lane, self.state(), to));
    }

    /// The number of lanes.
    pub fn lanes(&self) -> usize {
        self.engine.machine().lanes as usize
    }

    /// Random registers, flags and values in all lanes.
    pub fn fill(&mut self, random: &mut Random) {
        let (info, lanes) = (self.engine.machine(), self.lanes());
        let state = self.lanes.state_mut();
        for (file, registers) in info.registers.iter().enumerate() {
            for index in 0..registers.count {
                for lane in 0..lanes {
                    state.set_register(file, index, lane, random.value(registers.width));
                }
            }
        }
        for (file, flags) in info.flags.iter().enumerate() {
            for (index, lane) in (0..flags.count).flat_map(|i| (0..lanes).map(move |l| (i, l))) {
                state.set_flags(file, index, lane, random.next_u64() & ones(flags.flags.len() as u32) as u64);
            }
        }
        for (index, (_, width)) in info.values.iter().enumerate() {
            (0..lanes).for_each(|lane| state.set_value(index, lane, random.value(*width)));
        }
        for (values, value) in self.launch_values.iter_mut().zip(&info.launch_values) {
            values.fill_with(|| random.value(value.width.min(32)) as u32);
        }
    }

    /// Random memory.
    pub fn fill_memory(&mut self, random: &mut Random) {
        for memory in self.memories.iter().flatten() {
            let bytes: Vec<u8> = (0..memory.size()).map(|_| random.next_u64() as u8).collect();
            memory.set_bytes(0, &bytes);
        }
    }

    /// Runs a word in some lanes.
    ///
    /// # Panics
    /// When it can't be executed.
    pub fn run(&mut self, word: Word, bits: u32, active: u64) -> Ran {
        self.prepare(word, bits).unwrap_or_else(|e| panic!("{word:#x}: {e}"));
        self.execute(active)
    }

    /// Prepares the instruction that is executed next.
    ///
    /// # Errors
    /// The reason why the word can't be executed.
    pub fn prepare(&mut self, word: Word, bits: u32) -> Result<(), NotExecutable> {
        self.lanes.prepare(word, bits)
    }

    /// Runs the prepared instruction in some lanes.
    pub fn execute(&mut self, active: u64) -> Ran {
        let info = self.engine.machine();
        let spaces: Vec<Space<'_>> =
            self.memories.iter().zip(&info.spaces).map(|(memories, space)| Space::of(space, memories)).collect();
        let mut step = Step {
            active,
            pc: self.pc[0],
            next: self.pc[1],
            memory: Memories::new(&spaces),
            launch_values: &self.launch_values,
            variants: &self.variants,
            supplied: isa_sim::Supplied::default(),
            flow: Flow::default(),
        };
        self.lanes.execute(&mut step);
        Ran { trouble: step.memory.take_trouble(), flow: step.flow }
    }
}

/// A word of a form, by the names of its fields.
#[derive(Clone, Copy, Debug)]
pub struct Fields<'a> {
    isa: &'a Isa,
    form: &'a Form,
    word: Word,
}

impl<'a> Fields<'a> {
    /// The fields of a word that is of this form.
    pub fn new(isa: &'a Isa, form: &'a Form, word: Word) -> Self {
        Self { isa, form, word }
    }

    /// The bits of a field as it means them: of an inverted one, the complement.
    pub fn find(&self, path: &str) -> Option<u128> {
        if let Some(f) = self.form.field(path) {
            return Some(f.code.number_bits(f.bits.get(self.word)));
        }
        self.form.fixed.iter().find(|f| f.name == path).map(|f| f.value)
    }

    /// The same of a field that the form has.
    ///
    /// # Panics
    /// When it has not.
    pub fn get(&self, path: &str) -> u128 {
        self.find(path).unwrap_or_else(|| panic!("{} has no `{path}`", self.form.name))
    }

    /// A field of one bit; clear where the form lacks it.
    pub fn is_set(&self, path: &str) -> bool {
        self.find(path).is_some_and(|bits| bits != 0)
    }

    /// The number of a register.
    pub fn register(&self, path: &str) -> usize {
        self.get(path) as usize
    }

    /// The register file that a field is of.
    pub fn file(&self, path: &str) -> Option<&'a str> {
        match self.form.field(path)?.label {
            Label::Register(id) => Some(&self.isa.registers[id.index()].name),
            _ => None,
        }
    }

    /// The signed number in the bits of a field.
    pub fn signed(&self, path: &str) -> i128 {
        let width = self.form.field(path).map_or(0, |f| f.bits.width());
        (self.get(path) as i128) << (128 - width) >> (128 - width)
    }

    /// The alternative that was picked in a slot.
    pub fn pick(&self, slot: &str) -> &'a str {
        let instruction = self.isa.instruction(self.form.instruction);
        let index = instruction.slots.iter().position(|s| s.name == slot).unwrap_or_else(|| panic!("no slot `{slot}`"));
        let choice = &self.isa.choice_types[instruction.slots[index].choice.index()];
        &choice.alternatives[self.form.picks[index]].name
    }
}
