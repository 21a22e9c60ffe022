//! Fields as data: the numbers that bits encode, and the texts of numbers.

mod code;
mod map;
mod names;
mod number;
mod spelling;
mod step;

pub use code::{Code, NotEncodable};
pub use map::{Map, Several};
pub use names::{NamePart, Names};
pub use number::Number;
pub use spelling::{Bits, FloatStyle, Name, Numbered, Other, Part, Role, Spelling, Style};
pub use step::{Origin, Step, number_bits, number_of, word_bits};
