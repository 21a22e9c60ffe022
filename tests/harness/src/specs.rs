use crate::Codec;
use isa_spec::Loaded;
use isa_spec::diag::render_terminal;
use isa_spec::model::Isa;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock};

/// The path of a file or folder that is beside the suites (`vectors`) or elsewhere in the workspace (`../specs`).
pub fn beside_suites(path: impl AsRef<Path>) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("this crate is in the folder of the suites").join(path)
}

/// The specs in a folder beside the suites (`specs/accepted`) or of the workspace (`../specs`), by name.
pub fn yaml_files(folder: &str) -> Vec<PathBuf> {
    let folder = beside_suites(folder);
    let entries = std::fs::read_dir(&folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    let mut list: Vec<PathBuf> = entries
        .map(|e| e.expect("an entry of the folder").path())
        .filter(|p| p.extension().is_some_and(|e| e == "yaml"))
        .collect();
    list.sort();
    list
}

/// The paths of all shipped specifications of which `generated` has a module: its manifest has a feature `NAME-typed` for the others.
pub fn shipped_with_modules() -> Vec<PathBuf> {
    let manifest = include_str!("../../../generated/Cargo.toml");
    let has_module = |path: &PathBuf| {
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        !manifest.lines().any(|line| line.starts_with(&format!("{name}-typed =")))
    };
    shipped().into_iter().filter(has_module).collect()
}

/// The specs that isagen ships: the files of `specs/` that name an instruction set (the others are fragments).
pub fn shipped() -> Vec<PathBuf> {
    let folder = beside_suites("../specs");
    isa_specs::names().map(|name| folder.join(name).with_extension("yaml")).collect()
}

/// The files of the project with one of these extensions, in a folder of the workspace and those in it; without what is built.
///
/// # Panics
/// When the folder can't be read.
pub fn project_files(folder: &Path, extensions: &[&str]) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut open = vec![beside_suites("..").join(folder)];
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(&folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display())) {
            let path = entry.expect("an entry of the folder").path();
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            if path.is_dir() && !path.is_symlink() {
                if name != "target" && !name.starts_with('.') {
                    open.push(path);
                }
            } else if path.extension().is_some_and(|e| extensions.iter().any(|wanted| e == *wanted)) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// A spec that must be good. A test program reads it once.
///
/// # Panics
/// When it is not, with all findings.
pub fn load(path: &Path) -> &'static Isa {
    static READ: Once<PathBuf, Isa> = Once(Mutex::new(BTreeMap::new()));
    READ.get(path.components().collect(), || {
        let Loaded { isa, diagnostics, files } = isa_spec::load(path);
        let findings: Vec<String> = diagnostics.iter().map(|d| render_terminal(d, &files, false)).collect();
        isa.unwrap_or_else(|| panic!("{} is refused:\n{}", path.display(), findings.join("\n\n")))
    })
}

/// A shipped spec by its name, which must be good.
///
/// # Panics
/// As [`load`] does.
pub fn shipped_isa(name: &str) -> &'static Isa {
    load(&beside_suites("../specs").join(name).with_extension("yaml"))
}

/// Both codecs of a shipped spec, which a test program makes once.
///
/// # Panics
/// As [`load`] and [`Codec::new`] do.
pub fn shipped_codec(name: &str) -> &'static Codec<'static> {
    static MADE: Once<String, Codec<'static>> = Once(Mutex::new(BTreeMap::new()));
    MADE.get(name.to_owned(), || Codec::new(shipped_isa(name)))
}

/// Values by key, each of which is made once.
struct Once<K, T: 'static>(Mutex<BTreeMap<K, &'static OnceLock<T>>>);

impl<K: Ord, T> Once<K, T> {
    fn get(&self, key: K, make: impl FnOnce() -> T) -> &'static T {
        let place = *self.0.lock().expect("no holder panics").entry(key).or_insert_with(|| Box::leak(Box::default()));
        place.get_or_init(make)
    }
}
