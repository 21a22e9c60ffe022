//! How a run reports and how it ends: findings on standard error, results on standard output, an exit status.

use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};
use isa_spec::diag::{Diagnostic, json_string, render_json, render_terminal};
use isa_spec::span::SourceMap;
use std::io::{self, BufWriter, IsTerminal, StdoutLock, Write};
use std::ops::Range;
use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// How a run ended, the worst last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Status {
    /// Nothing to complain about.
    Clean,
    /// Errors in the spec, words that don't decode, text that doesn't assemble.
    Findings,
    /// No such file, bad usage.
    CouldNotRun,
}

impl Status {
    /// [`Status::Findings`] if there were any.
    pub(crate) fn of(findings: bool) -> Self {
        if findings { Self::Findings } else { Self::Clean }
    }
}

impl From<Status> for ExitCode {
    fn from(status: Status) -> Self {
        Self::from(status as u8)
    }
}

/// Why a run can't go on.
#[derive(Debug)]
pub(crate) enum Stop {
    /// No such file, bad usage.
    CannotRun {
        /// What is the matter.
        message: String,
        /// What would do.
        help: Option<String>,
    },
    /// Nobody reads our output any more.
    BrokenPipe,
}

impl Stop {
    /// Can't run, for this reason.
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Self::CannotRun { message: message.into(), help: None }
    }

    /// The same with a way out.
    pub(crate) fn with_help(message: impl Into<String>, help: impl Into<String>) -> Self {
        Self::CannotRun { message: message.into(), help: Some(help.into()) }
    }

    /// A file that can't be read or written.
    pub(crate) fn file(path: &Path, error: &io::Error) -> Self {
        Self::new(format!("{}: {}", path.display(), plain(error)))
    }
}

/// A failed write to standard output; errors of other files are made with [`Stop::file`].
impl From<io::Error> for Stop {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Self::BrokenPipe,
            _ => Self::new(format!("standard output: {}", plain(&error))),
        }
    }
}

/// The system's words without its number.
fn plain(error: &io::Error) -> String {
    let text = error.to_string();
    let text = text.split(" (os error").next().unwrap_or(&text);
    text[..1].to_lowercase() + &text[1..]
}

/// How findings are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Format {
    /// Text with the place in the source, in colour on a terminal.
    Human,
    /// One JSON object a line.
    Json,
}

/// Writes findings to standard error.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reporter {
    format: Format,
    colour: bool,
}

impl Reporter {
    /// Colour only where a person looks, and not if they don't want it (<https://no-color.org>).
    pub(crate) fn new(format: Format) -> Self {
        let wanted =
            std::env::var_os("NO_COLOR").is_none_or(|v| v.is_empty()) && std::env::var_os("TERM").is_none_or(|t| t != "dumb");
        Self { format, colour: wanted && io::stderr().is_terminal() }
    }

    /// A finding in a specification.
    pub(crate) fn finding(&self, diagnostic: &Diagnostic, files: &SourceMap) {
        match self.format {
            Format::Human => self.write(&format!("{}\n", render_terminal(diagnostic, files, self.colour))),
            Format::Json => self.write(&render_json(diagnostic, files)),
        }
    }

    /// A finding in one line of the input, `at` these bytes of it.
    pub(crate) fn line_finding(&self, file: &str, number: usize, line: &str, at: Range<usize>, message: &str) {
        match self.format {
            Format::Human => {
                let snippet = Snippet::source(line).line_start(number).path(file).annotation(AnnotationKind::Primary.span(at));
                let renderer = if self.colour { Renderer::styled() } else { Renderer::plain() };
                self.write(&format!("{}\n", renderer.render(&[Level::ERROR.primary_title(message).element(snippet)])));
            }
            Format::Json => {
                let column = |byte| line[..byte].chars().count() + 1;
                self.write(&format!(
                    "{{\"severity\":\"error\",\"code\":\"text\",\"message\":{},\"labels\":[{{\"file\":{},\"line\":{number},\"column\":{},\
                     \"end_line\":{number},\"end_column\":{},\"text\":\"\"}}]}}",
                    json_string(message),
                    json_string(file),
                    column(at.start),
                    column(at.end),
                ));
            }
        }
    }

    /// A finding without a place in a file: a run's fault, a result that is not the expected one.
    pub(crate) fn fault(&self, code: &str, message: &str) {
        match self.format {
            Format::Human => self.cannot_run(message, None),
            Format::Json => {
                let message = json_string(message);
                self.write(&format!("{{\"severity\":\"error\",\"code\":\"{code}\",\"message\":{message},\"labels\":[]}}"));
            }
        }
    }

    /// The reason why something could not run.
    pub(crate) fn cannot_run(&self, message: &str, help: Option<&str>) {
        match self.format {
            Format::Human => {
                let (error, note, plain) =
                    if self.colour { ("\x1b[1;31merror\x1b[0m", "\x1b[1;36mhelp\x1b[0m", "") } else { ("error", "help", "") };
                let help = help.map(|h| format!("\n{note}: {h}{plain}")).unwrap_or_default();
                self.write(&format!("{error}: {message}{help}"));
            }
            Format::Json => {
                let help = help.map(|h| format!(",\"help\":{}", json_string(h))).unwrap_or_default();
                let message = json_string(message);
                self.write(&format!(
                    "{{\"severity\":\"error\",\"code\":\"could-not-run\",\"message\":{message}{help},\"labels\":[]}}"
                ));
            }
        }
    }

    /// A remark for people only.
    pub(crate) fn remark(&self, text: &str) {
        if self.format == Format::Human {
            self.write(text);
        }
    }

    /// Standard error may be closed; there is nobody to tell then.
    fn write(&self, text: &str) {
        let _ = writeln!(io::stderr().lock(), "{text}");
    }
}

/// Standard output with a buffer.
pub(crate) type Out = BufWriter<StdoutLock<'static>>;

/// Standard output with a buffer: whoever uses it flushes it, to learn of errors.
pub(crate) fn out() -> Out {
    BufWriter::with_capacity(1 << 16, io::stdout().lock())
}

/// Says on a terminal how far a long piece of work is.
#[derive(Debug)]
pub(crate) struct Progress {
    begun: Instant,
    shown: Option<Instant>,
    visible: bool,
}

impl Progress {
    /// Only on a terminal, and only if the results don't go to it too.
    pub(crate) fn new() -> Self {
        Self { begun: Instant::now(), shown: None, visible: io::stderr().is_terminal() && !io::stdout().is_terminal() }
    }

    /// Shows the text if the work takes long enough for anybody to care.
    pub(crate) fn show(&mut self, text: impl FnOnce() -> String) {
        let due = self.shown.map_or(self.begun + Duration::from_millis(500), |s| s + Duration::from_millis(100));
        if self.visible && Instant::now() >= due {
            let _ = write!(io::stderr().lock(), "\r\x1b[K{}", text());
            self.shown = Some(Instant::now());
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if self.shown.is_some() {
            let _ = write!(io::stderr().lock(), "\r\x1b[K");
        }
    }
}

/// `1 form`, `1,873 forms`.
pub(crate) fn count(n: usize, what: &str) -> String {
    let digits = n.to_string();
    let mut text = String::new();
    for (i, d) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(d);
    }
    if what.is_empty() {
        return text;
    }
    let plural = match what {
        w if n == 1 || w.ends_with("errata") => w.to_owned(),
        w if w.ends_with("mnemonic") || !w.ends_with('s') => format!("{w}s"),
        w => format!("{w}es"),
    };
    format!("{text} {plural}")
}

/// A share as people read it: `12.34 %`, `0.0053 %`, `1.2e-9 %`.
pub(crate) fn share(fraction: f64) -> String {
    match fraction * 100.0 {
        p if p == 0.0 || p == 100.0 => format!("{p} %"),
        p if p < 0.001 => format!("{p:.1e} %"),
        p if !(1.0..=99.0).contains(&p) => format!("{p:.4} %"),
        p => format!("{p:.2} %"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_read_well() {
        assert_eq!(count(1, "form"), "1 form");
        assert_eq!(count(1234567, "form"), "1,234,567 forms");
        assert_eq!(count(2, "errata"), "2 errata");
        assert_eq!(count(100, ""), "100");
    }

    #[test]
    fn shares_read_well() {
        assert_eq!(share(1.0), "100 %");
        assert_eq!(share(0.1234), "12.34 %");
        assert_eq!(share(0.001234), "0.1234 %");
        assert_eq!(share(0.99996), "99.9960 %");
        assert_eq!(share(2f64.powi(-40)), "9.1e-11 %");
    }
}
