//! Specifications of several files.

#[test]
fn functions_of_files_are_joined() {
    let whole = "isa: t\ninclude: [more.yaml, list.yaml]\nword: 8\n\
         machine: { functions: \"fn one() : 1 { return 1; } fn two() : 2 { return 2; }\" }\n\
         instructions: { A: { fix: { 7..0: 1 }, text: A, semantics: \"let a = one() ++ two() ++ three();\" } }\n";
    let more = "machine: { functions: \"fn three() : 3 { return four() ++ five(); }\" }\n";
    let list = "machine: { functions: [\"fn four() : 1 { return 0; }\", \"fn five() : 2 { return 3; }\"] }\n";
    let loaded = isa_spec::load_texts("t.yaml", &[("t.yaml", whole), ("more.yaml", more), ("list.yaml", list)]);
    let isa = loaded.isa.unwrap_or_else(|| panic!("{:#?}", loaded.diagnostics));
    let names: Vec<&str> = isa.machine.functions.iter().map(|function| function.name.text.as_str()).collect();
    assert_eq!(names, ["one", "two", "three", "four", "five"]);
    assert_eq!(isa.machine.functions_source.lines().count(), 4);
}

#[test]
fn files_add_features_of_the_debugger() {
    let whole = "isa: t\ninclude: more.yaml\nword: 8\n\
         registers: { R: { index: 2, width: 8 } }\nmachine:\n  spaces: { memory: { address: 8, program: true } }\n  \
         debugger: { architecture: t, features: { core: [R, pc] } }\n\
         instructions: { A: { fix: { 7..0: 1 }, text: A, semantics: \"\" } }\n";
    let more = "registers: { F: { index: 2, width: 32 } }\nmachine: { debugger: { features: { fpu: [F] } } }\n";
    let loaded = isa_spec::load_texts("t.yaml", &[("t.yaml", whole), ("more.yaml", more)]);
    let isa = loaded.isa.unwrap_or_else(|| panic!("{:#?}", loaded.diagnostics));
    let info = isa_spec::machine_info(&isa);
    let debugger = info.debugger.expect("it has one");
    let file = |name: &str, files: &[&str]| (name.to_owned(), files.iter().map(|file| file.to_string()).collect());
    assert_eq!(debugger.architecture, "t");
    assert_eq!(debugger.features, [file("core", &["R", "pc"]), file("fpu", &["F"])]);
}

#[test]
fn errata_go_where_they_belong() {
    let files = [
        (
            "t.yaml",
            "isa: t\nword: 8\nerrata: notes/t.errata.yaml\noperands: { \"N(at)\": { fields: { n: $at } } }\nchoices:\n  \"C(at)\":\n    \
             a: { fix: { 7: 0 }, bind: { x: N($at) } }\n    b: { fix: { 7: 1 }, ignored: 3..0 }\ninstructions:\n  \
             A: { fix: { 6..4: 1 }, choose: { c: C(3..0) }, text: \"A {x?}\", errata: { E1: { is: one } } }\n",
        ),
        (
            "notes/t.errata.yaml",
            "instructions: { A: { E2: { is: two } } }\noperands: { N: { E3: { is: three } } }\nchoices: { C: { b: { E4: { is: four } } } }\n\
             errata: { E5: { is: five } }\n",
        ),
    ];
    let loaded = isa_spec::load_texts("t.yaml", &files);
    let isa = loaded.isa.unwrap_or_else(|| panic!("{:#?}", loaded.diagnostics));
    let found: Vec<_> = isa.all_errata().map(|(owner, e)| (owner, e.id.as_str(), e.is.as_str())).collect();
    assert_eq!(found, [("t", "E5", "five"), ("A", "E1", "one"), ("A", "E2", "two"), ("A", "E3", "three"), ("A", "E4", "four")]);
}
