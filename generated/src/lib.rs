//! The instruction sets that ship with isagen, compiled from `specs/`: one module for each.
#![no_std]

include!(concat!(env!("OUT_DIR"), "/all.rs"));
