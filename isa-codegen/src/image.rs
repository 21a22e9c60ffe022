//! The image of an instruction set's tables, as a file.

use crate::backend::{Backend, File};
use isa_spec::diag::Diagnostic;
use isa_spec::model::Isa;

/// The image back end: `NAME.isat`, an [`isa_tables::image`].
#[derive(Debug)]
pub struct Image;

impl Backend for Image {
    fn name(&self) -> &'static str {
        "image"
    }

    fn emit(&self, isa: &Isa) -> Result<Vec<File>, Box<Diagnostic>> {
        Ok(vec![File::new(format!("{}.isat", isa.name), isa_tables::image(isa)?)])
    }
}
