//! A small spec as the generator has it, and its YAML.

use std::fmt::Write;

/// Its name, its parameters with whether each can be missing, and what it is made of.
pub(crate) type Operand = (String, Vec<(&'static str, bool)>, Part);
/// Its name, its parameters, and its alternatives.
pub(crate) type Choice = (String, Vec<&'static str>, Vec<(String, Part)>);

/// A word of at most 16 bits.
pub(crate) type Word = u32;

/// Ranges of bits, the high part first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Ranges(pub(crate) Vec<(u32, u32)>);

impl Ranges {
    pub(crate) fn width(&self) -> u32 {
        self.0.iter().map(|(hi, lo)| hi - lo + 1).sum()
    }

    pub(crate) fn mask(&self) -> Word {
        self.place(Word::MAX)
    }

    /// The bits of the word, put together.
    pub(crate) fn get(&self, word: Word) -> Word {
        self.0.iter().fold(0, |raw, (hi, lo)| raw << (hi - lo + 1) | word >> lo & ((1 << (hi - lo + 1)) - 1))
    }

    /// A value where the bits are.
    pub(crate) fn place(&self, mut raw: Word) -> Word {
        self.0.iter().rev().fold(0, |word, (hi, lo)| {
            let low = raw & ((1 << (hi - lo + 1)) - 1);
            raw >>= hi - lo + 1;
            word | low << lo
        })
    }

    fn show(&self, between: &str) -> String {
        let one = |(hi, lo): &(u32, u32)| if hi == lo { hi.to_string() } else { format!("{hi}..{lo}") };
        self.0.iter().map(one).collect::<Vec<_>>().join(between)
    }
}

/// Where a field of a shared piece is: in these bits, or where a parameter says.
#[derive(Clone, Debug)]
pub(crate) enum At {
    Here(Ranges),
    Param(&'static str),
}

impl At {
    fn show(&self, between: &str) -> String {
        match self {
            At::Here(ranges) => ranges.show(between),
            At::Param(name) => format!("${name}"),
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Radix {
    Hex,
    Dec,
    Padded,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Meaning {
    Int { signed: bool, scale: i64, bias: i64, wraps: bool, radix: Option<Radix> },
    Register(usize),
    Enum(usize),
    Flag(String),
    Bitset(String),
}

#[derive(Clone, Debug)]
pub(crate) struct Field {
    pub(crate) name: String,
    pub(crate) at: At,
    pub(crate) meaning: Meaning,
    pub(crate) inverted: bool,
    /// The value of the default and how it is written, if it is not the bits 0.
    pub(crate) default: Option<Value>,
}

/// A value as conditions, defaults and `fix` have it: what it is, and how it is written.
#[derive(Clone, Debug)]
pub(crate) struct Value {
    pub(crate) number: i64,
    pub(crate) text: String,
}

/// A name in a condition; with a `?`, it may be missing.
#[derive(Clone, Debug)]
pub(crate) struct Name {
    pub(crate) path: String,
    pub(crate) optional: bool,
}

#[derive(Clone, Debug)]
pub(crate) enum Cond {
    Or(Vec<Cond>),
    And(Vec<Cond>),
    Not(Box<Cond>),
    /// Not zero.
    Bare(Name),
    Compare(Name, &'static str, Value),
    /// `%` or `&`, its operand, and what it is compared with: equal or not, a number.
    Arith(Name, char, i64, Option<(bool, i64)>),
    In(Name, Vec<(Value, Option<Value>)>),
    OneHot(Name),
    Is(String, Vec<String>),
    Has(String),
    Define(String),
}

#[derive(Clone, Debug)]
pub(crate) enum Piece {
    Literal(String),
    Place { name: String, optional: bool, radix: Option<Radix> },
    Group(Vec<Piece>),
    When(Cond, Vec<Piece>),
    Body,
}

/// Variants of a text, the last without a condition.
pub(crate) type Text = Vec<(Option<Cond>, Vec<Piece>)>;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Plain {
    Ignored,
    Unknown,
    Reserved,
}

/// Which bits are fixed: those of a field, those that a parameter says, or these.
#[derive(Clone, Debug)]
pub(crate) enum FixKey {
    Field(String),
    Bits(At),
}

/// The arguments of a use, by parameter.
pub(crate) type Args = Vec<(&'static str, At)>;

#[derive(Clone, Debug)]
pub(crate) enum Choose {
    Inline(Vec<(String, Part)>),
    Named { choice: usize, args: Args, except: Option<String> },
}

/// What formats, alternatives, operands and instructions are made of.
#[derive(Clone, Debug, Default)]
pub(crate) struct Part {
    pub(crate) length: Option<u32>,
    pub(crate) extends: Option<usize>,
    pub(crate) fields: Vec<Field>,
    pub(crate) fix: Vec<(FixKey, Value)>,
    pub(crate) bind: Vec<(String, usize, Args)>,
    pub(crate) choose: Vec<(String, Choose)>,
    pub(crate) plain: Vec<(Plain, Ranges)>,
    pub(crate) rest: Option<Plain>,
    pub(crate) define: Vec<(String, Cond)>,
    pub(crate) not: Vec<Cond>,
    pub(crate) constraints: Vec<Cond>,
    pub(crate) except: Vec<Cond>,
    pub(crate) tags: Option<String>,
    pub(crate) text: Text,
    pub(crate) also: Vec<Vec<Piece>>,
    pub(crate) full: Option<Vec<Piece>>,
}

#[derive(Clone, Debug)]
pub(crate) struct Registers {
    pub(crate) name: String,
    pub(crate) index: u32,
    pub(crate) prefix: String,
    pub(crate) suffix: String,
    pub(crate) count: Option<u32>,
    pub(crate) special: Vec<(u32, String)>,
    pub(crate) halves: Option<[String; 2]>,
}

#[derive(Clone, Debug)]
pub(crate) struct Enum {
    pub(crate) name: String,
    pub(crate) width: u32,
    /// Number, text, other texts.
    pub(crate) values: Vec<(u32, String, Vec<String>)>,
    /// What stands before the number of any other value.
    pub(crate) other: Option<String>,
    /// Written as a list, with `~` for what is missing.
    pub(crate) list: bool,
    /// The texts begin with a dot, and one may be empty.
    pub(crate) dotted: bool,
}

#[derive(Clone, Debug)]
pub(crate) struct Hole {
    pub(crate) name: String,
    pub(crate) length: u32,
    pub(crate) bits: Ranges,
    pub(crate) value: Word,
}

/// A length, and the first units that have it: these low bits have this value, or any other.
#[derive(Clone, Debug)]
pub(crate) struct Length {
    pub(crate) bits: u32,
    pub(crate) when: Option<(u32, Word, bool)>,
}

/// A spec.
#[derive(Clone, Debug)]
pub struct Spec {
    pub(crate) unit: u32,
    pub(crate) low_first: bool,
    pub(crate) lengths: Vec<Length>,
    pub(crate) decimal: bool,
    pub(crate) registers: Vec<Registers>,
    pub(crate) enums: Vec<Enum>,
    pub(crate) operands: Vec<Operand>,
    pub(crate) choices: Vec<Choice>,
    pub(crate) formats: Vec<(String, Part)>,
    pub(crate) instructions: Vec<(String, Part)>,
    pub(crate) holes: Vec<Hole>,
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

impl std::fmt::Display for Name {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}{}", self.path, if self.optional { "?" } else { "" })
    }
}

impl std::fmt::Display for Cond {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let inside = |part: &Cond| match part {
            Cond::Or(_) | Cond::And(_) => format!("({part})"),
            _ => part.to_string(),
        };
        match self {
            Cond::Or(parts) => f.write_str(&parts.iter().map(inside).collect::<Vec<_>>().join(" || ")),
            Cond::And(parts) => f.write_str(&parts.iter().map(inside).collect::<Vec<_>>().join(" && ")),
            Cond::Not(part) => write!(f, "!({part})"),
            Cond::Bare(name) => write!(f, "{name}"),
            Cond::Compare(name, op, value) => write!(f, "{name} {op} {}", value.text),
            Cond::Arith(name, op, k, None) => write!(f, "{name} {op} {k}"),
            Cond::Arith(name, op, k, Some((equal, c))) => write!(f, "{name} {op} {k} {} {c}", if *equal { "==" } else { "!=" }),
            Cond::In(name, elements) => {
                let one = |(first, last): &(Value, Option<Value>)| match last {
                    Some(last) => format!("{} .. {}", first.text, last.text),
                    None => first.text.clone(),
                };
                write!(f, "{name} in {{{}}}", elements.iter().map(one).collect::<Vec<_>>().join(", "))
            }
            Cond::OneHot(name) => write!(f, "onehot({name})"),
            Cond::Is(slot, alternatives) => write!(f, "{slot} is {}", alternatives.join(" | ")),
            Cond::Has(tag) => write!(f, "has {tag}"),
            Cond::Define(name) => f.write_str(name),
        }
    }
}

fn template(pieces: &[Piece]) -> String {
    let mut out = String::new();
    for piece in pieces {
        match piece {
            Piece::Literal(text) => out.extend(text.chars().flat_map(|c| {
                let escaped = matches!(c, '<' | '>' | '{' | '}' | '\\');
                escaped.then_some('\\').into_iter().chain([c])
            })),
            Piece::Place { name, optional, radix } => {
                let radix = match radix {
                    None => "",
                    Some(Radix::Hex) => ":x",
                    Some(Radix::Dec) => ":d",
                    Some(Radix::Padded) => ":02",
                };
                let _ = write!(out, "{{{name}{}{radix}}}", if *optional { "?" } else { "" });
            }
            Piece::Group(body) => {
                let _ = write!(out, "<{}>", template(body));
            }
            Piece::When(cond, body) => {
                let _ = write!(out, "<when {cond}: {}>", template(body));
            }
            Piece::Body => out.push_str("{body}"),
        }
    }
    out
}

fn texts(variants: &Text) -> String {
    if let [(None, only)] = variants.as_slice() {
        return quoted(&template(only));
    }
    let one = |(cond, pieces): &(Option<Cond>, Vec<Piece>)| match cond {
        Some(cond) => format!("{{ when: {}, is: {} }}", quoted(&cond.to_string()), quoted(&template(pieces))),
        None => quoted(&template(pieces)),
    };
    format!("[ {} ]", variants.iter().map(one).collect::<Vec<_>>().join(", "))
}

fn list<T>(items: &[T], show: impl Fn(&T) -> String) -> String {
    items.iter().map(show).collect::<Vec<_>>().join(", ")
}

impl Spec {
    fn field(&self, field: &Field) -> String {
        let mut out = field.at.show(" ++ ").to_string();
        let mut add = |text: &str| {
            out.push(' ');
            out.push_str(text);
        };
        match &field.meaning {
            Meaning::Int { signed, scale, bias, wraps, radix } => {
                if *signed {
                    add("signed");
                }
                if *scale != 1 {
                    add(&format!("*{scale}"));
                }
                if *bias != 0 {
                    add(&format!("+{bias}"));
                }
                if *wraps {
                    add("wraps");
                }
                match radix {
                    Some(Radix::Hex) => add("hex"),
                    Some(_) => add("dec"),
                    None => {}
                }
            }
            Meaning::Register(file) => add(&self.registers[*file].name),
            Meaning::Enum(e) => add(&self.enums[*e].name),
            Meaning::Flag(text) => add(&format!("\"{text}\"")),
            Meaning::Bitset(letters) => add(&format!("bitset \"{letters}\"")),
        }
        if field.inverted {
            add("inverted");
        }
        if let Some(default) = &field.default {
            add(&format!("= {}", default.text));
        }
        format!("{}: {}", field.name, quoted(&out))
    }

    fn args(args: &Args) -> String {
        let shown = list(args, |(name, at)| if *name == "neg" { format!("neg: {}", at.show(" ++ ")) } else { at.show(" ++ ") });
        format!("({shown})")
    }

    fn part(&self, part: &Part) -> String {
        let mut keys: Vec<String> = Vec::new();
        if let Some(length) = part.length {
            keys.push(format!("length: {length}"));
        }
        if let Some(format) = part.extends {
            keys.push(format!("extends: {}", self.formats[format].0));
        }
        if !part.fix.is_empty() {
            let shown = list(&part.fix, |(key, value)| match key {
                FixKey::Field(name) => format!("{name}: {}", value.text),
                FixKey::Bits(at) => format!("{}: {}", quoted(&at.show(", ")), value.text),
            });
            keys.push(format!("fix: {{ {shown} }}"));
        }
        if !part.fields.is_empty() {
            keys.push(format!("fields: {{ {} }}", list(&part.fields, |f| self.field(f))));
        }
        if !part.bind.is_empty() {
            let shown = list(&part.bind, |(name, o, args)| {
                format!("{name}: {}", quoted(&format!("{}{}", self.operands[*o].0, Self::args(args))))
            });
            keys.push(format!("bind: {{ {shown} }}"));
        }
        if !part.choose.is_empty() {
            let shown = list(&part.choose, |(name, choose)| match choose {
                Choose::Inline(alternatives) => {
                    format!("{name}: {{ {} }}", list(alternatives, |(name, part)| format!("{name}: {}", self.part(part))))
                }
                Choose::Named { choice, args, except } => {
                    let except = except.as_ref().map_or(String::new(), |e| format!(" except {e}"));
                    format!("{name}: {}", quoted(&format!("{}{}{except}", self.choices[*choice].0, Self::args(args))))
                }
            });
            keys.push(format!("choose: {{ {shown} }}"));
        }
        for (what, key) in [(Plain::Ignored, "ignored"), (Plain::Unknown, "unknown"), (Plain::Reserved, "reserved")] {
            let bits: Vec<_> = part.plain.iter().filter(|p| p.0 == what).map(|p| p.1.show(", ")).collect();
            if !bits.is_empty() {
                keys.push(format!("{key}: {}", quoted(&bits.join(", "))));
            }
            if part.rest == Some(what) {
                keys.push(format!("rest: {key}"));
            }
        }
        if !part.define.is_empty() {
            keys.push(format!("define: {{ {} }}", list(&part.define, |(n, c)| format!("{n}: {}", quoted(&c.to_string())))));
        }
        for (key, conds) in [("not", &part.not), ("constraints", &part.constraints), ("except", &part.except)] {
            if !conds.is_empty() {
                keys.push(format!("{key}: [ {} ]", list(conds, |c| quoted(&c.to_string()))));
            }
        }
        if let Some(tags) = &part.tags {
            keys.push(format!("tags: {tags}"));
        }
        if !part.text.is_empty() {
            keys.push(format!("text: {}", texts(&part.text)));
        }
        if !part.also.is_empty() {
            keys.push(format!("also: [ {} ]", list(&part.also, |t| quoted(&template(t)))));
        }
        if let Some(full) = &part.full {
            keys.push(format!("full: {}", quoted(&template(full))));
        }
        format!("{{ {} }}", keys.join(", "))
    }

    /// The spec as a file, with the definitions that it uses.
    pub fn yaml(&self, name: &str) -> String {
        let mut head = format!("isa: {name}\n");
        if let [Length { bits, when: None }] = self.lengths.as_slice() {
            let _ = writeln!(head, "word: {bits}");
        } else {
            let order = if self.low_first { "low-first" } else { "high-first" };
            let lengths = list(&self.lengths, |length| {
                let (width, value, equal) = length.when.unwrap_or((1, 0, true));
                let bits = Ranges(vec![(width - 1, 0)]).show("");
                format!("{}: \"prefix[{bits}] {} {value}\"", length.bits, if equal { "==" } else { "!=" })
            });
            let _ = writeln!(head, "word: {{ unit: {}, order: {order}, bytes: little, lengths: {{ {lengths} }} }}", self.unit);
        }
        if self.decimal {
            head.push_str("numbers: dec\n");
        }
        let holes = self.holes.iter().map(|hole| {
            let length = if self.lengths.len() > 1 { format!("length: {}, ", hole.length) } else { String::new() };
            (
                hole.name.clone(),
                format!("{}: {{ {length}fix: {{ {}: {} }} }}", hole.name, quoted(&hole.bits.show(", ")), hole.value),
            )
        });
        let parts = |parts: &[(String, Part)]| -> Vec<(String, String)> {
            parts.iter().map(|(name, part)| (name.clone(), format!("{name}: {}", self.part(part)))).collect()
        };
        let operands = self.operands.iter().map(|(name, params, part)| {
            let params = list(params, |(name, optional)| format!("{name}{}", if *optional { "?" } else { "" }));
            (name.clone(), format!("{}: {}", quoted(&format!("{name}({params})")), self.part(part)))
        });
        let choices = self.choices.iter().map(|(name, params, alternatives)| {
            let alternatives = list(alternatives, |(name, part)| format!("{name}: {}", self.part(part)));
            (name.clone(), format!("{}: {{ {alternatives} }}", quoted(&format!("{name}({})", params.join(", ")))))
        });
        // From the last to the first, each uses what stands before it.
        let sections: [(&str, Vec<(String, String)>); 7] = [
            ("instructions", parts(&self.instructions)),
            ("holes", holes.collect()),
            ("formats", parts(&self.formats).into_iter().rev().collect()),
            ("choices", choices.collect()),
            ("operands", operands.collect()),
            ("enums", self.enums.iter().map(|e| (e.name.clone(), enumeration(e))).collect()),
            ("registers", self.registers.iter().map(|r| (r.name.clone(), registers(r))).collect()),
        ];
        let mut out = String::new();
        for (heading, lines) in sections {
            let mut section = String::new();
            for (name, line) in lines {
                let word = |text: &str| text.split(|c: char| !c.is_ascii_alphanumeric()).any(|w| w == name);
                if matches!(heading, "instructions" | "holes") || word(&out) || word(&section) {
                    let _ = writeln!(section, "  {line}");
                }
            }
            if !section.is_empty() {
                out.insert_str(0, &format!("{heading}:\n{section}"));
            }
        }
        head + &out
    }
}

fn registers(r: &Registers) -> String {
    let half = if r.halves.is_some() { "{half}" } else { "" };
    let mut keys = format!("index: {}, text: {}", r.index, quoted(&format!("{}{{n}}{half}{}", r.prefix, r.suffix)));
    if let Some(count) = r.count {
        let _ = write!(keys, ", count: {count}");
    }
    if !r.special.is_empty() {
        let _ = write!(keys, ", special: {{ {} }}", list(&r.special, |(n, text)| format!("{n}: {text}")));
    }
    if let Some(halves) = &r.halves {
        let _ = write!(keys, ", halves: [{}]", halves.join(", "));
    }
    format!("{}: {{ {keys} }}", r.name)
}

fn enumeration(e: &Enum) -> String {
    let text = |(_, text, also): &(u32, String, Vec<String>)| match also.as_slice() {
        [] => quoted(text),
        also => format!("{{ text: {}, also: [ {} ] }}", quoted(text), list(also, |a| quoted(a))),
    };
    if e.list {
        let last = e.values.iter().map(|v| v.0).max().unwrap_or(0);
        let one = |n| e.values.iter().find(|v| v.0 == n).map_or("~".to_string(), text);
        return format!("{}: [ {} ]", e.name, (0..=last).map(one).collect::<Vec<_>>().join(", "));
    }
    let mut shown = list(&e.values, |v| format!("{}: {}", v.0, text(v)));
    if let Some(other) = &e.other {
        let _ = write!(shown, ", else: {}", quoted(&format!("{other}{{n}}")));
    }
    format!("{}: {{ {shown} }}", e.name)
}

impl Spec {
    /// This spec with one thing less, for each thing that can go.
    pub(crate) fn smaller(&self) -> Vec<Self> {
        let mut list = Vec::new();
        let mut change = |change: &dyn Fn(&mut Self)| {
            let mut smaller = self.clone();
            change(&mut smaller);
            list.push(smaller);
        };
        for i in 0..self.instructions.len() {
            if self.instructions.len() > 1 {
                change(&|s| drop(s.instructions.remove(i)));
            }
        }
        for i in 0..self.holes.len() {
            change(&|s| drop(s.holes.remove(i)));
        }
        for (i, (_, part)) in self.instructions.iter().enumerate() {
            for k in 0..part.not.len() {
                change(&|s| drop(s.instructions[i].1.not.remove(k)));
            }
            for k in 0..part.constraints.len() {
                change(&|s| drop(s.instructions[i].1.constraints.remove(k)));
            }
            for k in 0..part.except.len() {
                change(&|s| drop(s.instructions[i].1.except.remove(k)));
            }
            for k in 0..part.also.len() {
                change(&|s| drop(s.instructions[i].1.also.remove(k)));
            }
            if part.text.len() > 1 {
                change(&|s| drop(s.instructions[i].1.text.remove(0)));
            }
        }
        list
    }
}
