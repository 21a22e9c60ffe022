//! Tables of keys for readers: what the reference of the language prints.

use super::{KeyTable, Shape};
use std::fmt::Write;

/// The keys of a mapping, without what they are read into.
#[derive(Clone, Debug)]
pub struct Listing {
    /// The kind of mapping, with its article: `a register file`.
    pub what: &'static str,
    /// The key that is meant where there is no mapping.
    pub short: Option<&'static str>,
    /// The keys.
    pub rows: Vec<Row>,
}

/// A key.
#[derive(Clone, Debug)]
pub struct Row {
    /// Its name as Markdown: `` `index` ``, or what a name is.
    pub name: String,
    /// The key; `None` for all keys without a row.
    pub key: Option<&'static str>,
    /// The form of its value: `condition`, `1 to 64`.
    pub value: String,
    /// The shape of its value.
    pub shape: Shape,
    /// True if there is no such mapping without it.
    pub is_required: bool,
    /// Its meaning, as a line of Markdown.
    pub doc: String,
    /// The mappings that have the key, where a listing is of several.
    pub of: Vec<&'static str>,
}

impl<T> From<&KeyTable<T>> for Listing {
    fn from(table: &KeyTable<T>) -> Self {
        let mut listing = Self { what: table.what, short: table.short, rows: Vec::new() };
        for group in table.keys {
            for key in *group {
                listing.add(key.name, key.value(), key.shape(), key.needed.is_some(), key.doc);
            }
        }
        if let Some(others) = &table.others {
            listing.rows.push(Row {
                name: others.name.to_string(),
                key: None,
                value: others.value.to_string(),
                shape: others.shape,
                is_required: false,
                doc: others.doc.to_string(),
                of: Vec::new(),
            });
        }
        listing
    }
}

impl Listing {
    fn add(&mut self, key: &'static str, value: String, shape: Shape, is_required: bool, doc: &str) {
        let (name, doc) = (format!("`{key}`"), doc.to_string());
        self.rows.push(Row { name, key: Some(key), value, shape, is_required, doc, of: Vec::new() });
    }
}

impl Listing {
    /// One listing of several, each with a name: a key that they share is one row.
    pub fn merged(what: &'static str, listings: impl IntoIterator<Item = (&'static str, Listing)>) -> Self {
        let mut merged = Self { what, short: None, rows: Vec::new() };
        let mut count = 0;
        for (name, listing) in listings {
            count += 1;
            for row in listing.rows {
                match merged.rows.iter_mut().find(|known| known.name == row.name) {
                    Some(known) => known.of.push(name),
                    None => merged.rows.push(Row { of: vec![name], ..row }),
                }
            }
        }
        // Keys of all the mappings need no list of them.
        merged.rows.iter_mut().filter(|row| row.of.len() == count).for_each(|row| row.of.clear());
        merged
    }

    /// The listing as a table of Markdown.
    pub fn markdown(&self) -> String {
        let mut text = String::new();
        if let Some(short) = self.short {
            let is_key = self.rows.iter().any(|row| row.key == Some(short));
            let value = if is_key { format!("the value of `{short}` alone") } else { short.to_owned() };
            writeln!(text, "In place of the mapping, {value} can be written.\n").expect("writing to a String");
        }
        let several = self.rows.iter().any(|row| !row.of.is_empty());
        text.push_str(if several {
            "| key | on | value | what |\n|---|---|---|---|\n"
        } else {
            "| key | value | what |\n|---|---|---|\n"
        });
        for row in &self.rows {
            let cell = |text: &str| text.replace('|', "\\|");
            let on = match several {
                true if row.of.is_empty() => "all | ".to_string(),
                true => format!("{} | ", row.of.join(", ")),
                false => String::new(),
            };
            let required = if row.is_required { ", required" } else { "" };
            writeln!(text, "| {} | {on}{}{required} | {} |", row.name, cell(&row.value), cell(&row.doc))
                .expect("writing to a String");
        }
        text
    }
}

/// A page with a new text between its lines `<!-- NAME: begin -->` and `<!-- NAME: end -->`; `None` if it lacks one of them.
pub fn put_into_page(page: &str, name: &str, text: &str) -> Option<String> {
    let (begin, end) = (format!("<!-- {name}: begin -->\n"), format!("<!-- {name}: end -->\n"));
    let (before, rest) = page.split_once(&begin)?;
    let (_, after) = rest.split_once(&end)?;
    Some(format!("{before}{begin}{text}{end}{after}"))
}

#[cfg(test)]
mod tests {
    use super::super::Key;
    use super::*;

    #[derive(Default)]
    struct Thing {
        title: String,
        of: bool,
    }

    static THING: KeyTable<Thing> = KeyTable::or_short(
        "title",
        "a thing",
        &[&[
            Key::required("needs `title`", Key::prose("title", |t| &mut t.title, "its title")),
            Key::flag("of", |t| &mut t.of, "a | b"),
        ]],
    );
    static TITLED: KeyTable<Thing> = KeyTable::new("a titled thing", &[&[Key::prose("title", |t| &mut t.title, "its title")]]);

    #[test]
    fn a_listing_is_a_table_of_markdown() {
        assert_eq!(
            Listing::from(&THING).markdown(),
            "In place of the mapping, the value of `title` alone can be written.\n\n| key | value | what |\n|---|---|---|\n\
             | `title` | text, required | its title |\n| `of` | `true` or `false` | a \\| b |\n"
        );
        let merged = Listing::merged("things", [("things", (&THING).into()), ("titled", (&TITLED).into())]);
        assert_eq!(
            merged.markdown(),
            "| key | on | value | what |\n|---|---|---|---|\n| `title` | all | text, required | its title |\n\
             | `of` | things | `true` or `false` | a \\| b |\n"
        );
    }

    #[test]
    fn a_table_is_put_into_its_page() {
        let page = "a\n<!-- keys: begin -->\nold\n<!-- keys: end -->\nb\n";
        let wanted = "a\n<!-- keys: begin -->\nnew\n<!-- keys: end -->\nb\n";
        assert_eq!(put_into_page(page, "keys", "new\n").as_deref(), Some(wanted));
        assert_eq!(put_into_page(page, "others", "new\n"), None);
    }
}
