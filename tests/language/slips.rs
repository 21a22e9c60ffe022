//! A slip in one key or name of a spec is one finding, or a few: what only follows from it is not shown.

use harness::{amount, beside_suites, shipped, yaml_files};
use isa_reference::codec::Codec;
use isa_reference::samples::{Random, Samples};
use isa_spec::model::Form;
use std::ops::Range;
use std::path::{Path, PathBuf};

#[test]
fn one_slip_is_few_findings() {
    // All of them take too long.
    let every = amount(61, 483);
    let (mut slips, mut many, mut none) = (0, Vec::new(), 0);
    for path in shipped() {
        let text = std::fs::read_to_string(&path).expect("it is shipped");
        for key in keys(&text).into_iter().step_by(every) {
            let spec = format!("{}{}{}", &text[..key.start], misspelt(&text[key.clone()]), &text[key.end..]);
            let loaded = isa_spec::load_str("slip.yaml", &spec, path.parent());
            slips += 1;
            none += usize::from(loaded.diagnostics.is_empty());
            if loaded.diagnostics.len() > 3 {
                let line = text[..key.start].lines().count();
                many.push(format!("{}:{line}: `{}`: {} findings", path.display(), &text[key], loaded.diagnostics.len()));
            }
        }
    }
    // A name that is only declared and printed (an instruction's) can be anything.
    assert!(slips > amount(40, 5) && none * 2 < slips, "{none} of {slips} slips are not seen");
    assert!(
        many.len() * 25 <= slips + amount(0, 24),
        "{} of {slips} slips give more than three findings:\n{}",
        many.len(),
        many.join("\n")
    );
}

/// The words before a colon, outside of comments and quotes.
fn keys(text: &str) -> Vec<Range<usize>> {
    let mut keys = Vec::new();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let code = line.split('#').next().unwrap_or_default();
        let mut from = 0;
        while let Some(colon) = code[from..].find(": ").or_else(|| code[from..].find(":\n")).map(|at| from + at) {
            let word = code[..colon].rfind(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).map_or(0, |at| at + 1);
            let is_quoted = code[..word].matches('"').count() % 2 == 1 || code[..word].matches('\'').count() % 2 == 1;
            if code[word..].starts_with(|c: char| c.is_ascii_alphabetic()) && word < colon && !is_quoted {
                keys.push(start + word..start + colon);
            }
            from = colon + 1;
        }
        start += line.len();
    }
    keys
}

/// Two letters in the middle change places, or one is added.
fn misspelt(word: &str) -> String {
    let mut letters: Vec<char> = word.chars().collect();
    let middle = letters.len() / 2;
    if letters.len() < 4 || letters[middle] == letters[middle - 1] {
        letters.push('x');
    } else {
        letters.swap(middle, middle - 1);
    }
    letters.into_iter().collect()
}

/// The files whose digits and names are changed, with their texts.
fn changed() -> Vec<(PathBuf, String)> {
    let read = |path: &str| {
        let path = beside_suites(path);
        let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        (path, text.replace("isa: NAME", "isa: acme"))
    };
    let files = ["../isagen/src/commands/new.yaml", "specs/slips/kite.yaml", "../specs/flexgrip.yaml", "../specs/riscv/i.yaml"];
    files.into_iter().chain(["../specs/riscv/c.yaml", "../specs/compact.yaml", "../examples/6502/6502.yaml"]).map(read).collect()
}

/// The specification that a file is read with.
fn whole(path: &Path) -> PathBuf {
    match path.parent().is_some_and(|folder| folder.ends_with("riscv")) {
        true => beside_suites("../specs/rv32imac.yaml"),
        false => path.to_path_buf(),
    }
}

/// The findings of a specification of which one file has another text; with those of `isagen check` alone.
fn findings(path: &Path, text: &str) -> isa_spec::Loaded {
    let whole = whole(path);
    let folder = whole.parent().expect("a file is in a folder");
    let names = [whole.clone(), path.to_path_buf()];
    let others = yaml_files("../specs/riscv").into_iter().filter(|_| whole != *path);
    let errata = whole.with_extension("errata.yaml");
    let mut files: Vec<(String, String)> = Vec::new();
    for file in names.into_iter().chain(others).chain(errata.exists().then_some(errata)) {
        let name = file.strip_prefix(folder).unwrap_or(&file).display().to_string();
        if files.iter().all(|(known, _)| *known != name) {
            let own = if file == path { text.to_owned() } else { std::fs::read_to_string(&file).expect("it is there") };
            files.push((name, own));
        }
    }
    let texts: Vec<(&str, &str)> = files.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    let mut loaded = isa_spec::load_texts(&files[0].0, &texts);
    if let Some(isa) = &loaded.isa {
        loaded.diagnostics.extend(isa_reference::lint::all(isa));
    }
    loaded
}

/// The digits and names of a text, outside of comments and prose.
fn tokens(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut start = 0;
    let mut prose = None;
    for line in text.split_inclusive('\n') {
        let code = line.split(" #").next().unwrap_or_default();
        let indent = line.len() - line.trim_start().len();
        let is_blank = line.trim().is_empty() || line.starts_with('#');
        prose = prose.filter(|outer| is_blank || indent > *outer);
        let is_prose = |key: &str| code.contains(&format!("{key}: "));
        let keys = ["summary", "notes", "doc", "why", "says", "is", "title", "errata", "sources"];
        if prose.is_none() && keys.iter().any(|key| code.trim_start().starts_with(&format!("{key}:"))) {
            prose = Some(indent);
        }
        if prose.is_none() && !is_blank && !keys.iter().any(|key| is_prose(key)) {
            let bytes = code.as_bytes();
            let is_name = |b: u8| b.is_ascii_alphanumeric() || b == b'_';
            let mut at = 0;
            while at < bytes.len() {
                let end = at + bytes[at..].iter().take_while(|b| is_name(**b)).count();
                if bytes[at].is_ascii_alphabetic() && end > at + 1 {
                    found.push(start + at..start + end);
                } else {
                    found.extend((at..end).filter(|i| bytes[*i].is_ascii_digit()).map(|i| start + i..start + i + 1));
                }
                at = end.max(at + 1);
            }
        }
        start += line.len();
    }
    found
}

#[test]
fn one_changed_token_is_one_finding() {
    let mut random = Random::new(1);
    let mut below = move |n: usize| (random.next_u64() >> 16) as usize % n.max(1);
    let files: Vec<_> = changed().into_iter().map(|(path, text)| (tokens(&text), path, text)).collect();
    let (mut counts, mut many) = (Vec::new(), Vec::new());
    for i in 0..amount(300, 30) {
        let (tokens, path, text) = &files[i % files.len()];
        let token = tokens[below(tokens.len())].clone();
        let old = &text[token.clone()];
        let new = match old.parse::<usize>() {
            Ok(digit) => ((digit + 1 + below(9)) % 10).to_string(),
            Err(_) if below(2) == 0 => misspelt(old),
            Err(_) => text[tokens[below(tokens.len())].clone()].to_owned(),
        };
        let spec = format!("{}{new}{}", &text[..token.start], &text[token.end..]);
        let loaded = findings(path, &spec);
        counts.push(loaded.diagnostics.len());
        if loaded.diagnostics.len() > 3 {
            let line = text[..token.start].lines().count();
            let messages: Vec<_> = loaded.diagnostics.iter().take(6).map(|d| format!("  {}: {}", d.code, d.message)).collect();
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            let count = counts[counts.len() - 1];
            many.push(format!("{name}:{line}: `{old}` to `{new}`: {count}\n{}", messages.join("\n")));
        }
    }
    counts.sort_unstable();
    println!("{counts:?}");
    let median = counts[counts.len() / 2];
    assert!(
        median <= 1 && many.len() * 100 <= counts.len(),
        "median {median}, {} of {} have more than 3, which only one in a hundred may have:\n{}",
        many.len(),
        counts.len(),
        many.join("\n")
    );
}

/// A changed digit has a finding, or takes no word of a form for another one.
#[test]
fn one_changed_digit_takes_no_words_in_silence() {
    let mut random = Random::new(2);
    let mut below = move |n: usize| (random.next_u64() >> 16) as usize % n.max(1);
    let mut samples = Random::new(3);
    let files: Vec<_> =
        changed().into_iter().map(|(path, text)| (findings(&path, &text).isa.expect("it is good"), path, text)).collect();
    let good: Vec<Codec<'_>> = files.iter().map(|(isa, ..)| Codec::new(isa)).collect();
    let (mut silent, mut words) = (0, 0);
    for i in 0..amount(700, 35) {
        let (codec, (isa, path, text)) = (&good[i % good.len()], &files[i % files.len()]);
        let digits: Vec<Range<usize>> =
            tokens(text).into_iter().filter(|token| text.as_bytes()[token.start].is_ascii_digit()).collect();
        let token = digits[below(digits.len())].clone();
        let digit = (text[token.clone()].parse::<usize>().expect("a digit") + 1 + below(9)) % 10;
        let loaded = findings(path, &format!("{}{digit}{}", &text[..token.start], &text[token.end..]));
        let Some(changed) = loaded.isa.filter(|_| loaded.diagnostics.is_empty()) else { continue };
        silent += 1;
        // The words of the forms that are not as they were.
        let same = |form: &Form| {
            isa.forms.iter().any(|f| f.name == form.name && (f.length, f.mask, f.value) == (form.length, form.mask, form.value))
        };
        for form in changed.forms.iter().filter(|form| !same(form)) {
            for _ in 0..200 {
                let word = Samples::new(&changed, form).random(&mut samples);
                let before = codec.decode(word, form.length).map(|id| isa.form(id).name.as_str());
                words += 1;
                let line = text[..token.start].lines().count();
                let name = path.file_name().unwrap_or_default().to_string_lossy();
                assert!(
                    !form.words.contains(word) || before.is_err() || before.as_ref().is_ok_and(|before| *before == form.name),
                    "{name}:{line}: with {digit}, {} takes {word:x} of {before:?}",
                    form.name
                );
            }
        }
    }
    println!("{silent} without a finding, {words} words");
    assert!(silent > 0 && words > 0, "no change was accepted");
}
