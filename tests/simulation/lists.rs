//! Lists of operations and effects, against the evaluator: on every form of every specification with semantics.

use harness::{ListEngine, amount, effects_hold, engines_agree, load, shipped, yaml_files};
use isa_operations::Effects;
use isa_spec::model::Isa;
use std::path::{Path, PathBuf};

/// The shipped specifications and those of the tests, by turns: each test has its part.
fn part(number: usize, parts: usize) -> Vec<&'static Isa> {
    let all: Vec<PathBuf> = yaml_files("specs/programs").into_iter().chain(shipped()).collect();
    let own = all.iter().enumerate().filter(|(at, _)| at % parts == number).map(|(_, path)| load(path));
    own.filter(|isa| isa.forms.iter().any(|form| form.behaviour.is_some())).collect()
}

fn lists_agree(number: usize) {
    // By default only the small ones.
    let forms = amount(usize::MAX, 60);
    for isa in part(number, 2).into_iter().filter(|isa| isa.forms.len() <= forms) {
        let executed = engines_agree(isa, &ListEngine::new(isa));
        assert!(executed > 0, "{}: nothing was executed", isa.name);
        let words = effects_hold(isa, amount(12, 2), &|_| {}).unwrap_or_else(|what| panic!("{what}"));
        assert!(words > 0, "{}: nothing was executed", isa.name);
    }
}

#[test]
fn lists_do_what_bodies_do() {
    lists_agree(0);
}

#[test]
fn lists_do_what_bodies_do_in_other_specifications() {
    lists_agree(1);
}

/// What effects lack is noticed.
#[test]
fn missing_effects_are_found() {
    let isa = load(&Path::new(env!("CARGO_MANIFEST_DIR")).join("specs/programs/constructs.yaml"));
    let spoils: [(&str, fn(&mut Effects)); 4] = [
        ("reads", |effects| _ = effects.reads.pop()),
        ("writes", |effects| _ = effects.writes.pop()),
        ("flow", |effects| effects.flow.clear()),
        ("memory", |effects| effects.memory.clear()),
    ];
    for (what, spoil) in spoils {
        assert!(effects_hold(isa, 12, &spoil).is_err(), "{what}");
    }
}
