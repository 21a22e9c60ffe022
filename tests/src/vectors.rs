use isa_spec::model::Word;
use std::path::Path;

/// A line of a vector file: a word, and what the tool that vouches for it says.
#[derive(Clone, Debug)]
pub struct Vector {
    /// The word.
    pub word: Word,
    /// The columns behind it.
    pub columns: Vec<String>,
}

impl Vector {
    /// The address at which the word was read (of files that have one): second column.
    ///
    /// # Panics
    /// When the column is no hexadecimal number.
    pub fn address(&self) -> u64 {
        u64::from_str_radix(self.columns[0].trim_start_matches("0x"), 16).unwrap_or_else(|e| panic!("{}: {e}", self.columns[0]))
    }

    /// The last column: a text or a message.
    ///
    /// # Panics
    /// When the line has no columns but the word.
    pub fn said(&self) -> &str {
        self.columns.last().expect("a vector has several columns")
    }
}

/// The lines of a file of `vectors/`.
///
/// # Panics
/// When there is no such file, or a line does not begin with a word.
pub fn vectors(name: &str) -> Vec<Vector> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("vectors").join(name);
    let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let vector = |line: &str| {
        let (word, rest) = line.split_once('\t').unwrap_or((line, ""));
        let word = Word::from_str_radix(word, 16).unwrap_or_else(|e| panic!("{name}: {line}: {e}"));
        Vector { word, columns: rest.split('\t').map(str::to_string).collect() }
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
