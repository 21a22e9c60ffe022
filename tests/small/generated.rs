//! Small random specs as generated code: what all their words are, print, encode to and parse as is what trying all words says
//! (`harness::small`).

use harness::small::Spec;
use harness::{Generated, generated};

macro_rules! compiled {
    ($($name:ident $file:literal,)*) => {
        // Random specifications have warnings.
        #[allow(deprecated)]
        mod isas {
            $(isa_macros::define_isa!($file);)*
        }

        const COMPILED: &[(&str, Generated)] = &[$(($file, generated!(isas::$name))),*];
    };
}

compiled! {
    r0 "specs/random/r0.yaml",
    r1 "specs/random/r1.yaml",
    r2 "specs/random/r2.yaml",
    r3 "specs/random/r3.yaml",
    r4 "specs/random/r4.yaml",
    r5 "specs/random/r5.yaml",
    r6 "specs/random/r6.yaml",
    r7 "specs/random/r7.yaml",
    r8 "specs/random/r8.yaml",
    r9 "specs/random/r9.yaml",
    r10 "specs/random/r10.yaml",
    r11 "specs/random/r11.yaml",
    r12 "specs/random/r12.yaml",
    r13 "specs/random/r13.yaml",
    r14 "specs/random/r14.yaml",
    r15 "specs/random/r15.yaml",
    r16 "specs/random/r16.yaml",
    r17 "specs/random/r17.yaml",
    r18 "specs/random/r18.yaml",
    r19 "specs/random/r19.yaml",
    r20 "specs/random/r20.yaml",
    r21 "specs/random/r21.yaml",
    r22 "specs/random/r22.yaml",
    r23 "specs/random/r23.yaml",
}

#[test]
fn all_words_of_generated_code() {
    let chosen = Spec::chosen(COMPILED.len());
    let faults: Vec<String> = chosen
        .iter()
        .zip(COMPILED)
        .filter_map(|(spec, (file, isa))| {
            let fault = fault(spec, isa)?;
            Some(format!("{file}: {fault}"))
        })
        .collect();
    assert!(faults.is_empty(), "{} of {} specs:\n{}", faults.len(), COMPILED.len(), faults.join("\n"));
}

/// The first word of which something is wrong.
fn fault(spec: &Spec, isa: &Generated) -> Option<String> {
    spec.known().iter().find_map(|known| {
        let (bits, word) = (known.bits, known.word);
        let decoded = (isa.decode)(word.into(), bits, 0);
        let Some((form, text, added)) = &known.legal else {
            return decoded.ok().map(|seen| format!("{bits}-bit word {word:#x} is not an instruction; it is {seen:?}"));
        };
        let seen = match decoded {
            Ok(seen) => seen,
            Err(e) => return Some(format!("{bits}-bit word {word:#x} of {form}, `{text}`, is refused: {e}")),
        };
        if (seen.form, seen.word, seen.text.as_str()) != (form.as_str(), word.into(), text.as_str()) {
            return Some(format!("{bits}-bit word {word:#x} of {form}, `{text}`, is {seen:?}"));
        }
        // Specs without a `full` template add nothing.
        if seen.added != *added {
            return Some(format!("`{added}` is added to {word:#x}; it is `{}`", seen.added));
        }
        match (isa.parse)(text, 0) {
            Err(e) => Some(format!("`{text}` of {word:#x} is not read: {e}")),
            Ok((_, read)) => {
                // Words of several lengths can share a text.
                let again =
                    spec.lengths().iter().find_map(|bits| (isa.decode)(read, *bits, 0).ok().filter(|seen| seen.text == *text));
                again.is_none().then(|| format!("`{text}` of {word:#x} is read as {read:#x}, which has another text"))
            }
        }
    })
}
