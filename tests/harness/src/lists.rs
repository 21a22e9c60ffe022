//! An engine that executes lists of operations one by one, in the plainest way.

use isa_operations::{Id, Known, List, Lists, Node, Op, Place};
use isa_reference::eval::{Reference, State, float_function};
use isa_sim::{Engine, MachineInfo, NotExecutable, Routine, State as _, Step};
use isa_spec::model::{Form, Isa, Word};
use isa_spec::semantics::arith::{self, bit, saturating_u64};
use isa_spec::semantics::builtins::Supplied;
use isa_spec::semantics::int::Int;
use isa_spec::semantics::machine::StateKind;
use isa_spec::semantics::value;

/// An engine that executes lists.
pub struct ListEngine<'a> {
    reference: Reference<'a>,
    forms: Vec<Option<Lists>>,
    routines: Vec<(Routine, List)>,
}

/// The values of the fields of a word, and the conditions that hold.
pub(crate) struct Fields(Vec<Int>, Vec<bool>);

impl Fields {
    pub(crate) fn of(form: &Form, word: Word) -> Self {
        let conditions = form.behaviour.iter().flat_map(|own| &own.conditions).map(|c| c.words.contains(word)).collect();
        Self(form.fields.iter().map(|field| value::of(field, word)).collect(), conditions)
    }
}

impl Known for Fields {
    fn field(&self, field: usize) -> Option<Int> {
        Some(self.0[field])
    }

    fn condition(&self, condition: usize) -> Option<bool> {
        Some(self.1[condition])
    }
}

impl<'a> ListEngine<'a> {
    /// Lowers the bodies of all forms.
    ///
    /// # Panics
    /// If the instruction set can't be simulated.
    pub fn new(isa: &'a Isa) -> Self {
        let routines = Routine::ALL.into_iter().filter_map(|routine| Some((routine, List::of_body(isa, isa.routine(routine)?))));
        Self {
            reference: Reference::new(isa).expect("it can be simulated"),
            forms: isa.forms.iter().map(|form| form.behaviour.as_ref().map(|own| Lists::of(isa, own))).collect(),
            routines: routines.collect(),
        }
    }

    fn execute_list(&self, list: &List, lanes: u64, part: u64, state: &mut State, step: &mut Step<'_>) -> u64 {
        let isa = self.reference.isa();
        let count = self.machine().lanes as usize;
        let on = |lane: usize| lanes >> lane & 1 == 1;
        let mut values = vec![vec![Int::default(); count]; list.nodes.len()];
        let mut next = 0;
        while next < list.nodes.len() {
            // What is between a number that is taken and the one that replaces it belongs to one lane at a time.
            let replaces = |node: &Node| matches!(node.op, Op::Replace(taken, _) if taken.0 as usize == next);
            let end = list.nodes.iter().position(replaces).unwrap_or(next) + 1;
            for lane in (0..count).filter(|lane| on(*lane)) {
                for at in next..end {
                    let node = &list.nodes[at];
                    let get = |id: Id| values[id.0 as usize][lane];
                    if node.when.is_some_and(|when| !get(when).bit(0)) {
                        continue;
                    }
                    let value = match &node.op {
                        Op::Other(of, from) => {
                            let from = usize::try_from(saturating_u64(get(*from))).unwrap_or(usize::MAX);
                            if from < count && on(from) { values[of.0 as usize][from] } else { Int::default() }
                        }
                        Op::Ballot(of) => {
                            let bits = (0..count).filter(|lane| on(*lane) && values[of.0 as usize][*lane].bit(0));
                            Int::from(bits.fold(0u128, |mask, lane| mask | 1 << lane))
                        }
                        _ => execute(isa, list, node, &get, lane, (part, step.active), state, step),
                    };
                    values[at][lane] = value.truncated(node.width.max(1));
                    let is_fault = matches!(&node.op, Op::Act(action, _) if action.is_fault());
                    if count == 1 && (is_fault || step.memory.has_trouble()) {
                        return 0;
                    }
                }
            }
            next = end;
        }
        let result = list.result.map(|id| &values[id.0 as usize]);
        result.map_or(0, |bits| (0..count).filter(|lane| on(*lane) && bits[*lane].bit(0)).fold(0, |mask, lane| mask | 1 << lane))
    }
}

/// One operation in one lane.
#[expect(clippy::too_many_arguments, reason = "it is one step of a loop")]
fn execute(
    isa: &Isa,
    list: &List,
    node: &Node,
    get: &dyn Fn(Id) -> Int,
    lane: usize,
    (part, executing): (u64, u64),
    state: &mut State,
    step: &mut Step<'_>,
) -> Int {
    let index = |id: Id| usize::try_from(saturating_u64(get(id))).unwrap_or(usize::MAX);
    let memory = |at: &isa_operations::Memory| {
        let (space, address) = isa.machine.memory_at(at.space, saturating_u64(get(at.address)));
        (space, at.bank.map_or(0, |bank| saturating_u64(get(bank))), address)
    };
    let number = |n: u64| Int::from(u128::from(n)).truncated(node.width);
    let bytes = node.width / 8;
    match &node.op {
        Op::Const(value) => *value,
        Op::Field(_) | Op::Condition(_) | Op::Other(..) | Op::Ballot(_) => unreachable!("the word decides them, or the caller"),
        Op::Variant(variant) => number(step.variants[*variant] as u64),
        Op::Supplied(what) => number(match what {
            Supplied::Lane => lane as u64,
            Supplied::Active => part,
            Supplied::Executing => executing,
            Supplied::Reduced => step.supplied.reduced,
            Supplied::Pc => step.pc,
            Supplied::Next => step.next,
            Supplied::Steps => step.steps(),
            Supplied::Hart => step.supplied.hart,
            Supplied::Line(line) => step.supplied.lines >> line & 1,
            Supplied::Cause => step.supplied.cause,
            Supplied::Value => step.supplied.value,
            Supplied::Word => step.supplied.word,
            Supplied::Address => step.supplied.address,
            Supplied::Write => step.supplied.write.into(),
        }),
        Op::Read(place, _) => read(isa, place, &index, lane, state, step),
        Op::Unary(op, a) => arith::unary(*op, get(*a), node.width),
        Op::Binary(op, a, b) => arith::binary(*op, get(*a), get(*b), list.node(*a).width),
        Op::Select(when, yes, no) => get(if get(*when).bit(0) { *yes } else { *no }),
        Op::Slice(of, lo) => arith::shr(get(*of), (*lo).into()),
        Op::Join(high, low) => arith::or(arith::shl(get(*high), list.node(*low).width.into()), get(*low)),
        Op::Zext(of) => get(*of),
        Op::Sext(of) => get(*of).sign_extended(list.node(*of).width),
        Op::Int(function, args) => {
            let values: Vec<Int> = args.iter().map(|arg| get(*arg)).collect();
            arith::function(*function, &values, list.node(args[0]).width, node.width)
        }
        Op::Float(function, args, exact) => {
            let values: Vec<Int> = args.iter().map(|arg| get(*arg)).collect();
            float_function(*function, &values, list.node(args[0]).width, *exact, &isa.machine.floats)
        }
        Op::Load(at) => {
            let (space, bank, address) = memory(at);
            if at.aligned && !step.memory.is_aligned(space, bank, lane, address, bytes, false) {
                return Int::default();
            }
            Int::from(step.memory.load(space, bank, lane, address, bytes))
        }
        Op::Take(at) => {
            let (space, bank, address) = memory(at);
            Int::from(step.memory.atomic(space, bank, lane, address, bytes, &mut |old| old))
        }
        Op::Replace(taken, new) => {
            let Op::Take(at) = &list.node(*taken).op else { unreachable!("it replaces what was taken") };
            let (space, bank, address) = memory(at);
            let new = get(*new).low_u128();
            step.memory.atomic(space, bank, lane, address, bytes, &mut |_| new);
            Int::default()
        }
        Op::Store(at, value) => {
            let (space, bank, address) = memory(at);
            if !at.aligned || step.memory.is_aligned(space, bank, lane, address, bytes, true) {
                step.memory.store(space, bank, lane, address, bytes, get(*value).low_u128());
            }
            Int::default()
        }
        Op::Write(place, value, mask) => {
            let mask = mask.map_or(Int::ones(node.width), get);
            let before = read(isa, place, &index, lane, state, step);
            let after = arith::or(arith::and(before, arith::not(mask)), arith::and(get(*value), mask));
            match *place {
                Place::Register { file, index: number, plus } => {
                    state.set_register(file, index(number).saturating_add(plus as usize), lane, after.low_u128());
                }
                Place::Flags { file, index: number } => state.set_flags(file, index(number), lane, after.low()),
                Place::State(value) => state.set_value(isa.machine.state_place(value), lane, after.low_u128()),
            }
            bit(false)
        }
        Op::Act(action, args) => {
            let mut numbers = [0; 3];
            numbers.iter_mut().zip(args).for_each(|(number, arg)| *number = saturating_u64(get(*arg)));
            step.flow.request(*action, 1 << lane, numbers);
            Int::default()
        }
    }
}

fn read(isa: &Isa, place: &Place, index: &dyn Fn(Id) -> usize, lane: usize, state: &State, step: &Step<'_>) -> Int {
    match *place {
        Place::Register { file, index: number, plus } => {
            Int::from(state.register(file, index(number).saturating_add(plus as usize), lane))
        }
        Place::Flags { file, index: number } => Int::from(u128::from(state.flags(file, index(number), lane))),
        Place::State(value) => match isa.machine.state[value].kind {
            StateKind::Launch => Int::from(u128::from(step.launch_values[isa.machine.state_place(value)][lane])),
            StateKind::Written => Int::from(state.value(isa.machine.state_place(value), lane)),
        },
    }
}

impl Engine for ListEngine<'_> {
    type State = State;
    type Op = Lists;

    fn machine(&self) -> &MachineInfo {
        self.reference.machine()
    }

    fn prepare(&self, word: Word, bits: u32) -> Result<Lists, NotExecutable> {
        let op = self.reference.prepare(word, bits)?;
        let isa = self.reference.isa();
        let form = isa.form(op.form());
        let word = self.reference.decode(word, bits).map_or(word, |(_, word)| word);
        let lists = self.forms[op.form().0 as usize].as_ref().expect("it is not ready without semantics");
        Ok(lists.with(isa, &Fields::of(form, word)))
    }

    fn length_of(&self, unit: Word) -> Option<u32> {
        self.reference.length_of(unit)
    }

    fn text(&self, word: Word, bits: u32, address: u64) -> String {
        self.reference.text(word, bits, address)
    }

    fn state(&self) -> State {
        self.reference.state()
    }

    fn has(&self, routine: Routine) -> bool {
        self.reference.has(routine)
    }

    fn routine(&self, routine: Routine, state: &mut State, step: &mut Step<'_>) {
        if let Some((_, list)) = self.routines.iter().find(|own| own.0 == routine) {
            self.execute_list(list, step.active, step.active, state, step);
        }
    }

    fn execute(&self, lists: &Lists, state: &mut State, step: &mut Step<'_>) {
        let active = step.active;
        let part = match &lists.guard {
            Some(guard) => self.execute_list(guard, active, 0, state, step),
            None => active,
        };
        let one = self.machine().lanes == 1;
        let goes_on = |step: &Step<'_>| !one || !step.memory.has_trouble() && !step.flow.ends_body();
        if goes_on(step) {
            self.execute_list(&lists.body, part, part, state, step);
        }
        if goes_on(step) {
            self.execute_list(&lists.after, active, active, state, step);
        }
    }
}
