//! `disasm --format arrow` and `--format parquet`: a row for each word.

use crate::codec::Job;
use crate::object;
use crate::output::{Reporter, Status};
use crate::spec;
use isa_arrow::arrow_array::{Array, RecordBatch};
use isa_arrow::arrow_schema::SchemaRef;
use isa_arrow::{BATCH, Format, Placed, Scan, Sets, Sink};
use isa_engine::Codec;
use isa_stream::{Content, Input, Stop, WordReader};
use std::io::{BufWriter, Stdout};
use std::path::Path;
use std::sync::Arc;

/// The format of columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Columns {
    /// The stream of Arrow's IPC.
    Arrow,
    /// A file of Parquet.
    Parquet,
}

fn failed(why: impl Into<isa_arrow::Error>) -> Stop {
    match why.into() {
        isa_arrow::Error::Io(why) if why.kind() == std::io::ErrorKind::BrokenPipe => Stop::BrokenPipe,
        why => Stop::new(why.to_string()),
    }
}

fn sink(format: Columns, schema: &SchemaRef) -> Result<Sink<BufWriter<Stdout>>, Stop> {
    let format = if format == Columns::Arrow { Format::Arrow } else { Format::Parquet };
    Sink::new(BufWriter::new(std::io::stdout()), format, schema).map_err(failed)
}

fn finish(sink: Sink<BufWriter<Stdout>>) -> Result<(), Stop> {
    let mut to = sink.finish().map_err(failed)?;
    std::io::Write::flush(&mut to).map_err(failed)
}

/// True if a word is refused.
fn has_errors(batch: &RecordBatch) -> bool {
    batch.column_by_name("error").is_some_and(|column| column.null_count() < column.len())
}

/// The instructions of an object file.
pub(crate) fn object(path: &Path, spec: Option<&str>, format: Columns, reporter: &Reporter) -> Result<Status, Stop> {
    let data = object::read(path)?;
    let image = |name: &str| spec::image(name, reporter).map(|image| image.map(|image| (name.to_owned(), Arc::from(&*image))));
    let sets = match spec {
        Some(spec) => {
            let help = "`isagen build SPEC` writes its image, which is read";
            let no_image = || Stop::with_help(format!("{spec}: columns are made by an image"), help);
            let (name, image) = image(spec)?.ok_or_else(no_image)?;
            Sets::one(&name, image)
        }
        None => Sets::new(spec::shipped_names().filter_map(|name| image(name).transpose()).collect::<Result<_, _>>()?),
    };
    let of = Scan { sets: Arc::new(sets), file: Some(path.display().to_string()), ..Scan::default() };
    let mut sink = sink(format, &isa_arrow::scan_schema())?;
    let (mut written, mut refused) = (Ok(()), false);
    let scanned = isa_arrow::scan(&data, &of, &mut |batch| {
        refused |= has_errors(&batch);
        written = sink.write(&batch);
        written.is_ok()
    });
    written.map_err(failed)?;
    scanned.map_err(failed)?;
    finish(sink)?;
    Ok(Status::of(refused))
}

/// The words of an input.
pub(crate) struct Words<'a> {
    pub(crate) file: Option<&'a Path>,
    pub(crate) format: Columns,
}

impl Job for Words<'_> {
    fn run(self, codec: &dyn Codec) -> Result<Status, Stop> {
        let mut reader = WordReader::new(Input::open(self.file)?, codec)?;
        let mut rows = Placed::new(codec.fork(), true).map_err(failed)?;
        let mut sink = sink(self.format, &isa_arrow::word_schema())?;
        let mut refused = false;
        loop {
            while rows.len() < BATCH
                && let Some(item) = reader.next_word()?
            {
                let pushed = match item.content {
                    Ok(Content::Word(sized)) => rows.push(sized, item.address),
                    Ok(Content::Byte(byte)) => rows.refuse(&[byte], item.address, "a byte of data"),
                    Err(bad) => rows.refuse(&[], item.address, &bad.reason),
                };
                pushed.map_err(failed)?;
            }
            if rows.is_empty() {
                break;
            }
            let batch = rows.finish().map_err(failed)?;
            refused |= has_errors(&batch);
            sink.write(&batch).map_err(failed)?;
        }
        finish(sink)?;
        Ok(Status::of(refused))
    }
}
