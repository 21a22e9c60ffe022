//! `define_isa!` of faulty specification files, one for each stage of the front end, and of specifications in place: the whole of what
//! the compiler says, with path, line and column.
//!
//! `TRYBUILD=overwrite cargo test -p compile-fail` writes the `.stderr` files.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

#[test]
fn define_isa() {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().expect("a folder of the target folder");
    let project = target.join("tests/trybuild").join(env!("CARGO_PKG_NAME"));
    let cases = Path::new(env!("CARGO_MANIFEST_DIR")).join("cases");
    // Paths of specifications are relative to the manifest, which is that of trybuild's project.
    copy(&cases, &project);
    copy(&cases.join("parts"), &project.join("parts"));
    fs::create_dir_all(project.join(".cargo")).expect("the target folder can be written to");
    fs::write(project.join(".cargo/config.toml"), config()).expect("the target folder can be written to");
    trybuild::TestCases::new().compile_fail("cases/*.rs");
}

/// Copies the specifications in a folder.
fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("the target folder can be written to");
    for file in fs::read_dir(from).expect("the cases are there").filter_map(Result::ok) {
        if file.path().extension().is_some_and(|extension| extension == "yaml") {
            fs::copy(file.path(), to.join(file.file_name())).expect("the target folder can be written to");
        }
    }
}

/// The macro and the library as they have been built. As dependencies of trybuild's project they would be built again, with all that they
/// depend on, which takes a minute.
fn config() -> String {
    let program = std::env::current_exe().expect("a program has a path");
    let built = program.parent().expect("a program is in a folder");
    let (library, runtime) = (newest(built, std::env::consts::DLL_EXTENSION, "isa_macros"), newest(built, "rlib", "isa_runtime"));
    let flags = [
        "--extern".to_owned(),
        format!("isa_macros={}", library.display()),
        "--extern".to_owned(),
        format!("isa_runtime={}", runtime.display()),
        "-L".to_owned(),
        format!("dependency={}", built.display()),
    ];
    format!("[target.'cfg(all())']\nrustflags = {flags:?}\n\n[term]\nquiet = true\n")
}

/// The file that was built last: those of earlier builds are of earlier sources.
fn newest(folder: &Path, extension: &str, name: &str) -> PathBuf {
    let files = fs::read_dir(folder).expect("what has been built is there").filter_map(Result::ok).map(|file| file.path());
    let is_named = |path: &PathBuf| {
        let stem = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
        let stem = stem.strip_prefix("lib").unwrap_or(stem);
        path.extension().is_some_and(|e| e == extension) && stem.split('-').next() == Some(name)
    };
    let time = |path: &PathBuf| path.metadata().and_then(|file| file.modified()).unwrap_or(SystemTime::UNIX_EPOCH);
    files.filter(is_named).max_by_key(time).unwrap_or_else(|| panic!("{name} is not in {}", folder.display()))
}
