//! Lists the specs of `specs/accepted`: each becomes a module and a test of `words/properties.rs`.

use std::fmt::Write as _;
use std::path::Path;
use std::{env, fs};

fn main() {
    let folder = Path::new("specs/accepted");
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed={}", folder.display());
    let files = fs::read_dir(folder).expect("the folder of accepted specs").map(|file| file.expect("a file").path());
    let mut specs: Vec<_> = files.filter(|path| path.extension().is_some_and(|end| end == "yaml")).collect();
    specs.sort();
    let (mut modules, mut tests) = (String::new(), String::new());
    for spec in &specs {
        let text = fs::read_to_string(spec).expect("a spec");
        let isa = text.lines().find_map(|line| line.strip_prefix("isa: ")).expect("an accepted spec begins with `isa: `");
        let name = isa.trim().replace('-', "_").to_lowercase();
        let path = spec.display().to_string();
        writeln!(modules, "    isa_macros::define_isa!({path:?});").expect("a String");
        let test = match text.contains("\nword: none") {
            true => format!("agree_text({path:?}, RANDOM, &generated_text!(accepted::{name}))"),
            false => format!("agree({path:?}, PER_FORM, RANDOM, &generated!(accepted::{name}))"),
        };
        writeln!(tests, "#[test]\nfn {name}() {{\n    {test};\n}}").expect("a String");
    }
    let out = Path::new(&env::var_os("OUT_DIR").expect("cargo sets it")).join("accepted.rs");
    let all = format!("/// The specs of `specs/accepted`, compiled.\nmod accepted {{\n{modules}}}\n{tests}");
    fs::write(out, all).expect("OUT_DIR can be written to");
}
