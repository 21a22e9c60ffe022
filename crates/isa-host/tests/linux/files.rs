//! Files, and failing attempts to leave the root.

use super::Process;
use super::support::DATA;
use isa_host::linux::Options;
use std::fs;
use std::path::{Path, PathBuf};

const HERE: u64 = -100_i64 as u64;
const READ: u64 = 0;
const READ_WRITE: u64 = 2;
const CREATE: u64 = 0o100;
const TRUNCATE: u64 = 0o1000;
const DIRECTORY: u64 = 0o200_000;
const NO_FOLLOW: u64 = 0o400_000;

/// A folder of its own, with `root` and files outside of it.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("isa-host-{}-{name}", std::process::id()));
        fs::create_dir_all(path.join("root/sub")).expect("a directory");
        fs::write(path.join("secret"), "secret").expect("a file");
        fs::write(path.join("root/inside"), "inside").expect("a file");
        Self(path)
    }

    fn root(&self) -> PathBuf {
        self.0.join("root")
    }

    fn process(&self, write: bool) -> Process {
        Process::with(Options { root: Some(self.root()), write, arguments: vec![b"prog".to_vec()], ..Options::default() })
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn open(process: &mut Process, path: &str, flags: u64) -> Result<u64, String> {
    let at = process.path(path);
    match process.call("openat", &[HERE, at, flags, 0o644]) {
        file @ 0.. => Ok(file.cast_unsigned()),
        _ => Err(process.trace.borrow().last().map_or(String::new(), |line| line.rsplit(' ').next().unwrap_or("").to_owned())),
    }
}

fn content(process: &mut Process, path: &str) -> Result<String, String> {
    let file = open(process, path, READ)?;
    let size = process.call("read", &[file, DATA, 100]);
    assert_eq!(process.call("close", &[file]), 0);
    let bytes = process.bytes(DATA, usize::try_from(size).map_err(|_| "EISDIR")?);
    Ok(String::from_utf8(bytes).expect("a text"))
}

#[test]
fn no_file_without_a_root() {
    let folder = Folder::new("none");
    let mut process = Process::new();
    let secret = folder.0.join("secret").display().to_string();
    for path in [secret.as_str(), "/", ".", "/etc/passwd", "../secret", "/proc/self/exe", ""] {
        assert_eq!(open(&mut process, path, READ), Err("ENOENT".to_owned()), "{path}");
        let at = process.path(path);
        for (name, values) in [
            ("newfstatat", [HERE, at, DATA, 0]),
            ("faccessat", [HERE, at, 0, 0]),
            ("mkdirat", [HERE, at, 0o777, 0]),
            ("unlinkat", [HERE, at, 0, 0]),
            ("chdir", [at, 0, 0, 0]),
        ] {
            assert_eq!(process.error(name, &values), "ENOENT", "{name} {path}");
        }
    }
    assert_eq!(process.call("getcwd", &[DATA, 10]), 2);
    assert_eq!(process.bytes(DATA, 2), b"/\0");
    assert_eq!(content(&mut process, "/dev/null"), Ok(String::new()));
    assert_eq!(content(&mut process, "/dev/zero").map(|zeros| zeros.len()), Ok(100));
    assert_eq!(content(&mut process, "/dev/urandom/").err().as_deref(), Some("ENOENT"));
}

#[cfg(unix)]
#[test]
fn links_lead_nowhere_else() {
    use std::os::unix::fs::symlink;
    let folder = Folder::new("links");
    let root = folder.root();
    let link = |target: &Path, name: &str| symlink(target, root.join(name)).expect("a link");
    link(&folder.0.join("secret"), "absolute");
    link(Path::new("../secret"), "relative");
    link(Path::new("../../../../../../../../../../etc/passwd"), "far");
    link(&folder.0, "out");
    link(Path::new(".."), "up");
    link(Path::new("/inside"), "good");
    link(Path::new("loop"), "loop");
    link(Path::new("/new"), "dangling");
    let mut process = folder.process(true);
    for path in ["absolute", "relative", "far", "out/secret", "up/secret", "../secret", "/../../secret", "sub/../../secret"] {
        assert_eq!(content(&mut process, path), Err("ENOENT".to_owned()), "{path}");
        let at = process.path(path);
        assert_eq!(process.error("chdir", &[at]), "ENOENT", "{path}");
        assert_eq!(process.error("fchmodat", &[HERE, at, 0o777]), "ENOENT", "{path}");
        assert_eq!(process.error("newfstatat", &[HERE, at, DATA, 0]), "ENOENT", "{path}");
    }
    for path in ["inside", "good", "/inside", "up/inside", "../inside", "/../sub/../inside", "sub/./..//inside"] {
        assert_eq!(content(&mut process, path).as_deref(), Ok("inside"), "{path}");
    }
    assert_eq!(open(&mut process, "loop", READ), Err("ELOOP".to_owned()));
    assert_eq!(open(&mut process, "good", NO_FOLLOW), Err("ELOOP".to_owned()));
    assert_eq!(open(&mut process, "inside/", READ), Err("ENOTDIR".to_owned()));
    assert_eq!(open(&mut process, "inside/x", READ), Err("ENOTDIR".to_owned()));
    // A file that is created through a link is inside as well.
    let file = open(&mut process, "dangling", CREATE | READ_WRITE).expect("a file");
    assert_eq!(process.call("write", &[file, DATA, 1]), 1);
    assert!(root.join("new").is_file());
    let long = "x/".repeat(2100);
    assert_eq!(open(&mut process, &long, READ), Err("ENAMETOOLONG".to_owned()));
}

#[cfg(unix)]
#[test]
fn directories_that_become_links() {
    let folder = Folder::new("swap");
    fs::create_dir(folder.0.join("root/deep")).expect("a directory");
    let mut process = folder.process(true);
    let (deep, other) = (process.path("/deep"), process.path("/other"));
    let outside = process.path(&folder.0.display().to_string());
    let handle = open(&mut process, "/deep", DIRECTORY).expect("a directory");
    assert_eq!(process.call("chdir", &[deep]), 0);
    assert_eq!(process.call("renameat2", &[HERE, deep, HERE, other, 0]), 0);
    assert_eq!(process.call("symlinkat", &[outside, HERE, deep]), 0);
    assert_eq!(content(&mut process, "secret"), Err("ENOENT".to_owned()));
    let secret = process.path("secret");
    assert_eq!(process.error("openat", &[handle, secret, READ, 0]), "ENOENT");
    assert_eq!(process.error("getdents64", &[handle, DATA, 4096]), "ENOENT");
    assert_eq!(process.error("fchmod", &[handle, 0o777]), "ENOENT");
    assert_eq!(process.error("unlinkat", &[handle, secret, 0]), "ENOENT");
    assert!(folder.0.join("secret").is_file());
}

#[test]
fn nothing_is_written_unless_it_may_be() {
    let folder = Folder::new("read-only");
    let mut process = folder.process(false);
    assert_eq!(content(&mut process, "inside").as_deref(), Ok("inside"));
    for flags in [1, READ_WRITE, READ_WRITE | CREATE, 1 | TRUNCATE, READ | TRUNCATE] {
        assert_eq!(open(&mut process, "inside", flags), Err("EROFS".to_owned()));
    }
    assert_eq!(open(&mut process, "new", CREATE | 1), Err("EROFS".to_owned()));
    assert_eq!(open(&mut process, "new", CREATE), Err("EROFS".to_owned()));
    let file = open(&mut process, "inside", READ).expect("a file");
    assert_eq!(process.error("write", &[file, DATA, 1]), "EBADF");
    assert_eq!(process.error("ftruncate", &[file, 0]), "EINVAL");
    assert_eq!(process.error("fchmod", &[file, 0]), "EROFS");
    assert_eq!(process.error("utimensat", &[file, 0, 0, 0]), "EROFS");
    assert_eq!(process.error("mmap", &[0, 4096, 3, 1, file, 0]), "EACCES");
    let (inside, new, sub) = (process.path("inside"), process.path("new"), process.path("sub"));
    for (name, values) in [
        ("unlinkat", [HERE, inside, 0, 0, 0]),
        ("unlinkat", [HERE, sub, 0x200, 0, 0]),
        ("mkdirat", [HERE, new, 0o777, 0, 0]),
        ("renameat2", [HERE, inside, HERE, new, 0]),
        ("linkat", [HERE, inside, HERE, new, 0]),
        ("symlinkat", [inside, HERE, new, 0, 0]),
        ("fchmodat", [HERE, inside, 0, 0, 0]),
        ("utimensat", [HERE, inside, 0, 0, 0]),
        ("faccessat", [HERE, inside, 2, 0, 0]),
    ] {
        assert_eq!(process.error(name, &values), "EROFS", "{name}");
    }
    assert_eq!(fs::read(folder.root().join("inside")).ok().as_deref(), Some(&b"inside"[..]));
    assert_eq!(fs::read_dir(folder.root()).map(|all| all.count()).ok(), Some(2));
}

#[test]
fn files_are_made_and_removed() {
    let folder = Folder::new("write");
    let mut process = folder.process(true);
    let file = open(&mut process, "sub/new", CREATE | READ_WRITE).expect("a file");
    process.put(DATA, b"0123456789");
    assert_eq!(process.call("write", &[file, DATA, 10]), 10);
    assert_eq!(process.call("pwrite64", &[file, DATA + 5, 2, 1]), 2);
    assert_eq!(process.call("lseek", &[file, 0, 1]), 10);
    assert_eq!(process.call("pread64", &[file, DATA + 64, 100, 0]), 10);
    assert_eq!(process.bytes(DATA + 64, 10), b"0563456789");
    assert_eq!(process.error("pread64", &[file, DATA, 1, u64::MAX]), "EINVAL");
    // A mapping is written back, but not beyond the end of the file.
    let at = process.call("mmap", &[0, 4096, 3, 1, file, 0]).cast_unsigned();
    process.put(at + 8, b"abcd");
    assert_eq!(process.call("munmap", &[at, 4096]), 0);
    assert_eq!(fs::read(folder.root().join("sub/new")).ok().as_deref(), Some(&b"05634567ab"[..]));
    let (new, sub) = (process.path("sub/new"), process.path("/sub/"));
    assert_eq!(process.error("unlinkat", &[HERE, sub, 0x200]), "ENOTEMPTY");
    assert_eq!(process.error("unlinkat", &[HERE, sub, 0]), "EISDIR");
    assert_eq!(process.error("unlinkat", &[HERE, new, 0x200]), "ENOTDIR");
    assert_eq!(process.call("unlinkat", &[HERE, new, 0]), 0);
    assert_eq!(process.call("unlinkat", &[HERE, sub, 0x200]), 0);
    let root = process.path("/");
    assert_eq!(process.error("unlinkat", &[HERE, root, 0x200]), "EBUSY");
    assert_eq!(process.error("mkdirat", &[HERE, root, 0o777]), "EEXIST");
    assert_eq!(process.error("renameat2", &[HERE, root, HERE, new, 0]), "ENOENT");
    assert_eq!(fs::read_dir(folder.root()).map(|all| all.count()).ok(), Some(1));
}

#[test]
fn directories() {
    let folder = Folder::new("list");
    let mut process = folder.process(false);
    let all = open(&mut process, ".", DIRECTORY).expect("a directory");
    assert_eq!(process.error("read", &[all, DATA, 1]), "EISDIR");
    assert_eq!(process.error("getdents64", &[all, DATA, 10]), "EINVAL");
    let size = process.call("getdents64", &[all, DATA, 64]);
    assert_eq!(size, 48);
    let size = usize::try_from(size + process.call("getdents64", &[all, DATA + 48, 1000])).expect("a size");
    let bytes = process.bytes(DATA, size);
    let (mut at, mut names) = (0, Vec::new());
    while at < size {
        let length = usize::from(u16::from_le_bytes([bytes[at + 16], bytes[at + 17]]));
        let name: Vec<u8> = bytes[at + 19..at + length].iter().copied().take_while(|byte| *byte != 0).collect();
        names.push((String::from_utf8(name).expect("a name"), bytes[at + 18]));
        at += length;
    }
    let wanted = [(".", 4), ("..", 4), ("inside", 8), ("sub", 4)].map(|(name, kind)| (name.to_owned(), kind));
    assert_eq!(names, wanted);
    assert_eq!(process.call("getdents64", &[all, DATA, 1000]), 0);
    let (sub, dots) = (process.path("sub"), process.path("../.."));
    assert_eq!(process.call("chdir", &[sub]), 0);
    assert_eq!(process.call("getcwd", &[DATA, 5]), 5);
    assert_eq!(process.bytes(DATA, 5), b"/sub\0");
    assert_eq!(process.error("getcwd", &[DATA, 4]), "ERANGE");
    assert_eq!(process.call("chdir", &[dots]), 0);
    assert_eq!(process.call("getcwd", &[DATA, 5]), 2);
}

/// Opening a file for reading can truncate it, as a change of it.
#[test]
fn a_file_is_truncated_where_it_can_be_written() {
    let folder = Folder::new("truncate");
    let inside = folder.root().join("inside");
    let mut process = folder.process(false);
    assert_eq!(open(&mut process, "inside", READ | TRUNCATE), Err("EROFS".to_owned()));
    assert_eq!(open(&mut process, "sub", READ | TRUNCATE), Err("EISDIR".to_owned()));
    assert_eq!(fs::read(&inside).expect("a file"), b"inside");
    let mut process = folder.process(true);
    let file = open(&mut process, "inside", READ | TRUNCATE).expect("a file");
    assert_eq!(fs::read(&inside).expect("a file"), b"");
    assert_eq!(process.error("write", &[file, DATA, 1]), "EBADF");
    assert_eq!(process.call("read", &[file, DATA, 1]), 0);
}

/// Standard streams that are files.
#[cfg(unix)]
#[test]
fn standard_streams_are_files() {
    let folder = Folder::new("streams");
    let (read, written) = (folder.root().join("inside"), folder.root().join("out"));
    let input = fs::File::open(&read).expect("a file");
    let output = fs::File::create(&written).expect("a file");
    let mut process = Process::try_on(Options::default(), [Some(input), Some(output)]).expect("a process");
    // Kind and rights, links, and the size.
    let stat = |process: &mut Process, file: u64| {
        assert_eq!(process.call("fstat", &[file, DATA]), 0);
        let bytes = process.bytes(DATA, 64);
        let word = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().expect("4 bytes"));
        (word(16) >> 12, word(20), word(48))
    };
    assert_eq!((stat(&mut process, 0), stat(&mut process, 1), stat(&mut process, 2)), ((8, 1, 6), (8, 1, 0), (1, 1, 0)));
    assert_eq!((process.call("lseek", &[0, 0, 2]), process.call("lseek", &[0, 2, 0])), (6, 2));
    assert_eq!((process.call("read", &[0, DATA, 100]), process.bytes(DATA, 4)), (4, b"side".to_vec()));
    assert_eq!(process.call("pread64", &[0, DATA, 2, 0]), 2);
    let [own, shared] = [(1, 2), (3, 1)].map(|(rights, flags)| process.call("mmap", &[0, 4096, rights, flags, 0, 0]));
    assert!(own > 0, "it can be mapped");
    assert_eq!(shared, -13);
    assert_eq!(process.error("ioctl", &[0, 0x5401, DATA]), "ENOTTY");
    assert_eq!(process.error("write", &[0, DATA, 1]), "EBADF");
    process.put(DATA, b"text");
    assert_eq!((process.call("write", &[1, DATA, 4]), process.call("lseek", &[1, 0, 1])), (4, 4));
    assert_eq!((process.call("ftruncate", &[1, 2]), process.call("lseek", &[1, 1, 0])), (0, 1));
    assert_eq!(process.call("write", &[1, DATA, 4]), 4);
    assert_eq!((process.call("fcntl", &[1, 3, 0]) & 3, process.call("fcntl", &[0, 3, 0]) & 3), (1, 0));
    assert_eq!(process.error("lseek", &[2, 0, 1]), "ESPIPE");
    assert_eq!(fs::read(&written).expect("a file"), b"ttext");
    // The null device.
    let null = || fs::OpenOptions::new().read(true).write(true).open("/dev/null").ok();
    let mut process = Process::try_on(Options::default(), [null(), null()]).expect("a process");
    assert_eq!((stat(&mut process, 0).0, stat(&mut process, 1).0), (2, 2));
    assert_eq!((process.call("read", &[0, DATA, 100]), process.call("lseek", &[1, 0, 2])), (0, 0));
}
