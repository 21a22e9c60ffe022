//! In a text-only instruction set, a text is of one form: nothing else tells forms apart.

use crate::same_text::{Comparer, Orders, Texts, Verdict, candidates};
use isa_model::diag::{Diagnostic, Diagnostics};
use isa_model::model::Isa;
use isa_model::print::print_pieces;

pub(super) fn check(isa: &Isa, diags: &mut Diagnostics) {
    let candidates = candidates(isa);
    let (texts, orders) = (Texts::new(isa), Orders::of(isa, candidates.iter().copied()));
    let mut comparer = Comparer::new(&texts, &orders);
    for (a, b) in candidates {
        let span = isa.instruction(b.instruction).span;
        let message = match comparer.compare(a, b) {
            Verdict::Apart => continue,
            Verdict::Same(words) => {
                let mut text = String::new();
                print_pieces(a, &a.text, (words[0], &[]), 0, &mut |_| 0, &mut text);
                format!(
                    "`{text}` is a text of {} and of {}, and in a text-only instruction set only texts tell forms apart",
                    a.name, b.name
                )
            }
            Verdict::Undecided => {
                format!("whether {} and {} have a text in common could not be decided", a.name, b.name)
            }
        };
        diags.push(Diagnostic::error("ambiguous-text", message, span));
    }
}
