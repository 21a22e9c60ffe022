//! The workflows of the public host run the stages of `.ci/run`, and nothing else.

use std::collections::BTreeSet;
use std::path::Path;

#[test]
fn workflows_run_stages() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the workspace");
    let script = std::fs::read_to_string(root.join(".ci/run")).expect("the script");
    let stages = script.lines().find_map(|line| line.strip_prefix("stages=\"")?.strip_suffix('"')).expect("the list of stages");
    let stages: BTreeSet<&str> = stages.split(' ').collect();
    for stage in &stages {
        assert!(script.contains(&format!("\n{stage}() {{")), "the stage `{stage}` is no function");
    }
    let (mut ran, mut runs) = (BTreeSet::new(), 0);
    for entry in std::fs::read_dir(root.join(".github/workflows")).expect("the workflows") {
        let path = entry.expect("a file").path();
        let text = std::fs::read_to_string(&path).expect("a workflow");
        assert!(!text.contains("run: |") && !text.contains("run: >"), "{}: a script of several lines", path.display());
        let matrix =
            text.split_once("matrix: { language: [").and_then(|(_, rest)| rest.split_once(']')).map_or("", |(list, _)| list);
        for line in text.lines().filter_map(|line| line.trim().trim_start_matches("- ").strip_prefix("run: ")) {
            runs += 1;
            let given = line.strip_prefix("bash .ci/run").unwrap_or_else(|| panic!("{}: {line}", path.display()));
            let given = given.replace("${{ matrix.language }}", &matrix.replace(',', " "));
            for stage in given.split_whitespace() {
                assert!(stages.contains(stage), "{}: there is no stage `{stage}`", path.display());
                ran.insert(stage.to_owned());
            }
        }
    }
    assert!(runs >= 8, "{runs} steps run something");
    // The stage of licences is an action there, with the database of known faults.
    let missing: Vec<_> = stages.iter().filter(|stage| !ran.contains(**stage) && **stage != "licences").collect();
    assert!(missing.is_empty(), "no workflow for pull requests runs {missing:?}");
}
