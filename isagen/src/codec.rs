//! Words and texts of an instruction set.
//!
//! Commands are written for any [`Codec`]; [`with`] runs them on one of two: the engine of tables ([`isa_engine::open`]), or the
//! reference codec ([`Object`]), which walks the model.

use crate::output::{Reporter, Status};
use crate::spec;
use isa_engine::{Codec, Style};
use isa_reference::codec::Object;
use isa_spec::model::Isa;
use isa_stream::Stop;

/// A job that runs on any codec.
pub(crate) trait Job {
    /// Runs the job.
    fn run(self, codec: &dyn Codec) -> Result<Status, Stop>;
}

/// The implementation that decodes and prints words, and reads texts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum CodecKind {
    /// The engine of tables.
    Tables,
    /// The reference codec, which walks the specification: slow, and a second opinion.
    Reference,
}

/// Runs a job on a codec of an instruction set. The tables of a shipped one are built in, and an image consists of tables; any
/// other specification is loaded first.
pub(crate) fn with(
    spec: &str,
    (kind, style): (CodecKind, Style),
    wants_words: bool,
    reporter: &Reporter,
    job: impl Job,
) -> Result<Status, Stop> {
    if kind == CodecKind::Reference && spec::is_image(spec) {
        let message = format!("{spec} is an image of tables: `--engine reference` needs a specification");
        return Err(Stop::with_help(message, "without `--engine reference`, an image is read"));
    }
    if kind == CodecKind::Tables
        && let Some(image) = spec::image(spec, reporter)?
    {
        return with_image(&image, (spec, style), wants_words, job);
    }
    let isa = match if wants_words { spec::model_with_words(spec, reporter) } else { spec::model(spec, reporter) }? {
        Ok(isa) => isa,
        Err(status) => return Ok(status),
    };
    with_model(spec, &isa, (kind, style), job)
}

/// The same for a specification that has been loaded.
pub(crate) fn with_model(spec: &str, isa: &Isa, (kind, style): (CodecKind, Style), job: impl Job) -> Result<Status, Stop> {
    if kind == CodecKind::Reference {
        let codec = isa_reference::codec::Codec::new(isa).with_lengths(style.lengths);
        return job.run(&Object::new(&if style.aliases { codec } else { codec.without_aliases() }));
    }
    match isa_specs::own_name(spec).and_then(generated::image) {
        Some(image) => with_image(image, (spec, style), false, job),
        None => {
            let image = isa_tables::image(isa);
            let image = image.map_err(|e| Stop::with_help(e.message, "`--engine reference` does without tables"))?;
            with_image(&image, (spec, style), false, job)
        }
    }
}

/// Runs a job on the engine of an image of the instruction set with this name or path.
fn with_image(image: &[u8], (spec, style): (&str, Style), wants_words: bool, job: impl Job) -> Result<Status, Stop> {
    let codec = isa_engine::open(image, style).map_err(|error| {
        Stop::with_help(
            format!("{spec}: {error}"),
            "an image is read by the version of isagen that wrote it: `isagen build SPEC` writes a new one",
        )
    })?;
    if wants_words && codec.is_text() {
        return Err(spec::no_words(codec.name(), spec));
    }
    job.run(&*codec)
}
