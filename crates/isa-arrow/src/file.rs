//! Batches in a file.

use crate::Error;
use arrow_array::RecordBatch;
use arrow_ipc::writer::StreamWriter;
use arrow_schema::SchemaRef;
use parquet::arrow::ArrowWriter;
use parquet::basic::Compression;
use parquet::file::properties::WriterProperties;
use std::io::Write;

/// Rows of a row group of Parquet: the number that a writer keeps in memory.
const GROUP: usize = 1 << 17;

/// The format of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// The stream of Arrow's IPC.
    Arrow,
    /// Parquet, with pages compressed by Snappy.
    Parquet,
}

/// Writes batches, and keeps at most a row group of them.
pub enum Sink<W: Write + Send> {
    /// A stream of Arrow's IPC.
    Arrow(Box<StreamWriter<W>>),
    /// A file of Parquet.
    Parquet(Box<ArrowWriter<W>>),
}

impl<W: Write + Send> Sink<W> {
    /// A file that is written to `to`.
    ///
    /// # Errors
    /// When it can't be written.
    pub fn new(to: W, format: Format, schema: &SchemaRef) -> Result<Self, Error> {
        Ok(match format {
            Format::Arrow => Self::Arrow(Box::new(StreamWriter::try_new(to, schema)?)),
            Format::Parquet => {
                let properties = WriterProperties::builder()
                    .set_compression(Compression::SNAPPY)
                    .set_max_row_group_row_count(Some(GROUP))
                    .build();
                Self::Parquet(Box::new(ArrowWriter::try_new(to, schema.clone(), Some(properties))?))
            }
        })
    }

    /// Writes a batch.
    ///
    /// # Errors
    /// When it can't be written, or is of another schema.
    pub fn write(&mut self, batch: &RecordBatch) -> Result<(), Error> {
        match self {
            Self::Arrow(to) => to.write(batch)?,
            Self::Parquet(to) => to.write(batch)?,
        }
        Ok(())
    }

    /// Ends the file.
    ///
    /// # Errors
    /// When it can't be written.
    pub fn finish(self) -> Result<W, Error> {
        Ok(match self {
            Self::Arrow(to) => to.into_inner()?,
            Self::Parquet(to) => to.into_inner()?,
        })
    }
}
