//! Requests and their answers.

use crate::items::items;
use crate::json::{hex, list, object, text};
use crate::set::{Set, word};
use isa_engine::{Statement, Symbol, Word};
use isa_runtime::engine::read::Reader;
use isa_runtime::why::Why;

impl Set {
    /// The answer to a request; `None` if it is none.
    ///
    /// | request | answer |
    /// |---|---|
    /// | `word BITS WORD ADDRESS` | `{ form, text }` |
    /// | `print FORM WORD ADDRESS`, and lines with the names of registers that programs name | the text |
    /// | `full FORM WORD ADDRESS` | the text with all that it leaves open |
    /// | `values FORM WORD ADDRESS` | the bits and the text of each field: `[[raw, text], …]` |
    /// | `with FORM FIELD WORD RAW` | the word with other bits in a field |
    /// | `value FORM FIELD ADDRESS`, and the text of a field | its bits, or `null` |
    /// | `closest BITS WORD COUNT` | the forms that a word comes closest to: `[{ form, wrong, why }, …]` |
    /// | `form FORM` | the form: see `facts` |
    /// | `size DIGITS` | the length in bits of a word given by its digits, or `null` |
    /// | `read ADDRESS COUNT`, as many lines `NAME VALUE` of symbols, and a text | `{ form, bits, word, names }` |
    /// | `items`, and lines of words, bytes and texts | see `items` |
    ///
    /// Words, addresses and values are hexadecimal.
    pub(crate) fn answer(&mut self, request: &str) -> Option<String> {
        let (first, lines) = request.split_once('\n').map_or((request, None), |(first, rest)| (first, Some(rest)));
        let rest = lines.unwrap_or_default();
        let mut words = first.split(' ');
        let verb = words.next()?;
        if verb == "items" {
            return Some(items(self, rest));
        }
        let numbers: Vec<&str> = words.collect();
        let number = |at: usize| numbers.get(at)?.parse::<u32>().ok();
        let wide = |at: usize| Some(numbers.get(at)?).filter(|digits| digits.len() <= 64).and_then(|digits| word(digits));
        let address = |at: usize| u64::from_str_radix(numbers.get(at)?, 16).ok();
        let form = || number(0).map(|form| form as usize).filter(|form| *form < self.codec.forms());
        Some(match verb {
            "word" => {
                let (bits, word, address) = (number(0)?, wide(1)?, address(2)?);
                match self.codec.decode(word, bits) {
                    Ok(form) => object([("form", form.to_string()), ("text", text(&self.print(form, word, address)))]),
                    Err(refused) => object([("refused", text(&refused.message))]),
                }
            }
            "print" => {
                let names = lines.map_or_else(Vec::new, |lines| lines.split('\n').map(str::to_owned).collect());
                let statement = Statement { form: form()?, word: wide(1)?, names };
                let mut out = Vec::new();
                self.codec.print_statement(&statement, address(2)?, &mut out);
                text(&String::from_utf8_lossy(&out))
            }
            "full" => {
                let (form, mut out) = (form()?, Vec::new());
                self.codec.print_full(form, wide(1)?, address(2)?, &mut out);
                text(&String::from_utf8_lossy(&out))
            }
            "values" => {
                let (form, word, address, mut raws) = (form()?, wide(1)?, address(2)?, Vec::new());
                self.codec.raw_fields(form, word, &mut raws);
                let value = |(place, raw)| list([hex(raw), text(&self.codec.value_text(form, place, word, address))]);
                list(raws.into_iter().enumerate().map(value))
            }
            "with" => {
                let field = self.field(form()?, number(1)? as usize)?;
                hex(self.tables.with_raw(&field, wide(2)?, wide(3)?.low()))
            }
            "value" => {
                let field = self.field(form()?, number(1)? as usize)?;
                let reader = self.reader.get_or_insert_with(|| Reader::new(self.tables));
                hex(reader.bits_of_text(&field, rest, address(2)?)?)
            }
            "closest" => {
                let (bits, word) = (number(0)?, wide(1)?);
                let near = self.tables.closest_forms(word, bits, number(2)? as usize).into_iter();
                list(near.filter_map(|form| self.unlike(form, word)))
            }
            "form" => self.form(form()?),
            "size" => self.sized(numbers.first()?)?.bits.to_string(),
            "read" => {
                let (mut own, mut symbols) = (rest, Vec::new());
                for _ in 0..number(1)? {
                    let (line, rest) = own.split_once('\n')?;
                    let (name, value) = line.split_once(' ')?;
                    symbols.push((name, u64::from_str_radix(value, 16).ok()?));
                    own = rest;
                }
                let find = |name: &str| symbols.iter().find(|symbol| symbol.0 == name).map(|symbol| symbol.1);
                match self.codec.read(own, address(0)?, &|rest| Symbol::label(rest, find)) {
                    Ok(read) => object([
                        ("form", read.form.to_string()),
                        ("bits", self.codec.length(read.form).to_string()),
                        ("word", hex(read.word)),
                        ("names", list(read.names.iter().map(|name| text(name)))),
                    ]),
                    Err(error) => object([("refused", text(&error.message))]),
                }
            }
            _ => return None,
        })
    }

    /// The text of a word of a form.
    fn print(&mut self, form: usize, word: Word, address: u64) -> String {
        let mut out = Vec::new();
        self.codec.print(form, word, address, &mut out);
        String::from_utf8_lossy(&out).into_owned()
    }

    /// `{ form, wrong, why }`: a form, the bits of a word that it does not have, and the difference after its name.
    fn unlike(&self, form: u16, word: Word) -> Option<String> {
        let row = self.tables.form(form)?;
        let why = match self.tables.unlike(form, word)? {
            Why::Fixed { closest, differences } => {
                let differences: Vec<String> = differences.iter().map(ToString::to_string).collect();
                format!("{}: {}", closest.name, differences.join(", "))
            }
            Why::Excluded { form, why: "" } => form.name.to_owned(),
            why => why.to_string(),
        };
        let wrong = (word ^ row.value) & row.mask;
        Some(object([("form", form.to_string()), ("wrong", hex(wrong)), ("why", text(&why))]))
    }
}
