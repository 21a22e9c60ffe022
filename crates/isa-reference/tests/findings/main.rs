//! The findings of the reference implementations in specifications, and the pages about findings.

mod codes;
mod evidence;
mod same_text;
