//! Specifications that are loaded. These tests are not unit tests, for which all of the crate would be compiled once more.

mod errata;
mod files;
mod forms;
mod texts;

use isa_spec::model::Isa;

/// A specification without errors.
fn load(text: &str) -> Isa {
    let loaded = isa_spec::load_str("t.yaml", text, None);
    loaded.isa.unwrap_or_else(|| panic!("{:#?}", loaded.diagnostics))
}
