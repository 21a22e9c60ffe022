//! Programs that differ: shortened, in groups, printed.

use super::harness::Difference;
use super::oracle::Oracle;
use super::programs::Program;
use super::subject::Subject;
use isa_sim::Engine as _;
use isa_spec::model::Word;
use isa_stream::Stop;
use serde::ser::{Serialize, SerializeMap, Serializer};
use std::collections::BTreeMap;

/// A program that differs, as short as it can be.
#[derive(Clone, Debug)]
pub struct Group {
    /// Its instructions: address, word and text.
    pub lines: Vec<(u64, String, String)>,
    /// What it leaves differently.
    pub differences: Vec<Difference>,
    /// The number of programs like it.
    pub count: usize,
}

/// The number of programs that are shortened.
const MOST: usize = 64;

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
        groups.entry(key).or_insert_with(|| Group { lines: lines(&program, subject), differences, count: 0 }).count += 1;
    }
    let mut groups: Vec<Group> = groups.into_values().collect();
    groups.sort_by_key(|group| (group.lines.len(), std::cmp::Reverse(group.count)));
    Ok(groups)
}

/// The instructions of a program: address, word and text.
fn lines(program: &Program, subject: &Subject<'_>) -> Vec<(u64, String, String)> {
    let mut next = subject.harness.at("slot");
    let line = |(word, bits): &(Word, u32)| {
        let (at, digits) = (next, bits.div_ceil(4) as usize);
        next += u64::from(bits.div_ceil(8));
        (at, format!("{word:0digits$x}"), subject.reference.text(*word, *bits, at))
    };
    program.words.iter().map(line).collect()
}

/// `{"programs","words":[{"at","text","word"}],"differences":[{"name","here","there"}]}`
impl Serialize for Group {
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
        map.serialize_entry("programs", &self.count)?;
        map.serialize_entry("words", &self.lines.iter().map(word).collect::<Vec<_>>())?;
        map.serialize_entry("differences", &self.differences.iter().map(difference).collect::<Vec<_>>())?;
        map.end()
    }
}
