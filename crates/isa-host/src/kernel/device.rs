//! Global memory that outlasts launches: buffers at addresses of their own, with gaps between them.

use std::collections::BTreeMap;

/// A buffer of a device.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BufferId(usize);

/// Bytes in global memory.
#[derive(Clone, Debug)]
pub(super) struct Buffer {
    pub(super) name: String,
    pub(super) address: u64,
    pub(super) bytes: Vec<u8>,
    /// It is a section of a module.
    pub(super) is_section: bool,
}

/// Global memory.
#[derive(Clone, Debug)]
pub struct Device {
    pub(super) buffers: Vec<Buffer>,
    pub(super) heap: Option<Heap>,
    next: u64,
}

/// The heap for `malloc` of kernels.
#[derive(Clone, Debug)]
pub(super) struct Heap {
    pub(super) buffer: BufferId,
    /// The allocated blocks, by address, with their bytes.
    pub(super) taken: BTreeMap<u64, u64>,
}

/// The address of the first buffer: above 4 GiB, so that half of an address is not mistaken for one.
const FIRST: u64 = 0x7_0000_0000;
/// Bytes of the heap, CUDA's default.
const HEAP: usize = 8 << 20;
/// The alignment of buffers, as in cudaMalloc, and the least gap between them in bytes.
const ALIGN: u64 = 256;

impl Default for Device {
    fn default() -> Self {
        Self { buffers: Vec::new(), heap: None, next: FIRST }
    }
}

impl Device {
    /// A buffer with these bytes, at an address that is a multiple of 256.
    pub fn buffer(&mut self, name: &str, bytes: Vec<u8>) -> BufferId {
        self.add(name, bytes, false)
    }

    pub(super) fn add(&mut self, name: &str, bytes: Vec<u8>, is_section: bool) -> BufferId {
        let address = self.next;
        let end = address.saturating_add(bytes.len() as u64).saturating_add(ALIGN);
        self.next = end.checked_next_multiple_of(ALIGN).unwrap_or(end);
        self.buffers.push(Buffer { name: name.to_owned(), address, bytes, is_section });
        BufferId(self.buffers.len() - 1)
    }

    /// The heap, which is created on first use.
    pub(super) fn heap(&mut self) -> &mut Heap {
        if self.heap.is_none() {
            let buffer = self.add("heap", vec![0; HEAP], true);
            self.heap = Some(Heap { buffer, taken: BTreeMap::new() });
        }
        self.heap.get_or_insert_with(|| Heap { buffer: BufferId(0), taken: BTreeMap::new() })
    }

    /// The address of a buffer.
    pub fn address(&self, buffer: BufferId) -> u64 {
        self.buffers.get(buffer.0).map_or(0, |buffer| buffer.address)
    }

    /// The bytes of a buffer.
    pub fn bytes(&self, buffer: BufferId) -> &[u8] {
        self.buffers.get(buffer.0).map_or(&[], |buffer| &buffer.bytes)
    }

    /// The bytes of a buffer, for writing.
    pub fn bytes_mut(&mut self, buffer: BufferId) -> &mut [u8] {
        self.buffers.get_mut(buffer.0).map_or(&mut [], |buffer| &mut buffer.bytes)
    }

    /// The position of an address relative to the nearest buffer: `4 bytes after the end of buffer `x``; `None` if there are no
    /// buffers.
    pub fn nearest(&self, address: u64, bytes: u64) -> Option<String> {
        let distance = |buffer: &&Buffer| {
            let end = buffer.address + buffer.bytes.len() as u64;
            if address < buffer.address { buffer.address - address } else { address.saturating_sub(end) }
        };
        let near = self.buffers.iter().min_by_key(distance)?;
        let end = near.address + near.bytes.len() as u64;
        let kind = if near.is_section { "section" } else { "buffer" };
        let name = format!("{kind} `{}`, which has {}", near.name, count(near.bytes.len() as u64));
        Some(if address < near.address {
            format!("{} before the start of {name}", count(near.address - address))
        } else if address >= end {
            match address - end {
                0 => format!("at the end of {name}"),
                after => format!("{} after the end of {name}", count(after)),
            }
        } else if address.saturating_add(bytes) > end {
            format!("across the end of {name}")
        } else {
            format!("{} from the start of {name}", count(address - near.address))
        })
    }
}

fn count(bytes: u64) -> String {
    if bytes == 1 { "1 byte".to_owned() } else { format!("{bytes} bytes") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buffers_lie_apart() {
        let mut device = Device::default();
        let (a, b) = (device.buffer("a", vec![0; 300]), device.buffer("b", vec![0; 4]));
        assert_eq!((device.address(a), device.address(b)), (FIRST, FIRST + 768));
        let near = |address: u64| device.nearest(address, 4).unwrap_or_default();
        assert_eq!(near(FIRST + 304), "4 bytes after the end of buffer `a`, which has 300 bytes");
        assert_eq!(near(FIRST + 298), "across the end of buffer `a`, which has 300 bytes");
        assert_eq!(near(FIRST - 1), "1 byte before the start of buffer `a`, which has 300 bytes");
        assert_eq!(near(FIRST + 772), "at the end of buffer `b`, which has 4 bytes");
        assert_eq!(near(FIRST + 8), "8 bytes from the start of buffer `a`, which has 300 bytes");
    }
}
