//! A small spec as the generator has it, and its YAML.

use std::fmt::Write;

/// Its name, its parameters with whether each can be missing, and what it is made of.
pub(crate) type Operand = (String, Vec<(&'static str, bool)>, Part);
/// Its name, its parameters, and its alternatives.
pub(crate) type Choice = (String, Vec<&'static str>, Vec<(String, Part)>);

/// A word of at most 24 bits.
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
    /// With a `target`, the address of the word and this are added where it is printed.
    Int {
        signed: bool,
        scale: i64,
        bias: i64,
        wraps: bool,
        radix: Option<Radix>,
        target: Option<i64>,
    },
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
    /// Its bits are drawn in this way, in a word of so many bits.
    pub(crate) layout: Option<(Layout, u32)>,
    /// Its text is written as a line of syntax, if it can be.
    pub(crate) syntax: bool,
}

/// How a layout is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Layout {
    Lsb,
    Msb,
    /// Names with their widths, if nothing is said elsewhere.
    Parts,
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
    pub(crate) big_endian: bool,
    /// Bits of the address of an instruction, if a machine says so.
    pub(crate) pc: Option<u32>,
    /// The instruction set is text-only: which bits fields have is up to the generator, and forms differ in their texts.
    pub(crate) is_text: bool,
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
        format!("{}: {}", field.name, quoted(&self.entry(field, false)))
    }

    /// What a field is; where it is may be drawn elsewhere.
    fn entry(&self, field: &Field, is_drawn: bool) -> String {
        let mut out = match &field.at {
            _ if is_drawn => String::new(),
            At::Here(ranges) if self.is_text => {
                let is_open = match &field.meaning {
                    Meaning::Int { .. } => true,
                    Meaning::Enum(e) => self.enums[*e].other.is_some(),
                    _ => false,
                };
                if is_open { format!("({})", ranges.width()) } else { String::new() }
            }
            at => at.show(" ++ "),
        };
        let mut add = |text: &str| {
            if !out.is_empty() {
                out.push(' ');
            }
            out.push_str(text);
        };
        match &field.meaning {
            Meaning::Int { signed, scale, bias, wraps, radix, target } => {
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
                match target {
                    Some(0) => add("target"),
                    Some(offset) => add(&format!("target({offset})")),
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
        out
    }

    fn args(args: &Args) -> String {
        let shown = list(args, |(name, at)| if *name == "neg" { format!("neg: {}", at.show(" ++ ")) } else { at.show(" ++ ") });
        format!("({shown})")
    }

    fn part(&self, part: &Part) -> String {
        let mut keys: Vec<String> = Vec::new();
        let drawing = part.layout.and_then(|(style, bits)| drawing(part, style, bits));
        let line = if part.syntax { syntax(&part.text) } else { None };
        let mut places: Vec<(String, String)> = Vec::new();
        if let Some(drawing) = &drawing {
            keys.push(format!("layout: {}", drawing.text));
            places.extend(drawing.places.iter().cloned());
        }
        let drawn = |name: &str| drawing.as_ref().is_some_and(|d| d.fields.iter().any(|f| f == name));
        if let Some(length) = part.length.filter(|_| !self.is_text) {
            keys.push(format!("length: {length}"));
        }
        if let Some(format) = part.extends {
            keys.push(format!("extends: {}", self.formats[format].0));
        }
        let is_fixed = |(key, _): &&(FixKey, Value)| match key {
            FixKey::Bits(At::Here(_)) => drawing.is_none() && !self.is_text,
            _ => true,
        };
        let fix: Vec<_> = part.fix.iter().filter(is_fixed).collect();
        if !fix.is_empty() {
            let shown = list(&fix, |(key, value)| match key {
                FixKey::Field(name) => format!("{name}: {}", value.text),
                FixKey::Bits(at) => format!("{}: {}", quoted(&at.show(", ")), value.text),
            });
            keys.push(format!("fix: {{ {shown} }}"));
        }
        let field = |field: &Field| match drawn(&field.name) {
            true => Some(self.entry(field, true)).filter(|e| !e.is_empty()).map(|e| format!("{}: {}", field.name, quoted(&e))),
            false => Some(self.field(field)),
        };
        let fields: Vec<String> = part.fields.iter().filter_map(field).collect();
        if !fields.is_empty() {
            keys.push(format!("fields: {{ {} }}", fields.join(", ")));
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
            // Layouts don't draw reserved bits.
            let is_said = |p: &&(Plain, Ranges)| p.0 == what && (drawing.is_none() || what == Plain::Reserved);
            let bits: Vec<_> = part.plain.iter().filter(is_said).map(|p| p.1.show(", ")).collect();
            if self.is_text {
                continue;
            }
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
        match line {
            Some((line, words)) => {
                keys.push(format!("syntax: {}", quoted(&line)));
                places.extend(words);
            }
            None if !part.text.is_empty() => keys.push(format!("text: {}", texts(&part.text))),
            None => {}
        }
        if !places.is_empty() {
            let shown = list(&places, |(word, name)| format!("{}: {name}", quoted(word)));
            keys.push(format!("where: {{ {shown} }}"));
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
        if self.is_text {
            head.push_str("word: none\n");
        } else if let [Length { bits, when: None }] = self.lengths.as_slice() {
            let _ = writeln!(head, "word: {bits}");
        } else {
            let order = if self.low_first { "low-first" } else { "high-first" };
            let lengths = list(&self.lengths, |length| {
                let (width, value, equal) = length.when.unwrap_or((1, 0, true));
                let bits = Ranges(vec![(width - 1, 0)]).show("");
                format!("{}: \"prefix[{bits}] {} {value}\"", length.bits, if equal { "==" } else { "!=" })
            });
            let bytes = if self.big_endian { "big" } else { "little" };
            let _ = writeln!(head, "word: {{ unit: {}, order: {order}, bytes: {bytes}, lengths: {{ {lengths} }} }}", self.unit);
        }
        if self.decimal {
            head.push_str("numbers: dec\n");
        }
        if let Some(pc) = self.pc {
            let _ = writeln!(head, "machine: {{ pc: {pc} }}");
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

/// A layout, what its letters mean, and the fields that it places.
struct Drawing {
    text: String,
    places: Vec<(String, String)>,
    fields: Vec<String>,
}

/// The bits of a part as a layout, with those of other parts said elsewhere; `None` if it has none.
fn drawing(part: &Part, style: Layout, bits: u32) -> Option<Drawing> {
    let mut marks = vec!['.'; bits as usize];
    // A `where` can have words of a line of syntax as well.
    let mut letters = ('b'..='z').filter(|c| !"su".contains(*c));
    let (mut places, mut fields, mut whole) = (Vec::new(), Vec::new(), Vec::new());
    let bits_of = |ranges: &Ranges| -> Vec<u32> { ranges.0.iter().flat_map(|(hi, lo)| (*lo..=*hi).rev()).collect() };
    for field in &part.fields {
        let At::Here(ranges) = &field.at else { continue };
        let own = bits_of(ranges);
        // A letter has its bits in the order of the word.
        if own.is_sorted_by(|a, b| a > b) {
            let letter = letters.next()?;
            own.iter().for_each(|bit| marks[*bit as usize] = letter);
            fields.push(field.name.clone());
            whole.push((letter, ranges.0.len() == 1));
            places.push((letter.to_string(), field.name.clone()));
        }
    }
    for (key, value) in &part.fix {
        if let FixKey::Bits(At::Here(ranges)) = key {
            let word = ranges.place(value.number as Word);
            bits_of(ranges).iter().for_each(|bit| marks[*bit as usize] = if word >> bit & 1 == 1 { '1' } else { '0' });
        }
    }
    for (what, ranges) in &part.plain {
        let mark = match what {
            Plain::Ignored => '-',
            Plain::Unknown => '?',
            Plain::Reserved => continue,
        };
        bits_of(ranges).iter().for_each(|bit| marks[*bit as usize] = mark);
    }
    if marks.iter().all(|mark| *mark == '.') {
        return None;
    }
    if style != Layout::Parts || marks.contains(&'.') {
        if style != Layout::Lsb {
            marks.reverse();
        }
        let order = if style == Layout::Lsb { "lsb0" } else { "msb0" };
        let groups: Vec<String> = marks.chunks(4).map(|c| c.iter().collect()).collect();
        return Some(Drawing { text: format!("'{order} \"{}\"'", groups.join(" ")), places, fields });
    }
    marks.reverse();
    // A field in one place has a part of its own; what stands between those is read by letters.
    let is_whole = |mark: char| whole.contains(&(mark, true));
    let (mut parts, mut names): (Vec<String>, Vec<char>) = (Vec::new(), Vec::new());
    for run in marks.chunk_by(|a, b| a == b || !is_whole(*a) && !is_whole(*b)) {
        let name = places.iter().find(|p| is_whole(run[0]) && p.0 == run[0].to_string()).map(|p| p.1.clone());
        parts.push(match name {
            Some(name) => format!("{name}({})", run.len()),
            None => format!("PART{}:{}({})", parts.len(), run.iter().collect::<String>(), run.len()),
        });
        names.extend(Some(run[0]).filter(|mark| is_whole(*mark)));
    }
    places.retain(|(letter, _)| !names.iter().any(|n| n.to_string() == *letter));
    Some(Drawing { text: quoted(&parts.join(" | ")), places, fields })
}

/// A text as a line of syntax, and which of its words are fields; `None` where it has more than a line of syntax can say.
fn syntax(text: &Text) -> Option<(String, Vec<(String, String)>)> {
    let [(None, pieces)] = text.as_slice() else { return None };
    let (mut line, mut words) = (String::new(), Vec::new());
    syntax_of(pieces, &mut line, &mut words)?;
    Some((line, words)).filter(|(line, _)| !line.is_empty())
}

fn syntax_of(pieces: &[Piece], line: &mut String, words: &mut Vec<(String, String)>) -> Option<()> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut after_place = false;
    for piece in pieces {
        match piece {
            Piece::Literal(text) => {
                // What follows a field begins another word.
                if text.contains(['{', '}']) || after_place && text.starts_with(is_part) {
                    return None;
                }
                line.push_str(text);
                after_place = false;
            }
            Piece::Place { name, optional: false, radix: None } if name.chars().all(is_part) && !line.ends_with('.') => {
                let word = if line.ends_with(is_part) { format!(".{name}") } else { name.clone() };
                line.push_str(&word);
                words.push((word, name.clone()));
                after_place = true;
            }
            Piece::Group(body) => {
                let before = line.clone();
                line.push('{');
                // A word goes on behind a brace: what begins one has a dot, or a sign before it.
                if before.ends_with(is_part) && !matches!(body.first(), Some(Piece::Literal(text)) if !text.starts_with(is_part))
                {
                    let Some(Piece::Place { name, optional: false, radix: None }) = body.first() else { return None };
                    line.push('.');
                    line.push_str(name);
                    words.push((format!(".{name}"), name.clone()));
                    syntax_of(&body[1..], line, words)?;
                } else {
                    syntax_of(body, line, words)?;
                }
                line.push('}');
                after_place = false;
            }
            _ => return None,
        }
    }
    Some(())
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
