//! The pages of the site in a real browser: they load without errors, links lead somewhere, nothing comes from a network, hostile names
//! run nothing; the explorer decodes, prints, reads back and edits as the reference codec does, and says why words are refused; the
//! search finds. `site/pages.js` does it; there is nothing to do where there is no Chromium. `THOROUGH=1` tries all pages and 5,000 words of
//! each instruction set, a sample is tried without it.

use harness::{Random, amount, json, load, shipped_with_modules, vectors};
use isa_codegen::Backend;
use isa_docs::pages;
use isa_reference::codec::Codec;
use isa_spec::model::{Form, Isa, Label, Word, ones};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The inputs, as members of a JavaScript object.
#[derive(Default)]
struct Cases {
    pages: Vec<String>,
    listings: Vec<String>,
    edits: Vec<String>,
    refused: Vec<String>,
    streams: Vec<String>,
    searches: Vec<String>,
}

/// A site in a folder of its own.
fn write_site(name: &str, isas: &[Isa]) -> (PathBuf, Vec<(String, String)>) {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    let made = isas.iter().flat_map(|isa| pages::Html.emit(isa).expect("pages can say everything"));
    let mut texts = Vec::new();
    for file in pages::site(isas).into_iter().chain(made) {
        let path = folder.join(&file.name);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder can be made");
        std::fs::write(&path, &file.contents).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        texts.push((file.name, String::from_utf8(file.contents).expect("pages are text")));
    }
    (folder, texts)
}

/// Opens the pages of a site, and tries the cases. Returns the output of the browser; `None` if there is no Chromium.
fn browse(folder: &Path, files: &[(String, String)], cases: &Cases) -> Option<String> {
    let names: Vec<_> = files.iter().map(|(name, _)| json(name)).collect();
    let ids = files.iter().filter(|(name, _)| name.ends_with(".html")).map(|(name, text)| {
        let ids = text.split(" id=\"").skip(1).filter_map(|rest| rest.split('"').next()).map(json);
        format!("[{},[{}]]", json(name), ids.collect::<Vec<_>>().join(","))
    });
    let ids: Vec<_> = ids.collect();
    let mut script = format!("const cases = {{ files: [{}], ids: [{}],\n", names.join(","), ids.join(","));
    let lists = [
        ("pages", &cases.pages),
        ("listings", &cases.listings),
        ("edits", &cases.edits),
        ("refused", &cases.refused),
        ("streams", &cases.streams),
        ("searches", &cases.searches),
    ];
    for (name, list) in lists {
        writeln!(script, "{name}: [{}],", list.join(",\n")).expect("a string takes everything");
    }
    script.push_str("};\n");
    let put = |name: &str, text: &str| std::fs::write(folder.join(name), text).expect("it can be written");
    put("cases.js", &script);
    put("pages.js", include_str!("../site/pages.js"));
    put("check.html", "<!DOCTYPE html><meta charset=utf-8><body><script src=cases.js></script><script src=pages.js></script>");
    let profile = folder.with_extension("profile");
    let out = Command::new("chromium")
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--allow-file-access-from-files", "--enable-logging=stderr"])
        .args(["--window-size=1300,1000", "--virtual-time-budget=600000", "--dump-dom", "--no-first-run"])
        .arg(format!("--user-data-dir={}", profile.display()))
        .arg(format!("file://{}", folder.join("check.html").display()))
        .output();
    let out = match out {
        Ok(out) => out,
        Err(error) => {
            eprintln!("skipped, there is no chromium: {error}");
            return None;
        }
    };
    let _ = std::fs::remove_dir_all(&profile);
    let (dom, log) = (String::from_utf8_lossy(&out.stdout), String::from_utf8_lossy(&out.stderr));
    let result = dom.split("<pre id=\"result\">").nth(1).and_then(|rest| rest.split("</pre>").next());
    let result = result.unwrap_or_else(|| panic!("the pages never ended: {log}")).to_owned();
    // The messages that a page logs, including those about content that its own policy refuses.
    let said: Vec<_> = log.lines().filter(|line| line.contains("CONSOLE")).collect();
    assert!(said.is_empty(), "{}: {result}", said.join("\n"));
    assert!(result.contains("\"count\":0"), "{}", result.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&"));
    eprintln!("{result}");
    Some(result)
}

fn digits(word: Word, bits: u32) -> String {
    format!("{word:0width$x}", width = bits.div_ceil(4) as usize)
}

/// The bytes of a word as a stream has them: its units in their order, each in its own.
fn bytes(isa: &Isa, word: Word, bits: u32) -> String {
    let unit = isa.words.unit;
    let mut units: Vec<Vec<u64>> = (0..bits.div_ceil(unit))
        .map(|at| (0..unit / 8).map(|byte| (word >> (at * unit + byte * 8) & Word::ones(8)).low() as u64).collect())
        .collect();
    if !isa.words.little_endian {
        units.iter_mut().for_each(|unit| unit.reverse());
    }
    if !isa.words.low_first {
        units.reverse();
    }
    units.concat().iter().map(|byte| format!("{byte:02x}")).collect::<Vec<_>>().join(" ")
}

/// Words as a listing: address, word, text, and the text that says all of the word.
fn listing(isa: &Isa, words: &[(Word, u32, u64)]) -> String {
    let codec = Codec::new(isa);
    let line = |(word, bits, address): &(Word, u32, u64)| {
        let form = codec.decode(*word, *bits).unwrap_or_else(|e| panic!("{word:x}: {e}"));
        let (mut text, mut full) = (String::new(), String::new());
        codec.print(form, *word, *address, &mut text);
        codec.print_full(form, *word, *address, &mut full);
        match isa.is_text() {
            true => format!("[\"\",{0},{0},{0}]", json(&text)),
            false => format!("[\"{address:x}\",\"{}\",{},{}]", digits(*word, *bits), json(&text), json(&full)),
        }
    };
    let lines: Vec<_> = words.iter().map(line).collect();
    format!("{{isa:{},text:{},words:[{}]}}", json(&isa.name), isa.is_text(), lines.join(","))
}

/// Words of the forms, each a legal one.
fn words_of(isa: &Isa, count: usize) -> Vec<(Word, u32, u64)> {
    let codec = Codec::new(isa);
    let mut random = Random::new(0x9a9e);
    let forms = isa.forms.iter().cycle().take(20 * count);
    let words = forms.map(|form| (random.word_of(form), form.length));
    words.filter(|(word, bits)| codec.decode(*word, *bits).is_ok()).map(|(word, bits)| (word, bits, 0x1000)).take(count).collect()
}

/// Changes of a word: by a bit, by the text of another word, by a field.
fn edits(isa: &Isa, (word, bits, address): (Word, u32, u64), other: (Word, u32, u64), random: &mut Random, cases: &mut Cases) {
    let codec = Codec::new(isa);
    let Ok(id) = codec.decode(word, bits) else { return };
    let form: &Form = isa.form(id);
    let edit = |how: String, after: Word, after_bits: u32| {
        let prints = codec.decode(after, after_bits).ok().map(|form| {
            let mut text = String::new();
            codec.print(form, after, address, &mut text);
            json(&text)
        });
        let (isa, word, after) = (json(&isa.name), digits(word, bits), digits(after, after_bits));
        let prints = prints.unwrap_or_else(|| "null".to_owned());
        format!("{{isa:{isa},word:\"{word}\",address:\"{address:x}\",{how},after:\"{after}\",prints:{prints}}}")
    };
    let bit = random.next_u64() as u32 % bits;
    cases.edits.push(edit(format!("bit:{bit}"), word ^ Word::bit(bit), bits));
    let mut text = String::new();
    codec.print(codec.decode(other.0, other.1).expect("a legal word"), other.0, address, &mut text);
    let (read, after) = codec.parse(&text, address, &|_| None).unwrap_or_else(|e| panic!("{text}: {e}"));
    cases.edits.push(edit(format!("text:{}", json(&text)), after, isa.form(read).length));
    let at = random.next_u64() as usize % form.fields.len().max(1);
    let Some(field) = form.fields.get(at) else { return };
    let raw = random.wide() & ones(field.bits.width());
    let after = field.bits.set(word, raw);
    let value = field.index(raw);
    // A value that no word can print can't be written either.
    let named = match field.label {
        Label::Enum(id) => isa.enums[id.index()].values.iter().any(|v| v.value == value),
        Label::Register(id) => isa.registers[id.index()].name_of(value).is_some(),
        _ => true,
    };
    if named {
        let text = codec.value_text(id, at, after, address);
        cases.edits.push(edit(
            format!("field:{},value:\"{value}\",raw:\"{raw}\",text:{}", json(&field.path), json(&text)),
            after,
            bits,
        ));
    }
}

fn shipped_cases(isa: &Isa, cases: &mut Cases) {
    let count = amount(5_000, 500);
    let words = match isa.name.as_str() {
        "ampere" => words_of_vectors("ampere-sm80.tsv"),
        "flexgrip" => [words_of_vectors("flexgrip.tsv"), words_of(isa, count)].concat(),
        "fermi" => [words_of_vectors("fermi.tsv"), words_of(isa, count)].concat(),
        _ => words_of(isa, count),
    };
    let words = &words[..words.len().min(if isa.is_text() { 200 } else { count })];
    cases.listings.push(listing(isa, words));
    if isa.is_text() {
        return;
    }
    let mut random = Random::new(0x0ed1_7005);
    let others = words.iter().rev();
    for (word, other) in words.iter().zip(others).step_by(words.len() / amount(12, 2)) {
        edits(isa, *word, *other, &mut random, cases);
    }
    for (word, bits, _) in words.iter().step_by(words.len() / amount(3, 1)) {
        cases.streams.push(format!(
            "{{isa:{},bytes:\"{}\",word:\"{}\"}}",
            json(&isa.name),
            bytes(isa, *word, *bits),
            digits(*word, *bits)
        ));
    }
    let codec = Codec::new(isa);
    let bits = isa.max_bits();
    let bad = (0..).map(|_| random.word(bits)).filter_map(|word| Some((word, codec.decode(word, bits).err()?)));
    cases.refused.extend(bad.take(if isa.name == "compact" { 0 } else { amount(10, 2) }).map(|(word, error)| {
        format!("{{isa:{},word:\"{}\",why:{}}}", json(&isa.name), digits(word, bits), json(&error.to_string()))
    }));
    let insn = &isa.instructions[isa.instructions.len() / 2];
    for page in [format!("{}.html", isa.name), format!("{}/reference.html", isa.name)] {
        cases.searches.push(format!(
            "{{page:{},query:{},name:{},at:\".html\"}}",
            json(&page),
            json(&insn.name),
            json(&insn.name)
        ));
    }
    // A whole word is found by its bits: by more of them than any other form fixes.
    if let Some((form, word)) = unlike_others(isa) {
        let page = json(&format!("{}.html", isa.name));
        let name = json(&isa.instruction(form.instruction).name);
        cases.searches.push(format!("{{page:{page},query:\"0x{}\",name:{name},at:\".html\"}}", digits(word, form.length)));
    }
}

/// A form and its word, of which no other form fixes as many bits.
fn unlike_others(isa: &Isa) -> Option<(&Form, Word)> {
    let forms = isa.forms.iter().skip(isa.forms.len() / 3);
    forms.map(|form| (form, form.default_word())).find(|(form, word)| {
        let has = |other: &&Form| other.length == form.length && ((*word ^ other.value) & other.mask).is_zero();
        let others = isa.forms.iter().filter(|other| other.instruction != form.instruction).filter(has);
        others.map(|other| other.mask.count_ones()).max() < Some(form.mask.count_ones())
    })
}

fn words_of_vectors(file: &str) -> Vec<(Word, u32, u64)> {
    vectors(file).iter().map(|v| (v.word, v.bits, v.address())).collect()
}

#[test]
fn pages_and_explorer_of_the_shipped_instruction_sets() {
    let isas: Vec<Isa> = shipped_with_modules().iter().map(|path| load(path).clone()).collect();
    let (folder, files) = write_site("site", &isas);
    let size: usize = files.iter().map(|(_, text)| text.len()).sum();
    assert!(size <= 25 << 20, "the site has {size} bytes");
    let mut cases = Cases::default();
    for (at, (name, text)) in files.iter().filter(|(name, _)| name.ends_with(".html")).enumerate() {
        assert!(text.len() <= 300_000, "{name} has {} bytes", text.len());
        let is_of_one = name.contains('/') && !["/reference.html", "/errata.html"].iter().any(|end| name.ends_with(end));
        if !is_of_one || at % amount(1, 24) == 0 {
            cases.pages.push(json(name));
        }
    }
    for isa in &isas {
        shipped_cases(isa, &mut cases);
    }
    browse(&folder, &files, &cases);
}

/// Names and prose with markup and scripts.
const HOSTILE: &str = r##"
isa: hostile
summary: "<script>hacked = 1</script><img src=x onerror='hacked = 1'>"
notes: "\"><script>hacked = 1</script> </textarea> `</code><script>hacked = 1</script>`"
word: 8
sources: { doc: { title: "</title><script>hacked = 1</script>", file: "javascript:hacked = 1" } }
enums:
  E: { 0: "<img/src/onerror=hacked=1>", 1: { text: "\"'>", note: "</script><script>hacked = 1</script>" } }
instructions:
  x:
    doc: 1-2
    summary: "'\"><svg onload='hacked = 1'>"
    notes: "javascript:hacked = 1"
    fix: { op: 5 }
    fields: { op: 7..5, e: 4 E, n: 3..0 }
    text: "\\</textarea\\>\\<script\\>hacked = 1\\</script\\>{e} {n}"
    errata: { "<i onclick='hacked = 1'>": { at: 1, kind: wrong, says: "<script>hacked = 1</script>", is: "</p><iframe src='javascript:parent.hacked = 1'>" } }
"##;

/// The tags that pages consist of, with those of drawings.
const TAGS: &str = "!doctype html head meta title link script body a header nav div input kbd ul ol li button main section h1 h2 h3 h4 p \
                    details summary code pre span table thead tbody tr th td svg rect path g text figure figcaption article dl dt dd \
                    noscript strong br meter var";

/// Every tag of a page is one that pages have, none runs anything but the scripts of the site, and no mark changes the direction.
fn looks_harmless(name: &str, text: &str) {
    let hidden = |c: char| matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    assert!(name.starts_with("site/") || !text.contains(hidden), "{name} has marks of direction");
    if !name.ends_with(".html") {
        return;
    }
    for tag in text.split('<').skip(1) {
        let tag = tag.split_once('>').unwrap_or_else(|| panic!("{name}: a tag that does not end: {tag}")).0;
        let word = tag.trim_start_matches('/').split_whitespace().next().unwrap_or_default().to_lowercase();
        assert!(TAGS.split_whitespace().any(|known| known == word), "{name}: <{tag}>");
        // Values are quoted, and do not contain quotes.
        let names = tag.split('"').step_by(2).flat_map(str::split_whitespace);
        assert!(names.clone().all(|name| !name.to_lowercase().starts_with("on")), "{name}: <{tag}>");
        assert!(!tag.contains("=\"javascript:"), "{name}: <{tag}>");
        let is_script = word == "script" && !tag.starts_with('/');
        assert!(!is_script || tag.ends_with("site/page.js\" defer"), "{name}: <{tag}>");
    }
}

#[test]
fn hostile_names_and_prose_run_nothing() {
    let loaded = isa_spec::load_str("hostile.yaml", HOSTILE, None);
    let findings: Vec<_> = loaded.diagnostics.iter().map(|d| d.message.clone()).collect();
    let isas = [loaded.isa.unwrap_or_else(|| panic!("{findings:?}"))];
    for mark in ["\\u202e", "\\u2066", "\\u200f"] {
        let marked = HOSTILE.replacen("<script>", &format!("{mark}<script>"), 1);
        assert!(isa_spec::load_str("hostile.yaml", &marked, None).isa.is_none(), "{mark} changes the order of characters");
    }
    let (folder, files) = write_site("hostile", &isas);
    files.iter().for_each(|(name, text)| looks_harmless(name, text));
    let mut cases = Cases::default();
    cases.pages.extend(files.iter().filter(|(name, _)| name.ends_with(".html")).map(|(name, _)| json(name)));
    cases.listings.push(listing(&isas[0], &words_of(&isas[0], 32)));
    cases.edits.push("{isa:\"hostile\",word:\"a0\",address:\"0\",field:\"n\",value:\"1\",text:\"1\",after:\"a1\",prints:\"</textarea><script>hacked = 1</script><img/src/onerror=hacked=1> 0x1\"}".into());
    cases.searches.push("{page:\"hostile.html\",query:\"x\",name:\"x\",at:\"hostile/x.html\"}".into());
    browse(&folder, &files, &cases);
}
