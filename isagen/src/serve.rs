//! The documentation of specifications that are being written, for a browser on this machine: it is made again when a file
//! changes, and shows what is wrong with the specifications.

use crate::output::{Reporter, Stop};
use crate::spec::{self, About};
use isa_codegen::{Backend, docs};
use isa_spec::Loaded;
use isa_spec::diag::{Severity, render_terminal};
use isa_spec::model::Isa;
use std::collections::HashMap;
use std::fs;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, SystemTime};
use tiny_http::{Header, Method, Request, Response, Server};

/// How often files are looked at.
const PAUSE: Duration = Duration::from_millis(300);

/// Asks whether there is something new, and loads the page again.
const SCRIPT: &str = r"const seen = document.currentScript.dataset.version;
setInterval(async () => {
  try {
    if (await (await fetch('/-/version')).text() !== seen) location.reload();
  } catch { /* The server has ended. */ }
}, 500);
";

/// Serves until the process is ended. `ready` gets the address of the first page.
pub(crate) fn serve(
    specs: &[String],
    port: u16,
    reporter: &Reporter,
    ready: impl FnOnce(&str) -> Result<(), Stop>,
) -> Result<(), Stop> {
    let mut watched = Watched::new(specs);
    let site = Mutex::new(watched.make(reporter));
    let at = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
    let help = "`--port N` takes another one, `--port 0` any that is free";
    let server = Server::http(at).map_err(|e| Stop::with_help(format!("{at}: {e}"), help))?;
    let port = server.server_addr().to_ip().map_or(port, |at| at.port());
    ready(&format!("http://127.0.0.1:{port}/"))?;
    let lock = || site.lock().unwrap_or_else(PoisonError::into_inner);
    thread::scope(|scope| {
        scope.spawn(|| {
            for request in server.incoming_requests() {
                let response = lock().answer(&request, port);
                // The client may have closed the connection.
                let _ = request.respond(response);
            }
        });
        loop {
            thread::sleep(PAUSE);
            if watched.has_changed() {
                let new = watched.make(reporter);
                let mut site = lock();
                *site = Site { version: site.version + 1, ..new };
            }
        }
    })
}

/// The specifications, and the files that they are in.
struct Watched<'a> {
    specs: &'a [String],
    /// The last model of each that had no errors.
    last: Vec<Option<Isa>>,
    files: Vec<(PathBuf, State)>,
}

/// When a file was changed, and its size.
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

    /// The pages of all specifications, and what is wrong with them. Of one with errors the last pages without stay.
    fn make(&mut self, reporter: &Reporter) -> Site {
        let begun = SystemTime::now();
        let mut site = Site::default();
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
                        site.findings.push_str(&render_terminal(finding, &files, false));
                        site.findings.push_str("\n\n");
                    }
                    if diagnostics.iter().all(|d| d.severity != Severity::Error) {
                        *last = isa.or(last.take());
                    }
                }
                Err(Stop::CannotRun { message, help }) => {
                    reporter.cannot_run(&message, help.as_deref());
                    site.findings.push_str(&message);
                    site.findings.push_str("\n\n");
                }
                Err(Stop::BrokenPipe) => {}
            }
        }
        let good = self.last.iter().flatten();
        for isa in good.clone() {
            match docs::Html.emit(isa) {
                Ok(files) => site.files.extend(files.into_iter().map(|f| (f.name, f.contents))),
                Err(finding) => {
                    reporter.finding(&finding, &isa.files);
                    site.findings.push_str(&render_terminal(&finding, &isa.files, false));
                }
            }
        }
        site.files.extend(docs::site(good).into_iter().map(|f| (f.name, f.contents)));
        paths.sort_unstable();
        paths.dedup();
        // What has changed since counts as changed again.
        let since = begun..=SystemTime::now();
        let before = |path: &PathBuf| state(path).filter(|(changed, _)| !since.contains(changed));
        self.files = paths.into_iter().map(|path| (before(&path), path)).map(|(state, path)| (path, state)).collect();
        site
    }
}

/// What there is to be seen.
#[derive(Default)]
struct Site {
    version: u64,
    files: HashMap<String, Vec<u8>>,
    findings: String,
}

type Answer = Response<std::io::Cursor<Vec<u8>>>;

impl Site {
    fn answer(&self, request: &Request, port: u16) -> Answer {
        // A page of another name that leads to this machine must not read what is here.
        let host = request.headers().iter().find(|h| h.field.equiv("Host")).map(|h| h.value.as_str());
        let own = [format!("127.0.0.1:{port}"), format!("localhost:{port}")];
        if !host.is_some_and(|host| own.iter().any(|own| own == host)) {
            return plain(403, "this server only answers requests for its own address");
        }
        if !matches!(request.method(), Method::Get | Method::Head) {
            return plain(405, "this server only answers GET and HEAD");
        }
        let path = request.url().split(['?', '#']).next().unwrap_or_default().trim_start_matches('/');
        match path {
            "-/version" => return plain(200, &self.version.to_string()),
            "-/serve.js" => return typed(200, "text/javascript", SCRIPT),
            _ => {}
        }
        let name = if path.is_empty() { "index.html" } else { path };
        let Some(contents) = self.files.get(name) else { return plain(404, "there is no such page") };
        match name.rsplit('.').next() {
            Some("html") => typed(200, "text/html", self.page(&String::from_utf8_lossy(contents))),
            Some("css") => typed(200, "text/css", contents.as_slice()),
            Some("js") => typed(200, "text/javascript", contents.as_slice()),
            _ => typed(200, "text/plain", contents.as_slice()),
        }
    }

    /// A page with findings, which is loaded again when there is something new.
    fn page(&self, page: &str) -> String {
        let findings = match self.findings.trim_end() {
            "" => String::new(),
            text => {
                let text = text.replace('&', "&amp;").replace('<', "&lt;");
                format!("<section class=\"findings\" role=\"status\" aria-label=\"Findings\"><pre>{text}</pre></section>")
            }
        };
        let script = format!("<script src=\"/-/serve.js\" data-version=\"{}\" defer></script></body>", self.version);
        page.replacen("default-src 'none';", "default-src 'none'; connect-src 'self';", 1)
            .replacen("<main id=\"main\">", &format!("<main id=\"main\">{findings}"), 1)
            .replacen("</body>", &script, 1)
    }
}

fn plain(status: u16, text: &str) -> Answer {
    typed(status, "text/plain", text)
}

fn typed(status: u16, kind: &str, contents: impl Into<Vec<u8>>) -> Answer {
    let header = |name: &str, value: &str| Header::from_bytes(name, value).expect("ASCII");
    Response::from_data(contents)
        .with_status_code(status)
        .with_header(header("Content-Type", &format!("{kind}; charset=utf-8")))
        .with_header(header("Cache-Control", "no-store"))
}
