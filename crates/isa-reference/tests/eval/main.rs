//! The arithmetic of semantics, and every place and statement.

mod arithmetic;
mod statements;

use isa_spec::model::Isa;

fn load(text: &str) -> Isa {
    let loaded = isa_spec::load_str("test.yaml", text, None);
    let found: Vec<String> =
        loaded.diagnostics.iter().map(|d| isa_spec::diag::render_terminal(d, &loaded.files, false)).collect();
    loaded.isa.unwrap_or_else(|| panic!("{}", found.join("\n")))
}
