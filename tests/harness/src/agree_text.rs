use crate::agree::damaged;
use crate::{Codec, amount, beside_suites, load};
use isa_reference::codec::Statement;
use isa_reference::samples::Random;

/// The result of generated code for a text, in a text-only instruction set.
#[derive(Debug, PartialEq, Eq)]
pub struct SeenText {
    /// The form's name.
    pub form: String,
    /// The text as printed.
    pub text: String,
    /// The names of its registers, by their numbers.
    pub names: Vec<String>,
}

/// A generated text-only module as a function of one type: [`generated_text!`](crate::generated_text).
#[derive(Debug)]
pub struct GeneratedText {
    /// Reads a text.
    pub read: fn(text: &str) -> Result<SeenText, String>,
}

/// A generated module that is text-only, and names registers, as [`GeneratedText`]: `generated_text!(path::to::isa)`.
#[macro_export]
macro_rules! generated_text {
    ($($module:ident)::+) => {
        $crate::GeneratedText {
            read: |text| {
                use $($module)::+ as isa;
                let read = text.parse::<isa::Statement>().map_err(|e| e.to_string())?;
                // An instruction and names that are put together again say the same.
                let (insn, names) = read.clone().into_parts();
                assert_eq!(isa::Statement::new(insn, &names).as_ref(), Ok(&read));
                assert_eq!(text.parse::<isa::Insn>().map_err(|e| e.to_string()), Ok(insn));
                Ok($crate::SeenText { form: insn.form().name().to_string(), text: read.to_string(), names })
            },
        }
    };
}

/// Holds a text-only spec (its file, relative to the suites) against its generated code: on texts of `per_form` random words of
/// each form, as they are and damaged.
///
/// # Panics
/// When the two differ, or a text is not read as it was printed.
pub fn agree_text(file: &str, per_form: u32, generated: &GeneratedText) {
    let per_form = amount(per_form, per_form.div_ceil(16));
    let isa = load(&beside_suites(file));
    let codec = Codec::new(isa);
    let mut random = Random::new(0x0ddba11);
    let mut read = 0u32;
    for form in &isa.forms {
        for _ in 0..per_form {
            let word = random.word_of(form);
            if codec.decode(word, form.length).is_err() {
                continue;
            }
            let mut text = String::new();
            codec.print(form.id, word, 0, &mut text);
            let seen = same(&codec, generated, &text).unwrap_or_else(|e| panic!("`{text}` can't be read back: {e}"));
            assert_eq!((seen.form.as_str(), seen.text.as_str()), (form.name.as_str(), text.as_str()));
            for which in 0..form.also.len() {
                let mut other = String::new();
                let choose = &mut |count| random.next_u64() as usize % count;
                codec.print_also((form.id, which), word, 0, choose, &mut other);
                let seen = same(&codec, generated, &other);
                assert_eq!(seen.map(|s| s.text), Ok(text.clone()), "`{other}`");
            }
            for _ in 0..4 {
                read += u32::from(same(&codec, generated, &damaged(&text, &mut random)).is_ok());
            }
        }
    }
    assert!(read > isa.forms.len() as u32, "hardly a damaged text is read");
}

/// Reads a text on both sides.
///
/// # Panics
/// If the results differ, or one accepts a text that the other refuses.
pub fn same(codec: &Codec<'_>, generated: &GeneratedText, text: &str) -> Result<SeenText, String> {
    let reference = codec.parse_statement(text, 0, &|_| None).map(|s| seen(codec, &s)).map_err(|e| e.to_string());
    match (reference, (generated.read)(text)) {
        (Ok(mut reference), Ok(mut seen)) => {
            // An instruction with fewer names than another one has no more of them.
            let count = reference.names.len().max(seen.names.len());
            reference.names.resize(count, String::new());
            seen.names.resize(count, String::new());
            assert_eq!(reference, seen, "`{text}`");
            Ok(seen)
        }
        (Err(error), Err(_)) => Err(error),
        (reference, seen) => panic!("`{text}` is {reference:?} to the reference codec, {seen:?} to generated code"),
    }
}

fn seen(codec: &Codec<'_>, statement: &Statement) -> SeenText {
    let mut text = String::new();
    codec.print_statement(statement, 0, &mut text);
    SeenText { form: codec.isa().form(statement.form).name.clone(), text, names: statement.names.clone() }
}
