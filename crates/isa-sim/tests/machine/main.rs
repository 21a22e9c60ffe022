//! The machine by itself: divergence of warps, barriers, launches, and every fault with its whole message.

mod blocks;
mod divergence;
mod fair;
mod faults;
mod launches;
#[path = "../support/mod.rs"]
mod support;
mod toy;
