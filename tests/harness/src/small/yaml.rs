//! A small spec as a file.

use super::drawing::drawing;
use super::spec::{
    Args, At, Choose, Code, Enum, Expands, Field, FixKey, Is, Length, Meaning, Over, Part, Plain, Radix, Ranges, Registers, Spec,
    Value,
};
use super::text::{list, quoted, syntax, template, texts};
use std::fmt::Write;

impl Spec {
    fn field(&self, field: &Field) -> String {
        format!("{}: {}", field.name, quoted(&self.entry(field, false)))
    }

    /// The declaration of a field; its place may be drawn elsewhere.
    fn entry(&self, field: &Field, is_drawn: bool) -> String {
        let mut out = match &field.at {
            _ if is_drawn => String::new(),
            At::Here(ranges) if self.is_text => {
                let is_open = match &field.meaning {
                    Meaning::Int { .. } | Meaning::Float(_) => true,
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
            Meaning::Int { signed, scale, bias, wraps, modulo, radix, target } => {
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
                if let Some(bits) = modulo {
                    add(&format!("wraps({bits})"));
                }
                match radix {
                    Some(Radix::Hex) => add("hex"),
                    Some(_) => add("dec"),
                    None => {}
                }
                match target {
                    Some((0, _)) => add("target"),
                    Some((offset, _)) => add(&format!("target({offset})")),
                    None => {}
                }
                if let Some((_, page @ 1..)) = target {
                    add(&format!("page({page})"));
                }
            }
            Meaning::Float(format) => add(&format!("f{format}")),
            Meaning::Register(file) => add(&self.registers[*file].name),
            Meaning::Enum(e) => add(&self.enums[*e].name),
            Meaning::Code(code, radix) => {
                add(&self.codes[*code].name);
                if !self.codes[*code].steps.is_empty() {
                    add(&self.codes[*code].steps);
                }
                match radix {
                    Some(Radix::Hex) => add("hex"),
                    Some(_) => add("dec"),
                    None => {}
                }
            }
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
        self.part_with(part, None)
    }

    fn part_with(&self, part: &Part, expands: Option<&Expands>) -> String {
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
        if !part.readings.is_empty() {
            let shown = list(&part.readings, |(name, reading)| format!("{name}: {}", quoted(&self.reading(reading))));
            keys.push(format!("readings: {{ {shown} }}"));
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
        if !part.aliases.is_empty() {
            keys.push(format!("aliases: {}", texts(&part.aliases)));
        }
        if let Some(Expands { to, fields }) = expands {
            let shown = list(fields, |(name, is)| match is {
                Is::Field(own) => format!("{}: {own}", quoted(name)),
                Is::Value(value) => format!("{}: {}", quoted(name), value.number),
            });
            keys.push(format!("expands: {{ {to}: {{ {shown} }} }}"));
        }
        if part.over.iter().any(|over| over.bits.is_some()) {
            let shown = list(&part.over, |Over { name, bits }| match bits {
                Some((bits, value)) => format!("{name}: {{ {}: {value} }}", quoted(&bits.show(", "))),
                None => format!("{name}: {{}}"),
            });
            keys.push(format!("over: {{ {shown} }}"));
        } else if !part.over.is_empty() {
            keys.push(format!("over: [ {} ]", list(&part.over, |over| over.name.clone())));
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
        if self.octal {
            head.push_str("assembly: { octal: true }\n");
        }
        if self.follows {
            head.push_str("follows: tool\nsources: { tool: { title: A tool } }\n");
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
        let rows = self.rows();
        let instructions = self.instructions.iter().enumerate().filter(|(i, _)| !rows.contains(i)).map(|(i, (name, part))| {
            let expands = self.meant(i).map(|meant| meant.1);
            (name.clone(), format!("{name}: {}", self.part_with(part, expands)))
        });
        let instructions = instructions.chain(self.tables().into_iter().map(|(table, part)| {
            let body = self.part(&part);
            ("T0".to_string(), format!("\"T$r\": {{ for: {table}, {}", body.trim_start_matches("{ ")))
        }));
        let operands = self.operands.iter().map(|(name, params, part)| {
            let params = list(params, |(name, optional)| format!("{name}{}", if *optional { "?" } else { "" }));
            (name.clone(), format!("{}: {}", quoted(&format!("{name}({params})")), self.part(part)))
        });
        let choices = self.choices.iter().map(|(name, params, alternatives)| {
            let alternatives = list(alternatives, |(name, part)| format!("{name}: {}", self.part(part)));
            (name.clone(), format!("{}: {{ {alternatives} }}", quoted(&format!("{name}({})", params.join(", ")))))
        });
        // A part of a register file uses the whole one.
        let is_part = |r: &&Registers| r.part.is_some();
        let files = self.registers.iter().filter(is_part).chain(self.registers.iter().filter(|r| !is_part(r)));
        // From the last to the first, since each uses those before it.
        let sections: [(&str, Vec<(String, String)>); 8] = [
            ("instructions", instructions.collect()),
            ("holes", holes.collect()),
            ("formats", parts(&self.formats).into_iter().rev().collect()),
            ("choices", choices.collect()),
            ("operands", operands.collect()),
            ("codes", self.codes.iter().map(|code| (code.name.clone(), code_of(code))).collect()),
            ("enums", self.enums.iter().map(|e| (e.name.clone(), enumeration(e))).collect()),
            ("registers", files.map(|r| (r.name.clone(), registers(self, r))).collect()),
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

fn registers(spec: &Spec, r: &Registers) -> String {
    if let Some((whole, from)) = r.part {
        let from = if from == 0 { String::new() } else { format!("from: {from}, ") };
        return format!("{}: {{ of: {}, {from}index: {} }}", r.name, spec.registers[whole].name, r.index);
    }
    if let Some(names) = &r.names {
        return format!(
            "{}: {{ names: {}, text: {} }}",
            r.name,
            quoted(names),
            quoted(&format!("{}{{n}}{}", r.prefix, r.suffix))
        );
    }
    let half = if r.halves.is_some() { "{half}" } else { "" };
    let mut keys = format!("index: {}, text: {}", r.index, quoted(&format!("{}{{n}}{half}{}", r.prefix, r.suffix)));
    if let Some(count) = r.count {
        let _ = write!(keys, ", count: {count}");
    }
    let name = |(n, text): &(u32, String)| {
        let also: Vec<_> = r.also.iter().filter(|also| also.0 == *n).map(|also| also.1.as_str()).collect();
        if also.is_empty() { text.clone() } else { format!("{{ text: {text}, also: [{}] }}", also.join(", ")) }
    };
    if r.list {
        let _ = write!(keys, ", special: [ {} ]", list(&r.special, name));
    } else if !r.special.is_empty() {
        let _ = write!(keys, ", special: {{ {} }}", list(&r.special, |special| format!("{}: {}", special.0, name(special))));
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
    e.likes.iter().for_each(|(value, like)| _ = write!(shown, ", {value}: {{ like: {like} }}"));
    if let Some([before, after]) = &e.other {
        let place = if e.hex { "{n:x}" } else { "{n}" };
        let _ = write!(shown, ", else: {}", quoted(&format!("{before}{place}{after}")));
    }
    format!("{}: {{ {shown} }}", e.name)
}

/// A code as a specification has it.
fn code_of(code: &Code) -> String {
    let mut out = format!("{}: {{ number: \"{}\"", code.name, code.number);
    if let Some(defined) = &code.defined {
        out.push_str(&format!(", defined: \"{defined}\""));
    }
    if let Some(greatest) = code.several {
        out.push_str(if greatest { ", several: greatest" } else { ", several: least" });
    }
    out + " }"
}
