//! The flags and the other values of the machine that an instruction's semantics write.

use super::forms::only;
use super::registers::Registers;
use isa_spec::model::{Form, Isa};
use isa_spec::semantics::Int;
use isa_spec::semantics::builtins::Action;
use isa_spec::semantics::machine::{Flags, Routine, State};
use isa_spec::semantics::typed::{self, Expr, ExprKind, Place, PlaceKind, Stmt, StmtKind};

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
pub(super) fn written(isa: &Isa, forms: &[Form]) -> Written {
    let all: Vec<(&Form, Vec<Write>)> = forms.iter().map(|form| (form, writes(isa, form))).collect();
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
    let mut names: Vec<&Write> = all.iter().flat_map(|(_, writes)| writes).filter(|write| write.is_flag).collect();
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

/// The flags and named values that a form writes, in the order of the machine.
fn writes(isa: &Isa, form: &Form) -> Vec<Write> {
    let mut found = Found { isa, form, writes: Vec::new() };
    if let Some(behaviour) = &form.behaviour {
        found.stmts(&behaviour.body.stmts, true);
    }
    found
        .writes
        .sort_by(|one, other| (one.order.0, &one.register, one.order.1).cmp(&(other.order.0, &other.register, other.order.1)));
    found.writes
}

struct Found<'a> {
    isa: &'a Isa,
    form: &'a Form,
    writes: Vec<Write>,
}

impl Found<'_> {
    /// Collects what statements write; `always` if they are executed whatever the operands are.
    fn stmts(&mut self, stmts: &[Stmt], always: bool) {
        for stmt in stmts {
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
            PlaceKind::Var(_) | PlaceKind::Register(_) => {}
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

#[cfg(test)]
mod tests {
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
            let Written { flags, sets, flag_names } = written(&isa, isa.forms_of(instruction));
            let all = flags.into_iter().chain(sets);
            let all: Vec<_> = all.map(|r| format!("{} {} in {}", r.verb, r.list, r.forms)).collect();
            (all, flag_names)
        };
        let both = |all: &[&str], names: &str| (all.iter().map(|line| (*line).to_owned()).collect::<Vec<_>>(), names.to_owned());
        assert_eq!(shown("nop"), both(&[], ""));
        assert_eq!(shown("cmp"), both(&["affects C = 0, Z, N in "], "C Z N"));
        assert_eq!(shown("clear"), both(&["affects C, Z = 0, N = 0 in ", "sets on = 1, A in "], "C Z N"));
        assert_eq!(shown("brk"), both(&["affects N = 1 in ", "sets A in "], "N"));
        assert_eq!(shown("trap"), both(&[], ""));
        let expected = ["affects z = 0 of Q[1]; s of Q[q] in imm", "affects s of Q[q] in reg", "sets A in reg"];
        assert_eq!(shown("test"), both(&expected, "z s"));
    }
}
