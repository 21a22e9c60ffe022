//! Small random specs, and what trying all their words says.

mod diffs;
mod floats;
mod generated;
mod readings;
mod specs;
