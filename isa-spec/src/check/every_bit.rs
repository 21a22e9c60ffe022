//! Every bit of a form is accounted for: it is fixed, a field's, or of bits that are no field.

use crate::bits::{bits_word, ranges};
use crate::compose::with_this_mnemonic;
use crate::diag::{Diagnostic, Diagnostics};
use crate::model::{Form, Isa, Word};

pub(super) fn check(isa: &Isa, diags: &mut Diagnostics) {
    for form in &isa.forms {
        let all = left_over(form);
        let left = ranges(all);
        if left.is_empty() {
            continue;
        }
        let instruction = isa.instruction(form.instruction);
        let same = isa.instructions.iter().filter(|other| other.mnemonic == instruction.name && other.id != instruction.id);
        let same: Vec<&str> = same.map(|other| other.name.as_str()).collect();
        let (what, is_one) = (bits_word(&left), left.len() == 1);
        let (them, fields) = if is_one { ("it", "a field") } else { ("them", "fields") };
        let are = if is_one && left[0].width() == 1 { "is" } else { "are" };
        let message = format!("{what} of `{}` {are} not assigned", instruction.name);
        // An entry without any bits, under the mnemonic of others, is most likely meant for one of them.
        let is_patch = all == Word::ones(form.length) && !same.is_empty();
        let help = format!("make {them} {fields}, or list {them} under `ignored`, `unknown` or `reserved`");
        let help = if is_patch { with_this_mnemonic(&instruction.name, &same) } else { help };
        diags.push(Diagnostic::error("bits-never", message, instruction.span).with_help(help));
    }
}

/// The bits that are neither fixed, nor part of a field, nor declared as plain bits.
fn left_over(form: &Form) -> Word {
    let fields = form.fields.iter().map(|field| field.bits.mask());
    let said = fields.chain(form.plain.iter().map(|plain| plain.bits.mask())).fold(form.mask, |said, bits| said | bits);
    Word::ones(form.length) & !said
}
