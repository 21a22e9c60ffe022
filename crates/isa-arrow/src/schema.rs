//! The types of columns: the same for every instruction set.

use arrow_schema::{DataType, Field, Fields, Schema, SchemaRef};
use std::sync::Arc;

/// `struct<name, value, text>`, of a field of an instruction.
pub(crate) fn field_fields() -> Fields {
    Fields::from(vec![
        Field::new("name", DataType::Utf8, false),
        Field::new("value", DataType::UInt64, true),
        Field::new("text", DataType::Utf8, false),
    ])
}

/// The type of an item of the list of fields.
pub(crate) fn field_item() -> Arc<Field> {
    Arc::new(Field::new("item", DataType::Struct(field_fields()), false))
}

/// The columns of a row: `text, mnemonic, form, fields, error`.
pub fn fields() -> Fields {
    Fields::from(vec![
        Field::new("text", DataType::Utf8, true),
        Field::new("mnemonic", DataType::Utf8, true),
        Field::new("form", DataType::Utf8, true),
        Field::new("fields", DataType::List(field_item()), true),
        Field::new("error", DataType::Utf8, true),
    ])
}

/// The struct with these fields.
pub fn struct_type() -> DataType {
    DataType::Struct(fields())
}

/// Columns, followed by those of [`fields`].
fn with_fields(columns: Vec<Field>) -> SchemaRef {
    let own = columns.into_iter().map(Arc::new);
    Arc::new(Schema::new(own.chain(fields().iter().cloned()).collect::<Fields>()))
}

/// The columns of words and their contents.
pub fn word_schema() -> SchemaRef {
    with_fields(vec![Field::new("address", DataType::UInt64, false), Field::new("word", DataType::Binary, false)])
}

/// The columns of the instructions of object files.
pub fn scan_schema() -> SchemaRef {
    with_fields(vec![
        Field::new("file", DataType::Utf8, true),
        Field::new("object", DataType::UInt32, false),
        Field::new("arch", DataType::Utf8, false),
        Field::new("section", DataType::Utf8, false),
        Field::new("function", DataType::Utf8, true),
        Field::new("address", DataType::UInt64, false),
        Field::new("word", DataType::Binary, false),
    ])
}
