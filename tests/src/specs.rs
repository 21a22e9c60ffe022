use isa_spec::Loaded;
use isa_spec::certificate::Certificate;
use isa_spec::diag::render_terminal;
use isa_spec::model::Isa;
use std::path::{Path, PathBuf};

/// The specs in a folder of this crate (`specs/accepted`) or of the workspace (`../specs`), by name.
pub fn yaml_files(folder: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let entries = std::fs::read_dir(&folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    let mut list: Vec<PathBuf> = entries
        .map(|e| e.expect("an entry of the folder").path())
        .filter(|p| p.extension().is_some_and(|e| e == "yaml"))
        .collect();
    list.sort();
    list
}

/// The specs that isagen ships: the files of `specs/` that name an instruction set (the others are fragments).
pub fn shipped() -> Vec<PathBuf> {
    let whole = |p: &PathBuf| std::fs::read_to_string(p).is_ok_and(|t| t.lines().any(|l| l.starts_with("isa:")));
    yaml_files("../specs").into_iter().filter(whole).collect()
}

/// A spec that must be good.
///
/// # Panics
/// When it is not, with all findings.
pub fn load(path: &Path) -> Isa {
    let Loaded { isa, diagnostics, files } = isa_spec::load(path);
    let findings: Vec<String> = diagnostics.iter().map(|d| render_terminal(d, &files, false)).collect();
    isa.unwrap_or_else(|| panic!("{} is refused:\n{}", path.display(), findings.join("\n\n")))
}

/// The certificate of a spec.
///
/// # Panics
/// When its conditions are too entangled for one.
pub fn certificate(isa: &Isa) -> Certificate {
    Certificate::new(isa).unwrap_or_else(|e| panic!("{}: {e}", isa.name))
}
