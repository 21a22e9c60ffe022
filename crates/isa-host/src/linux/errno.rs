//! Numbers of errors.

use isa_sim::{Denied, Exit};
use std::io;

/// The number of an error, as in `errno`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Errno(pub(super) u16);

macro_rules! errors {
    ($($name:ident = $number:literal),* $(,)?) => {
        #[allow(dead_code, reason = "a number of the host may be any of them")]
        impl Errno {
            $(pub(super) const $name: Self = Self($number);)*

            /// `ENOENT`
            pub(super) fn name(self) -> &'static str {
                match self.0 {
                    $($number => stringify!($name),)*
                    _ => "E?",
                }
            }
        }
    };
}

errors! {
    EPERM = 1, ENOENT = 2, ESRCH = 3, EINTR = 4, EIO = 5, ENXIO = 6, E2BIG = 7, EBADF = 9, ECHILD = 10, EAGAIN = 11, ENOMEM = 12,
    EACCES = 13, EFAULT = 14, EBUSY = 16, EEXIST = 17, EXDEV = 18, ENODEV = 19, ENOTDIR = 20, EISDIR = 21, EINVAL = 22, ENFILE = 23,
    EMFILE = 24, ENOTTY = 25, ETXTBSY = 26, EFBIG = 27, ENOSPC = 28, ESPIPE = 29, EROFS = 30, EMLINK = 31, EPIPE = 32, EDOM = 33,
    ERANGE = 34, ENAMETOOLONG = 36, ENOSYS = 38, ENOTEMPTY = 39, ELOOP = 40, EOVERFLOW = 75, EOPNOTSUPP = 95, ETIMEDOUT = 110,
    EDQUOT = 122,
}

/// The end of a call without a result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Stop {
    /// It fails.
    Error(Errno),
    /// The program ends.
    Exit(Exit),
    /// The program can't continue, for this reason.
    Fault(String),
}

/// The result of a call.
pub(super) type Outcome = Result<u64, Stop>;

impl From<Errno> for Stop {
    fn from(errno: Errno) -> Self {
        Self::Error(errno)
    }
}

impl From<Denied> for Errno {
    fn from(denied: Denied) -> Self {
        match denied {
            Denied::Unmapped(_) | Denied::Protected(_) => Self::EFAULT,
            Denied::Full(_) => Self::ENOMEM,
        }
    }
}

impl From<Denied> for Stop {
    fn from(denied: Denied) -> Self {
        Errno::from(denied).into()
    }
}

impl From<io::Error> for Errno {
    fn from(error: io::Error) -> Self {
        // Other systems have other numbers.
        let own = if cfg!(target_os = "linux") { error.raw_os_error() } else { None };
        if let Some(number) = own.and_then(|number| u16::try_from(number).ok()) {
            return Self(number);
        }
        match error.kind() {
            io::ErrorKind::NotFound => Self::ENOENT,
            io::ErrorKind::PermissionDenied => Self::EACCES,
            io::ErrorKind::AlreadyExists => Self::EEXIST,
            io::ErrorKind::BrokenPipe => Self::EPIPE,
            io::ErrorKind::NotADirectory => Self::ENOTDIR,
            io::ErrorKind::IsADirectory => Self::EISDIR,
            io::ErrorKind::DirectoryNotEmpty => Self::ENOTEMPTY,
            io::ErrorKind::ReadOnlyFilesystem => Self::EROFS,
            io::ErrorKind::StorageFull => Self::ENOSPC,
            io::ErrorKind::FileTooLarge => Self::EFBIG,
            io::ErrorKind::ResourceBusy => Self::EBUSY,
            io::ErrorKind::CrossesDevices => Self::EXDEV,
            io::ErrorKind::InvalidInput => Self::EINVAL,
            io::ErrorKind::InvalidFilename => Self::ENAMETOOLONG,
            io::ErrorKind::WouldBlock => Self::EAGAIN,
            io::ErrorKind::Unsupported => Self::EOPNOTSUPP,
            io::ErrorKind::OutOfMemory => Self::ENOMEM,
            _ => Self::EIO,
        }
    }
}

impl From<io::Error> for Stop {
    fn from(error: io::Error) -> Self {
        Errno::from(error).into()
    }
}
