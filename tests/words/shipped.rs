//! The properties of `properties.rs`, of the specs that isagen ships and the crate `generated` that is compiled from them.

use harness::{Generated, TEXTS, agree, amount, ask, generated, load, shipped_codec, shipped_with_modules, vectors};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Each shipped instruction set: its name, random words for each form, wholly random words of each length, its generated code.
const SHIPPED: [(&str, u32, u32, Generated); 8] = [
    ("ampere", 10, 30_000, generated!(generated::ampere)),
    ("compact", 10, 3_000, generated!(generated::compact)),
    ("fermi", 500, 3_000, generated!(generated::fermi)),
    ("flexgrip", 5, 3_000, generated!(generated::flexgrip)),
    ("rv32gc", 5, 2_000, generated!(generated::rv32gc)),
    ("rv32imac", 5, 2_000, generated!(generated::rv32imac)),
    ("sm80", 1, 1_000, generated!(generated::sm80)),
    ("rv64gc", 5, 2_000, generated!(generated::rv64gc)),
];

fn path(name: &str) -> PathBuf {
    Path::new("../specs").join(name).with_extension("yaml")
}

fn compiled(name: &str) -> &'static Generated {
    &SHIPPED.iter().find(|s| s.0 == name).unwrap_or_else(|| panic!("{name} is not shipped")).3
}

/// A test for each instruction set, so that they run beside each other.
macro_rules! generated_code_agrees_with_the_reference_codec {
    ($($test:ident: $isa:literal)*) => {
        $(#[test]
        fn $test() {
            let (name, per_form, random, generated) = SHIPPED.iter().find(|shipped| shipped.0 == $isa).expect("it is shipped");
            agree(path(name).to_str().expect("a path in ASCII"), *per_form, *random, generated);
        })*

        #[test]
        fn none_is_forgotten() {
            assert_eq!(BTreeSet::from([$($isa),*]), SHIPPED.iter().map(|shipped| shipped.0).collect());
        }
    };
}

generated_code_agrees_with_the_reference_codec! {
    ampere_agrees: "ampere"
    compact_agrees: "compact"
    fermi_agrees: "fermi"
    flexgrip_agrees: "flexgrip"
    rv32gc_agrees: "rv32gc"
    rv32imac_agrees: "rv32imac"
    rv64gc_agrees: "rv64gc"
    sm80_agrees: "sm80"
}

/// On the words of the vectors, generated code prints the texts of other tools, and reads what the reference codec reads.
#[test]
fn generated_code_agrees_with_those_who_vouch() {
    for (name, file, _) in TEXTS.into_iter().filter(|(name, ..)| SHIPPED.iter().any(|s| s.0 == *name)) {
        let (codec, generated) = (shipped_codec(name), compiled(name));
        let isa = codec.isa();
        let list: Vec<_> = vectors(file).into_iter().step_by(amount(1, 8)).collect();
        let wrong = ask(&list, |v| {
            let text = (generated.decode)(v.word, v.bits, v.address()).map(|seen| seen.text);
            if text.as_deref() != Ok(v.text()) {
                return Some(format!("{} prints {text:?}, not `{}`", v.shown(), v.text()));
            }
            let reference =
                codec.parse(v.text(), v.address(), &|_| None).map(|(form, word)| (isa.form(form).name.as_str(), word));
            let read = (generated.parse)(v.text(), v.address());
            match (reference, read) {
                (Ok(reference), Ok(read)) if reference == read => None,
                (reference, read) => {
                    Some(format!("`{}` is {reference:?} to the reference codec, {read:?} to generated code", v.text()))
                }
            }
        });
        let wrong: Vec<String> = wrong.into_iter().flatten().collect();
        assert!(wrong.is_empty(), "{file}: {}:\n{}", wrong.len(), wrong[..wrong.len().min(20)].join("\n"));
    }
}

#[test]
fn what_nvdisasm_refuses_is_the_same_to_both() {
    let (codec, generated) = (shipped_codec("ampere"), compiled("ampere"));
    let differ = ask(&vectors("ampere-sm80-rejected.tsv"), |v| {
        let (reference, seen) = (codec.decode(v.word, v.bits).is_ok(), (generated.decode)(v.word, v.bits, 0).is_ok());
        (reference != seen).then(|| v.shown())
    });
    assert_eq!(differ.into_iter().flatten().collect::<Vec<_>>(), Vec::<String>::new());
}

/// Every shipped spec with words is held against its generated code above; text-only ones have a file of their own, `vop4.rs`.
#[test]
fn no_shipped_spec_is_forgotten() {
    let name = |p: &PathBuf| p.file_stem().expect("a file").to_string_lossy().into_owned();
    let words = shipped_with_modules().into_iter().filter(|p| !load(p).is_text());
    let forgotten: Vec<_> = words.map(|p| name(&p)).filter(|n| SHIPPED.iter().all(|s| s.0 != n)).collect();
    assert_eq!(forgotten, Vec::<String>::new());
}
