//! The instruction sets that ship with isagen, compiled from `specs/`: one module for each.
#![no_std]
// A spec's entry is quoted line by line; where a line ends in a statement, the printer sets a blank line after it.
#![allow(clippy::empty_line_after_doc_comments)]

include!(concat!(env!("OUT_DIR"), "/all.rs"));
