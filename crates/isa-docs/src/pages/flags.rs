//! The flags and the named values that an instruction writes.

use super::effects::{Effects, Write};
use super::forms::only;
use super::registers::Registers;
use isa_spec::model::{Form, Isa};

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
