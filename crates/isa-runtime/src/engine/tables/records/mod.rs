//! The rows of tables, as records of plain numbers.

mod conditions;
mod fields;
mod forms;
mod references;
mod texts;
mod words;

pub use conditions::{Cube, Node, Term, Test};
pub use fields::{Class, Code, CodeStep, Enum, Field, Mapped, Named, Part, Range, Registers};
pub use forms::{Access, ControlItem, Exclusion, Fixed, Form, Held, Insn, Rule, Shorter, Texts};
pub use references::{Rows, Str};
pub use texts::{Key, Op, Refused, Step, Template};
pub use words::{Head, Hole, Length, Order, Region, Row};
