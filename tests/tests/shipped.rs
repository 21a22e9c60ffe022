//! The properties of `properties.rs`, of the specs that isagen ships and the crate `generated` that is compiled from them.

use conformance::{Generated, agree, ask, generated, load, shipped, vectors};
use isa_spec::codec::Codec;
use std::path::Path;

const AMPERE: Generated = generated!(generated::ampere; push_full);

#[test]
fn ampere() {
    agree("../specs/ampere.yaml", 10, 30_000, &AMPERE);
}

/// On the words that nvdisasm vouches for, generated code prints what nvdisasm does, and reads what the reference codec reads.
#[test]
fn ampere_vectors() {
    let isa = load(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../specs/ampere.yaml"));
    let codec = Codec::new(&isa);
    for file in ["ampere-sm80.tsv", "ampere-sm80-undocumented-forms.tsv"] {
        let wrong = ask(&vectors(file), |v| {
            let text = (AMPERE.decode)(v.word, 128, v.address()).map(|seen| seen.text);
            if text.as_deref() != Ok(v.said()) {
                return Some(format!("{:032x} prints {text:?}, not `{}`", v.word, v.said()));
            }
            let reference =
                codec.parse(v.said(), v.address(), &|_| None).map(|(form, word)| (isa.form(form).name.as_str(), word));
            let read = (AMPERE.parse)(v.said(), v.address());
            match (reference, read) {
                (Ok(reference), Ok(read)) if reference == read => None,
                (reference, read) => {
                    Some(format!("`{}` is {reference:?} to the reference codec, {read:?} to generated code", v.said()))
                }
            }
        });
        let wrong: Vec<String> = wrong.into_iter().flatten().collect();
        assert!(wrong.is_empty(), "{file}: {}:\n{}", wrong.len(), wrong[..wrong.len().min(20)].join("\n"));
    }
    let accepted: Vec<String> = ask(&vectors("ampere-sm80-rejected.tsv"), |v| {
        let (reference, seen) = (codec.decode(v.word, 128).is_ok(), (AMPERE.decode)(v.word, 128, 0).is_ok());
        (reference != seen).then(|| format!("{:032x}", v.word))
    })
    .into_iter()
    .flatten()
    .collect();
    assert_eq!(accepted, Vec::<String>::new(), "the reference codec and generated code differ on these");
}

/// Every shipped spec is held against its generated code above.
#[test]
fn no_shipped_spec_is_forgotten() {
    let source = include_str!("shipped.rs");
    let name = |p: &Path| p.file_name().expect("a file").to_string_lossy().into_owned();
    let forgotten: Vec<_> = shipped().into_iter().filter(|p| !source.contains(&format!("specs/{}\"", name(p)))).collect();
    assert!(forgotten.is_empty(), "{forgotten:?}");
}
