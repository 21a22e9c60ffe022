//! The calls by name, and their texts for traces.

use super::abi::{self, Abi, int};
use super::errno::{Outcome, Stop};
use super::{Arguments, Linux, files, memory, process, signals, time};
use isa_sim::Guest;
use std::fmt::Write as _;

/// Answers a call.
pub(super) type Handler = fn(&mut Linux<'_>, &mut Guest<'_>, &Arguments) -> Outcome;

/// Name, arguments, and handler. Arguments: `d` a number of 32 bits, `n` a signed word, `x` a word in hexadecimal, `o` one in
/// octal, `s` the address of a path.
type Row = (&'static str, &'static str, Handler);

/// The supported calls by subject.
static GROUPS: &[(&str, &[Row])] = &[
    (
        "memory",
        &[
            ("brk", "x", memory::brk),
            ("mmap", "xnxxdx", memory::mmap),
            ("mmap2", "xnxxdx", memory::mmap2),
            ("munmap", "xn", memory::munmap),
            ("mremap", "xnnxx", memory::mremap),
            ("mprotect", "xnx", memory::mprotect),
            ("madvise", "xnd", memory::madvise),
            ("msync", "xnx", memory::msync),
            ("mlock", "xn", process::nothing),
            ("munlock", "xn", process::nothing),
            ("riscv_flush_icache", "xxx", process::nothing),
        ],
    ),
    (
        "files",
        &[
            ("read", "dxn", files::read),
            ("write", "dxn", files::write),
            ("readv", "dxd", files::readv),
            ("writev", "dxd", files::writev),
            ("pread64", "dxnn", files::pread64),
            ("pwrite64", "dxnn", files::pwrite64),
            ("preadv", "dxdnn", files::preadv),
            ("pwritev", "dxdnn", files::pwritev),
            ("lseek", "dnd", files::lseek),
            ("llseek", "dnnxd", files::llseek),
            ("_llseek", "dnnxd", files::llseek),
            ("ftruncate", "dn", files::ftruncate),
            ("ftruncate64", "dnn", files::ftruncate),
            ("fsync", "d", files::fsync),
            ("fdatasync", "d", files::fsync),
            ("openat", "dsxo", files::openat),
            ("close", "d", files::close),
            ("dup", "d", files::dup),
            ("dup3", "ddx", files::dup3),
            ("fcntl", "ddx", files::fcntl),
            ("fcntl64", "ddx", files::fcntl),
            ("pipe2", "xx", files::pipe2),
            ("ppoll", "xdxxn", files::ppoll),
            ("ppoll_time64", "xdxxn", files::ppoll),
            ("ioctl", "dxx", files::ioctl),
            ("fstat", "dx", files::fstat),
            ("fstat64", "dx", files::fstat),
            ("newfstatat", "dsxx", files::newfstatat),
            ("fstatat64", "dsxx", files::newfstatat),
            ("statx", "dsxxx", files::statx),
            ("statfs", "sx", files::statfs),
            ("statfs64", "snx", files::statfs),
            ("fstatfs", "dx", files::fstatfs),
            ("fstatfs64", "dnx", files::fstatfs),
            ("faccessat", "dsd", files::faccessat),
            ("faccessat2", "dsdx", files::faccessat),
            ("readlinkat", "dsxn", files::readlinkat),
            ("getcwd", "xn", files::getcwd),
            ("chdir", "s", files::chdir),
            ("fchdir", "d", files::fchdir),
            ("getdents64", "dxd", files::getdents64),
            ("mkdirat", "dso", files::mkdirat),
            ("unlinkat", "dsx", files::unlinkat),
            ("renameat", "dsds", files::renameat2),
            ("renameat2", "dsdsx", files::renameat2),
            ("linkat", "dsdsx", files::linkat),
            ("symlinkat", "sds", files::symlinkat),
            ("fchmod", "do", files::fchmod),
            ("fchmodat", "dso", files::fchmodat),
            ("utimensat", "dsxx", files::utimensat),
            ("utimensat_time64", "dsxx", files::utimensat),
            ("umask", "o", process::umask),
        ],
    ),
    (
        "time",
        &[
            ("clock_gettime", "dx", time::clock_gettime),
            ("clock_gettime64", "dx", time::clock_gettime),
            ("clock_getres", "dx", time::clock_getres),
            ("clock_getres_time64", "dx", time::clock_getres),
            ("clock_nanosleep", "ddxx", time::clock_nanosleep),
            ("clock_nanosleep_time64", "ddxx", time::clock_nanosleep),
            ("nanosleep", "xx", time::nanosleep),
            ("gettimeofday", "xx", time::gettimeofday),
        ],
    ),
    (
        "the process and its machine",
        &[
            ("getrandom", "xnx", process::getrandom),
            ("uname", "x", process::uname),
            ("sysinfo", "x", process::sysinfo),
            ("getpid", "", process::getpid),
            ("gettid", "", process::getpid),
            ("getppid", "", process::getppid),
            ("getuid", "", process::getuid),
            ("geteuid", "", process::getuid),
            ("getgid", "", process::getuid),
            ("getegid", "", process::getuid),
            ("set_tid_address", "x", process::set_tid_address),
            ("set_robust_list", "xn", process::nothing),
            ("prlimit64", "ddxx", process::prlimit64),
            ("getrusage", "dx", process::getrusage),
            ("sched_getaffinity", "dnx", process::sched_getaffinity),
            ("sched_yield", "", process::nothing),
            ("futex", "xxdxxd", process::futex),
            ("futex_time64", "xxdxxd", process::futex),
            ("exit", "d", process::exit),
            ("exit_group", "d", process::exit),
        ],
    ),
    (
        "signals",
        &[
            ("rt_sigaction", "dxxn", signals::rt_sigaction),
            ("rt_sigprocmask", "dxxn", signals::rt_sigprocmask),
            ("rt_sigpending", "xn", signals::rt_sigpending),
            ("sigaltstack", "xx", signals::sigaltstack),
            ("kill", "dd", signals::kill),
            ("tkill", "dd", signals::tkill),
            ("tgkill", "ddd", signals::tgkill),
        ],
    ),
];

/// Calls that programs try, and do without if they fail.
static OPTIONAL: &[Row] = &[("rseq", "xdxx", process::missing)];

/// The supported calls as a list in Markdown, whose lines have at most 120 columns.
pub fn markdown() -> String {
    const COLUMNS: usize = 120;
    let mut text = String::new();
    for (subject, rows) in GROUPS {
        let mut line = format!("- {subject}: `");
        for (name, ..) in *rows {
            if line.len() + 1 + name.len() + 1 > COLUMNS {
                text += &format!("{}`\n", line.trim_end());
                line = "  `".to_owned();
            }
            line += &format!("{name} ");
        }
        text += &format!("{}`\n", line.trim_end());
    }
    text
}

/// A call, found by its number.
#[derive(Clone)]
pub(super) struct Call {
    pub(super) name: std::rc::Rc<str>,
    /// `None` for a call that is not supported.
    arguments: Option<&'static str>,
    pub(super) handler: Handler,
}

impl Call {
    /// The call with a name; the handler of an unknown one returns `ENOSYS`.
    pub(super) fn new(name: &str) -> Self {
        let row = GROUPS.iter().flat_map(|(_, rows)| *rows).chain(OPTIONAL).find(|row| row.0 == name);
        let handler = row.map_or(process::missing as Handler, |row| row.2);
        Self { name: name.into(), arguments: row.map(|row| row.1), handler }
    }

    /// True if it is not supported, and a program may need it.
    pub(super) fn is_missing(&self) -> bool {
        self.arguments.is_none()
    }

    /// A number without a name.
    pub(super) fn unknown(number: u64) -> Self {
        Self::new(&format!("call_{number}"))
    }

    /// `openat(-100, "a.txt", 0x8000, 0)`
    pub(super) fn text(&self, abi: Abi, guest: &mut Guest<'_>, values: &[u64]) -> String {
        let mut text = format!("{}(", self.name);
        for (i, (kind, value)) in self.arguments.unwrap_or("xxxxxx").bytes().zip(values).enumerate() {
            text.push_str(if i > 0 { ", " } else { "" });
            let path = if kind == b's' { abi::path(guest, *value).ok() } else { None };
            // Writing to a text can't fail.
            let _ = match (kind, path) {
                (_, Some(path)) => write!(text, "\"{}\"", path.escape_ascii()),
                (b'd', _) => write!(text, "{}", int(*value)),
                (b'n', _) => write!(text, "{}", abi.signed(*value)),
                (b'o', _) => write!(text, "{value:#o}"),
                (_, None) if *value == 0 => write!(text, "0"),
                (_, None) => write!(text, "{value:#x}"),
            };
        }
        text.push(')');
        text
    }
}

/// The text of a completed call: `… = 12`, `… = -1 ENOENT`.
pub(super) fn with_outcome(mut text: String, abi: Abi, outcome: &Outcome) -> String {
    /// The number from which on results are shown as addresses.
    const ADDRESS: i64 = 1 << 16;
    let _ = match outcome {
        Ok(value) if abi.signed(*value) >= ADDRESS => write!(text, " = {value:#x}"),
        Ok(value) => write!(text, " = {}", abi.signed(*value)),
        Err(Stop::Error(errno)) => write!(text, " = -1 {}", errno.name()),
        Err(Stop::Exit(_) | Stop::Fault(_)) => Ok(()),
    };
    text
}
