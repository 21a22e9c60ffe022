//! Compiles the specifications of `isa-specs` whose features are on, each into an image and into a module of its own.

use isa_codegen::{Backend, Image, rust};
use isa_spec::diag::{Severity, render_terminal};
use isa_spec::model::Isa;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::{env, fs};

fn main() -> ExitCode {
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets it"));
    // The specifications are compiled into this program.
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=Cargo.toml");
    let mut all = All::default();
    let mut good = true;
    for name in isa_specs::names().filter(|name| has_feature(name)) {
        good &= all.add(name, &out).is_some();
    }
    fs::write(out.join("all.rs"), all.items()).expect("OUT_DIR can be written to");
    if good { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Returns true if an instruction set has a module of its own: one with a feature `NAME-typed` in the manifest has only an image,
/// unless that feature is on.
fn has_module(name: &str) -> bool {
    let feature = format!("{name}-typed");
    !include_str!("Cargo.toml").lines().any(|line| line.starts_with(&format!("{feature} ="))) || has_feature(&feature)
}

fn has_feature(name: &str) -> bool {
    env::var_os(format!("CARGO_FEATURE_{}", name.to_uppercase().replace('-', "_"))).is_some()
}

/// Writes the file that a back end makes of an instruction set; returns its path.
fn write(backend: &dyn Backend, isa: &Isa, out: &Path) -> PathBuf {
    let files = backend.emit(isa).unwrap_or_else(|e| panic!("{} of {}: {}", backend.name(), isa.name, e.message));
    let [file] = files.as_slice() else { panic!("{} makes one file", backend.name()) };
    let path = out.join(&file.name);
    fs::write(&path, &file.contents).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    path
}

/// The items of the crate for its instruction sets, as Rust: the modules, their names, and arms from their names to images and
/// engines.
#[derive(Default)]
struct All {
    modules: String,
    names: Vec<String>,
    images: String,
    engines: String,
}

impl All {
    /// Adds the instruction set of one specification, and shows its findings.
    fn add(&mut self, name: &str, out: &Path) -> Option<()> {
        let loaded = isa_spec::load_texts(&format!("{name}.yaml"), isa_specs::FILES);
        for diagnostic in &loaded.diagnostics {
            let rendered = render_terminal(diagnostic, &loaded.files, false);
            eprintln!("{rendered}\n");
            let kind = if diagnostic.severity == Severity::Error { "error" } else { "warning" };
            println!("cargo::{kind}={}: {}", loaded.files.place(diagnostic.span()), diagnostic.message);
        }
        let isa = loaded.isa?;
        let (name, module) = (&isa.name, isa.module_name());
        let image = write(&Image, &isa, out);
        writeln!(self.images, "{name:?} => Some(include_bytes!({image:?})),").expect("writing to a String does not fail");
        // A simulator is a part of a module.
        if has_module(name) && (has_feature("typed") || (has_feature("sim") && rust::is_simulated(&isa))) {
            let backend: &dyn Backend = if has_feature("typed") { &rust::Rust } else { &rust::Simulator };
            let file = write(backend, &isa, out);
            writeln!(self.modules, "#[path = {file:?}]\npub mod {module};").expect("writing to a String does not fail");
            if rust::is_simulated(&isa) {
                writeln!(self.engines, "{name:?} => Some(isa_sim::prelude::Box::new({module}::sim::Compiled::new())),")
                    .expect("writing to a String does not fail");
            }
        }
        self.names.push(isa.name);
        Some(())
    }

    fn items(&self) -> String {
        let Self { modules, names, images, engines } = self;
        format!(
            "{modules}

            /// The instruction sets that the crate was built with, by name.
            pub const NAMES: &[&str] = &{names:?};

            /// The tables of an instruction set as an image, for `isa_runtime::engine`.
            pub fn image(name: &str) -> Option<&'static [u8]> {{
                match name {{
                    {images}
                    _ => None,
                }}
            }}

            /// The compiled engine of the instruction set of this name.
            #[cfg(feature = \"sim\")]
            pub fn engine(name: &str) -> Option<isa_sim::prelude::Box<dyn isa_sim::AnyEngine>> {{
                match name {{
                    {engines}
                    _ => None,
                }}
            }}"
        )
    }
}
