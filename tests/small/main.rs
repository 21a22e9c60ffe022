//! Small random specs, and what trying all their words says.

mod diffs;
mod generated;
mod specs;
