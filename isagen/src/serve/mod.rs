//! The documentation of specifications that are being written, for a browser on this machine: it is updated when a file
//! changes, and shows the findings about the specifications.
//!
//! [`http`] reads requests and writes answers, [`connections`] limits the number of open connections.

mod connections;
mod http;

use crate::output::Reporter;
use crate::spec::{self, About};
use connections::{Connection, Connections};
use http::{Answer, Failed, Method, Request};
use isa_codegen::Backend;
use isa_docs::pages;
use isa_spec::Loaded;
use isa_spec::diag::{Severity, render_terminal};
use isa_spec::model::Isa;
use isa_stream::Stop;
use std::collections::HashMap;
use std::fs;
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, Scope};
use std::time::{Duration, SystemTime};

/// The interval at which files are checked for changes.
const PAUSE: Duration = Duration::from_millis(300);

/// The time limit for the head of a request, and for an answer.
const HEAD_TIME: Duration = Duration::from_secs(5);
const ANSWER_TIME: Duration = Duration::from_secs(30);
/// Bytes of stack of a thread that answers.
const STACK: usize = 256 << 10;

/// Polls for a new version, and reloads the page.
const SCRIPT: &str = r"const seen = document.currentScript.dataset.version;
setInterval(async () => {
  try {
    if (await (await fetch('/-/version')).text() !== seen) location.reload();
  } catch { /* The server has ended. */ }
}, 500);
";

/// Serves until the process is ended. `ready` receives the address of the first page.
pub(crate) fn serve(
    specs: &[String],
    port: u16,
    reporter: &Reporter,
    ready: impl FnOnce(&str) -> Result<(), Stop>,
) -> Result<(), Stop> {
    let mut watched = Watched::new(specs);
    let site = Mutex::new(Arc::new(watched.make(0, reporter)));
    let at = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
    let help = "`--port N` takes another one, `--port 0` any that is free";
    let listener = TcpListener::bind(at).map_err(|e| Stop::with_help(format!("{at}: {e}"), help))?;
    let port = listener.local_addr().map_or(port, |at| at.port());
    ready(&format!("http://127.0.0.1:{port}/"))?;
    let lock = || site.lock().unwrap_or_else(PoisonError::into_inner);
    let connections = Connections::default();
    let answer = |request: &Request| {
        let site = lock().clone();
        site.answer(request, port)
    };
    thread::scope(|scope| {
        scope.spawn(|| accept(scope, &listener, &connections, &answer));
        let mut version = 0;
        loop {
            thread::sleep(PAUSE);
            if watched.has_changed() {
                version += 1;
                let new = Arc::new(watched.make(version, reporter));
                *lock() = new;
            }
        }
    })
}

/// Answers all connections, each on a thread.
fn accept<'s>(
    scope: &'s Scope<'s, '_>,
    listener: &'s TcpListener,
    connections: &'s Connections,
    answer: &'s (impl Fn(&Request) -> Answer + Sync),
) {
    loop {
        let Ok((stream, _)) = listener.accept() else {
            // There may be no room for another connection at the moment.
            thread::sleep(PAUSE);
            continue;
        };
        let connection = connections.enter(stream);
        // A connection for which no thread can be started is closed.
        let _ = thread::Builder::new().stack_size(STACK).spawn_scoped(scope, move || respond(&connection, answer));
    }
}

fn respond(connection: &Connection<'_>, answer: &impl Fn(&Request) -> Answer) {
    let (answer, has_body) = match http::read(&connection.stream, HEAD_TIME) {
        Ok(request) => (answer(&request), request.method != Method::Head),
        Err(Failed::Refused(answer)) => (answer, true),
        Err(Failed::Gone) => return,
    };
    connection.set_answering(true);
    let is_written = http::write(&connection.stream, &answer, has_body, ANSWER_TIME);
    drop(answer);
    connection.set_answering(false);
    if is_written {
        http::end(&connection.stream);
    }
}

/// The specifications, and the files that they are in.
struct Watched<'a> {
    specs: &'a [String],
    /// The last model without errors of each.
    last: Vec<Option<Isa>>,
    files: Vec<(PathBuf, State)>,
}

/// The time of a file's last change, and its size.
type State = Option<(SystemTime, u64)>;

fn state(path: &PathBuf) -> State {
    let about = fs::metadata(path).ok()?;
    Some((about.modified().ok()?, about.len()))
}

impl<'a> Watched<'a> {
    fn new(specs: &'a [String]) -> Self {
        Self { specs, last: specs.iter().map(|_| None).collect(), files: Vec::new() }
    }

    fn has_changed(&self) -> bool {
        self.files.iter().any(|(path, before)| state(path) != *before)
    }

    /// The pages of all specifications, with their findings. A specification with errors keeps its last pages without errors.
    fn make(&mut self, version: u64, reporter: &Reporter) -> Site {
        let begun = SystemTime::now();
        let mut made: Vec<(String, Vec<u8>)> = Vec::new();
        let mut findings = String::new();
        let mut paths = Vec::new();
        for (name, last) in self.specs.iter().zip(&mut self.last) {
            if !spec::is_shipped(name) {
                paths.push(PathBuf::from(name));
            }
            match spec::find(name, About::Spec) {
                Ok(Loaded { isa, diagnostics, files }) => {
                    paths.extend(files.paths().map(PathBuf::from));
                    for finding in &diagnostics {
                        reporter.finding(finding, &files);
                        findings.push_str(&render_terminal(finding, &files, false));
                        findings.push_str("\n\n");
                    }
                    if diagnostics.iter().all(|d| d.severity != Severity::Error) {
                        *last = isa.or(last.take());
                    }
                }
                Err(Stop::CannotRun { message, help }) => {
                    reporter.cannot_run(&message, help.as_deref());
                    findings.push_str(&message);
                    findings.push_str("\n\n");
                }
                Err(Stop::BrokenPipe) => {}
            }
        }
        let good = self.last.iter().flatten();
        for isa in good.clone() {
            match pages::Html.emit(isa) {
                Ok(files) => made.extend(files.into_iter().map(|f| (f.name, f.contents))),
                Err(finding) => {
                    reporter.finding(&finding, &isa.files);
                    findings.push_str(&render_terminal(&finding, &isa.files, false));
                }
            }
        }
        made.extend(pages::site(good).into_iter().map(|f| (f.name, f.contents)));
        paths.sort_unstable();
        paths.dedup();
        // Files changed since then count as changed again.
        let since = begun..=SystemTime::now();
        let before = |path: &PathBuf| state(path).filter(|(changed, _)| !since.contains(changed));
        self.files = paths.into_iter().map(|path| (before(&path), path)).map(|(state, path)| (path, state)).collect();
        Site::new(version, made, &findings)
    }
}

/// The pages of one version.
struct Site {
    version: u64,
    files: HashMap<String, Answer>,
}

impl Site {
    /// Pages with findings, which are reloaded when there is a new version.
    fn new(version: u64, files: Vec<(String, Vec<u8>)>, findings: &str) -> Self {
        let findings = match findings.trim_end() {
            "" => String::new(),
            text => {
                let text = text.replace('&', "&amp;").replace('<', "&lt;");
                format!("<section class=\"findings\" role=\"status\" aria-label=\"Findings\"><pre>{text}</pre></section>")
            }
        };
        let script = format!("<script src=\"/-/serve.js\" data-version=\"{version}\" defer></script></body>");
        let page = |contents: &[u8]| {
            String::from_utf8_lossy(contents)
                .replacen("default-src 'none';", "default-src 'none'; connect-src 'self';", 1)
                .replacen("<main id=\"main\">", &format!("<main id=\"main\">{findings}"), 1)
                .replacen("</body>", &script, 1)
                .into_bytes()
        };
        let file = |(name, contents): (String, Vec<u8>)| {
            let (kind, contents) = match name.rsplit('.').next() {
                Some("html") => ("text/html", page(&contents)),
                Some("css") => ("text/css", contents),
                Some("js") => ("text/javascript", contents),
                _ => ("text/plain", contents),
            };
            (name, Answer { status: 200, kind, body: contents.into() })
        };
        Self { version, files: files.into_iter().map(file).collect() }
    }

    fn answer(&self, request: &Request, port: u16) -> Answer {
        // A page of another name that resolves to this machine must not read these pages.
        let own = [format!("127.0.0.1:{port}"), format!("localhost:{port}")];
        if !request.host.as_ref().is_some_and(|host| own.contains(host)) {
            return Answer::plain(403, "this server only answers requests for its own address");
        }
        if request.method == Method::Other {
            return Answer::plain(405, "this server only answers GET and HEAD");
        }
        match request.path.trim_start_matches('/') {
            "-/version" => Answer::plain(200, &self.version.to_string()),
            "-/serve.js" => Answer { status: 200, kind: "text/javascript", body: SCRIPT.as_bytes().into() },
            path => {
                let name = if path.is_empty() { "index.html" } else { path };
                self.files.get(name).cloned().unwrap_or_else(|| Answer::plain(404, "there is no such page"))
            }
        }
    }
}
