//! The members of the model that no other comparison is about: one that differs is a change, named by its path.

use super::change::What;
use isa_spec::describe::{Describe, Members, Shape};
use isa_spec::model::Isa;
use std::collections::BTreeSet;

/// Members that are prose, provenance, or messages, which are not compared.
const PROSE: &[&str] = &["summary", "notes", "note", "doc", "errata", "observed", "why"];

/// Members that other comparisons are about, or that follow from others, by the structures that have them.
const OTHERWISE: &[(&str, &[&str])] = &[
    ("Isa", &["prefer", "sources", "codes", "operand_types", "choice_types", "formats", "forms", "orders"]),
    ("Words", &["unit", "low_first", "little_endian"]),
    ("Length", &["words", "holes"]),
    ("Group", &["guard"]),
    ("Machine", &["guard", "after", "routines", "accessors", "functions_source", "function_texts"]),
    ("Enum", &["values", "otherwise"]),
    ("RegisterFile", &["width", "count", "prefix", "suffix", "halves", "special", "also", "zero", "one"]),
    ("Instruction", &["id", "mnemonic", "format", "aliases", "expands", "slots", "binds", "names", "semantics"]),
    (
        "Form",
        &[
            "id",
            "name",
            "instruction",
            "length",
            "picks",
            "mask",
            "value",
            "fixed",
            "readings",
            "names",
            "words",
            "legal",
            "exclusions",
            "specialised_by",
            "constraints",
            "text",
            "also",
            "has_base",
            "spelt",
            "bodies",
            "refused",
            "full",
            "no_effect",
            "executes",
        ],
    ),
    ("Field", &["name", "bits", "default", "has_default", "no_effect"]),
];

/// Lists of which other comparisons find what is new or gone.
const MATCHED: &[&str] = &["instructions", "fields", "enums", "registers", "holes", "lengths"];

/// Members whose appearance changes what was there before.
const REPLACING: &[&str] = &["regions", "windows", "rounding"];

/// The longest value that a message shows.
const LONGEST: usize = 60;

/// Compares the members of a structure of both versions; `found` takes each difference with its path and both values.
pub(super) fn compare(isas: [&Isa; 2], both: [&dyn Describe; 2], found: &mut dyn FnMut(What, [&str; 3])) {
    Walk { isas, path: String::new(), found }.values(both.map(Describe::shape));
}

struct Walk<'a> {
    isas: [&'a Isa; 2],
    path: String,
    found: &'a mut dyn FnMut(What, [&str; 3]),
}

impl Walk<'_> {
    fn values(&mut self, both: [Shape<'_>; 2]) {
        match both {
            [Shape::Record(of, old), Shape::Record(_, new)] => self.members(of, &old, &new),
            [Shape::List(old), Shape::List(new)] => self.lists(&old, &new),
            [Shape::Absent, Shape::Record(..)] => self.is_new(),
            [Shape::Record(..), Shape::Absent] => self.report(What::MemberRemoved, ["", ""]),
            [Shape::Words(old), Shape::Words(new)] if old == new => {}
            [Shape::Other(_) | Shape::Lines(..) | Shape::Place(_), _]
            | [_, Shape::Other(_) | Shape::Lines(..) | Shape::Place(_)] => {}
            [old, new] => {
                let [old, new] = [self.shown(0, &old), self.shown(1, &new)];
                if old != new {
                    self.report(What::Member, [&clipped(&old), &clipped(&new)]);
                }
            }
        }
    }

    fn members(&mut self, of: &str, old: &Members<'_>, new: &Members<'_>) {
        let otherwise = OTHERWISE.iter().find(|(name, _)| *name == of).map_or(&[][..], |(_, members)| members);
        for ((name, old), (_, new)) in
            old.iter().zip(new).filter(|((name, _), _)| !PROSE.contains(name) && !otherwise.contains(name))
        {
            self.at(name, |walk| walk.values([old.shape(), new.shape()]));
        }
    }

    /// Items are matched by their keys, if all have one of their own; others by their places.
    fn lists(&mut self, old: &[&dyn Describe], new: &[&dyn Describe]) {
        let keys = |side, list: &[&dyn Describe]| {
            let keys: Vec<String> = list.iter().map(|item| self.key(side, *item)).collect::<Option<_>>()?;
            let different: BTreeSet<&String> = keys.iter().collect();
            (different.len() == keys.len()).then_some(keys)
        };
        let (Some(had), Some(has)) = (keys(0, old), keys(1, new)) else {
            if old.len() == new.len() {
                for (at, (old, new)) in old.iter().zip(new).enumerate() {
                    self.at(&at.to_string(), |walk| walk.values([old.shape(), new.shape()]));
                }
            } else {
                let [old, new] = [(0, old), (1, new)].map(|(side, list)| self.list(side, list));
                self.report(What::Member, [&clipped(&old), &clipped(&new)]);
            }
            return;
        };
        let is_matched = MATCHED.contains(&self.path.rsplit('.').next().unwrap_or_default());
        for (key, item) in had.iter().zip(old) {
            let now = has.iter().position(|other| other == key);
            self.at(key, |walk| match now {
                Some(now) => walk.values([value(*item), value(new[now])]),
                None if is_matched => {}
                None => walk.report(What::MemberRemoved, ["", ""]),
            });
        }
        for key in has.iter().filter(|key| !is_matched && !had.contains(key)) {
            self.at(key, Self::is_new);
        }
    }

    fn is_new(&mut self) {
        let is_replacing = self.path.split('.').any(|part| REPLACING.contains(&part));
        if is_replacing { self.report(What::Member, ["absent", "present"]) } else { self.report(What::MemberAdded, ["", ""]) }
    }

    fn report(&mut self, what: What, [old, new]: [&str; 2]) {
        (self.found)(what, [&self.path, old, new]);
    }

    fn at(&mut self, name: &str, then: impl FnOnce(&mut Self)) {
        let length = self.path.len();
        self.path.push_str(if length == 0 { "" } else { "." });
        self.path.push_str(name);
        then(self);
        self.path.truncate(length);
    }

    /// The key of an item of a list: its name, or the first of a pair.
    fn key(&self, side: usize, item: &dyn Describe) -> Option<String> {
        let key = match item.shape() {
            Shape::Record(_, members) => {
                let member = |wanted| members.iter().find(|(name, _)| *name == wanted);
                ["path", "name", "bits"].into_iter().find_map(member)?.1.shape()
            }
            Shape::List(pair) if pair.len() == 2 => pair[0].shape(),
            _ => return None,
        };
        match key {
            Shape::Text(text) => Some(text.into_owned()),
            Shape::Number(_) | Shape::Wide(_) | Shape::Item(_) => Some(self.shown(side, &key)),
            _ => None,
        }
    }

    fn list(&self, side: usize, list: &[&dyn Describe]) -> String {
        let items: Vec<String> = list.iter().map(|item| self.shown(side, &item.shape())).collect();
        format!("[{}]", items.join(", "))
    }

    fn shown(&self, side: usize, value: &Shape<'_>) -> String {
        match value {
            Shape::Absent => "absent".to_owned(),
            Shape::Flag(flag) => flag.to_string(),
            Shape::Number(number) => number.to_string(),
            Shape::Wide(number) => format!("{number:#x}"),
            Shape::Text(text) => format!("`{text}`"),
            Shape::List(list) => self.list(side, list),
            Shape::Record(_, members) => {
                let shapes = members.iter().map(|(name, value)| (name, value.shape()));
                let shown = shapes.filter(|(_, shape)| !matches!(shape, Shape::Lines(..) | Shape::Place(_) | Shape::Other(_)));
                let members = shown.map(|(name, shape)| format!("{name}: {}", self.shown(side, &shape)));
                format!("{{{}}}", members.collect::<Vec<_>>().join(", "))
            }
            Shape::Words(words) => match words.cubes(MOST_CUBES) {
                Some(cubes) => format!("{:?}", cubes.iter().map(|c| format!("{:#x}/{:#x}", c.value, c.mask)).collect::<Vec<_>>()),
                None => "other words".to_owned(),
            },
            Shape::Cube(cube) => format!("{:#x}/{:#x}", cube.value, cube.mask),
            Shape::Item(item) => format!("`{}`", self.isas[side].name_of(*item)),
            Shape::Lines(..) | Shape::Place(_) | Shape::Other(_) => String::new(),
        }
    }
}

/// The most cubes of a set of words that are shown.
const MOST_CUBES: usize = 4;

/// An item of a list without its key.
fn value(item: &dyn Describe) -> Shape<'_> {
    match item.shape() {
        Shape::List(pair) if pair.len() == 2 => pair[1].shape(),
        shape => shape,
    }
}

fn clipped(text: &str) -> String {
    match text.char_indices().nth(LONGEST) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.to_owned(),
    }
}
