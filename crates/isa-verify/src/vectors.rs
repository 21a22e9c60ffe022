//! Words and texts of a file with columns.

use crate::oracle::{Case, Said};
use isa_engine::Sized;
use isa_engine::WordShape;
use isa_engine::digits::parse_hex;
use isa_stream::{Input, Stop};
use std::path::Path;
use std::str::FromStr;

/// The contents of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Column {
    Word,
    Address,
    Text,
    Refused,
    Other,
}

/// The columns of a file: `word,address,_,text`.
#[derive(Clone, Debug)]
pub struct Columns(Vec<Column>);

impl FromStr for Columns {
    type Err = String;

    fn from_str(list: &str) -> Result<Self, String> {
        let column = |name: &str| match name.trim() {
            "word" => Ok(Column::Word),
            "address" => Ok(Column::Address),
            "text" => Ok(Column::Text),
            "refused" => Ok(Column::Refused),
            "_" => Ok(Column::Other),
            name => {
                Err(format!("`{name}` is not a column: there are `word`, `address`, `text`, `refused`, and `_` for any other"))
            }
        };
        let columns = list.split(',').map(column).collect::<Result<Vec<_>, _>>()?;
        let has = |wanted| columns.iter().filter(|column| **column == wanted).count();
        if has(Column::Word) != 1 || has(Column::Text) + has(Column::Refused) != 1 || has(Column::Address) > 1 {
            return Err("one column is `word`, and one `text` or `refused`; one may be `address`".to_owned());
        }
        Ok(Self(columns))
    }
}

/// The largest file, in bytes.
const MAX_FILE: u64 = 256 << 20;

/// The lines of a file, with columns separated by tabs. Empty lines and those that begin with `#` are skipped. A text that begins
/// with `!`, or any text in a column `refused`, is the reason for which a word has no text. `wrong` receives each line that has no
/// word, with its place.
pub(crate) fn read(path: &Path, columns: &Columns, shape: &WordShape, mut wrong: impl FnMut(String)) -> Result<Vec<Case>, Stop> {
    let mut lines = Input::open(Some(path))?.lines("text is");
    let name = path.display();
    let mut cases = Vec::new();
    while let Some((number, line)) = lines.next_line()? {
        if !line.trim().is_empty() && !line.starts_with('#') {
            match case(line, columns, shape) {
                Ok(case) => cases.push(case),
                Err(reason) => wrong(format!("{name}:{number}: {reason}")),
            }
        }
        if lines.read > MAX_FILE {
            return Err(Stop::new(format!("{name}:{number}: more than {} MiB, the maximum", MAX_FILE >> 20)));
        }
    }
    Ok(cases)
}

fn case(line: &str, columns: &Columns, shape: &WordShape) -> Result<Case, String> {
    let mut found = (None, 0, None);
    let mut texts = line.split('\t');
    for column in &columns.0 {
        let text = texts.next().ok_or("the line has too few columns, which tabs separate")?;
        let digits = |text: &str| text.trim().trim_start_matches("0x").to_owned();
        match column {
            Column::Word => found.0 = Some(word(&digits(text), shape)?),
            Column::Address => {
                let address = u64::from_str_radix(&digits(text), 16);
                found.1 = address.map_err(|_| format!("`{text}` is not a hexadecimal address"))?;
            }
            Column::Text => found.2 = Some(text.strip_prefix('!').map_or(Ok(text.to_owned()), |why| Err(why.trim().to_owned()))),
            Column::Refused => found.2 = Some(Err(text.to_owned())),
            Column::Other => {}
        }
    }
    let (Some(word), address, Some(oracle)): (_, _, Option<Said>) = found else { return Err("the line has no word".to_owned()) };
    Ok(Case { word, address, oracle })
}

fn word(digits: &str, shape: &WordShape) -> Result<Sized, String> {
    let bits = digits.len() as u64 * 4;
    let Some(bits) = shape.lengths.iter().find(|length| u64::from(length.next_multiple_of(4)) == bits) else {
        let lengths: Vec<String> = shape.lengths.iter().map(|bits| bits.div_ceil(4).to_string()).collect();
        return Err(format!("`{digits}` has {} digits; a word has {}", digits.len(), lengths.join(" or ")));
    };
    let word = parse_hex(digits.as_bytes()).ok_or_else(|| format!("`{digits}` is not a hexadecimal word"))?;
    Ok(Sized { word, bits: *bits })
}
