//! The `machine:` section, from YAML.

use super::machine::{
    Divergence, Flags, LAUNCH_VALUES, MAX_ACCESS, Machine, Params, Sharing, Space, State, StateKind, Variant, View,
};
use super::{Fault, MAX_WIDTH, Semantics, Value, parse_functions};
use crate::diag::{Diagnostic, Diagnostics, nearest};
use crate::span::Span;
use crate::yaml::{Node, NodeKind, Text};
use std::ops::RangeInclusive;

const KEYS: [&str; 13] = [
    "lanes",
    "pc",
    "divergence",
    "spaces",
    "flags",
    "views",
    "launch-values",
    "state",
    "variants",
    "params",
    "guard",
    "after",
    "launch",
];
const SPACE_KEYS: [&str; 6] = ["address", "of", "size", "unit", "banks", "read-only"];

impl Machine {
    /// Reads a `machine:` section. What is wrong with it is added to `diagnostics`; the rest is read all the same.
    pub fn read(node: &Node, diagnostics: &mut Diagnostics) -> Self {
        let mut machine = Self { span: node.span, ..Self::default() };
        let mut reader = Reader { diagnostics };
        for (key, node) in reader.entries(node, "`machine`") {
            reader.key(&mut machine, key, node);
        }
        reader.whole(&machine);
        machine
    }
}

struct Reader<'d> {
    diagnostics: &'d mut Diagnostics,
}

impl Reader<'_> {
    fn error(&mut self, message: impl Into<String>, span: Span) {
        self.diagnostics.push(Diagnostic::error("machine", message, span));
    }

    fn entries<'n>(&mut self, node: &'n Node, what: &str) -> &'n [(Text, Node)] {
        match &node.kind {
            NodeKind::Map(entries) => entries,
            NodeKind::Null => &[],
            _ => {
                self.error(format!("{what} is a mapping"), node.span);
                &[]
            }
        }
    }

    fn text<'n>(&mut self, node: &'n Node, what: &str) -> Option<&'n Text> {
        match &node.kind {
            NodeKind::Scalar { text, .. } => Some(text),
            _ => {
                self.error(format!("{what} is a text"), node.span);
                None
            }
        }
    }

    fn number(&mut self, node: &Node, what: &str, limits: RangeInclusive<u64>) -> Option<u64> {
        let text = self.text(node, what)?;
        let number = super::Int::parse(&text.value).and_then(super::Int::to_i128).and_then(|n| u64::try_from(n).ok());
        let number = number.filter(|n| limits.contains(n));
        if number.is_none() {
            let span = text.span;
            match *limits.end() {
                u64::MAX => self.error(format!("{what} is a number"), span),
                end => self.error(format!("{what} is a number from {} to {end}", limits.start()), span),
            }
        }
        number
    }

    fn width(&mut self, node: &Node, what: &str) -> u32 {
        self.number(node, what, 1..=u64::from(MAX_WIDTH)).map_or(32, |n| n as u32)
    }

    fn one_of<T: Copy>(&mut self, node: &Node, what: &str, words: &[(&str, T)]) -> Option<T> {
        let text = self.text(node, what)?;
        if let Some((_, made)) = words.iter().find(|w| w.0 == text.value) {
            return Some(*made);
        }
        let all: Vec<&str> = words.iter().map(|w| w.0).collect();
        self.error(format!("{what} is one of {}", all.join(", ")), text.span);
        None
    }

    fn unknown(&mut self, key: &Text, what: &str, known: &[&str]) {
        let help = match nearest(&key.value, known.iter().copied()) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("it can have: {}", known.join(", ")),
        };
        let say = format!("{what} has no `{}`", key.value);
        self.diagnostics.push(Diagnostic::error("unknown-key", say, key.span).with_help(help));
    }

    fn faults<T>(&mut self, text: &Text, read: Result<T, Vec<Fault>>) -> Option<T> {
        read.map_err(|faults| {
            for fault in faults {
                let mut made = Diagnostic::error("semantics", fault.message, text.at(fault.range));
                made.help = fault.help;
                self.diagnostics.push(made);
            }
        })
        .ok()
    }

    fn names(&mut self, node: &Node, what: &str) -> Vec<String> {
        let NodeKind::Seq(items) = &node.kind else {
            self.error(format!("{what} is a list of names"), node.span);
            return Vec::new();
        };
        let mut names: Vec<String> = Vec::new();
        for item in items {
            let Some(text) = self.text(item, "a name") else { continue };
            if !is_name(&text.value, false) {
                self.error(format!("`{}` is not a name", text.value), text.span);
            } else if names.contains(&text.value) {
                self.error(format!("`{}` stands twice", text.value), text.span);
            } else {
                names.push(text.value.clone());
            }
        }
        if names.is_empty() {
            self.error(format!("{what} has at least one name"), node.span);
        }
        names
    }

    fn key(&mut self, machine: &mut Machine, key: &Text, node: &Node) {
        match key.value.as_str() {
            "lanes" => machine.lanes = self.number(node, "`lanes`", 1..=64).map_or(32, |n| n as u32),
            "pc" => machine.pc = self.width(node, "`pc`"),
            "divergence" => {
                let words = [("stack", Divergence::Stack), ("lowest-pc", Divergence::LowestPc)];
                machine.divergence = self.one_of(node, "`divergence`", &words).unwrap_or(Divergence::Stack);
            }
            "spaces" => {
                for (name, node) in self.entries(node, "`spaces`") {
                    let space = self.space(name, node);
                    machine.spaces.push(space);
                }
            }
            "flags" => {
                for (name, node) in self.entries(node, "`flags`") {
                    let flags = self.flags(name, node);
                    machine.flags.push(flags);
                }
            }
            "views" => {
                for (name, node) in self.entries(node, "`views`") {
                    let Some(of) = self.text(node, "the register file that a view is of") else { continue };
                    machine.views.push(View { name: name.value.clone(), of: of.value.clone(), span: name.span });
                }
            }
            "launch-values" => self.states(machine, node, StateKind::Launch),
            "state" => self.states(machine, node, StateKind::Written),
            "variants" => {
                for (name, node) in self.entries(node, "`variants`") {
                    let variant = self.variant(name, node);
                    machine.variants.push(variant);
                }
            }
            "params" => machine.params = self.params(node, &key.value),
            "guard" => {
                let Some(text) = self.text(node, "`guard`") else { return };
                machine.guard = self.faults(text, Value::read(text));
            }
            "after" | "launch" => {
                let Some(text) = self.text(node, "semantics") else { return };
                let read = self.faults(text, Semantics::read(text));
                if key.value == "after" {
                    machine.after = read;
                } else {
                    machine.launch = read;
                }
            }
            "functions" => {
                let Some(text) = self.text(node, "`functions`") else { return };
                machine.functions = self.faults(text, parse_functions(&text.value)).unwrap_or_default();
                machine.functions_source = text.value.clone();
                let mut names: Vec<&str> = Vec::new();
                for function in &machine.functions {
                    if names.contains(&function.name.text.as_str()) {
                        self.error(
                            format!("there are two functions `{}`", function.name.text),
                            text.at(function.name.range.clone()),
                        );
                    }
                    names.push(&function.name.text);
                }
            }
            _ => self.unknown(key, "a machine", &[KEYS.as_slice(), &["functions"]].concat()),
        }
    }

    fn space(&mut self, name: &Text, node: &Node) -> Space {
        let mut space = Space {
            name: name.value.clone(),
            address: 32,
            unit: 8,
            banks: None,
            size: None,
            read_only: false,
            owner: Sharing::Grid,
            span: name.span,
        };
        if !is_name(&name.value, false) {
            self.error(format!("`{}` is not a name", name.value), name.span);
        }
        for (key, node) in self.entries(node, "a memory space") {
            match key.value.as_str() {
                "address" => space.address = self.number(node, "the width of an address", 1..=64).map_or(32, |n| n as u32),
                "unit" => {
                    let unit = self.number(node, "the smallest access", 8..=u64::from(MAX_ACCESS)).map_or(8, |n| n as u32);
                    if !unit.is_power_of_two() {
                        self.error("the smallest access is 8, 16, 32, … bits", node.span);
                    }
                    space.unit = unit.next_power_of_two().min(MAX_ACCESS);
                }
                "banks" => space.banks = self.number(node, "the number of banks", 1..=65536).map(|n| n as u32),
                "size" => space.size = self.number(node, "the size in bytes", 1..=u64::MAX),
                "read-only" => {
                    space.read_only = self.one_of(node, "`read-only`", &[("true", true), ("false", false)]) == Some(true)
                }
                "of" => {
                    let words = [("grid", Sharing::Grid), ("block", Sharing::Block), ("lane", Sharing::Lane)];
                    space.owner = self.one_of(node, "`of`", &words).unwrap_or(Sharing::Grid);
                }
                _ => self.unknown(key, "a memory space", &SPACE_KEYS),
            }
        }
        space
    }

    fn flags(&mut self, name: &Text, node: &Node) -> Flags {
        let mut made = Flags { name: name.value.clone(), count: 1, flags: Vec::new(), span: name.span };
        if let NodeKind::Seq(_) = node.kind {
            made.flags = self.names(node, "a register of flags");
        } else {
            for (key, node) in self.entries(node, "a register of flags") {
                match key.value.as_str() {
                    "count" => made.count = self.number(node, "`count`", 1..=65536).map_or(1, |n| n as u32),
                    "flags" => made.flags = self.names(node, "`flags`"),
                    _ => self.unknown(key, "a register of flags", &["count", "flags"]),
                }
            }
        }
        if made.flags.is_empty() || made.flags.len() > MAX_WIDTH as usize {
            self.error(format!("`{}` has 1 to {MAX_WIDTH} flags", name.value), name.span);
            made.flags.truncate(MAX_WIDTH as usize);
            // Something must be there for whoever uses it.
            made.flags.resize(made.flags.len().max(1), "?".to_owned());
        }
        made
    }

    fn states(&mut self, machine: &mut Machine, node: &Node, kind: StateKind) {
        for (name, node) in self.entries(node, "named values") {
            let width = self.width(node, &format!("the width of `{}`", name.value));
            if kind == StateKind::Launch && !LAUNCH_VALUES.contains(&name.value.as_str()) {
                self.unknown(name, "a launch", &LAUNCH_VALUES);
            } else if !is_name(&name.value, true) {
                self.error(format!("`{}` is not a name", name.value), name.span);
            }
            machine.state.push(State { name: name.value.clone(), width, kind, span: name.span });
        }
    }

    fn variant(&mut self, name: &Text, node: &Node) -> Variant {
        let mut made = Variant { name: name.value.clone(), values: Vec::new(), summary: String::new(), span: name.span };
        if let NodeKind::Map(entries) = &node.kind {
            for (key, node) in entries {
                match key.value.as_str() {
                    "values" => made.values = self.names(node, "`values`"),
                    "summary" => {
                        made.summary = self.text(node, "`summary`").map_or(String::new(), |t| t.value.trim_end().to_owned())
                    }
                    _ => self.unknown(key, "a variant", &["values", "summary"]),
                }
            }
        } else {
            made.values = self.names(node, "a variant");
        }
        if made.values.len() > 256 {
            self.error("a variant has at most 256 values", name.span);
        }
        made
    }

    fn params(&mut self, node: &Node, what: &str) -> Option<Params> {
        let mut made = Params { space: String::new(), bank: 0, at: 0, span: node.span };
        for (key, node) in self.entries(node, &format!("`{what}`")) {
            match key.value.as_str() {
                "space" => made.space = self.text(node, "`space`")?.value.clone(),
                "bank" => made.bank = self.number(node, "`bank`", 0..=65535)? as u32,
                "at" => made.at = self.number(node, "`at`", 0..=u64::MAX)?,
                _ => self.unknown(key, "`params`", &["space", "bank", "at"]),
            }
        }
        Some(made)
    }

    /// What only the whole shows.
    fn whole(&mut self, machine: &Machine) {
        let mut names: Vec<(&str, Span)> = Vec::new();
        names.extend(machine.flags.iter().map(|f| (f.name.as_str(), f.span)));
        names.extend(machine.state.iter().map(|s| (s.name.as_str(), s.span)));
        for (i, (name, span)) in names.iter().enumerate() {
            if ["lane", "pc", "next"].contains(name) || names[..i].iter().any(|n| n.0 == *name) {
                self.error(format!("`{name}` has a meaning already"), *span);
            }
        }
        for flags in &machine.flags {
            if !is_name(&flags.name, false) {
                self.error(format!("`{}` is not a name", flags.name), flags.span);
            }
        }
        if let Some(params) = &machine.params {
            match machine.spaces.iter().find(|s| s.name == params.space) {
                None => self.error(format!("there is no memory space `{}`", params.space), params.span),
                Some(space) if params.bank >= space.banks.unwrap_or(1) => {
                    self.error(format!("`{}` has no bank {}", space.name, params.bank), params.span);
                }
                Some(_) => {}
            }
        }
    }
}

/// Whether the language can say it: letters, digits and `_`, perhaps joined by dots.
fn is_name(text: &str, dots: bool) -> bool {
    let word = |w: &str| {
        w.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') && w.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
    };
    if dots { text.split('.').all(word) } else { word(text) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::span::FileId;

    fn read(text: &str) -> (Machine, Vec<String>) {
        let mut diagnostics = Diagnostics::default();
        let node = crate::yaml::parse(text, FileId(0)).expect("good YAML");
        let machine = Machine::read(&node, &mut diagnostics);
        let show = |d: Diagnostic| {
            let help = d.help.as_ref().map_or(String::new(), |h| format!(" ({h})"));
            format!("{}: {}{help}", &text[d.span().range()], d.message)
        };
        (machine, diagnostics.into_sorted().into_iter().map(show).collect())
    }

    #[test]
    fn a_machine_is_read() {
        let text = "\
lanes: 32
pc: 32
divergence: lowest-pc
spaces:
  shared: { address: 16, of: block, size: 0x4000 }
  const:  { banks: 16, read-only: true }
flags:
  C: { count: 4, flags: [z, s, c, o] }
  CC: [x]
views: { RH: R }
launch-values: { tid.x: 16 }
state: { mode: 2 }
variants:
  fmad: [fused, rounded]
  rcp: { values: [exact, table], summary: how it is computed }
params: { space: shared, at: 0x10 }
guard: present(cond) && holds(cond)
after: |
  exit();
functions: |
  fn holds(c:5) : 1 { return c[0]; }
";
        let (machine, found) = read(text);
        assert_eq!(found, Vec::<String>::new());
        let names = |s: &Space| (s.name.clone(), s.address, s.owner, s.size, s.banks, s.read_only);
        assert_eq!(
            machine.spaces.iter().map(names).collect::<Vec<_>>(),
            [
                ("shared".to_owned(), 16, Sharing::Block, Some(0x4000), None, false),
                ("const".to_owned(), 32, Sharing::Grid, None, Some(16), true)
            ]
        );
        assert_eq!(
            machine.flags.iter().map(|f| (f.count, f.flags.join(""))).collect::<Vec<_>>(),
            [(4, "zsco".to_owned()), (1, "x".to_owned())]
        );
        assert_eq!((machine.lanes, machine.pc, machine.divergence), (32, 32, Divergence::LowestPc));
        assert_eq!(
            machine.state.iter().map(|s| (s.name.as_str(), s.width, s.kind)).collect::<Vec<_>>(),
            [("tid.x", 16, StateKind::Launch), ("mode", 2, StateKind::Written)]
        );
        assert_eq!(machine.variants.iter().map(|v| v.values.join(" ")).collect::<Vec<_>>(), ["fused rounded", "exact table"]);
        assert_eq!(machine.params.map(|p| (p.space, p.at)), Some(("shared".to_owned(), 16)));
        assert_eq!((machine.functions.len(), machine.guard.is_some(), machine.after.is_some()), (1, true, true));
    }

    #[test]
    fn faults_stand_at_their_characters() {
        for (text, message) in [
            ("lane: 32\n", "lane: a machine has no `lane` (did you mean `lanes`?)"),
            ("lanes: 65\n", "65: `lanes` is a number from 1 to 64"),
            ("divergence: stak\n", "stak: `divergence` is one of stack, lowest-pc"),
            ("spaces: { s: { adress: 32 } }\n", "adress: a memory space has no `adress` (did you mean `address`?)"),
            ("spaces: { s: { unit: 24 } }\n", "24: the smallest access is 8, 16, 32, … bits"),
            ("spaces: a\n", "a: `spaces` is a mapping"),
            ("flags: { C: [z, z] }\n", "z: `z` stands twice"),
            ("flags: { C: [z, 1] }\n", "1: `1` is not a name"),
            ("flags: { pc: [z] }\n", "pc: `pc` has a meaning already"),
            ("launch-values: { tid.w: 3 }\n", "tid.w: a launch has no `tid.w` (did you mean `tid.x`?)"),
            ("state: { mode: 0 }\n", "0: the width of `mode` is a number from 1 to 256"),
            ("params: { space: shared }\n", "space: shared: there is no memory space `shared`"),
            ("guard: a &&\n", ": the text ends where an expression is expected"),
            (
                "after: |\n  exit();\n  if a < b { }\n",
                "<: `<` doesn't say whether the numbers have signs (write `<s` for signed or `<u` for unsigned numbers)",
            ),
            ("functions: |\n  fn f() { }\n  fn f() { }\n", "f: there are two functions `f`"),
        ] {
            let found = read(text).1;
            assert_eq!(found, [message], "{text}");
        }
    }
}
