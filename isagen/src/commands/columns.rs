//! `disasm --format arrow` and `--format parquet`: a row for each word.

use crate::codec::Job;
use crate::object;
use crate::output::{Reporter, Status};
use crate::spec;
use isa_arrow::arrow_array::{Array, ArrayRef, BinaryArray, RecordBatch, UInt64Array};
use isa_arrow::arrow_schema::SchemaRef;
use isa_arrow::{BATCH, Format, Rows, Scan, Sets, Sink};
use isa_engine::Codec;
use isa_stream::{Input, Stop, WordReader};
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
        refused |= batch.column_by_name("error").is_some_and(|column| column.null_count() < column.len());
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
        let mut rows = Rows::new(codec.fork(), true).map_err(failed)?;
        let schema = isa_arrow::word_schema();
        let mut sink = sink(self.format, &schema)?;
        let mut refused = false;
        loop {
            let (mut addresses, mut words) = (Vec::new(), Vec::new());
            while rows.len() < BATCH
                && let Some(item) = reader.next_word()?
            {
                addresses.push(item.address);
                match item.word {
                    Ok(sized) => {
                        let bytes = (0..sized.bits.div_ceil(8)).rev();
                        words.push(bytes.map(|byte| (sized.word >> (8 * byte)).limbs()[0] as u8).collect::<Vec<u8>>());
                        rows.push(sized, item.address).map_err(failed)?;
                    }
                    Err(bad) => {
                        words.push(Vec::new());
                        rows.refuse(&bad.reason).map_err(failed)?;
                    }
                }
            }
            if rows.is_empty() {
                break;
            }
            let words = BinaryArray::from_iter_values(&words);
            let mut columns: Vec<ArrayRef> = vec![Arc::new(UInt64Array::from(addresses)), Arc::new(words)];
            let said = rows.finish().map_err(failed)?;
            refused |= said.column_by_name("error").is_some_and(|column| column.null_count() < column.len());
            columns.extend(said.columns().iter().cloned());
            sink.write(&RecordBatch::try_new(schema.clone(), columns).map_err(failed)?).map_err(failed)?;
        }
        finish(sink)?;
        Ok(Status::of(refused))
    }
}
