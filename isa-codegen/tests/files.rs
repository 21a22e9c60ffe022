//! Simulators as a build script writes them: formatted, each function with its semantics and its line of the specification.

use isa_codegen::rust::module;

#[test]
fn functions_are_formatted_and_documented() {
    for name in ["rv64gc", "ampere"] {
        let isa = isa_spec::load_texts(&format!("{name}.yaml"), isa_specs::FILES).isa.expect("a good specification");
        let text = module(&isa).expect("it is small");
        let (_, simulator) = text.split_once("pub mod sim {").expect("a simulator");
        let lines: Vec<&str> = simulator.lines().collect();
        assert!(!simulator.contains("#[doc"), "{name}: documentation is in comments");
        let is_code = |line: &&&str| !line.trim_start().starts_with("///");
        let longest = lines.iter().filter(is_code).max_by_key(|line| line.len());
        assert!(longest.is_some_and(|line| line.len() < 160), "{name}: {longest:?}");
        let bodies = lines.windows(2).filter(|pair| pair[1].trim_start().starts_with("pub(super) fn body_"));
        let (with, without): (Vec<_>, Vec<_>) = bodies.partition(|pair| pair[0].trim_start().starts_with("/// Specified at `"));
        assert!(with.len() > 5 && without.is_empty(), "{name}: {without:?}");
    }
}
