//! The grammar of the language, as pest reads it.

#![allow(missing_docs, unreachable_pub)]

#[derive(pest_derive::Parser)]
#[grammar = "lang/semantics.pest"]
pub(super) struct Grammar;
