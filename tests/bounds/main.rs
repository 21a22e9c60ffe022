//! Inputs that once hung, crashed or gave wrong answers, and damaged inputs, are answered in bounded time and memory.

mod cases;
mod expressions;
mod images;
mod mutated;
mod targets;
