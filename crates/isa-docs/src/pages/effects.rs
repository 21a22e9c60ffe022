//! The state that semantics read and write, besides the registers that fields name: flags, named values and fixed registers.

use isa_spec::model::{Form, Isa};
use isa_spec::semantics::Int;
use isa_spec::semantics::builtins::Action;
use isa_spec::semantics::machine::{Flags, Routine, State};
use isa_spec::semantics::typed::{self, Expr, ExprKind, Place, PlaceKind, Register, Stmt, StmtKind};
use std::collections::BTreeSet;

/// A flag or a named value that is written.
pub(super) struct Write {
    pub(super) name: String,
    /// The register of the flag, `C[rd]`, where its name does not say it.
    pub(super) register: String,
    pub(super) is_flag: bool,
    /// Its place among all of the machine.
    pub(super) order: (usize, usize),
    /// The value that it always has afterwards.
    becomes: Option<bool>,
}

impl Write {
    /// `C`, or `C = 0`.
    pub(super) fn shown(&self) -> String {
        match self.becomes {
            Some(value) => format!("{} = {}", self.name, u8::from(value)),
            None => self.name.clone(),
        }
    }
}

/// The state that the semantics of a form read and write, besides the registers that its fields name.
pub(super) struct Effects<'a> {
    isa: &'a Isa,
    form: &'a Form,
    /// The flags and named values that it writes, in the order of the machine.
    pub(super) writes: Vec<Write>,
    /// The named values that it reads: indices into the state of the machine.
    values: BTreeSet<usize>,
    /// The fixed registers that it reads: files and numbers.
    read: BTreeSet<(usize, u128)>,
    /// The fixed registers that it writes.
    written: BTreeSet<(usize, u128)>,
}

/// The least number of neighbouring registers that are listed as a range.
const RANGE: usize = 3;

impl<'a> Effects<'a> {
    pub(super) fn of(isa: &'a Isa, form: &'a Form) -> Self {
        let (values, read, written) = Default::default();
        let mut found = Self { isa, form, writes: Vec::new(), values, read, written };
        if let Some(behaviour) = &form.behaviour {
            found.stmts(&behaviour.body.stmts, true);
        }
        found.writes.sort_by(|one, other| {
            (one.order.0, &one.register, one.order.1).cmp(&(other.order.0, &other.register, other.order.1))
        });
        found
    }

    /// The names of the fixed registers and of the named values that it reads: `VF`, `S0 … S3`, `I`.
    pub(super) fn reads(&self) -> Vec<String> {
        let values = self.values.iter().map(|state| self.isa.machine.state[*state].name.clone());
        self.names(&self.read).into_iter().chain(values).collect()
    }

    /// The names of the fixed registers that it writes.
    pub(super) fn fixed_writes(&self) -> Vec<String> {
        self.names(&self.written)
    }

    /// Registers by name; neighbours as a range. A register that reads as a constant is not state.
    fn names(&self, registers: &BTreeSet<(usize, u128)>) -> Vec<String> {
        let is_state = |(file, number): &&(usize, u128)| {
            let file = &self.isa.registers[*file];
            ![file.zero, file.one].contains(&Some(*number))
        };
        let registers: Vec<(usize, u128)> = registers.iter().filter(is_state).copied().collect();
        let name = |(file, number): &(usize, u128)| {
            let file = &self.isa.registers[*file];
            file.name_of(*number).unwrap_or_else(|| format!("{}[{number}]", file.name))
        };
        let run = |run: &[(usize, u128)]| match run {
            [first, .., last] if run.len() >= RANGE => vec![format!("{} … {}", name(first), name(last))],
            few => few.iter().map(name).collect(),
        };
        registers.chunk_by(|a, b| a.0 == b.0 && a.1 + 1 == b.1).flat_map(run).collect()
    }

    /// Collects what statements read and write; `always` if they are executed whatever the operands are.
    fn stmts(&mut self, stmts: &[Stmt], always: bool) {
        for stmt in stmts {
            stmt.exprs().into_iter().for_each(|e| self.expr(e));
            match &stmt.kind {
                StmtKind::Set(place, value) => {
                    let value = match &value.kind {
                        ExprKind::Const(value) if always => Some(*value),
                        _ => None,
                    };
                    self.place(place, 0, place.width, value);
                }
                // An instruction that is there to raise does what the machine does then; of others that is a fault.
                StmtKind::Action(Action::Raise, _) if always => {
                    let isa = self.isa;
                    isa.routine(Routine::Raise).into_iter().for_each(|body| self.stmts(&body.stmts, true));
                }
                _ => {}
            }
            stmt.nested().into_iter().for_each(|inner| self.stmts(std::slice::from_ref(inner), false));
        }
    }

    fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::State(state) => _ = self.values.insert(*state),
            ExprKind::Register(register) => _ = fixed(register).map(|of| self.read.insert(of)),
            ExprKind::Block(stmts, _) => self.stmts(stmts, false),
            ExprKind::Load(at) => return at.children().into_iter().for_each(|child| self.expr(child)),
            _ => {}
        }
        expr.children().into_iter().for_each(|child| self.expr(child));
    }

    /// The bits from `lo` up of a place, and their value where it is known.
    fn place(&mut self, place: &Place, lo: u32, width: u32, value: Option<Int>) {
        match &place.kind {
            PlaceKind::Flags(flags) => self.flags(flags, lo, width, value),
            PlaceKind::State(state) => {
                let of: &State = &self.isa.machine.state[*state];
                let becomes = value.filter(|_| of.width == 1).map(|value| value.bit(0));
                let write = Write {
                    name: of.name.clone(),
                    register: String::new(),
                    is_flag: false,
                    order: (usize::MAX, *state),
                    becomes,
                };
                self.add(write);
            }
            PlaceKind::Slice { of, lo: from } => self.place(of, lo + from, width, value),
            PlaceKind::Part { of, .. } => self.place(of, 0, of.width, None),
            PlaceKind::Concat(parts) => parts.iter().for_each(|part| self.place(part, 0, part.width, None)),
            PlaceKind::Register(register) => _ = fixed(register).map(|of| self.written.insert(of)),
            PlaceKind::Var(_) => {}
        }
    }

    fn flags(&mut self, at: &typed::Flags, lo: u32, width: u32, value: Option<Int>) {
        let machine = &self.isa.machine;
        let of: &Flags = &machine.flags[at.file];
        for (bit, flag) in of.flags.iter().enumerate().skip(lo as usize).take(width as usize) {
            let is_alone = machine.flags.iter().filter(|other| other.flags.contains(flag)).count() == 1;
            let register = match of.count {
                1 if is_alone => String::new(),
                1 => of.name.clone(),
                _ => format!("{}[{}]", of.name, self.index(&at.index)),
            };
            let becomes = value.map(|value| value.bit(bit as u32 - lo));
            self.add(Write { name: flag.clone(), register, is_flag: true, order: (at.file, bit), becomes });
        }
    }

    /// The number of a register of flags: a field, a number, or something that is computed.
    fn index(&self, index: &Expr) -> String {
        match &index.kind {
            ExprKind::Field(field) => self.form.fields[*field].path.clone(),
            ExprKind::Const(number) => number.low().to_string(),
            _ => "…".to_owned(),
        }
    }

    fn add(&mut self, write: Write) {
        match self.writes.iter_mut().find(|known| known.order == write.order && known.register == write.register) {
            Some(known) if known.becomes == write.becomes => {}
            Some(known) => known.becomes = None,
            None => self.writes.push(write),
        }
    }
}

/// The file and the number of a register that is the same in all words.
fn fixed(register: &Register) -> Option<(usize, u128)> {
    let ExprKind::Const(number) = &register.index.kind else { return None };
    Some((register.file, number.low_u128() + u128::from(register.plus)))
}
