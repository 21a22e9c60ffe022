//! Small good specs, one for each thing that the language can say, with values worked out by hand: which form a word belongs to,
//! its text, the word of a text, how many words are allocated and free, and what is said of those that are refused.

mod codes;
mod exam;
mod fields;
mod files;
mod readings;
mod texts;
mod words;
