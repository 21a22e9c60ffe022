//! What the reference implementations find in specifications, and what pages say of findings.

mod codes;
mod evidence;
mod same_text;
