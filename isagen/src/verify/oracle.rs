//! Other disassemblers: commands that print a line for each word, nvdisasm, and objdump.

use super::tool::{Run, Scratch, first_line, run, shell};
use crate::codec::WordShape;
use crate::digits::hex;
use crate::input::{Sized, bytes_of, push_bytes};
use crate::output::{Stop, count};
use isa_spec::model::Word;
use std::collections::HashMap;
use std::ffi::{OsStr, OsString};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};

/// What is made of a word: its text, or why it has none.
pub(crate) type Said = Result<String, String>;

/// What disassembles words.
pub(crate) trait Oracle: Sync {
    /// What it makes of words that stand one behind the other, the first at address 0.
    fn ask(&self, words: &[Sized<Word>]) -> Result<Vec<Said>, Stop>;
}

/// The oracle of this name; `program` replaces the program of one that is known here.
pub(crate) fn open(name: &str, program: Option<&OsStr>, shape: &WordShape) -> Result<Box<dyn Oracle>, Stop> {
    let shape = shape.clone();
    match name.split_once(':') {
        Some(("nvdisasm", architecture)) => {
            let program = program.unwrap_or(OsStr::new("nvdisasm")).to_owned();
            Ok(Box::new(Nvdisasm { program, architecture: architecture.to_owned(), shape }))
        }
        Some(("objdump", rest)) => Ok(Box::new(Objdump::new(rest, program, shape))),
        _ if program.is_some() => {
            let help = "a command says itself which program runs: --oracle 'PROGRAM ARGUMENT…'";
            Err(Stop::with_help("--program is for `nvdisasm:ARCH` and `objdump:MACHINE`", help))
        }
        _ => Ok(Box::new(Lines { command: name.to_owned(), shape, runs: AtomicUsize::new(0), texts: AtomicUsize::new(0) })),
    }
}

/// The words as a raw stream.
fn stream(shape: &WordShape, words: &[Sized<Word>]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for sized in words {
        push_bytes(shape, sized.word, sized.bits, &mut bytes);
    }
    bytes
}

/// Where each word stands.
fn addresses(words: &[Sized<Word>]) -> HashMap<u64, usize> {
    let mut next = 0;
    let place = |(i, sized): (usize, &Sized<Word>)| {
        let at = next;
        next += bytes_of(sized.bits);
        (at, i)
    };
    words.iter().enumerate().map(place).collect()
}

/// A command that prints a line for each word: its text, or `!` and a reason. It reads a raw stream from the file that stands for
/// `{}`, or else hexadecimal words, one a line, from standard input.
struct Lines {
    command: String,
    shape: WordShape,
    /// How often it was run, and how many texts it gave.
    runs: AtomicUsize,
    texts: AtomicUsize,
}

/// A command that gave no text in so many runs is none that disassembles.
const MOST_IDLE_RUNS: usize = 64;

impl Lines {
    fn run(&self, words: &[Sized<Word>]) -> Result<Run, Stop> {
        if self.command.contains("{}") {
            let file = Scratch::new(&stream(&self.shape, words))?;
            let command = self.command.replace("{}", &file.quoted());
            return run(shell(&command), &self.command, Vec::new());
        }
        let mut input = Vec::new();
        for sized in words {
            hex(sized.word, sized.bits.div_ceil(4), &mut input);
            input.push(b'\n');
        }
        run(shell(&self.command), &self.command, input)
    }
}

impl Oracle for Lines {
    /// Where the lines are not as many as the words, a bad word may have spoilt the others: each half is asked alone.
    fn ask(&self, words: &[Sized<Word>]) -> Result<Vec<Said>, Stop> {
        let answer = self.run(words)?;
        let lines: Vec<&str> = answer.out.lines().collect();
        let runs = self.runs.fetch_add(1, Ordering::Relaxed) + 1;
        if lines.len() == words.len() {
            let said = |line: &&str| match line.strip_prefix('!') {
                Some(reason) => Err(reason.trim().to_owned()),
                None => Ok((*line).to_owned()),
            };
            let said: Vec<Said> = lines.iter().map(said).collect();
            self.texts.fetch_add(said.iter().filter(|said| said.is_ok()).count(), Ordering::Relaxed);
            return Ok(said);
        }
        if runs > MOST_IDLE_RUNS && self.texts.load(Ordering::Relaxed) == 0 {
            let (lines, words) = (count(lines.len(), "line"), count(words.len(), "word"));
            let message = format!("`{}` prints no text for any word: {lines} for {words}", self.command);
            return Err(Stop::with_help(format!("{message}{}", first_line(&answer.err)), HELP));
        }
        let (first, second) = words.split_at(words.len() / 2);
        match (first, second) {
            ([], _) if lines.is_empty() => Ok(vec![Err(first_line(&answer.err).trim_start_matches(": ").to_owned())]),
            ([], _) => {
                let message = format!("`{}` prints {} lines for one word", self.command, lines.len());
                Err(Stop::with_help(message, HELP))
            }
            _ => {
                let mut said = self.ask(first)?;
                said.extend(self.ask(second)?);
                Ok(said)
            }
        }
    }
}

const HELP: &str = "an oracle reads hexadecimal words from standard input, or the file of a raw stream that stands for `{}`, \
                    and prints a line for each: the text, or `!` and a reason";

/// NVIDIA's nvdisasm. It gives no text at all where one word is bad, but says which are: these are replaced, and it is asked again.
struct Nvdisasm {
    program: OsString,
    architecture: String,
    shape: WordShape,
}

/// So often it is asked again. It names all bad words at once.
const MOST_PASSES: usize = 8;

impl Oracle for Nvdisasm {
    fn ask(&self, words: &[Sized<Word>]) -> Result<Vec<Said>, Stop> {
        let at = addresses(words);
        let mut words = words.to_vec();
        let mut bad: Vec<Option<String>> = vec![None; words.len()];
        for _ in 0..MOST_PASSES {
            let file = Scratch::new(&stream(&self.shape, &words))?;
            let mut command = Command::new(&self.program);
            command.args(["--binary", &self.architecture, "-raw"]).arg(file.path());
            let answer = run(command, &self.program.to_string_lossy(), Vec::new())?;
            let refused = answer.err.lines().filter_map(|line| {
                let (reason, address) = line.rsplit_once(" at address 0x")?;
                let index = at.get(&u64::from_str_radix(address.trim(), 16).ok()?)?;
                Some((*index, reason.split_once(": ").map_or(reason, |(_, reason)| reason)))
            });
            let refused: Vec<(usize, &str)> = refused.collect();
            if refused.is_empty() {
                if !answer.is_clean {
                    return Err(Stop::new(format!("{}{}", self.program.to_string_lossy(), first_line(&answer.err))));
                }
                let mut said: Vec<Said> = vec![Err("nothing is printed".to_owned()); words.len()];
                for (address, text) in answer.out.lines().filter_map(nvdisasm_line) {
                    if let Some(index) = at.get(&address) {
                        said[*index] = Ok(text);
                    }
                }
                for (said, bad) in said.iter_mut().zip(bad) {
                    if let Some(reason) = bad {
                        *said = Err(reason);
                    }
                }
                return Ok(said);
            }
            for (index, reason) in refused {
                bad[index].get_or_insert_with(|| reason.to_owned());
            }
            let Some(good) = bad.iter().position(Option::is_none).map(|index| words[index]) else { break };
            words.iter_mut().zip(&bad).filter(|(_, bad)| bad.is_some()).for_each(|(word, _)| *word = good);
        }
        Ok(bad.into_iter().map(|bad| Err(bad.unwrap_or_else(|| "it is refused among others".to_owned()))).collect())
    }
}

/// `/*0010*/ MOV R1, R2 ;`
fn nvdisasm_line(line: &str) -> Option<(u64, String)> {
    let (address, text) = line.trim().strip_prefix("/*")?.split_once("*/")?;
    let address = u64::from_str_radix(address, 16).ok()?;
    Some((address, text.trim().trim_end_matches(';').trim_end().to_owned()))
}

/// GNU objdump.
struct Objdump {
    program: OsString,
    machine: String,
    /// What stands behind `-M`.
    options: Option<String>,
    shape: WordShape,
}

impl Objdump {
    /// `riscv64`, or `riscv64,no-aliases`: a machine, whose program is that of the GNU toolchain for it, and options.
    fn new(name: &str, program: Option<&OsStr>, shape: WordShape) -> Self {
        let (machine, options) = match name.split_once(',') {
            Some((machine, options)) => (machine, Some(options.to_owned())),
            None => (name, None),
        };
        let program = program.map_or_else(|| format!("{machine}-linux-gnu-objdump").into(), OsStr::to_owned);
        // What the architecture of this name is called behind `-m`.
        let machine = match machine.strip_prefix("riscv") {
            Some(bits @ ("32" | "64")) => format!("riscv:rv{bits}"),
            _ => machine.to_owned(),
        };
        Self { program, machine, options, shape }
    }
}

impl Oracle for Objdump {
    fn ask(&self, words: &[Sized<Word>]) -> Result<Vec<Said>, Stop> {
        let at = addresses(words);
        let file = Scratch::new(&stream(&self.shape, words))?;
        let mut command = Command::new(&self.program);
        command.args(["-D", "-z", "-b", "binary", "-m", &self.machine]);
        if let Some(options) = &self.options {
            command.args(["-M", options]);
        }
        command.arg(file.path());
        let answer = run(command, &self.program.to_string_lossy(), Vec::new())?;
        if !answer.is_clean {
            return Err(Stop::new(format!("{}{}", self.program.to_string_lossy(), first_line(&answer.err))));
        }
        let mut said: Vec<Said> = vec![Err("nothing is printed".to_owned()); words.len()];
        for (address, text) in answer.out.lines().filter_map(objdump_line) {
            if let Some(index) = at.get(&address) {
                said[*index] = text;
            }
        }
        Ok(said)
    }
}

/// `   4:\t0505\taddi\ta0,a0,1 # a comment`. What it takes for data begins with a directive.
fn objdump_line(line: &str) -> Option<(u64, Said)> {
    let (address, rest) = line.split_once(":\t")?;
    let address = u64::from_str_radix(address.trim(), 16).ok()?;
    let (_, text) = rest.split_once('\t')?;
    let text = text.split(['#', '<']).next().unwrap_or("").trim();
    let is_data = text.starts_with('.') || text.contains("(bad)");
    Some((address, if is_data { Err("it is printed as data".to_owned()) } else { Ok(text.to_owned()) }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_other_disassemblers() {
        let text = "FADD R0, R1, R2".to_owned();
        assert_eq!(nvdisasm_line("        /*0010*/                   FADD R0, R1, R2 ;"), Some((0x10, text)));
        assert_eq!(nvdisasm_line("\t.headerflags\t@\"EF_CUDA_SM80\""), None);
        assert_eq!(objdump_line("   a:\tffdff0ef          \tjal\t0x6"), Some((10, Ok("jal\t0x6".to_owned()))));
        assert_eq!(objdump_line("   2:\t00500513          \tli\ta0,5 # 0x5"), Some((2, Ok("li\ta0,5".to_owned()))));
        assert_eq!(
            objdump_line("  12:\tffff                \t.2byte\t0xffff"),
            Some((18, Err("it is printed as data".to_owned())))
        );
        assert_eq!(objdump_line("0000000000000000 <.data>:"), None);
    }
}
