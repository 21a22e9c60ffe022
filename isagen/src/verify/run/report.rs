//! Programs that differ: shortened, in groups, printed.

use super::harness::{Difference, Harness};
use super::oracle::Oracle;
use super::programs::Program;
use super::subject::Subject;
use crate::json;
use crate::output::count;
use isa_reference::eval::Reference;
use isa_sim::Engine as _;
use isa_stream::{Stop, out};
use serde::ser::{Serialize, SerializeMap, Serializer};
use std::collections::BTreeMap;
use std::io::Write;

/// A program that differs, as short as it can be.
pub(super) struct Group {
    program: Program,
    differences: Vec<Difference>,
    /// The number of programs.
    count: usize,
}

/// The number of programs that are shortened.
const MOST: usize = 64;
/// The number of differences that are printed of each.
const MOST_SHOWN: usize = 6;

/// Shortens programs, and groups those that end as the same instructions.
pub(super) fn groups(mut programs: Vec<Program>, subject: &Subject<'_>, oracle: &Oracle<'_>) -> Result<Vec<Group>, Stop> {
    let harness = subject.harness;
    programs.truncate(MOST);
    let mut open: Vec<usize> = (0..programs.len()).collect();
    while !open.is_empty() {
        // All programs that lack one word, in one run of the oracle.
        let mut shorter: Vec<(usize, Program)> = Vec::new();
        let mut outcomes = Vec::new();
        for at in &open {
            for word in (0..programs[*at].words.len()).rev() {
                let mut program = programs[*at].clone();
                program.words.remove(word);
                if let Some(outcome) = subject.run(&program)? {
                    shorter.push((*at, program));
                    outcomes.push(outcome);
                }
            }
        }
        let tried: Vec<Program> = shorter.iter().map(|(_, program)| program.clone()).collect();
        let answers = oracle.answers(&tried, &outcomes)?;
        open.clear();
        for (((at, program), outcome), answer) in shorter.into_iter().zip(&outcomes).zip(&answers) {
            if open.last() != Some(&at) && !harness.differences(outcome, answer.as_deref()).is_empty() {
                programs[at] = program;
                open.push(at);
            }
        }
    }
    let mut outcomes = Vec::new();
    for program in &programs {
        let ended = || Stop::new("a program that has ended does not end");
        outcomes.push(subject.run(program)?.ok_or_else(ended)?);
    }
    let answers = oracle.answers(&programs, &outcomes)?;
    let mut groups: BTreeMap<String, Group> = BTreeMap::new();
    for ((program, outcome), answer) in programs.into_iter().zip(&outcomes).zip(answers) {
        let differences = harness.differences(outcome, answer.as_deref());
        let decode = |(word, bits): &(_, u32)| subject.reference.decode(*word, *bits).ok();
        let name = |word| decode(word).map_or("-", |(form, _)| &subject.reference.isa().form(form).name);
        let names: Vec<&str> = program.words.iter().map(name).collect();
        let key = format!("{} {}", names.join(" "), differences.first().map_or("", |difference| &difference.name));
        groups.entry(key).or_insert(Group { program, differences, count: 0 }).count += 1;
    }
    let mut groups: Vec<Group> = groups.into_values().collect();
    groups.sort_by_key(|group| (group.program.words.len(), std::cmp::Reverse(group.count)));
    Ok(groups)
}

/// Prints the groups; with the numbers of programs that were compared, and that differ.
pub(super) fn print(
    reference: &Reference<'_>,
    harness: &Harness,
    (all, found): (usize, usize),
    groups: &[Group],
    is_json: bool,
) -> Result<(), Stop> {
    let mut out = out();
    for group in groups {
        let mut at = harness.at("slot");
        let mut lines = Vec::new();
        for (word, bits) in &group.program.words {
            let digits = bits.div_ceil(4) as usize;
            lines.push((at, format!("{word:0digits$x}"), reference.text(*word, *bits, at)));
            at += u64::from(bits.div_ceil(8));
        }
        if is_json {
            writeln!(out, "{}", json::line(&Line { group, lines: &lines }))?;
            continue;
        }
        for (at, word, text) in &lines {
            writeln!(out, "{at:#x}  {word:<8}  {text}")?;
        }
        for Difference { name, values } in group.differences.iter().take(MOST_SHOWN) {
            match values {
                Some([here, there]) => writeln!(out, "    {name}: {here:#x}, and {there:#x} on the other machine")?,
                None => writeln!(out, "    {name}")?,
            }
        }
        if group.differences.len() > MOST_SHOWN {
            writeln!(out, "    and {} more", group.differences.len() - MOST_SHOWN)?;
        }
        if group.count > 1 {
            writeln!(out, "    as in {} more", count(group.count - 1, "program"))?;
        }
        writeln!(out)?;
    }
    if is_json {
        writeln!(out, "{}", json::line(&BTreeMap::from([("programs", all), ("differ", found)])))?;
    } else {
        writeln!(out, "{}: {found} differ", count(all, "program"))?;
    }
    out.flush()?;
    Ok(())
}

/// A group as an object: address, word and text of each instruction, and what differs.
struct Line<'a> {
    group: &'a Group,
    lines: &'a [(u64, String, String)],
}

impl Serialize for Line<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let hex = |number: u64| format!("{number:#x}");
        let word = |(at, word, text): &(u64, String, String)| {
            BTreeMap::from([("at", hex(*at)), ("word", word.clone()), ("text", text.clone())])
        };
        let difference = |Difference { name, values }: &Difference| {
            let values = values.map_or_else(Vec::new, |[here, there]| vec![("here", hex(here)), ("there", hex(there))]);
            [("name", name.clone())].into_iter().chain(values).collect::<BTreeMap<_, _>>()
        };
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("programs", &self.group.count)?;
        map.serialize_entry("words", &self.lines.iter().map(word).collect::<Vec<_>>())?;
        map.serialize_entry("differences", &self.group.differences.iter().map(difference).collect::<Vec<_>>())?;
        map.end()
    }
}
