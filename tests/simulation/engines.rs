//! The reference evaluator and compiled semantics are two implementations of one meaning: on random instructions and random
//! programs, registers and memory, they write the same and want the same.

use harness::{ListEngine, amount, engines_agree, engines_agree_on_every_word, load, shipped_with_modules, yaml_files};
use isa_spec::model::Isa;
use isa_spec::semantics::builtins::{Action, BUILTINS, Routine, SPECIAL, SUPPLIED};
use std::path::Path;

/// A test for each spec: its name, the file, the module, and how many instructions lanes execute on both engines, at least.
macro_rules! agree {
    ($($name:ident: $file:literal, $($module:ident)::+, $least:literal;)*) => {
        $(#[test]
        fn $name() {
            let isa = load(&Path::new(env!("CARGO_MANIFEST_DIR")).join($file));
            engines_agree(&isa, &ListEngine::new(&isa));
            let executed = engines_agree(&isa, &$($module)::+::sim::Compiled::new());
            assert!(executed >= amount($least, $least / 4), "{executed} instructions");
        })*

        const FILES: &[&str] = &[$($file),*];
    };
}

isa_macros::define_isa!(sim, "specs/accepted/choices.yaml");
isa_macros::define_isa!(sim, "specs/programs/constructs.yaml");
isa_macros::define_isa!(sim, "specs/programs/scalar.yaml");
isa_macros::define_isa!(sim, "specs/programs/any.yaml");
isa_macros::define_isa!(sim, "specs/programs/lanes.yaml");
isa_macros::define_isa!(sim, "specs/programs/kinds.yaml");
isa_macros::define_isa!(sim, "specs/programs/core.yaml");
isa_macros::define_isa!(sim, "specs/programs/events.yaml");
isa_macros::define_isa!(sim, "specs/programs/floats.yaml");
isa_macros::define_isa!(sim, "specs/programs/floats-warp.yaml");
isa_macros::define_isa!(sim, "specs/programs/floats-riscv.yaml");
isa_macros::define_isa!(sim, "specs/programs/floats-sse.yaml");
isa_macros::define_isa!(sim, "specs/programs/floats-aarch64.yaml");
isa_macros::define_isa!(sim, "specs/programs/floats-nvidia.yaml");
isa_macros::define_isa!(sim, "specs/programs/floats-near.yaml");
isa_macros::define_isa!(sim, "specs/programs/formats.yaml");
isa_macros::define_isa!(sim, "../examples/6502/6502.yaml");

agree! {
    ampere: "../specs/ampere.yaml", generated::ampere, 27_000;
    compact: "../specs/compact.yaml", generated::compact, 250;
    fermi: "../specs/fermi.yaml", generated::fermi, 2_000;
    flexgrip: "../specs/flexgrip.yaml", generated::flexgrip, 140_000;
    ptx_vop4: "../specs/ptx-vop4.yaml", generated::ptx_vop4, 15_000;
    rv64gc: "../specs/rv64gc.yaml", generated::rv64gc, 1_400;
    rv32gc: "../specs/rv32gc.yaml", generated::rv32gc, 1_100;
    rv32imac: "../specs/rv32imac.yaml", generated::rv32imac, 850;
    sm80: "../specs/sm80.yaml", generated::sm80, 129_000;
    // Choices by the word, in all the ways that compiled code shapes its loops after.
    in_words: "specs/accepted/choices.yaml", choices, 4_800;
    // Every construct of the language.
    each_construct: "specs/programs/constructs.yaml", constructs, 4_800;
    // One lane.
    one_lane: "specs/programs/scalar.yaml", scalar, 500;
    // One lane, and memory in the order of the text.
    memory_in_order: "specs/programs/core.yaml", core, 300;
    // One lane, and bodies that raise.
    raising: "specs/programs/events.yaml", events, 300;
    // Values of other lanes, state of a warp, and barriers.
    lanes_of_a_warp: "specs/programs/lanes.yaml", lanes, 3_800;
    // Bodies that a generator made.
    any_body: "specs/programs/any.yaml", any, 2_800;
    // Functions of floats with their flags, for one lane and for a warp.
    floats_of_a_core: "specs/programs/floats.yaml", floats, 2_100;
    floats_of_a_warp: "specs/programs/floats-warp.yaml", floats_warp, 10_500;
    // Floats by the rules of machines.
    floats_of_riscv: "specs/programs/floats-riscv.yaml", floats_riscv, 700;
    floats_of_sse: "specs/programs/floats-sse.yaml", floats_sse, 700;
    floats_of_aarch64: "specs/programs/floats-aarch64.yaml", floats_aarch64, 700;
    floats_of_nvidia: "specs/programs/floats-nvidia.yaml", floats_nvidia, 700;
    floats_without_flags: "specs/programs/floats-near.yaml", floats_near, 6_300;
    // Formats by name, sums of products, illegal directions.
    formats_by_name: "specs/programs/formats.yaml", formats, 1_200;
    // Flags by name, operands with values, memory of bytes.
    the_6502: "../examples/6502/6502.yaml", mos6502, 1_600;
    // Every kind of operand.
    kinds_of_operands: "specs/programs/kinds.yaml", kinds, 4_600;
}

#[test]
fn every_word_with_every_kind_of_operand() {
    let isa = load(&Path::new(env!("CARGO_MANIFEST_DIR")).join("specs/programs/kinds.yaml"));
    let executed = engines_agree_on_every_word(isa, &kinds::sim::Compiled::new());
    assert!(executed >= amount(1_100_000, 85_000), "{executed} instructions");
}

/// Every spec with semantics, shipped or in `specs/programs`, is above.
#[test]
fn none_is_forgotten() {
    let does_something = |isa: &Isa| isa.forms.iter().any(|f| f.behaviour.is_some());
    let held = |name: &str| FILES.iter().any(|f| f.rsplit('/').next() == Some(name));
    let all = shipped_with_modules().into_iter().chain(yaml_files("specs/programs"));
    let names = all.filter(|p| does_something(load(p))).map(|p| p.file_name().expect("a file").to_string_lossy().into_owned());
    let forgotten: Vec<String> = names.filter(|name| !held(name)).collect();
    assert_eq!(forgotten, Vec::<String>::new());
}

/// Every row of the language's tables occurs in a body of a spec of the tests that both engines execute above: in a form, all of
/// which they execute, or in a routine of a machine, which `cores` and `events` run on both. A search in the typed trees; whether
/// a body comes to the place depends on its conditions.
#[test]
fn every_row_of_the_language_is_in_a_program() {
    let own = FILES.iter().filter(|file| file.starts_with("specs/"));
    let (mut bodies, mut sources) = (String::new(), String::new());
    for path in own.map(|file| Path::new(env!("CARGO_MANIFEST_DIR")).join(file)) {
        let isa = load(&path);
        isa.forms.iter().filter_map(|form| form.behaviour.as_ref()).for_each(|own| bodies += &format!("{own:?}\n"));
        Routine::ALL.into_iter().filter_map(|routine| isa.routine(routine)).for_each(|own| bodies += &format!("{own:?}\n"));
        sources += &std::fs::read_to_string(&path).expect("it is loaded");
    }
    // A slice takes its place where it is written.
    let is_folded = |name: &&str| *name == "trunc";
    let functions =
        BUILTINS.iter().filter(|row| !is_folded(&row.name)).map(|row| (row.name, format!("function: {:?},", row.function)));
    let actions = Action::ALL.iter().map(|action| (action.name(), format!("Action({action:?},")));
    let supplied = SUPPLIED.iter().map(|row| (row.0, format!("Supplied({:?})", row.1)));
    let missing = functions.chain(actions).chain(supplied).filter(|(_, shown)| !bodies.contains(shown)).map(|row| row.0);
    let folded = BUILTINS.iter().map(|row| row.name).filter(is_folded);
    let special = SPECIAL.into_iter().chain(folded).filter(|name| !sources.contains(&format!("{name}(")));
    let missing: Vec<&str> = missing.chain(special).collect();
    assert!(missing.is_empty(), "in no program of `tests/specs/programs`, for example `constructs.yaml`: {missing:?}");
}
