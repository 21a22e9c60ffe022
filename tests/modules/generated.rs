//! Modules of specs whose names, prose and forms are unusual: each compiles without a warning in every edition, and says what the
//! reference codec and the evaluator say.

#![deny(warnings)]

use harness::{agree, engines_agree, generated, load, yaml_files};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

isa_macros::define_isa!(sim, "specs/generated/alike.yaml");
isa_macros::define_isa!("specs/generated/inner-fewer-fixed.yaml");
isa_macros::define_isa!("specs/generated/inner-not.yaml");
isa_macros::define_isa!(sim, "specs/generated/keywords.yaml");
isa_macros::define_isa!(sim, "specs/generated/own-names.yaml");
isa_macros::define_isa!("cases/newalias.yaml");
isa_macros::define_isa!("specs/generated/prose.yaml");
isa_macros::define_isa!("specs/generated/single.yaml");
isa_macros::define_isa!(sim, "specs/generated/wrapping-pc.yaml");
isa_macros::define_isa!("specs/generated/wrapping-targets.yaml");

/// The specification has a warning.
#[allow(deprecated)]
mod warned {
    isa_macros::define_isa!("specs/generated/ambiguous.yaml");
}
use warned::ambiguous;

/// A form that fixes fewer bits than one that it lies in, since it is made small by an enumeration or a `not`, goes first.
#[test]
fn forms_inside_others() {
    agree("specs/generated/inner-fewer-fixed.yaml", 16, 1000, &generated!(crate::generated::inner_fewer_fixed));
    agree("specs/generated/inner-not.yaml", 64, 1000, &generated!(crate::generated::inner_not));
    assert_eq!(inner_fewer_fixed::decode(0).map(|i| i.to_string()).ok(), Some("B.a".to_owned()));
    assert_eq!("B.a".parse::<inner_fewer_fixed::Insn>().map(|i| i.word()).ok(), Some(0));
}

#[test]
fn names() {
    agree("specs/generated/alike.yaml", 64, 1000, &generated!(crate::generated::alike));
    agree("specs/generated/keywords.yaml", 64, 1000, &generated!(crate::generated::keywords));
    agree("specs/generated/own-names.yaml", 64, 1000, &generated!(crate::generated::own_names));
    agree("specs/generated/prose.yaml", 64, 1000, &generated!(crate::generated::prose));
    agree("specs/generated/single.yaml", 64, 1000, &generated!(crate::generated::single));
}

/// A target that wraps is an address without a sign; any number that is the address modulo 2^n is read.
#[test]
fn targets_that_wrap() {
    agree("specs/generated/wrapping-targets.yaml", 200, 2000, &generated!(crate::generated::wrapping_targets));
    agree("specs/generated/wrapping-pc.yaml", 200, 2000, &generated!(crate::generated::wrapping_pc));
    use wrapping_targets::Insn;
    let word = |text: &str, address: u64| Insn::parse_at(text, address).map(|i| i.word()).map_err(|e| e.to_string());
    let text = |word: u32, address: u64| wrapping_targets::decode(word).expect("a word").at(address).to_string();
    let back = 0x3fff_f800;
    assert_eq!(text(back, 0), "jal 0xfffffffffffffffc");
    assert_eq!(text(back, 0xffff_ffff_8000_0008), "jal 0xffffffff80000004");
    for same in ["jal 0xfffffffffffffffc", "jal -0x4"] {
        assert_eq!(word(same, 0), Ok(back));
    }
    assert_eq!(word("jal 0x4", u64::MAX - 3), Ok(4 << 10));
    assert_eq!(text(0xffff_f800, 0), "bra -0x4");
    assert_eq!(wrapping_pc::decode(0x3fe).map(|i| i.at(0).to_string()).ok(), Some("jal 0xfffc".to_owned()));
    assert_eq!(wrapping_pc::Insn::parse_at("jal 0x2", 0xfffe).map(|i| i.word()).ok(), Some(2));
    let isa = load(&Path::new(env!("CARGO_MANIFEST_DIR")).join("specs/generated/wrapping-pc.yaml"));
    engines_agree(isa, &wrapping_pc::sim::Compiled::new());
}

/// `new` takes the operands of an instruction, whatever its words print as.
#[test]
fn operands_of_aliases() {
    let r = newalias::R::n;
    let text = |d, s, i| newalias::Addi::new(r(d), r(s), i).map(|insn| insn.to_string());
    assert_eq!(text(0, 0, 0), Ok("nop".to_owned()));
    assert_eq!(text(1, 2, 0), Ok("mv r1,r2".to_owned()));
    assert_eq!(text(1, 2, -1), Ok("addi r1,r2,-0x1".to_owned()));
}

/// Reading a text ends, however many ways there are to read it.
#[test]
fn texts_of_many_ways() {
    let text = "A aaaaaaaab";
    let error = text.parse::<ambiguous::Insn>().expect_err("it ends in a `b`").to_string();
    assert!(error.starts_with("expected `a` or the end"), "{error}");
    assert_eq!("A aaaaaaaa".parse::<ambiguous::Insn>().map(|i| i.word()).ok(), Some(0xff));
}

/// Fields whose names would be one variable's.
#[test]
fn what_they_do() {
    let isa = |file: &str| load(&Path::new(env!("CARGO_MANIFEST_DIR")).join(file));
    engines_agree(isa("specs/generated/alike.yaml"), &alike::sim::Compiled::new());
    engines_agree(isa("specs/generated/keywords.yaml"), &keywords::sim::Compiled::new());
    engines_agree(isa("specs/generated/own-names.yaml"), &own_names::sim::Compiled::new());
}

/// The output of `isagen build`, as a library for each edition with simulators, and one without.
#[test]
fn modules_compile_without_warnings() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("modules");
    let specs = yaml_files("specs/generated");
    for (name, edition, simulators) in [("e2021", "2021", true), ("e2024", "2024", true), ("plain", "2024", false)] {
        let source = folder.join(name).join("src");
        let _ = fs::remove_dir_all(&source);
        fs::create_dir_all(&source).expect("the folder can be made");
        let mut library = "#![deny(warnings)]\n".to_owned();
        for spec in &specs {
            let isa = load(spec);
            let name = isa.module_name();
            writeln!(library, "pub mod {name};").expect("a string can be written to");
            let image = isa_tables::image(isa).expect("it is small");
            fs::write(source.join(format!("{}.isat", isa.name)), image).expect("it can be written");
            fs::write(source.join(format!("{name}.rs")), isa_codegen::rust::module(isa).expect("it is small"))
                .expect("it can be written");
        }
        fs::write(source.join("lib.rs"), library).expect("it can be written");
        let [runtime, machine] =
            ["crates/isa-runtime", "crates/isa-sim"].map(|name| here.join("..").join(name).display().to_string());
        let mut manifest = format!(
            "[package]\nname = \"{name}\"\nversion = \"0.0.0\"\nedition = \"{edition}\"\n\n[dependencies]\n\
             isa-runtime = {{ path = {runtime:?} }}\n"
        );
        if simulators {
            write!(manifest, "isa-sim = {{ path = {machine:?} }}\n[features]\ndefault = [\"sim\"]\nsim = []\n")
                .expect("a string can be written to");
        }
        fs::write(source.join("../Cargo.toml"), manifest).expect("it can be written");
    }
    fs::write(folder.join("Cargo.toml"), "[workspace]\nresolver = \"2\"\nmembers = [\"e2021\", \"e2024\", \"plain\"]\n")
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
