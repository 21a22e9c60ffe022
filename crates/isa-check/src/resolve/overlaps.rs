//! Forms that take words of others are declared: `over`.

use super::shared::{Kind, Pair};
use isa_model::bits::fixed_bits;
use isa_model::diag::Diagnostic;
use isa_model::model::{Form, FormId, Isa, Word};
use isa_model::span::Span;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

/// The pairs of forms of which the first takes words of the second and does not say so, except of those that have no word left; and
/// the findings about what is declared.
pub(super) fn undeclared(isa: &Isa, empty: &[FormId]) -> (Vec<Pair>, Vec<Diagnostic>) {
    let mut takes = Takes { isa, around: HashMap::new() };
    for outer in &isa.forms {
        outer.specialised_by.iter().for_each(|inner| takes.around.entry(*inner).or_default().push(outer.id));
    }
    let mut pairs = Vec::new();
    let mut wrong: BTreeMap<Span, Diagnostic> = BTreeMap::new();
    let mut used: BTreeSet<Span> = BTreeSet::new();
    for outer in &isa.forms {
        for inner in outer.specialised_by.iter().map(|id| isa.form(*id)) {
            if !takes.is_declared(inner, outer.id) && empty.binary_search(&outer.id).is_err() {
                pairs.push(Pair { first: inner.id, second: outer.id, kind: Kind::Inside });
            }
            for (over, words) in inner.over.iter().filter_map(|over| Some((over, over.words_of(outer.id)?))) {
                used.insert(over.span);
                let words = Some(words).filter(|_| over.has_words);
                if let Some(words) = words.filter(|words| !takes_those(inner, outer, words.mask, words.value)) {
                    let own = fixed_bits(inner.mask & !outer.mask, inner.value & !outer.mask);
                    let message = format!(
                        "{} takes the words of {} with {own}, not those with {}",
                        inner.name,
                        outer.name,
                        fixed_bits(words.mask, words.value)
                    );
                    wrong.entry(over.span).or_insert_with(|| Diagnostic::warning("overlap", message, over.span));
                }
            }
        }
    }
    let mut needless: BTreeMap<Span, Diagnostic> = BTreeMap::new();
    for form in &isa.forms {
        for over in form.over.iter().filter(|over| !used.contains(&over.span)) {
            let of: BTreeSet<&str> =
                over.of.iter().map(|(id, _)| isa.instruction(isa.form(*id).instruction).name.as_str()).collect();
            let of = of.into_iter().next().unwrap_or("others");
            let message = format!("{} takes no word of {of}", form.name);
            needless.entry(over.span).or_insert_with(|| {
                Diagnostic::warning("overlap", message, over.span).with_help("remove this, or fix the bits that take such words")
            });
        }
    }
    (pairs, wrong.into_values().chain(needless.into_values()).collect())
}

/// True if the bits that a form fixes beyond those of the form around it are these, with these values.
fn takes_those(inner: &Form, outer: &Form, mask: Word, value: Word) -> bool {
    (mask & !inner.mask).is_zero() && inner.value & mask == value && (inner.mask & !outer.mask & !mask).is_zero()
}

/// The forms that each form lies inside.
struct Takes<'a> {
    isa: &'a Isa,
    around: HashMap<FormId, Vec<FormId>>,
}

impl Takes<'_> {
    /// True if a form says that it takes words of another one, or of one that says so.
    fn is_declared(&self, inner: &Form, outer: FormId) -> bool {
        let mut open = vec![inner.id];
        let mut seen = HashSet::from([inner.id]);
        while let Some(form) = open.pop().map(|id| self.isa.form(id)) {
            let around = self.around.get(&form.id).into_iter().flatten().copied();
            open.extend(around.filter(|id| form.over.iter().any(|over| over.words_of(*id).is_some()) && seen.insert(*id)));
        }
        seen.contains(&outer)
    }
}
