//! `docs --serve` over its socket: pages, findings, and what is made again when a file changes.

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

    /// The status and the body of an answer.
    fn ask(&self, method: &str, path: &str, host: &str) -> (u16, String) {
        let mut stream = TcpStream::connect(&self.at).expect("a connection");
        write!(stream, "{method} {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n").expect("a request");
        let mut text = String::new();
        stream.read_to_string(&mut text).expect("an answer");
        let status = text.split(' ').nth(1).and_then(|s| s.parse().ok()).expect("a status");
        (status, text.split_once("\r\n\r\n").map_or(String::new(), |(_, body)| body.to_owned()))
    }

    fn get(&self, path: &str) -> String {
        let (status, body) = self.ask("GET", path, &self.at);
        assert_eq!(status, 200, "{path}: {body}");
        body
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

    // A mistake is shown on the pages, which stay.
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
