//! The registers that instructions of GPUs read and write, against the live ranges that nvdisasm prints (`-lrm`): for each opcode
//! and count some words of `vectors/`; where `ISAGEN_ACCESSES` names a specification and a file like that one,
//! `specs/sm90.yaml:FILE`, all of its words.

use harness::{Codec, Vector, amount, ask, load, shipped_codec, vectors, vectors_at};
use isa_spec::model::{Form, Isa, Label};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// The registers from the one on that a field names, but for those that read as zero or as one: no life range shows them.
fn registers(isa: &Isa, form: &Form, path: &str, count: u32, word: isa_spec::model::Word, out: &mut BTreeSet<String>) {
    let field = form.field(path).expect("a field of the form");
    let Label::Register(id) = field.label else { panic!("{path} names no register") };
    let file = &isa.registers[id.index()];
    let first = field.index(field.bits.get(word));
    let is_shown = |n: &u128| !file.special.iter().any(|special| special.0 == *n) && *n < 1 << field.bits.width();
    out.extend((first..first + u128::from(count)).filter(is_shown).filter_map(|n| file.name_of(n)));
}

/// The registers that a word reads and writes, if nvdisasm disagrees.
fn differs(codec: &Codec<'_>, v: &Vector) -> Option<(String, String)> {
    let form = codec.decode(v.word, v.bits).unwrap_or_else(|e| panic!("{}: {e}", v.shown()));
    let (mut reads, mut writes) = (BTreeSet::new(), BTreeSet::new());
    let of = codec.isa().form(form);
    for (path, read, written) in codec.accesses(form, v.word) {
        registers(codec.isa(), of, &path, read, v.word, &mut reads);
        registers(codec.isa(), of, &path, written, v.word, &mut writes);
    }
    let said = |column: &str| -> BTreeSet<String> {
        v.column(column).unwrap_or_default().split_whitespace().map(str::to_string).collect()
    };
    let told = [said("reads"), said("writes")];
    if [&reads, &writes] == [&told[0], &told[1]] {
        return None;
    }
    let list = |set: &BTreeSet<String>| set.iter().cloned().collect::<Vec<_>>().join(" ");
    let found = format!("reads {} writes {}", list(&reads), list(&writes));
    let told = format!("reads {} writes {}", list(&told[0]), list(&told[1]));
    Some((of.name.clone(), format!("{} `{}`: {found}; nvdisasm: {told}", v.shown(), v.text())))
}

fn compare(codec: &Codec<'_>, list: &[Vector]) {
    let mut forms: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (form, message) in ask(list, |v| differs(codec, v)).into_iter().flatten() {
        forms.entry(form).or_default().push(message);
    }
    let wrong: usize = forms.values().map(Vec::len).sum();
    let first: Vec<String> = forms.iter().map(|(form, all)| format!("{form}: {}\n  {}", all.len(), all[0])).collect();
    assert!(wrong == 0, "{wrong} of {}:\n{}", list.len(), first.join("\n"));
}

#[test]
fn registers_are_those_of_nvdisasm() {
    for name in ["sm75", "sm80", "sm86", "sm89", "sm90", "sm100", "sm120"] {
        let list = vectors(&format!("{name}-accesses.tsv"));
        compare(shipped_codec(name), &list.into_iter().step_by(amount(1, 36)).collect::<Vec<_>>());
    }
}

#[test]
#[ignore = "needs a file of words, which ISAGEN_ACCESSES names"]
fn registers_are_those_of_nvdisasm_in_all_words_of_a_file() {
    let named = std::env::var("ISAGEN_ACCESSES").expect("ISAGEN_ACCESSES is SPEC:FILE");
    let (spec, file) = named.split_once(':').unwrap_or_else(|| panic!("ISAGEN_ACCESSES={named} is not SPEC:FILE"));
    compare(&Codec::new(load(Path::new(spec))), &vectors_at(Path::new(file)));
}
