//! The front end on good specifications, and on faulty ones with their whole messages.

mod accepted;
mod codes;
mod every_key;
mod expand;
mod keys;
mod meaning;
mod mistakes;
mod planted;
mod refused;
mod schema;
mod slips;
