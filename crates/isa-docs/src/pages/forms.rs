//! Names for the forms of an instruction that have a property.

use isa_spec::model::{Form, Isa};

/// The names of these forms, unless they are all of them.
pub(super) fn only(isa: &Isa, users: &[&Form], all: usize) -> String {
    if users.len() == all {
        return String::new();
    }
    users.iter().map(|f| short(isa, f)).collect::<Vec<_>>().join(", ")
}

/// The name of a form without that of its instruction.
pub(super) fn short<'f>(isa: &Isa, form: &'f Form) -> &'f str {
    let rest = form.name.strip_prefix(isa.instruction(form.instruction).name.as_str()).and_then(|rest| rest.strip_prefix('.'));
    rest.unwrap_or(&form.name)
}
