//! Properties of every back end of the list.

use isa_codegen::File;
use isa_docs::backends;
use isa_spec::model::Isa;
use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

/// The instruction set of a file of specs/, read from a folder.
fn load(folder: &Path, name: &str) -> Isa {
    isa_spec::load(&folder.join(name)).isa.unwrap_or_else(|| panic!("{name} is a good specification"))
}

fn shipped() -> (PathBuf, Vec<String>) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../specs");
    (folder, isa_specs::names().map(|name| format!("{name}.yaml")).collect())
}

/// Copies all that a folder has.
fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a folder for tests");
    for entry in fs::read_dir(from).expect("a folder") {
        let path = entry.expect("an entry").path();
        let other = to.join(path.file_name().expect("a name"));
        if path.is_dir() {
            copy(&path, &other);
        } else {
            fs::copy(&path, &other).expect("a file is copied");
        }
    }
}

fn emitted(isa: &Isa) -> Vec<File> {
    let emit = |backend: &&dyn isa_codegen::Backend| {
        backend.emit(isa).unwrap_or_else(|e| panic!("{} of {}: {}", backend.name(), isa.name, e.message))
    };
    backends().iter().flat_map(emit).collect()
}

#[test]
fn the_same_bytes_again_and_in_another_folder() {
    let (folder, specs) = shipped();
    let elsewhere = Path::new(env!("CARGO_TARGET_TMPDIR")).join("another/folder");
    copy(&folder, &elsewhere);
    let mut names = HashSet::new();
    // Most of them extend another one; `.ci/run` tries all.
    let step = if std::env::var_os("THOROUGH").is_some() { 1 } else { 14 };
    for spec in specs.iter().step_by(step) {
        let (isa, other) = (load(&folder, spec), load(&elsewhere, spec));
        let (files, others) = (emitted(&isa), emitted(&other));
        assert_eq!(files.len(), others.len());
        for (file, other) in files.into_iter().zip(others) {
            assert!(file == other, "{} and {} differ", file.name, other.name);
            let stem = file.name.split(['.', '/']).next().unwrap_or_default();
            assert!([isa.name.as_str(), &isa.module_name()].contains(&stem), "{} is named after {}", file.name, isa.name);
            assert!(names.insert(file.name.clone()), "{} is there twice", file.name);
        }
    }
}

#[test]
fn names_of_back_ends_differ() {
    let names: HashSet<&str> = backends().iter().map(|backend| backend.name()).collect();
    assert_eq!(names.len(), backends().len());
}
