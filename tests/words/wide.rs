//! Words of more than 128 bits: specs of `specs/wide`, with values worked out by hand, and words and texts held against each other,
//! and generated modules beside them.

use harness::{Codec, Random, agree, generated, load, yaml_files};
use isa_reference::certificate::Certificate;
use isa_spec::model::{Isa, Word};
use std::path::Path;

fn spec(name: &str) -> &'static Isa {
    load(&Path::new(env!("CARGO_MANIFEST_DIR")).join("specs/wide").join(name).with_extension("yaml"))
}

/// The word of these digits, and its bits: four for each digit.
fn word(digits: &str) -> (Word, u32) {
    let digits: String = digits.chars().filter(|c| *c != ' ').collect();
    (Word::from_str_radix(&digits, 16).expect("hexadecimal digits"), digits.len() as u32 * 4)
}

/// The output of `--full` for each word, which gives the word back; or the reason why it is refused.
fn words_are(isa: &Isa, expected: &[(&str, Result<&str, &str>)]) {
    let codec = Codec::new(isa);
    for (digits, expected) in expected {
        let (word, bits) = word(digits);
        let mut full = String::new();
        let seen = codec.decode(word, bits).map(|form| codec.print_full(form, word, 0, &mut full)).map_err(|why| why.to_string());
        assert_eq!(seen.as_ref().map(|()| full.as_str()).map_err(String::as_str), *expected, "{digits}");
        if expected.is_ok() {
            assert_eq!(codec.parse(&full, 0, &|_| None).map(|r| r.1), Ok(word), "`{full}`");
        }
    }
}

/// A text, and the digits of its word; or what is wrong with it, and where.
type Text<'a> = (&'a str, Result<&'a str, (usize, &'a str)>);

/// The words of texts; or what is wrong with them, and where.
fn texts_are(isa: &Isa, expected: &[Text<'_>]) {
    let codec = Codec::new(isa);
    for (text, expected) in expected {
        let read = codec.parse(text, 0, &|_| None).map(|r| r.1).map_err(|e| (e.at, e.to_string()));
        let read = read.as_ref().map_err(|(at, message)| (*at, message.as_str()));
        assert_eq!(read.copied(), expected.map(|digits| word(digits).0), "`{text}`");
    }
}

/// Words of each length that belong to a form, and that don't; each form's own.
fn counts(isa: &Isa) -> String {
    let mut text = String::new();
    for length in Certificate::new(isa).lengths {
        assert!(length.is_exact(), "{} bits: {} + {} are not {}", length.bits, length.allocated, length.holes, length.total);
        text.push_str(&format!("{}: {} and {}", length.bits, length.allocated, length.holes));
        for (form, count) in &length.forms {
            text.push_str(&format!(", {} {count}", isa.form(*form).name));
        }
        text.push('\n');
    }
    text
}

#[test]
fn two_lengths_with_fields_across_bit_128() {
    let isa = spec("bundle");
    // movi: 8 + 64 + 3 bits, 4 sizes, 42 bits that are kept. ld has 2^183 words, less those of a bank that is ldx; ldx 2^144.
    let expected = "64: 0x10000 and 0x7fffffffffff0000, mov 0x10000\n\
                    192: 0x7fc0000001000000800000000000000000000000000000 and 0x7f803ffffffeffffff800000000000000000000000000000, \
                    movi 0x800000000000000000000000000000, ld 0x7fc0000000000000000000000000000000000000000000, \
                    ldx 0x1000000000000000000000000000000000000\n";
    assert_eq!(counts(isa), expected);
    words_are(
        isa,
        &[
            ("0112 3400 0000 0000", Ok("mov r18, r52")),
            ("0112 3400 0000 0002", Err("mov: reserved bit 1 is set")),
            ("ff00 0000 0000 0002", Err("trap is not described here: stops the machine")),
            ("0212 ac00 0123 4567 89ab cdef 0000 0000 0000 0000 0000 0001", Ok("movi.x r18, 0x123456789abcdef, p0x3")),
            (
                "0212 ac00 0123 4567 89ab cdef dead beef 0000 0000 0000 0001",
                Ok("movi.x r18, 0x123456789abcdef, p0x3 {95..64=0xdeadbeef}"),
            ),
            (
                "0212 8c00 0123 4567 89ab cdef 0000 0000 0000 0000 0000 0001",
                Err("movi: `size` 175..173 is 0x4: `Size` has no such value"),
            ),
            ("0212 ac00 0123 4567 89ab cdef 0000 0000 0000 0200 0000 0001", Err("movi: reserved bit 41 is set")),
            ("0309 ff00 0000 007f f000 0000 0000 00c0 0000 0000 0000 0001", Ok("ld r9, [rz+-0x1000], c0x7")),
            (
                "0309 ff01 0000 007f f000 0000 0000 01c0 0000 0000 0000 0247",
                Ok("ld r9, [rz+-0x1000], c0x7 {167..141=0x80000, 123..72=0x1, 59..1=0x123}"),
            ),
            (
                "03ff ff00 0000 007f f000 0000 0000 00c0 0000 0000 0000 0001",
                Err("ld: a load of a bank needs a register (`d` 183..176 is 0xff, `bank` 140..132 is 0x7)"),
            ),
            ("0309 0400 0000 1ff8 0000 0000 0000 0000 0000 0000 0000 abc1", Ok("ldx r9, r4, 0x80000000000000000000000000000abc")),
            (
                "0309 0400 0040 1ff8 0000 0000 0000 0000 0000 0000 0000 abc1",
                Err("ld: `bank` 140..132 is 0x1ff: excluded by `not: bank == 0x1ff`"),
            ),
            (
                "0700 0000 0000 0000 0000 0000 0000 0000 0000 0000 0000 0001",
                Err("no such instruction; the closest is ld, but `op` 191..184 is 0x7, not 0x3"),
            ),
            (
                "4000 0000 0000 0000 0000 0000 0000 0000 0000 0000 0000 0002",
                Err("a word that begins like this has 64 bits, not 192"),
            ),
        ],
    );
    texts_are(
        isa,
        &[
            ("movi.h r1, 5 {95..64=0x7}", Ok("0201 4000 0000 0000 0000 0005 0000 0007 0000 0000 0000 0001")),
            ("movi.h r1, 5 {169..160=0x1}", Ok("0201 4001 0000 0000 0000 0005 0000 0000 0000 0000 0000 0001")),
            ("ldx r1, r2, 0xffffffffffffffffffffffffffffffff", Ok("0301 0200 0000 1fff ffff ffff ffff ffff ffff ffff ffff fff1")),
            ("ldx r1, r2, 0x100000000000000000000000000000000", Err((12, "0x100000000000000000000000000000000 is too large"))),
            (
                "movi.h r1, 0x10000000000000000",
                Err((11, "0x10000000000000000 is out of range: `imm` takes 0x0 to 0xffffffffffffffff")),
            ),
            ("ld r1, [r2+0x3]", Err((11, "0x3 is not a multiple of 4"))),
            ("ld r1, [r2], c0x1ff", Err((13, "ld: excluded by `not: bank == 0x1ff`"))),
            ("movi.h r1, 5 {95..64=0x100000007}", Err((14, "0x100000007 does not fit into bits 95..64"))),
            ("ld r1, [r2] {191..0=0x3}", Err((12, "no such instruction; the closest is ld, but `op` 191..184 is 0x0, not 0x3"))),
        ],
    );
}

#[test]
fn words_of_256_bits() {
    let isa = spec("whole");
    let expected = "256: 0xfe00000000000000000000001000000000000000000000000000000000000002 and \
                    0x1ffffffffffffffffffffffeffffffffffffffffffffffffffffffffffffffe, \
                    pair 0xfe00000000000000000000000000000000000000000000000000000000000000, \
                    kept 0x1000000000000000000000000000000000000000, one 0x2\n";
    assert_eq!(counts(isa), expected);
    words_are(
        isa,
        &[
            ("00000000000000000000000000000abc 00000000000000000000000000001300", Ok("pair.0x0 0xabc, 0x13")),
            (
                "ffffffffffffffffffffffffffffffff ffffffffffffffffffffffffffffffff",
                Ok("pair.0xff 0xffffffffffffffffffffffffffffffff, 0xffffffffffffffffffffffffffffff"),
            ),
            (
                "123456789abcdef0fedcba9876543210 fedcba10000000000000000000000021",
                Ok("kept {255..100=0x123456789abcdef0fedcba9876543210fedcba1}"),
            ),
            ("00000000000000000000000000000005 00000000000000000000000000000122", Ok("one 0x1")),
            (
                "00000000000000000000000000000007 00000000000000000000000000000122",
                Err("pair: `kind` 7..0 is 0x22: excluded by `not: kind in { 0x21, 0x22 }`"),
            ),
        ],
    );
}

#[test]
fn layouts_of_200_bits() {
    let isa = spec("drawn");
    let expected = "200: 0x1000000000000000000000000000000000000000010000000 and 0xfefffffffffffffffffffffffffffffffffffffffff0000000, \
                    a 0x10000000, b 0x1000000000000000000000000000000000000000000000000\n";
    assert_eq!(counts(isa), expected);
    words_are(
        isa,
        &[
            ("01 abff 0000 0000 0000 0000 0000 0000 0000 0000 0000 0000 cd60", Ok("a 0xab6, 0xcd")),
            ("01 abff 5a00 0000 0000 0000 0000 0000 0000 0000 0000 0000 cd60", Ok("a 0xab6, 0xcd {175..168=0x5a}")),
            (
                "02 8000 0000 0000 0000 0000 0000 7800 0000 0000 0000 0000 0005",
                Ok("b 0x8000000000000000000000007, 0x80000000000000000000005"),
            ),
            (
                "01 abff 0000 0000 0000 0000 0010 0000 0000 0000 0000 0000 cd60",
                Err("no such instruction; the closest is a, but bit 100 is 0x1, not 0x0"),
            ),
        ],
    );
}

/// Random words of each form decode to it, print, and come back, from `--full` exactly.
#[test]
fn random_words_come_back() {
    for path in yaml_files("specs/wide") {
        let isa = load(&path);
        let (codec, mut random) = (Codec::new(isa), Random::new(0x256));
        for form in &isa.forms {
            let mut legal = 0;
            for _ in 0..500 {
                let word = random.word_of(form);
                if codec.decode(word, form.length) != Ok(form.id) {
                    continue;
                }
                legal += 1;
                let (mut text, mut full, mut again) = (String::new(), String::new(), String::new());
                codec.print(form.id, word, 0, &mut text);
                codec.print_full(form.id, word, 0, &mut full);
                assert_eq!(codec.parse(&full, 0, &|_| None), Ok((form.id, word)), "{word:#x}: `{full}`");
                let (found, read) = codec.parse(&text, 0, &|_| None).unwrap_or_else(|e| panic!("`{text}`: {e}"));
                codec.print(found, read, 0, &mut again);
                assert_eq!(again, text, "{word:#x}");
            }
            assert!(legal > 50, "{}: {} has hardly a legal word", path.display(), form.name);
        }
    }
}

isa_macros::define_isa!("specs/wide/bundle.yaml");
isa_macros::define_isa!("specs/wide/drawn.yaml");
isa_macros::define_isa!("specs/wide/whole.yaml");

#[test]
fn generated_modules() {
    agree("specs/wide/bundle.yaml", 200, 500, &generated!(crate::wide::bundle));
    agree("specs/wide/drawn.yaml", 200, 500, &generated!(crate::wide::drawn));
    agree("specs/wide/whole.yaml", 200, 500, &generated!(crate::wide::whole));
    let movi = bundle::Movi::builder(bundle::R::n(7), 0x1234_5678_9abc_def0u64, 0)
        .size(bundle::Size::X)
        .build()
        .expect("an instruction");
    assert_eq!((movi.to_string(), movi.length()), ("movi.x r7, 0x123456789abcdef0".to_owned(), 192));
    assert_eq!(bundle::decode(movi.word()).map(|insn| insn.word()), Ok(movi.word()));
    assert_eq!((movi.imm(), movi.edit().build()), (0x1234_5678_9abc_def0, Ok(movi)));
}

#[test]
fn back_ends() {
    let isa = spec("whole");
    let json = isa_docs::json::model(isa);
    for (key, value) in
        [("mask", "f".repeat(25)), ("mask", format!("{}eff", "f".repeat(61))), ("value", format!("5{:032x}", 0x22))]
    {
        assert!(json.contains(&format!("\"{key}\": \"0x{value}\"")), "{key} {value}: {json}");
    }
    let pages = isa_docs::pages::html(isa).into_iter().filter(|file| file.name.starts_with("whole/"));
    let pages: String = pages.map(|file| String::from_utf8(file.contents).expect("pages are text")).collect();
    for text in [isa_docs::pages::markdown(isa), pages] {
        assert!(text.contains("255..128"), "{text}");
    }
}

/// Numbers of 127 and 128 bits that are the inverse of their bits.
#[test]
fn inverted() {
    for (bits, rest) in [("127..0", ""), ("126..0", ", fix: { 127: 0 }")] {
        let text =
            format!("isa: t\nword: 128\ninstructions:\n  W: {{ fields: {{ n: {bits} inverted }}{rest}, text: \"W {{n}}\" }}\n");
        let isa = isa_spec::load_texts("t.yaml", &[("t.yaml", text.as_str())]).isa.expect("a good spec");
        let most = if rest.is_empty() { "f" } else { "7" };
        words_are(&isa, &[(&format!("{most}fffffff fffffff0 ffffffff fffffff0"), Ok("W 0xf000000000000000f"))]);
        texts_are(&isa, &[("W 0xf", Ok(&format!("{most}fffffff ffffffff ffffffff fffffff0")))]);
    }
}
