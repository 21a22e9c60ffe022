//! What once hung, crashed or went wrong, and what is damaged, is answered in bounded time and memory.

mod cases;
mod images;
mod mutated;
