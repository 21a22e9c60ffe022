//! Effects against executions: what an instruction changes is among its writes, what its result depends on among its reads.

use crate::lists::Fields;
use isa_operations::{Access, Effects, Lists, MemoryKind};
use isa_reference::eval::{Reference, Scene, State, Written};
use isa_reference::samples::Random;
use isa_runtime::machine::Which;
use isa_sim::{Action, Engine, State as _};
use isa_spec::model::{Form, Isa, Word};
use isa_spec::semantics::machine::StateKind;

/// Executes random words of each form on random states; returns the number of words.
///
/// # Errors
/// The first word whose effects lack something. `change` may spoil them, for tests of this test.
pub fn effects_hold(isa: &Isa, words: usize, change: &dyn Fn(&mut Effects)) -> Result<u64, String> {
    let reference = Reference::new(isa).expect("it can be simulated");
    let mut executed = 0;
    for (at, form) in isa.forms.iter().enumerate() {
        let Some(behaviour) = &form.behaviour else { continue };
        let lists = Lists::of(isa, behaviour);
        let mut of_form = lists.effects();
        change(&mut of_form);
        let mut random = Random::new((at as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
        for _ in 0..words {
            let word = random.word_of(form);
            let Ok(op) = reference.prepare(word, form.length) else { continue };
            if op.form() != form.id {
                continue;
            }
            let mut of_word = lists.with(isa, &Fields::of(form, word)).effects();
            change(&mut of_word);
            let text = |what: &str| format!("{}: {word:#x} `{}`: {what}", isa.name, reference.text(word, form.length, 0x100));
            let run = Run { isa, reference: &reference, form, word };
            run.holds(&of_word, &mut random).map_err(|what| text(&what))?;
            run.holds(&of_form, &mut random).map_err(|what| text(&format!("{what}, by the form")))?;
            executed += 1;
        }
    }
    Ok(executed)
}

struct Run<'r, 'a> {
    isa: &'a Isa,
    reference: &'r Reference<'a>,
    form: &'a Form,
    word: Word,
}

impl Run<'_, '_> {
    fn holds(&self, effects: &Effects, random: &mut Random) -> Result<(), String> {
        let op = self.reference.prepare(self.word, self.form.length).map_err(|why| why.to_string())?;
        let (mut state, scene) = self.start(random);
        let (mut other, mut other_scene) = (state.clone(), scene.clone());
        self.spoil(effects, &mut other, &mut other_scene, random);
        let before = state.clone();
        let mut one = scene.clone();
        let trace = self.reference.trace(&op, &mut state, &mut one);
        for written in &trace.written {
            if !self.is_written(effects, *written, &before) {
                return Err(format!("{written:?} is not in its writes: {effects:?}"));
            }
        }
        for action in Action::ALL {
            if trace.flow.wanted()[*action] != 0 && !effects.flow.iter().any(|flow| flow.action == *action) {
                return Err(format!("{action:?} is not in its flow"));
            }
        }
        let other_trace = self.reference.trace(&op, &mut other, &mut other_scene);
        if format!("{:?}", trace.flow) != format!("{:?}", other_trace.flow) {
            return Err(format!("its flow depends on what is not in its reads: {effects:?}"));
        }
        if trace.written != other_trace.written {
            return Err(format!("what it writes depends on what is not in its reads: {effects:?}"));
        }
        for written in &trace.written {
            let [a, b] = [(&state, &one), (&other, &other_scene)].map(|(state, scene)| self.value(*written, state, scene));
            if a != b {
                return Err(format!("{written:?} is {a:#x} or {b:#x}, by what is not in its reads: {effects:?}"));
            }
        }
        Ok(())
    }

    fn start(&self, random: &mut Random) -> (State, Scene) {
        let (info, mut state, mut scene) = (self.reference.machine(), self.reference.state(), self.reference.scene());
        scene.lane = random.next_u64() as usize % info.lanes as usize;
        (scene.pc, scene.next) = (0x100, 0x100 + u64::from(self.form.length / 8));
        for (chosen, variant) in scene.variants.iter_mut().zip(&info.variants) {
            *chosen = random.next_u64() as usize % variant.values.len();
        }
        self.spoil(&Effects::default(), &mut state, &mut scene, random);
        (state, scene)
    }

    /// Everything that the effects do not read becomes another value.
    fn spoil(&self, effects: &Effects, state: &mut State, scene: &mut Scene, random: &mut Random) {
        let info = self.reference.machine();
        for lane in 0..info.lanes as usize {
            for (file, registers) in info.registers.iter().enumerate() {
                for index in 0..registers.count {
                    if state.own(file, index) == (file, index) && !self.is_read(effects, state, file, index) {
                        let value = random.value(registers.width);
                        // Often an address that memory has.
                        let value = if random.next_u64().is_multiple_of(2) { value & 0x3f8 } else { value };
                        state.set_register(file, index, lane, value);
                    }
                }
            }
            for (file, flags) in info.flags.iter().enumerate() {
                for index in 0..flags.count {
                    if !effects
                        .reads
                        .iter()
                        .any(|read| matches!(*read, Access::Flags(of, which) if of == file && self.covers(which, index)))
                    {
                        state.set_flags(file, index, lane, random.next_u64());
                    }
                }
            }
            for (at, value) in self.isa.machine.state.iter().enumerate() {
                let index = self.isa.machine.state_place(at);
                match value.kind {
                    _ if effects.reads.contains(&Access::State(at)) => {}
                    StateKind::Launch => scene.launch_values[index][lane] = random.value(value.width.min(8)) as u32,
                    StateKind::Written => state.set_value(index, lane, random.value(value.width)),
                }
            }
        }
    }

    /// The registers of an access that a number of a register is one of.
    fn covers(&self, which: Which, index: usize) -> bool {
        match which {
            Which::All => true,
            Which::One(number) => number as usize == index,
            Which::Field { field, plus, parts } => {
                let value = isa_spec::semantics::value::of(&self.form.fields[usize::from(field)], self.word).low();
                value.saturating_add(plus.into()) / u64::from(parts) == index as u64
            }
        }
    }

    fn is_read(&self, effects: &Effects, state: &State, file: usize, index: usize) -> bool {
        self.is_among(&effects.reads, state, file, index)
    }

    fn is_among(&self, accesses: &[Access], state: &State, file: usize, index: usize) -> bool {
        let files = &self.reference.machine().registers;
        accesses.iter().any(|access| match *access {
            Access::Register(of, which) => {
                let mut numbers = (0..files[of].count).filter(|number| self.covers(which, *number));
                numbers.any(|number| state.own(of, number) == (file, index))
            }
            Access::Flags(..) | Access::State(_) => false,
        })
    }

    fn is_written(&self, effects: &Effects, written: Written, state: &State) -> bool {
        match written {
            Written::Register(file, index, _) => {
                let (file, index) = state.own(file, index);
                self.is_among(&effects.writes, state, file, index)
            }
            Written::Flags(file, index, _) => {
                let is_it =
                    |access: &Access| matches!(*access, Access::Flags(of, which) if of == file && self.covers(which, index));
                effects.writes.iter().any(is_it)
            }
            Written::Value(value, _) => effects.writes.iter().any(|access| match *access {
                Access::State(at) => {
                    self.isa.machine.state[at].kind == StateKind::Written && self.isa.machine.state_place(at) == value
                }
                Access::Register(..) | Access::Flags(..) => false,
            }),
            Written::Memory(at, bytes) => effects.memory.iter().any(|access| {
                access.kind != MemoryKind::Load
                    && access.bytes == bytes
                    && self.isa.machine.reached(access.space).contains(&at.space)
            }),
        }
    }

    /// What is in a place, but for bits that were not written.
    fn value(&self, written: Written, state: &State, scene: &Scene) -> u128 {
        let lane = scene.lane;
        match written {
            Written::Register(file, index, mask) => state.register(file, index, lane) & mask,
            Written::Flags(file, index, mask) => u128::from(state.flags(file, index, lane) & mask),
            Written::Value(value, mask) => state.value(value, lane) & mask,
            Written::Memory(at, bytes) => scene.memory.get(at, bytes).low_u128(),
        }
    }
}
