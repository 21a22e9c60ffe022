//! Small random specs, and all words of each: clashes and their witnesses, the certificate, holes, decoding and texts both ways by
//! reference codec and engine, and warnings of shared texts are what trying all words says
//! (`harness::small`), not what a model of isa-spec says.

use harness::amount;
use harness::small::{Effort, Extent, Primitive, Seen, Spec, asked_for, examine, of_seeds};
use std::path::Path;

/// The seeds are as good as any others, and the same on every run: some specs of which much is asked, and more of which less
/// is.
#[test]
fn all_words_of_small_specs() {
    let seen =
        of_seeds(1..amount(1201, 601), |seed| examine(seed, Extent::Full, Effort { texts: 40, refused: 200, damaged: 40 }));
    let more =
        of_seeds(1201..amount(5301, 1701), |seed| examine(seed, Extent::Full, Effort { texts: 6, refused: 40, damaged: 12 }));
    assert!(more.iter().map(|s| s.words).sum::<usize>() >= amount(15_000, 1_500));
    each_primitive_occurs(seen.iter().chain(&more));
    // The specs are not all of one kind.
    let count = |what: fn(&Seen) -> bool| seen.iter().filter(|s| what(s)).count();
    let (refused, nested, same_text, illegal) =
        (count(|s| s.refused), count(|s| s.nested), count(|s| s.same_text), count(|s| s.illegal));
    assert!(seen.len() == amount(1200, 600) && refused >= amount(150, 75) && nested >= amount(250, 125));
    let overlaps = [0, 1].map(|which| seen.iter().filter(|s| s.overlaps[which]).count());
    assert!(overlaps.iter().all(|count| *count >= amount(120, 60)), "declared and undeclared overlaps: {overlaps:?}");
    assert!(same_text >= amount(200, 100) && illegal >= amount(250, 125));
    let lengths = seen.iter().chain(&more).filter(|s| s.lengths).count();
    assert!(lengths >= amount(200, 50), "instructions of several lengths are in {lengths} specs alone");
    let tables = seen.iter().chain(&more).filter(|s| s.tables).count();
    assert!(tables >= amount(150, 30), "tables are in {tables} specs alone");
    let words: usize = seen.iter().map(|s| s.words).sum();
    assert!(words >= amount(20_000, 10_000), "only {words} words went to text and back");
}

fn each_primitive_occurs<'s>(seen: impl Iterator<Item = &'s Seen> + Clone) {
    let count = |primitive| seen.clone().filter(|spec| spec.primitives.contains(primitive)).count();
    let counted: Vec<(&Primitive, usize)> = Primitive::ALL.iter().map(|primitive| (primitive, count(primitive))).collect();
    let table: String = counted.iter().map(|(primitive, count)| format!("{count:6} {primitive}\n")).collect();
    println!("{table}");
    let rare: Vec<String> =
        counted.iter().filter(|(_, count)| *count < amount(10, 2)).map(|(p, n)| format!("{p}: {n}")).collect();
    assert!(rare.is_empty(), "in next to no spec: {rare:#?}");
}

/// The styles of `{x:x}` belong to integers.
#[test]
fn styles_of_what_prints_no_integer_are_refused() {
    let refused = of_seeds(1..301, |seed| {
        let spec = Spec::random(seed, Extent::Full);
        let load = |spec: &Spec| isa_spec::load_str("small.yaml", &spec.yaml("small"), None);
        let kinds = if load(&spec).isa.is_some() { spec.misstyled() } else { Vec::new() };
        let is_refused = |what: &str, spec: &Spec| {
            let is_it = |message: &str| message.contains("numbers have a style") && message.ends_with(&format!("is {what}"));
            load(spec).diagnostics.iter().any(|d| is_it(&d.message))
        };
        match kinds.iter().find(|(what, spec)| !is_refused(what, spec)) {
            Some((what, spec)) => Err(format!("seed {seed}: a style of {what} is not refused\n{}", spec.yaml("small"))),
            None => Ok(kinds.iter().map(|(what, _)| *what).collect::<Vec<_>>()),
        }
    });
    let kinds = ["a floating-point number", "a register", "a value of an enumeration", "a flag", "a bitset"];
    let count = |kind| refused.iter().flatten().filter(|what| **what == kind).count();
    assert!(kinds.iter().all(|kind| count(*kind) >= 10), "{:?}", kinds.map(count));
}

/// All words and many texts of specs of which something was once wrong.
#[test]
fn specs_of_which_something_was_wrong() {
    let seeds = [303_862, 309_553];
    of_seeds(0..seeds.len() as u64, |at| {
        examine(seeds[at as usize], Extent::Basic, Effort { texts: usize::MAX, refused: usize::MAX, damaged: 16 })
    });
}

/// `cargo test --release -p conformance --test small specs -- --ignored`; `SEEDS=200000..300000` for others, `TEXTS=6` for fewer
/// texts of each length of words.
#[test]
#[ignore = "takes long"]
fn all_words_of_many_small_specs() {
    let texts = std::env::var("TEXTS").map_or(usize::MAX, |texts| texts.parse().expect("TEXTS is a number"));
    let effort = Effort { texts, refused: texts, damaged: 16 };
    let seen = of_seeds(asked_for(100_000..200_000), |seed| examine(seed, Extent::Full, effort));
    println!("{} specs, {} words", seen.len(), seen.iter().map(|seen| seen.words).sum::<usize>());
}

/// The specs of `small_generated` are those that the generator makes: `BLESS=1` writes them.
#[test]
fn chosen_specs_are_up_to_date() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("specs/random");
    for (i, spec) in Spec::chosen(24).iter().enumerate() {
        let (path, yaml) = (folder.join(format!("r{i}.yaml")), spec.yaml(&format!("r{i}")));
        if std::env::var_os("BLESS").is_some() {
            std::fs::write(&path, yaml).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        } else {
            let there = std::fs::read_to_string(&path).unwrap_or_default();
            assert!(there == yaml, "{} is not what the generator makes: BLESS=1", path.display());
        }
    }
}
