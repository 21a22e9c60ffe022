//! Every member of the model is in its JSON.

use isa_spec::describe::{Describe, Shape};
use serde_json::Value;
use std::path::Path;

/// Members of an instruction set that its JSON has under another name or within others; `None` for what no tool needs.
const OTHERWISE: &[(&str, Option<&str>)] = &[
    ("name", Some("isa")),
    ("span", None),
    ("assembly_places", None),
    ("operand_types", Some("operands")),
    ("choice_types", Some("choices")),
    ("forms", Some("instructions")),
    ("routines", Some("machine")),
    ("files", None),
    ("orders", None),
];

fn is_empty(value: &dyn Describe) -> bool {
    match value.shape() {
        Shape::Absent => true,
        Shape::Flag(is_set) => !is_set,
        Shape::Text(text) => text.is_empty(),
        Shape::List(items) => items.is_empty(),
        _ => false,
    }
}

/// The members that JSON lacks.
fn missing(path: &str, value: &dyn Describe, json: &Value, lacks: &mut Vec<String>, seen: &mut usize) {
    match value.shape() {
        Shape::Record(_, members) => {
            for (name, value) in members.into_iter().filter(|(_, value)| !is_empty(*value)) {
                let key = match (name, value.shape()) {
                    ("span", _) => "at",
                    ("at", Shape::Wide(_)) => "first",
                    ("functions_source", _) => "functions",
                    ("function_texts", _) => continue,
                    ("kind", Shape::Text(kind)) if kind == "written" => continue,
                    ("kind", Shape::Text(_)) => "launch",
                    _ => name,
                };
                // A machine has no place of its own beside those of its parts.
                let path = format!("{path}.{name}");
                match json.get(key) {
                    Some(json) => missing(&path, value, json, lacks, seen),
                    None if path == "machine.span" => {}
                    None => lacks.push(path),
                }
                *seen += 1;
            }
        }
        Shape::List(items) => {
            for (at, item) in items.into_iter().enumerate() {
                match json.get(at) {
                    Some(json) => missing(&format!("{path}.{at}"), item, json, lacks, seen),
                    None if json.is_array() => lacks.push(format!("{path}.{at}")),
                    None => {}
                }
            }
        }
        _ => {}
    }
}

#[test]
fn each_member_is_in_the_json() {
    let seen: usize = ["members", "warp"].into_iter().map(check).sum();
    assert!(seen > 180, "{seen} members");
}

fn check(name: &str) -> usize {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../isa-diff/tests/specs/{name}.yaml"));
    let loaded = isa_spec::load(&path);
    let isa = loaded.isa.unwrap_or_else(|| panic!("{:#?}", loaded.diagnostics));
    let json: Value = serde_json::from_str(&isa_docs::json::model(&isa)).expect("it is JSON");
    let (mut lacks, mut seen) = (Vec::new(), 0);
    let Shape::Record(_, members) = isa.shape() else { panic!("a structure") };
    for (name, value) in members.into_iter().filter(|(_, value)| !is_empty(*value)) {
        let known = OTHERWISE.iter().find(|(member, _)| *member == name).map(|(_, key)| *key);
        let key = known.unwrap_or(Some(name));
        if key.is_some_and(|key| json.get(key).is_none()) {
            lacks.push(name.to_owned());
        }
        if ["machine", "assembly", "object", "holes", "groups", "sources"].contains(&name) {
            missing(name, value, &json[name], &mut lacks, &mut seen);
        }
    }
    assert_eq!(lacks, [""; 0]);
    seen
}
