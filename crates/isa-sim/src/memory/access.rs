//! Accesses to the memory of a core: who may make them, and why one is denied or reported.

use std::fmt;
use std::ops::RangeInclusive;

/// The access rights of instructions to memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rights {
    /// It can be read.
    pub read: bool,
    /// It can be written.
    pub write: bool,
    /// Instructions can be fetched from it.
    pub execute: bool,
}

impl Rights {
    /// All rights.
    pub const ALL: Self = Self { read: true, write: true, execute: true };

    pub(super) const fn allow(self, access: Access) -> bool {
        match access {
            Access::Read => self.read,
            Access::Write => self.write,
            Access::Fetch => self.execute,
        }
    }
}

/// A kind of access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// A load.
    Read,
    /// A store.
    Write,
    /// An instruction fetch.
    Fetch,
}

/// A reason why an access is not possible.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Denied {
    /// There is no memory at this address.
    Unmapped(u64),
    /// The memory at this address does not allow the access.
    Protected(u64),
    /// The limit of bytes that may be written is exceeded.
    Full(u64),
}

impl fmt::Display for Denied {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unmapped(at) => write!(f, "there is no memory at {at:#x}"),
            Self::Protected(at) => write!(f, "the memory at {at:#x} does not allow the access"),
            Self::Full(most) => write!(f, "more than {most} bytes of memory would be written, the maximum"),
        }
    }
}

impl std::error::Error for Denied {}

/// An access to watched memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hit {
    /// The address of the access.
    pub address: u64,
    /// Its bytes.
    pub bytes: u32,
    /// A load or a store.
    pub access: Access,
}

/// A range of watched memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Watch {
    /// Its addresses.
    pub at: RangeInclusive<u64>,
    /// Loads are reported.
    pub reads: bool,
    /// Stores are reported.
    pub writes: bool,
}

impl Watch {
    /// Returns true if the access is reported.
    pub fn sees(&self, hit: &Hit) -> bool {
        let last = hit.address.saturating_add(u64::from(hit.bytes).saturating_sub(1));
        let is_wanted = match hit.access {
            Access::Write => self.writes,
            Access::Read => self.reads,
            Access::Fetch => false,
        };
        is_wanted && self.meets(hit.address, last)
    }

    pub(super) fn meets(&self, first: u64, last: u64) -> bool {
        *self.at.start() <= last && first <= *self.at.end()
    }
}
