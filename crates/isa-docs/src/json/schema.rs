//! A JSON Schema of specifications, for editors: which keys there are, what each means, and which values it takes.
//!
//! It is made from the tables by which specifications are read. It is laxer than `isagen check`: no key is required, as a file may
//! patch or be included by another one; texts are not looked into; and a text with `$`, a parameter, is allowed as any value.

use super::value::{Json, Object, print};
use isa_spec::keys::{Listing, Row, Shape};
use serde_json::Map;

/// The schema, with its line feeds.
pub fn schema() -> String {
    let mut parts = Parts::default();
    let listings = isa_spec::key_listings();
    let root = listings.first().map(|whole| parts.object(whole)).unwrap_or_default();
    let head = Object::default()
        .with("$schema", "http://json-schema.org/draft-07/schema#")
        .with("title", "A specification of isagen, or a part of one");
    let mut out = String::new();
    let definitions = Object::default().map("definitions", parts.done.into_iter().map(|(name, _, part)| (name, part)).collect());
    print(&head.extend(root).extend(definitions).into(), 0, &mut out);
    out.push('\n');
    out
}

/// The schemas of tables that others refer to.
#[derive(Default)]
struct Parts {
    /// Each with its name and its table.
    done: Vec<(String, Listing, Json)>,
}

impl Parts {
    /// The name of the schema of a table.
    fn name(&mut self, listing: &Listing) -> String {
        let keys = |listing: &Listing| -> Vec<_> { listing.rows.iter().map(|row| row.key).collect() };
        let is_same = |known: &Listing| known.what == listing.what && keys(known) == keys(listing);
        if let Some((name, ..)) = self.done.iter().find(|(_, known, _)| is_same(known)) {
            return name.clone();
        }
        let plain = listing.what.trim_start_matches("an ").trim_start_matches("a ").replace('`', "");
        let alike = self.done.iter().filter(|(_, known, _)| known.what == listing.what).count();
        let name = if alike == 0 { plain } else { format!("{plain} {}", alike + 1) };
        let place = self.done.len();
        self.done.push((name.clone(), listing.clone(), Json::Null));
        self.done[place].2 = self.object(listing).into();
        name
    }

    /// The schema of a mapping by a table.
    fn object(&mut self, listing: &Listing) -> Object {
        let named = listing.rows.iter().filter_map(|row| Some((row.key?.to_owned(), self.value(row))));
        let mut properties: Map<String, Json> = named.collect();
        // The reader takes these out of any mapping before it looks at keys.
        for key in ["for", "when", "<<"] {
            properties.entry(key).or_insert_with(|| Object::default().into());
        }
        let others = match listing.rows.iter().find(|row| row.key.is_none()) {
            Some(row) => self.value(row),
            None => Json::Bool(false),
        };
        Object::default().with("type", "object").map("properties", properties).with("additionalProperties", others)
    }

    /// The schema of the value of a key.
    fn value(&mut self, row: &Row) -> Json {
        let shape = match row.shape {
            Shape::Any => Object::default(),
            Shape::Text => scalar(),
            Shape::Texts => any_of(vec![scalar(), list(scalar())]),
            Shape::Pairs => any_of(vec![null(), mapping(scalar())]),
            Shape::Flag => any_of(vec![Object::default().with("type", "boolean"), parameter()]),
            Shape::Number(least, most) => {
                let number = Object::default().with("type", "integer").with("minimum", least);
                let number = if most == u64::MAX { number } else { number.with("maximum", most) };
                any_of(vec![number, pattern("^0[xXbBoO][0-9a-fA-F_]+$|^[0-9_]+$|\\$")])
            }
            Shape::Word(words) => {
                let words = words.iter().map(|word| match word.parse::<i64>() {
                    Ok(number) => number.into(),
                    Err(_) => (*word).into(),
                });
                any_of(vec![Object::default().list("enum", words.collect()), parameter()])
            }
            Shape::Part(table) => or_short(self.refer(&table())),
            Shape::Each(table) => or_short(mapping(or_short(self.refer(&table())))),
            Shape::List(table) => {
                let item = any_of(vec![self.refer(&table()), scalar()]);
                any_of(vec![list(item), self.refer(&table()), scalar()])
            }
        };
        let required = if row.is_required { " Required." } else { "" };
        Json::from(shape.with("description", format!("{}{required}", row.doc)))
    }

    fn refer(&mut self, listing: &Listing) -> Object {
        let name = self.name(listing).replace(' ', "%20");
        Object::default().with("$ref", format!("#/definitions/{name}"))
    }
}

fn any_of(all: Vec<Object>) -> Object {
    Object::default().list("anyOf", all.into_iter().map(Json::from).collect())
}

/// A mapping, or what the reader takes in the place of one.
fn or_short(mapping: Object) -> Object {
    any_of(vec![mapping, scalar(), list(Object::default())])
}

fn null() -> Object {
    Object::default().with("type", "null")
}

/// A text, which YAML may have read as a number.
fn scalar() -> Object {
    let types = ["string", "number", "boolean", "null"];
    Object::default().list("type", types.into_iter().map(Json::from).collect())
}

fn list(item: Object) -> Object {
    Object::default().with("type", "array").with("items", item)
}

fn mapping(value: Object) -> Object {
    Object::default().with("type", "object").with("additionalProperties", value)
}

fn pattern(pattern: &str) -> Object {
    Object::default().with("type", "string").with("pattern", pattern)
}

/// A text with a parameter.
fn parameter() -> Object {
    pattern("\\$")
}
