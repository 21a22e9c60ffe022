//! Small good specs, one for each thing that the language can say, with values worked out by hand: the form of a word, its text,
//! the word of a text, the numbers of allocated and free words, and the messages about refused ones.

mod codes;
mod exam;
mod fields;
mod files;
mod readings;
mod texts;
mod words;
