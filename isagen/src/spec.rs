//! Finding and loading a specification: a path, or the name of a shipped one. If only words and texts are needed, an image of its
//! tables suffices.

use crate::output::{Reporter, Status, count};
use isa_engine::ObjectFiles;
use isa_reference::examine;
use isa_runtime::engine::image::MAGIC;
use isa_spec::Loaded;
use isa_spec::diag::{Severity, nearest};
use isa_spec::model::Isa;
use isa_stream::{Stop, read_bytes};
use std::borrow::Cow;
use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::sync::OnceLock;

/// The shipped files: path in the folder of specifications, and text.
const SHIPPED: &[(&str, &str)] = isa_specs::FILES;

/// The names of the commands, which are suggested for a misspelt argument. `main` sets them: this module is below the commands.
pub(crate) static COMMANDS: OnceLock<Vec<String>> = OnceLock::new();

/// The names of the shipped instruction sets. Files without an `isa` key are fragments that others include.
pub(crate) fn shipped_names() -> impl Iterator<Item = &'static str> {
    isa_specs::names()
}

/// The shipped instruction set for the code in ELF files of this machine and architecture.
pub(crate) fn shipped_for(machine: u16, architecture: &str) -> Option<&'static str> {
    shipped_that(|of| of.elf_machine == machine && of.architectures.iter().any(|name| name == architecture))
}

/// The shipped instruction set that reads such files. Among several, it is the one with the most forms: the others are parts of
/// it.
pub(crate) fn shipped_that(reads: impl Fn(&ObjectFiles) -> bool) -> Option<&'static str> {
    isa_engine::reader_of(shipped_names().filter_map(|name| Some((name, generated::image(name)?))), reads)
}

/// The object files of a shipped instruction set.
#[cfg(test)]
fn shipped_object(spec: &str) -> Option<ObjectFiles> {
    isa_engine::object_files(generated::image(isa_specs::own_name(spec)?)?)
}

/// The purpose for which a command loads a spec.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum About {
    /// The command is about the spec: warnings are shown, and the evidence of errata is executed.
    Spec,
    /// The command is about all findings, also those of the assembler's part.
    Check,
    /// The command is about something else.
    Use,
}

/// Loads a specification and reports its findings; without errors, the model and the number of warnings.
pub(crate) fn load(spec: &str, reporter: &Reporter, about: About) -> Result<Result<(Isa, usize), Status>, Stop> {
    report(spec, find(spec, about), reporter, about)
}

/// Reports the findings of a specification; without errors, the model and the number of warnings.
pub(crate) fn report(
    spec: &str,
    found: Result<Loaded, Stop>,
    reporter: &Reporter,
    about: About,
) -> Result<Result<(Isa, usize), Status>, Stop> {
    if is_shipped(spec) {
        warn_of_file(spec, reporter);
    }
    let Loaded { mut isa, diagnostics, files } = found?;
    let errors = diagnostics.iter().filter(|d| d.severity == Severity::Error).count();
    let warned = diagnostics.len() - errors;
    for diagnostic in &diagnostics {
        if diagnostic.severity == Severity::Error || about != About::Use {
            reporter.finding(diagnostic, &files);
        }
    }
    Ok(match isa.take_if(|_| errors == 0) {
        Some(isa) => Ok((isa, warned)),
        None => {
            let and = if warned > 0 { format!(" and {}", count(warned, "warning")) } else { String::new() };
            reporter.remark(&format!("{spec}: {}{and}", count(errors, "error")));
            Err(Status::Findings)
        }
    })
}

/// The model for a command that is about words or texts, not about the spec.
pub(crate) fn model(spec: &str, reporter: &Reporter) -> Result<Result<Isa, Status>, Stop> {
    Ok(load(spec, reporter, About::Use)?.map(|(isa, _)| isa))
}

/// The model for a command that needs words.
pub(crate) fn model_with_words(spec: &str, reporter: &Reporter) -> Result<Result<Isa, Status>, Stop> {
    match model(spec, reporter)? {
        Ok(isa) if isa.is_text() => Err(no_words(&isa.name, spec)),
        other => Ok(other),
    }
}

/// The error for a command that needs words, if the instruction set has none.
pub(crate) fn no_words(name: &str, spec: &str) -> Stop {
    let message = format!("{name} has no binary form: it is text-only");
    Stop::with_help(message, format!("`isagen fmt {spec}` reads and prints its text"))
}

/// The largest image that is read, in bytes.
const MAX_IMAGE: u64 = 256 << 20;

/// The image of an instruction set: of a shipped one, or from a file; `None` for a specification, which has to be loaded first.
pub(crate) fn image(spec: &str, reporter: &Reporter) -> Result<Option<Cow<'static, [u8]>>, Stop> {
    if let Some(image) = isa_specs::own_name(spec).and_then(generated::image) {
        warn_of_file(spec, reporter);
        return Ok(Some(Cow::Borrowed(image)));
    }
    is_image(spec).then(|| read_bytes(Path::new(spec), MAX_IMAGE).map(Cow::Owned)).transpose()
}

/// True if a file is an image, according to its name (`NAME.isat`) or its first bytes.
pub(crate) fn is_image(spec: &str) -> bool {
    let path = Path::new(spec);
    if is_shipped(spec) || !std::fs::metadata(path).is_ok_and(|about| about.is_file()) {
        return false;
    }
    let begins_so = || {
        let mut start = [0; MAGIC.len()];
        File::open(path).and_then(|mut file| file.read_exact(&mut start)).is_ok() && start == MAGIC
    };
    path.extension().is_some_and(|end| end.eq_ignore_ascii_case("isat")) || begins_so()
}

/// True if this is the name of a shipped instruction set. A file of that name is written as a path: `./ampere`.
pub(crate) fn is_shipped(spec: &str) -> bool {
    isa_specs::own_name(spec).is_some()
}

/// A specification with all its findings.
pub(crate) fn find(spec: &str, about: About) -> Result<Loaded, Stop> {
    let path = Path::new(spec);
    let mut loaded = if let Some(name) = isa_specs::own_name(spec) {
        isa_spec::load_texts(&format!("{name}.yaml"), SHIPPED)
    } else if is_image(spec) {
        let message = format!("{spec} is an image of tables: this command needs a specification");
        return Err(Stop::with_help(
            message,
            "an image is made of one by `isagen build`; `disasm`, `asm`, `fmt`, `explain` and `stats` take either",
        ));
    } else if is_file(spec) {
        isa_spec::try_load_beside(path, SHIPPED).map_err(|e| Stop::new(e.to_string()))?
    } else {
        return Err(unknown(spec));
    };
    if let Some(model) = &loaded.isa {
        loaded.diagnostics.extend(match about {
            About::Use => Vec::new(),
            About::Spec => examine::claims(model),
            About::Check => examine::all(model),
        });
    }
    Ok(loaded)
}

/// # Errors
/// If there is neither a file nor a shipped instruction set of this name.
pub(crate) fn exists(spec: &str) -> Result<(), Stop> {
    if is_shipped(spec) || is_file(spec) { Ok(()) } else { Err(unknown(spec)) }
}

fn is_file(spec: &str) -> bool {
    std::fs::metadata(spec).is_ok_and(|m| !m.is_dir())
}

/// Warns if a file has the name of a shipped instruction set.
fn warn_of_file(spec: &str, reporter: &Reporter) {
    if is_file(spec) {
        let message = format!("`{spec}` is the shipped instruction set, not the file of that name");
        reporter.warning("name", &message, &format!("the file is `.{}{spec}`", std::path::MAIN_SEPARATOR));
    }
}

fn read(path: &Path) -> Result<String, Stop> {
    isa_spec::read_file(path).map_err(|e| Stop::new(e.to_string()))
}

/// The error for an argument that is neither a file nor a name, with a suggestion.
pub(crate) fn unknown(spec: &str) -> Stop {
    let path = Path::new(spec);
    if let Err(stop) = read(path)
        && (path.exists() || spec.contains(['/', '\\', '.']))
    {
        return stop;
    }
    let message = format!("there is no file `{spec}` and no shipped instruction set of that name");
    if let Some(command) = nearest(spec, COMMANDS.get().into_iter().flatten().map(String::as_str)) {
        return Stop::with_help(message, format!("did you mean the command `isagen {command}`?"));
    }
    match nearest(spec, shipped_names().chain(shipped_names().flat_map(isa_specs::others))) {
        Some(name) => Stop::with_help(message, format!("did you mean `{name}`?")),
        None => Stop::with_help(message, format!("shipped are: {}", shipped_names().collect::<Vec<_>>().join(", "))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use isa_spec::model::Word;

    #[test]
    fn the_files_of_instruction_sets_are_found_as_the_models_say() {
        let mut found = Vec::new();
        let mut parts = Vec::new();
        for name in shipped_names() {
            let loaded = find(name, About::Use).unwrap_or_else(|_| panic!("{name} is shipped"));
            let isa = loaded.isa.unwrap_or_else(|| panic!("{name} has no errors"));
            assert_eq!(isa.also, isa_specs::others(name).collect::<Vec<_>>());
            let object = isa_reference::codec::object_files(&isa);
            assert_eq!(object, shipped_object(name), "{name}");
            if let Some(object) = object {
                for architecture in object.architectures {
                    let whole = shipped_for(object.elf_machine, &architecture).expect("this one, or one that has all of it");
                    assert_eq!(shipped_for(object.elf_machine + 1, &architecture), None);
                    if whole == name {
                        found.push(architecture);
                    } else {
                        let of_whole = forms(whole);
                        assert_eq!(
                            forms(name).into_iter().find(|form| !of_whole.contains(form)),
                            None,
                            "{name} is a part of {whole}"
                        );
                        parts.push((name, whole));
                    }
                }
            }
        }
        assert_eq!(parts, [("rv32imac", "rv32gc")]);
        let sm = |n: &String| n.starts_with("sm_");
        assert_eq!(found.iter().filter(|n| !sm(n)).collect::<Vec<_>>(), ["riscv32", "riscv64"]);
        assert!(["sm_75", "sm_80", "sm_90a", "sm_121f"].iter().all(|name| found.iter().any(|own| own == name)), "{found:?}");
    }

    /// The forms of a shipped instruction set: name, length, and the bits that are fixed.
    fn forms(name: &str) -> Vec<(String, u32, Word, Word)> {
        let isa = find(name, About::Use).ok().and_then(|loaded| loaded.isa).expect("it is shipped");
        isa.forms.into_iter().map(|form| (form.name, form.length, form.mask, form.value)).collect()
    }

    #[test]
    fn other_names_are_names() {
        assert_eq!(isa_specs::own_name("sm87"), Some("sm86"));
        assert!(is_shipped("sm88") && !is_shipped("sm8"));
    }
}
