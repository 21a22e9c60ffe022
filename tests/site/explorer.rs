//! The engine of the explorer (`isa-wasm`, in a script of the site) and the reference codec give the same answers: for all
//! words of small random specs, for words made from every form of the specs of the tests, and for the vectors of the shipped
//! specs. The answers of the reference are written to files, one line a spec; `site/engine.js` compares, in node.

use harness::small::{Extent, Spec};
use harness::{Random, TEXTS, amount, damaged, json, load, shipped_isa, vectors, yaml_files};
use isa_reference::codec::Codec;
use isa_runtime::engine::read::Symbol;
use isa_spec::model::{Form, Isa, Word, ones};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// The address of texts.
const ADDRESS: u64 = 0x1000;

/// One spec and what the reference codec says of words and texts, as a line of JSON.
struct Case<'a> {
    codec: Codec<'a>,
    image: Vec<u8>,
    words: Vec<String>,
    texts: Vec<String>,
}

impl<'a> Case<'a> {
    fn new(isa: &'a Isa) -> Option<Self> {
        let image = isa_tables::image(isa).ok()?;
        Some(Self { codec: Codec::new(isa), image, words: Vec::new(), texts: Vec::new() })
    }

    /// Records the explorer's answer to a word; returns its text, if it has a form.
    fn word(&mut self, word: Word, bits: u32, address: u64) -> Option<String> {
        let (mut text, mut full) = (String::new(), String::new());
        let said = match self.codec.decode(word, bits) {
            Ok(form) => {
                self.codec.print(form, word, address, &mut text);
                self.codec.print_full(form, word, address, &mut full);
                [json(&self.codec.isa().form(form).name), json(&text), json(&full)].join(",")
            }
            Err(error) => format!("null,{}", json(&error.to_string())),
        };
        self.words.push(format!("[\"{word:x}\",{bits},\"{address:x}\",{said}]"));
        (!text.is_empty()).then_some(text)
    }

    /// Records the explorer's answer to a text.
    fn text(&mut self, text: &str) {
        let labels = |text: &str| Symbol::label(text, |name| (name == "label").then_some(0x40));
        let said = match self.codec.parse_statement(text, ADDRESS, &labels) {
            Ok(read) => {
                let mut again = String::new();
                self.codec.print_statement(&read, ADDRESS, &mut again);
                format!("{},\"{:x}\",{}", json(&self.codec.isa().form(read.form).name), read.word, json(&again))
            }
            Err(_) => "null".to_owned(),
        };
        self.texts.push(format!("[{},{said}]", json(text)));
    }

    fn line(&self, name: &str) -> String {
        let mut image = String::new();
        self.image.iter().for_each(|byte| write!(image, "{byte:02x}").expect("a string takes everything"));
        let (words, texts) = (self.words.join(","), self.texts.join(","));
        format!(
            "{{\"name\":{},\"image\":\"{image}\",\"address\":\"{ADDRESS:x}\",\"words\":[{words}],\"texts\":[{texts}]}}\n",
            json(name)
        )
    }
}

/// All words of small random specs, and one in eight of the texts damaged.
fn small() -> String {
    let (mut lines, mut specs) = (String::new(), 0);
    for seed in 1.. {
        let isa = isa_spec::load_str("small.yaml", &Spec::random(seed, Extent::Full).yaml("small"), None).isa;
        let Some(isa) = isa.filter(|isa| isa.words.lengths.iter().all(|l| l.bits <= 10)) else { continue };
        let Some(mut case) = Case::new(&isa) else { continue };
        let mut random = Random::new(seed);
        let mut texts = Vec::new();
        if isa.is_text() {
            texts.extend(isa.forms.iter().flat_map(|form| texts_of(&case.codec, form, 40, &mut random)));
        }
        for length in &isa.words.lengths {
            texts.extend((0..1u32 << length.bits).filter_map(|word| case.word(Word::from(word), length.bits, ADDRESS)));
        }
        for (at, text) in texts.iter().enumerate() {
            case.text(text);
            if at % 8 == 0 {
                case.text(&damaged(text, &mut random));
            }
        }
        lines.push_str(&case.line(&format!("seed {seed}")));
        specs += 1;
        if specs == amount(500, 50) {
            break;
        }
    }
    lines
}

/// Texts of random words of a form, in a text-only instruction set.
fn texts_of(codec: &Codec<'_>, form: &Form, count: u32, random: &mut Random) -> Vec<String> {
    let print = |word: Word| {
        codec.decode(word, form.length).is_ok().then(|| {
            let mut text = String::new();
            codec.print(form.id, word, 0, &mut text);
            text
        })
    };
    (0..count).filter_map(|_| print(random.word_of(form))).collect()
}

/// Words of forms with their fields at their limits, texts that are only read, and damaged ones.
pub(crate) fn made(path: &Path) -> Option<String> {
    let isa = load(path);
    let mut case = Case::new(isa)?;
    let mut random = Random::new(0x0005_17e5);
    // Only some forms of a large instruction set are tried: its vectors are tried as well.
    let step = isa.forms.len().div_ceil(amount(120, 8));
    for form in isa.forms.iter().step_by(step.max(1)) {
        let mut words = vec![form.default_word()];
        for field in &form.fields {
            let most = ones(field.bits.width());
            let base = random.word_of(form);
            words.extend([0, 1, most >> 1, most].map(|value| field.bits.set(base, value)));
        }
        words.extend((0..8).map(|_| random.word_of(form)));
        for word in words {
            let address = [ADDRESS, 0, 0x7fff_fff0, u64::MAX - 0xff][random.next_u64() as usize % 4];
            let text = match isa.is_text() {
                true => texts_of(&case.codec, form, 4, &mut random).pop(),
                false => case.word(word, form.length, address),
            };
            let Some(text) = text else { continue };
            case.text(&text);
            case.text(&damaged(&text, &mut random));
            let flipped = word ^ Word::bit(random.next_u64() as u32 % form.length);
            if !isa.is_text() {
                case.word(flipped, form.length, address);
            }
            for which in 0..form.also.len() {
                let mut other = String::new();
                case.codec.print_also((form.id, which), word, ADDRESS, &mut |n| random.next_u64() as usize % n, &mut other);
                case.text(&other);
            }
        }
    }
    Some(case.line(&path.display().to_string()))
}

fn specs_of_tests() -> String {
    let folders = ["specs/accepted", "specs/generated", "specs/wide"];
    // A text of `ambiguous` can be read in more ways than an engine tries.
    let paths = folders
        .into_iter()
        .flat_map(yaml_files)
        .chain(harness::shipped_with_modules())
        .filter(|path| !path.ends_with("generated/ambiguous.yaml"));
    paths.step_by(amount(1, 3)).filter_map(|path| made(&path)).collect()
}

/// The words of the vectors, with what other tools print.
fn shipped() -> String {
    let mut lines = String::new();
    for (name, file, _) in TEXTS.into_iter().step_by(amount(1, 3)) {
        let isa = shipped_isa(name);
        let mut case = Case::new(isa).expect("shipped specs have images");
        for vector in vectors(file).iter().step_by(amount(1, 40)) {
            let text = case.word(vector.word, vector.bits, vector.address());
            assert_eq!(text.as_deref(), Some(vector.text()), "{file}");
        }
        lines.push_str(&case.line(file));
    }
    lines
}

/// The script of the site that has the engine, as a file.
pub(crate) fn engine() -> &'static Path {
    static FILE: OnceLock<PathBuf> = OnceLock::new();
    FILE.get_or_init(|| {
        let file = isa_docs::pages::site([]).into_iter().find(|file| file.name == "site/engine.js").expect("the engine");
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("engine.js");
        std::fs::write(&path, file.contents).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        path
    })
}

/// Runs a script of `site/` in node on a file; nothing where there is no node.
fn node(script: &str, name: &str, lines: &str) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let cases = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&cases, lines).unwrap_or_else(|e| panic!("{}: {e}", cases.display()));
    match Command::new("node").arg(folder.join("site").join(script)).args([engine(), &cases]).output() {
        Err(error) => eprintln!("skipped, there is no node: {error}"),
        Ok(out) => {
            let said = String::from_utf8_lossy(&out.stdout).into_owned() + &String::from_utf8_lossy(&out.stderr);
            assert!(out.status.success(), "{said}");
            eprint!("{said}");
        }
    }
}

#[test]
fn all_words_of_small_specs() {
    node("engine.js", "explorer-small.jsonl", &small());
}

#[test]
fn words_and_texts_of_every_form() {
    node("engine.js", "explorer-made.jsonl", &specs_of_tests());
}

#[test]
fn words_of_the_vectors() {
    node("engine.js", "explorer-vectors.jsonl", &shipped());
}

/// The example of docs/javascript.md, with its own files.
#[test]
fn example_in_javascript() {
    let page = include_str!("../../docs/javascript.md");
    let script = page.split("```js\n").nth(1).and_then(|rest| rest.split("```").next()).expect("an example");
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("javascript");
    std::fs::create_dir_all(folder.join("site")).expect("a folder");
    let put = |name: &str, bytes: &[u8]| std::fs::write(folder.join(name), bytes).expect("it can be written");
    put("rv64gc.isat", &isa_tables::image(shipped_isa("rv64gc")).expect("an image"));
    put("site/engine.js", &std::fs::read(engine()).expect("the engine"));
    put("example.js", script.as_bytes());
    match Command::new("node").arg("example.js").current_dir(&folder).output() {
        Err(error) => eprintln!("skipped, there is no node: {error}"),
        Ok(out) => {
            let (said, wrong) = (String::from_utf8_lossy(&out.stdout), String::from_utf8_lossy(&out.stderr));
            let shown = "add add a0,a1,a2\na word that begins like this has 16 bits, not 32\n505 16\n0n 49425n";
            assert!(said.starts_with(shown), "{said}{wrong}");
        }
    }
}

/// Programs without directives: comments, statements, labels, numbers and expressions in the syntax of each instruction set.
const PROGRAMS: [(&str, &str); 3] = [
    (
        "../specs/rv64gc.yaml",
        "start: addi a0,zero,0b101 # a comment; and more\n1: addi a0,a0,-'a'; bnez a0,1b /* of\n several lines */ ; beqz a0,2f\nsize = 1 << 4\n\
         lui a1,%hi(0x12800)\nlw a2,4*(2+size)(sp)\naddi a3,a3,%lo(2f - start)\n2: j start\n.Lfar: beq a4,a5,.Lfar + 8\n\
         0x100: bne a0,a1,end\nli a0,0x7ff&~0xf\nc: nop\nj c\nend: jal ra,. + 4\nlui a0,017\n\
         addi a0,a0,%lo(start + 4)\naddi a0,a0,%lo(3 - (c - c))\naddi a0,a0,%lo(first) + 0\nfirst = start + 8\nlui a2,%hi(first + 4096)\nlui a2,%hi(0x1000)\nlw a5,%lo(start + 4)(a0)",
    ),
    (
        "../examples/6502/6502.yaml",
        "loop: lda #$1f ; hexadecimal\n lda #%101\n ldx #<table\n ldy #>table\n_again: dex\n bne _again\n jmp (vector)\nnext: lda (zp),y\n\
         _again: beq _again\nzp = 8 + 1\n sta zp,x\n lda #'a'\n bne *+2\n jmp loop\n0x40: table: nop\nvector: rts",
    ),
    ("programs/asm/own/own.yaml", "a: lda #$1 ? sta $200,x ; two\n.x: bne .x\nb: bra .x\n.x: jmp a.x + %10\n lda $"),
];

#[test]
fn programs_in_the_syntax_that_is_declared() {
    let mut lines = String::new();
    for (path, program) in PROGRAMS {
        let isa = load(&Path::new(env!("CARGO_MANIFEST_DIR")).join(path));
        let image = isa_tables::image(isa).expect("an image");
        let codec = isa_engine::open(&image, isa_engine::Style::default()).expect("an image of this version");
        let units = codec.shape().units;
        let mut assembler =
            isa_asm::Assembler::new(codec, "program.s", isa_asm::Options::default()).expect("the syntax is sound");
        for (number, line) in program.lines().enumerate() {
            assembler.line(number + 1, line).expect("it is small");
        }
        let assembled = assembler.finish();
        assert!(!assembled.has_failed(), "{:#?}", assembled.faults);
        let words = assembled.pieces().map(|piece| json(&format!("{:x}: {:x}", piece.address, units.read(piece.bytes))));
        let words: Vec<String> = words.collect();
        let image: String = image.iter().map(|byte| format!("{byte:02x}")).collect();
        let (name, program, words) = (json(&isa.name), json(program), words.join(","));
        writeln!(lines, "{{\"name\":{name},\"image\":\"{image}\",\"program\":{program},\"expected\":[{words}]}}")
            .expect("a string");
    }
    node("programs.js", "explorer-programs.jsonl", &lines);
}
