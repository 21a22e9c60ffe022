//! What the front end says of specifications: of good ones, and of faulty ones with whole messages.

mod accepted;
mod codes;
mod every_key;
mod expand;
mod keys;
mod meaning;
mod mistakes;
mod refused;
mod slips;
