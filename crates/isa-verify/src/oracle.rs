//! Other disassemblers: commands that print a line for each word, nvdisasm, and objdump.

use crate::tool::{HELP, Limits, Run, Scratch, first_line, run, shell};
use isa_engine::WordShape;
use isa_engine::digits::hex;
use isa_engine::{Sized, bytes_of};
use isa_stream::Stop;
use isa_stream::count;
use std::collections::HashMap;
use std::ffi::{OsStr, OsString};
use std::process::Command;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// The result for a word: its text, or the reason for having none.
pub type Said = Result<String, String>;

/// A word, its address, and the result of an oracle.
#[derive(Clone, Debug)]
pub struct Case {
    /// The word.
    pub word: Sized,
    /// Its address.
    pub address: u64,
    /// The result.
    pub oracle: Said,
}

/// A disassembler of words.
pub trait Oracle: Sync {
    /// Its texts of words, in their order.
    ///
    /// # Errors
    /// When it can't be run, or its output is not understood.
    fn ask(&self, words: &[Sized]) -> Result<Vec<Case>, Stop>;
}

/// Consecutive words, the first at address 0, with their results.
fn cases(words: &[Sized], said: Vec<Said>) -> Vec<Case> {
    let of_word = words.iter().zip(addresses(words)).zip(said);
    of_word.map(|((word, address), oracle)| Case { word: *word, address, oracle }).collect()
}

/// The oracle with this name; `program` replaces the program of a known one, and `time` limits each run.
///
/// # Errors
/// When the name lacks a part, or `program` is not for it.
pub fn open(name: &str, program: Option<&OsStr>, time: Duration, shape: &WordShape) -> Result<Box<dyn Oracle>, Stop> {
    let shape = shape.clone();
    match name.split_once(':') {
        Some((tool @ ("nvdisasm" | "objdump"), rest)) if rest.split(',').next() == Some("") => {
            let example = if tool == "objdump" { "a machine: `objdump:riscv64`" } else { "an architecture: `nvdisasm:SM80`" };
            Err(Stop::new(format!("`{name}` needs {example}")))
        }
        Some(("nvdisasm", architecture)) => {
            let program = program.unwrap_or(OsStr::new("nvdisasm")).to_owned();
            Ok(Box::new(Nvdisasm { program, architecture: capital(architecture), time, shape }))
        }
        Some(("objdump", rest)) => Ok(Box::new(Objdump::new(rest, program, time, shape))),
        _ if program.is_some() => {
            let help = "a command says itself which program runs: --oracle 'PROGRAM ARGUMENT…'";
            Err(Stop::with_help("--program is for `nvdisasm:ARCH` and `objdump:MACHINE`", help))
        }
        _ => Ok(Box::new(Lines { command: name.to_owned(), time, shape, tally: Tally::default() })),
    }
}

/// The name of an architecture as `nvdisasm --binary` has it, `SM120a`: compilers write `sm_120a`, and specifications `sm120a`.
fn capital(architecture: &str) -> String {
    let number = ["sm_", "sm", "SM_"].iter().find_map(|prefix| architecture.strip_prefix(prefix));
    number.map_or_else(|| architecture.to_owned(), |number| format!("SM{number}"))
}

/// The words as a raw stream.
fn stream(shape: &WordShape, words: &[Sized]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for sized in words {
        bytes.extend(shape.units.write(sized.word, sized.bits));
    }
    bytes
}

/// The address of each word of a stream.
fn addresses(words: &[Sized]) -> impl Iterator<Item = u64> {
    words.iter().scan(0, |next, sized| {
        let address = *next;
        *next += bytes_of(sized.bits);
        Some(address)
    })
}

/// The index of the word at each address of a stream.
fn by_place(words: &[Sized]) -> HashMap<u64, usize> {
    addresses(words).zip(0..).collect()
}

/// The results of a program that prints addresses, for the words there.
fn by_address(at: &HashMap<u64, usize>, lines: impl Iterator<Item = (u64, Said)>) -> Vec<Said> {
    let mut said: Vec<Said> = vec![Err(SILENT.to_owned()); at.len()];
    for (index, text) in lines.filter_map(|(address, text)| Some((*at.get(&address)?, text))) {
        said[index] = text;
    }
    said
}

/// The reason for a word for which nothing is printed.
const SILENT: &str = "nothing is printed";

/// Refuses a program that prints nothing about any word.
fn not_silent(program: &OsStr, said: Vec<Said>, answer: &Run) -> Result<Vec<Said>, Stop> {
    let is_silent = |said: &Said| said.as_ref().is_err_and(|reason| reason == SILENT);
    if !said.is_empty() && said.iter().all(is_silent) {
        let what = first_line(&answer.err);
        return Err(Stop::new(format!(
            "`{}` prints nothing about any of {}{what}",
            program.display(),
            count(said.len(), "word")
        )));
    }
    Ok(said)
}

/// A command that prints a line for each word: its text, or `!` and a reason. It reads a raw stream from the file whose name
/// replaces `{}`, or else hexadecimal words, one a line, from standard input.
struct Lines {
    command: String,
    time: Duration,
    shape: WordShape,
    tally: Tally,
}

/// The results of the runs of a command.
#[derive(Default)]
struct Tally {
    texts: AtomicUsize,
    /// The number of runs that printed a wrong number of lines, and the milliseconds that they took.
    failed: AtomicUsize,
    milliseconds: AtomicU64,
}

/// The number of runs without any text after which a command is refused as no disassembler.
const MOST_IDLE_RUNS: usize = 64;
/// The number of times that a command is started again because it printed a wrong number of lines.
const MOST_FAILED_RUNS: usize = 1024;
/// The time limit of all these runs together, in times the limit of one run.
const MOST_FAILED_TIME: u32 = 5;

impl Lines {
    fn run(&self, words: &[Sized]) -> Result<Run, Stop> {
        let limits = Limits::new(self.time, words.len());
        if self.command.contains("{}") {
            let file = Scratch::new(&stream(&self.shape, words))?;
            let command = self.command.replace("{}", &file.quoted());
            return run(shell(&command), &self.command, Vec::new(), limits);
        }
        let mut input = Vec::new();
        for sized in words {
            hex(sized.word, sized.bits.div_ceil(4), &mut input);
            input.push(b'\n');
        }
        run(shell(&self.command), &self.command, input, limits)
    }

    /// Counts a run that printed a wrong number of lines; too many are an error.
    fn count_failed(&self, time: Duration, answer: &Run, words: usize) -> Result<(), Stop> {
        let failed = self.tally.failed.fetch_add(1, Ordering::Relaxed) + 1;
        let time = time.as_millis() as u64;
        let time = Duration::from_millis(self.tally.milliseconds.fetch_add(time, Ordering::Relaxed) + time);
        let is_idle = self.tally.texts.load(Ordering::Relaxed) == 0;
        let lines = answer.out.lines().count();
        let printed = format!("{} for {}", count(lines, "line"), count(words, "word"));
        let said = match first_line(&answer.err) {
            said if said.is_empty() => first_line(&answer.out),
            said => said,
        };
        let message = if is_idle && failed > MOST_IDLE_RUNS {
            format!("`{}` prints no text for any word: {printed}{said}", self.command)
        } else if failed > MOST_FAILED_RUNS || time > MOST_FAILED_TIME * self.time {
            let often = count(failed, "time");
            format!("`{}` did not print a line for each word, {often}: at last {printed}{said}", self.command)
        } else {
            return Ok(());
        };
        Err(Stop::with_help(message, HELP))
    }
}

impl Oracle for Lines {
    /// If the number of lines differs from that of the words, a bad word may have spoilt the others: each half is asked
    /// separately.
    fn ask(&self, words: &[Sized]) -> Result<Vec<Case>, Stop> {
        let begun = Instant::now();
        let answer = self.run(words)?;
        let lines: Vec<&str> = answer.out.lines().collect();
        if lines.len() == words.len() {
            let said = |line: &&str| match line.strip_prefix('!') {
                Some(reason) => Err(reason.trim().to_owned()),
                None => Ok((*line).to_owned()),
            };
            let said: Vec<Said> = lines.iter().map(said).collect();
            self.tally.texts.fetch_add(said.iter().filter(|said| said.is_ok()).count(), Ordering::Relaxed);
            return Ok(cases(words, said));
        }
        self.count_failed(begun.elapsed(), &answer, words.len())?;
        let (first, second) = words.split_at(words.len() / 2);
        match (first, second) {
            ([], _) if lines.is_empty() => {
                Ok(cases(words, vec![Err(first_line(&answer.err).trim_start_matches(": ").to_owned())]))
            }
            ([], _) => {
                let message = format!("`{}` prints {} lines for one word", self.command, lines.len());
                Err(Stop::with_help(message, HELP))
            }
            _ => {
                let mut cases = self.ask(first)?;
                cases.extend(self.ask(second)?);
                Ok(cases)
            }
        }
    }
}

/// NVIDIA's nvdisasm. It gives no text at all if one word is bad, but names the bad words: these are replaced, and it runs again.
/// It does not name a word at which it breaks off: each half is asked separately, down to that word.
struct Nvdisasm {
    program: OsString,
    architecture: String,
    time: Duration,
    shape: WordShape,
}

/// The greatest number of repeated runs. It names all bad words at once.
const MOST_PASSES: usize = 8;
/// The number of words of a run at which it may break off, each of which takes several runs to find.
const MOST_BROKEN: usize = 1024;

impl Nvdisasm {
    fn run(&self, words: &[Sized]) -> Result<Run, Stop> {
        let file = Scratch::new(&stream(&self.shape, words))?;
        let mut command = Command::new(&self.program);
        command.args(["--binary", &self.architecture, "-raw"]).arg(file.path());
        run(command, &self.program.to_string_lossy(), Vec::new(), Limits::new(self.time, words.len()))
    }

    /// Adds the words at which it breaks off, by their indices, with the reason of each. `reason` is why it broke off in these
    /// words.
    fn broken(&self, words: &[Sized], from: usize, reason: String, found: &mut Vec<(usize, String)>) -> Result<(), Stop> {
        if words.len() == 1 {
            found.push((from, reason));
            return match found.len() > MOST_BROKEN {
                true => {
                    Err(Stop::new(format!("nvdisasm breaks off at more than {MOST_BROKEN} words of one run: {}", found[0].1)))
                }
                false => Ok(()),
            };
        }
        let (first, second) = words.split_at(words.len() / 2);
        for (half, from) in [(first, from), (second, from + first.len())] {
            if let Some(reason) = broken_off(&self.run(half)?) {
                self.broken(half, from, reason, found)?;
            }
        }
        Ok(())
    }
}

impl Oracle for Nvdisasm {
    fn ask(&self, words: &[Sized]) -> Result<Vec<Case>, Stop> {
        let at = by_place(words);
        let mut stream = words.to_vec();
        let mut bad: Vec<Option<String>> = vec![None; words.len()];
        for _ in 0..MOST_PASSES {
            let answer = self.run(&stream)?;
            let mut refused: Vec<(usize, String)> = Vec::new();
            if let Some(reason) = broken_off(&answer) {
                self.broken(&stream, 0, reason, &mut refused)?;
            } else {
                refused.extend(answer.err.lines().filter_map(|line| {
                    let (reason, address) = line.rsplit_once(" at address 0x")?;
                    let index = at.get(&u64::from_str_radix(address.trim(), 16).ok()?)?;
                    Some((*index, reason.split_once(": ").map_or(reason, |(_, reason)| reason).to_owned()))
                }));
            }
            if refused.is_empty() {
                if !answer.is_clean {
                    return Err(Stop::new(format!("{}{}", self.program.to_string_lossy(), first_line(&answer.err))));
                }
                let lines = answer.out.lines().filter_map(nvdisasm_line).map(|(address, text)| (address, Ok(text)));
                let said = by_address(&at, lines).into_iter().zip(bad).map(|(said, bad)| bad.map_or(said, Err));
                return Ok(cases(words, not_silent(&self.program, said.collect(), &answer)?));
            }
            for (index, reason) in refused {
                bad[index].get_or_insert(reason);
            }
            let Some(good) = bad.iter().position(Option::is_none).map(|index| words[index]) else { break };
            stream.iter_mut().zip(&bad).filter(|(_, bad)| bad.is_some()).for_each(|(word, _)| *word = good);
        }
        let said = bad.into_iter().map(|bad| Err(bad.unwrap_or_else(|| "it is refused among others".to_owned())));
        Ok(cases(words, said.collect()))
    }
}

/// The reason for which nvdisasm broke off, if it did. The address in its message is not that of the word.
fn broken_off(answer: &Run) -> Option<String> {
    let (_, reason) =
        answer.err.lines().find_map(|line| line.split_once(':').filter(|(kind, _)| kind.trim_end().ends_with("fatal")))?;
    let reason = reason.trim();
    reason.contains(" decoding").then(|| reason.split_once(" at address").map_or(reason, |(reason, _)| reason).to_owned())
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
    /// The argument of `-M`.
    options: Option<String>,
    /// The comment marks in its texts.
    comments: &'static [&'static str],
    time: Duration,
    shape: WordShape,
}

/// The comment marks in the texts of architectures, by the prefix of the argument of `-m`. In others `#` and `;` may be parts of
/// operands: nothing is cut.
const COMMENTS: &[(&str, &[&str])] = &[
    ("aarch64", &["//"]),
    // Before binutils 2.40 and since.
    ("arm", &[";", "@"]),
    ("arc", &[";"]),
    ("avr", &[";"]),
    ("csky", &["//"]),
    ("i386", &["#"]),
    ("loongarch", &["#"]),
    ("microblaze", &["//"]),
    ("msp430", &[";"]),
    ("powerpc", &["#"]),
    ("riscv", &["#"]),
    ("s390", &["#"]),
    ("sh", &["!"]),
    ("sparc", &["!"]),
];

impl Objdump {
    /// `riscv64`, or `riscv64,no-aliases`: a machine, whose program is that of the GNU toolchain for it, and options.
    fn new(name: &str, program: Option<&OsStr>, time: Duration, shape: WordShape) -> Self {
        let (machine, options) = match name.split_once(',') {
            Some((machine, options)) => (machine, Some(options.to_owned())),
            None => (name, None),
        };
        let program = program.map_or_else(|| format!("{machine}-linux-gnu-objdump").into(), OsStr::to_owned);
        // The architecture's name for `-m`.
        let machine = match machine.strip_prefix("riscv") {
            Some(bits @ ("32" | "64")) => format!("riscv:rv{bits}"),
            _ => machine.to_owned(),
        };
        let comments = COMMENTS.iter().find(|(name, _)| machine.starts_with(name)).map_or(&[][..], |(_, marks)| *marks);
        Self { program, machine, options, comments, time, shape }
    }
}

impl Oracle for Objdump {
    fn ask(&self, words: &[Sized]) -> Result<Vec<Case>, Stop> {
        let at = by_place(words);
        let file = Scratch::new(&stream(&self.shape, words))?;
        let mut command = Command::new(&self.program);
        command.args(["-D", "-z", "-b", "binary", "-m", &self.machine]);
        // Some machines have either byte order; programs of bytes have none.
        if self.shape.units.bits > 8 {
            command.arg(if self.shape.units.little_endian { "-EL" } else { "-EB" });
        }
        if let Some(options) = &self.options {
            command.args(["-M", options]);
        }
        command.arg(file.path());
        let limits = Limits::new(self.time, words.len());
        let answer = run(command, &self.program.to_string_lossy(), Vec::new(), limits)?;
        if !answer.is_clean {
            return Err(Stop::new(format!("{}{}", self.program.to_string_lossy(), first_line(&answer.err))));
        }
        let lines = answer.out.lines().filter_map(|line| objdump_line(line, self.comments));
        Ok(cases(words, not_silent(&self.program, by_address(&at, lines), &answer)?))
    }
}

/// `   4:\t0505\taddi\ta0,a0,1 # a comment`, `   8:\t14000002\tb\t0x10 <.data+0x10>`. Data begins with a directive.
fn objdump_line(line: &str, comments: &[&str]) -> Option<(u64, Said)> {
    let (address, rest) = line.split_once(":\t")?;
    let address = u64::from_str_radix(address.trim(), 16).ok()?;
    let (_, text) = rest.split_once('\t')?;
    let end = comments.iter().filter_map(|mark| text.find(mark)).min().unwrap_or(text.len());
    let mut text = text[..end].trim();
    // The symbol of an address.
    if let Some((before, symbol)) = text.rsplit_once('<')
        && symbol.ends_with('>')
        && before.ends_with([' ', '\t'])
    {
        text = before.trim_end();
    }
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
        let objdump = |machine: &str, line: &str| {
            let oracle = Objdump::new(machine, None, Duration::ZERO, shape());
            objdump_line(line, oracle.comments).map(|(address, said)| (address, said.unwrap_or_else(|why| format!("! {why}"))))
        };
        let printed = |address, text: &str| Some((address, text.to_owned()));
        assert_eq!(objdump("riscv64", "   a:\tffdff0ef          \tjal\t0x6"), printed(10, "jal\t0x6"));
        assert_eq!(objdump("riscv32,no-aliases", "   2:\t00500513          \tli\ta0,5 # 0x5"), printed(2, "li\ta0,5"));
        assert_eq!(objdump("riscv64", "   0:\t0000006f          \tj\t0x0 <.data> # x"), printed(0, "j\t0x0"));
        assert_eq!(objdump("riscv64", "  12:\tffff                \t.2byte\t0xffff"), printed(18, "! it is printed as data"));
        assert_eq!(objdump("riscv64", "0000000000000000 <.data>:"), None);
        // Numbers begin with a `#`.
        assert_eq!(objdump("aarch64", "   0:\tf9400400 \tldr\tx0, [x0, #8]"), printed(0, "ldr\tx0, [x0, #8]"));
        assert_eq!(objdump("aarch64", "   4:\t54000040 \tb.eq\t0xc <.data+0xc>  // b.none"), printed(4, "b.eq\t0xc"));
        assert_eq!(objdump("arm", "   0:\te59f0004 \tldr\tr0, [pc, #4]\t@ 0xc"), printed(0, "ldr\tr0, [pc, #4]"));
        assert_eq!(objdump("arm", "   0:\te59f0004 \tldr\tr0, [pc, #4]\t; 0xc"), printed(0, "ldr\tr0, [pc, #4]"));
        assert_eq!(objdump("i386:x86-64", "   0:\t0f 1f 00 \tnopl   (%rax)"), printed(0, "nopl   (%rax)"));
        assert_eq!(objdump("m68k", "   0:\t7005           \tmoveq #5,%d0"), printed(0, "moveq #5,%d0"));
        assert_eq!(objdump("bfin", "   0:\t80 4f           \tR0 <<= 0x10;"), printed(0, "R0 <<= 0x10;"));
    }

    #[test]
    fn architectures_have_three_spellings() {
        assert_eq!(["SM120a", "sm_120a", "sm120a", "SM_120a"].map(capital), ["SM120a"; 4]);
    }

    /// Words at which nvdisasm breaks off are found without being named, and addresses stay the same.
    #[cfg(unix)]
    #[test]
    fn words_at_which_nvdisasm_breaks_off() {
        use std::os::unix::fs::PermissionsExt;
        let program = std::env::temp_dir().join(format!("isagen-breaks-off-{}", std::process::id()));
        let script = r#"#!/bin/sh
for file; do :; done
words=$(od -An -v -tx4 -w4 "$file")
case "$words" in *deadbeef*)
    echo "nvdisasm fatal   : More than one pattern matched during instruction decoding: classes a and b at address 0x00000000" >&2
    exit 1
esac
at=0
for word in $words; do
    [ $word = 00000bad ] && printf 'nvdisasm error   : Illegal at address 0x%08x\n' $at >&2
    printf '        /*%04x*/ W 0x%s, %d ;\n' $at $word $at
    at=$((at + 4))
done
"#;
        std::fs::write(&program, script).expect("the folder for such files can be written to");
        std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).expect("its permissions can be set");
        let time = Duration::from_secs(60);
        let oracle = Nvdisasm { program: program.clone().into(), architecture: "SM75".to_owned(), time, shape: shape() };
        let words = [1u32, 0xdead_beef, 2, 0xbad, 3, 0xdead_beef, 4].map(|word| Sized { word: word.into(), bits: 32 });
        let cases = oracle.ask(&words).unwrap_or_else(|stop| panic!("{stop:?}"));
        let said: Vec<String> = cases.into_iter().map(|case| case.oracle.unwrap_or_else(|why| format!("! {why}"))).collect();
        let broken = "! More than one pattern matched during instruction decoding: classes a and b";
        let illegal = "! Illegal";
        let good = [0, 8, 16, 24].map(|at| format!("W 0x{:08x}, {at}", at / 8 + 1));
        assert_eq!(said, [&good[0], broken, &good[1], illegal, &good[2], broken, &good[3]]);
        let _ = std::fs::remove_file(&program);
    }

    /// objdump gets the byte order of words that have several bytes.
    #[cfg(unix)]
    #[test]
    fn objdump_gets_the_byte_order() {
        use isa_runtime::word::Units;
        use std::os::unix::fs::PermissionsExt;
        let program = std::env::temp_dir().join(format!("isagen-byte-order-{}", std::process::id()));
        std::fs::write(&program, "#!/bin/sh\nprintf '   0:\\t00\\t%s\\n' \"$*\"\n")
            .expect("the folder for such files can be written to");
        std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).expect("its permissions can be set");
        let said = |bits: u32, little_endian: bool| {
            let shape = WordShape { units: Units { bits, low_first: true, little_endian }, lengths: vec![bits] };
            let oracle = Objdump::new("powerpc:common64,power9", Some(program.as_os_str()), Duration::from_secs(60), shape);
            let cases = oracle.ask(&[Sized { word: 1u32.into(), bits }]).unwrap_or_else(|stop| panic!("{stop:?}"));
            let text = cases[0].oracle.clone().unwrap_or_else(|why| panic!("{why}"));
            text.rsplit_once(" /").map(|(options, _)| options.to_owned()).unwrap_or(text)
        };
        let begin = "-D -z -b binary -m powerpc:common64";
        assert_eq!(said(32, false), format!("{begin} -EB -M power9"));
        assert_eq!(said(16, true), format!("{begin} -EL -M power9"));
        assert_eq!(said(8, true), format!("{begin} -M power9"));
        let _ = std::fs::remove_file(&program);
    }

    fn shape() -> WordShape {
        WordShape { units: isa_runtime::word::Units { bits: 32, low_first: true, little_endian: true }, lengths: vec![32] }
    }
}
