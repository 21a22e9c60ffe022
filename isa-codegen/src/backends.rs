//! The list of back ends.

use crate::backend::Backend;

/// Every back end, in the order in which files are written.
pub fn backends() -> &'static [&'static dyn Backend] {
    &[
        &crate::rust::Rust,
        #[cfg(feature = "docs")]
        &crate::docs::Markdown,
        #[cfg(feature = "docs")]
        &crate::docs::Html,
        #[cfg(feature = "docs")]
        &crate::json::Model,
        &crate::image::Image,
    ]
}
