//! Codes and spellings that no specification has to use: printed texts are read back.

use isa_runtime::Assembly;
use isa_runtime::engine::print::Out;
use isa_runtime::engine::read::{Reader, no_symbols};
use isa_runtime::engine::tables as t;
use isa_runtime::engine::tables::Rows;
use isa_runtime::engine::{Owned, Str, Tables, image};
use isa_runtime::machine::MachineInfo;
use isa_runtime::value::Step;
use isa_runtime::word::Units;

/// Tables of one form of 16 bits, whose text is `x` and one field.
struct Made(Owned);

impl Made {
    fn new(width: u8, steps: &[Step]) -> Self {
        let mut made = Self(Owned { nodes: vec![t::Node::default(), t::Node { bit: 0, lo: 1, hi: 1 }], ..Owned::default() });
        let all = &mut made.0;
        all.head = t::Head { unit: 16, longest: 200, ..t::Head::default() };
        all.initials = vec![u128::MAX];
        (all.truth, all.index) = (vec![u64::MAX], vec![1]);
        all.rows = vec![t::Row::default(), t::Row { rest: 1, ..t::Row::default() }];
        all.lengths = vec![t::Length { bits: 16, prefix: 1, words: 1, ..t::Length::default() }];
        all.insns = vec![t::Insn { forms: 1, ..t::Insn::default() }];
        (all.lists, all.ranges) = (vec![0], vec![t::Range { hi: width - 1, lo: 0 }]);
        let one = Rows { at: 0, len: 1 };
        all.forms = vec![t::Form { length: 16, words: 1, legal: 1, fields: one, ..t::Form::default() }];
        all.code_steps = steps.iter().map(|step| step.parts()).map(|(kind, by)| t::CodeStep { kind, by }).collect();
        all.codes = vec![t::Code { steps: Rows { at: 0, len: steps.len() as u32 }, ..t::Code::default() }];
        all.fields = vec![t::Field { ranges: one, width, place: t::NO_PLACE, ..t::Field::default() }];
        all.entries = vec![u128::from(b'x') | 1 << 120];
        all.ops = vec![t::Op { kind: t::ENTRY, ..t::Op::default() }, t::Op { kind: t::FIELD, ..t::Op::default() }];
        all.texts = vec![t::Texts { text: Rows { at: 0, len: 2 }, base: Rows { at: 0, len: 2 }, full: Rows::default() }];
        let text = made.str("x");
        let all = &mut made.0;
        all.strings = vec![text];
        all.steps = vec![
            t::Step { kind: t::END, ..t::Step::default() },
            t::Step { kind: t::VALUE, next: 0, ..t::Step::default() },
            t::Step { kind: t::LITERAL, next: 1, ..t::Step::default() },
        ];
        all.templates = vec![t::Template { step: 2, made_of: u128::MAX, ..t::Template::default() }];
        let units = Units { bits: 16, ..Units::default() };
        all.machine = MachineInfo { lanes: 1, pc: 32, units, ..MachineInfo::default() }.bytes();
        all.assembly = Assembly::default().bytes();
        made
    }

    fn str(&mut self, text: &str) -> Str {
        let at = self.0.bytes.len() as u32;
        self.0.bytes.extend_from_slice(text.as_bytes());
        Str { at, len: text.len() as u32 }
    }

    /// Adds a string behind the field; it is read, and not printed.
    fn before(mut self, text: &str) -> Self {
        let text = self.str(text);
        self.0.strings.push(text);
        self.0.steps.insert(1, t::Step { kind: t::LITERAL, of: 1, next: 0, ..t::Step::default() });
        (self.0.steps[2].next, self.0.steps[3].next, self.0.templates[0].step) = (1, 2, 3);
        self
    }

    /// Adds a part: the bits of the number that it is for, its names by number, and the texts of other numbers.
    fn part(mut self, [lo, width]: [u8; 2], names: &[(u128, &str)], other: t::Part) -> Self {
        let mut rows: Vec<t::Named> =
            names.iter().map(|(value, text)| t::Named { value: *value, text: self.str(text), also: 0 }).collect();
        let mut add = |rows: &[t::Named]| {
            let at = self.0.names.len() as u32;
            self.0.names.extend(rows);
            Rows { at, len: rows.len() as u32 }
        };
        let printed = add(&rows);
        rows.sort_by_key(|row| std::cmp::Reverse(row.text.len));
        let read = add(&rows);
        self.0.parts.push(t::Part { lo, width, printed, read, ..other });
        self.0.spellings = vec![Rows { at: 0, len: self.0.parts.len() as u32 }];
        self
    }

    /// The word of a text, or the message of the error.
    fn read(&self, text: &str) -> Result<u32, String> {
        let bytes = image::write(&self.0, u32::BITS);
        let mut reader = Reader::new(image::read::<u32>(&bytes).expect("good tables"));
        reader.read(text, 0, &no_symbols).map(|read| read.word).map_err(|error| error.to_string())
    }

    /// The texts of all bit patterns, after a check that each is read as the bits that it is printed for.
    fn texts(&self) -> Vec<String> {
        let bytes = image::write(&self.0, u32::BITS);
        let tables: Tables<'_, u32> = image::read(&bytes).expect("good tables");
        let mut reader = Reader::new(tables);
        let width = self.0.fields[0].width;
        let text = |word: u32| {
            let mut room = [0; 64];
            let mut out = Out::new(&mut room);
            tables.print(tables.texts(0).text, word, 0, &[], &mut out);
            let text = String::from_utf8_lossy(out.as_bytes()).into_owned();
            let read = reader.read(&text, 0, &no_symbols).map(|read| read.word).map_err(|error| error.to_string());
            assert!(text.contains('?') || read == Ok(word), "{text} is {read:?}, not {word}");
            text
        };
        (0..1 << width).map(text).collect()
    }
}

fn digits(radix: u8) -> t::Part {
    t::Part { other: t::DIGITS, radix, digits: 1, ..t::Part::default() }
}

#[test]
fn parts_one_behind_the_other() {
    let other = |made: &mut Made, before: &str| t::Part {
        before: made.str(before),
        other: t::NUMBERED,
        radix: 10,
        last: u128::MAX,
        ..t::Part::default()
    };
    // The notation of a RISC-V vector type.
    let mut made = Made::new(5, &[]);
    let wide = other(&mut made, "e");
    let made = made
        .part([0, 2], &[(0, "e8"), (1, "e16"), (2, "e32")], wide)
        .part([2, 1], &[(0, ",m"), (1, ",ta,m")], t::Part::default())
        .part([3, 2], &[(0, "f"), (3, "")], digits(10));
    let texts = made.texts();
    assert_eq!([&texts[0], &texts[1], &texts[7], &texts[0b11110]], ["xe8,mf", "xe16,mf", "xe3,ta,mf", "xe32,ta,m"]);
    assert_eq!(texts[0b10010], "xe32,m2");
}

#[test]
fn bits_that_are_read_by_parts_have_a_code() {
    let letters = |made: Made| {
        made.part([0, 1], &[(0, "-"), (1, "r")], t::Part::default()).part([1, 1], &[(0, "-"), (1, "w")], t::Part::default())
    };
    assert_eq!(letters(Made::new(2, &[])).texts(), ["x--", "xr-", "x-w", "xrw"]);
    assert_eq!(letters(Made::new(2, &[Step::Not])).texts(), ["xrw", "x-w", "xr-", "x--"]);
}

#[test]
fn names_beside_digits() {
    let made = Made::new(3, &[Step::Times(2), Step::Plus(2)]).part([0, 0], &[(2, "two"), (6, "six")], digits(10));
    assert_eq!(made.texts(), ["xtwo", "x4", "xsix", "x8", "x10", "x12", "x14", "x16"]);
    let made = Made::new(2, &[Step::Not]).part([0, 0], &[(0, "zero"), (1, "")], t::Part::default());
    assert_eq!(made.texts(), ["x?3", "x?2", "x", "xzero"]);
    let made = Made::new(2, &[Step::Sign]).part([0, 0], &[], digits(16));
    assert_eq!(made.texts(), ["x0x0", "x0x1", "x-0x2", "x-0x1"]);
}

#[test]
fn a_number_has_one_sign_and_ends_with_its_word() {
    let made = Made::new(3, &[Step::Sign]).part([0, 0], &[], digits(10));
    let expected = |what: &str, found: &str| Err(format!("expected {what}, found {found}"));
    for text in ["x3", "x+3", "x0x3", "x+0X3"] {
        assert_eq!(made.read(text), Ok(3), "{text}");
    }
    assert_eq!((made.read("x-3"), made.read("x-0x4")), (Ok(5), Ok(4)));
    for (text, found) in [("x--3", "-"), ("x-+3", "-"), ("x+-3", "+"), ("x++3", "+"), ("x-0x-3", "-0x"), ("x--0x3", "-")] {
        assert_eq!(made.read(text), expected("a number", &format!("`{found}`")), "{text}");
    }
    // What follows in the text of the form is not a part of the word that the number is in.
    let [dot, letter] = [".", "y"].map(|text| Made::new(3, &[Step::Sign]).part([0, 0], &[], digits(10)).before(text));
    assert_eq!((dot.read("x3."), dot.read("x0x3.")), (Ok(3), Ok(3)));
    assert_eq!(letter.read("x3y"), Err("there is no instruction `x3y`".into()));
    assert_eq!(letter.read("x-1y"), expected("the end of the number after `1`", "`y`"));
}

#[test]
fn the_nearest_word_of_a_text_is_the_least_of_the_nearest() {
    // Bits of which each node asks one; below it are those that are asked next.
    let made = |rows: &[(u8, u32, u32)]| {
        let mut made = Made::new(3, &[]).part([0, 0], &[], digits(10));
        made.0.nodes.extend(rows.iter().map(|(bit, lo, hi)| t::Node { bit: *bit, lo: *lo, hi: *hi }));
        made.0.forms[0].legal = made.0.nodes.len() as u32 - 1;
        made.0.rows[1].rest = made.0.forms[0].legal;
        made.0.orders = vec![9, 8];
        made.0.order_of = vec![t::Order { bits: 16, order: Rows { at: 0, len: 2 } }];
        made
    };
    // Bit 8 or bit 9; both of them.
    assert_eq!(made(&[(8, 0, 1), (9, 2, 1)]).read("x5"), Ok(0x105));
    assert_eq!(made(&[(8, 0, 1), (9, 0, 2)]).read("x5"), Ok(0x305));
}

#[test]
fn damaged_codes_and_parts_are_refused() {
    let refused = |change: &dyn Fn(&mut Owned)| {
        let mut made = Made::new(3, &[Step::Times(2)]).part([0, 0], &[], digits(10));
        change(&mut made.0);
        image::read::<u32>(&image::write(&made.0, u32::BITS)).map(|_| ()).map_err(|error| error.to_string())
    };
    let row = |section: &str| Err(format!("the image is damaged: row 0 of `{section}` is out of range"));
    assert_eq!(refused(&|_| {}), Ok(()));
    assert_eq!(refused(&|all| all.code_steps[0].by = 0), row("code_steps"));
    assert_eq!(refused(&|all| all.code_steps[0].kind = 77), row("code_steps"));
    assert_eq!(refused(&|all| all.fields[0].code = 1), row("fields"));
    assert_eq!(refused(&|all| all.parts[0].other = 4), row("parts"));
    assert_eq!(refused(&|all| all.codes[0].steps.len = 2), row("codes"));
    assert_eq!(refused(&|all| all.codes[0].map.len = 1), row("codes"));
    let unordered = |all: &mut Owned| {
        all.mapped = vec![t::Mapped { bits: 1, number: 2 }, t::Mapped { bits: 1, number: 3 }];
        all.codes[0].map = Rows { at: 0, len: 2 };
    };
    assert_eq!(refused(&unordered), row("codes"));
    assert_eq!(refused(&|all| all.spellings[0].len = 2), row("spellings"));
    // The order of the bits in which near words are looked for.
    let ordered = |bit: u8, len: u32| {
        refused(&|all| {
            all.orders = vec![bit];
            all.order_of = vec![t::Order { bits: 16, order: Rows { at: 0, len } }];
        })
    };
    assert_eq!((ordered(31, 1), ordered(32, 1), ordered(31, 2)), (Ok(()), row("orders"), row("order_of")));
}
