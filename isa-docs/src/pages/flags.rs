//! The state that an instruction's semantics read and write, besides the registers that its fields name: flags, named values and
//! fixed registers.

use super::forms::only;
use super::registers::Registers;
use isa_spec::model::{Form, Isa};
use isa_spec::semantics::Int;
use isa_spec::semantics::builtins::Action;
use isa_spec::semantics::machine::{Flags, Routine, State};
use isa_spec::semantics::typed::{self, Expr, ExprKind, Place, PlaceKind, Register, Stmt, StmtKind};
use std::collections::BTreeSet;

/// The flags and values that the forms of an instruction write. Equal lists of several forms appear once.
pub(super) struct Written {
    /// The flags that they affect: `N, Z, C = 0`.
    pub(super) flags: Vec<Registers>,
    /// The other named values that they set.
    pub(super) sets: Vec<Registers>,
    /// The names of all of these flags, in the order of the machine: `C Z N`.
    pub(super) flag_names: String,
}

/// The flags and values that the semantics of the forms of an instruction write.
pub(super) fn written(isa: &Isa, forms: &[Form], effects: &[Effects<'_>]) -> Written {
    let all: Vec<(&Form, &[Write])> = forms.iter().zip(effects).map(|(form, found)| (form, found.writes.as_slice())).collect();
    let listed = |verb, is_flag: bool| {
        let mut lists: Vec<(String, Vec<&Form>)> = Vec::new();
        for (form, writes) in &all {
            let list = shown(&writes.iter().filter(|write| write.is_flag == is_flag).collect::<Vec<_>>());
            match lists.iter_mut().find(|(known, _)| *known == list) {
                _ if list.is_empty() => {}
                Some((_, users)) => users.push(form),
                None => lists.push((list, vec![form])),
            }
        }
        let row = |(list, users): (String, Vec<&Form>)| Registers { verb, list, forms: only(isa, &users, forms.len()) };
        lists.into_iter().map(row).collect()
    };
    let mut names: Vec<&Write> = all.iter().flat_map(|(_, writes)| *writes).filter(|write| write.is_flag).collect();
    names.sort_by_key(|write| write.order);
    names.dedup_by_key(|write| write.order);
    let flag_names = names.into_iter().map(|write| write.name.as_str()).collect::<Vec<_>>().join(" ");
    Written { flags: listed("affects", true), sets: listed("sets", false), flag_names }
}

/// `C, Z = 0`, and of several registers of flags `z, s of C[0]; z of C[rd]`.
fn shown(writes: &[&Write]) -> String {
    let register = |writes: &[&Write]| {
        let flags = writes.iter().map(|write| write.shown()).collect::<Vec<_>>().join(", ");
        let register = writes.first().map_or("", |write| write.register.as_str());
        if register.is_empty() { flags } else { format!("{flags} of {register}") }
    };
    writes.chunk_by(|one, other| one.register == other.register).map(register).collect::<Vec<_>>().join("; ")
}

/// A flag or a named value that is written.
struct Write {
    name: String,
    /// The register of the flag, `C[rd]`, where its name does not say it.
    register: String,
    is_flag: bool,
    /// Its place among all of the machine.
    order: (usize, usize),
    /// The value that it always has afterwards.
    becomes: Option<bool>,
}

impl Write {
    /// `C`, or `C = 0`.
    fn shown(&self) -> String {
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
    writes: Vec<Write>,
    /// The named values that it reads: indices into the state of the machine.
    values: BTreeSet<usize>,
    /// The fixed registers that it reads: files and numbers.
    read: BTreeSet<(usize, u128)>,
    /// The fixed registers that it writes.
    written: BTreeSet<(usize, u128)>,
}

/// So many neighbouring registers are listed as a range.
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
            match &stmt.kind {
                StmtKind::Set(place, value) => {
                    self.expr(value);
                    let value = match &value.kind {
                        ExprKind::Const(value) if always => Some(*value),
                        _ => None,
                    };
                    self.place(place, 0, place.width, value);
                }
                StmtKind::If { arms, .. } => arms.iter().for_each(|(when, _)| self.expr(when)),
                StmtKind::Match { on, .. } => self.expr(on),
                StmtKind::Store(at, value) | StmtKind::Atomic { at, new: value, .. } => {
                    at.children().into_iter().chain([value]).for_each(|expr| self.expr(expr));
                }
                StmtKind::Action(action, args) => {
                    args.iter().for_each(|arg| self.expr(arg));
                    // An instruction that is there to raise does what the machine does then; of others that is a fault.
                    if *action == Action::Raise && always {
                        let isa = self.isa;
                        isa.routine(Routine::Raise).into_iter().for_each(|body| self.stmts(&body.stmts, true));
                    }
                }
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
            PlaceKind::Part { of, at } => {
                self.expr(at);
                self.place(of, 0, of.width, None);
            }
            PlaceKind::Concat(parts) => parts.iter().for_each(|part| self.place(part, 0, part.width, None)),
            PlaceKind::Register(register) => {
                self.expr(&register.index);
                _ = fixed(register).map(|of| self.written.insert(of));
            }
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

#[cfg(test)]
mod tests {
    use super::super::registers::registers;
    use super::*;

    const SPEC: &str = "\
isa: t
word: 8
registers: { R: { index: 2, width: 8 } }
machine:
  flags: { P: [C, Z, N], Q: { count: 2, flags: [z, s] } }
  state: { on: 1, A: 8 }
  raise: 'P.N = 1; A = trunc(cause, 8);'
choices: { M: { imm: { fix: { 0: 0 }, fields: { n: 1 }, text: '{n}' }, reg: { fix: { 0: 1 }, ignored: 1 } } }
instructions:
  nop: { fix: { 7..0: 0 }, text: nop }
  cmp: { fix: { 7..4: 1 }, fields: { a: 3..2 R, b: 1..0 R }, text: 'cmp {a}, {b}',
    semantics: 'let d = R[a] - R[b]; P.Z = d == 0; P.C = 0; if R[b] != 0 { P.N = 1; }' }
  clear: { fix: { 7..4: 2, 3..0: 0 }, text: clear, semantics: 'P = 0; P.C = 1; A = 0; on = 1;' }
  brk: { fix: { 7..4: 4, 3..0: 0 }, text: brk, semantics: 'raise(3, 0);' }
  carry: { fix: { 7..4: 6 }, fields: { a: 3..2 R, b: 1..0 R }, text: 'carry {a}, {b}',
    semantics: 'let s = zext(R[a], 9) + zext(R[b], 9); R[a] = s[7..0]; if on { R[3] = zext(s[8], 8); }' }
  sum: { fix: { 7..4: 7, 3..0: 0 }, text: sum, semantics: 'let s = R[0] + R[1] + R[2] + R[3]; R[3] = A; R[0] = 1; A = s;' }
  trap: { fix: { 7..4: 5 }, fields: { n: 3..0 }, text: 'trap {n}', semantics: 'if n >u 3 { raise(3, 0); }' }
  test: { fix: { 7..4: 3, 3: 0 }, fields: { q: 2 }, choose: { m: M }, text: 'test {q}<when m is imm: , {m}>',
    semantics: 'Q[q].s = A[7]; if m is imm { Q[1].z = 0; } else { A = 0; }' }
";

    #[test]
    fn what_semantics_write() {
        let loaded = isa_spec::load_str("t.yaml", SPEC, None);
        let isa = loaded.isa.unwrap_or_else(|| panic!("{:?}", loaded.diagnostics));
        let shown = |name: &str| {
            let instruction = isa.instructions.iter().find(|i| i.name == name).expect("an instruction");
            let forms = isa.forms_of(instruction);
            let effects: Vec<Effects<'_>> = forms.iter().map(|form| Effects::of(&isa, form)).collect();
            let Written { flags, sets, flag_names } = written(&isa, forms, &effects);
            let all = flags.into_iter().chain(registers(&isa, forms, &effects)).chain(sets);
            let all: Vec<_> = all.map(|r| format!("{} {} in {}", r.verb, r.list, r.forms)).collect();
            (all, flag_names)
        };
        let both = |all: &[&str], names: &str| (all.iter().map(|line| (*line).to_owned()).collect::<Vec<_>>(), names.to_owned());
        assert_eq!(shown("nop"), both(&[], ""));
        assert_eq!(shown("cmp"), both(&["affects C = 0, Z, N in ", "reads a, b in "], "C Z N"));
        assert_eq!(shown("carry"), both(&["reads a, b, on in ", "writes a, R3 in "], ""));
        assert_eq!(shown("sum"), both(&["reads R0 … R3, A in ", "writes R0, R3 in ", "sets A in "], ""));
        assert_eq!(shown("clear"), both(&["affects C, Z = 0, N = 0 in ", "sets on = 1, A in "], "C Z N"));
        assert_eq!(shown("brk"), both(&["affects N = 1 in ", "sets A in "], "N"));
        assert_eq!(shown("trap"), both(&[], ""));
        let expected = ["affects z = 0 of Q[1]; s of Q[q] in imm", "affects s of Q[q] in reg", "reads A in ", "sets A in reg"];
        assert_eq!(shown("test"), both(&expected, "z s"));
    }
}
