//! Lists of operations and effects, against the evaluator: on every form of every specification with semantics.

use harness::{ListEngine, amount, effects_hold, engines_agree, load, random_bodies, shipped, yaml_files};
use isa_operations::Effects;
use isa_spec::model::Isa;
use std::path::Path;

fn agree(isa: &Isa, words: usize) {
    let executed = engines_agree(isa, &ListEngine::new(isa));
    assert!(executed > 0, "{}: nothing was executed", isa.name);
    let words = effects_hold(isa, words, &|_| {}).unwrap_or_else(|what| panic!("{what}"));
    assert!(words > 0, "{}: nothing was executed", isa.name);
}

/// The specifications of the tests, and shipped ones without warps; by default only the small ones. Two tests have half of them each.
fn half_agrees(half: usize) {
    let forms = amount(usize::MAX, 60);
    let all = yaml_files("specs/programs").into_iter().chain(shipped()).map(|path| load(&path));
    let all = all.filter(|isa| isa.forms.len() <= forms && (isa.forms.len() <= 250 || isa.machine.lanes == 1));
    for (_, isa) in all.enumerate().filter(|(at, _)| at % 2 == half) {
        if isa.forms.iter().any(|form| form.behaviour.is_some()) {
            agree(isa, amount(12, 2));
        }
    }
}

#[test]
fn lists_do_what_bodies_do() {
    half_agrees(0);
}

#[test]
fn lists_do_what_bodies_do_in_the_other_half() {
    half_agrees(1);
}

#[test]
#[ignore = "takes ten minutes"]
fn lists_do_what_bodies_do_on_all_shipped() {
    for isa in shipped().iter().map(|path| load(path)).filter(|isa| isa.forms.len() > 250 && isa.machine.lanes > 1) {
        agree(isa, 12);
    }
}

/// What effects lack is noticed.
#[test]
fn missing_effects_are_found() {
    let isa = load(&Path::new(env!("CARGO_MANIFEST_DIR")).join("specs/programs/constructs.yaml"));
    type Spoil = fn(&mut Effects);
    let spoils: [(&str, Spoil); 4] = [
        ("reads", |effects| _ = effects.reads.pop()),
        ("writes", |effects| _ = effects.writes.pop()),
        ("flow", |effects| effects.flow.clear()),
        ("memory", |effects| effects.memory.clear()),
    ];
    for (what, spoil) in spoils {
        assert!(effects_hold(isa, 12, &spoil).is_err(), "{what}");
    }
}

/// Specifications whose bodies are made at random; `SEEDS=0..2000` chooses others.
#[test]
fn lists_do_what_random_bodies_do() {
    let seeds = std::env::var("SEEDS").ok().and_then(|seeds| {
        let (first, end) = seeds.split_once("..")?;
        Some(first.parse().ok()?..end.parse().ok()?)
    });
    let mut executed = 0;
    for seed in seeds.unwrap_or(0..amount(400, 40)) {
        let text = random_bodies(seed);
        let loaded = isa_spec::load_str("bodies.yaml", &text, None);
        let Some(isa) = &loaded.isa else { panic!("seed {seed}: {:?}\n{text}", loaded.diagnostics) };
        executed += engines_agree(isa, &ListEngine::new(isa));
        effects_hold(isa, 8, &|_| {}).unwrap_or_else(|what| panic!("{seed}: {what}\n{text}"));
    }
    assert!(executed > 0);
}
