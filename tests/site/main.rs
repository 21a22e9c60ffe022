//! The pages, in a browser and in node.

mod explorer;
mod module;
mod pages;
