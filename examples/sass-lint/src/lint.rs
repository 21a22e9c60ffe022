//! The rules.

use crate::Line;
use generated::ampere::{Barrier, Insn, P, R, UP, UR};
use isa_runtime::typed::Register;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// Registers that are constants: writes to them have no effect.
const CONSTANTS: [Register; 4] = [R::RZ.register(), UR::URZ.register(), P::PT.register(), UP::UPT.register()];

/// A probable mistake.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Finding {
    /// The address of the instruction.
    pub(crate) address: u64,
    /// Its text.
    pub(crate) insn: String,
    /// The message.
    pub(crate) message: String,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:#06x}: {}: {}", self.address, self.insn, self.message)
    }
}

/// The registers of an access. The number for a load or a store depends on a size in its word, and the declared number is the
/// maximum: the first one is certain, the others are possible.
#[derive(Default)]
struct Registers {
    certain: Vec<Register>,
    possible: Vec<Register>,
}

/// The effects of one instruction, as far as the rules need them.
struct Effects {
    reads: Registers,
    writes: Registers,
    /// Whether it executes in all lanes: a guard may leave old values in place.
    always: bool,
    /// The scoreboards that it waits for.
    waits: u8,
    /// The scoreboard that is released when its result is written, and that for its sources, if any.
    result: Option<Barrier>,
    sources: Option<Barrier>,
}

/// A scoreboard that is set: the instruction that set it, and the registers that depend on it.
struct Pending {
    since: u64,
    registers: Vec<Register>,
}

impl Effects {
    fn new(insn: Insn) -> Self {
        let registers = |uses: &mut dyn Iterator<Item = Vec<Register>>| {
            let mut list = Registers::default();
            for possible in uses {
                if let Some(first) = possible.first().filter(|first| !CONSTANTS.contains(first)) {
                    list.certain.push(*first);
                    list.possible.extend(possible);
                }
            }
            list
        };
        let scoreboard = |barrier: Barrier| Some(barrier).filter(|barrier| *barrier <= Barrier::Sb5);
        Self {
            reads: registers(&mut insn.reads().map(|r| r.registers().collect())),
            writes: registers(&mut insn.writes().map(|r| r.registers().collect())),
            always: insn.guard() == P::PT && !insn.guard_not(),
            waits: insn.wait(),
            result: scoreboard(insn.write()),
            sources: scoreboard(insn.read()),
        }
    }
}

/// All findings, by address.
pub(crate) fn all(program: &[Line]) -> Vec<Finding> {
    let effects: Vec<(&Line, Effects)> = program.iter().map(|line| (line, Effects::new(line.1))).collect();
    let mut findings = never_written(&effects);
    for block in blocks(&effects) {
        findings.extend(overwritten(block));
        findings.extend(unwaited(block));
    }
    findings.sort_by_key(|finding| finding.address);
    findings
}

fn finding((address, insn): &Line, message: String) -> Finding {
    Finding { address: *address, insn: insn.at(*address).to_string(), message }
}

/// The straight pieces of a program: they end after an instruction that may jump, and before one that is a target.
fn blocks<'e, 'p>(effects: &'e [(&'p Line, Effects)]) -> Vec<&'e [(&'p Line, Effects)]> {
    let target = |(address, insn): &Line| match insn {
        Insn::Bra(bra) => Some(bra.to().target(*address)),
        _ => None,
    };
    let targets: BTreeSet<u64> = effects.iter().filter_map(|(line, _)| target(line)).collect();
    let leaves = |insn: &Insn| matches!(insn, Insn::Bra(_) | Insn::Brx(_) | Insn::Brxu(_) | Insn::Ret(_));
    let mut rest = effects;
    let mut blocks = Vec::new();
    while !rest.is_empty() {
        let last = (1..rest.len()).find(|i| leaves(&rest[i - 1].0.1) || targets.contains(&rest[*i].0.0));
        let (block, behind) = rest.split_at(last.unwrap_or(rest.len()));
        blocks.push(block);
        rest = behind;
    }
    blocks
}

/// Registers that are read and that no instruction of the program writes. R1 is the stack pointer, which a launch sets.
fn never_written(effects: &[(&Line, Effects)]) -> Vec<Finding> {
    let written: BTreeSet<Register> = effects.iter().flat_map(|(_, e)| e.writes.possible.iter().copied()).collect();
    let mut said = BTreeSet::from([R::R1.register()]);
    let mut findings = Vec::new();
    for (line, effects) in effects {
        for register in &effects.reads.certain {
            if !written.contains(register) && said.insert(*register) {
                findings.push(finding(line, format!("nothing writes {register}")));
            }
        }
    }
    findings
}

/// Results that are overwritten in the same block without being read.
fn overwritten(block: &[(&Line, Effects)]) -> Vec<Finding> {
    let mut unread: BTreeMap<Register, &Line> = BTreeMap::new();
    let mut findings = Vec::new();
    for (line, effects) in block {
        for register in &effects.reads.possible {
            unread.remove(register);
        }
        for register in &effects.writes.possible {
            let before = unread.remove(register);
            if effects.always && effects.writes.certain.contains(register) {
                if let Some(before) = before {
                    findings.push(finding(before, format!("{register} is overwritten at {:#06x} and not read before", line.0)));
                }
                unread.insert(*register, line);
            }
        }
    }
    findings
}

/// Instructions that use a register without waiting for the scoreboard of its value, or of a read of it.
fn unwaited(block: &[(&Line, Effects)]) -> Vec<Finding> {
    let (mut results, mut sources): (BTreeMap<Barrier, Vec<Pending>>, BTreeMap<Barrier, Vec<Pending>>) = Default::default();
    let mut findings = Vec::new();
    for (line, effects) in block {
        results.retain(|scoreboard, _| effects.waits >> scoreboard.get() & 1 == 0);
        sources.retain(|scoreboard, _| effects.waits >> scoreboard.get() & 1 == 0);
        let mut look = |pending: &BTreeMap<Barrier, Vec<Pending>>, used: &mut dyn Iterator<Item = &Register>, what: &str| {
            for register in used {
                for (scoreboard, set) in pending {
                    if let Some(by) = set.iter().find(|by| by.registers.contains(register)) {
                        let (scoreboard, since) = (scoreboard.get(), by.since);
                        findings.push(finding(
                            line,
                            format!("{what} {register} without waiting for scoreboard {scoreboard}, set at {since:#06x}"),
                        ));
                    }
                }
            }
        };
        look(&results, &mut effects.reads.certain.iter(), "reads");
        look(&results, &mut effects.writes.certain.iter(), "writes");
        look(&sources, &mut effects.writes.certain.iter(), "writes");
        // A scoreboard counts: it is released when all that set it are done.
        if let Some(scoreboard) = effects.result {
            results.entry(scoreboard).or_default().push(Pending { since: line.0, registers: effects.writes.certain.clone() });
        }
        if let Some(scoreboard) = effects.sources {
            sources.entry(scoreboard).or_default().push(Pending { since: line.0, registers: effects.reads.certain.clone() });
        }
    }
    findings
}
