//! `diff OLD NEW`: the changes between two versions of an instruction set.

use crate::json;
use crate::object::is_object;
use crate::output::{Reporter, Status, count};
use crate::spec;
use isa_diff::{Change, Diff, Effect, Example};
use isa_stream::{Stop, out};
use serde::ser::{Serialize, SerializeMap, Serializer};
use std::io::Write;
use std::path::Path;

/// Show the changes between two versions of an instruction set, and which of them are incompatible.
///
/// Exit status: 0 if there are only additions, or no changes; 1 if something that existed has another meaning or none, if that
/// could not be decided, or if a specification has errors.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The old version: a path, or the name of a shipped instruction set.
    old: String,
    /// The new version.
    new: String,
    /// The output format of the changes.
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t = Form::Text)]
    format: Form,
}

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Form {
    /// Text.
    Text,
    /// Markdown, for release notes.
    Markdown,
    /// One JSON object a line.
    Json,
}

pub(crate) fn run(args: &Args, reporter: &Reporter) -> Result<Status, Stop> {
    if let Some(object) = [&args.old, &args.new].into_iter().find(|file| !spec::is_shipped(file) && is_object(Path::new(file))) {
        let help = "compare listings of `isagen disasm FILE --control` with any other `diff`";
        return Err(Stop::with_help(format!("{object} is an object file: `isagen diff` compares specifications"), help));
    }
    let old = spec::model(&args.old, reporter)?;
    let (old, new) = match (old, spec::model(&args.new, reporter)?) {
        (Ok(old), Ok(new)) => (old, new),
        (Err(status), _) | (_, Err(status)) => return Ok(status),
    };
    let diff = Diff::new(&old, &new);
    let mut out = out();
    match args.format {
        Form::Text => text(&diff, &mut out)?,
        Form::Markdown => markdown(&new.name, &diff, &mut out)?,
        Form::Json => {
            for change in &diff.changes {
                writeln!(out, "{}", json::line(&Line(change)))?;
            }
        }
    }
    out.flush()?;
    Ok(Status::of(diff.is_breaking()))
}

/// The changes of each effect, with its name.
fn sections(diff: &Diff) -> impl Iterator<Item = (&'static str, Vec<&Change>)> {
    let heads = [(Effect::Breaks, "Breaks"), (Effect::Undecided, "Not decided"), (Effect::Adds, "Adds")];
    heads.into_iter().filter_map(|(effect, head)| {
        let changes: Vec<&Change> = diff.changes.iter().filter(|c| c.what.effect() == effect).collect();
        (!changes.is_empty()).then_some((head, changes))
    })
}

fn text(diff: &Diff, out: &mut impl Write) -> Result<(), Stop> {
    for (head, changes) in sections(diff) {
        writeln!(out, "{head}:")?;
        for change in changes {
            writeln!(out, "  {}{}", change.message(), places(change, |place| place.to_owned()))?;
            if let Some(example) = &change.example {
                writeln!(out, "    {}", shown(example, str::to_owned, str::to_owned))?;
            }
        }
    }
    let number = |effect| diff.count(effect);
    match diff.changes.len() {
        0 => writeln!(out, "nothing changed")?,
        all => writeln!(
            out,
            "{}: {} break, {} not decided, {} add",
            count(all, "change"),
            number(Effect::Breaks),
            number(Effect::Undecided),
            number(Effect::Adds)
        )?,
    }
    Ok(())
}

fn markdown(name: &str, diff: &Diff, out: &mut impl Write) -> Result<(), Stop> {
    writeln!(out, "# Changes of {name}")?;
    if diff.changes.is_empty() {
        writeln!(out, "\nNothing changed.")?;
    }
    for (head, changes) in sections(diff) {
        writeln!(out, "\n## {head}")?;
        for change in changes {
            write!(out, "- {}{}", plain(&change.message()), places(change, code))?;
            match &change.example {
                Some(example) => writeln!(out, "  \n  {}", shown(example, code, plain))?,
                None => writeln!(out)?,
            }
        }
    }
    Ok(())
}

/// The greatest number of places that are named.
const MOST_PLACES: usize = 6;

fn places(change: &Change, shown: impl Fn(&str) -> String) -> String {
    let named: Vec<String> = change.places.iter().take(MOST_PLACES).map(|place| shown(place)).collect();
    match change.places.len().saturating_sub(MOST_PLACES) {
        _ if named.is_empty() => String::new(),
        0 => format!(": {}", named.join(", ")),
        more => format!(": {} and {more} more", named.join(", ")),
    }
}

/// `0x12: add r1 → add r2`; reasons for refusals come after `!`. `code` shows words and texts of instructions, `prose` reasons.
fn shown(example: &Example, code: impl Fn(&str) -> String, prose: impl Fn(&str) -> String) -> String {
    let side = |outcome: &Result<String, String>| match outcome {
        Ok(text) => code(text),
        Err(reason) => format!("! {}", prose(reason)),
    };
    let word = example.word.as_ref().map_or(String::new(), |word| format!("{}: ", code(word)));
    format!("{word}{} → {}", side(&example.old), side(&example.new))
}

/// Escapes a text for Markdown, except the code between backquotes.
fn plain(text: &str) -> String {
    let mut is_code = false;
    let escaped = text.chars().flat_map(|c| {
        is_code ^= c == '`';
        let is_mark = !is_code && matches!(c, '*' | '_' | '<' | '>' | '[' | ']' | '\\' | '|' | '#');
        is_mark.then_some('\\').into_iter().chain([c])
    });
    escaped.collect()
}

/// A text as code: between more backquotes than it contains in a row.
fn code(text: &str) -> String {
    match text {
        "" => "``".to_owned(),
        text if text.contains('`') => format!("`` {text} ``"),
        text => format!("`{text}`"),
    }
}

/// A change as JSON: `{"effect","what","name","old","new","message","in":[…],"example":{"word","old","new"}}`; a version that
/// refuses the word has `{"refused":"…"}` in the place of its text. Empty members are left out.
struct Line<'a>(&'a Change);

impl Serialize for Line<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let change = self.0;
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("effect", change.what.effect().code())?;
        map.serialize_entry("what", change.what.code())?;
        for (key, value) in [("name", &change.name), ("old", &change.old), ("new", &change.new)] {
            if !value.is_empty() {
                map.serialize_entry(key, value)?;
            }
        }
        map.serialize_entry("message", &change.message())?;
        if !change.places.is_empty() {
            map.serialize_entry("in", &change.places)?;
        }
        if let Some(example) = &change.example {
            map.serialize_entry("example", &Shown(example))?;
        }
        map.end()
    }
}

struct Shown<'a>(&'a Example);

impl Serialize for Shown<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        if let Some(word) = &self.0.word {
            map.serialize_entry("word", word)?;
        }
        for (key, outcome) in [("old", &self.0.old), ("new", &self.0.new)] {
            match outcome {
                Ok(text) => map.serialize_entry(key, text)?,
                Err(refused) => map.serialize_entry(key, &std::collections::BTreeMap::from([("refused", refused)]))?,
            }
        }
        map.end()
    }
}
