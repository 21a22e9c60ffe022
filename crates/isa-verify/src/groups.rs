//! Groups the disagreements between a specification and an oracle by form and field.
//!
//! A word with different results is compared with the word of the same form, among those with equal results, that differs from it
//! in the fewest parts: fields, fixed bits, other bits. These parts are what the difference is about. Parts that do not matter
//! are restored, after asking the oracle again; words that differ in the same part then form one group, whatever their forms.
//!
//! Words that only the specification refuses have no form. They belong to the form that they come closest to only if the oracle's
//! mnemonic is one of that form; the others are grouped by their mnemonics.

use crate::judge::{Difference, Kind, Verdict};
use crate::oracle::Said;
use crate::tokens::{Hunk, hunks, mnemonic, tokens};
use isa_engine::Sized;
use isa_spec::bits::{BitRange, Bits, ranges};
use isa_spec::model::{self, Form, Isa, Word};
use isa_spec::span::Span;
use isa_stream::Stop;
use serde::ser::{Serialize, SerializeMap, Serializer};
use std::collections::{BTreeMap, HashMap, HashSet};

/// The number of agreed words that are kept for a form.
const MOST_GOOD: usize = 160;
/// The number of disagreed words that are examined, for a form and a kind; all are counted.
const MOST_BAD: usize = 256;
/// The number of cases that are distinguished among them.
const MOST_CASES: usize = 24;
/// The number of parts above which, if no word of a form is right, those related to the text tell nothing.
const MOST_PRINTED: usize = 3;
/// The number of rounds in which parts that do not matter are restored. Each restores a part at least; few cases need more than a
/// dozen.
const MOST_ROUNDS: usize = 256;

/// A part of the words of a form.
struct Part {
    name: String,
    bits: Bits,
    /// The span of its declaration; `None` for bits without a name.
    span: Option<Span>,
    /// Each of its values is a case of its own: one can be wrong and others right.
    is_exact: bool,
}

/// The parts of a form; together they are all bits.
fn parts(form: &Form) -> Vec<Part> {
    let fields = form.fields.iter().map(|field| Part {
        name: format!("`{}`", field.path),
        bits: field.bits.clone(),
        span: Some(field.span),
        is_exact: matches!(field.label, model::Label::Enum(_)),
    });
    let named = form.fixed.iter().filter(|fixed| !fixed.name.is_empty());
    let named =
        named.map(|fixed| Part { name: format!("`{}`", fixed.name), bits: fixed.bits.clone(), span: None, is_exact: true });
    let mut parts: Vec<Part> = fields.chain(named).collect();
    let known = parts.iter().fold(Word::ZERO, |mask, part| mask | part.bits.mask());
    // Other bits one by one.
    let rest = Bits(ranges(Word::ones(form.length) & !known)).places().into_iter();
    let bit = |bit| Bits(vec![BitRange { hi: bit, lo: bit }]);
    parts.extend(rest.map(|place| Part { name: String::new(), bits: bit(place), span: None, is_exact: false }));
    parts
}

/// A word that represents others: about the same parts of the same form.
struct Case {
    difference: Difference,
    /// The nearest agreed word.
    good: Option<Word>,
    /// The parts in which the two words differ.
    about: Vec<usize>,
    count: usize,
}

impl Case {
    /// The disagreement about another word, if it is one of the same kind and form.
    fn remains(&self, verdict: Verdict) -> Option<Difference> {
        let before = &self.difference;
        match verdict {
            Verdict::Differ(now) if (now.kind, now.form) == (before.kind, before.form) => Some(*now),
            _ => None,
        }
    }
}

/// A common property of the words of a group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct About {
    /// The name of a field, in code quotes; empty for bits without a name.
    pub name: String,
    /// Its bits in the word.
    pub bits: String,
    /// `file:line:column` of its declaration.
    pub place: Option<String>,
}

/// Words with a disagreement that appears to have a common reason.
#[derive(Clone, Debug)]
pub struct Group {
    /// The smallest of them: the one nearest to an agreed word.
    pub example: Difference,
    /// The fields that the group is about; empty if no word of the form is right.
    pub about: Vec<About>,
    /// The forms, by their names.
    pub forms: Vec<String>,
    /// The oracle's mnemonic, for words that no form comes close to.
    pub mnemonic: Option<String>,
    /// The number of words.
    pub count: usize,
}

/// Asks both sides again.
pub(crate) type Again<'a> = &'a dyn Fn(&[Sized]) -> Result<Vec<Verdict>, Stop>;

/// The specification's result for a word at address 0.
pub(crate) type Spec<'a> = &'a dyn Fn(Sized) -> Said;

/// The groups of words, in the order of the specification. `again` is `None` if there is no oracle to ask.
pub(crate) fn groups(
    isa: &Isa,
    verdicts: Vec<(Word, Verdict)>,
    spec: Spec<'_>,
    again: Option<Again<'_>>,
) -> Result<Vec<Group>, Stop> {
    let mut good: HashMap<usize, Vec<Word>> = HashMap::new();
    let mut differences = Vec::new();
    for (word, verdict) in verdicts {
        match verdict {
            Verdict::Same(form) => {
                let list = good.entry(form).or_default();
                if list.len() < MOST_GOOD {
                    list.push(word);
                }
            }
            Verdict::Differ(difference) => differences.push(*difference),
            Verdict::Neither => {}
        }
    }
    let mut mnemonics = Mnemonics::new(isa, &good, spec);
    let mut bad: BTreeMap<(Kind, Option<usize>, Option<String>), Vec<Difference>> = BTreeMap::new();
    for mut difference in differences {
        let foreign = mnemonics.foreign(&difference);
        if foreign.is_some() {
            difference.form = None;
        }
        bad.entry((difference.kind, difference.form, foreign)).or_default().push(difference);
    }
    let mut all_parts: HashMap<usize, Vec<Part>> = HashMap::new();
    let mut cases = Vec::new();
    for ((_, form, _), list) in bad {
        let parts = form.map(|form| all_parts.entry(form).or_insert_with(|| parts(&isa.forms[form])).as_slice());
        let good = form.and_then(|form| good.get(&form)).map_or(&[][..], Vec::as_slice);
        cases.extend(cases_of(parts.unwrap_or_default(), good, list));
    }
    for case in cases.iter_mut().filter(|case| case.good.is_none()) {
        if let Some(parts) = case.difference.form.and_then(|form| all_parts.get(&form)) {
            case.about = printed(parts, &case.difference, spec);
        }
    }
    if let Some(again) = again {
        single(&mut cases, &all_parts, again)?;
        for _ in 0..MOST_ROUNDS {
            if !put_back(&mut cases, &all_parts, again)? {
                break;
            }
        }
    }
    Ok(merge(isa, cases, &all_parts, &mnemonics))
}

/// The mnemonics in agreed words.
struct Mnemonics<'a> {
    isa: &'a Isa,
    good: &'a HashMap<usize, Vec<Word>>,
    spec: Spec<'a>,
    with_dots: bool,
    /// The mnemonics of forms, as far as they were needed.
    known: HashMap<usize, HashSet<String>>,
}

impl<'a> Mnemonics<'a> {
    fn new(isa: &'a Isa, good: &'a HashMap<usize, Vec<Word>>, spec: Spec<'a>) -> Self {
        let with_dots = isa.instructions.iter().any(|instruction| instruction.mnemonic.contains('.'));
        Self { isa, good, spec, with_dots, known: HashMap::new() }
    }

    fn of<'t>(&self, said: &'t Said) -> Option<&'t str> {
        said.as_ref().ok().map(|text| mnemonic(text, self.with_dots))
    }

    /// The oracle's mnemonic of a word that the specification refuses, if no word of the form that it comes closest to has it.
    fn foreign(&mut self, difference: &Difference) -> Option<String> {
        if difference.kind != Kind::Refused {
            return None;
        }
        let name = self.of(&difference.oracle)?.to_owned();
        let Some(form) = difference.form else { return Some(name) };
        if !self.known.contains_key(&form) {
            let words = self.good.get(&form).into_iter().flatten();
            let texts = words.map(|word| (self.spec)(Sized { word: *word, bits: self.isa.forms[form].length }));
            let own = texts.filter_map(|said| self.of(&said).map(str::to_owned)).collect();
            self.known.insert(form, own);
        }
        (!self.known[&form].contains(&name)).then_some(name)
    }
}

/// The parts in which two words differ.
fn differing(parts: &[Part], a: Word, b: Word) -> Vec<usize> {
    let differs = |part: &Part| !((a ^ b) & part.bits.mask()).is_zero();
    parts.iter().enumerate().filter(|(_, part)| differs(part)).map(|(i, _)| i).collect()
}

/// The cases among the words of a form.
fn cases_of(parts: &[Part], good: &[Word], bad: Vec<Difference>) -> Vec<Case> {
    let all = bad.len();
    let near = |difference: Difference| {
        let word = difference.word.word;
        let nearest = good.iter().map(|good| (differing(parts, word, *good), *good));
        match nearest.min_by_key(|(about, good)| (about.len(), (word ^ *good).count_ones())) {
            Some((about, good)) => (about, Some(good), difference),
            None => (Vec::new(), None, difference),
        }
    };
    let mut bad: Vec<_> = bad.into_iter().take(MOST_BAD).map(near).collect();
    bad.sort_by_key(|(about, good, difference)| {
        let word = difference.word.word;
        (about.len(), good.map(|good| (word ^ good).count_ones()), word)
    });
    let looked_at = bad.len();
    let mut cases: Vec<Case> = Vec::new();
    for (about, good, difference) in bad {
        let word = difference.word.word;
        let is_same = |case: &&mut Case| {
            case.about.iter().all(|i| {
                let (bits, Case { difference, good, .. }) = (&parts[*i].bits, &**case);
                let value = bits.get_all(word);
                match parts[*i].is_exact {
                    true => value == bits.get_all(difference.word.word),
                    false => good.is_none_or(|good| value != bits.get_all(good)),
                }
            })
        };
        let is_full = cases.len() == MOST_CASES;
        match cases.iter_mut().find(is_same) {
            Some(case) => case.count += 1,
            // The last case also counts those that can no longer be distinguished.
            None if is_full => cases.last_mut().into_iter().for_each(|case| case.count += 1),
            None => cases.push(Case { difference, good, about, count: 1 }),
        }
    }
    // The words that were not examined most likely belong to the most frequent case.
    if let Some(case) = cases.iter_mut().max_by_key(|case| case.count) {
        case.count += all - looked_at;
    }
    cases
}

/// Finds the cases that are about one part alone, by restoring all others at once.
fn single(cases: &mut [Case], all_parts: &HashMap<usize, Vec<Part>>, again: Again<'_>) -> Result<(), Stop> {
    let of_part = |word: Word, good: Word, bits: &Bits| bits.set_all(good, bits.get_all(word));
    let tried = try_parts(cases, all_parts, again, of_part)?;
    for (index, part, difference) in tried {
        let case = &mut cases[index];
        if case.about.len() > 1 {
            case.about = vec![part];
            case.difference = difference;
        }
    }
    Ok(())
}

/// Restores parts that do not matter in each case that is about several parts: of those that don't matter individually, the first
/// ones, as many as possible of all, half of them, a quarter, and so on; returns whether there was any.
fn put_back(cases: &mut [Case], all_parts: &HashMap<usize, Vec<Part>>, again: Again<'_>) -> Result<bool, Stop> {
    let without_part = |word: Word, good: Word, bits: &Bits| bits.set_all(word, bits.get_all(good));
    let mut free: BTreeMap<usize, Vec<(usize, Difference)>> = BTreeMap::new();
    for (index, part, difference) in try_parts(cases, all_parts, again, without_part)? {
        free.entry(index).or_default().push((part, difference));
    }
    let mut tried: Vec<(usize, usize)> = Vec::new();
    let mut words = Vec::new();
    for (index, free) in &free {
        let case = &cases[*index];
        let parts = case.difference.form.and_then(|form| all_parts.get(&form)).map_or(&[][..], Vec::as_slice);
        let (Sized { word, bits }, good) = (case.difference.word, case.good.unwrap_or_default());
        for first in std::iter::successors(Some(free.len()), |first| Some(first / 2)).take_while(|first| *first > 1) {
            let word = free[..first].iter().fold(word, |word, (part, _)| without_part(word, good, &parts[*part].bits));
            tried.push((*index, first));
            words.push(Sized { word, bits });
        }
    }
    let mut restored: BTreeMap<usize, (usize, Difference)> = BTreeMap::new();
    if !words.is_empty() {
        for ((index, first), verdict) in tried.into_iter().zip(again(&words)?) {
            if let Some(now) = cases[index].remains(verdict) {
                // The greatest number comes first.
                restored.entry(index).or_insert((first, now));
            }
        }
    }
    let is_any = !free.is_empty();
    for (index, mut free) in free {
        let (first, difference) = restored.remove(&index).unwrap_or_else(|| (1, free[0].1.clone()));
        free.truncate(first);
        let case = &mut cases[index];
        case.about.retain(|part| free.iter().all(|(other, _)| other != part));
        case.difference = difference;
    }
    Ok(is_any)
}

/// Asks about a word for each part of each case that is about several: `of` makes it from the word of the case, the agreed word
/// and the bits of the part. Returns the remaining disagreements: the case, the part, and the difference.
fn try_parts(
    cases: &[Case],
    all_parts: &HashMap<usize, Vec<Part>>,
    again: Again<'_>,
    of: impl Fn(Word, Word, &Bits) -> Word,
) -> Result<Vec<(usize, usize, Difference)>, Stop> {
    let mut tried = Vec::new();
    let mut words = Vec::new();
    for (index, case) in cases.iter().enumerate().filter(|(_, case)| case.about.len() > 1) {
        let (Some(good), Some(parts)) = (case.good, case.difference.form.and_then(|form| all_parts.get(&form))) else { continue };
        for part in &case.about {
            let Sized { word, bits } = case.difference.word;
            tried.push((index, *part));
            words.push(Sized { word: of(word, good, &parts[*part].bits), bits });
        }
    }
    if words.is_empty() {
        return Ok(Vec::new());
    }
    let differences = tried.into_iter().zip(again(&words)?);
    let remaining = differences.filter_map(|((index, part), verdict)| Some((index, part, cases[index].remains(verdict)?)));
    Ok(remaining.collect())
}

/// If no word of a form is right: the parts that change the text at the place where the two texts differ.
fn printed(parts: &[Part], difference: &Difference, spec: Spec<'_>) -> Vec<usize> {
    let (Ok(ours), Ok(theirs)) = (&difference.spec, &difference.oracle) else { return Vec::new() };
    let ours = tokens(ours);
    let places = hunks(&ours, &tokens(theirs));
    let Sized { word, bits: length } = difference.word;
    let changes = |part: &Part| {
        let bits = part.bits.places();
        let words = bits.iter().map(|bit| Sized { word: word ^ Word::bit(*bit), bits: length });
        let text =
            words.filter_map(|word| spec(word).ok()).map(|text| hunks(&ours, &tokens(&text))).find(|hunks| !hunks.is_empty());
        let touches = |a: &Hunk| places.iter().any(|b| a.from <= b.to && b.from <= a.to && (a.from, a.to) != (b.to, b.from));
        text.is_some_and(|hunks| hunks.iter().any(touches))
    };
    let found: Vec<usize> = (0..parts.len()).filter(|i| changes(&parts[*i])).collect();
    if found.len() > MOST_PRINTED { Vec::new() } else { found }
}

/// The key of a case: its kind, the fields with their declarations (bits without a name only if there is no field), the difference of
/// the two texts, and the mnemonic.
type Key = (Kind, Vec<(String, Option<Span>)>, [String; 2], Option<String>);

/// Joins the cases with the same key.
fn merge(isa: &Isa, cases: Vec<Case>, all_parts: &HashMap<usize, Vec<Part>>, mnemonics: &Mnemonics<'_>) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    let mut known: HashMap<Key, usize> = HashMap::new();
    // The bits without a name of each group.
    let mut bits: Vec<Word> = Vec::new();
    for case in cases {
        let form = case.difference.form.map(|form| (&isa.forms[form], &all_parts[&form]));
        let of = form.map_or("", |(form, _)| isa.instruction(form.instruction).name.as_str());
        let mut key = Vec::new();
        let mut about = Vec::new();
        let mut is_exact = true;
        let parts = || case.about.iter().filter_map(|i| form?.1.get(*i));
        for part in parts().filter(|part| !part.name.is_empty()) {
            let bits = &part.bits;
            let owner = if part.span.is_none() { of } else { "" };
            key.push((format!("{owner} {bits}"), part.span));
            is_exact &= part.is_exact;
            let place = part.span.map(|span| isa.files.place(span));
            about.push(About { name: part.name.clone(), bits: bits.to_string(), place });
        }
        let nameless = parts().filter(|part| part.name.is_empty()).fold(Word::ZERO, |mask, part| mask | part.bits.mask());
        is_exact &= nameless.is_zero();
        if key.is_empty() && !nameless.is_zero() {
            key.push((format!("{of} {}", Bits(ranges(nameless))), None));
        } else if !nameless.is_zero() {
            // Of the form alone: other forms may have other bits there.
            key.push((form.map_or("", |(form, _)| form.name.as_str()).to_owned(), None));
        }
        if key.is_empty() {
            key.push((of.to_owned(), None));
        }
        let texts = if is_exact && case.difference.kind == Kind::Text { middles(&case.difference) } else { Default::default() };
        let mnemonic = form.is_none().then(|| mnemonics.of(&case.difference.oracle).map(str::to_owned)).flatten();
        let next = groups.len();
        let at = *known.entry((case.difference.kind, key, texts, mnemonic.clone())).or_insert(next);
        if at == next {
            groups.push(Group { example: case.difference.clone(), about, forms: Vec::new(), mnemonic, count: 0 });
            bits.push(nameless);
        }
        let group = &mut groups[at];
        bits[at] |= nameless;
        group.count += case.count;
        let name = form.map_or(String::new(), |(form, _)| form.name.clone());
        if !name.is_empty() && !group.forms.contains(&name) {
            group.forms.push(name);
        }
    }
    for (group, bits) in groups.iter_mut().zip(bits) {
        let nameless = ranges(bits).into_iter().map(|range| Bits(vec![range]).to_string());
        group.about.extend(nameless.map(|bits| About { name: String::new(), bits, place: None }));
    }
    groups
}

/// The differing parts of two texts, between their common beginning and their common end.
fn middles(difference: &Difference) -> [String; 2] {
    let (Ok(a), Ok(b)) = (&difference.spec, &difference.oracle) else { return Default::default() };
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let begin = a.iter().zip(&b).take_while(|(a, b)| a == b).count();
    let (a, b) = (&a[begin..], &b[begin..]);
    let end = a.iter().rev().zip(b.iter().rev()).take_while(|(a, b)| a == b).count();
    [a, b].map(|text| text[..text.len() - end].iter().collect())
}

/// `{"kind","forms":[…],"mnemonic","about":[{"name","bits","place"}],"count","word","spec","oracle"}`; a side
/// that refuses the word has `{"refused":"…"}` in the place of a text.
impl Serialize for Group {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let about = self.about.iter().map(|about| {
            let name = about.name.trim_matches('`');
            [("name", Some(name)), ("bits", Some(about.bits.as_str())), ("place", about.place.as_deref())]
                .into_iter()
                .filter_map(|(key, value)| Some((key, value.filter(|value| !value.is_empty())?)))
                .collect::<BTreeMap<_, _>>()
        });
        let about: Vec<_> = about.collect();
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry(
            "kind",
            match self.example.kind {
                Kind::Text => "text",
                Kind::Refused => "refused",
                Kind::Accepted => "accepted",
            },
        )?;
        map.serialize_entry("forms", &self.forms)?;
        if let Some(mnemonic) = &self.mnemonic {
            map.serialize_entry("mnemonic", mnemonic)?;
        }
        map.serialize_entry("about", &about)?;
        map.serialize_entry("count", &self.count)?;
        map.serialize_entry("word", &self.example.word.to_string())?;
        map.serialize_entry("spec", &Shown(&self.example.spec))?;
        map.serialize_entry("oracle", &Shown(&self.example.oracle))?;
        map.end()
    }
}

struct Shown<'a>(&'a Said);

impl Serialize for Shown<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Ok(text) => serializer.serialize_str(text),
            Err(reason) => {
                let mut map = serializer.serialize_map(Some(1))?;
                map.serialize_entry("refused", reason)?;
                map.end()
            }
        }
    }
}
