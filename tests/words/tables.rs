//! The engine of tables and the reference codec are two implementations of one meaning. On words made from every form of every spec
//! they say the same: [`Codec`] asks both. Here are the words and texts that they are asked.

use harness::{Codec, Random, amount, ask, damaged, load, shipped_codec, shipped_with_modules, yaml_files};
use isa_reference::codec::Statement;
use isa_reference::samples::Samples;
use isa_runtime::engine::image;
use isa_runtime::engine::read::Symbol;
use isa_runtime::why::{ReadError, Wrong};
use isa_spec::model::{Form, Word};
use isa_tables::tables;
use std::path::{Path, PathBuf};

/// The number of words of a spec that are tried, and of texts that are damaged.
struct Effort {
    words: usize,
    damaged: usize,
    /// The step from a form that is tried to the next one.
    every: usize,
}

#[test]
fn small_specs() {
    let specs = ["specs/accepted", "specs/generated", "specs/wide", "specs/programs"].into_iter().flat_map(yaml_files);
    // `texts_of_many_ways` has this one: the two differ there in the texts that they give up.
    let specs = specs.filter(|path| !path.ends_with("generated/ambiguous.yaml"));
    let refused: usize = specs
        .map(|path| examine(&Codec::new(load(&path)), &Effort { words: amount(2_000, 200), damaged: amount(400, 40), every: 1 }))
        .sum();
    assert!(refused > amount(5_000, 500), "hardly a word was refused: {refused}");
}

#[test]
fn shipped_specs() {
    let name = |path: &PathBuf| path.file_stem().expect("a file").to_string_lossy().into_owned();
    let specs: Vec<String> = shipped_with_modules().iter().map(name).collect();
    let variants: Vec<&str> = isa_specs::names().filter(|name| !specs.iter().any(|spec| spec == name)).collect();
    let in_full = Effort { words: amount(12_000, 600), damaged: amount(600, 60), every: amount(1, 6) };
    // Variants have most forms in common with these.
    let in_part = Effort { words: amount(1_200, 300), damaged: 60, every: amount(1, 16) };
    let refused = specs.iter().map(|name| examine(shipped_codec(name), &in_full));
    let refused = refused.chain(variants.iter().step_by(amount(1, 5)).map(|name| examine(shipped_codec(name), &in_part)));
    let refused: usize = refused.sum();
    assert!(refused > amount(5_000, 100), "hardly a word was refused: {refused}");
}

/// The number of further tries for a form without a legal word so far.
const MORE: u32 = 1_000;

/// The results of both for the words of a form.
#[derive(Default)]
struct Seen<'a> {
    legal: usize,
    refused: usize,
    /// Texts that were read, and what from them.
    texts: Vec<(String, Result<Statement, Box<ReadError<'a>>>)>,
}

/// Holds engine and reference codec against each other on words of each form, and on wholly random ones; how many were refused.
fn examine(codec: &Codec<'_>, effort: &Effort) -> usize {
    let isa = codec.isa();
    let forms: Vec<(u64, &Form)> = (1..).zip(&isa.forms).step_by(effort.every).collect();
    let per_form = effort.words.div_ceil(isa.forms.len());
    let damaged = effort.damaged.div_ceil(isa.forms.len());
    let seen = ask(&forms, |(seed, form)| {
        let mut random = Random::new(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let mut seen = Seen::default();
        // Some of the words; the step is odd, so that they are of all kinds.
        let samples = Samples::new(isa, form);
        let mut words = samples.limits(&mut random);
        words.extend((0..64).map(|_| random.word_of(form)));
        let step = (words.len() / per_form) | 1;
        for word in words.into_iter().step_by(step) {
            examine_word(codec, form, word, &mut random, damaged, &mut seen);
        }
        // If rules are strict, try more words.
        for _ in 0..MORE {
            if seen.legal > 0 {
                break;
            }
            let word = random.word_of(form);
            examine_word(codec, form, word, &mut random, damaged, &mut seen);
        }
        seen
    });
    let idle: Vec<&str> = seen.iter().zip(&forms).filter(|(s, _)| s.legal == 0).map(|(_, (_, f))| f.name.as_str()).collect();
    assert!(idle.is_empty(), "{}: no word of these forms is legal: {idle:?}", isa.name);
    let refused: usize = seen.iter().map(|s| s.refused).sum();
    // One reader that reads all texts reads each as a new one does.
    let texts: Vec<&(String, _)> = seen.iter().flat_map(|s| &s.texts).collect();
    let read = codec.engine_reads(&texts.iter().map(|t| t.0.as_str()).collect::<Vec<_>>(), ADDRESS);
    for ((text, alone), after_others) in texts.into_iter().zip(&read) {
        assert_eq!(alone, after_others, "{}: `{text}`", isa.name);
    }
    if isa.is_text() {
        return 0;
    }
    let mut random = Random::new(0x0ddba11);
    let mut none = 0;
    for length in &isa.words.lengths {
        for _ in 0..effort.words / 8 {
            none += usize::from(codec.decode(random.word(length.bits), length.bits).is_err());
        }
        // Words of another length, and beyond their own.
        for form in isa.forms.iter().step_by(isa.forms.len().div_ceil(20)) {
            let word = random.word_of(form);
            let _ = codec.decode(word, length.bits);
            let _ = codec.decode(word, length.bits + 1);
        }
    }
    refused + none
}

/// The address of texts that are read again.
const ADDRESS: u64 = 0x1000;

/// Both say the same of a word and of its texts, and each gives back what it was given.
fn examine_word<'a>(codec: &Codec<'a>, form: &Form, word: Word, random: &mut Random, most: usize, seen: &mut Seen<'a>) {
    let Ok(found) = codec.decode(word, form.length) else {
        seen.refused += 1;
        return;
    };
    seen.legal += usize::from(found == form.id);
    let address = [ADDRESS, 0, 0x7fff_fff0, u64::MAX - 0xff][random.next_u64() as usize % 4];
    let (mut text, mut full) = (String::new(), String::new());
    codec.print(found, word, address, &mut text);
    codec.print_full(found, word, address, &mut full);
    let read = |text: &str, address: u64| {
        codec.parse_statement(text, address, &|text| Symbol::label(text, |name| (name == "label").then_some(0x40)))
    };
    let back = read(&full, address).unwrap_or_else(|e| panic!("`{full}`: {e}"));
    let mut again = String::new();
    if codec.isa().is_text() {
        codec.print_statement(&back, address, &mut again);
    } else {
        assert_eq!((back.form, back.word), (found, word), "`{full}`");
        let short = read(&text, address).unwrap_or_else(|e| panic!("`{text}`: {e}"));
        codec.print(short.form, short.word, address, &mut again);
    }
    assert_eq!(again, text, "{word:#x}");
    for which in 0..codec.isa().form(found).also.len() {
        let mut other = String::new();
        codec.print_also((found, which), word, address, &mut |count| random.next_u64() as usize % count, &mut other);
        let _ = read(&other, address);
    }
    for other in codec.spelt(found, word, address) {
        let read = read(&other, address);
        assert!(read.is_ok(), "{word:#x}, `{text}`, is not read as `{other}`: {read:?}");
    }
    if seen.texts.len() < most {
        for text in [&text, &full] {
            let text = damaged(text, random);
            let read = read(&text, ADDRESS);
            seen.texts.push((text, read));
        }
    }
}

/// A text that can be read in thousands of ways is read in a limited number of steps.
#[test]
fn texts_of_many_ways() {
    let isa = load(&Path::new(env!("CARGO_MANIFEST_DIR")).join("specs/generated/ambiguous.yaml"));
    let codec = Codec::new(isa);
    let read = |text: &str| codec.parse(text, 0, &|_| None).map(|(_, word)| word).map_err(|e| (e.at, e.to_string()));
    assert_eq!(read("A aaaaaaaa"), Ok(Word::from(0xffu32)));
    assert_eq!(read("A aaaaaaaaaaaaaaaa"), Ok(Word::from(0xffffu32)));
    assert_eq!(read("A aaaaaaaab"), Err((10, "expected `a` or the end after `aaaaaaaa`, found `b`".to_owned())));
    assert_eq!(read("A aaaaaaaaaaaaaaaaa"), Err((18, "expected the end after `aaaaaaaaaaaaaaaa`, found `a`".to_owned())));
    // Each group can be missing, or be there and say nothing. The reference codec finds all words at once; the engine gives up.
    let given_up = Box::new(ReadError { at: 0, wrong: Wrong::TooManyWays { form: "A" } });
    assert_eq!(codec.engine_reads(&["A"], 0), [Err(given_up)]);
}

/// The image of a spec.
fn image_of(path: &Path) -> Vec<u8> {
    image::write(&tables(load(path)).expect("it is not too large"), Word::BITS)
}

/// Images have nothing in them of the run, or of the place of the spec.
#[test]
fn images_are_the_same_bytes_again() {
    let elsewhere = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("elsewhere");
    for from in ["../specs", "specs/accepted"] {
        let from = Path::new(env!("CARGO_MANIFEST_DIR")).join(from);
        let to = elsewhere.join(from.file_name().expect("a name"));
        copy(&from, &to);
    }
    let paths = shipped_with_modules().into_iter().chain(yaml_files("specs/accepted"));
    for path in paths.step_by(amount(1, 3)) {
        let first = image_of(&path);
        let folder = path.parent().and_then(Path::file_name).expect("a folder");
        let copied = elsewhere.join(folder).join(path.file_name().expect("a file"));
        assert!(image_of(&path) == first, "{} twice", path.display());
        assert!(image_of(&copied) == first, "{} and {}", path.display(), copied.display());
    }
}

/// Copies a folder of specs.
fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).expect("a folder of the build can be made");
    for entry in std::fs::read_dir(from).expect("a folder of specs") {
        let path = entry.expect("an entry of the folder").path();
        let to = to.join(path.file_name().expect("a name"));
        if path.is_dir() {
            copy(&path, &to);
        } else {
            std::fs::copy(&path, &to).expect("a file of the build can be written");
        }
    }
}
