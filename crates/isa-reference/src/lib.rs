//! The reference implementations of isagen: what a specification means, by walking its model. They are slow beside tables and generated
//! code and say the same; tests hold the two equal.
//!
//! - [`codec`]: decode, encode, print and parse; [`eval`]: what instructions do;
//! - [`case`]: one instruction on given inputs, as `isagen eval` runs it;
//! - [`evidence`]: what errata say is executed; [`lint`]: what a specification should rather not do; [`pseudo`]: what the
//!   assembler adds; [`examine`]: all findings;
//! - [`codes`]: a page for each code of a finding, with an example and what is found in it;
//! - [`certificate`]: the proof that encodings don't clash, and what is free;
//! - [`samples`]: words to try things on.

pub mod case;
pub mod certificate;
pub mod codec;
pub mod codes;
pub mod eval;
pub mod evidence;
pub mod examine;
pub mod lint;
pub mod pseudo;
pub mod samples;
