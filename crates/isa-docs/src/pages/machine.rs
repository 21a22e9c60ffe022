//! The machine: the state that instructions act on besides registers, and the rules common to all of them.

use isa_spec::model::Isa;
use isa_spec::semantics::floats::{Direction, Fraction, NanInteger, NanRule, Round, Rules};
use isa_spec::semantics::machine::{Accessors, Divergence, Region, Routine, Sharing, Space, State, StateKind};
use isa_spec::yaml::Text;

/// The machine of an instruction set; empty where none is described.
#[derive(Default)]
pub(super) struct Machine {
    pub(super) facts: Vec<String>,
    pub(super) spaces: Vec<SpaceRow>,
    pub(super) regions: Vec<RegionRow>,
    /// Pieces of semantics: their purpose and their text.
    pub(super) texts: Vec<(&'static str, String)>,
}

/// A memory space.
pub(super) struct SpaceRow {
    pub(super) name: String,
    pub(super) address: u32,
    pub(super) owner: &'static str,
    pub(super) size: String,
    pub(super) note: String,
}

/// A range of addresses of a space.
pub(super) struct RegionRow {
    pub(super) space: String,
    pub(super) name: String,
    pub(super) at: String,
    pub(super) size: String,
    /// Memory, or a device.
    pub(super) kind: String,
}

impl Machine {
    pub(super) fn of(isa: &Isa) -> Self {
        let machine = &isa.machine;
        if machine.span == Default::default() {
            return Self::default();
        }
        let apart = match machine.divergence {
            Divergence::Stack => "diverged lanes are kept on a stack",
            Divergence::LowestPc => "of diverged lanes, those at the lowest address run",
            Divergence::Fair => "diverged lanes take turns, and wait for each other where they meet",
        };
        let is_core = machine.lanes == 1;
        let mut facts = Vec::new();
        facts.extend((!is_core).then(|| format!("a warp has {} lanes", machine.lanes)));
        facts.push(format!("an address of code has {} bits", machine.pc));
        facts.extend((!is_core).then(|| apart.to_owned()));
        for flags in &machine.flags {
            let several = if flags.count == 1 { String::new() } else { format!(" 0 to {}", flags.count - 1) };
            let order = if flags.flags.len() == 1 { "" } else { "; the first is bit 0" };
            facts.push(format!(
                "flags {}{several}{}: {}{order}",
                flags.name,
                about(" (", &flags.summary, ")"),
                flags.flags.join(", ")
            ));
        }
        facts.extend(machine.views.iter().map(|v| format!("registers {} are parts of registers {}", v.name, v.of)));
        for (kind, what) in
            [(StateKind::Launch, "values that a launch sets"), (StateKind::Written, "values that instructions write")]
        {
            let values: Vec<_> = machine.state.iter().filter(|s| s.kind == kind).map(named_value).collect();
            facts.extend((!values.is_empty()).then(|| format!("{what}: {}", values.join(", "))));
        }
        let lines: Vec<&str> = machine.lines.iter().map(|line| line.name.as_str()).collect();
        facts.extend((!lines.is_empty()).then(|| format!("lines of devices: {}", lines.join(", "))));
        facts.extend(machine.accessors.iter().map(accessors));
        facts.extend((machine.floats != Rules::default()).then(|| floats(&machine.floats)));
        facts.extend((!machine.rounding.is_empty()).then(|| rounding(&machine.rounding)));
        if let Some(linux) = &machine.linux {
            let arguments: Vec<&str> = linux.arguments.iter().map(|register| register.value.as_str()).collect();
            let (number, result) = (&linux.number.value, &linux.result.value);
            facts.push(format!(
                "a system call of Linux has its number in {number}, its arguments in {}, its result in {result}",
                arguments.join(", ")
            ));
        }
        if let Some(params) = &machine.params {
            facts.push(format!("a kernel's parameters are in {} from {:#x} on", params.space, params.at));
        }
        for variant in &machine.variants {
            let about = about(": ", &variant.summary, "");
            facts.push(format!("{} can be {}{about}", variant.name, variant.values.join(", ")));
        }
        let texts = [
            (
                if is_core { "Whether an instruction is executed" } else { "Whether a lane takes part" },
                machine.guard.as_ref().map(|g| g.source.as_str()),
            ),
            ("After every instruction", machine.after.as_ref().map(|s| s.source.as_str())),
        ];
        let routines = machine.routines.iter().map(|(routine, text)| (routine_words(*routine), Some(text.source.as_str())));
        let texts = texts.into_iter().chain(routines).filter_map(|(what, text)| Some((what, text?.trim().to_owned())));
        Self {
            facts,
            spaces: machine.spaces.iter().map(|of| space(of, is_core)).collect(),
            regions: machine.spaces.iter().flat_map(|space| space.regions.iter().map(|of| region(space, of))).collect(),
            texts: texts.filter(|(_, text)| !text.is_empty()).collect(),
        }
    }
}

/// The event that starts a routine, in words.
fn routine_words(routine: Routine) -> &'static str {
    match routine {
        Routine::Launch => "Before the first instruction",
        Routine::Linux => "Before the first instruction of a Linux program",
        Routine::Raise => "When a cause is raised",
        Routine::Illegal => "At a word that is no instruction",
        Routine::Misaligned => "At a misaligned access",
        Routine::Access => "At an access to memory that is not there",
        Routine::Fetch => "At an instruction that can't be fetched",
        Routine::Trap => "At a trap",
        Routine::Host => "At a call that no host answers",
        Routine::Interrupts => "Where there may be an interrupt",
    }
}

/// The directions that the values of a rounding mode select, in words.
fn rounding(directions: &[Direction]) -> String {
    let word = |direction: &Direction| match direction {
        Direction::Known(round) => round_words(*round).to_owned(),
        Direction::Illegal => "illegal".to_owned(),
        Direction::Value(name, _) => format!("as {name} says"),
    };
    let all = directions.iter().enumerate().map(|(value, direction)| format!("{value} {}", word(direction)));
    format!("directions of rounding: {}", all.collect::<Vec<_>>().join("; "))
}

fn round_words(round: Round) -> &'static str {
    match round {
        Round::Nearest => "nearest, ties to even",
        Round::Zero => "to zero",
        Round::Down => "down",
        Round::Up => "up",
        Round::Away => "nearest, ties away from zero",
    }
}

/// The rules of floats, in words.
fn floats(floats: &Rules) -> String {
    let made = format!(
        "{}{}",
        if floats.made_sign { "negative, " } else { "positive, " },
        match floats.made_fraction {
            Fraction::High => "with the highest bit of the fraction",
            Fraction::All => "with all bits of the fraction",
        }
    );
    let nan = match floats.nan {
        NanRule::Made => "a made one",
        NanRule::First => "the first operand that is one",
        NanRule::SignallingFirst => "the first signalling operand, or else the first quiet one",
    };
    let integer = match floats.nan_integer {
        NanInteger::Zero => "0",
        NanInteger::Largest => "the largest",
        NanInteger::Indefinite => "the highest bit alone",
    };
    let beyond = if floats.beyond_indefinite { "the highest bit alone" } else { "the nearest" };
    let tiny = if floats.tiny_before { "before" } else { "after" };
    let product = if floats.invalid_product_quiet { ", unless a quiet NaN is added" } else { "" };
    let flush = if floats.flush_tiny { "tiny, which is raised" } else { "subnormal after it is rounded" };
    format!(
        "floats: of NaNs an operation gives {nan}; a made NaN is {made}; a result is tiny {tiny} it is rounded; ∞ · 0 is invalid{product}; \
         as an integer, NaN is {integer}, and a number that does not fit {beyond}; where results are flushed, it is what is {flush}"
    )
}

/// A named value and its bits.
fn named_value(state: &State) -> String {
    let bits = if state.width == 1 { "bit" } else { "bits" };
    let about = about(": ", &state.summary, "");
    format!("{} ({} {bits}{}{about})", state.name, state.width, if state.of_warp { ", one for the warp" } else { "" })
}

fn region(space: &Space, region: &Region) -> RegionRow {
    let what = match &region.device {
        Some(device) => format!("the device {device}"),
        None if region.read_only => "memory, only read".to_owned(),
        None => "memory".to_owned(),
    };
    let line = region.line.as_ref().map_or_else(String::new, |line| format!(", which drives {line}"));
    let every = if region.every > 1 { format!(", with a time of {} instructions", region.every) } else { String::new() };
    RegionRow {
        space: space.name.clone(),
        name: region.name.clone(),
        at: format!("{:#x}", region.at),
        size: region.size.map_or_else(String::new, |size| format!("{size:#x} bytes")),
        kind: format!("{what}{line}{every}{}", about(": ", &region.summary, "")),
    }
}

/// A summary between two marks; nothing for nothing.
fn about(before: &str, summary: &str, after: &str) -> String {
    if summary.is_empty() { String::new() } else { format!("{before}{summary}{after}") }
}

/// The functions of a register file.
fn accessors(of: &Accessors) -> String {
    let by = |what, name: &Option<Text>| name.as_ref().map(|name| format!("{what} by {}", name.value));
    let both: Vec<String> = [by("read", &of.read), by("written", &of.write)].into_iter().flatten().collect();
    format!("registers {} are {}", of.file.value, both.join(" and "))
}

fn space(space: &Space, is_core: bool) -> SpaceRow {
    let owner = match space.owner {
        Sharing::Lane => "each lane",
        Sharing::Block => "each block",
        Sharing::Grid => "the grid",
    };
    let mut notes = Vec::new();
    notes.extend((!space.summary.is_empty()).then(|| space.summary.clone()));
    notes.extend(space.banks.map(|b| format!("{b} banks")));
    notes.extend((space.unit != 8).then(|| format!("accessed in {} bits at least", space.unit)));
    notes.extend(space.read_only.then(|| "only read".to_owned()));
    notes.extend(space.program.then(|| "holds the program".to_owned()));
    notes.extend(space.coherent.then(|| "stores into code are seen at once".to_owned()));
    notes.extend(space.unaligned.then(|| "at any address".to_owned()));
    notes.extend(space.big_endian.then(|| "the high byte first".to_owned()));
    SpaceRow {
        name: space.name.clone(),
        address: space.address,
        owner: if is_core { "the machine" } else { owner },
        size: space
            .size
            .map_or(if is_core { "all addresses" } else { "as the launch says" }.to_owned(), |s| format!("{s:#x} bytes")),
        note: notes.join(", "),
    }
}
