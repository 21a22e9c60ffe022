//! The layout of a form, as letters on a line and as cells of a diagram.

use isa_spec::bits::BitRange;
use isa_spec::model::{Bits, Field, Form, PlainKind, Word};
use std::cmp::Reverse;

/// Letters for the fields of forms: upper case for those that all forms have, lower case for the rest.
#[derive(Clone, Default)]
pub(super) struct Keys {
    letters: Vec<(String, char)>,
}

impl Keys {
    /// Letters for the common parts of all forms.
    pub(super) fn common<'a>(paths: impl IntoIterator<Item = &'a str>) -> Self {
        Self { letters: paths.into_iter().map(str::to_owned).zip('A'..='Z').collect() }
    }

    /// The same with letters for the additional parts of these forms; the fields that begin further left come first.
    pub(super) fn with(&self, forms: &[Form]) -> Self {
        let mut fields: Vec<_> = forms.iter().flat_map(|f| &f.fields).collect();
        fields.sort_by_key(|f| std::cmp::Reverse(f.bits.0.first().map(|r| r.hi)));
        let mut keys = self.clone();
        let mut letters = ('a'..='z').chain('α'..='ω').chain('а'..='я');
        for field in fields {
            if keys.of(&field.path).is_none()
                && let Some(letter) = letters.next()
            {
                keys.letters.push((field.path.clone(), letter));
            }
        }
        keys
    }

    /// The letter of a field.
    pub(super) fn of(&self, path: &str) -> Option<char> {
        self.letters.iter().find(|(p, _)| p == path).map(|(_, c)| *c)
    }
}

/// The bits of a form from the most significant on, in rows of at most 64: `0`, `1` fixed, a letter for a field,
/// `-` ignored, `?` unknown.
///
/// ```text
/// 127..64  00AAABBB BBBCCCDD DDDE---- --------  ffff0hhh hhhggggg ggggiiii iiiijjjj
///  63..0   ...
/// ```
pub(super) fn pattern(form: &Form, keys: &Keys) -> Vec<String> {
    let mut signs: Vec<char> = (0..form.length).map(|bit| if form.value.has(bit) { '1' } else { '0' }).collect();
    let mut fill = |bits: &Bits, sign| bits.0.iter().for_each(|r| signs[r.lo as usize..=r.hi as usize].fill(sign));
    for field in &form.fields {
        fill(&field.bits, keys.of(&field.path).unwrap_or('*'));
    }
    for plain in &form.plain {
        let sign = match plain.what {
            PlainKind::Ignored => '-',
            PlainKind::Unknown => '?',
            PlainKind::Reserved => '0',
        };
        fill(&Bits(vec![plain.bits]), sign);
    }
    let mut rows = Vec::new();
    let mut top = form.length;
    let label_width = format!("{}..{}", top - 1, (top - 1) / 64 * 64).len();
    while top > 0 {
        let low = (top - 1) / 64 * 64;
        let mut row = format!("{:>label_width$}  ", format!("{}..{low}", top - 1));
        for bit in (low..top).rev() {
            row.push(signs[bit as usize]);
            match bit % 32 {
                0 => row.push_str("  "),
                b if b % 8 == 0 => row.push(' '),
                _ => {}
            }
        }
        rows.push(row.trim_end().to_owned());
        top = low;
    }
    rows
}

/// A cell of a diagram: adjacent bits of one field, or of one kind.
pub(super) struct Cell {
    /// Bits, which is how wide it is.
    pub(super) width: u32,
    /// The most significant bit.
    pub(super) hi: u32,
    /// The least significant bit.
    pub(super) lo: u32,
    /// The field's path, with the field's own bits if it is split: `imm[12|10:5]`; the value of fixed bits.
    pub(super) label: String,
    /// The field's path; empty if there is none.
    pub(super) field: String,
    /// `f0`, `f1`, … for a field, `fixed`, `ignored`, `unknown` or `reserved`.
    pub(super) class: String,
    /// Bits and name.
    pub(super) title: String,
}

/// The number of colours for fields.
const COLOURS: usize = 6;

/// The meaning of bits of a form, for a diagram.
struct Owner<'f> {
    class: String,
    field: Option<&'f Field>,
    fixed: &'f str,
}

/// Runs of bits of one owner between two bits, the most significant first.
fn runs<'o, 'f>(owners: &'o [Owner<'f>], hi: u32, lo: u32) -> Vec<(u32, u32, &'o Owner<'f>)> {
    let mut out: Vec<(u32, u32, &Owner<'_>)> = Vec::new();
    for bit in (lo..=hi).rev() {
        let owner = &owners[bit as usize];
        let same = |other: &Owner<'_>| {
            other.class == owner.class
                && other.fixed == owner.fixed
                && other.field.map(|f| &f.path) == owner.field.map(|f| &f.path)
        };
        match out.last_mut() {
            Some((_, last, of)) if same(of) => *last = bit,
            _ => out.push((bit, bit, owner)),
        }
    }
    out
}

fn owners(form: &Form) -> Vec<Owner<'_>> {
    let mut owners: Vec<_> = (0..form.length).map(|_| Owner { class: "fixed".to_owned(), field: None, fixed: "" }).collect();
    for fixed in &form.fixed {
        fixed.bits.places().into_iter().for_each(|bit| owners[bit as usize].fixed = &fixed.name);
    }
    // Colours follow the fields from the left.
    let mut fields: Vec<&Field> = form.fields.iter().collect();
    fields.sort_by_key(|f| Reverse(f.bits.0.iter().map(|r| r.hi).max()));
    for (at, field) in fields.into_iter().enumerate() {
        for bit in field.bits.places() {
            owners[bit as usize] = Owner { class: format!("f{}", at % COLOURS), field: Some(field), fixed: "" };
        }
    }
    for plain in &form.plain {
        let class = match plain.what {
            PlainKind::Ignored => "ignored",
            PlainKind::Unknown => "unknown",
            PlainKind::Reserved => "reserved",
        };
        for bit in plain.bits.lo..=plain.bits.hi {
            owners[bit as usize] = Owner { class: class.to_owned(), field: None, fixed: "" };
        }
    }
    owners
}

/// The bits of a field's number in a run of bits of the word, as manuals write them: `12|10:5`. If the number is multiplied by a
/// power of two, its lowest bits are not in the word.
fn own_bits(field: &Field, hi: u32, lo: u32) -> String {
    // places() names the bit of the word of each bit of the field, the least significant first.
    let places = field.bits.places();
    let scale = field.code.scale();
    let is_shift = field.code.bias() == 0 && scale > 0 && scale & (scale - 1) == 0;
    let lowest = if is_shift { scale.trailing_zeros() as usize } else { 0 };
    let own = |bit: u32| places.iter().position(|place| *place == bit).unwrap_or(0) + lowest;
    let mut parts: Vec<(usize, usize)> = Vec::new();
    for bit in (lo..=hi).rev().map(own) {
        match parts.last_mut() {
            Some((_, last)) if *last == bit + 1 => *last = bit,
            _ => parts.push((bit, bit)),
        }
    }
    let part = |(hi, lo): &(usize, usize)| if hi == lo { hi.to_string() } else { format!("{hi}:{lo}") };
    parts.iter().map(part).collect::<Vec<_>>().join("|")
}

/// The bits of a form as rows of at most 32 bits, the most significant first.
pub(super) fn diagram(form: &Form) -> Vec<Vec<Cell>> {
    let owners = owners(form);
    let cell = |(hi, lo, owner): (u32, u32, &Owner<'_>)| {
        let width = hi - lo + 1;
        let bits = BitRange { hi, lo };
        let (label, name) = match (owner.field, owner.class.as_str()) {
            (Some(field), _) if field.bits.0.len() > 1 => {
                let label = format!("{}[{}]", field.path, own_bits(field, hi, lo));
                (label.clone(), label)
            }
            (Some(field), _) => (field.path.clone(), field.path.clone()),
            (None, "fixed") if owner.fixed.is_empty() => (digits(form, hi, lo), "fixed".to_owned()),
            (None, "fixed") => (digits(form, hi, lo), owner.fixed.to_owned()),
            (None, class) => (String::new(), class.to_owned()),
        };
        let field = owner.field.map(|f| f.path.clone()).unwrap_or_default();
        Cell { width, hi, lo, label, field, class: owner.class.clone(), title: format!("{name}, {bits}") }
    };
    let mut rows = Vec::new();
    let mut top = form.length;
    while top > 0 {
        let low = (top - 1) / 32 * 32;
        rows.push(runs(&owners, top - 1, low).into_iter().map(cell).collect());
        top = low;
    }
    rows
}

/// The layout of a form in one line: a path of a picture, one unit a bit, for fixed bits and for each colour of fields.
pub(super) fn strip(form: &Form) -> Vec<(String, String)> {
    let owners = owners(form);
    let mut paths: Vec<(String, String)> = Vec::new();
    for (hi, lo, owner) in runs(&owners, form.length - 1, 0) {
        if matches!(owner.class.as_str(), "ignored" | "unknown" | "reserved") {
            continue;
        }
        let width = hi - lo + 1;
        let piece = format!("M{} 0h{width}v8h-{width}z", form.length - 1 - hi);
        match paths.iter_mut().find(|(class, _)| *class == owner.class) {
            Some((_, path)) => path.push_str(&piece),
            None => paths.push((owner.class.clone(), piece)),
        }
    }
    paths
}

/// The layout of a form in one line of characters, one a bit: classes and texts. Fixed bits are digits, a field has its name in
/// the middle as far as there is room.
pub(super) fn bar(form: &Form) -> Vec<(String, String)> {
    let owners = owners(form);
    let piece = |(hi, lo, owner): (u32, u32, &Owner<'_>)| {
        let width = (hi - lo + 1) as usize;
        let text = match (owner.field, owner.class.as_str()) {
            (Some(field), _) => {
                let name: String = field.path.chars().take(width).collect();
                format!("{name:^width$}")
            }
            (None, "fixed" | "reserved") => digits(form, hi, lo),
            (None, _) => " ".repeat(width),
        };
        (owner.class.clone(), text)
    };
    runs(&owners, form.length - 1, 0).into_iter().map(piece).collect()
}

/// The values of bits that are fixed.
fn digits(form: &Form, hi: u32, lo: u32) -> String {
    (lo..=hi).rev().map(|bit| if form.value.has(bit) { '1' } else { '0' }).collect()
}

/// Bits of a hexadecimal digit.
const DIGIT: u32 = 4;

/// The most bits of words that are shown by their hexadecimal digits.
const DIGITS: u32 = 32;

/// A word in hexadecimal digits, with a letter of the field where a digit is not fixed: `Fx07`; none if a digit is fixed in part,
/// or belongs to several fields, or all digits are of fields.
pub(super) fn hexadecimal(form: &Form) -> Option<String> {
    if !form.length.is_multiple_of(DIGIT) || form.length > DIGITS {
        return None;
    }
    let owners = owners(form);
    fn path<'f>(owner: &Owner<'f>) -> Option<&'f str> {
        owner.field.map(|field| field.path.as_str())
    }
    let is_fixed = |owner: &Owner<'_>| matches!(owner.class.as_str(), "fixed" | "reserved");
    let digit = |lo: u32| {
        let bits = &owners[lo as usize..(lo + DIGIT) as usize];
        if bits.iter().all(is_fixed) {
            let value = (form.value >> lo & Word::ones(DIGIT)).low();
            return Some(format!("{value:X}"));
        }
        let one = path(&bits[0]);
        let is_one = bits.iter().all(|bit| !is_fixed(bit) && path(bit) == one);
        // The field of an operand has the operand's name before its own.
        let letter = one.map_or(Some('-'), |path| path.rsplit('.').next()?.chars().next()?.to_lowercase().next());
        letter.filter(|_| is_one).map(String::from)
    };
    let text: Vec<String> = (0..form.length / DIGIT).rev().map(|at| digit(at * DIGIT)).collect::<Option<_>>()?;
    let has_fixed = owners.iter().any(is_fixed);
    has_fixed.then(|| text.concat())
}

#[cfg(test)]
mod tests {
    use super::*;

    const SPEC: &str = r#"
isa: t
word: 32
instructions:
  beq:
    fix: { op: 0x63 }
    fields: { imm: 31 ++ 7 ++ 30..25 ++ 11..8 signed *2, rs2: 24..20, rs1: 19..15, op: 6..0 }
    ignored: 14..12
    text: "beq {rs1}, {rs2}, {imm}"
"#;

    #[test]
    fn bits_of_a_scrambled_number() {
        let loaded = isa_spec::load_str("t.yaml", SPEC, None);
        let findings: Vec<_> = loaded.diagnostics.iter().map(|d| &d.message).collect();
        let isa = loaded.isa.unwrap_or_else(|| panic!("{findings:?}"));
        let rows = diagram(&isa.forms[0]);
        let cells: Vec<_> = rows.iter().flatten().map(|c| (c.hi, c.lo, c.label.as_str(), c.class.as_str())).collect();
        let expected = [
            (31, 25, "imm[12|10:5]", "f0"),
            (24, 20, "rs2", "f1"),
            (19, 15, "rs1", "f2"),
            (14, 12, "", "ignored"),
            (11, 7, "imm[4:1|11]", "f0"),
            (6, 0, "1100011", "fixed"),
        ];
        assert_eq!(cells, expected);
        let paths =
            [("f0", "M0 0h7v8h-7zM20 0h5v8h-5z"), ("f1", "M7 0h5v8h-5z"), ("f2", "M12 0h5v8h-5z"), ("fixed", "M25 0h7v8h-7z")];
        assert_eq!(strip(&isa.forms[0]), paths.map(|(class, path)| (class.to_owned(), path.to_owned())));
    }

    #[test]
    fn words_in_digits_and_in_one_line() {
        let spec = "isa: t\nword: 16\ninstructions:\n  \
            ld: { fix: { 15..12: 15, 7..0: 0x1e }, fields: { x: 11..8 }, text: 'ld {x}' }\n  \
            jp: { fix: { 15..12: 1 }, fields: { nnn: 11..0 }, text: 'jp {nnn}' }\n  \
            in: { fix: { 15..12: 2 }, fields: { port: 11..8 }, ignored: 7..4, reserved: 3..0, text: 'in {port}' }\n  \
            odd: { fix: { 15..12: 3, 11: 0 }, fields: { n: 10..0 }, text: 'odd {n}' }\n  \
            two: { fix: { 15..8: 0x45 }, fields: { a: 7..5, b: 4..0 }, text: 'two {a}, {b}' }\n";
        let loaded = isa_spec::load_str("t.yaml", spec, None);
        let isa = loaded.isa.unwrap_or_else(|| panic!("{:?}", loaded.diagnostics));
        let shown: Vec<_> = isa.forms.iter().map(hexadecimal).collect();
        assert_eq!(shown, [Some("Fx1E"), Some("1nnn"), Some("2p-0"), None, None].map(|text| text.map(str::to_owned)));
        let shown = bar(&isa.forms[2]);
        let expected = [("fixed", "0010"), ("f0", "port"), ("ignored", "    "), ("reserved", "0000")];
        assert_eq!(shown, expected.map(|(class, text)| (class.to_owned(), text.to_owned())));
        assert_eq!(bar(&isa.forms[4])[1..], [("f0", " a "), ("f1", "  b  ")].map(|(c, t)| (c.to_owned(), t.to_owned())));
    }
}
