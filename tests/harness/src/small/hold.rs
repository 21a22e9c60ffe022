//! Holds what isa-spec makes of a small spec against what trying all words says.

use super::brute::{Brute, Class};
use super::overlaps;
use super::primitives::{self, Primitive};
use super::spec::{Spec, Word};
use crate::Codec;
use isa_reference::certificate::Certificate;
use isa_runtime::why::{Length, Why};
use isa_spec::diag::{Diagnostic, Severity};
use isa_spec::model::Isa;
use std::collections::{BTreeMap, BTreeSet};

/// The amount of work for a spec.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// The number of legal words of each length that go to text and back.
    pub texts: usize,
    /// The number of words of each length that belong to no form and are decoded. Those that belong to one are all decoded.
    pub refused: usize,
    /// One legal word in this number has its text damaged at each character.
    pub damaged: usize,
}

/// The properties of a spec.
#[derive(Clone, Debug, Default)]
pub struct Seen {
    /// It has clashes, or other faults.
    pub refused: bool,
    /// A form lies inside another.
    pub nested: bool,
    /// A form is declared to take words of another, and one does that without a declaration.
    pub overlaps: [bool; 2],
    /// Words of different meaning have one text.
    pub same_text: bool,
    /// Some words break a rule.
    pub illegal: bool,
    /// Legal words that went to text and back.
    pub words: usize,
    /// An instruction has forms of several lengths, if it was not refused.
    pub lengths: bool,
    /// It has entries with tables, if it was not refused.
    pub tables: bool,
    /// Its codes and spellings, if it was not refused.
    pub primitives: BTreeSet<Primitive>,
}

macro_rules! hold {
    ($holds:expr, $($why:tt)*) => {
        if !$holds {
            return Err(format!($($why)*));
        }
    };
}

/// Holds a spec against isa-spec.
pub(crate) fn hold(spec: &Spec, effort: Effort) -> Result<Seen, String> {
    let brute = Brute::new(spec);
    let loaded = isa_spec::load_str("small.yaml", &spec.yaml("small"), None);
    let errors: Vec<(&str, &str)> =
        loaded.diagnostics.iter().filter(|d| d.severity == Severity::Error).map(|d| (d.code, d.message.as_str())).collect();
    if brute.empty.is_empty() && !spec.is_text {
        overlaps::hold(spec, &brute, &loaded.diagnostics)?;
    }
    if !brute.is_good() {
        refusals(&brute, &errors)?;
        return Ok(Seen { refused: true, ..Seen::default() });
    }
    let Some(isa) = loaded.isa else { return Err(format!("a good spec is refused: {errors:?}")) };
    let warned: BTreeSet<usize> = loaded.diagnostics.iter().filter(|d| d.code == "same-text").flat_map(|d| at(&isa, d)).collect();
    let lengths = isa.instructions.iter().any(|i| isa.forms_of(i).iter().any(|form| form.length != isa.forms_of(i)[0].length));
    let mut primitives = primitives::of(&isa);
    primitives::of_readings(spec, &isa, &mut primitives);
    let mut seen = Seen { lengths, tables: !spec.rows().is_empty(), primitives, ..Seen::default() };
    let names: Vec<&str> = isa.forms.iter().map(|f| f.name.as_str()).collect();
    let expected: Vec<&str> = brute.forms.iter().map(|f| f.name.as_str()).collect();
    hold!(names == expected, "the forms are {names:?}, not {expected:?}");
    hold!(isa.words.little_endian != spec.big_endian, "the bytes of a unit are in another order");
    // The engine is not the same code for words of other lengths.
    let codec = Codec::with_words(&isa, [0, 64, 128, 256][brute.forms.len() % 4]).map_err(|e| format!("no tables: {e:?}"))?;
    if spec.is_text {
        statements(&brute, spec, &codec, effort, &mut seen)?;
        same_texts(spec, &brute, &isa, warned, &mut seen)?;
        return Ok(seen);
    }
    let certificate = isa_reference::certificate::Certificate::new(&isa);
    for length in &spec.lengths {
        let classes = brute.classes(spec, length.bits);
        certified(&brute, &certificate, length.bits, brute.total(spec, length.bits), &classes)?;
        let legal = classes.iter().filter(|c| matches!(c.1, Class::Legal(_))).count();
        let refused = classes.iter().filter(|c| matches!(c.1, Class::None | Class::OtherLength)).count();
        // The words that are tried are spread over all.
        let mut some_legal = spread(legal, effort.texts);
        let mut some_refused = spread(refused, effort.refused);
        for (word, class) in classes.iter().copied() {
            if !matches!(class, Class::None | Class::OtherLength) || some_refused() {
                decoded(spec, &brute, &codec, length.bits, word, class)?;
            }
            if let Class::Legal(form) = class
                && some_legal()
            {
                texts(spec, &brute, &codec, form, word)?;
                if seen.words.is_multiple_of(effort.damaged) {
                    damaged(&brute, &codec, &brute.forms[form].text(word))?;
                }
                seen.words += 1;
            }
        }
        seen.illegal |= classes.iter().any(|c| matches!(c.1, Class::Illegal(_)));
    }
    seen.overlaps = [
        spec.instructions.iter().any(|(_, part)| !part.over.is_empty()),
        loaded.diagnostics.iter().any(|finding| finding.message.contains(" takes words of ")),
    ];
    seen.nested = brute.forms.iter().any(|a| brute.forms.iter().any(|b| brute.is_inside(a, b)));
    same_texts(spec, &brute, &isa, warned, &mut seen)?;
    Ok(seen)
}

/// Says yes to at most `some` of `all` questions, at regular intervals.
fn spread(all: usize, some: usize) -> impl FnMut() -> bool {
    let step = all.div_ceil(some).max(1);
    let mut at = 0;
    move || {
        at += 1;
        (at - 1) % step == 0
    }
}

/// Asserts that the errors are exactly the right ones.
fn refusals(brute: &Brute, errors: &[(&str, &str)]) -> Result<(), String> {
    hold!(!errors.is_empty(), "no error, and yet: {}", faults(brute));
    if !brute.empty.is_empty() {
        hold!(errors.iter().all(|e| e.0 == "empty"), "only forms without words, or rules that no word keeps: {errors:?}");
        return Ok(());
    }
    let mut clashes = BTreeSet::new();
    for (code, message) in errors {
        match *code {
            "length" => hold!(!brute.outside.is_empty() || !brute.bad_holes.is_empty(), "all lengths are right: {message}"),
            "clash" if message.contains(" hole") || message.contains("already belong to") => {
                hold!(!brute.bad_holes.is_empty(), "all holes are right: {message}");
            }
            "ambiguous-text" => {
                let Some(pair) = shared(message) else { return Err(format!("what is ambiguous? {message}")) };
                clashes.insert(pair);
            }
            "clash" => {
                let Some((pair, witness)) = named(message) else { return Err(format!("what clashes? {message}")) };
                let form = |name: &str| brute.forms.iter().find(|f| f.name == name);
                let (Some(a), Some(b)) = (form(&pair.0), form(&pair.1)) else { return Err(format!("which forms? {message}")) };
                let has = |f: &super::brute::Form| f.words.has(witness);
                hold!(has(a) && has(b), "not a word of both: {message}");
                let is_clash = brute.clashes.iter().any(|(a, b)| (a, b) == (&pair.0, &pair.1) || (b, a) == (&pair.0, &pair.1));
                hold!(is_clash, "these clash: {:?}; not {message}", brute.clashes);
            }
            _ => return Err(format!("error {code}: {message}; expected {}", faults(brute))),
        }
    }
    if !brute.is_text {
        return Ok(());
    }
    let ordered = |(a, b): &(String, String)| if a < b { (a.clone(), b.clone()) } else { (b.clone(), a.clone()) };
    let (found, all): (BTreeSet<_>, BTreeSet<_>) =
        (clashes.iter().map(ordered).collect(), brute.clashes.iter().map(ordered).collect());
    hold!(found == all, "these clash: {all:?}; found: {found:?}");
    Ok(())
}

fn faults(brute: &Brute) -> String {
    let Brute { clashes, empty, outside, bad_holes, .. } = brute;
    format!("clashes {clashes:?}, without words {empty:?}, of other lengths {outside:?}, no holes {bad_holes:?}")
}

/// `A and B clash: 0x12 is a word of both, …`
fn named(message: &str) -> Option<((String, String), Word)> {
    let (pair, rest) = message.split_once(" clash")?;
    let (_, rest) = rest.split_once(": 0x")?;
    let (a, b) = pair.split_once(" and ")?;
    let witness = Word::from_str_radix(rest.split(' ').next()?, 16).ok()?;
    Some(((a.to_string(), b.to_string()), witness))
}

/// `` `x` is a text of A and of B, and … ``
fn shared(message: &str) -> Option<(String, String)> {
    let (_, pair) = message.rsplit_once("` is a text of ")?;
    let (a, b) = pair.split_once(", and in a text-only")?.0.split_once(" and of ")?;
    Some((a.to_string(), b.to_string()))
}

fn certified(brute: &Brute, certificate: &Certificate, bits: u32, total: usize, classes: &[(Word, Class)]) -> Result<(), String> {
    let Some(length) = certificate.lengths.iter().find(|l| l.bits == bits) else {
        return Err(format!("no certificate of {bits} bits"));
    };
    let mut own: BTreeMap<usize, usize> = BTreeMap::new();
    for (_, class) in classes {
        if let Class::Legal(form) | Class::Illegal(form) = class {
            *own.entry(*form).or_default() += 1;
        }
    }
    let allocated: usize = own.values().sum();
    let found = [&length.total, &length.allocated, &length.holes].map(|count| number(&count.to_string()));
    let expected = [total, allocated, total - allocated].map(Some);
    hold!(found == expected, "of {bits} bits, words, allocated and free are {found:?}, not {expected:?}");
    for (form, count) in &length.forms {
        let expected = own.get(&form.index()).copied().unwrap_or(0);
        let name = &brute.forms[form.index()].name;
        hold!(number(&count.to_string()) == Some(expected), "{name} has {count} words, not {expected}");
    }
    Ok(())
}

/// A count, in hexadecimal or decimal.
fn number(text: &str) -> Option<usize> {
    match text.strip_prefix("0x") {
        Some(digits) => usize::from_str_radix(digits, 16).ok(),
        None => text.parse().ok(),
    }
}

fn decoded(spec: &Spec, brute: &Brute, codec: &Codec<'_>, bits: u32, word: Word, class: Class) -> Result<(), String> {
    let found = codec.decode(word.into(), bits);
    let said = codec.length_of(codec.isa().first_unit(word.into(), bits));
    let right = match (&class, &found) {
        (Class::Legal(form), Ok(id)) => id.index() == *form,
        (Class::Legal(_), _) | (_, Ok(_)) => false,
        (Class::Illegal(number), Err(why)) => matches!(why, Why::Rule { form, .. } if form.number as usize == *number),
        (Class::Hole(hole), Err(why)) => matches!(why, Why::Hole { name, .. } if *name == spec.holes[*hole].name),
        (Class::OtherLength, Err(Why::Length(Length::Other { .. }))) => said.is_some(),
        (Class::OtherLength, Err(why)) => matches!(why, Why::NoWord(_)) && said.is_none(),
        (Class::None, Err(Why::NoWord(_))) => said.is_some(),
        (Class::None, Err(why)) => {
            matches!(why, Why::Fixed { .. } | Why::Reserved { .. } | Why::Value { .. } | Why::Excluded { .. })
        }
    };
    // A spec may have no form of a length.
    let none_of_length = class == Class::None && !brute.forms.iter().any(|f| f.length == bits);
    let name = |form: &usize| brute.forms[*form].name.clone();
    let class = match &class {
        Class::Legal(form) => format!("legal, of {}", name(form)),
        Class::Illegal(form) => format!("of {}, and breaks a rule", name(form)),
        other => format!("{other:?}"),
    };
    hold!(right || none_of_length, "{bits}-bit word {word:#x} is {class}; decode: {found:?}");
    Ok(())
}

/// In a text-only instruction set: every text is read as what prints it, and what is read is legal.
fn statements(brute: &Brute, spec: &Spec, codec: &Codec<'_>, effort: Effort, seen: &mut Seen) -> Result<(), String> {
    let isa = codec.isa();
    // The generator's word of what was read: the same fields, where it has them.
    let read = |text: &str| -> Result<Option<(usize, Word)>, String> {
        let statement = codec.parse_statement(text, 0, &|_| None).map_err(|e| e.to_string())?;
        let (id, word) = (statement.form, statement.word);
        let own = &brute.forms[id.index()];
        let mut bits = 0;
        for field in &isa.form(id).fields {
            let Some(place) = own.fields.iter().find(|f| f.path == field.path) else {
                return Err(format!("{} has no field `{}`", own.name, field.path));
            };
            let mut raw = field.bits.get(word) as Word;
            if let Some(names) = spec.names_of(place) {
                let name = statement.names.get(raw as usize).map_or("", String::as_str);
                // Damaged texts can have other names than those of the generator.
                let Some(known) = names.iter().position(|own| own == name) else { return Ok(None) };
                raw = known as Word;
            }
            bits |= place.bits.place(raw);
        }
        let mut again = String::new();
        codec.print_statement(&statement, 0, &mut again);
        hold!(again == own.text(bits), "`{text}` is read as what prints `{again}`, and its fields print `{}`", own.text(bits));
        Ok(Some((id.index(), bits)))
    };
    let legal = |(form, word): (usize, Word)| brute.forms[form].words.has(word) && brute.forms[form].is_legal(word);
    let all = brute.legal(spec);
    seen.illegal = brute.forms.iter().any(|f| f.words.iter().any(|w| !f.is_legal(w)));
    let mut some = spread(all.len(), effort.texts);
    for (form, word) in all.into_iter().filter(|_| some()) {
        let own = &brute.forms[form];
        seen.words += 1;
        let text = own.text(word);
        match read(&text) {
            Ok(None) => return Err(format!("`{text}` of {} is read with other names", own.name)),
            Ok(Some(found)) => {
                hold!(
                    found.0 == form && legal(found),
                    "`{text}` of {} is read as {:#x} of {}",
                    own.name,
                    found.1,
                    brute.forms[found.0].name
                );
                let again = own.text(found.1);
                hold!(again == text, "`{text}` of {} is read as `{again}`", own.name);
            }
            Err(e) => return Err(format!("`{text}` of {} is not read: {e}", own.name)),
        }
        for also in own.also(word, 0).iter().filter(|t| !t.is_empty()) {
            match read(also) {
                Ok(found) => hold!(found.is_some_and(legal), "`{also}` is read as {found:x?}, which is illegal"),
                Err(e) => return Err(format!("`{also}` (also) of {} is not read: {e}", own.name)),
            }
        }
        for other in some_of(own.spellings(word, 0), word).into_iter().chain(some_of(own.respelt(spec, word, 0), word)) {
            match read(&other) {
                Ok(found) => {
                    let is_right = found.is_some_and(|f| legal(f) && brute.forms[f.0].admits(spec, f.1, 0, &other));
                    hold!(is_right, "`{other}` for `{text}` is read as {found:x?}");
                }
                Err(e) => return Err(format!("`{other}` for `{text}` of {} is not read: {e}", own.name)),
            }
        }
        let damaged = damage(&text, word);
        if codec.parse(&damaged, 0, &|_| None).is_ok() {
            let found = read(&damaged)?;
            hold!(found.is_none_or(legal), "`{damaged}` is read as {found:x?}, which is illegal");
        }
    }
    Ok(())
}

/// At most three of the texts.
fn some_of(mut texts: Vec<String>, word: Word) -> Vec<String> {
    while texts.len() > 3 {
        texts.swap_remove((word as usize).wrapping_mul(7) % texts.len());
    }
    texts
}

/// Almost a text.
fn damage(text: &str, word: Word) -> String {
    match word % 4 {
        0 => text.replace(", ", ","),
        1 => text.replacen('.', "", 1),
        2 => format!("{text}, 0x1"),
        _ => text[..text.len() - 1].to_string(),
    }
}

/// A text without each of its characters, and with another one in its place: what is still accepted is legal.
fn damaged(brute: &Brute, codec: &Codec<'_>, text: &str) -> Result<(), String> {
    for (i, (at, c)) in text.char_indices().enumerate() {
        let rest = &text[at + c.len_utf8()..];
        for other in ["", ["0", "x", " ", ".", "-", "a", ",", "1", "é"][(i + text.len()) % 9]] {
            let text = format!("{}{other}{rest}", &text[..at]);
            if let Ok((form, word)) = codec.parse(&text, 0, &|_| None) {
                let form = &brute.forms[form.index()];
                let word = word.low() as Word;
                hold!(form.words.has(word) && form.is_legal(word), "`{text}` is read as {word:#x}, which is illegal");
            }
        }
    }
    Ok(())
}

fn texts(spec: &Spec, brute: &Brute, codec: &Codec<'_>, form: usize, word: Word) -> Result<(), String> {
    // Texts with addresses in them, where there are any, at some addresses of the machine.
    let most = spec.pc.map_or(u64::MAX, |bits| u64::MAX >> (64 - bits));
    let addresses = [0, 4, 0x1_0000_0010, u64::MAX - 7, i64::MAX as u64 - 2].map(|address| address & most);
    let at = usize::from(word % 7 == 3) * (1 + word as usize % 4);
    text_at(spec, brute, codec, (form, word), addresses[at])
}

fn text_at(spec: &Spec, brute: &Brute, codec: &Codec<'_>, (form, word): (usize, Word), address: u64) -> Result<(), String> {
    let own = &brute.forms[form];
    let id = codec.isa().forms[form].id;
    let expected = own.text_at(word, address);
    let mut text = String::new();
    codec.print(id, word.into(), address, &mut text);
    hold!(text == expected, "{word:#x} of {} prints `{text}`, not `{expected}`", own.name);
    let read = |text: &str| codec.parse(text, address, &|_| None).map(|(form, word)| (form.index(), word.low() as Word));
    let mut full = String::new();
    codec.print_full(id, word.into(), address, &mut full);
    match read(&full) {
        Ok(found) => hold!(
            found == (form, word),
            "{word:#x} of {}: `{full}` is read as {:#x} of {}",
            own.name,
            found.1,
            brute.forms[found.0].name
        ),
        Err(e) => return Err(format!("{word:#x} of {}: `{full}` is not read: {e}", own.name)),
    }
    let base = codec.base_text(id, word.into(), address);
    let expected = own.base_at(word, address);
    hold!(base == expected, "{word:#x} of {} prints `{base}` without aliases, not `{expected}`", own.name);
    let (full, again) = codec.full_without_aliases(id, word.into(), address);
    hold!(
        again.as_ref().is_ok_and(|again| *again == (id, word.into())),
        "{word:#x} of {}: without aliases `{full}` is read as {again:?}",
        own.name
    );
    let legal = |(form, word): (usize, Word)| brute.forms[form].words.has(word) && brute.forms[form].is_legal(word);
    match read(&text) {
        Ok(found) => {
            hold!(legal(found), "`{text}` is read as {:#x}, which is illegal", found.1);
            let again = brute.forms[found.0].text_at(found.1, address);
            hold!(
                again == text,
                "{word:#x} of {}: `{text}` is read as {:#x} of {}, `{again}`",
                own.name,
                found.1,
                brute.forms[found.0].name
            );
        }
        Err(e) => return Err(format!("{word:#x} of {}: `{text}` is not read: {e}", own.name)),
    }
    for also in own.also(word, address).iter().filter(|t| !t.is_empty()) {
        match read(also) {
            Ok(found) => hold!(legal(found), "`{also}` is read as {:#x}, which is illegal", found.1),
            Err(e) => return Err(format!("{word:#x} of {}: `{also}` (also) is not read: {e}", own.name)),
        }
    }
    // Aliases and variants that hold, and other ways to write the values.
    let spellings = some_of(own.spellings(word, address), word);
    for other in spellings.into_iter().chain(some_of(own.respelt(spec, word, address), word)) {
        match read(&other) {
            Ok(found) => hold!(
                legal(found) && brute.forms[found.0].admits(spec, found.1, address, &other),
                "`{other}` for `{text}` is read as {:#x} of {}, at {address:#x}",
                found.1,
                brute.forms[found.0].name
            ),
            Err(e) => return Err(format!("`{other}` for `{text}` of {} at {address:#x} is not read: {e}", own.name)),
        }
    }
    // Almost a text: what is accepted is legal.
    let damaged = damage(&text, word);
    if let Ok(found) = read(&damaged) {
        hold!(legal(found), "`{damaged}` is read as {:#x}, which is illegal", found.1);
    }
    Ok(())
}

/// The instructions at the place of a finding: rows of a table have one.
fn at(isa: &Isa, d: &Diagnostic) -> Vec<usize> {
    (0..isa.instructions.len()).filter(|i| isa.instructions[*i].span == d.span()).collect()
}

/// The warnings of the check and of the lint name the instructions whose texts are shared, and no others.
fn same_texts(spec: &Spec, brute: &Brute, isa: &Isa, mut warned: BTreeSet<usize>, seen: &mut Seen) -> Result<(), String> {
    let lints = isa_reference::lint::same_text(isa);
    if spec.follows {
        let undecided = lints.iter().all(|d| d.message.contains("could not be decided"));
        hold!(undecided && warned.is_empty(), "a source is followed, and yet: {lints:?}");
        return Ok(());
    }
    warned.extend(lints.iter().flat_map(|d| at(isa, d)));
    let (within, between) = brute.same_text(spec);
    seen.same_text = !within.is_empty() || !between.is_empty();
    let name = |i: &usize| isa.instructions[*i].name.as_str();
    for i in &within {
        hold!(warned.contains(i), "words of {} that differ have one text; no warning", name(i));
    }
    for (a, b) in &between {
        hold!(warned.contains(a) || warned.contains(b), "{} and {} have a text in common; no warning", name(a), name(b));
    }
    for i in &warned {
        let shares = |i: &usize| within.contains(i) || between.iter().any(|(a, b)| a == i || b == i);
        let row = |other: &usize| isa.instructions[*other].span == isa.instructions[*i].span;
        hold!(warned.iter().filter(|other| row(other)).any(shares), "a warning that {} shares a text; it does not", name(i));
    }
    Ok(())
}
