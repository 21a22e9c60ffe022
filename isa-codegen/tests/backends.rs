//! What holds for every back end of the list.

use isa_codegen::{File, backends};
use isa_spec::model::Isa;
use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

/// The instruction set of a file of specs/, read from a folder.
fn load(folder: &Path, name: &str) -> Isa {
    isa_spec::load(&folder.join(name)).isa.unwrap_or_else(|| panic!("{name} is a good specification"))
}

fn shipped() -> (PathBuf, Vec<String>) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../specs");
    let files = fs::read_dir(&folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    let files = files.filter(|path| path.extension().is_some_and(|e| e == "yaml"));
    let names = files.map(|path| path.file_name().expect("a name").to_string_lossy().into_owned()).collect();
    (folder, names)
}

fn emitted(isa: &Isa) -> Vec<File> {
    let emit = |backend: &&dyn isa_codegen::Backend| {
        backend.emit(isa).unwrap_or_else(|e| panic!("{} of {}: {}", backend.name(), isa.name, e.message))
    };
    backends().iter().flat_map(emit).collect()
}

#[test]
fn the_same_bytes_again_and_in_another_folder() {
    let (folder, names) = shipped();
    let elsewhere = Path::new(env!("CARGO_TARGET_TMPDIR")).join("another/folder");
    fs::create_dir_all(&elsewhere).expect("a folder for tests");
    for name in &names {
        fs::copy(folder.join(name), elsewhere.join(name)).expect("a specification is copied");
        let (one, other) = (emitted(&load(&folder, name)), emitted(&load(&elsewhere, name)));
        assert_eq!(one.len(), other.len());
        for (one, other) in one.iter().zip(&other) {
            assert!(one == other, "{} and {} differ", one.name, other.name);
        }
    }
}

#[test]
fn files_do_not_meet() {
    let (folder, specs) = shipped();
    let mut files = HashSet::new();
    for spec in &specs {
        let isa = load(&folder, spec);
        for file in emitted(&isa) {
            let stem = file.name.split('.').next().unwrap_or_default().to_owned();
            assert!([isa.name.clone(), isa.module_name()].contains(&stem), "{} is named after {}", file.name, isa.name);
            assert!(files.insert(file.name.clone()), "{} is there twice", file.name);
        }
    }
    let names: HashSet<&str> = backends().iter().map(|backend| backend.name()).collect();
    assert_eq!(names.len(), backends().len(), "no two back ends have one name");
}
