//! Inputs and outputs, as long as they may be: read in batches, answered on several threads, and written in order.
//!
//! [`Lines`] reads the lines of an input, and [`WordReader`] its words; [`ordered`] distributes batches over threads; [`Escaped`]
//! is the output of all of it; [`replace`](fn@replace) writes files. What runs for each word of an input is here, or in a crate
//! below, so that these few crates are compiled for speed, and the commands for a short build.

mod escaped;
mod input;
mod lines;
mod numbers;
mod ordered;
mod replace;
mod stop;

pub use escaped::{Escaped, Out, out};
pub use input::{Bad, Content, Input, Item, WordReader, no_base, parse_line, read_bytes, read_text, shortest};
pub use lines::Lines;
pub use numbers::{count, share};
pub use ordered::{Then, ordered, threads};
pub use replace::{replace, replace_with};
pub use stop::Stop;
