//! The layout of a form, as letters on a line and as cells of a ruler.

use isa_spec::model::{Bits, Form, PlainKind};

/// Letters for the fields of forms: upper case for those that all forms have, lower case for the rest.
#[derive(Clone, Default)]
pub(super) struct Keys {
    letters: Vec<(String, char)>,
}

impl Keys {
    /// Letters for what is common to all forms.
    pub(super) fn common<'a>(paths: impl IntoIterator<Item = &'a str>) -> Self {
        Self { letters: paths.into_iter().map(str::to_owned).zip('A'..='Z').collect() }
    }

    /// The same with letters for what these forms have besides; the fields that begin further left come first.
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

/// A cell of a ruler.
pub(super) struct Cell {
    /// Bits, which is how wide it is.
    pub(super) width: u32,
    /// `63..32`
    pub(super) bits: String,
    /// The field's name, or its letter where there is no room for more; the value of fixed bits.
    pub(super) label: String,
    /// `field`, `fixed`, `ignored`, `unknown` or `reserved`.
    pub(super) class: &'static str,
    /// Bits and name.
    pub(super) title: String,
}

/// The bits of a form as rows of at most 32 bits.
pub(super) fn ruler(form: &Form, keys: &Keys) -> Vec<Vec<Cell>> {
    // What each bit belongs to.
    let mut owner: Vec<(&'static str, String)> = vec![("fixed", String::new()); form.length as usize];
    let mut fill = |bits: &Bits, class, label: &str| {
        for range in &bits.0 {
            owner[range.lo as usize..=range.hi as usize].fill((class, label.to_owned()));
        }
    };
    for fixed in &form.fixed {
        fill(&fixed.bits, "fixed", &fixed.name);
    }
    for field in &form.fields {
        fill(&field.bits, "field", &field.path);
    }
    for plain in &form.plain {
        let class = match plain.what {
            PlainKind::Ignored => "ignored",
            PlainKind::Unknown => "unknown",
            PlainKind::Reserved => "reserved",
        };
        fill(&Bits(vec![plain.bits]), class, "");
    }
    let mut rows = Vec::new();
    let mut top = form.length;
    while top > 0 {
        let low = (top - 1) / 32 * 32;
        let mut row = Vec::new();
        let mut hi = top;
        while hi > low {
            let (class, name) = &owner[hi as usize - 1];
            let lo = (low..hi).rev().take_while(|b| owner[*b as usize] == (*class, name.clone())).last().unwrap_or(hi - 1);
            let width = hi - lo;
            let digits = || (lo..hi).rev().map(|b| if form.value.has(b) { '1' } else { '0' }).collect::<String>();
            let fits = |text: &str| text.chars().count() <= 3 * width as usize + 1;
            let label = match *class {
                "field" if fits(name) => name.clone(),
                "field" => keys.of(name).map(String::from).unwrap_or_default(),
                "fixed" => digits(),
                "reserved" => "0".repeat(width as usize),
                other if fits(other) => other.to_owned(),
                "ignored" => "-".to_owned(),
                _ => "?".to_owned(),
            };
            let bits = if width == 1 { lo.to_string() } else { format!("{}..{lo}", hi - 1) };
            let title = if name.is_empty() { format!("{bits} {class}") } else { format!("{bits} {name}") };
            row.push(Cell { width, bits, label, class, title });
            hi = lo;
        }
        rows.push(row);
        top = low;
    }
    rows
}
