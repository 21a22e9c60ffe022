//! `docs --serve` over its socket: pages, findings, and updates when a file changes.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

struct Server {
    process: Child,
    at: String,
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

impl Server {
    fn new(spec: &PathBuf) -> Self {
        let mut process = Command::new(env!("CARGO_BIN_EXE_isagen"))
            .args(["docs", "--serve", "--port", "0"])
            .arg(spec)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("isagen starts");
        let mut line = String::new();
        BufReader::new(process.stdout.take().expect("a pipe")).read_line(&mut line).expect("its address");
        let at = line.trim().strip_prefix("http://").and_then(|l| l.strip_suffix('/')).expect("a URL").to_owned();
        Self { process, at }
    }

    /// A connection over which these bytes were sent.
    fn send(&self, bytes: &[u8]) -> TcpStream {
        let mut stream = TcpStream::connect(&self.at).expect("a connection");
        // The server may have closed the connection before all is written.
        let _ = stream.write_all(bytes);
        stream
    }

    /// The status and the body of an answer.
    fn ask(&self, method: &str, path: &str, host: &str) -> (u16, String) {
        let mut stream = self.send(format!("{method} {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n").as_bytes());
        let mut text = String::new();
        stream.read_to_string(&mut text).expect("an answer");
        let status = text.split(' ').nth(1).and_then(|s| s.parse().ok()).expect("a status");
        (status, text.split_once("\r\n\r\n").map_or(String::new(), |(_, body)| body.to_owned()))
    }

    /// The status of the answer to these bytes; `None` if there is none.
    fn status(&self, bytes: &[u8]) -> Option<u16> {
        let mut line = String::new();
        let _ = BufReader::new(self.send(bytes)).read_line(&mut line);
        line.split(' ').nth(1).and_then(|status| status.parse().ok())
    }

    fn get(&self, path: &str) -> String {
        let (status, body) = self.ask("GET", path, &self.at);
        assert_eq!(status, 200, "{path}: {body}");
        body
    }

    /// Sends a request as any client does while another one misbehaves.
    fn answers_soon(&self) {
        let begun = Instant::now();
        self.get("/");
        assert!(begun.elapsed() < Duration::from_secs(1), "an answer took {:?}", begun.elapsed());
    }

    fn wait_for_another(&self, version: &str) {
        let begun = Instant::now();
        while self.get("/-/version") == version {
            assert!(begun.elapsed() < Duration::from_secs(60), "nothing was made again");
            std::thread::sleep(Duration::from_millis(50));
        }
    }
}

const GOOD: &str = "isa: tiny\nword: 8\ninstructions:\n  nop: { fix: { 7..0: 0 }, summary: Does nothing. }\n";

#[test]
fn pages_follow_the_file() {
    let spec = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("serve-tiny.yaml");
    fs::write(&spec, GOOD).expect("a file");
    let server = Server::new(&spec);
    assert!(server.get("/").contains("tiny.html"));
    let page = server.get("/tiny.html");
    assert!(page.contains("Does nothing.") && page.contains("/-/serve.js") && !page.contains("class=\"findings\""), "{page}");
    assert!(server.get("/site/page.js").contains("search"));
    assert_eq!(server.get("/-/version"), "0");

    // An error is shown on the pages, which stay.
    fs::write(&spec, GOOD.replace("fix:", "fixx:")).expect("a file");
    server.wait_for_another("0");
    let page = server.get("/tiny.html");
    assert!(page.contains("class=\"findings\"") && page.contains("fixx") && page.contains("Does nothing."), "{page}");

    let version = server.get("/-/version");
    fs::write(&spec, GOOD.replace("nothing", "nothing at all")).expect("a file");
    server.wait_for_another(&version);
    let page = server.get("/tiny.html");
    assert!(page.contains("nothing at all") && !page.contains("class=\"findings\""), "{page}");

    assert_eq!(server.ask("GET", "/../Cargo.toml", &server.at).0, 404);
    assert_eq!(server.ask("GET", "/", "somewhere.example").0, 403);
    assert_eq!(server.ask("POST", "/", &server.at).0, 405);
}

#[test]
fn requests_that_are_none() {
    let spec = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("serve-requests.yaml");
    fs::write(&spec, GOOD).expect("a file");
    let server = Server::new(&spec);
    let host = format!("Host: {}\r\n", server.at);
    let (status, body) = server.ask("HEAD", "/", &server.at);
    assert_eq!((status, body.as_str()), (200, ""));
    // One request for each connection: further requests are not answered.
    let twice = format!("GET / HTTP/1.1\r\n{host}\r\n").repeat(2);
    let mut text = String::new();
    server.send(twice.as_bytes()).read_to_string(&mut text).expect("an answer");
    assert_eq!(text.matches("HTTP/1.1 200").count(), 1, "{text}");
    for (request, status) in [
        (format!("GET / HTTP/1.1\r\n{host}{host}\r\n"), 400),
        (format!("GET /{} HTTP/1.1\r\n{host}\r\n", "a".repeat(1 << 20)), 414),
        (format!("GET / HTTP/1.1\r\n{host}{}\r\n", "A: b\r\n".repeat(1 << 18)), 431),
        (format!("GET / HTTP/3\r\n{host}\r\n"), 505),
        ("\0\r\n\r\n".to_owned(), 400),
        ("GET / HTTP/1.1\r\n\r\n".to_owned(), 403),
    ] {
        // A client that continues to send may find the connection reset before it reads the answer.
        let answered = server.status(request.as_bytes());
        assert!(answered == Some(status) || answered.is_none() && request.len() > 1 << 16, "{answered:?}, not {status}");
    }
}

/// Clients that never finish do not keep others from being answered, and memory is bounded.
#[test]
fn clients_that_do_not_end() {
    let spec = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("serve-clients.yaml");
    fs::write(&spec, GOOD).expect("a file");
    let server = Server::new(&spec);
    let host = format!("Host: {}\r\n", server.at);
    // A body that is announced but does not come, for this server and for another name.
    for host in [host.as_str(), "Host: somewhere.example\r\n"] {
        for method in ["GET", "POST"] {
            let mut stream = server.send(format!("{method} / HTTP/1.1\r\n{host}Content-Length: 2000\r\n\r\n").as_bytes());
            let begun = Instant::now();
            assert_eq!(stream.read(&mut [0; 4]).expect("an answer"), 4);
            assert!(begun.elapsed() < Duration::from_secs(1));
            server.answers_soon();
        }
    }
    // More connections than there are threads: some with nothing, some with a part of a request, some whose answers are not read.
    let request = format!("GET /site/page.js HTTP/1.1\r\n{host}\r\n");
    let open: Vec<TcpStream> = (0..600).map(|i| server.send(&request.as_bytes()[..[0, 20, request.len()][i % 3]])).collect();
    server.answers_soon();
    // A head that does not end.
    let mut endless = server.send(b"GET / HTTP/1.1\r\n");
    while endless.write_all(&b"A: b\r\n".repeat(1000)).is_ok() {}
    server.answers_soon();
    if let Ok(status) = fs::read_to_string(format!("/proc/{}/status", server.process.id())) {
        let number = |key: &str| {
            let line = status.lines().find_map(|line| line.strip_prefix(key)).expect("a line");
            line.split_whitespace().next().and_then(|n| n.parse::<u64>().ok()).expect("a number")
        };
        assert!(number("VmRSS:") < 100 << 10, "{status}");
        assert!(number("Threads:") < 140, "{status}");
    }
    drop(open);
}
