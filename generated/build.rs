//! Compiles every specification of `specs/` into a module of its own.

use isa_spec::diag::{Severity, render_terminal};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::{env, fs};

fn main() -> ExitCode {
    let specs = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets it")).join("specs");
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets it"));
    println!("cargo::rerun-if-changed={}", specs.display());
    let mut modules = String::new();
    let mut engines = String::new();
    let mut good = true;
    for path in spec_files(&specs) {
        match compile(&path, &out) {
            Some((module, engine)) => {
                modules.push_str(&module);
                engines.push_str(&engine);
            }
            None => good = false,
        }
    }
    modules.push_str(&with_engine(&engines));
    fs::write(out.join("all.rs"), modules).expect("OUT_DIR can be written to");
    if good { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// The specifications; files in folders are only included by others.
fn spec_files(specs: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(specs).unwrap_or_else(|e| panic!("{}: {e}", specs.display()));
    let paths = entries.filter_map(|e| Some(e.ok()?.path()));
    let mut files: Vec<PathBuf> = paths.filter(|p| p.is_file() && p.extension().is_some_and(|e| e == "yaml")).collect();
    files.sort();
    files
}

/// The table from names to engines.
fn with_engine(arms: &str) -> String {
    format!(
        "::isa_runtime::if_sim! {{
            /// Has a visitor see the engine of an instruction set; gives the visitor back where there is none of that name.
            pub fn with_engine<V: EngineVisitor>(name: &str, visitor: V) -> Result<V::Output, V> {{
                match name {{
                    {arms}
                    _ => Err(visitor),
                }}
            }}
        }}"
    )
}

/// Writes the module of one specification, says what is wrong with it, and returns the declaration of the module, and the arm
/// that knows its engine, if it has one.
fn compile(path: &Path, out: &Path) -> Option<(String, String)> {
    let loaded = isa_spec::load(path);
    for file in loaded.files.paths() {
        println!("cargo::rerun-if-changed={}", file.display());
    }
    for diagnostic in &loaded.diagnostics {
        let rendered = render_terminal(diagnostic, &loaded.files, false);
        eprintln!("{rendered}\n");
        let kind = if diagnostic.severity == Severity::Error { "error" } else { "warning" };
        println!("cargo::{kind}={}: {}", loaded.files.place(diagnostic.span()), diagnostic.message);
    }
    let isa = loaded.isa?;
    let file = out.join(format!("{}.rs", isa.module_name()));
    let module = isa_codegen::rust::module(&isa).expect("shipped specifications can be compiled");
    fs::write(&file, module).expect("OUT_DIR can be written to");
    let mut module = String::new();
    writeln!(module, "#[path = {:?}]\npub mod {};", file.display().to_string(), isa.module_name())
        .expect("writing to a String does not fail");
    let mut engine = String::new();
    if isa_codegen::rust::is_simulated(&isa) {
        writeln!(engine, "{:?} => Ok(visitor.visit(&{}::sim::Compiled::new())),", isa.name, isa.module_name())
            .expect("writing to a String does not fail");
    }
    Some((module, engine))
}
