//! The shipped specs against lists of what their documents have: nothing is left out, nothing is added, and what the documents
//! print can be assembled as they print it.

use conformance::{load, vectors};
use isa_spec::codec::Codec;
use isa_spec::model::{FormId, Isa, Word};
use std::collections::BTreeMap;
use std::path::Path;

fn spec(name: &str) -> Isa {
    load(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../specs").join(name).with_extension("yaml"))
}

fn parse(codec: &Codec<'_>, text: &str) -> Result<(FormId, Word), String> {
    codec.parse(text, 0, &|_| None).map_err(|e| format!("`{text}`: {e}"))
}

/// Why a word is refused.
fn refusal(codec: &Codec<'_>, word: Word, bits: u32) -> String {
    match codec.decode(word, bits) {
        Ok(form) => panic!("{word:#x} is {}", codec.isa().form(form).name),
        Err(error) => error.message,
    }
}

mod flexgrip {
    use super::*;

    /// The five tables of the document (lines 33 to 133), and what it says behind "Checked" at each instruction.
    const TABLES: [(&str, &str); 5] = [
        ("control flow", "BRA BAR- RET SSY NOP TRAP! CAL"),
        ("arithmetic and logic", "I2I IMUL IMUL32 IMUL32I SHL SHR IADD IADD32 IADD32I IMAD IMAD32! IMAD32I! LOP ISET"),
        ("data and memory", "MVC GLD GST- MOV MOV32 MVI R2G R2A A2R ADA"),
        (
            "floating point",
            "FADD32~ FADD~ FADD32I~ FMUL~ FMUL32~ FMUL32I~ FMAD~ FMAD32- FMAD32I~ F2F~ F2I~ I2F~ FSET~ RCP~ RCP32~",
        ),
        ("special functions", "SIN! COS! RRO! EX2! RSQ! LG2!"),
    ];

    #[test]
    fn every_instruction_of_the_tables_is_there_with_its_status() {
        let documented: BTreeMap<&str, &str> = TABLES
            .iter()
            .flat_map(|(_, list)| list.split(' '))
            .map(|entry| match entry.split_at(entry.len() - 1) {
                (name, "!") => (name, "not implemented"),
                (name, "~") => (name, "partially implemented"),
                (name, "-") => (name, "none given"),
                _ => (entry, "implemented"),
            })
            .collect();
        assert_eq!(documented.len(), 52);
        let isa = spec("flexgrip");
        let described: BTreeMap<&str, &str> = isa.instructions.iter().map(|i| (i.mnemonic.as_str(), i.status.as_str())).collect();
        assert_eq!(described, documented);
    }

    /// What is known to be wrong in the document, by the numbers that it was given when it was read: see the spec.
    #[test]
    fn every_erratum_is_there() {
        let isa = spec("flexgrip");
        let ids: Vec<&str> = isa.all_errata().map(|(_, e)| e.id.as_str()).collect();
        let all = [('A', 14), ('B', 45), ('C', 3), ('D', 4)];
        let missing: Vec<String> = all
            .into_iter()
            .flat_map(|(letter, count)| (1..=count).map(move |n| format!("{letter}{n}")))
            .filter(|id| !ids.contains(&id.as_str()))
            .collect();
        assert_eq!(missing, Vec::<String>::new());
    }

    /// The spec is a transcription, and shorter than what it transcribes (4,034 lines).
    #[test]
    fn the_spec_is_shorter_than_the_document() {
        let isa = spec("flexgrip");
        let text = &isa.files.file(isa.span.file).text;
        assert!(text.lines().count() < 4_034 / 2, "{} lines", text.lines().count());
    }

    /// The examples, as the document prints them: blanks before brackets, hexadecimal digits of either case.
    #[test]
    fn examples_are_read_as_the_document_prints_them() {
        let isa = spec("flexgrip");
        let codec = Codec::new(&isa);
        let shout = |text: &str| {
            let digits = |(i, part): (usize, &str)| {
                let end = part.find(|c: char| !c.is_ascii_hexdigit()).unwrap_or(part.len());
                if i == 0 { part.to_string() } else { part[..end].to_ascii_uppercase() + &part[end..] }
            };
            text.split("0x").enumerate().map(digits).collect::<Vec<_>>().join("0x")
        };
        for v in vectors("flexgrip-examples.tsv") {
            let text = v.text();
            let word = parse(&codec, text);
            assert!(word.is_ok(), "{word:?}");
            let ways = [
                text.replace('[', " ["),
                text.replace("][", "] ["),
                shout(text),
                shout(&text.replace('[', " [")),
                text.replace(", ", ","),
                text.replace(", ", " , "),
                format!("  {text} "),
            ];
            for way in ways {
                assert_eq!(parse(&codec, &way), word, "`{way}`");
            }
        }
    }

    /// Texts that the document prints and that are not those of the words beside them: they are read, as other words.
    #[test]
    fn the_documents_wrong_texts_are_other_words() {
        let isa = spec("flexgrip");
        let codec = Codec::new(&isa);
        let wrong: Vec<(String, String, Result<Word, String>)> = vectors("flexgrip-examples.tsv")
            .into_iter()
            .filter_map(|v| {
                let printed = v.column("text as corrected")?.to_string();
                (printed != v.text()).then(|| (v.shown(), printed.clone(), parse(&codec, &printed).map(|w| w.1)))
            })
            .collect();
        let wrong: Vec<(&str, &str, Option<Word>)> =
            wrong.iter().map(|(word, text, read)| (word.as_str(), text.as_str(), read.as_ref().ok().copied())).collect();
        assert_eq!(
            wrong,
            [
                // A guard that always holds is not printed, and IMAD has no minus before a source.
                ("0c01278060030211", "IMAD.U16 R4 (C3.TRUE), -R0H, R1H, R4", None),
                ("600a0c04", "IMAD32.U16 R1, R3H, R5H, R1", Some(0x600b_0e04)),
                ("603c242c", "IMAD32.U16 R11, R9H, R30H, R11", Some(0x603d_262c)),
                ("0000256360341109", "IMAD32I.S16 R2, R4H, 0x25634, R2", Some(0x0000_2563_6034_1309)),
                ("0003ffff603f3111", "IMAD32I.S16 R4, R12H, 0x3fffff, R4", Some(0x0003_ffff_603f_3311)),
                ("0000256360341009", "IMAD32I.U16 R2, R4H, 0x25634, R2", Some(0x0000_2563_6034_1209)),
                ("4000078090000009", "RSQ R0, R0", Some(0x4000_0780_9000_0001)),
            ]
        );
    }

    #[test]
    fn what_is_not_described_is_refused_by_name() {
        let isa = spec("flexgrip");
        let codec = Codec::new(&isa);
        for code in 0x14..0x1c {
            let message = format!("RET: `guard.cond` 43..39 is {code:#x}: `Cond` has no such value");
            assert_eq!(refusal(&codec, 0x30000003 | code << 39, 64), message);
        }
        let name =
            |word, bits| refusal(&codec, word, bits).split_once(" is not described here").map(|(name, _)| name.to_string());
        let textures = (0..8).map(|sub| name(0xf000_0001 | sub << 61, 64).unwrap_or_default()).take(5).collect::<Vec<_>>();
        assert_eq!(textures, ["TEX", "texbias", "texlod", "texsize", "texcsaa"]);
        assert_eq!([0xf000_0000, 0xf100_0000].map(|w| name(w, 32)), [Some("TEX32".into()), Some("short texfetch".into())]);
        assert_eq!(name(0x6000_0780_0000_0001, 64).as_deref(), Some("S2R"));
        assert_eq!(name(0x0000_0003_d000_0001, 64).as_deref(), Some("lop32i"));
        let text = codec.parse("TEX R0, R1", 0, &|_| None).map_err(|e| e.message);
        assert_eq!(text, Err("TEX is not described here: samples a texture".into()));
    }
}
