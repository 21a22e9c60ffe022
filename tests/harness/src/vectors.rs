use crate::{Codec, beside_suites};
use isa_spec::model::Word;
use std::path::Path;
use std::sync::Arc;

/// The files of `vectors/` with words and texts: the instruction set, the file, its lines.
pub const TEXTS: [(&str, &str, usize); 16] = [
    ("ampere", "ampere-sm80.tsv", 15_995),
    ("ampere", "ampere-sm80-undocumented-forms.tsv", 2_998),
    ("sm80", "sm80.tsv", 1_622),
    ("sm80", "sm80-rare.tsv", 1_248),
    ("sm75", "sm75.tsv", 1_137),
    ("sm86", "sm86.tsv", 2_860),
    ("sm89", "sm89.tsv", 1_150),
    ("sm90", "sm90.tsv", 2_460),
    ("sm100", "sm100.tsv", 900),
    ("sm103", "sm103.tsv", 500),
    ("sm107", "sm107.tsv", 500),
    ("sm110", "sm110.tsv", 500),
    ("sm120", "sm120.tsv", 900),
    ("fermi", "fermi.tsv", 643),
    ("flexgrip", "flexgrip.tsv", 1_611),
    ("flexgrip", "flexgrip-examples.tsv", 159),
];

/// A line of a vector file: a word, and the text of another tool.
#[derive(Clone, Debug)]
pub struct Vector {
    /// The word.
    pub word: Word,
    /// Its bits: four for each digit.
    pub bits: u32,
    columns: Vec<String>,
    names: Arc<[String]>,
}

impl Vector {
    /// The column that the head of the file calls so, or begins so.
    pub fn column(&self, name: &str) -> Option<&str> {
        let index = self.names.iter().position(|n| n.starts_with(name))?;
        self.columns.get(index).map(String::as_str)
    }

    /// The address at which the word was read; 0 where the file has none.
    ///
    /// # Panics
    /// When the column is not a hexadecimal number.
    pub fn address(&self) -> u64 {
        let hex = |a: &str| u64::from_str_radix(a.trim_start_matches("0x"), 16).unwrap_or_else(|e| panic!("{a}: {e}"));
        self.column("address").map_or(0, hex)
    }

    /// The text of the word.
    ///
    /// # Panics
    /// When the file has no texts.
    pub fn text(&self) -> &str {
        self.column("text").expect("a file with texts")
    }

    /// True if an assembler made the word, so that its text determines all of it.
    pub fn is_emitted(&self) -> bool {
        self.column("origin").is_some_and(|o| o == "ptxas" || o == "nvcc" || o.starts_with("real"))
    }

    /// The fault if the word is refused, or prints another text.
    ///
    /// # Panics
    /// If the file has no texts.
    pub fn prints_another_text(&self, codec: &Codec<'_>) -> Option<String> {
        let mut text = String::new();
        match codec.decode(self.word, self.bits) {
            Ok(form) => codec.print(form, self.word, self.address(), &mut text),
            Err(error) => text = format!("! {error}"),
        }
        (text != self.text()).then(|| format!("{} prints `{text}`, not `{}`", self.shown(), self.text()))
    }

    /// The word with all its digits.
    pub fn shown(&self) -> String {
        format!("{:0digits$x}", self.word, digits = self.bits as usize / 4)
    }
}

/// The lines of a file of `vectors/`.
///
/// # Panics
/// When there is no such file, or a line does not begin with a word.
pub fn vectors(name: &str) -> Vec<Vector> {
    vectors_at(&beside_suites("vectors").join(name))
}

/// The lines of a file like those of `vectors/`.
///
/// # Panics
/// When there is no such file, or a line does not begin with a word.
pub fn vectors_at(path: &Path) -> Vec<Vector> {
    let name = path.display();
    let text = std::fs::read_to_string(path).unwrap_or_else(|e| panic!("{name}: {e}"));
    let head = text.lines().find_map(|l| l.strip_prefix("# word")).unwrap_or_else(|| panic!("{name} does not name its columns"));
    let names: Arc<[String]> = head.split('\t').skip(1).map(str::to_string).collect();
    let vector = |line: &str| {
        let (digits, rest) = line.split_once('\t').unwrap_or((line, ""));
        let word = Word::from_str_radix(digits, 16).unwrap_or_else(|| panic!("{name}: {line}"));
        let columns = rest.split('\t').map(str::to_string).collect();
        Vector { word, bits: digits.len() as u32 * 4, columns, names: names.clone() }
    };
    text.lines().filter(|l| !l.starts_with('#')).map(vector).collect()
}

/// Asks the same of every vector, on all cores, and collects what is wrong.
pub fn ask<T: Sync, R: Send>(list: &[T], question: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let question = &question;
    std::thread::scope(|scope| {
        let parts: Vec<_> = list
            .chunks(list.len().div_ceil(cores).max(1))
            .map(|part| scope.spawn(move || part.iter().map(question).collect::<Vec<R>>()))
            .collect();
        parts.into_iter().flat_map(|p| p.join().expect("the question does not panic")).collect()
    })
}

/// Asks what is wrong of all of a list, which is called so, on all cores.
///
/// # Panics
/// When something is wrong of some: with the first of them.
pub fn all_right<T: Sync>(name: &str, list: &[T], question: impl Fn(&T) -> Option<String> + Sync) {
    let wrong: Vec<String> = ask(list, question).into_iter().flatten().collect();
    let first: Vec<&str> = wrong.iter().take(20).map(String::as_str).collect();
    assert!(wrong.is_empty(), "{name}: {} of {}:\n{}", wrong.len(), list.len(), first.join("\n"));
}
