//! The registers that an instruction reads and writes.

use super::effects::Effects;
use super::forms::only;
use super::text::condition;
use isa_spec::model::{Access, Form, Isa};

/// The registers that forms read or write, or the flags that they affect.
pub(super) struct Registers {
    /// `reads`, `writes`, `sets` or `affects`.
    pub(super) verb: &'static str,
    /// By field: `rd`; `rd +: 2` for two; `rd +: 2 if type == .64`; others by name: `VF`.
    pub(super) list: String,
    /// The forms that do; empty for all.
    pub(super) forms: String,
}

/// The registers that the forms of an instruction read and write, and the named values that they read; equal lists of several forms
/// appear once.
pub(super) fn registers(isa: &Isa, forms: &[Form], effects: &[Effects<'_>]) -> Vec<Registers> {
    let mut found = Vec::new();
    for verb in ["reads", "writes"] {
        let count = |access: &Access| if verb == "reads" { access.reads } else { access.writes };
        let mut lists: Vec<(String, Vec<&Form>)> = Vec::new();
        for (form, effects) in forms.iter().zip(effects) {
            let own = form.accesses.iter().filter(|access| count(access) > 0);
            let fixed = if verb == "reads" { effects.reads() } else { effects.fixed_writes() };
            let list: Vec<String> = own.map(|access| shown(isa, form, access, count(access))).chain(fixed).collect();
            if list.is_empty() {
                continue;
            }
            let list = list.join(", ");
            match lists.iter_mut().find(|(known, _)| *known == list) {
                Some((_, users)) => users.push(form),
                None => lists.push((list, vec![form])),
            }
        }
        found.extend(lists.into_iter().map(|(list, users)| Registers { verb, list, forms: only(isa, &users, forms.len()) }));
    }
    found
}

fn shown(isa: &Isa, form: &Form, access: &Access, count: u32) -> String {
    let path = &form.fields[access.field].path;
    let registers = if count == 1 { path.clone() } else { format!("{path} +: {count}") };
    match access.when.as_ref().map(|when| condition(isa, form, when)) {
        None => registers,
        Some(when) if when == "always" => format!("{registers} otherwise"),
        Some(when) if when.is_empty() => format!("{registers} in some words"),
        Some(when) => format!("{registers} if {when}"),
    }
}
