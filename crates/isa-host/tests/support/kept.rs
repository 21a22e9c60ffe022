//! A stream whose bytes are kept.

use std::cell::RefCell;
use std::io::Write;
use std::rc::Rc;

/// Bytes that are kept.
#[derive(Clone, Default)]
pub(crate) struct Kept(pub(crate) Rc<RefCell<Vec<u8>>>);

impl Write for Kept {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.borrow_mut().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}
