//! isagen as a WebAssembly module: the engine of the explorer, and of other programs in JavaScript.
//!
//! An instance of the module is for one instruction set. [`room`] makes room for bytes, which the caller writes: an image for
//! [`open`], a request for [`ask`]. Both return the length of an answer in JSON, which begins at [`answer`]. A request is a line
//! with a word and numbers, then lines of text; `request` has all of them. `crates/isa-docs/templates/site/engine.js` does this.
//!
//! The memory that the caller reads and writes is that of vectors, which Rust has initialised: no block is unsafe. The functions
//! of `isa-capi` pass pointers instead, and answer fewer questions.

mod facts;
mod items;
mod json;
mod request;
mod set;

use set::Set;
use std::cell::RefCell;

/// The bytes that the caller writes and reads, and the instruction set.
struct State {
    bytes: Vec<u8>,
    set: Option<Set>,
}

thread_local! {
    static STATE: RefCell<State> = const { RefCell::new(State { bytes: Vec::new(), set: None }) };
}

/// Makes room for bytes; returns their place.
// SAFETY: no other crate exports this name, nor those below.
#[unsafe(no_mangle)]
pub extern "C" fn room(size: usize) -> *mut u8 {
    STATE.with_borrow_mut(|state| {
        state.bytes.clear();
        state.bytes.resize(size, 0);
        state.bytes.as_mut_ptr()
    })
}

/// Opens the instruction set of the image in the bytes. The answer describes it, or has the member `error`.
// SAFETY: as above.
#[unsafe(no_mangle)]
pub extern "C" fn open() -> usize {
    STATE.with_borrow_mut(|state| {
        let answer = match Set::open(&state.bytes) {
            Ok(set) => {
                let answer = set.describe();
                state.set = Some(set);
                answer
            }
            Err(error) => format!("{{\"error\":{}}}", json::text(&error.to_string())),
        };
        state.bytes = answer.into_bytes();
        state.bytes.len()
    })
}

/// Answers the request in the bytes. A word or a text that is refused has the member `refused`; a request that is none is `null`.
// SAFETY: as above.
#[unsafe(no_mangle)]
pub extern "C" fn ask() -> usize {
    STATE.with_borrow_mut(|State { bytes, set }| {
        let request = String::from_utf8_lossy(bytes);
        let answer = set.as_mut().and_then(|set| set.answer(&request)).unwrap_or_else(|| "null".to_owned());
        *bytes = answer.into_bytes();
        bytes.len()
    })
}

/// The place of the last answer.
// SAFETY: as above.
#[unsafe(no_mangle)]
pub extern "C" fn answer() -> *const u8 {
    STATE.with_borrow(|state| state.bytes.as_ptr())
}
