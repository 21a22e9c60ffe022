//! The types of `<stdint.h>` that `softfloat-sys` names, as in glibc for x86-64; it builds for no other processor.
#![allow(non_camel_case_types)]

pub type int_fast32_t = i64;
pub type int_fast64_t = i64;
pub type uint_fast8_t = u8;
pub type uint_fast32_t = u64;
pub type uint_fast64_t = u64;
