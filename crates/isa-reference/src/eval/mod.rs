//! The reference evaluator: what instructions do, by walking the model, one lane after the other. It runs any specification without
//! compiling it, and is what compiled code is held against.
//!
//! [`Reference`] is an [`Engine`] of the simulator; [`Reference::trace`] runs one instruction in one lane and says what it wrote,
//! and [`Scene::run_on`] has another engine run it.

mod error;
mod float;
mod given;
mod lane;
mod memory;
mod on_engine;
mod reference;
mod state;
#[cfg(test)]
mod tests;

pub use error::{NotComparable, NotSimulated};
pub use float::function as float_function;
pub use given::Given;
use isa_operations::Lists;
use isa_sim::{Engine, Flow, MAX_LANES, MachineInfo, NotExecutable, Step, Write};
use isa_spec::model::{Behaviour, FormId, Isa, Word};
use isa_spec::semantics::int::Int;
use isa_spec::semantics::machine::{Routine, StateKind};
use isa_spec::semantics::typed::{Body, Expr};
use isa_spec::semantics::value;
use lane::{Lane, World};
pub use memory::{AccessFault, Address, Scratch};
pub use reference::{Op, Reference, Scene, Trace, Written};
pub use state::State;

impl<'a> Reference<'a> {
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
        let lane = scene.lane;
        traced(scene, |world| self.run(op, state, 1 << lane, world))
    }

    /// Runs a body that belongs to no word in one lane, and says what it wrote.
    pub fn trace_body(&self, body: &Body, state: &mut State, scene: &mut Scene) -> Trace {
        let lane = scene.lane;
        traced(scene, |world| self.each(None, body, 1 << lane, state, world))
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
                let holds =
                    Lane { reference: self, op: Some(op), lane, state, world, vars, has_fault: false }.expr(&guard.expr).bit(0);
                part &= !(u64::from(!holds) << lane);
            }
        }
        // An access to memory that can't be ends the instruction of a core, and so does a fault.
        let goes_on = |world: &World<'_>| self.info.lanes > 1 || !world.memory.has_trouble() && !world.flow.ends_body();
        if goes_on(world) {
            self.each(Some(op), &behaviour.body, part, state, world);
        }
        if goes_on(world) {
            self.each(Some(op), &behaviour.after, active, state, world);
        }
    }

    /// A body in some lanes, one after the other.
    fn each(&self, op: Option<&Op>, body: &Body, active: u64, state: &mut State, world: &mut World<'_>) {
        if body.stmts.is_empty() {
            return;
        }
        world.on = active;
        let mut asked: Vec<(&Expr, Vec<Int>)> = Vec::new();
        if self.info.lanes > 1 {
            for e in body.asked_of_lanes() {
                let mut values = vec![Int::default(); self.info.lanes as usize];
                for lane in self.lanes(active) {
                    let vars = vec![Int::default(); body.vars.len()];
                    // The expression may itself use values of other lanes that were found before.
                    let mut world = World { asked: &asked, of_warp: Vec::new(), written: None, ..world.reborrow() };
                    values[lane] = Lane { reference: self, op, lane, state, world: &mut world, vars, has_fault: false }.expr(e);
                }
                asked.push((e, values));
            }
        }
        let mut world = World { asked: &asked, ..world.reborrow() };
        for lane in self.lanes(active) {
            Lane { reference: self, op, lane, state, world: &mut world, vars: Vec::new(), has_fault: false }.body(body);
        }
        for (target, value) in std::mem::take(&mut world.of_warp) {
            state.set_of_warp(target, value);
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
        let (form, word) = self.decode(word, bits).map_err(|why| NotExecutable::Illegal(why.to_string()))?;
        self.op(form, word)
    }

    fn length_of(&self, unit: Word) -> Option<u32> {
        self.codec.length_of(unit)
    }

    fn text(&self, word: Word, bits: u32, address: u64) -> String {
        let mut text = String::new();
        match self.decode(word, bits) {
            Ok((form, word)) => self.codec.print(form, word, address, &mut text),
            Err(why) => text = format!("! {why}"),
        }
        text
    }

    fn writes(&self, word: Word, bits: u32) -> Option<Vec<Write>> {
        let op = self.prepare(word, bits).ok()?;
        let value = |field: u16| op.fields.get(usize::from(field)).map_or(0, |value| value.low());
        let effects = Lists::of(self.isa, self.behaviour(&op)).effects();
        Some(effects.register_writes(self.isa).into_iter().map(|write| write.of_word(value)).collect())
    }

    fn state(&self) -> State {
        State::new(self.isa, &self.info)
    }

    fn has(&self, routine: Routine) -> bool {
        self.isa.routine(routine).is_some()
    }

    fn routine(&self, routine: Routine, state: &mut State, step: &mut Step<'_>) {
        let active = step.active;
        if let Some(body) = self.isa.routine(routine) {
            self.each(None, body, active, state, &mut world(step));
        }
    }

    fn execute(&self, op: &Op, state: &mut State, step: &mut Step<'_>) {
        let active = step.active;
        self.run(op, state, active, &mut world(step));
    }
}

fn traced(scene: &mut Scene, run: impl FnOnce(&mut World<'_>)) -> Trace {
    let (mut written, mut flow) = (Vec::new(), Flow::default());
    run(&mut World {
        pc: scene.pc,
        next: scene.next,
        launch_values: &scene.launch_values,
        variants: &scene.variants,
        supplied: isa_sim::Supplied::default(),
        steps: 0,
        memory: &mut scene.memory,
        executing: 1 << scene.lane,
        on: 0,
        asked: &[],
        of_warp: Vec::new(),
        flow: &mut flow,
        written: Some(&mut written),
    });
    Trace { written, flow }
}

fn world<'w>(step: &'w mut Step<'_>) -> World<'w> {
    World {
        pc: step.pc,
        next: step.next,
        launch_values: step.launch_values,
        variants: step.variants,
        supplied: step.supplied,
        steps: step.steps(),
        executing: step.active,
        on: 0,
        asked: &[],
        of_warp: Vec::new(),
        memory: &mut step.memory,
        flow: &mut step.flow,
        written: None,
    }
}

/// The kind of a named value, and its index in [`MachineInfo`] among those of its kind: set by a launch, or written by
/// instructions.
pub fn named_value(isa: &Isa, name: &str) -> Option<(StateKind, usize)> {
    let (i, state) = isa.machine.state.iter().enumerate().find(|s| s.1.name == name)?;
    Some((state.kind, isa.machine.state_place(i)))
}
