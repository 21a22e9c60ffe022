//! GPUs before and after SM 8.0 against nvdisasm: what it refuses is refused. Texts of a sample of words are checked with those of the other specs
//! (`vectors.rs`); where `ISAGEN_GPU_VECTORS` names a folder with whole files (`sm86-real.tsv` …), all of these words are.

use harness::{Codec, Vector, all_right, shipped_codec, vectors, vectors_at};
use std::path::PathBuf;

/// Each specification with the architectures of which all words are right, and how many refused words it has.
const GPUS: [(&str, &[&str], usize); 9] = [
    ("sm75", &["sm75"], 92),
    ("sm86", &["sm86", "sm87", "sm88"], 175),
    ("sm89", &["sm89"], 97),
    ("sm90", &["sm90", "sm90a"], 224),
    ("sm100", &["sm100", "sm100f"], 200),
    ("sm103", &["sm103"], 38),
    ("sm107", &["sm107"], 47),
    ("sm110", &["sm110"], 34),
    ("sm120", &["sm120", "sm120a", "sm120f", "sm121"], 200),
];

fn accepted(codec: &Codec<'_>, v: &Vector) -> Option<String> {
    let form = codec.decode(v.word, v.bits).ok()?;
    Some(format!("{} is accepted as {}", v.shown(), codec.isa().form(form).name))
}

#[test]
fn what_nvdisasm_refuses_is_refused() {
    for (name, _, lines) in GPUS {
        let codec = shipped_codec(name);
        let list = vectors(&format!("{name}-rejected.tsv"));
        assert_eq!(list.len(), lines, "{name}");
        all_right(name, &list, |v| accepted(codec, v));
    }
}

#[test]
#[ignore = "needs whole files of words, in the folder that ISAGEN_GPU_VECTORS names"]
fn all_words_of_a_folder() {
    let folder = PathBuf::from(std::env::var_os("ISAGEN_GPU_VECTORS").expect("ISAGEN_GPU_VECTORS names a folder"));
    for (name, architectures, _) in GPUS {
        let codec = shipped_codec(name);
        for architecture in architectures {
            let list = |kind: &str| vectors_at(&folder.join(format!("{architecture}-{kind}.tsv")));
            all_right(architecture, &list("real"), |v| v.prints_another_text(codec));
            all_right(architecture, &list("mutants"), |v| v.prints_another_text(codec));
            all_right(architecture, &list("rejected"), |v| accepted(codec, v));
        }
    }
}
