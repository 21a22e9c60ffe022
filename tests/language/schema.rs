//! The JSON Schema of specifications, by a validator of the keywords that it has: the specifications that are shipped or accepted are valid,
//! the ones with unknown keys are not, and every table of keys is in it.

use harness::yaml_files;
use isa_spec::keys::Shape;
use isa_spec::span::FileId;
use isa_spec::yaml::{Node, NodeKind};
use serde_json::Value;
use std::path::Path;

fn schema() -> Value {
    serde_json::from_str(&isa_docs::json::schema()).expect("it is JSON")
}

/// Validates a node; the error is the place of the first fault.
fn valid(whole: &Value, schema: &Value, node: &Node) -> Result<(), String> {
    let Some(schema) = schema.as_object() else {
        return if schema.as_bool() == Some(true) { Ok(()) } else { Err("nothing is allowed here".to_owned()) };
    };
    for (keyword, value) in schema {
        match keyword.as_str() {
            "$ref" => {
                let name =
                    value.as_str().and_then(|to| to.strip_prefix("#/definitions/")).expect("a definition").replace("%20", " ");
                valid(whole, &whole["definitions"][&name], node)?;
            }
            "anyOf" => {
                let faults: Vec<_> = value.as_array().expect("a list").iter().map(|one| valid(whole, one, node)).collect();
                if faults.iter().all(Result::is_err) {
                    let deepest = faults.into_iter().filter_map(Result::err).max_by_key(|fault| fault.matches('/').count());
                    return Err(deepest.unwrap_or_default());
                }
            }
            "type" => {
                let types = value.as_array().cloned().unwrap_or_else(|| vec![value.clone()]);
                if !types.iter().any(|of| is_of(node, of.as_str().expect("a name"))) {
                    return Err(format!("is not {value}"));
                }
            }
            "minimum" | "maximum" => {
                let (number, limit) = (integer(node), value.as_u64().expect("a number"));
                if number.is_some_and(|number| if keyword == "minimum" { number < limit } else { number > limit }) {
                    return Err(format!("{keyword} {limit}"));
                }
            }
            "enum" => {
                let words = value.as_array().expect("a list");
                if !words
                    .iter()
                    .any(|word| word.as_str() == text(node) || word.as_u64().is_some_and(|n| integer(node) == Some(n)))
                {
                    return Err(format!("is none of {value}"));
                }
            }
            // The two patterns of the schema: a number, a parameter.
            "pattern" => {
                let text = text(node).unwrap_or_default();
                let digits = text.strip_prefix("0x").or(text.strip_prefix("0b")).unwrap_or(text);
                let is_number = !digits.is_empty() && digits.chars().all(|c| c.is_ascii_hexdigit() || c == '_');
                let takes_numbers = value.as_str().is_some_and(|pattern| pattern.starts_with("^0"));
                if !(text.contains('$') || takes_numbers && is_number) {
                    return Err(format!("`{text}` does not match {value}"));
                }
            }
            "properties" | "additionalProperties" | "items" | "description" | "$schema" | "title" | "definitions" => {}
            other => panic!("the validator lacks `{other}`"),
        }
    }
    match &node.kind {
        NodeKind::Map(entries) => entries.iter().try_for_each(|(key, node)| {
            let own = schema.get("properties").and_then(|all| all.get(&key.value)).or_else(|| schema.get("additionalProperties"));
            own.map_or(Ok(()), |own| valid(whole, own, node)).map_err(|fault| format!("{}/{fault}", key.value))
        }),
        NodeKind::Seq(items) => items.iter().try_for_each(|item| {
            schema.get("items").map_or(Ok(()), |own| valid(whole, own, item)).map_err(|fault| format!("-/{fault}"))
        }),
        _ => Ok(()),
    }
}

fn text(node: &Node) -> Option<&str> {
    if let NodeKind::Scalar { text, .. } = &node.kind { Some(&text.value) } else { None }
}

fn integer(node: &Node) -> Option<u64> {
    let NodeKind::Scalar { text, quoted: false } = &node.kind else { return None };
    match text.value.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16).ok(),
        None => text.value.parse().ok(),
    }
}

fn is_of(node: &Node, name: &str) -> bool {
    match name {
        "object" => matches!(node.kind, NodeKind::Map(_)),
        "array" => matches!(node.kind, NodeKind::Seq(_)),
        "null" => matches!(node.kind, NodeKind::Null),
        "integer" | "number" => integer(node).is_some(),
        "boolean" => matches!(text(node), Some("true" | "false")),
        "string" => matches!(node.kind, NodeKind::Scalar { .. }) && integer(node).is_none(),
        other => panic!("the validator lacks the type {other}"),
    }
}

fn fault_of(schema: &Value, path: &Path) -> Option<String> {
    let text = std::fs::read_to_string(path).expect("the file is there");
    let node = isa_spec::yaml::parse(&text, FileId(0)).expect("it is YAML");
    valid(schema, schema, &node).err()
}

#[test]
fn good_specifications_are_valid() {
    let schema = schema();
    let folders = ["../specs", "../specs/sm80", "../specs/riscv", "../specs/blackwell", "../specs/sm90", "specs/accepted"];
    // Files of errata have a shape of their own.
    let files = folders.into_iter().flat_map(yaml_files).filter(|path| !path.to_string_lossy().ends_with(".errata.yaml"));
    let wrong: Vec<_> = files.filter_map(|path| Some(format!("{}: {}", path.display(), fault_of(&schema, &path)?))).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn unknown_keys_and_values_are_not() {
    let schema = schema();
    for (name, at) in
        [("unknown-key", "instructions/A/fixed/"), ("hole-unknown-key", "holes/"), ("machine-unknown-key", "machine/")]
    {
        let path = Path::new("specs/refused").join(name).with_extension("yaml");
        let fault = fault_of(&schema, &path).unwrap_or_else(|| panic!("{name} is valid"));
        assert!(fault.starts_with(at), "{name}: {fault}");
    }
    for (text, fault) in [
        ("numbers: oct", "numbers/"),
        ("formats: { f: { length: 300 } }", "formats/f/length/"),
        ("registers: { X: { index: five } }", "registers/X/index/"),
        ("formats: { f: { choose: { c: { x: { txt: a } } } } }", "formats/f/choose/c/x/txt/"),
        ("machine: { spaces: { m: { read-only: 2 } } }", "machine/spaces/m/read-only/"),
    ] {
        let node = isa_spec::yaml::parse(text, FileId(0)).expect("it is YAML");
        let found = valid(&schema, &schema, &node).expect_err(text);
        assert!(found.starts_with(fault), "{text}: {found}");
    }
}

/// A table that no key leads to would be missing.
#[test]
fn every_table_is_in_it() {
    let schema = schema();
    let definitions = schema["definitions"].as_object().expect("there are some");
    let mut count = 0;
    for listing in isa_spec::key_listings().iter().skip(1).chain(&isa_spec::machine_key_listings()) {
        let keys: Vec<_> = listing.rows.iter().filter_map(|row| row.key).collect();
        let has_all = |part: &Value| keys.iter().all(|key| part["properties"].get(key).is_some());
        // The keys of formats, operands, alternatives and instructions are one table on the page.
        let is_merged = listing.rows.iter().any(|row| !row.of.is_empty());
        let is_there = is_merged || listing.what == "a file that is included" || definitions.values().any(has_all);
        assert!(is_there, "{}", listing.what);
        count += listing.rows.iter().filter(|row| matches!(row.shape, Shape::Part(_) | Shape::Each(_) | Shape::List(_))).count();
    }
    assert!(count > 20, "{count}");
}

#[test]
fn the_state_of_a_machine_has_descriptions() {
    let text = "isa: t
word: 8
machine:
  pc: 16
  spaces:
    memory: { address: 16, size: 0x1000, program: true, summary: Code and data }
    io: { address: 3, summary: The bus, regions: { keys: { at: 4, device: latch, summary: The keys } } }
  flags: { F: { flags: [z, c], summary: The conditions }, G: [n] }
  state: { DT: { bits: 8, summary: The delay timer }, I: 16 }
instructions: { A: { fix: { 7..0: 1 }, text: a, semantics: \"DT = DT - 1;\" } }
";
    let isa = isa_spec::load_str("t.yaml", text, None).isa.expect("a good spec");
    let json: serde_json::Value = serde_json::from_str(&isa_docs::json::model(&isa)).expect("JSON");
    let expected = serde_json::json!({
        "lanes": 1,
        "pc": 16,
        "spaces": [
            {
                "name": "memory", "address": 16, "unit": 8, "size": "0x1000", "program": true, "owner": "grid",
                "summary": "Code and data", "at": "t.yaml:6",
            },
            {
                "name": "io",
                "address": 3,
                "unit": 8,
                "owner": "grid",
                "regions": [{
                    "name": "keys", "first": "0x4", "device": "latch", "every": "0x1", "summary": "The keys", "at": "t.yaml:7",
                }],
                "summary": "The bus",
                "at": "t.yaml:7",
            },
        ],
        "flags": [
            { "name": "F", "count": 1, "flags": ["z", "c"], "summary": "The conditions", "at": "t.yaml:8" },
            { "name": "G", "count": 1, "flags": ["n"], "at": "t.yaml:8" },
        ],
        "state": [
            { "name": "DT", "width": 8, "summary": "The delay timer", "at": "t.yaml:9" },
            { "name": "I", "width": 16, "at": "t.yaml:9" },
        ],
        "divergence": "stack",
        // The rules of a machine that declares none.
        "floats": { "nan": "made", "made_fraction": "all", "nan_integer": "zero" },
    });
    assert_eq!(json["machine"], expected);
}
