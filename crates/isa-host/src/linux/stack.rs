//! The initial stack of a program.

use super::abi::Abi;
use super::options::{Options, StartError};
use super::process::USER;
use isa_object::Executable;
use isa_sim::PAGE;

/// The alignment of the stack pointer.
const ALIGNMENT: u64 = 16;
/// The least number of stack bytes that are left to the program.
const RESERVE: u64 = 512;

/// The content of the stack.
pub(super) struct Content<'a, 'h> {
    pub(super) options: &'a Options<'h>,
    pub(super) executable: &'a Executable<'a>,
    /// `AT_HWCAP`
    pub(super) features: u64,
    /// The bytes that `AT_RANDOM` points to.
    pub(super) seed: [u8; 16],
}

impl Content<'_, '_> {
    /// The stack pointer, and the bytes from there up to the end of a stack of `size` bytes.
    ///
    /// From the end down: a word of zeros, the name of the program, environment, arguments, random bytes; then words: the
    /// auxiliary vector, pointers to the environment and to the arguments, and the number of arguments at the stack pointer.
    pub(super) fn build(&self, abi: Abi, end: u64, size: u64) -> Result<(u64, Vec<u8>), StartError> {
        let Options { arguments, environment, .. } = self.options;
        if let Some(bad) = arguments.iter().chain(environment).find(|text| text.contains(&0)) {
            return Err(StartError::Zero(bad.clone()));
        }
        let name = arguments.first().map_or(&b""[..], |name| name.as_slice());
        let texts = || arguments.iter().chain(environment).map(Vec::as_slice).chain([name]);
        let text_bytes: u64 = texts().map(|text| text.len() as u64 + 1).sum();
        let count = arguments.len() as u64 + environment.len() as u64;
        // An upper bound for all words: pointers, their terminators, the number, and 20 entries.
        let wanted = text_bytes + (count + 3 + 2 * 20) * abi.word() + RESERVE;
        if wanted > size {
            return Err(StartError::Arguments { wanted, stack: size });
        }
        let mut at = end - abi.word() - text_bytes;
        let texts_at = at;
        let mut pointers = Vec::new();
        for text in texts() {
            pointers.push(at);
            at += text.len() as u64 + 1;
        }
        let name_at = pointers.pop().unwrap_or(at);
        let random_at = (texts_at - 16) / ALIGNMENT * ALIGNMENT;
        let (own, others) = pointers.split_at(arguments.len());

        let headers = self.executable.headers;
        let mut words = vec![arguments.len() as u64];
        words.extend_from_slice(own);
        words.push(0);
        words.extend_from_slice(others);
        words.push(0);
        let user = u64::from(USER);
        let vector = [
            (3, headers.address.unwrap_or(0)),
            (4, headers.size),
            (5, headers.count),
            (6, PAGE),
            (7, 0),
            (8, 0),
            (9, self.executable.entry),
            (11, user),
            (12, user),
            (13, user),
            (14, user),
            (16, self.features),
            (17, 100),
            (23, 0),
            (25, random_at),
            (31, name_at),
            (0, 0),
        ];
        // Headers that are in no segment are not announced.
        let known = vector.into_iter().filter(|(kind, _)| headers.address.is_some() || !(3..=5).contains(kind));
        words.extend(known.flat_map(|(kind, value)| [kind, value]));
        let pointer = (random_at - words.len() as u64 * abi.word()) / ALIGNMENT * ALIGNMENT;

        let mut all = abi.structure().words(&words).up_to((random_at - pointer) as usize).bytes(&self.seed);
        all = all.up_to((texts_at - pointer) as usize);
        for text in texts() {
            all = all.bytes(text).bytes(&[0]);
        }
        Ok((pointer, all.up_to((end - pointer) as usize).finish()))
    }
}
