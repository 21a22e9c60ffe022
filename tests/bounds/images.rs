//! For any image there is an answer, in bounded time and memory, and never a panic. Images are damaged, and their checksums
//! corrected; those that still load decode, print, read and refuse.

use harness::bounded::{each_input, in_batches};
use harness::{Random, amount, load, shipped_with_modules};
use isa_reference::codec::Codec;
use isa_runtime::engine::print::Out;
use isa_runtime::engine::read::{Reader, Symbol};
use isa_runtime::engine::{Bits, Tables, image};
use isa_runtime::machine::MachineInfo;
use isa_spec::model::Word;
use std::path::Path;

/// The folder in which children note their inputs.
const NOTES: &str = env!("CARGO_TARGET_TMPDIR");

/// More than a test run has time for: `IMAGES=100000 cargo test --release -p conformance --test bounds images`.
fn rounds(usual: u64) -> u64 {
    std::env::var("IMAGES").ok().and_then(|n| n.parse().ok()).unwrap_or(amount(usual, usual / 8))
}

/// An image, and words and texts of its instruction set.
struct Sample {
    image: Vec<u8>,
    words: Vec<(Word, u32)>,
    texts: Vec<String>,
}

impl Sample {
    fn new(path: &Path) -> Self {
        let isa = load(path);
        let codec = Codec::new(isa);
        let mut random = Random::new(0xda_ba_6e);
        let (mut words, mut texts) = (Vec::new(), Vec::new());
        for form in isa.forms.iter().step_by(isa.forms.len().div_ceil(3)) {
            let tries = (0..200).map(|_| random.word_of(form));
            let Some(word) = tries.into_iter().find(|word| codec.decode(*word, form.length) == Ok(form.id)) else { continue };
            let mut full = String::new();
            codec.print_full(form.id, word, 0x1000, &mut full);
            words.extend([(word, form.length), (random.word(form.length), form.length)]);
            texts.push(full);
        }
        // Neither a mnemonic nor anything else that is known.
        texts.push("none of these, 0x1".to_owned());
        let image = isa_tables::image(isa).expect("it is not too large");
        Self { image, words, texts }
    }

    /// Reads an image that is almost this one, and uses it; whether it is an image.
    fn is_answered(&self, bytes: &[u8]) -> bool {
        match image::word_bytes(bytes) {
            Ok(4) => self.uses(image::read::<u32>(bytes)),
            Ok(8) => self.uses(image::read::<u64>(bytes)),
            Ok(16) => self.uses(image::read::<u128>(bytes)),
            Ok(32) => self.uses(image::read::<Word>(bytes)),
            Ok(_) => false,
            Err(error) => {
                assert!(!error.to_string().is_empty());
                false
            }
        }
    }

    fn uses<W: Bits>(&self, tables: Result<Tables<'_, W>, image::BadImage>) -> bool {
        let tables = match tables {
            Ok(tables) => tables,
            Err(error) => {
                assert!(!error.to_string().is_empty());
                return false;
            }
        };
        is_bounded(&MachineInfo::of(&tables));
        let mut reader = Reader::new(tables);
        for (word, bits) in &self.words {
            let word = W::from_wide(*word);
            let form = tables.length(*bits).and_then(|length| tables.decode(word, &length));
            assert!(!tables.refusal(word, *bits).to_string().is_empty());
            // Any form can be asked to print any word.
            for form in form.into_iter().chain([0, (word.limb(0) % 64) as u16]) {
                let mut bytes = vec![0; tables.room()];
                let mut out = Out::new(&mut bytes);
                tables.print(tables.texts(form).text, word, 0x1000, &["a"], &mut out);
                assert!(out.len() <= tables.room());
                let mut full = String::new();
                reader.print_full(form, word, 0x1000, &mut full);
            }
        }
        for text in &self.texts {
            match reader.read(text, 0x1000, &|rest| Symbol::label(rest, |_| Some(0))) {
                Ok(read) => assert!(tables.form(read.form).is_some()),
                Err(error) => assert!(!error.to_string().is_empty() && text.is_char_boundary(error.at)),
            }
        }
        true
    }
}

/// A simulator relies on the limits of specifications, whatever the image is.
fn is_bounded(machine: &MachineInfo) {
    assert!((1..=64).contains(&machine.lanes) && (1..=64).contains(&machine.pc) && (1..=32).contains(&machine.units.bytes()));
    assert!(machine.flags.iter().all(|f| (1..=64).contains(&f.flags.len())));
    assert!(machine.launch_values.iter().map(|v| v.width).chain(machine.values.iter().map(|v| v.1)).all(|width| width <= 128));
    assert!(machine.spaces.iter().all(|s| (1..=64).contains(&s.address) && s.banks.is_none_or(|banks| banks <= 1 << 16)));
    if let Some(params) = &machine.params {
        assert!(params.bank < machine.spaces[params.space].banks.unwrap_or(1));
    }
    let listed = machine.flags.iter().flat_map(|f| &f.flags).chain(machine.variants.iter().flat_map(|v| &v.values));
    let names = machine.registers.iter().map(|r| &r.name).chain(machine.launch_values.iter().map(|v| &v.name)).chain(listed);
    assert!(names.map(String::len).sum::<usize>() <= 1 << 20);
}

fn spec(name: &str) -> Sample {
    Sample::new(&Path::new(env!("CARGO_MANIFEST_DIR")).join("specs/accepted").join(name).with_extension("yaml"))
}

/// A small image, with a bit of everything.
fn small() -> Sample {
    spec("letters")
}

/// Other values of a byte.
fn changes(byte: u8, bit: u64) -> [u8; 4] {
    [byte ^ 1 << (bit % 8), 0, 0xff, byte.wrapping_add(1)]
}

#[test]
fn each_byte_changed() {
    let inputs = small().image.len() as u64;
    let good = in_batches("images::change_each_byte", NOTES, inputs, 1_000);
    assert!(good > inputs / 4, "of {inputs} bytes, only {good} can be changed in an image that still loads");
}

#[test]
#[ignore = "`each_byte_changed` runs it, with limits"]
fn change_each_byte() {
    let sample = small();
    each_input(|at, noted| {
        noted("a byte");
        let mut good = false;
        for byte in changes(sample.image[at as usize], at) {
            let mut image = sample.image.clone();
            image[at as usize] = byte;
            // With the wrong checksum it is not an image.
            assert!(image == sample.image || !sample.is_answered(&image), "byte {at} is {byte:#x}");
            image::seal(&mut image);
            good |= sample.is_answered(&image);
        }
        good
    });
}

/// The tables of the machine are the last ones of an image.
#[test]
fn each_byte_of_the_machine_changed() {
    const BYTES: usize = 500;
    let sample = Sample::new(&Path::new(env!("CARGO_MANIFEST_DIR")).join("specs/programs/constructs.yaml"));
    let length = sample.image.len();
    let mut good = 0;
    for at in length - BYTES..length {
        for byte in changes(sample.image[at], at as u64) {
            let mut image = sample.image.clone();
            image[at] = byte;
            image::seal(&mut image);
            good += usize::from(sample.is_answered(&image));
        }
    }
    assert!((BYTES..3 * BYTES).contains(&good), "of {} damaged machines, {good} still load", 4 * BYTES);
}

#[test]
fn random_changes() {
    let rounds = rounds(5_000);
    let good = in_batches("images::change_at_random", NOTES, rounds, 500);
    assert!(good > rounds / 20, "of {rounds} damaged images, only {good} still load");
}

#[test]
#[ignore = "`random_changes` runs it, with limits"]
fn change_at_random() {
    let samples: Vec<Sample> = shipped_with_modules().iter().map(|path| Sample::new(path)).collect();
    each_input(|input, noted| {
        let mut random = Random::new((input + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let sample = &samples[input as usize % samples.len()];
        let mut image = sample.image.clone();
        let mut note = String::new();
        for _ in 0..1 + random.next_u64() % 3 {
            let at = random.next_u64() as usize % image.len();
            // A byte, or a number of four bytes that comes from elsewhere.
            if random.next_u64().is_multiple_of(2) {
                image[at] = changes(image[at], random.next_u64())[random.next_u64() as usize % 4];
            } else {
                let from = random.next_u64() as usize % image.len();
                let count = 4.min(image.len() - at.max(from));
                image.copy_within(from..from + count, at);
            }
            note.push_str(&format!("{at} "));
        }
        noted(&format!("image {}: {note}", input as usize % samples.len()));
        image::seal(&mut image);
        sample.is_answered(&image)
    });
}

/// A part of an image is not an image; nor is an image followed by something.
#[test]
fn images_of_another_length() {
    let cut = |sample: &Sample, length: usize| {
        let mut image = sample.image[..length].to_vec();
        assert!(!sample.is_answered(&image), "{length} bytes");
        image::seal(&mut image);
        assert!(!sample.is_answered(&image), "{length} bytes, with their checksum");
    };
    let sample = small();
    (0..sample.image.len()).for_each(|length| cut(&sample, length));
    let mut longer = sample.image.clone();
    longer.push(0);
    image::seal(&mut longer);
    assert!(!sample.is_answered(&longer), "a byte after the last table");
    let mut random = Random::new(0xc0de);
    for sample in shipped_with_modules().iter().map(|path| Sample::new(path)) {
        for _ in 0..100 {
            cut(&sample, random.next_u64() as usize % sample.image.len());
        }
    }
}
