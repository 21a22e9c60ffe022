//! Drafts as one file: the common parts of several opcodes with one mnemonic are written once, the rest is a choice.

use crate::entry::{Draft, Field, Meaning, Part, quoted};
use isa_spec::model::Isa;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// The entries of drafts, and the enumerations that they need, as YAML.
pub(crate) fn yaml(isa: &Isa, drafts: &[Draft]) -> String {
    let mut groups: Vec<Vec<&Draft>> = Vec::new();
    for draft in drafts {
        match groups.iter_mut().find(|group| group[0].mnemonic == draft.mnemonic) {
            Some(group) => group.push(draft),
            None => groups.push(vec![draft]),
        }
    }
    let mut file = File { enums: BTreeMap::new(), instructions: String::new() };
    for group in groups {
        file.entry(isa, &distinct(named(&group)));
    }
    let mut out = String::new();
    if !file.enums.is_empty() {
        out.push_str("enums:\n");
        for (name, values) in &file.enums {
            let _ = writeln!(out, "  {name}:");
            for (value, text) in values {
                let _ = writeln!(out, "    {value}: {{ text: {}, name: V{value} }}", quoted(text));
            }
        }
        out.push('\n');
    }
    if !file.instructions.is_empty() {
        let _ = write!(out, "instructions:\n{}", file.instructions);
    }
    out
}

/// Drafts in which each field has a name of its own: if fields would have the same name, their lowest bits become a part of it.
fn named(drafts: &[&Draft]) -> Vec<Draft> {
    let mut places: BTreeMap<&str, BTreeSet<u32>> = BTreeMap::new();
    for field in drafts.iter().flat_map(|draft| &draft.fields) {
        places.entry(&field.name).or_default().insert(field.low);
    }
    let is_taken = |name: &String| drafts.iter().any(|draft| draft.taken.contains(name));
    let name = |field: &Field| match places[field.name.as_str()].len() > 1 || is_taken(&field.name) {
        true => format!("{}_{}", field.name, field.low),
        false => field.name.clone(),
    };
    let draft = |draft: &&Draft| {
        let fields: Vec<Field> = draft.fields.iter().map(|field| Field { name: name(field), ..field.clone() }).collect();
        let text = draft.text.iter().map(|part| {
            let named = part.fields.iter().fold(part.text.clone(), |text, field| text.replacen("{}", &fields[*field].name, 1));
            Part { text: named, ..part.clone() }
        });
        Draft { text: text.collect(), fields, ..(*draft).clone() }
    };
    drafts.iter().map(draft).collect()
}

/// Each of several equal drafts once, with the words of all.
fn distinct(drafts: Vec<Draft>) -> Vec<Draft> {
    let mut found: Vec<Draft> = Vec::new();
    for draft in drafts {
        let is_same = |other: &&mut Draft| (&other.fix, &other.fields, &other.text) == (&draft.fix, &draft.fields, &draft.text);
        match found.iter_mut().find(is_same) {
            Some(same) => {
                let new: Vec<String> = draft.remarks.into_iter().filter(|remark| !same.remarks.contains(remark)).collect();
                same.remarks.extend(new);
            }
            None => found.push(draft),
        }
    }
    found
}

struct File {
    enums: BTreeMap<String, Vec<(usize, String)>>,
    instructions: String,
}

impl File {
    /// The entry of the drafts of one mnemonic.
    fn entry(&mut self, isa: &Isa, drafts: &[Draft]) {
        let first = &drafts[0];
        let mnemonic = &first.mnemonic;
        let is_taken = isa.instructions.iter().any(|insn| insn.name == *mnemonic);
        let key = if is_taken { format!("{mnemonic}_{:x}", first.opcode) } else { mnemonic.clone() };
        let _ = writeln!(self.instructions, "  {key}:");
        if is_taken {
            let _ = writeln!(self.instructions, "    mnemonic: {mnemonic}");
        }
        if let Some(format) = &first.format {
            let _ = writeln!(self.instructions, "    extends: {format}");
        }
        if let [only] = drafts {
            self.part(4, &key, only, &only.fix, &only.fields);
            let _ = writeln!(self.instructions, "    rest: unknown\n    text: {}", template(&only.text));
            self.remarks(4, only);
            return;
        }
        let fix: Vec<String> = common(drafts, |draft| &draft.fix);
        let fields: Vec<Field> = common(drafts, |draft| &draft.fields);
        self.part(4, &key, first, &fix, &fields);
        let [before, after] = around(drafts, &fields);
        let is_name = |name: &String| drafts.iter().any(|d| d.taken.contains(name) || d.fields.iter().any(|f| f.name == *name));
        let choice = (1..).map(|i| if i == 1 { "kind".to_owned() } else { format!("kind_{i}") }).find(|name| !is_name(name));
        let choice = choice.unwrap_or_default();
        let _ = writeln!(self.instructions, "    choose:\n      {choice}:");
        let middle = |draft: &Draft| draft.text[before..draft.text.len() - after].to_vec();
        let has_text = drafts.iter().any(|draft| !middle(draft).is_empty());
        for (i, draft) in drafts.iter().enumerate() {
            let again = match drafts[..i].iter().filter(|other| other.opcode == draft.opcode).count() {
                0 => String::new(),
                before => format!("_{}", before + 1),
            };
            let _ = writeln!(self.instructions, "        x{:x}{again}:", draft.opcode);
            let own = |of: &Vec<String>| of.iter().filter(|item| !fix.contains(item)).cloned().collect::<Vec<_>>();
            let own_fields: Vec<Field> = draft.fields.iter().filter(|field| !fields.contains(field)).cloned().collect();
            self.part(10, &key, draft, &own(&draft.fix), &own_fields);
            if has_text {
                let _ = writeln!(self.instructions, "          text: {}", template(&middle(draft)));
            }
            self.remarks(10, draft);
        }
        let mut text = first.text[..before].to_vec();
        text.extend(has_text.then(|| Part { text: format!("{{{choice}}}"), fields: Vec::new() }));
        text.extend_from_slice(&first.text[first.text.len() - after..]);
        let _ = writeln!(self.instructions, "    rest: unknown\n    text: {}", template(&text));
    }

    /// Writes the fixed parts and the fields of a draft.
    fn part(&mut self, indent: usize, key: &str, draft: &Draft, fix: &[String], fields: &[Field]) {
        let blanks = " ".repeat(indent);
        if !fix.is_empty() {
            let _ = writeln!(self.instructions, "{blanks}fix: {{ {} }}", fix.join(", "));
        }
        if !fields.is_empty() {
            let _ = writeln!(self.instructions, "{blanks}fields:");
        }
        for field in fields {
            let meaning = match &field.meaning {
                Meaning::Said(text) => text.clone(),
                Meaning::Values(values) => self.enumeration(key, draft, &field.name, values),
            };
            let line = [field.bits.clone(), meaning].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ");
            let default = field.default.as_ref().map_or(String::new(), |default| format!(" = {default}"));
            let line = format!("{line}{default}").replace('\'', "''");
            let _ = writeln!(self.instructions, "{blanks}  {}: '{line}'", field.name);
        }
    }

    fn remarks(&mut self, indent: usize, draft: &Draft) {
        for remark in &draft.remarks {
            let _ = writeln!(self.instructions, "{}# {remark}", " ".repeat(indent));
        }
    }

    /// The name of an enumeration with these texts.
    fn enumeration(&mut self, key: &str, draft: &Draft, field: &str, values: &[(usize, String)]) -> String {
        let name = format!("{key}_{field}");
        let name = match self.enums.get(&name) {
            Some(known) if known != values => format!("{name}_{:x}", draft.opcode),
            _ => name,
        };
        self.enums.insert(name.clone(), values.to_vec());
        name
    }
}

/// The items common to all drafts.
fn common<T: Clone + PartialEq>(drafts: &[Draft], of: impl Fn(&Draft) -> &Vec<T>) -> Vec<T> {
    let in_all = |item: &&T| drafts.iter().all(|draft| of(draft).contains(item));
    of(&drafts[0]).iter().filter(in_all).cloned().collect()
}

/// The number of equal parts at the beginning and at the end of all texts, about these fields or none.
fn around(drafts: &[Draft], fields: &[Field]) -> [usize; 2] {
    let shortest = drafts.iter().map(|draft| draft.text.len()).min().unwrap_or_default();
    let same = |of: &dyn Fn(&Draft) -> usize| {
        let part = |draft: &Draft| {
            let part = &draft.text[of(draft)];
            (part.text.clone(), part.fields.iter().map(|field| draft.fields[*field].clone()).collect::<Vec<_>>())
        };
        let first = part(&drafts[0]);
        first.1.iter().all(|field| fields.contains(field)) && drafts.iter().all(|draft| part(draft) == first)
    };
    let before = (0..shortest).take_while(|i| same(&|_| *i)).count();
    let after = (0..shortest - before).take_while(|i| same(&|draft| draft.text.len() - 1 - i)).count();
    [before, after]
}

/// The parts of a template, in quotes.
fn template(parts: &[Part]) -> String {
    quoted(&parts.iter().map(|part| part.text.as_str()).collect::<String>())
}
