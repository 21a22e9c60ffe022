//! Counts of the contents of code.

use isa_engine::{Codec, ControlItem, word_at};
use isa_object::Code;
use std::collections::BTreeMap;
use std::ops::Range;

/// The counts of a function.
#[derive(Default)]
pub struct Counts {
    /// Words.
    pub words: usize,
    /// Words that are refused.
    pub refused: usize,
    /// The number of instructions with each mnemonic.
    pub mnemonics: BTreeMap<String, usize>,
    /// For each field that all instructions have: the number of times that each text is printed.
    pub fields: BTreeMap<String, BTreeMap<String, usize>>,
    /// For each list of control codes: the number of words with each of its items.
    pub lists: BTreeMap<String, BTreeMap<String, usize>>,
}

impl Counts {
    /// The fields that most instructions have: those of at least nine forms of ten.
    pub fn shared_fields(codec: &dyn Codec) -> Vec<String> {
        let mut forms = 0;
        let mut found: BTreeMap<String, usize> = BTreeMap::new();
        for form in 0..codec.forms() {
            forms += 1;
            for (name, _) in codec.form(form).fields {
                *found.entry(name.to_owned()).or_default() += 1;
            }
        }
        found.into_iter().filter(|(_, count)| count * 10 >= forms * 9).map(|(name, _)| name).collect()
    }

    /// Counts the words of some ranges of a section, and the texts of these fields.
    pub fn of(codec: &dyn Codec, code: &Code<'_>, ranges: Vec<Range<u64>>, shared: &[String]) -> Self {
        let mut counts = Self::default();
        // The mnemonic of each form, and those of its fields that are counted.
        let mut forms: BTreeMap<usize, (String, Vec<(usize, usize)>)> = BTreeMap::new();
        // For each form the number of words with each item of its lists of control codes.
        let mut items: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        // The number of uses of each form and each value of a field, so that texts are printed only once.
        let mut used: BTreeMap<usize, usize> = BTreeMap::new();
        let mut values: Vec<BTreeMap<u128, (String, usize)>> = vec![BTreeMap::new(); shared.len()];
        let (mut here, mut raw) = (Vec::new(), Vec::new());
        let mut ranges = ranges.into_iter();
        let (mut at, mut end) = (0, 0);
        loop {
            if at >= end {
                let Some(range) = ranges.next() else { break };
                (at, end) = (range.start as usize, range.end as usize);
            }
            let (length, word) = word_at(codec, &code.data[at..]);
            counts.words += 1;
            let decoded = word.ok().and_then(|sized| Some((codec.decode(sized.word, sized.bits).ok()?, sized.word)));
            if let Some((form, word)) = decoded {
                *used.entry(form).or_default() += 1;
                let (_, fields) = forms.entry(form).or_insert_with(|| {
                    let info = codec.form(form);
                    let place = |name: &str| shared.iter().position(|shared| shared == name);
                    let fields = info.fields.iter().enumerate().filter_map(|(index, (name, _))| Some((index, place(name)?)));
                    (info.mnemonic.to_owned(), fields.collect())
                });
                let items = items.entry(form).or_default();
                here.clear();
                codec.has_items(form, word, &mut here);
                items.resize(here.len(), 0);
                items.iter_mut().zip(&here).for_each(|(items, is_there)| *items += usize::from(*is_there));
                raw.clear();
                codec.raw_fields(form, word, &mut raw);
                for (field, place) in fields.iter() {
                    let Some(raw) = raw.get(*field) else { continue };
                    let value = values[*place].entry(*raw).or_insert_with(|| {
                        let text = codec.value_text(form, *field, word, code.address.wrapping_add(at as u64));
                        (if text.is_empty() { raw.to_string() } else { text }, 0)
                    });
                    value.1 += 1;
                }
            } else {
                counts.refused += 1;
            }
            at += length;
        }
        for (form, used) in &used {
            *counts.mnemonics.entry(forms[form].0.clone()).or_default() += used;
        }
        for (form, numbers) in items {
            for (ControlItem { list, item }, number) in codec.control_items(form).into_iter().zip(numbers) {
                match item {
                    Some(_) if number == 0 => {}
                    Some(item) => *counts.lists.entry(list.to_owned()).or_default().entry(item.to_owned()).or_default() += number,
                    // A flag with the name of a field is counted under the text of the field.
                    None if shared.iter().any(|field| field == list) => {}
                    None => {
                        let flag = counts.fields.entry(list.to_owned()).or_default();
                        *flag.entry(true.to_string()).or_default() += number;
                        *flag.entry(false.to_string()).or_default() += used[&form] - number;
                    }
                }
            }
        }
        for (name, values) in shared.iter().zip(values) {
            let field = counts.fields.entry(name.clone()).or_default();
            for (text, number) in values.into_values() {
                *field.entry(text).or_default() += number;
            }
        }
        counts
    }
}
