//! Errors of columns and files.

use arrow_schema::{ArrowError, DataType};
use std::fmt;

/// A reason why there are no columns.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// A column is not one of words.
    Words(DataType),
    /// A column is not one of addresses, or has another length than that of the words.
    Addresses(String),
    /// Texts or fields of one array have more than 2^31 bytes or items.
    TooLarge,
    /// The instruction set has no words.
    NoWords(String),
    /// An object file, or a part of it, can't be read.
    Object(isa_object::Error),
    /// There is no instruction set for the code of a file.
    NoReader(String),
    /// An error of Arrow or Parquet.
    Arrow(ArrowError),
    /// A file can't be written.
    Io(std::io::Error),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Words(found) => write!(
                f,
                "a column of words has unsigned integers, or bytes (fixed_size_binary or binary) with the most significant first; this one has {found}"
            ),
            Self::Addresses(why) => f.write_str(why),
            Self::TooLarge => f.write_str("the texts of one array have more than 2^31 bytes: give the words in several arrays"),
            Self::NoWords(name) => write!(f, "{name} has no binary form: it is text-only"),
            Self::Object(why) => why.fmt(f),
            Self::NoReader(architectures) => write!(f, "no instruction set is for the code of {architectures}"),
            Self::Arrow(why) => why.fmt(f),
            Self::Io(why) => why.fmt(f),
        }
    }
}

impl std::error::Error for Error {}

impl From<ArrowError> for Error {
    fn from(why: ArrowError) -> Self {
        Self::Arrow(why)
    }
}

impl From<isa_object::Error> for Error {
    fn from(why: isa_object::Error) -> Self {
        Self::Object(why)
    }
}

impl From<parquet::errors::ParquetError> for Error {
    fn from(why: parquet::errors::ParquetError) -> Self {
        Self::Arrow(why.into())
    }
}

impl From<std::io::Error> for Error {
    fn from(why: std::io::Error) -> Self {
        Self::Io(why)
    }
}
