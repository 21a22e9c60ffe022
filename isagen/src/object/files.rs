//! The files inside an object file that are read, and the specification for each.

use crate::output::{Reporter, count, share};
use crate::spec;
use isa_engine::ObjectFiles;
use isa_object::{Contents, Entry, EntryKind};
use isa_spec::diag::nearest;
use isa_stream::Stop;
use std::collections::HashMap;

/// Consecutive files inside a file that one specification reads.
pub(crate) struct Group<'c, 'd> {
    /// The specification.
    pub(crate) spec: &'c str,
    /// The files with their numbers, from 1.
    pub(crate) entries: Vec<(usize, &'c Entry<'d>)>,
}

/// Reports the parts of a file that can't be read; returns whether there are any.
pub(crate) fn report(file: &str, contents: &Contents<'_>, reporter: &Reporter) -> bool {
    for fault in &contents.faults {
        reporter.fault("object", &format!("{file}: {fault}"), None);
    }
    !contents.faults.is_empty()
}

/// The files that are read, of one architecture if one was requested. Code without a specification is reported.
pub(crate) fn choose<'c, 'd>(
    file: &str,
    contents: &'c Contents<'d>,
    forced: Option<&'c str>,
    arch: Option<&str>,
    reporter: &Reporter,
) -> Result<Vec<Group<'c, 'd>>, Stop> {
    if let Some(arch) = arch {
        check_arch(file, arch, &contents.entries)?;
    }
    let elfs = contents.entries.iter().enumerate().filter(|(_, entry)| entry.kind == EntryKind::Elf);
    let wanted = elfs.filter(|(_, entry)| arch.is_none_or(|arch| entry.arch == arch));
    let mut groups: Vec<Group<'c, 'd>> = Vec::new();
    let mut unread: Vec<(&str, usize, u64)> = Vec::new();
    let (mut all, mut total) = (0, 0);
    let mut shipped = HashMap::new();
    for (index, entry) in wanted {
        all += 1;
        total += entry.size;
        let find = || entry.machine.and_then(|machine| spec::shipped_for(machine, &entry.arch));
        let spec = forced.or_else(|| *shipped.entry((entry.machine, entry.arch.as_str())).or_insert_with(find));
        match (spec, groups.last_mut()) {
            (Some(spec), Some(group)) if group.spec == spec => group.entries.push((index + 1, entry)),
            (Some(spec), _) => groups.push(Group { spec, entries: vec![(index + 1, entry)] }),
            (None, _) => match unread.iter_mut().find(|(arch, ..)| *arch == entry.arch) {
                Some((_, files, bytes)) => (*files, *bytes) = (*files + 1, *bytes + entry.size),
                None => unread.push((&entry.arch, 1, entry.size)),
            },
        }
    }
    if groups.is_empty() && !unread.is_empty() {
        let names: Vec<_> = unread.iter().map(|(arch, ..)| *arch).collect();
        let message = format!("{file}: no shipped specification reads {}", names.join(", "));
        return Err(Stop::with_help(message, "`isagen disasm SPEC FILE` reads it by the specification SPEC"));
    }
    for (arch, files, bytes) in unread {
        let part = share(bytes as f64 / (total as f64).max(1.0));
        let files = format!("{} of {}", count(files, ""), count(all, "file"));
        reporter.remark(&format!("{file}: {arch}: {files}, {part} of the bytes, and no shipped specification for them"));
    }
    Ok(groups)
}

/// Warns of files with another architecture than that of the specification that reads them.
pub(crate) fn warn_of_other<'e, 'd: 'e>(
    file: &str,
    spec: &str,
    object: Option<&ObjectFiles>,
    entries: impl IntoIterator<Item = &'e Entry<'d>>,
    reporter: &Reporter,
) {
    let Some(ObjectFiles { elf_machine, architectures, .. }) = object else { return };
    let is_other = |entry: &&Entry<'_>| entry.machine != Some(*elf_machine) || !architectures.contains(&entry.arch);
    let mut others: Vec<&str> = entries.into_iter().filter(is_other).map(|entry| entry.arch.as_str()).collect();
    others.sort_unstable();
    others.dedup();
    if others.is_empty() {
        return;
    }
    let message = format!(
        "{file}: the code is for {}, and `{spec}` is the instruction set of {}",
        others.join(", "),
        architectures.join(", ")
    );
    let reader = |arch: &&str| spec::shipped_that(|of| of.architectures.iter().any(|own| own == arch));
    let help = match others.iter().find_map(reader) {
        Some(name) => format!("`{name}` reads it"),
        None => "texts can be wrong, and words refused; no shipped specification is for it".to_owned(),
    };
    reporter.warning("architecture", &message, &help);
}

/// Refuses an architecture that does not occur in a file.
pub(super) fn check_arch(file: &str, arch: &str, entries: &[Entry<'_>]) -> Result<(), Stop> {
    if entries.iter().any(|entry| entry.arch == arch) {
        return Ok(());
    }
    let mut names: Vec<&str> = entries.iter().map(|entry| entry.arch.as_str()).collect();
    names.sort_unstable();
    names.dedup();
    let message = format!("{file}: there is no code for {arch}");
    Err(match nearest(arch, names.iter().copied()) {
        Some(near) => Stop::with_help(message, format!("did you mean `{near}`?")),
        None if names.is_empty() => Stop::new(message),
        None => Stop::with_help(message, format!("there is: {}", names.join(", "))),
    })
}
