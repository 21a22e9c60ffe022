//! Every spec in `specs/refused` fails, and says why: `NAME.stderr` is the whole output, and each finding is at a place that the
//! spec itself marks. The specs in `specs/warned` work, and are warned about.
//!
//! `BLESS=1 cargo test -p conformance --test language refused` writes the `.stderr` files; it does not move the marks.

use harness::{Marker, markers, yaml_files};
use isa_spec::diag::{Diagnostic, Severity, render_terminal};
use isa_spec::span::{FileId, SourceMap};
use std::path::Path;

#[test]
fn refused_specs_say_why_and_where() {
    judge_all("specs/refused", |isa, findings| {
        let error = findings.iter().any(|d| d.severity == Severity::Error);
        if isa || !error { Err("it is accepted".to_string()) } else { Ok(()) }
    });
}

/// Files that are not the text of a spec at all.
#[test]
fn files_that_are_no_spec() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("no-spec");
    std::fs::create_dir_all(&folder).expect("the folder for tests can be written to");
    let message = |path: &Path| {
        let loaded = isa_spec::load(path);
        assert!(loaded.isa.is_none());
        loaded.diagnostics.iter().map(|d| format!("{}: {}", d.code, d.message)).collect::<Vec<_>>()
    };
    let file = |name: &str, bytes: &[u8]| {
        let path = folder.join(name);
        std::fs::write(&path, bytes).expect("the folder for tests can be written to");
        message(&path)
    };
    assert_eq!(message(&folder.join("missing.yaml")), ["read: there is no such file"]);
    assert_eq!(message(&folder), ["read: this is a directory, not a specification"]);
    let large = "read: more than 67108864 bytes: the files of a specification have no more together";
    assert_eq!(file("large.yaml", &vec![b'#'; (64 << 20) + 1]), [large]);
    #[cfg(unix)]
    assert_eq!(message(Path::new("/dev/zero")), ["read: this is not a regular file"]);
    assert_eq!(file("binary.yaml", b"isa: \xff\xfe"), ["read: this is not UTF-8: the byte 0xff is not part of a character"]);
    assert_eq!(file("empty.yaml", b""), ["yaml: the specification is empty"]);
    assert_eq!(file("blank.yaml", b" \n\t\n"), ["yaml: the specification is empty"]);
}

#[test]
fn warned_specs_work() {
    judge_all("specs/warned", |isa, findings| {
        let warnings = findings.iter().all(|d| d.severity == Severity::Warning);
        if !isa || !warnings || findings.is_empty() { Err("it does not give warnings alone".to_string()) } else { Ok(()) }
    });
}

type Verdict = fn(isa: bool, findings: &[Diagnostic]) -> Result<(), String>;

fn judge_all(folder: &str, verdict: Verdict) {
    let wrong: Vec<String> = yaml_files(folder)
        .iter()
        .filter_map(|path| {
            let relative = Path::new(folder).join(path.file_name().expect("a file"));
            judge(&relative, folder, verdict).err().map(|e| format!("{}: {e}", relative.display()))
        })
        .collect();
    assert!(wrong.is_empty(), "{} specs:\n\n{}\n", wrong.len(), wrong.join("\n\n"));
}

/// Runs in the folder of this crate, so that the paths in messages are the same everywhere.
fn judge(path: &Path, folder: &str, verdict: Verdict) -> Result<(), String> {
    let mut loaded = isa_spec::load(path);
    // `isagen check` looks for these, and a build does not.
    loaded.diagnostics.extend(loaded.isa.iter().flat_map(isa_reference::lint::all));
    let got: String = loaded.diagnostics.iter().map(|d| render_terminal(d, &loaded.files, false) + "\n\n").collect();
    let got = got.replace(&format!("{folder}/"), "");
    let expected_path = path.with_extension("stderr");
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&expected_path, &got).map_err(|e| e.to_string())?;
    }
    verdict(loaded.isa.is_some(), &loaded.diagnostics)?;
    let text = std::fs::read_to_string(path).map_err(|e| e.to_string())?;
    let (marked, found) = (markers(&text), places(&loaded.diagnostics, &loaded.files));
    if !agree(&marked, &found) {
        return Err(format!("the marks are at\n  {}\nthe findings at\n  {}\n{got}", list(&marked), list(&found)));
    }
    let expected = std::fs::read_to_string(&expected_path).unwrap_or_default();
    if got != expected { Err(format!("it says\n{got}but should say\n{expected}")) } else { Ok(()) }
}

/// The first place of every finding in the file itself; the faults of an included file are in the message alone.
fn places(findings: &[Diagnostic], files: &SourceMap) -> Vec<Marker> {
    let place = |d: &Diagnostic| {
        let span = d.span();
        let file = files.file(span.file);
        let (line, column) = file.line_col(span.start as usize);
        let first_line = file.text[span.range()].lines().next().unwrap_or("");
        Marker { line, column, width: Some(first_line.chars().count()) }
    };
    let mut list: Vec<Marker> = findings.iter().filter(|d| d.span().file == FileId::default()).map(place).collect();
    list.sort();
    list
}

/// The same places; a mark without a width fits any. A finding at the end of a line covers nothing, which a caret can't show.
fn agree(marked: &[Marker], found: &[Marker]) -> bool {
    let fits = |m: &Marker, f: &Marker| {
        (m.line, m.column) == (f.line, f.column) && m.width.is_none_or(|w| f.width == Some(w) || (w, f.width) == (1, Some(0)))
    };
    marked.len() == found.len() && marked.iter().zip(found).all(|(m, f)| fits(m, f))
}

fn list(places: &[Marker]) -> String {
    let show = |m: &Marker| format!("{}:{}{}", m.line, m.column, m.width.map_or(String::new(), |w| format!(" ({w} wide)")));
    places.iter().map(show).collect::<Vec<_>>().join(", ")
}
