//! Reports and the end of a run: findings on standard error, results on standard output, an exit status.

pub(crate) use isa_stream::{count, share};

use crate::json::{self, Finding, Label};
use annotate_snippets::{AnnotationKind, Level, Origin, Renderer, Snippet};
use isa_spec::diag::{Diagnostic, render_terminal};
use isa_spec::escape::{escape, mask};
use isa_spec::span::SourceMap;
use std::cell::Cell;
use std::io::{self, IsTerminal, Write};
use std::ops::Range;
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// The result of a run, the worst last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Status {
    /// No errors.
    Clean,
    /// Errors in the spec, words that don't decode, text that doesn't assemble.
    Findings,
    /// No such file, bad usage.
    CouldNotRun,
    /// The status of a program that was run.
    Program(u8),
}

impl Status {
    /// [`Status::Findings`] if there were any.
    pub(crate) fn of(findings: bool) -> Self {
        if findings { Self::Findings } else { Self::Clean }
    }
}

impl From<Status> for ExitCode {
    fn from(status: Status) -> Self {
        Self::from(match status {
            Status::Clean => 0,
            Status::Findings => 1,
            Status::CouldNotRun => 2,
            Status::Program(own) => own,
        })
    }
}

/// The format of findings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Format {
    /// Text with the place in the source, in colour on a terminal.
    Human,
    /// One JSON object a line.
    Json,
}

/// The number of findings that are shown; the rest are counted.
const MOST_FINDINGS: usize = 100;
/// The longest line that is shown with a finding in it, in bytes.
const LONGEST_LINE: usize = 16 << 10;

/// Writes findings to standard error.
#[derive(Debug)]
pub(crate) struct Reporter {
    format: Format,
    colour: bool,
    /// The number of findings that may still be shown.
    left: Cell<usize>,
    /// The number of findings that were not shown.
    hidden: Cell<usize>,
}

impl Reporter {
    /// Colour is used only on a terminal, and not if it is disabled (<https://no-color.org>). The first hundred findings are
    /// shown, or all of them.
    pub(crate) fn new(format: Format, all: bool) -> Self {
        let wanted =
            std::env::var_os("NO_COLOR").is_none_or(|v| v.is_empty()) && std::env::var_os("TERM").is_none_or(|t| t != "dumb");
        let left = Cell::new(if all { usize::MAX } else { MOST_FINDINGS });
        Self { format, colour: wanted && io::stderr().is_terminal(), left, hidden: Cell::new(0) }
    }

    /// True if one more finding is shown; else it is counted.
    fn admits(&self) -> bool {
        let left = self.left.get();
        if left > 0 {
            self.left.set(left - 1);
        } else {
            self.hidden.set(self.hidden.get() + 1);
        }
        left > 0
    }

    /// A finding in a specification.
    pub(crate) fn finding(&self, diagnostic: &Diagnostic, files: &SourceMap) {
        if !self.admits() {
            return;
        }
        match self.format {
            Format::Human => self.write(&format!("{}\n", render_terminal(diagnostic, files, self.colour))),
            Format::Json => self.write(&json::diagnostic(diagnostic, files)),
        }
    }

    /// A finding in one line of the input, at the bytes `at`; or a warning.
    pub(crate) fn line_finding(&self, file: &str, number: usize, line: &str, at: Range<usize>, message: &str, is_warning: bool) {
        if !self.admits() {
            return;
        }
        let column = |byte| line[..byte].chars().count() + 1;
        match self.format {
            Format::Human => {
                let renderer = if self.colour { Renderer::styled() } else { Renderer::plain() };
                let level = if is_warning { Level::WARNING } else { Level::ERROR };
                let (title, path) = (level.primary_title(escape(message)), escape(file));
                let group = if line.len() > LONGEST_LINE {
                    title.element(Origin::path(path).line(number).char_column(column(at.start)))
                } else {
                    let annotation = AnnotationKind::Primary.span(at);
                    title.element(Snippet::source(mask(line.to_owned())).line_start(number).path(path).annotation(annotation))
                };
                self.write(&format!("{}\n", renderer.render(&[group])));
            }
            Format::Json => {
                let label = Label { file, from: (number, column(at.start)), to: (number, column(at.end)), text: "" };
                let severity = if is_warning { "warning" } else { "error" };
                self.write(&json::line(&Finding { severity, code: "text", message, help: None, labels: &[label] }));
            }
        }
    }

    /// A fault of a line of a program.
    pub(crate) fn line_fault(&self, fault: &isa_asm::Fault) {
        self.line_finding(&fault.file, fault.line, &fault.text, fault.at.clone(), &fault.message, fault.is_warning);
    }

    /// A finding without a place in a file: a run's fault, a result that is not the expected one.
    pub(crate) fn fault(&self, code: &str, message: &str, help: Option<&str>) {
        if self.admits() {
            self.message("error", code, message, help);
        }
    }

    /// A warning without a place in a file.
    pub(crate) fn warning(&self, code: &str, message: &str, help: &str) {
        if self.admits() {
            self.message("warning", code, message, Some(help));
        }
    }

    /// The reason why something could not run.
    pub(crate) fn cannot_run(&self, message: &str, help: Option<&str>) {
        self.message("error", "could-not-run", message, help);
    }

    fn message(&self, severity: &str, code: &str, message: &str, help: Option<&str>) {
        match self.format {
            Format::Human => {
                let styled = |style: &str, text: &str| {
                    if self.colour { format!("\x1b[1;{style}m{text}\x1b[0m") } else { text.to_owned() }
                };
                let severity = styled(if severity == "error" { "31" } else { "33" }, severity);
                let help = help.map(|h| format!("\n{}: {}", styled("36", "help"), escape(h))).unwrap_or_default();
                self.write(&format!("{severity}: {}{help}", escape(message)));
            }
            Format::Json => self.write(&json::line(&Finding { severity, code, message, help, labels: &[] })),
        }
    }

    /// Says how many findings were not shown.
    pub(crate) fn end(&self) {
        let hidden = self.hidden.get();
        if hidden == 0 {
            return;
        }
        let more = format!("{}; --all shows them", count(hidden, "more finding"));
        match self.format {
            Format::Human => self.write(&format!("… and {more}")),
            Format::Json => {
                let (severity, code) = ("note", "more-findings");
                self.write(&json::line(&Finding { severity, code, message: &more, help: None, labels: &[] }));
            }
        }
    }

    /// A remark, only in the format for people.
    pub(crate) fn remark(&self, text: &str) {
        if self.format == Format::Human {
            self.write(&escape(text));
        }
    }

    /// Standard error may be closed: errors of writing to it can't be reported.
    fn write(&self, text: &str) {
        let _ = writeln!(io::stderr().lock(), "{text}");
    }
}

/// Shows the progress of a long piece of work on a terminal.
#[derive(Debug)]
pub(crate) struct Progress {
    begun: Instant,
    shown: Option<Instant>,
    visible: bool,
}

impl Progress {
    /// Only on a terminal, and only if the results don't go to it too.
    pub(crate) fn new() -> Self {
        Self { visible: !io::stdout().is_terminal() && io::stderr().is_terminal(), ..Self::before_results() }
    }

    /// Only on a terminal; for work that prints nothing before it has ended.
    pub(crate) fn before_results() -> Self {
        Self { begun: Instant::now(), shown: None, visible: io::stderr().is_terminal() }
    }

    /// True if it can be seen.
    pub(crate) fn is_visible(&self) -> bool {
        self.visible
    }

    /// Shows the text if the work takes long.
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
