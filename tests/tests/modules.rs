//! Modules of specs whose names, prose and forms are unusual: each compiles without a warning in every edition, and says what the
//! reference codec and the evaluator say.

#![deny(warnings)]

use conformance::{agree, engines_agree, generated, load, yaml_files};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

isa_macros::define_isa!("specs/generated/alike.yaml");
isa_macros::define_isa!("specs/generated/inner-fewer-fixed.yaml");
isa_macros::define_isa!("specs/generated/inner-not.yaml");
isa_macros::define_isa!("specs/generated/keywords.yaml");
isa_macros::define_isa!("specs/generated/own-names.yaml");
isa_macros::define_isa!("specs/generated/prose.yaml");

/// A form that fixes fewer bits than one that it lies in, since it is made small by an enumeration or a `not`, goes first.
#[test]
fn forms_inside_others() {
    agree("specs/generated/inner-fewer-fixed.yaml", 16, 1000, &generated!(crate::inner_fewer_fixed));
    agree("specs/generated/inner-not.yaml", 64, 1000, &generated!(crate::inner_not));
    assert_eq!(inner_fewer_fixed::decode(0).map(|i| i.to_string()).ok(), Some("B.a".to_owned()));
    assert_eq!("B.a".parse::<inner_fewer_fixed::Insn>().map(|i| i.encode()).ok(), Some(0));
}

#[test]
fn names() {
    agree("specs/generated/alike.yaml", 64, 1000, &generated!(crate::alike));
    agree("specs/generated/keywords.yaml", 64, 1000, &generated!(crate::keywords));
    agree("specs/generated/own-names.yaml", 64, 1000, &generated!(crate::own_names));
    agree("specs/generated/prose.yaml", 64, 1000, &generated!(crate::prose));
}

/// Fields whose names would be one variable's.
#[test]
fn what_they_do() {
    let isa = |file: &str| load(&Path::new(env!("CARGO_MANIFEST_DIR")).join(file));
    engines_agree(&isa("specs/generated/alike.yaml"), &alike::sim::Compiled::new());
    engines_agree(&isa("specs/generated/keywords.yaml"), &keywords::sim::Compiled::new());
    engines_agree(&isa("specs/generated/own-names.yaml"), &own_names::sim::Compiled::new());
}

/// What `isagen build` writes, as a library for each edition.
#[test]
fn modules_compile_without_warnings() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("modules");
    let specs = ["specs/generated", "specs/accepted", "specs/programs"].map(yaml_files).concat();
    let editions = ["2021", "2024"];
    for edition in editions {
        let source = folder.join(format!("e{edition}/src"));
        let _ = fs::remove_dir_all(&source);
        fs::create_dir_all(&source).expect("the folder can be made");
        let mut library = "#![deny(warnings)]\n".to_owned();
        for spec in &specs {
            let isa = load(spec);
            let name = isa.module_name();
            writeln!(library, "pub mod {name};").expect("a string can be written to");
            fs::write(source.join(format!("{name}.rs")), isa_codegen::rust::module(&isa)).expect("it can be written");
        }
        fs::write(source.join("lib.rs"), library).expect("it can be written");
        let runtime = here.join("../isa-runtime");
        let manifest = format!(
            "[package]\nname = \"e{edition}\"\nversion = \"0.0.0\"\nedition = \"{edition}\"\n\n[dependencies]\n\
             isa-runtime = {{ path = {:?}, features = [\"sim\"] }}\n",
            runtime.display().to_string()
        );
        fs::write(source.join("../Cargo.toml"), manifest).expect("it can be written");
    }
    fs::write(folder.join("Cargo.toml"), "[workspace]\nresolver = \"2\"\nmembers = [\"e2021\", \"e2024\"]\n")
        .expect("it can be written");
    fs::copy(here.join("../Cargo.lock"), folder.join("Cargo.lock")).expect("the versions that this workspace has");
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let check = Command::new(cargo)
        .args(["check", "--offline", "--quiet", "--keep-going"])
        .current_dir(&folder)
        .env_remove("CARGO_TARGET_DIR")
        .env_remove("RUSTFLAGS")
        .output()
        .expect("cargo runs");
    assert!(check.status.success(), "{}", String::from_utf8_lossy(&check.stderr));
}
