//! Writing files so that either the complete old file or the complete new one exists, even if the process is killed: the new one
//! is written beside the old one and renamed.
//!
//! A process that is killed can leave the file that it was writing to, `.NAME.PROCESS.tmp`. Its writer holds a lock on it, which
//! ends with the process: the next one removes files without a lock.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Replaces the contents of a file.
pub fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    replace_with(path, |file| file.write_all(bytes))
}

/// Replaces the contents of a file by what is written to the new one.
pub fn replace_with(path: &Path, write: impl FnOnce(&mut File) -> io::Result<()>) -> io::Result<()> {
    // If the name is a link, its target is replaced.
    let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let before = fs::metadata(&path).ok();
    if before.as_ref().is_some_and(|about| !about.is_file()) {
        return Err(io::Error::new(io::ErrorKind::AlreadyExists, "is not a regular file"));
    }
    remove_left_over(&path);
    let beside = Beside::create(&path)?;
    let mut file = &beside.file;
    write(&mut file.try_clone()?)?;
    file.flush()?;
    if let Some(before) = before {
        file.set_permissions(before.permissions())?;
    }
    file.sync_all()?;
    beside.rename_to(&path)
}

/// A new file beside another one; removed unless it is renamed.
struct Beside {
    file: File,
    path: PathBuf,
}

impl Beside {
    fn create(of: &Path) -> io::Result<Self> {
        let mut name = prefix(of);
        name.push(format!("{}.tmp", std::process::id()));
        let path = of.with_file_name(name);
        let file = OpenOptions::new().write(true).create_new(true).open(&path)?;
        let beside = Self { file, path };
        // On systems without locks, files that are left over stay.
        let _ = beside.file.lock();
        Ok(beside)
    }

    fn rename_to(mut self, path: &Path) -> io::Result<()> {
        fs::rename(&self.path, path)?;
        self.path = PathBuf::new();
        Ok(())
    }
}

impl Drop for Beside {
    fn drop(&mut self) {
        if !self.path.as_os_str().is_empty() {
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// The prefix of the names of new files beside a file.
fn prefix(of: &Path) -> OsString {
    let mut prefix = OsString::from(".");
    prefix.push(of.file_name().unwrap_or_default());
    prefix.push(".");
    prefix
}

/// Removes new files whose writers are gone. Nothing depends on it: errors are ignored.
fn remove_left_over(of: &Path) {
    let prefix = prefix(of);
    let folder = of.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten().filter(|entry| is_new_file(&entry.file_name(), &prefix)) {
        if let Ok(file) = File::open(entry.path())
            && file.try_lock().is_ok()
        {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// `.NAME.`, digits, `.tmp`
fn is_new_file(name: &OsStr, prefix: &OsStr) -> bool {
    let number = name.as_encoded_bytes().strip_prefix(prefix.as_encoded_bytes()).and_then(|rest| rest.strip_suffix(b".tmp"));
    number.is_some_and(|number| !number.is_empty() && number.iter().all(u8::is_ascii_digit))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("isagen-replace-{}-{name}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).expect("a temporary folder");
        folder
    }

    fn files(folder: &Path) -> Vec<(String, String)> {
        let entries = fs::read_dir(folder).expect("a folder").map(|e| e.expect("an entry").path());
        let mut list: Vec<(String, String)> = entries
            .map(|path| {
                let name = path.file_name().expect("a name").to_string_lossy().into_owned();
                (name, fs::read_to_string(path).expect("a file"))
            })
            .collect();
        list.sort();
        list
    }

    fn file(name: &str, text: &str) -> (String, String) {
        (name.to_owned(), text.to_owned())
    }

    #[test]
    fn a_file_is_replaced() {
        let folder = folder("replaced");
        let path = folder.join("a.txt");
        replace(&path, b"one").expect("it can be written");
        replace(&path, b"two").expect("it can be written");
        assert_eq!(files(&folder), [file("a.txt", "two")]);
        fs::remove_dir_all(folder).expect("it is there");
    }

    #[test]
    fn a_failure_leaves_the_old_file() {
        let folder = folder("failure");
        let path = folder.join("a.txt");
        replace(&path, b"one").expect("it can be written");
        let half = |new: &mut File| {
            new.write_all(b"tw")?;
            assert_eq!(fs::read_to_string(&path)?, "one");
            Err(io::Error::other("the disk is full"))
        };
        assert_eq!(replace_with(&path, half).expect_err("it fails").to_string(), "the disk is full");
        assert_eq!(files(&folder), [file("a.txt", "one")]);
        fs::remove_dir_all(folder).expect("it is there");
    }

    #[test]
    fn what_a_killed_process_left_is_removed() {
        let folder = folder("killed");
        let path = folder.join("a.txt");
        for name in [".a.txt.17.tmp", ".a.txt.18.tmp", ".a.txt.x.tmp", ".b.txt.17.tmp"] {
            fs::write(folder.join(name), "half").expect("it can be written");
        }
        let held = File::open(folder.join(".a.txt.18.tmp")).expect("it is there");
        held.lock().expect("it can be locked");
        replace(&path, b"one").expect("it can be written");
        let left = [".a.txt.18.tmp", ".a.txt.x.tmp", ".b.txt.17.tmp"].map(|name| file(name, "half"));
        assert_eq!(files(&folder), left.into_iter().chain([file("a.txt", "one")]).collect::<Vec<_>>());
        fs::remove_dir_all(folder).expect("it is there");
    }

    #[cfg(unix)]
    #[test]
    fn links_and_permissions_stay() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let folder = folder("links");
        let (path, link) = (folder.join("a.txt"), folder.join("link"));
        replace(&path, b"one").expect("it can be written");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).expect("it is ours");
        symlink(&path, &link).expect("a link");
        replace(&link, b"two").expect("it can be written");
        assert_eq!(files(&folder), [file("a.txt", "two"), file("link", "two")]);
        assert!(link.is_symlink());
        assert_eq!(fs::metadata(&path).expect("it is there").permissions().mode() & 0o777, 0o640);
        fs::remove_dir_all(folder).expect("it is there");
    }
}
