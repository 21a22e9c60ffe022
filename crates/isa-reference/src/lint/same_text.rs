//! Words of different meaning with one text.

use crate::codec::Codec;
use isa_spec::diag::Diagnostic;
use isa_spec::model::{Form, Instruction, Isa, Prefer, Word};
use isa_spec::same_text::{Comparer, MAX_PAIRS, Orders, Texts, Verdict, candidates};
use std::collections::{BTreeSet, HashMap};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::available_parallelism;

/// Warnings about words of different meaning with the same text, each with an example: within an instruction, and between two. A
/// spec that `follows` a tool has such pairs on purpose, and gets no warnings about those that are known; nor are there warnings
/// about words of two lengths if the spec says which is preferred. Undecided cases are always reported.
pub fn same_text(isa: &Isa) -> Vec<Diagnostic> {
    apart_from(isa, BTreeSet::new())
}

/// The same, except for pairs of instructions that already have a finding.
pub(super) fn apart_from(isa: &Isa, said: BTreeSet<(u32, u32)>) -> Vec<Diagnostic> {
    let mut list = Vec::new();
    // In a text-only instruction set, two forms with one text are an error, which was looked for when the specification was read.
    let pairs = if isa.is_text() { Vec::new() } else { candidates(isa) };
    if pairs.len() >= MAX_PAIRS {
        let message = format!("more than {MAX_PAIRS} pairs of forms could have a text in common: not all were compared");
        list.push(Diagnostic::warning("same-text", message, isa.span));
    }
    // The spec says which length is preferred.
    let is_said = |(a, b): &(&Form, &Form)| isa.prefer == Prefer::Shortest && a.length != b.length;
    let own = isa.forms.iter().map(|form| (form, form));
    let mut groups: Vec<Vec<(&Form, &Form)>> = Vec::new();
    let mut numbers = HashMap::new();
    for (a, b) in own.chain(pairs).filter(|pair| !is_said(pair)) {
        let key = (a.instruction.0, b.instruction.0);
        if !said.contains(&key) {
            let number = *numbers.entry(key).or_insert(groups.len());
            if number == groups.len() {
                groups.push(Vec::new());
            }
            groups[number].push((a, b));
        }
    }
    list.extend(compared(isa, &groups));
    list
}

/// The finding of each group of pairs that has one.
fn compared(isa: &Isa, groups: &[Vec<(&Form, &Form)>]) -> Vec<Diagnostic> {
    let next = AtomicUsize::new(0);
    let orders = Orders::of(isa, groups.iter().flatten().copied());
    let some = || {
        let texts = Texts::new(isa);
        let mut findings = Findings { codec: Codec::new(isa), isa, comparer: Comparer::new(&texts, &orders) };
        let mut found = Vec::new();
        while let Some((number, group)) = Some(next.fetch_add(1, Ordering::Relaxed)).and_then(|n| Some((n, groups.get(n)?))) {
            found.extend(group.iter().find_map(|(a, b)| findings.compare(a, b)).map(|finding| (number, finding)));
        }
        found
    };
    let threads = available_parallelism().map_or(1, usize::from).min(groups.len() / GROUPS);
    let mut found = some_in_parallel(threads, &some);
    found.sort_by_key(|(number, _)| *number);
    found.into_iter().map(|(_, finding)| finding).collect()
}

/// The findings of `threads` threads together, this one included.
fn some_in_parallel(threads: usize, some: &(impl Fn() -> Vec<(usize, Diagnostic)> + Sync)) -> Vec<(usize, Diagnostic)> {
    std::thread::scope(|scope| {
        let others: Vec<_> = (1..threads).map(|_| scope.spawn(some)).collect();
        let mut found = some();
        for other in others {
            match other.join() {
                Ok(more) => found.extend(more),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        found
    })
}

/// A thread is worth as many groups of pairs.
const GROUPS: usize = 64;

struct Findings<'t, 'a> {
    isa: &'a Isa,
    codec: Codec<'a>,
    comparer: Comparer<'t, 'a>,
}

impl<'a> Findings<'_, 'a> {
    /// Compares two forms.
    fn compare(&mut self, a: &'a Form, b: &'a Form) -> Option<Diagnostic> {
        let (first, second) = (self.isa.instruction(a.instruction), self.isa.instruction(b.instruction));
        let is_known = self.isa.follows.is_some();
        if is_known && self.comparer.can_decide(a, b) {
            return None;
        }
        match self.comparer.compare(a, b) {
            Verdict::Apart => None,
            Verdict::Same(_) if is_known => None,
            Verdict::Same(words) => Some(self.same((a, first), (b, second), words)),
            Verdict::Undecided => {
                let message = match a.instruction == b.instruction {
                    true => format!("whether two words of `{}` have one text could not be decided", first.name),
                    false => format!("whether `{}` and `{}` have a text in common could not be decided", first.name, second.name),
                };
                Some(Diagnostic::warning("same-text", message, second.span))
            }
        }
    }

    fn same(&self, (a, first): (&Form, &Instruction), (b, second): (&Form, &Instruction), words: [Word; 2]) -> Diagnostic {
        let mut text = String::new();
        self.codec.print(a.id, words[0], 0, &mut text);
        if first.id == second.id {
            let digits = |form: &Form| form.length.div_ceil(4) as usize;
            let [x, y] = [(words[0], digits(a)), (words[1], digits(b))].map(|(word, digits)| format!("0x{word:0digits$x}"));
            let message = format!("two words of different meaning have the text `{text}`: {x} and {y}");
            return Diagnostic::warning("same-text", message, first.span)
                .with_help("print what differs, or make it `ignored`; `follows: SOURCE` says that the texts are that tool's, such pairs included");
        }
        // The one that the text is not read as is at fault, if any is.
        let read = self.codec.parse(&text, 0, &|_| None).ok().map(|(form, _)| self.isa.form(form).instruction);
        let ((lost, at), found) = if read == Some(first.id) { ((b, second), a) } else { ((a, first), b) };
        let message = format!("`{text}` is a text of {} and of {}; it is read as the latter", lost.name, found.name);
        Diagnostic::warning("same-text", message, at.span)
    }
}
