//! All of SM 8.0 against nvdisasm: what it refuses is refused for a field, the fifteen instructions of the document are those of
//! ampere.yaml. Texts of a sample of words are checked with those of the other specs (`vectors.rs`); where `ISAGEN_VECTORS` names a folder
//! with the whole files, all of these words are.

use harness::{Codec, Vector, all_right, shipped_codec, vectors, vectors_at};
use isa_runtime::why::Why;
use std::path::PathBuf;

/// A word that is accepted, or refused without a field, a hole or a class that is to blame.
fn refused_for_no_reason(codec: &Codec<'_>, v: &Vector) -> Option<String> {
    match codec.decode(v.word, v.bits) {
        Ok(form) => Some(format!("{} is accepted as {}", v.shown(), codec.isa().form(form).name)),
        Err(Why::Fixed { .. } | Why::Reserved { .. } | Why::Value { .. } | Why::Rule { .. } | Why::Hole { .. }) => None,
        Err(why) => Some(format!("{} is refused without naming a field or bits: {why}", v.shown())),
    }
}

#[test]
fn what_nvdisasm_refuses_is_refused_for_a_field() {
    let codec = shipped_codec("sm80");
    for (file, lines) in [("sm80-rejected.tsv", 325), ("sm80-rare-rejected.tsv", 431)] {
        let list = vectors(file);
        assert_eq!(list.len(), lines, "{file}");
        all_right(file, &list, |v| refused_for_no_reason(codec, v));
    }
}

/// The document's words have the texts that they have in ampere.yaml.
#[test]
fn the_document_is_extended() {
    let codec = shipped_codec("sm80");
    let mut list = vectors("ampere-sm80-undocumented-forms.tsv");
    list.extend(vectors("ampere-sm80.tsv").into_iter().step_by(8));
    all_right("the words of ampere", &list, |v| v.prints_another_text(codec));
}

#[test]
#[ignore = "needs whole files of words, in the folder that ISAGEN_VECTORS names"]
fn all_words_of_a_folder() {
    let folder = PathBuf::from(std::env::var_os("ISAGEN_VECTORS").expect("ISAGEN_VECTORS names a folder"));
    let codec = shipped_codec("sm80");
    for file in ["sm80.tsv", "sm80-rare.tsv"] {
        let list = vectors_at(&folder.join(file));
        all_right(file, &list, |v| v.prints_another_text(codec));
    }
    for file in ["sm80-rejected.tsv", "sm80-rare-rejected.tsv"] {
        let list = vectors_at(&folder.join(file));
        all_right(file, &list, |v| refused_for_no_reason(codec, v));
    }
}
