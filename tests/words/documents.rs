//! The shipped specs against lists of what their documents have: nothing is left out, nothing is added, and what the documents
//! print can be assembled as they print it.

use harness::{Codec, shipped_codec, shipped_isa, vectors};
use isa_spec::model::{FormId, Isa, Word};
use std::collections::BTreeMap;
use std::path::Path;

fn parse(codec: &Codec<'_>, text: &str) -> Result<(FormId, Word), String> {
    codec.parse(text, 0, &|_| None).map_err(|e| format!("`{text}`: {e}"))
}

/// The reason why a word is refused.
fn refusal(codec: &Codec<'_>, word: Word, bits: u32) -> String {
    match codec.decode(word, bits) {
        Ok(form) => panic!("{word:#x} is {}", codec.isa().form(form).name),
        Err(why) => why.to_string(),
    }
}

mod flexgrip {
    use super::*;

    /// The five tables of the document (lines 33 to 133), and its text after "Checked" at each instruction.
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
        let isa = shipped_isa("flexgrip");
        let described: BTreeMap<&str, &str> = isa.instructions.iter().map(|i| (i.mnemonic.as_str(), i.status.as_str())).collect();
        assert_eq!(described, documented);
    }

    /// The known errors in the document, by the numbers that they were given when it was read: see the spec.
    #[test]
    fn every_erratum_is_there() {
        let isa = shipped_isa("flexgrip");
        let ids: Vec<&str> = isa.all_errata().map(|(_, e)| e.id.as_str()).collect();
        let all = [('A', 14), ('B', 45), ('C', 3), ('D', 4)];
        let missing: Vec<String> = all
            .into_iter()
            .flat_map(|(letter, count)| (1..=count).map(move |n| format!("{letter}{n}")))
            .filter(|id| !ids.contains(&id.as_str()))
            .collect();
        assert_eq!(missing, Vec::<String>::new());
    }

    /// The examples, as the document prints them: blanks before brackets, hexadecimal digits of either case.
    #[test]
    fn examples_are_read_as_the_document_prints_them() {
        let codec = shipped_codec("flexgrip");
        let shout = |text: &str| {
            let digits = |(i, part): (usize, &str)| {
                let end = part.find(|c: char| !c.is_ascii_hexdigit()).unwrap_or(part.len());
                if i == 0 { part.to_string() } else { part[..end].to_ascii_uppercase() + &part[end..] }
            };
            text.split("0x").enumerate().map(digits).collect::<Vec<_>>().join("0x")
        };
        for v in vectors("flexgrip-examples.tsv") {
            let text = v.text();
            let word = parse(codec, text);
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
                assert_eq!(parse(codec, &way), word, "`{way}`");
            }
        }
    }

    /// Texts that the document prints and that are not those of the words beside them: they are read, as other words.
    #[test]
    fn the_documents_wrong_texts_are_other_words() {
        let codec = shipped_codec("flexgrip");
        let wrong: Vec<(String, String, Result<Word, String>)> = vectors("flexgrip-examples.tsv")
            .into_iter()
            .filter_map(|v| {
                let printed = v.column("text as corrected")?.to_string();
                (printed != v.text()).then(|| (v.shown(), printed.clone(), parse(codec, &printed).map(|w| w.1)))
            })
            .collect();
        let wrong: Vec<(&str, &str, Option<u128>)> = wrong
            .iter()
            .map(|(word, text, read)| (word.as_str(), text.as_str(), read.as_ref().ok().and_then(|word| word.to_u128())))
            .collect();
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
        let codec = shipped_codec("flexgrip");
        for code in 0x14u64..0x1c {
            let message = format!("RET: `guard.cond` 43..39 is {code:#x}: `Cond` has no such value");
            assert_eq!(refusal(codec, (0x30000003 | code << 39).into(), 64), message);
        }
        let name = |word: u64, bits| {
            refusal(codec, word.into(), bits).split_once(" is not described here").map(|(name, _)| name.to_string())
        };
        let textures = (0..8).map(|sub| name(0xf000_0001 | sub << 61, 64).unwrap_or_default()).take(5).collect::<Vec<_>>();
        assert_eq!(textures, ["TEX", "texbias", "texlod", "texsize", "texcsaa"]);
        assert_eq!([0xf000_0000, 0xf100_0000].map(|w| name(w, 32)), [Some("TEX32".into()), Some("short texfetch".into())]);
        assert_eq!(name(0x6000_0780_0000_0001, 64).as_deref(), Some("S2R"));
        assert_eq!(name(0x0000_0003_d000_0001, 64).as_deref(), Some("lop32i"));
        let text = codec.parse("TEX R0, R1", 0, &|_| None).map_err(|e| e.to_string());
        assert_eq!(text, Err("TEX is not described here: samples a texture".into()));
    }
}

mod fermi {
    use super::*;

    #[test]
    fn every_instruction_and_special_register_is_there() {
        let isa = shipped_isa("fermi");
        let mnemonics: Vec<&str> = isa.instructions.iter().map(|i| i.mnemonic.as_str()).collect();
        assert_eq!(mnemonics, ["S2R", "LEPC", "CCTL", "CCTLL", "PSETP"]);
        let codec = shipped_codec("fermi");
        let names: Vec<(u32, String)> = (0..256u32)
            .map(|n| {
                let word = Word::from(0x2c00_0000_0000_1c04u64) | Word::from(n) << 26;
                let form = codec.decode(word, 64).unwrap_or_else(|e| panic!("SR{n}: {e}"));
                let mut text = String::new();
                codec.print(form, word, 0, &mut text);
                let name = text.strip_prefix("S2R R0, ").expect("the register").to_string();
                // By its number every register can be written, and by its name.
                assert_eq!(parse(codec, &format!("S2R R0, SR{n}")), Ok((form, word)));
                assert_eq!(parse(codec, &text), Ok((form, word)));
                (n, name)
            })
            .collect();
        let named: Vec<&str> =
            names.iter().filter(|(n, name)| *name != format!("SR{n}")).map(|(_, name)| name.as_str()).collect();
        assert_eq!((named.len(), named[0], named[49]), (50, "SR_LaneId", "SR_ClockHi"));
        let fault = codec.parse("S2R R0, SR256", 0, &|_| None).map_err(|e| e.to_string());
        assert_eq!(fault, Err("`SR256` is out of range: the last is SR255".into()));
    }

    #[test]
    fn offsets_are_refused_with_the_reason() {
        let codec = shipped_codec("fermi");
        let fault = |text: &str| codec.parse(text, 0, &|_| None).map_or_else(|e| e.to_string(), |w| format!("{:x}", w.1));
        let out = |n: &str, least: &str, most: &str| format!("{n} is out of range: `offset` takes {least} to {most}");
        assert_eq!(fault("CCTL.PF1 R1, [R2+0x3]"), "0x3 is not a multiple of 4");
        assert_eq!(fault("CCTLL.PF1 R1, [R2+0x7ffffe]"), "0x7ffffe is not a multiple of 4");
        assert_eq!(fault("CCTL.PF1 R1, [R2+0x100000000]"), out("0x100000000", "-0x80000000", "0xfffffffc"));
        assert_eq!(fault("CCTL.PF1 R1, [R2+-0x80000004]"), out("-0x80000004", "-0x80000000", "0xfffffffc"));
        assert_eq!(fault("CCTLL.PF1 R1, [R2+0x800000]"), out("0x800000", "-0x800000", "0x7ffffc"));
        assert_eq!(fault("CCTLL.PF1 R1, [R2+-0x800004]"), out("-0x800004", "-0x800000", "0x7ffffc"));
        // The limits themselves; CCTL's number is not in its two lowest bits, CCTLL's is.
        assert_eq!(fault("CCTL.PF1 R1, [R2+-0x4]"), "9bfffffff0205c25");
        assert_eq!(fault("CCTL.PF1 R1, [R2+0xfffffffc]"), "9bfffffff0205c25");
        assert_eq!(fault("CCTLL.PF1 R1, [R2+0x7ffffc]"), "d001fffff0205c25");
        assert_eq!(fault("CCTLL.PF1 R1, [R2+-0x800000]"), "d002000000205c25");
    }

    /// Syntax that the document's usage lines leave out, and both names of Op2 = 3.
    #[test]
    fn other_ways_to_write() {
        let codec = shipped_codec("fermi");
        for (text, printed) in [
            ("CCTL.PF2 R1, [R2]", "CCTL.PR2 R1, [R2+0x0]"),
            ("CCTL.E.C.PR2 R1, [ R2 + 0x40 ] ;", "CCTL.E.C.PR2 R1, [R2+0x40]"),
            ("@PT CCTLL.WB R1, [0x10];", "CCTLL.WB R1, [RZ+0x10]"),
            ("PSETP P1, P2, P3, P4;", "PSETP.AND.AND P1, P2, P3, P4, PT"),
            ("PSETP.OR P1, P2, !P3, P4", "PSETP.OR.AND P1, P2, !P3, P4, PT"),
            ("@!P3 LEPC.S R9;", "@!P3 LEPC.S R9"),
        ] {
            let (form, word) = parse(codec, text).expect("a text");
            let mut again = String::new();
            codec.print(form, word, 0, &mut again);
            assert_eq!(again, printed);
        }
    }
}

mod compact {
    use super::*;
    use harness::Random;
    use isa_spec::model::Form;
    use isa_spec::opcode_map::Class;

    /// Mnemonics that the source uses twice, by what they are here: see the erratum TWICE.
    const RENAMED: [(&str, &str); 7] = [
        ("111110111101", "FREM"),
        ("0101111", "IFREM"),
        ("1000101", "VVIMSKT"),
        ("1000110", "VSIMSKT"),
        ("1000111", "VVFMSKT"),
        ("1001000", "VSFMSKT"),
        ("-", "ILFREM"),
    ];

    /// The opcode of a form: the bits that it fixes of its first unit, from the top.
    fn opcode(isa: &Isa, form: &Form) -> String {
        let opcode = form.fixed.iter().find(|f| f.name == "OPCODE").unwrap_or_else(|| panic!("{}", form.name));
        let width = opcode.bits.width() as usize;
        assert_eq!(isa.first_unit(form.value, form.length) >> (16 - width as u32), opcode.value.into(), "{}", form.name);
        format!("{:0width$b}", opcode.value)
    }

    fn format_of<'a>(isa: &'a Isa, form: &Form) -> &'a str {
        let instruction = isa.instruction(form.instruction);
        let own = instruction.format.expect("every instruction has a format");
        isa.formats[own.index()].name.split('_').next().unwrap_or("")
    }

    /// Formats, opcodes and mnemonics are those of the source, but for names that it uses twice.
    #[test]
    fn opcodes_are_those_of_the_source() {
        let isa = shipped_isa("compact");
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("vectors/compact-opcodes.tsv");
        let text = std::fs::read_to_string(path).expect("the opcodes");
        let lines: Vec<Vec<&str>> = text.lines().filter(|l| !l.starts_with('#')).map(|l| l.split('\t').collect()).collect();
        assert_eq!(lines.len(), 247);
        let mut listed: Vec<(String, &str, &str)> = Vec::new();
        for line in &lines {
            let [code, format, mnemonic] = line[..] else { panic!("{line:?}") };
            let twice = code == "-" && listed.iter().any(|l| l.2 == mnemonic);
            let renamed = RENAMED.iter().find(|r| r.0 == code && (code != "-" || twice));
            listed.push((code.to_string(), format, renamed.map_or(mnemonic, |r| r.1)));
        }
        let described: Vec<(String, &str, &str)> = isa
            .forms
            .iter()
            .map(|form| {
                let format = format_of(isa, form);
                // The long words of [E] have no opcodes of their own in the source, and share those of the short ones.
                let code = if format == "E.l" { "-".to_string() } else { opcode(isa, form) };
                (code, format, isa.instruction(form.instruction).mnemonic.as_str())
            })
            .collect();
        assert_eq!(described, listed);
        let short = |mnemonic: &str| isa.forms.iter().find(|f| isa.instruction(f.instruction).mnemonic == mnemonic);
        for (long, brief) in [("LIADD", "IADD"), ("ILFREM", "IFREM"), ("LMST", "MST"), ("LCB", "BEQ"), ("LRCAL", "RCAL")] {
            let codes = [long, brief].map(|m| opcode(isa, short(m).unwrap_or_else(|| panic!("{m}"))));
            assert_eq!(codes[0], codes[1], "{long}");
        }
    }

    /// The document's own table, line 23 on. For the first range it says 112: see the erratum N112.
    #[test]
    fn the_opcode_space_has_the_numbers_of_the_document() {
        let isa = shipped_isa("compact");
        let row = |i: usize| {
            let region = &isa.space[i];
            let formats: Vec<String> = region.formats(isa).iter().map(|f| format!("[{}]", f.name)).collect();
            (region.codes().low(), region.usage(isa).expect("a small diagram").0.low(), formats.join(" "))
        };
        let rows: Vec<(u128, u128, String)> = (0..isa.space.len()).map(row).collect();
        let expected = [
            (123, 116, "[A] [D] [D.l] [E] [E.l] [F] [F.l] [G] [I] [J]"),
            (16, 5, "[H]"),
            (64, 35, "[B]"),
            (128, 62, "[C] [K]"),
            (384, 0, ""),
            (1, 0, ""),
        ];
        assert_eq!(rows, expected.map(|(max, current, formats)| (max, current, formats.to_string())));
    }

    /// Every first halfword is of one format and length, or a hole with a name; and the codec says the same of it.
    #[test]
    fn every_halfword_is_classified() {
        let (isa, codec) = (shipped_isa("compact"), shipped_codec("compact"));
        let mut random = Random::new(0xfab);
        let mut formats: BTreeMap<(String, u32), u32> = BTreeMap::new();
        let mut holes: BTreeMap<String, u32> = BTreeMap::new();
        for unit in (0..0x1_0000u32).map(Word::from) {
            match isa.classify(unit) {
                Class::Format(format, length) => {
                    *formats.entry((format.name.clone(), length)).or_default() += 1;
                    assert_eq!(codec.length_of(unit), Some(length), "{unit:#06x}");
                    let rest = length - 16;
                    let legal = (0..64).any(|_| {
                        let word = unit << rest | random.word(rest);
                        codec.decode(word, length).is_ok_and(|form| format_of(isa, isa.form(form)) == format.name)
                    });
                    // For [B], a vector mode of 11 is not an instruction, and its first bit may be in the first halfword.
                    assert!(legal, "{unit:#06x}");
                }
                Class::Hole(region, _) => {
                    let name = &region.expect("a hole has a name").name;
                    *holes.entry(name.clone()).or_default() += 1;
                    for bits in [16, 32, 48] {
                        let message = refusal(codec, unit << (bits - 16), bits);
                        // The length is known of what has none assigned in [H] and [B].
                        let named = message.starts_with(&format!("no word begins like this: `{name}` has "));
                        let other = message.starts_with("a word that begins like this has ");
                        assert!(named || other && codec.length_of(unit).is_some_and(|l| l != bits), "{unit:#06x}: {message}");
                    }
                }
            }
        }
        let count = |name: &str, length: u32, units: u32| ((name.to_string(), length), units);
        let expected = [
            count("A", 32, 12 * 512),
            count("B", 32, 35 * 16),
            count("C", 32, 52),
            count("D", 32, 4 * 512),
            count("D.l", 48, 4 * 512),
            count("E", 32, 38 * 512),
            count("F", 32, 14 * 512),
            count("F.l", 48, 9 * 512),
            count("G", 16, 12 * 512),
            count("H", 16, 5 * 32),
            count("I", 16, 20 * 512),
            count("J", 16, 3 * 512),
            count("K", 16, 10),
        ];
        assert_eq!(formats, expected.into_iter().collect());
        let free = [("7", 7 * 512), ("11", 11 * 32), ("12", 29 * 16), ("16", 66)]
            .map(|(n, units)| (format!("opcodes of {n} bits"), units));
        let outside = [("left over".to_string(), 384), ("zero".to_string(), 512)];
        assert_eq!(holes, free.into_iter().chain(outside).collect());
        assert_eq!(formats.values().chain(holes.values()).sum::<u32>(), 0x1_0000);
    }

    /// Words of all formats that a stream can hold, one after the other: units to words to texts, and back.
    #[test]
    fn a_stream_of_mixed_lengths_comes_back() {
        let (isa, codec) = (shipped_isa("compact"), shipped_codec("compact"));
        let mut random = Random::new(0x5eed);
        let mut stream: Vec<Word> = Vec::new();
        let mut words: Vec<(Word, u32)> = Vec::new();
        let mut lengths: BTreeMap<u32, u32> = BTreeMap::new();
        while words.len() < 3_000 {
            let form = &isa.forms[random.next_u64() as usize % isa.forms.len()];
            let word = random.word_of(form);
            let unit = isa.first_unit(word, form.length);
            if format_of(isa, form) == "E.l" || codec.decode(word, form.length) != Ok(form.id) {
                continue;
            }
            assert_eq!(codec.length_of(unit), Some(form.length));
            words.push((word, form.length));
            *lengths.entry(form.length).or_default() += 1;
            stream.extend((0..form.length / 16).rev().map(|i| word >> (16 * i) & Word::ones(16)));
        }
        assert!(lengths.len() == 3 && lengths.values().all(|n| *n > 100), "{lengths:?}");
        let mut units = stream.iter().copied();
        let mut at = 0;
        while let Some(first) = units.next() {
            let length = codec.length_of(first).expect("a word begins here");
            let word = (1..length / 16).fold(first, |word, _| word << 16 | units.next().expect("the rest of the word"));
            assert_eq!((word, length), words[at]);
            let form = codec.decode(word, length).expect("an instruction");
            let mut full = String::new();
            codec.print_full(form, word, 0, &mut full);
            assert_eq!(parse(codec, &full), Ok((form, word)));
            at += 1;
        }
        assert_eq!(at, words.len());
    }
}
