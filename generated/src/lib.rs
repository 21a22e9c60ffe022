//! The instruction sets that ship with isagen, compiled from `specs/`: one module for each.
#![no_std]
// A spec's entry is quoted line by line; where a line ends in a statement, the printer sets a blank line after it.
#![allow(clippy::empty_line_after_doc_comments)]

isa_runtime::if_sim! {
    /// Somebody who does something with the engine of an instruction set, whichever it is.
    pub trait EngineVisitor {
        /// What comes of it.
        type Output;

        /// Does it.
        fn visit<E: isa_runtime::sim::Engine>(self, engine: &E) -> Self::Output;
    }
}

include!(concat!(env!("OUT_DIR"), "/all.rs"));
