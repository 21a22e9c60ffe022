//! Programs for a machine of bytes: what each statement becomes.

use isa_asm::{Assembler, Options, Program};

const SPEC: &str = r#"
isa: bytes
word: { unit: 8, lengths: { 8: "prefix[7] == 0", 16: "prefix[7..6] == 2", 24: "prefix[7..6] == 3" }, order: high-first }
prefer: shortest
assembly: { align: bytes, fill: [nop] }
instructions:
  nop: { length: 8, fix: { 7..0: 0x7f } }
  jump: { length: 24, fix: { 23..16: 0xc0 }, fields: { to: 15..0 }, text: "jump {to}" }
  jump.short: { length: 16, fix: { 15..8: 0x80 }, fields: { to: 7..0 }, text: "jump {to}" }
"#;

fn assemble(text: &str, precedence: &str) -> Program {
    assemble_as(SPEC, text, precedence)
}

fn assemble_as(spec: &str, text: &str, precedence: &str) -> Program {
    let spec = spec.replace("align: bytes", &format!("align: bytes, precedence: {precedence}"));
    let isa = isa_spec::load_str("bytes.yaml", &spec, None).isa.expect("a good specification");
    let image = isa_tables::image(&isa).expect("a small instruction set");
    let codec = isa_engine::open(&image, isa_engine::Style::default()).expect("an image made here");
    let mut assembler = Assembler::new(codec, "test.s", Options::default()).expect("its syntax can be used");
    for (number, line) in text.lines().enumerate() {
        assembler.line(number + 1, line).expect("it is small");
    }
    assembler.finish()
}

#[track_caller]
fn bytes(text: &str) -> Vec<u8> {
    let program = assemble(text, "gnu");
    let faults: Vec<&str> = program.faults.iter().map(|fault| fault.message.as_str()).collect();
    assert_eq!(faults, [""; 0], "{text}");
    let place = program.sections.iter().position(|section| section.file_size() > 0).expect("a section with bytes");
    program.bytes(place)
}

#[test]
fn operators_of_one_rank_associate_to_the_left() {
    for precedence in ["gnu", "c"] {
        let program = assemble(".byte 10 - 4 - 3, 64 / 8 / 2, 1 << 2 << 3, 9 - 2 + 1, 2 + 3 * 4 - 1", precedence);
        assert_eq!(program.bytes(0), [3, 4, 32, 8, 13], "{precedence}");
    }
}

#[test]
fn a_section_of_code_ends_at_a_multiple_of_its_alignment() {
    assert_eq!(bytes("nop\n.align 4\nnop\nnop"), [0x7f; 8]);
    assert_eq!(bytes("nop\n.align 4\njump end\nend: nop"), [0x7f, 0x7f, 0x7f, 0x7f, 0x80, 6, 0x7f, 0x7f]);
    assert_eq!(bytes(".data\n.byte 1\n.align 4\n.byte 2"), [1, 0, 0, 0, 2]);
}

#[test]
fn a_gap_has_a_limit() {
    // The third argument: at a known address, behind a branch of unknown length, and behind one that has grown.
    assert_eq!(bytes(".byte 1\n.align 4,,2\n.byte 2, 3\n.align 4,9,2"), [1, 2, 3, 9]);
    assert_eq!(bytes(".byte 1\n.align 4,9,3\n.byte 2"), [1, 9, 9, 9, 2, 0x7f, 0x7f, 0x7f]);
    assert_eq!(bytes("jump end\n.align 8,9,5\nend: .byte 1")[..3], [0x80, 2, 1]);
    assert_eq!(bytes("jump end\n.align 8,9,6\nend: .byte 1")[..9], [0x80, 8, 9, 9, 9, 9, 9, 9, 1]);
    assert_eq!(bytes("jump end\n.align 8,9,5\n.byte 1\n.space 300\nend: nop")[..9], [0xc0, 1, 0x35, 9, 9, 9, 9, 9, 1]);
    assert_eq!(bytes("jump end\n.align 8,9,4\n.byte 1\n.space 300\nend: nop")[..4], [0xc0, 1, 0x30, 1]);
}

#[test]
fn a_large_gap_is_written_without_its_memory() {
    let program = assemble(".byte 1\n.space 1 << 27\n.byte 2", "gnu");
    let end = (1 << 27) + 1;
    assert_eq!(program.runs(0).collect::<Vec<_>>(), [(0, &[1][..]), (end, &[2])]);
    let written = isa_asm::output::stretches(&program, 0xff).expect("it is below the limit");
    assert!(written.len() < 10);
    let mut last = Last::default();
    written.iter().try_for_each(|stretch| stretch.write(&mut last)).expect("nothing is stored");
    assert_eq!((last.count, last.ones, last.byte), (end + 1, 1, 2));
}

/// The number of bytes written, of those that are 1, and the last one.
#[derive(Default)]
struct Last {
    count: u64,
    ones: usize,
    byte: u8,
}

impl std::io::Write for Last {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.count += bytes.len() as u64;
        self.ones += bytes.iter().filter(|byte| **byte == 1).count();
        self.byte = bytes.last().copied().unwrap_or(self.byte);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[test]
fn each_gap_is_sized_from_those_before_it() {
    // A round for each of them, all from the places of the last round, would be too many rounds and gaps of 32 GB.
    let count = 1000;
    let text: String = (0..count).map(|i| format!(".org {}\n.byte {}\n", i * 60 + 1, i % 100 + 1)).collect();
    let own = bytes(&text);
    assert_eq!(own.len(), (count - 1) * 60 + 2);
    assert!((0..count).all(|i| usize::from(own[i * 60 + 1]) == i % 100 + 1 && own[i * 60] == 0));
    let text = format!("jump end\n{}end: nop", ".align 8,9\n.byte 1\n.align 4,9\n.byte 2\n".repeat(count));
    let own = bytes(&text);
    assert_eq!(own[..8], [0xc0, 0x1f, 0x45, 9, 9, 9, 9, 9]);
    assert!(own[8..8 + (count - 1) * 8].chunks(8).all(|eight| eight == [1, 9, 9, 9, 2, 9, 9, 9]));
}

#[test]
fn a_word_that_fits_again_and_has_no_long_form_is_filled_up() {
    // The space before `end` shrinks when the first jump has grown, and with it the second one.
    let text = "a: jump far\nb: jump end\n.space 800 - (b - a) * 250\nend: nop\n.space 200\nfar: nop";
    let long = assemble(text, "gnu");
    assert_eq!(long.bytes(0)[3..6], [0xc0, 0, 56]);
    let spec = SPEC.replace("fields: { to: 15..0 }, text", "fields: { to: 15..0 }, not: \"to < 256\", text");
    let short = assemble_as(&spec, text, "gnu");
    assert!(!short.has_failed(), "{:?}", short.faults);
    assert_eq!(short.bytes(0)[3..6], [0x80, 56, 0x7f]);
    let spec = spec.replace("fill: [nop]", "fill: [jump 2]");
    assert!(assemble_as(&spec, text, "gnu").has_failed());
}
