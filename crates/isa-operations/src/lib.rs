//! What an instruction does, as a straight list of operations on values of known width.
//!
//! A typed body ([`isa_model::semantics::typed`]) has variables, branches and blocks. [`List::of_body`] lowers it to a [`List`]: each
//! value is computed once, by one operation; what a branch decides is chosen between values, or is the condition of an
//! operation that has an effect. The operations are in the order in which they happen. With the fields open, a list says what a
//! form does; [`List::with`] makes the list of a word of it, in which nothing is left that the fields decide. [`Effects`] are what
//! the lists of an instruction read and write, and where it goes on.

mod builder;
mod effects;
mod list;
mod lowering;

#[cfg(test)]
mod tests;

pub use effects::{Access, Address, Base, Effects, Flow, Lists, MemoryAccess, MemoryKind};
pub use list::{Id, Known, List, Memory, Node, Op, Place};
