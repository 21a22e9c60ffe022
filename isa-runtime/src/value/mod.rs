//! Values of fields: the numbers that bits stand for.

mod code;
mod number;

pub use code::{Code, NotEncodable, Step};
pub use number::Number;
