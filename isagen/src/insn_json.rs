//! Instructions as JSON objects, one a line.

use crate::codec::{Codec, FormInfo};
use crate::digits::decimal;
use crate::json;

/// Writes objects; what is the same for all words of a form is made once.
#[derive(Default)]
pub(crate) struct Objects {
    forms: Vec<Option<FormObject>>,
}

/// What is the same in the objects of all words of a form.
struct FormObject {
    /// Length, mnemonic and name.
    form: String,
    /// Name and bits of each field.
    fields: Vec<String>,
}

impl FormObject {
    fn new<C: Codec>(codec: &C, form: usize) -> Self {
        let FormInfo { mnemonic, name, fields } = codec.form(form);
        let text = |text: &str| json::line(&text);
        let field = |(name, bits): (&str, String)| format!("{{\"name\":{},\"bits\":{},\"value\":", text(name), text(&bits));
        Self {
            form: format!("\"length\":{},\"mnemonic\":{},\"form\":{}", codec.length(form), text(mnemonic), text(name)),
            fields: fields.into_iter().map(field).collect(),
        }
    }
}

/// Where an instruction stands.
pub(crate) struct At<'a> {
    /// The digits of its word, or whatever stands in its place.
    pub(crate) word: &'a str,
    pub(crate) address: u64,
    /// The function that it is in, in an object file.
    pub(crate) function: Option<Option<&'a str>>,
}

impl Objects {
    /// Appends the object of an instruction: its form, word and text, or the reason why there is none.
    pub(crate) fn push<C: Codec>(
        &mut self,
        codec: &C,
        at: &At<'_>,
        decoded: Result<(usize, C::Word, &[u8]), &str>,
        out: &mut Vec<u8>,
    ) {
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
        match decoded {
            Ok((form, word, text)) => {
                if self.forms.len() <= form {
                    self.forms.resize_with(form + 1, || None);
                }
                let about = self.forms[form].get_or_insert_with(|| FormObject::new(codec, form));
                out.extend_from_slice(about.form.as_bytes());
                out.extend_from_slice(b",\"text\":");
                json::text(&String::from_utf8_lossy(text), out);
                out.extend_from_slice(b",\"fields\":[");
                for (i, (value, field)) in codec.raw_fields(form, word).zip(&about.fields).enumerate() {
                    if i > 0 {
                        out.push(b',');
                    }
                    out.extend_from_slice(field.as_bytes());
                    decimal(value, out);
                    out.push(b'}');
                }
                out.push(b']');
            }
            Err(reason) => {
                out.extend_from_slice(b"\"error\":");
                json::text(reason, out);
            }
        }
        out.push(b'}');
    }
}
