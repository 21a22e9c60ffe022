//! Crates shared by build scripts and programs are compiled once: they have the same profile in both.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The lines of a section of a manifest.
fn section<'m>(manifest: &'m str, name: &str) -> impl Iterator<Item = &'m str> {
    let header = format!("[{name}]");
    manifest.lines().skip_while(move |line| *line != header).skip(1).take_while(|line| !line.starts_with('['))
}

/// The crates of this workspace in a section of a crate's manifest.
fn members(workspace: &str, krate: &str, of: &str) -> Vec<String> {
    // The crate of the specifications and its folder have different names: the workspace has the path of each.
    let start = format!("{krate} = {{ ");
    let here = section(workspace, "workspace.dependencies").find(|line| line.starts_with(&start));
    let (_, rest) = here.and_then(|line| line.split_once("path = \"")).expect("each crate has a folder");
    let folder = rest.split('"').next().unwrap_or_default();
    let manifest = fs::read_to_string(root().join(folder).join("Cargo.toml")).expect("each crate has a manifest");
    let names = section(&manifest, of).filter_map(|line| line.split(['.', ' ']).next());
    names.filter(|name| name.starts_with("isa-")).map(str::to_owned).collect()
}

#[test]
fn what_the_build_script_needs_has_one_profile() {
    let workspace = fs::read_to_string(root().join("Cargo.toml")).expect("the workspace has a manifest");
    let mut open = members(&workspace, "generated", "build-dependencies");
    let mut shared = BTreeSet::new();
    while let Some(krate) = open.pop() {
        open.extend(members(&workspace, &krate, "dependencies"));
        shared.insert(krate);
    }
    assert!(shared.contains("isa-runtime"), "the front end depends on the engine: {shared:?}");
    for profile in ["dev", "release"] {
        for krate in &shared {
            let name = format!("profile.{profile}.package.{krate}");
            let is_set = section(&workspace, &name).any(|line| line.starts_with("opt-level = "));
            assert!(
                is_set,
                "Cargo.toml: without an `opt-level` in [{name}], {krate} and all that depends on it are compiled twice"
            );
        }
    }
}
