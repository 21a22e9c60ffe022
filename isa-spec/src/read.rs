//! Tree to declarations: every key is known, every value has the right shape. Names and small languages come later.

use crate::diag::{Diagnostic, Diagnostics, nearest};
use crate::lang;
use crate::model::{Doc, DocRef, MAX_NAMES, MAX_WORD, ObjectFiles, PlainKind, Radix, SourceId};
use crate::span::Span;
use crate::yaml::{Node, NodeKind, Text};
use std::collections::HashSet;

/// A whole file as declared.
#[derive(Debug, Default)]
pub(crate) struct Spec {
    pub(crate) name: Option<Text>,
    pub(crate) summary: String,
    pub(crate) notes: String,
    pub(crate) word: Option<WordDecl>,
    pub(crate) space: Vec<RegionDecl>,
    pub(crate) holes: Vec<HoleDecl>,
    pub(crate) numbers: Option<Radix>,
    pub(crate) follows: Option<Text>,
    pub(crate) object: Option<ObjectFiles>,
    /// Of words with one text the shortest is assembled.
    pub(crate) shortest: bool,
    pub(crate) groups: Vec<GroupDecl>,
    pub(crate) sources: Vec<SourceDecl>,
    pub(crate) registers: Vec<RegisterDecl>,
    pub(crate) enums: Vec<EnumDecl>,
    pub(crate) operands: Vec<(Text, Part)>,
    pub(crate) choices: Vec<(Text, ChoiceDecl)>,
    pub(crate) formats: Vec<(Text, Part)>,
    pub(crate) instructions: Vec<(Text, Part)>,
    pub(crate) errata: Vec<ErratumDecl>,
    pub(crate) machine: Option<Node>,
    pub(crate) span: Span,
}

/// The word, or the words of a mixed stream; without lengths, there is text alone.
#[derive(Debug)]
pub(crate) struct WordDecl {
    pub(crate) unit: u32,
    pub(crate) low_first: bool,
    pub(crate) little_endian: bool,
    pub(crate) lengths: Vec<(u32, Option<Text>, Span)>,
    /// Words of a length that a stream can't hold.
    pub(crate) apart: Vec<(u32, Text, Span)>,
}

/// A region of the first unit of a stream.
#[derive(Debug)]
pub(crate) struct RegionDecl {
    pub(crate) name: Text,
    pub(crate) is: Text,
    pub(crate) summary: String,
    pub(crate) doc: Option<Text>,
}

/// Words that have a name and no form.
#[derive(Debug)]
pub(crate) struct HoleDecl {
    pub(crate) name: Text,
    pub(crate) length: Option<(u32, Span)>,
    pub(crate) fix: Vec<(Text, Text)>,
    pub(crate) summary: String,
    pub(crate) doc: Option<Text>,
}

/// Instructions that belong together.
#[derive(Debug)]
pub(crate) struct GroupDecl {
    pub(crate) name: Text,
    pub(crate) summary: String,
    pub(crate) notes: String,
}

#[derive(Debug)]
pub(crate) struct SourceDecl {
    pub(crate) name: Text,
    pub(crate) title: String,
    pub(crate) file: String,
    pub(crate) note: String,
}

#[derive(Debug)]
pub(crate) struct RegisterDecl {
    pub(crate) name: Text,
    pub(crate) index: u32,
    pub(crate) width: u32,
    pub(crate) count: Option<(u128, Span)>,
    pub(crate) text: Option<Text>,
    pub(crate) halves: Option<[String; 2]>,
    /// Number, where it stands, name.
    pub(crate) special: Vec<(u128, Span, Text)>,
    /// Other names that are read.
    pub(crate) also: Vec<(u128, Text)>,
    /// The names that programs can give.
    pub(crate) names: Option<Text>,
    /// The file that it is a part of, and its first register there.
    pub(crate) part_of: Option<(Text, u32)>,
    pub(crate) zero: Option<Text>,
    pub(crate) one: Option<Text>,
    pub(crate) summary: String,
    pub(crate) doc: Option<Text>,
}

#[derive(Debug)]
pub(crate) struct EnumDecl {
    pub(crate) name: Text,
    pub(crate) values: Vec<EnumValueDecl>,
    pub(crate) otherwise: Option<Text>,
    pub(crate) summary: String,
    pub(crate) doc: Option<Text>,
}

#[derive(Debug)]
pub(crate) struct EnumValueDecl {
    pub(crate) value: u128,
    pub(crate) text: Text,
    pub(crate) also: Vec<Text>,
    /// The value that prints the same and is read.
    pub(crate) like: Option<(i128, Span)>,
    pub(crate) name: Option<String>,
    pub(crate) note: String,
    pub(crate) doc: Option<Text>,
}

/// A choice with its parameters.
#[derive(Debug, Default)]
pub(crate) struct ChoiceDecl {
    pub(crate) summary: String,
    pub(crate) alternatives: Vec<(Text, Part)>,
}

/// What a format, an operand, an alternative or an instruction says.
#[derive(Debug, Default)]
pub(crate) struct Part {
    pub(crate) doc: Option<Text>,
    pub(crate) summary: String,
    pub(crate) notes: String,
    pub(crate) status: String,
    pub(crate) observed: bool,
    pub(crate) group: Option<Text>,
    pub(crate) mnemonic: Option<Text>,
    pub(crate) extends: Option<Text>,
    pub(crate) length: Option<(u32, Span)>,
    pub(crate) fields: Vec<FieldDecl>,
    pub(crate) fix: Vec<(Text, Text)>,
    pub(crate) bind: Vec<(Text, Text)>,
    pub(crate) plain: Vec<(PlainKind, Text)>,
    pub(crate) rest: Option<(PlainKind, Span)>,
    pub(crate) layout: Option<Text>,
    pub(crate) letters: Vec<(Text, Text)>,
    pub(crate) not: Vec<Text>,
    pub(crate) constraints: Vec<ConstraintDecl>,
    pub(crate) tags: Vec<Text>,
    pub(crate) text: Vec<(Option<Text>, Text)>,
    /// The text, as the document writes it.
    pub(crate) syntax: Option<Text>,
    /// Templates that are read and never printed.
    pub(crate) also: Vec<Text>,
    /// Templates that are printed in the place of the text when their conditions hold.
    pub(crate) aliases: Vec<(Option<Text>, Text)>,
    /// The instruction that this one stands for.
    pub(crate) expands: Option<ExpandsDecl>,
    pub(crate) refused: Vec<RefusedDecl>,
    pub(crate) full: Option<Text>,
    pub(crate) value: Option<Text>,
    pub(crate) define: Vec<(Text, Text)>,
    pub(crate) errata: Vec<ErratumDecl>,
    pub(crate) choose: Vec<(Text, Choose)>,
    pub(crate) except: Vec<Text>,
    pub(crate) semantics: Option<Text>,
    pub(crate) entry: Span,
    /// Something in it could not be read: what seems to be missing may be there.
    pub(crate) faulty: bool,
}

impl Part {
    /// Whether it says how it is written.
    pub(crate) fn has_text(&self) -> bool {
        !self.text.is_empty() || self.syntax.is_some()
    }
}

#[derive(Debug)]
pub(crate) struct FieldDecl {
    pub(crate) name: Text,
    pub(crate) entry: Text,
    pub(crate) doc: Option<Text>,
    pub(crate) summary: String,
    pub(crate) note: String,
    pub(crate) rust_name: Option<String>,
}

#[derive(Debug)]
pub(crate) struct ConstraintDecl {
    pub(crate) that: Text,
    pub(crate) why: String,
    pub(crate) doc: Option<Text>,
}

/// The instruction that another one stands for, and what the fields of that one are.
#[derive(Debug)]
pub(crate) struct ExpandsDecl {
    pub(crate) to: Text,
    pub(crate) fields: Vec<(Text, Text)>,
}

/// How a text that is known to be wrong begins, and what is wrong with it.
#[derive(Debug)]
pub(crate) struct RefusedDecl {
    pub(crate) begins: Text,
    pub(crate) why: String,
}

#[derive(Debug)]
pub(crate) enum Choose {
    Named(Text),
    Inline(ChoiceDecl),
}

#[derive(Debug, Clone)]
pub(crate) struct ErratumDecl {
    pub(crate) id: String,
    pub(crate) at: Option<Text>,
    pub(crate) kind: String,
    pub(crate) says: String,
    pub(crate) is: String,
    pub(crate) evidence: Vec<(Text, String)>,
    pub(crate) elsewhere: Vec<(Text, String)>,
    pub(crate) by: String,
    pub(crate) span: Span,
}

/// Which kind of part is being read: it decides which keys are known.
#[derive(Clone, Copy, PartialEq)]
enum PartKind {
    Format,
    Operand,
    Alternative,
    Instruction,
}

impl PartKind {
    fn keys(self) -> &'static [&'static str] {
        const COMMON: &[&str] = &[
            "doc",
            "summary",
            "notes",
            "fields",
            "fix",
            "bind",
            "ignored",
            "unknown",
            "reserved",
            "rest",
            "not",
            "constraints",
            "tags",
            "text",
            "syntax",
            "errata",
            "observed",
            "layout",
            "where",
        ];
        const FORMAT: &[&str] = &["extends", "length", "also", "aliases", "refused", "full", "define", "choose", "except"];
        const OPERAND: &[&str] = &["value"];
        const ALTERNATIVE: &[&str] = &["also"];
        const INSTRUCTION: &[&str] = &[
            "extends",
            "length",
            "also",
            "aliases",
            "expands",
            "refused",
            "full",
            "define",
            "choose",
            "except",
            "group",
            "mnemonic",
            "status",
            "semantics",
        ];
        static ALL: [std::sync::LazyLock<Vec<&'static str>>; 4] = [
            std::sync::LazyLock::new(|| [COMMON, FORMAT].concat()),
            std::sync::LazyLock::new(|| [COMMON, OPERAND].concat()),
            std::sync::LazyLock::new(|| [COMMON, ALTERNATIVE].concat()),
            std::sync::LazyLock::new(|| [COMMON, INSTRUCTION].concat()),
        ];
        &ALL[self as usize]
    }
}

/// What a specification can say.
const KEYS: &[&str] = &[
    "isa",
    "summary",
    "notes",
    "word",
    "space",
    "holes",
    "numbers",
    "prefer",
    "follows",
    "object",
    "extends",
    "include",
    "params",
    "group",
    "groups",
    "sources",
    "registers",
    "enums",
    "operands",
    "choices",
    "formats",
    "machine",
    "instructions",
    "errata",
];

/// Reads trees and collects what is wrong with them.
pub(crate) struct Reader<'d> {
    pub(crate) diags: &'d mut Diagnostics,
    /// Something that could not be read may be what the rest needs.
    pub(crate) lost: bool,
}

type Entries = [(Text, Node)];

impl Reader<'_> {
    fn error(&mut self, code: &'static str, message: impl Into<String>, span: Span) {
        self.diags.push(Diagnostic::error(code, message, span));
    }

    fn map<'n>(&mut self, node: &'n Node, what: &str) -> &'n Entries {
        match &node.kind {
            NodeKind::Map(entries) => entries,
            NodeKind::Null => &[],
            _ => {
                self.error("shape", format!("{what} is a mapping"), node.span);
                &[]
            }
        }
    }

    fn seq<'n>(&mut self, node: &'n Node, what: &str) -> &'n [Node] {
        match &node.kind {
            NodeKind::Seq(items) => items,
            NodeKind::Null => &[],
            _ => {
                self.error("shape", format!("{what} is a list"), node.span);
                &[]
            }
        }
    }

    pub(crate) fn text(&mut self, node: &Node, what: &str) -> Option<Text> {
        match &node.kind {
            NodeKind::Scalar { text, .. } => Some(text.clone()),
            _ => {
                self.error("shape", format!("{what} is a text"), node.span);
                None
            }
        }
    }

    fn string(&mut self, node: &Node, what: &str) -> String {
        self.text(node, what).map(|t| t.value.trim_end().to_string()).unwrap_or_default()
    }

    /// One text, or a list of texts.
    pub(crate) fn texts(&mut self, node: &Node, what: &str) -> Vec<Text> {
        match &node.kind {
            NodeKind::Seq(items) => items.iter().filter_map(|n| self.text(n, what)).collect(),
            NodeKind::Null => Vec::new(),
            _ => self.text(node, what).into_iter().collect(),
        }
    }

    fn pairs(&mut self, node: &Node, what: &str) -> Vec<(Text, Text)> {
        self.map(node, what).iter().filter_map(|(k, v)| Some((k.clone(), self.text(v, what)?))).collect()
    }

    fn unknown_key(&mut self, key: &Text, what: &str, known: &[&str]) {
        let mut d = Diagnostic::error("unknown-key", format!("{what} has no `{}`", key.value), key.span);
        d = match nearest(&key.value, known.iter().copied()) {
            Some(near) => d.with_help(format!("did you mean `{near}`?")),
            None => d.with_help(format!("it can have: {}", known.join(", "))),
        };
        self.lost = true;
        self.diags.push(d);
    }

    /// The entries by known keys. One that resembles a key which is not there is reported, and read as that: what follows from a
    /// slip in a key is no fault of its own.
    pub(crate) fn known<'n, 'k>(
        &mut self,
        entries: &'n Entries,
        what: &str,
        known: &[&'k str],
    ) -> Vec<(&'k str, &'n Text, &'n Node)> {
        let find = |name: &str| known.iter().copied().find(|k| *k == name);
        let mut list = Vec::with_capacity(entries.len());
        for (key, node) in entries {
            if let Some(name) = find(&key.value) {
                list.push((name, key, node));
                continue;
            }
            let lost = self.lost;
            self.unknown_key(key, what, known);
            let near = nearest(&key.value, known.iter().copied()).and_then(find);
            let free = |near: &&str| !entries.iter().any(|(k, _)| k.value == **near) && !list.iter().any(|(k, ..)| k == near);
            if let Some(near) = near.filter(free) {
                self.lost = lost;
                list.push((near, key, node));
            }
        }
        list
    }

    fn number(&mut self, node: &Node, what: &str) -> Option<i128> {
        let text = self.text(node, what)?;
        let number = lang::number(text.value.trim());
        if number.is_none() {
            self.error("number", format!("{what} is a number"), text.span);
        }
        number
    }

    fn small(&mut self, node: &Node, what: &str, limits: std::ops::RangeInclusive<u32>) -> Option<u32> {
        let number = self.number(node, what)?;
        let small = u32::try_from(number).ok().filter(|n| limits.contains(n));
        if small.is_none() {
            self.error("number", format!("{what} is {} to {}", limits.start(), limits.end()), node.span);
        }
        small
    }

    fn flag(&mut self, node: &Node, what: &str) -> bool {
        match self.text(node, what).as_ref().map(|t| t.value.as_str()) {
            Some("true") => true,
            Some("false") | None => false,
            Some(_) => {
                self.error("shape", format!("{what} is true or false"), node.span);
                false
            }
        }
    }

    /// A whole specification.
    pub(crate) fn spec(&mut self, root: &Node) -> Spec {
        let mut spec = Spec { span: root.span, ..Spec::default() };
        if !matches!(root.kind, NodeKind::Map(_)) {
            self.error("shape", "a specification is a mapping with the keys `isa`, `word`, `instructions`, …", root.span);
            return spec;
        }
        let entries = self.map(root, "a specification");
        for (name, _, node) in self.known(entries, "a specification", KEYS) {
            match name {
                "isa" => spec.name = self.text(node, "`isa`"),
                "summary" => spec.summary = self.string(node, "`summary`"),
                "notes" => spec.notes = self.string(node, "`notes`"),
                "word" => spec.word = self.word(node),
                "space" => spec.space = self.map(node, "`space`").iter().filter_map(|(k, n)| self.region(k, n)).collect(),
                "holes" => spec.holes = self.map(node, "`holes`").iter().map(|(k, n)| self.hole(k, n)).collect(),
                "numbers" => {
                    spec.numbers = match self.string(node, "`numbers`").as_str() {
                        "hex" => Some(Radix::Hex),
                        "dec" => Some(Radix::Dec),
                        _ => {
                            self.error("shape", "`numbers` is hex or dec", node.span);
                            None
                        }
                    }
                }
                "follows" => spec.follows = self.text(node, "`follows`"),
                "object" => spec.object = self.object(node),
                // Read when files are put together: here they are slips of the pen.
                "include" | "extends" | "params" | "group" => self.lost = true,
                "groups" => spec.groups = self.map(node, "`groups`").iter().map(|(k, n)| self.group(k, n)).collect(),
                "prefer" => {
                    let text = self.text(node, "`prefer`").map(|text| text.value).unwrap_or_default();
                    spec.shortest = text == "shortest";
                    if !["shortest", "first"].contains(&text.as_str()) {
                        self.error("shape", "`prefer` is first or shortest", node.span);
                    }
                }
                "sources" => spec.sources = self.map(node, "`sources`").iter().map(|(k, n)| self.source(k, n)).collect(),
                "registers" => spec.registers = self.map(node, "`registers`").iter().map(|(k, n)| self.register(k, n)).collect(),
                "enums" => spec.enums = self.map(node, "`enums`").iter().map(|(k, n)| self.enumeration(k, n)).collect(),
                "operands" => spec.operands = self.parts(node, "`operands`", PartKind::Operand),
                "choices" => {
                    spec.choices = self.map(node, "`choices`").iter().map(|(k, n)| (k.clone(), self.choice(n))).collect();
                }
                "formats" => spec.formats = self.parts(node, "`formats`", PartKind::Format),
                "machine" => spec.machine = Some(node.clone()),
                "instructions" => spec.instructions = self.parts(node, "`instructions`", PartKind::Instruction),
                "errata" => spec.errata = self.errata(node),
                name => unreachable!("`{name}` is listed as known and must be read"),
            }
        }
        match &spec.name {
            None if self.diags.has_errors() => {}
            None => self.error(
                "missing",
                "the specification has no name: `isa: name`",
                Span { end: root.span.start + 1, ..root.span },
            ),
            Some(name) if !is_ident(&name.value) => {
                let (message, span) = (
                    format!(
                        "`{}` is not a name: it has letters, digits, `_` and `-`, and does not begin with a digit",
                        name.value
                    ),
                    name.span,
                );
                self.error("name", message, span);
            }
            Some(_) => {}
        }
        if spec.word.is_none() && !self.diags.has_errors() {
            self.error(
                "missing",
                "the specification does not say how wide its words are: `word: 32`",
                Span { end: root.span.start + 1, ..root.span },
            );
        }
        if spec.instructions.is_empty() && !self.diags.has_errors() {
            self.error("missing", "the specification has no `instructions`", Span { end: root.span.start + 1, ..root.span });
        }
        spec
    }

    fn word(&mut self, node: &Node) -> Option<WordDecl> {
        if let NodeKind::Scalar { text, .. } = &node.kind {
            if text.value == "none" {
                return Some(WordDecl { unit: 8, low_first: true, little_endian: true, lengths: Vec::new(), apart: Vec::new() });
            }
            let bits = match lang::number(text.value.trim()) {
                Some(_) => self.small(node, "`word`", 1..=MAX_WORD)?,
                None => {
                    self.error("number", "`word` is a number, or `none` where there is text alone", node.span);
                    return None;
                }
            };
            return Some(WordDecl {
                unit: bits,
                low_first: true,
                little_endian: true,
                lengths: vec![(bits, None, node.span)],
                apart: Vec::new(),
            });
        }
        const KEYS: &[&str] = &["unit", "order", "bytes", "lengths", "apart"];
        let mut word = WordDecl { unit: 0, low_first: true, little_endian: true, lengths: Vec::new(), apart: Vec::new() };
        let entries = self.map(node, "`word`");
        for (name, _, node) in self.known(entries, "`word`", KEYS) {
            match name {
                "unit" => word.unit = self.small(node, "`unit`", 1..=MAX_WORD)?,
                "order" => word.low_first = self.either(node, "order", "low-first", "high-first"),
                "bytes" => word.little_endian = self.either(node, "bytes", "little", "big"),
                "lengths" => {
                    for (key, node) in self.map(node, "`lengths`") {
                        match lang::number(&key.value).and_then(|n| u32::try_from(n).ok()).filter(|n| (1..=MAX_WORD).contains(n))
                        {
                            Some(bits) => word.lengths.push((bits, self.text(node, "the condition of a length"), key.span)),
                            None => self.error("number", format!("a length is 1 to {MAX_WORD} bits"), key.span),
                        }
                    }
                }
                "apart" => {
                    for (key, text) in self.pairs(node, "`apart`") {
                        match lang::number(&key.value).and_then(|n| u32::try_from(n).ok()) {
                            Some(bits) => word.apart.push((bits, text, key.span)),
                            None => self.error("number", format!("a length is 1 to {MAX_WORD} bits"), key.span),
                        }
                    }
                }
                name => unreachable!("`{name}` is listed as known and must be read"),
            }
        }
        if word.lengths.is_empty() {
            self.error("missing", "`word` has no `lengths`", node.span);
            return None;
        }
        if word.unit == 0 {
            word.unit = word.lengths.iter().map(|l| l.0).min().unwrap_or(1);
        }
        let bad: Vec<_> = word.lengths.iter().filter(|l| l.0 % word.unit != 0).map(|l| l.2).collect();
        for span in bad {
            self.error("number", format!("a length is a multiple of the unit, {} bits", word.unit), span);
        }
        word.lengths.sort_by_key(|l| l.0);
        Some(word)
    }

    fn object(&mut self, node: &Node) -> Option<ObjectFiles> {
        let (mut machine, mut architecture) = (None, None);
        let entries = self.map(node, "`object`");
        for (name, _, node) in self.known(entries, "`object`", &["elf-machine", "architecture"]) {
            match name {
                "elf-machine" => machine = self.small(node, "`elf-machine`", 0..=u16::MAX.into()),
                "architecture" => architecture = self.text(node, "`architecture`"),
                name => unreachable!("`{name}` is listed as known and must be read"),
            }
        }
        let (Some(machine), Some(architecture)) = (machine, architecture) else {
            let message = "`object` says which files hold such code: `{ elf-machine: 190, architecture: sm_80 }`";
            self.error("missing", message, node.span);
            return None;
        };
        Some(ObjectFiles { elf_machine: machine as u16, architecture: architecture.value })
    }

    fn group(&mut self, name: &Text, node: &Node) -> GroupDecl {
        let mut group = GroupDecl { name: name.clone(), summary: String::new(), notes: String::new() };
        let entries = self.map(node, "a group");
        for (name, _, node) in self.known(entries, "a group", &["summary", "notes"]) {
            match name {
                "summary" => group.summary = self.string(node, "`summary`"),
                "notes" => group.notes = self.string(node, "`notes`"),
                name => unreachable!("`{name}` is listed as known and must be read"),
            }
        }
        group
    }

    fn region(&mut self, name: &Text, node: &Node) -> Option<RegionDecl> {
        let mut region = RegionDecl { name: name.clone(), is: Text::empty(node.span), summary: String::new(), doc: None };
        if let NodeKind::Map(entries) = &node.kind {
            for (name, _, node) in self.known(entries, "a region", &["is", "summary", "doc"]) {
                match name {
                    "is" => region.is = self.text(node, "`is`")?,
                    "summary" => region.summary = self.string(node, "`summary`"),
                    "doc" => region.doc = self.text(node, "`doc`"),
                    name => unreachable!("`{name}` is listed as known and must be read"),
                }
            }
        } else {
            region.is = self.text(node, "a region")?;
        }
        Some(region)
    }

    fn hole(&mut self, name: &Text, node: &Node) -> HoleDecl {
        let mut hole = HoleDecl { name: name.clone(), length: None, fix: Vec::new(), summary: String::new(), doc: None };
        let entries = self.map(node, "a hole");
        for (name, _, node) in self.known(entries, "a hole", &["length", "fix", "summary", "doc"]) {
            match name {
                "length" => hole.length = self.small(node, "`length`", 1..=MAX_WORD).map(|l| (l, node.span)),
                "fix" => hole.fix = self.pairs(node, "`fix`"),
                "summary" => hole.summary = self.string(node, "`summary`"),
                "doc" => hole.doc = self.text(node, "`doc`"),
                name => unreachable!("`{name}` is listed as known and must be read"),
            }
        }
        hole
    }

    fn either(&mut self, node: &Node, what: &str, yes: &str, no: &str) -> bool {
        let text = self.string(node, what);
        if text != yes && text != no {
            self.error("shape", format!("`{what}` is {yes} or {no}"), node.span);
        }
        text != no
    }

    fn source(&mut self, name: &Text, node: &Node) -> SourceDecl {
        let mut source = SourceDecl { name: name.clone(), title: String::new(), file: String::new(), note: String::new() };
        let entries = self.map(node, "a source");
        for (name, key, node) in self.known(entries, "a source", &["title", "file", "note", "by", "licence"]) {
            match name {
                "title" => source.title = self.string(node, "`title`"),
                "file" => source.file = self.string(node, "`file`"),
                "note" | "by" | "licence" => {
                    let text = self.string(node, &key.value);
                    if !source.note.is_empty() {
                        source.note.push_str("; ");
                    }
                    source.note.push_str(&text);
                }
                name => unreachable!("`{name}` is listed as known and must be read"),
            }
        }
        source
    }

    fn register(&mut self, name: &Text, node: &Node) -> RegisterDecl {
        const KEYS: &[&str] =
            &["index", "width", "count", "text", "halves", "special", "zero", "one", "names", "of", "from", "summary", "doc"];
        let mut r = RegisterDecl {
            name: name.clone(),
            index: 0,
            width: 0,
            count: None,
            text: None,
            halves: None,
            special: Vec::new(),
            also: Vec::new(),
            names: None,
            part_of: None,
            zero: None,
            one: None,
            summary: String::new(),
            doc: None,
        };
        let entries = self.map(node, "a register file");
        for (name, _, node) in self.known(entries, "a register file", KEYS) {
            match name {
                "index" => r.index = self.small(node, "`index`", 1..=64).unwrap_or(64),
                "width" => r.width = self.small(node, "`width`", 1..=4096).unwrap_or(1),
                "count" => {
                    r.count = self.number(node, "`count`").map(|n| (n as u128, node.span));
                    if r.count.is_some_and(|c| c.0 == 0) {
                        self.error("number", "a register file has at least one register", node.span);
                    }
                }
                "text" => r.text = self.text(node, "`text`"),
                "halves" => match self.texts(node, "`halves`").as_slice() {
                    [low, high] => r.halves = Some([low.value.clone(), high.value.clone()]),
                    _ => self.error("shape", "`halves` are two names: of the low and of the high half", node.span),
                },
                "special" => match &node.kind {
                    // From 0 up.
                    NodeKind::Seq(items) => {
                        (0..).zip(items).for_each(|(n, node)| self.special(&mut r, n, node.span, node));
                    }
                    _ => {
                        for (key, node) in self.map(node, "`special`") {
                            match lang::number(&key.value) {
                                Some(n) => self.special(&mut r, n as u128, key.span, node),
                                None => self.error("number", "a register's number", key.span),
                            }
                        }
                    }
                },
                "names" => r.names = self.text(node, "`names`"),
                "of" => r.part_of = self.text(node, "`of`").map(|of| (of, r.part_of.as_ref().map_or(0, |part| part.1))),
                "from" => {
                    let from = self.small(node, "`from`", 0..=u32::from(u16::MAX)).unwrap_or(0);
                    r.part_of = Some((r.part_of.take().map_or(Text::empty(node.span), |part| part.0), from));
                }
                "zero" => r.zero = self.text(node, "`zero`"),
                "one" => r.one = self.text(node, "`one`"),
                "summary" => r.summary = self.string(node, "`summary`"),
                "doc" => r.doc = self.text(node, "`doc`"),
                name => unreachable!("`{name}` is listed as known and must be read"),
            }
        }
        if r.names.is_some() {
            for (key, _) in
                entries.iter().filter(|(k, _)| ["index", "count", "halves", "special", "zero", "one"].contains(&&*k.value))
            {
                self.error("shape", format!("registers that programs name have no `{}`", key.value), key.span);
            }
            r.index = MAX_NAMES.ilog2();
            (r.count, r.halves, r.zero, r.one) = (None, None, None, None);
            (r.special, r.also) = (Vec::new(), Vec::new());
            return r;
        }
        if r.part_of.is_some() {
            for (key, _) in entries.iter().filter(|(k, _)| !["index", "of", "from", "summary", "doc"].contains(&&*k.value)) {
                let message = format!("a part of another register file has no `{}` of its own", key.value);
                self.error("shape", message, key.span);
            }
        }
        if r.index == 0 {
            self.error(
                "missing",
                format!("register file `{}` does not say how many bits number a register: `index: 5`", name.value),
                name.span,
            );
            // Wide enough for any field: those that use it are not at fault.
            r.index = 64;
        }
        r
    }

    fn enumeration(&mut self, name: &Text, node: &Node) -> EnumDecl {
        let mut e = EnumDecl { name: name.clone(), values: Vec::new(), otherwise: None, summary: String::new(), doc: None };
        match &node.kind {
            NodeKind::Seq(items) => {
                for (value, item) in items.iter().enumerate().filter(|(_, n)| !matches!(n.kind, NodeKind::Null)) {
                    e.values.extend(self.enum_value(value as u128, item));
                }
            }
            _ => {
                let mut known = HashSet::new();
                for (key, item) in self.map(node, "an enumeration") {
                    match key.value.as_str() {
                        "else" => e.otherwise = self.text(item, "`else`"),
                        "summary" => e.summary = self.string(item, "`summary`"),
                        "doc" => e.doc = self.text(item, "`doc`"),
                        _ => match lang::number(&key.value).filter(|n| *n >= 0) {
                            Some(n) if !known.insert(n) => {
                                self.error("duplicate", format!("the value {n} has a text already"), key.span);
                            }
                            Some(n) => e.values.extend(self.enum_value(n as u128, item)),
                            None => self.unknown_key(key, "an enumeration", &["else", "summary", "doc"]),
                        },
                    }
                }
            }
        }
        e.values.sort_by_key(|v| v.value);
        e
    }

    fn enum_value(&mut self, value: u128, node: &Node) -> Option<EnumValueDecl> {
        let mut out = EnumValueDecl {
            value,
            text: self.nothing(node),
            also: Vec::new(),
            like: None,
            name: None,
            note: String::new(),
            doc: None,
        };
        if let NodeKind::Map(entries) = &node.kind {
            for (name, _, node) in
                self.known(entries, "a value of an enumeration", &["text", "also", "like", "name", "note", "doc"])
            {
                match name {
                    "text" => out.text = self.text(node, "`text`")?,
                    "like" => out.like = self.number(node, "`like`").map(|n| (n, node.span)),
                    "also" => out.also = self.texts(node, "`also`"),
                    "name" => out.name = Some(self.string(node, "`name`")),
                    "note" => out.note = self.string(node, "`note`"),
                    "doc" => out.doc = self.text(node, "`doc`"),
                    name => unreachable!("`{name}` is listed as known and must be read"),
                }
            }
        } else {
            out.text = self.text(node, "a value of an enumeration")?;
        }
        Some(out)
    }

    /// A register with a name of its own: the name, or `{ text: s0, also: [fp] }`.
    fn special(&mut self, r: &mut RegisterDecl, number: u128, span: Span, node: &Node) {
        let NodeKind::Map(entries) = &node.kind else {
            r.special.extend(self.text(node, "a register's name").map(|text| (number, span, text)));
            return;
        };
        for (name, _, node) in self.known(entries, "a register's name", &["text", "also"]) {
            match name {
                "text" => r.special.extend(self.text(node, "`text`").map(|text| (number, span, text))),
                "also" => r.also.extend(self.texts(node, "`also`").into_iter().map(|text| (number, text))),
                name => unreachable!("`{name}` is listed as known and must be read"),
            }
        }
    }

    /// An empty text at a node's place.
    fn nothing(&self, node: &Node) -> Text {
        Text::empty(node.span)
    }

    fn choice(&mut self, node: &Node) -> ChoiceDecl {
        let mut choice = ChoiceDecl::default();
        for (key, node) in self.map(node, "a choice") {
            if key.value == "summary" {
                choice.summary = self.string(node, "`summary`");
            } else {
                choice.alternatives.push((key.clone(), self.part(key, node, PartKind::Alternative)));
            }
        }
        if choice.alternatives.is_empty() {
            self.error("missing", "a choice has at least one alternative", node.span);
        }
        choice
    }

    fn parts(&mut self, node: &Node, what: &str, kind: PartKind) -> Vec<(Text, Part)> {
        self.map(node, what).iter().map(|(k, n)| (k.clone(), self.part(k, n, kind))).collect()
    }

    fn part(&mut self, name: &Text, node: &Node, kind: PartKind) -> Part {
        let what = match kind {
            PartKind::Format => "a format",
            PartKind::Operand => "an operand",
            PartKind::Alternative => "an alternative",
            PartKind::Instruction => "an instruction",
        };
        let mut part = Part { entry: Span { end: node.span.end.max(name.span.end), ..name.span }, ..Part::default() };
        let errors = self.diags.error_count();
        let entries = self.map(node, what);
        for (name, _, node) in self.known(entries, what, kind.keys()) {
            self.part_entry(&mut part, name, node);
        }
        if let (Some(syntax), false) = (&part.syntax, part.text.is_empty()) {
            self.error("shape", "`text` says already how this is written", syntax.span);
        }
        part.faulty = self.diags.error_count() > errors;
        part
    }

    fn part_entry(&mut self, part: &mut Part, key: &str, node: &Node) {
        match key {
            "doc" => part.doc = self.text(node, "`doc`"),
            "summary" => part.summary = self.string(node, "`summary`"),
            "notes" => part.notes = self.string(node, "`notes`"),
            "status" => part.status = self.string(node, "`status`"),
            "observed" => part.observed = self.flag(node, "`observed`"),
            "group" => part.group = self.text(node, "`group`"),
            "mnemonic" => part.mnemonic = self.text(node, "`mnemonic`"),
            "extends" => part.extends = self.text(node, "`extends`"),
            "length" => part.length = self.small(node, "`length`", 1..=MAX_WORD).map(|n| (n, node.span)),
            "fields" => part.fields = self.map(node, "`fields`").iter().filter_map(|(k, n)| self.field(k, n)).collect(),
            "fix" => part.fix = self.pairs(node, "`fix`"),
            "bind" => part.bind = self.pairs(node, "`bind`"),
            "ignored" => self.plain(part, node, PlainKind::Ignored),
            "unknown" => self.plain(part, node, PlainKind::Unknown),
            "reserved" => self.plain(part, node, PlainKind::Reserved),
            "rest" => {
                part.rest = match self.string(node, "`rest`").as_str() {
                    "ignored" => Some((PlainKind::Ignored, node.span)),
                    "unknown" => Some((PlainKind::Unknown, node.span)),
                    "reserved" => Some((PlainKind::Reserved, node.span)),
                    _ => {
                        self.error("shape", "`rest` is ignored, unknown or reserved", node.span);
                        None
                    }
                }
            }
            "layout" => part.layout = self.text(node, "`layout`"),
            "where" => {
                part.letters = self.pairs(node, "`where`");
                // A letter that is drawn in several places can have several names.
                let names =
                    part.letters.iter().flat_map(|(_, names)| names.value.split(',').map(move |name| (name.trim(), names.span)));
                for (name, span) in names.filter(|(name, _)| !is_ident(name)) {
                    self.error("name", format!("`{name}` is not a name for a field"), span);
                }
            }
            "not" => part.not = self.texts(node, "`not`"),
            "constraints" => part.constraints = self.constraints(node),
            "tags" => part.tags = self.texts(node, "`tags`"),
            "text" => {
                part.text = self.variants(node, "a variant of a text");
                if part.text.last().is_some_and(|v| v.0.is_some()) {
                    let message = "the last variant of a text has no `when`: it is what is printed otherwise";
                    let help = "what a condition replaces stands under `aliases`: `aliases: [{ when: …, is: … }]`";
                    self.diags.push(Diagnostic::error("missing", message, node.span).with_help(help));
                }
            }
            "aliases" => {
                part.aliases = self.variants(node, "an alias");
                if let Some((_, after)) = part.aliases.iter().skip_while(|a| a.0.is_some()).nth(1) {
                    let message = "this alias is never printed: the one before it has no `when`";
                    self.error("order", message, after.span);
                }
            }
            "expands" => part.expands = self.expands(node),
            "syntax" => part.syntax = self.text(node, "`syntax`"),
            "also" => part.also = self.texts(node, "`also`"),
            "refused" => part.refused = self.seq(node, "`refused`").iter().filter_map(|n| self.refused(n)).collect(),
            "full" => part.full = self.text(node, "`full`"),
            "value" => part.value = self.text(node, "`value`"),
            "define" => part.define = self.pairs(node, "`define`"),
            "errata" => part.errata = self.errata(node),
            "choose" => {
                for (key, node) in self.map(node, "`choose`") {
                    let choose = match &node.kind {
                        NodeKind::Map(_) => Choose::Inline(self.choice(node)),
                        _ => match self.text(node, "a choice") {
                            Some(text) => Choose::Named(text),
                            None => continue,
                        },
                    };
                    part.choose.push((key.clone(), choose));
                }
            }
            "except" => part.except = self.texts(node, "`except`"),
            "semantics" => part.semantics = self.text(node, "`semantics`"),
            key => unreachable!("`{key}` is listed as known and must be read"),
        }
    }

    fn plain(&mut self, part: &mut Part, node: &Node, kind: PlainKind) {
        part.plain.extend(self.texts(node, "a list of bits").into_iter().map(|t| (kind, t)));
    }

    fn field(&mut self, name: &Text, node: &Node) -> Option<FieldDecl> {
        if !is_ident(&name.value) {
            self.error("name", format!("`{}` is not a name for a field", name.value), name.span);
        }
        let mut field = FieldDecl {
            name: name.clone(),
            entry: self.nothing(node),
            doc: None,
            summary: String::new(),
            note: String::new(),
            rust_name: None,
        };
        if let NodeKind::Map(entries) = &node.kind {
            for (name, _, node) in self.known(entries, "a field", &["is", "doc", "summary", "note", "name"]) {
                match name {
                    "is" => field.entry = self.text(node, "`is`")?,
                    "doc" => field.doc = self.text(node, "`doc`"),
                    "summary" => field.summary = self.string(node, "`summary`"),
                    "note" => field.note = self.string(node, "`note`"),
                    "name" => field.rust_name = self.rust_name(node),
                    name => unreachable!("`{name}` is listed as known and must be read"),
                }
            }
        } else {
            field.entry = self.text(node, "a field")?;
        }
        Some(field)
    }

    /// A name for generated code.
    fn rust_name(&mut self, node: &Node) -> Option<String> {
        let text = self.text(node, "`name`")?;
        let good = is_ident(&text.value) && !text.value.contains('-') && text.value.chars().any(|c| c != '_');
        if !good {
            let message = format!(
                "`{}` is not a name for Rust: it has letters, digits and `_`, and does not begin with a digit",
                text.value
            );
            self.error("name", message, text.span);
        }
        good.then_some(text.value)
    }

    fn constraints(&mut self, node: &Node) -> Vec<ConstraintDecl> {
        let mut list = Vec::new();
        for node in self.seq(node, "`constraints`") {
            if let NodeKind::Map(entries) = &node.kind {
                let (mut that, mut why, mut doc) = (None, String::new(), None);
                for (name, _, node) in self.known(entries, "a constraint", &["that", "why", "doc"]) {
                    match name {
                        "that" => that = self.text(node, "`that`"),
                        "why" => why = self.string(node, "`why`"),
                        "doc" => doc = self.text(node, "`doc`"),
                        name => unreachable!("`{name}` is listed as known and must be read"),
                    }
                }
                match that {
                    Some(that) => list.push(ConstraintDecl { that, why, doc }),
                    None => self.error("missing", "a constraint says what must hold: `that: condition`", node.span),
                }
            } else if let Some(that) = self.text(node, "a constraint") {
                list.push(ConstraintDecl { that, why: String::new(), doc: None });
            }
        }
        list
    }

    fn refused(&mut self, node: &Node) -> Option<RefusedDecl> {
        let (mut begins, mut why) = (None, String::new());
        let entries = self.map(node, "a text that is refused");
        for (name, _, node) in self.known(entries, "a text that is refused", &["begins", "why"]) {
            match name {
                "begins" => begins = self.text(node, "`begins`"),
                "why" => why = self.string(node, "`why`"),
                name => unreachable!("`{name}` is listed as known and must be read"),
            }
        }
        match begins {
            Some(begins) if !why.is_empty() => Some(RefusedDecl { begins, why }),
            _ => {
                self.error("missing", "a text that is refused has both `begins: template` and `why: reason`", node.span);
                None
            }
        }
    }

    /// Templates with the conditions under which they stand.
    fn variants(&mut self, node: &Node, what: &str) -> Vec<(Option<Text>, Text)> {
        let one;
        let items = match &node.kind {
            NodeKind::Seq(items) => items.as_slice(),
            _ => {
                one = [node.clone()];
                &one
            }
        };
        let mut list = Vec::new();
        for node in items {
            if let NodeKind::Map(entries) = &node.kind {
                let (mut when, mut is) = (None, None);
                for (name, _, node) in self.known(entries, what, &["when", "is"]) {
                    match name {
                        "when" => when = self.text(node, "`when`"),
                        "is" => is = self.text(node, "`is`"),
                        name => unreachable!("`{name}` is listed as known and must be read"),
                    }
                }
                match is {
                    Some(is) => list.push((when, is)),
                    None => self.error("missing", format!("{what} says what it is: `is: template`"), node.span),
                }
            } else if let Some(is) = self.text(node, what) {
                list.push((None, is));
            }
        }
        list
    }

    /// `expands: { addi: { rs1: rd, imm: n } }`, or the name alone.
    fn expands(&mut self, node: &Node) -> Option<ExpandsDecl> {
        let NodeKind::Map(entries) = &node.kind else {
            return self.text(node, "`expands`").map(|to| ExpandsDecl { to, fields: Vec::new() });
        };
        let [(to, fields)] = entries.as_slice() else {
            self.error("shape", "`expands` names one instruction: `expands: { addi: { rs1: rd } }`", node.span);
            return None;
        };
        Some(ExpandsDecl { to: to.clone(), fields: self.pairs(fields, "what the fields of an instruction are") })
    }

    fn errata(&mut self, node: &Node) -> Vec<ErratumDecl> {
        const KEYS: &[&str] = &["at", "kind", "says", "is", "evidence", "elsewhere", "by"];
        const KINDS: &[&str] = &["wrong", "incomplete", "contradictory", "ambiguous", "version", "unverified"];
        let mut list = Vec::new();
        for (id, node) in self.map(node, "`errata`") {
            let mut e = ErratumDecl {
                id: id.value.clone(),
                at: None,
                kind: String::new(),
                says: String::new(),
                is: String::new(),
                evidence: Vec::new(),
                elsewhere: Vec::new(),
                by: String::new(),
                span: id.span,
            };
            // Those of a file of errata come behind those that stand here.
            if list.iter().any(|other: &ErratumDecl| other.id == id.value) {
                self.error("duplicate", format!("there is an erratum `{}` already", id.value), id.span);
            }
            let entries = self.map(node, "an erratum");
            for (name, _, node) in self.known(entries, "an erratum", KEYS) {
                match name {
                    "at" => e.at = self.text(node, "`at`"),
                    "kind" => {
                        e.kind = self.string(node, "`kind`");
                        if !KINDS.contains(&e.kind.as_str()) {
                            self.error("shape", format!("the kind of an erratum is one of {}", KINDS.join(", ")), node.span);
                        }
                    }
                    "says" => e.says = self.string(node, "`says`"),
                    "is" => e.is = self.string(node, "`is`"),
                    "evidence" => e.evidence = self.pairs(node, "`evidence`").into_iter().map(|(k, v)| (k, v.value)).collect(),
                    "elsewhere" => e.elsewhere = self.pairs(node, "`elsewhere`").into_iter().map(|(k, v)| (k, v.value)).collect(),
                    "by" => e.by = self.string(node, "`by`"),
                    name => unreachable!("`{name}` is listed as known and must be read"),
                }
            }
            if e.is.is_empty() {
                self.error("missing", "an erratum says what is so: `is: …`", id.span);
            }
            list.push(e);
        }
        list
    }
}

/// Letters, digits, `_` and `-`, not first a digit.
fn is_ident(text: &str) -> bool {
    text.chars().next().is_some_and(|c| c.is_ascii_alphabetic() || c == '_')
        && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-')
}

/// References to documents, resolved against the declared sources.
pub(crate) fn resolve_doc(
    references: &[lang::Reference],
    sources: &[String],
    text: &Text,
    report: &mut dyn FnMut(Diagnostic),
) -> Doc {
    let mut doc = Doc::default();
    for r in references {
        let index = match &r.source {
            None if sources.is_empty() => {
                report(
                    Diagnostic::error("unknown-source", "no source is declared that has these lines", text.at(r.range.clone()))
                        .with_help("declare it: `sources: { doc: { title: …, file: … } }`"),
                );
                continue;
            }
            None => 0,
            Some(name) => match sources.iter().position(|s| s == name) {
                Some(index) => index,
                None => {
                    let mut d =
                        Diagnostic::error("unknown-source", format!("there is no source `{name}`"), text.at(r.range.clone()));
                    if let Some(near) = nearest(name, sources.iter().map(String::as_str)) {
                        d = d.with_help(format!("did you mean `{near}`?"));
                    }
                    report(d);
                    continue;
                }
            },
        };
        doc.0.push(DocRef { source: SourceId(index as u32), lines: r.lines });
    }
    doc
}
