//! An instruction set in a program without the standard library, such as firmware: decoding and printing need no allocator, and
//! input from a device is never trusted.
//!
//! The crate has a panic handler, so it compiles only if no dependency uses the standard library, which has one, too: `cargo
//! check -p no-std` is the proof that `isa-runtime` and the code of `define_isa!` are `no_std`.
#![no_std]

isa_macros::define_isa!(
    r#"
isa: device
summary: The commands of a device
word: 16
registers:
  R: { index: 3, width: 16, text: "r{n}" }
instructions:
  set:
    summary: Writes a number to a register.
    fix: { 15..12: 1 }
    fields: { d: 11..9 R, n: 8..0 }
    text: "set {d}, {n}"
  read:
    summary: Sends a register.
    fix: { 15..12: 2 }
    fields: { a: 11..9 R }
    reserved: 8..0
    text: "read {a}"
"#
);

/// Executes a command on the registers of the device; returns the value that it sends, if any.
///
/// # Errors
/// When the word is not a command.
pub fn execute(registers: &mut [u16; 8], word: u16) -> Result<Option<u16>, device::DecodeError> {
    Ok(match device::decode(word.into())? {
        device::Insn::Set(set) => {
            if let Some(register) = registers.get_mut(usize::from(set.d().index())) {
                *register = set.n();
            }
            None
        }
        device::Insn::Read(read) => registers.get(usize::from(read.a().index())).copied(),
    })
}

/// Writes the text of a command into a buffer of the caller, as for a log; returns its bytes.
///
/// # Errors
/// When the word is not a command.
pub fn log(word: u16, out: &mut [u8]) -> Result<usize, device::DecodeError> {
    let mut text = device::TextBuf::new();
    let command = device::decode(word.into())?;
    command.push_text(0, &mut text).expect("an empty buffer of the module has room for any of its texts");
    let bytes = text.as_str().as_bytes();
    let length = bytes.len().min(out.len());
    out[..length].copy_from_slice(&bytes[..length]);
    Ok(length)
}

#[panic_handler]
fn stop(_: &core::panic::PanicInfo<'_>) -> ! {
    loop {
        core::hint::spin_loop();
    }
}
