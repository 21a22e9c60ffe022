//! Instructions as JSON objects, one a line.

use crate::json;
use isa_engine::digits::decimal;
use isa_engine::{Codec, ControlField, ControlItem, ControlKind, FormInfo, Word};
use std::collections::HashMap;

/// The number of values of a field that are kept.
const VALUES: usize = 256;

/// Writes objects; the parts common to all words of a form are made once.
#[derive(Default)]
pub struct Objects {
    forms: Vec<Option<FormObject>>,
}

/// The common part of the objects of a form's words.
struct FormObject {
    /// Length, mnemonic and name.
    form: String,
    /// Name and bits of each field.
    fields: Vec<String>,
    control: Vec<Control>,
    /// The flags and the lists beside them, in the order of their items.
    beside: Vec<(String, Beside)>,
    /// Buffer for the bits of a word's fields.
    bits: Vec<u128>,
    /// Buffer for the presence of flags and list items in a word.
    items: Vec<bool>,
}

/// Control information besides the fields.
enum Beside {
    /// A flag with a condition. It takes the place of a field with the same name.
    Flag,
    /// The items of a list.
    List(Vec<String>),
}

/// A field of the control information.
struct Control {
    field: ControlField,
    name: String,
    /// Its values, by their bits.
    values: HashMap<u128, String>,
}

impl Control {
    /// The value of a text: its presence, a list of letters, `null` for `-`, a number or a string.
    fn value(&self, text: &str) -> String {
        let scalar = |text: &str| match text.parse::<i128>() {
            Ok(number) => number.to_string(),
            Err(_) => json::line(text),
        };
        match self.field.kind {
            ControlKind::Flag => (!text.is_empty()).to_string(),
            ControlKind::Letters => {
                let letters = text.chars().filter(|letter| *letter != '-');
                let letters: Vec<String> = letters.map(|letter| scalar(letter.encode_utf8(&mut [0; 4]))).collect();
                format!("[{}]", letters.join(","))
            }
            ControlKind::Value if text == "-" => "null".to_owned(),
            ControlKind::Value => scalar(text),
        }
    }
}

impl FormObject {
    fn new(codec: &dyn Codec, form: usize) -> Self {
        let FormInfo { mnemonic, name, fields } = codec.form(form);
        let text = json::line;
        let control = codec.control(form).into_iter().map(|field| {
            let name = text(fields.get(field.place).map_or("", |(name, _)| name));
            Control { field, name, values: HashMap::new() }
        });
        let control = control.collect();
        let mut beside: Vec<(String, Beside)> = Vec::new();
        for ControlItem { list, item } in codec.control_items(form) {
            let list = text(list);
            match (item, beside.last_mut()) {
                (None, _) => beside.push((list, Beside::Flag)),
                (Some(item), Some((name, Beside::List(items)))) if *name == list => items.push(text(item)),
                (Some(item), _) => beside.push((list, Beside::List(vec![text(item)]))),
            }
        }
        let field = |(name, bits): (&str, String)| format!("{{\"name\":{},\"bits\":{},\"value\":", text(name), text(&bits));
        Self {
            form: format!("\"length\":{},\"mnemonic\":{},\"form\":{}", codec.length(form), text(mnemonic), text(name)),
            fields: fields.into_iter().map(field).collect(),
            control,
            beside,
            bits: Vec::new(),
            items: Vec::new(),
        }
    }
}

impl FormObject {
    fn has_control(&self) -> bool {
        !self.control.is_empty() || !self.beside.is_empty()
    }

    /// Appends the control information.
    fn control(&mut self, codec: &dyn Codec, form: usize, word: Word, address: u64, out: &mut Vec<u8>) {
        out.push(b'{');
        self.bits.clear();
        codec.raw_fields(form, word, &mut self.bits);
        self.items.clear();
        codec.has_items(form, word, &mut self.items);
        for (i, control) in self.control.iter_mut().enumerate() {
            if i > 0 {
                out.push(b',');
            }
            out.extend_from_slice(control.name.as_bytes());
            out.push(b':');
            if let Some(is_set) = flag_of(&self.beside, &control.name, &self.items) {
                out.extend_from_slice(is_set.to_string().as_bytes());
                continue;
            }
            let place = control.field.place;
            let bits = self.bits.get(place).copied().unwrap_or(0);
            if control.values.len() == VALUES {
                control.values.clear();
            }
            if !control.values.contains_key(&bits) {
                let value = control.value(&codec.value_text(form, place, word, address));
                control.values.insert(bits, value);
            }
            out.extend_from_slice(control.values[&bits].as_bytes());
        }
        let mut has_items = self.items.iter().copied();
        let mut is_first = self.control.is_empty();
        for (name, beside) in &self.beside {
            let is_flag = matches!(beside, Beside::Flag).then(|| has_items.next() == Some(true));
            if is_flag.is_some() && self.control.iter().any(|control| control.name == *name) {
                continue;
            }
            if !std::mem::replace(&mut is_first, false) {
                out.push(b',');
            }
            out.extend_from_slice(name.as_bytes());
            out.push(b':');
            let items = match beside {
                Beside::List(items) => items,
                Beside::Flag => {
                    out.extend_from_slice((is_flag == Some(true)).to_string().as_bytes());
                    continue;
                }
            };
            out.push(b'[');
            let first = out.len();
            for item in items.iter().filter(|_| has_items.next() == Some(true)) {
                if out.len() > first {
                    out.push(b',');
                }
                out.extend_from_slice(item.as_bytes());
            }
            out.push(b']');
        }
        out.push(b'}');
    }
}

/// The value of the flag with this name, if there is one.
fn flag_of(beside: &[(String, Beside)], name: &str, has_items: &[bool]) -> Option<bool> {
    let mut has_items = has_items.iter().copied();
    for (other, beside) in beside {
        let is_set = match beside {
            Beside::Flag => has_items.next(),
            Beside::List(items) => items.iter().fold(None, |_, _| has_items.next()),
        };
        if matches!(beside, Beside::Flag) && other == name {
            return is_set;
        }
    }
    None
}

/// The content of a place.
pub enum Line<'t> {
    /// An instruction: its form, its word and its text.
    Insn(usize, Word, &'t [u8]),
    /// A byte of data: its text.
    Data(&'t [u8]),
    /// A word that is not an instruction: the reason.
    Refused(&'t str),
}

/// The place of an instruction.
pub struct At<'a> {
    /// The digits of its word, or the text in its place.
    pub word: &'a str,
    /// Its address.
    pub address: u64,
    /// The function that it is in, in an object file.
    pub function: Option<Option<&'a str>>,
}

impl Objects {
    /// Appends the object of a word's control information.
    pub fn control(&mut self, codec: &dyn Codec, form: usize, word: Word, address: u64, out: &mut Vec<u8>) {
        self.form(codec, form).control(codec, form, word, address, out);
    }

    /// The common part for all words of a form.
    fn form(&mut self, codec: &dyn Codec, form: usize) -> &mut FormObject {
        if self.forms.len() <= form {
            self.forms.resize_with(form + 1, || None);
        }
        self.forms[form].get_or_insert_with(|| FormObject::new(codec, form))
    }

    /// Appends the object of a place.
    pub fn push(&mut self, codec: &dyn Codec, at: &At<'_>, line: Line<'_>, out: &mut Vec<u8>) {
        out.extend_from_slice(b"{\"word\":");
        json::text(at.word, out);
        out.extend_from_slice(b",\"address\":");
        decimal(at.address.into(), out);
        out.push(b',');
        if let Some(function) = at.function {
            out.extend_from_slice(b"\"function\":");
            match function {
                Some(function) => json::text(function, out),
                None => out.extend_from_slice(b"null"),
            }
            out.push(b',');
        }
        match line {
            Line::Insn(form, word, text) => {
                let about = self.form(codec, form);
                out.extend_from_slice(about.form.as_bytes());
                out.extend_from_slice(b",\"text\":");
                json::text(&String::from_utf8_lossy(text), out);
                out.extend_from_slice(b",\"fields\":[");
                about.bits.clear();
                codec.raw_fields(form, word, &mut about.bits);
                for (i, (value, field)) in about.bits.iter().zip(&about.fields).enumerate() {
                    if i > 0 {
                        out.push(b',');
                    }
                    out.extend_from_slice(field.as_bytes());
                    decimal(*value, out);
                    out.push(b'}');
                }
                out.push(b']');
                if at.function.is_some() && about.has_control() {
                    out.extend_from_slice(b",\"control\":");
                    about.control(codec, form, word, at.address, out);
                }
            }
            Line::Data(text) => {
                out.extend_from_slice(b"\"length\":8,\"text\":");
                json::text(&String::from_utf8_lossy(text), out);
            }
            Line::Refused(reason) => {
                out.extend_from_slice(b"\"error\":");
                json::text(reason, out);
            }
        }
        out.push(b'}');
    }
}
