//! The subset of HTTP that browsers on this machine need: one request without a body for each connection, with limits on the size
//! and time of its head.

use std::io::{ErrorKind, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The longest head of a request, in bytes.
pub(super) const MAX_HEAD: usize = 16 << 10;
/// The longest first line of a request, in bytes.
const MAX_LINE: usize = 4 << 10;
/// The number of bytes that are read after a head: they are no request, but closing a connection before they are read resets it.
const MAX_REST: usize = 64 << 10;
const REST_TIME: Duration = Duration::from_millis(500);

/// A request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Request {
    pub(super) method: Method,
    /// The path, without the query after it.
    pub(super) path: String,
    pub(super) host: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Method {
    Get,
    Head,
    Other,
}

/// An answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Answer {
    pub(super) status: u16,
    /// A content type.
    pub(super) kind: &'static str,
    pub(super) body: Arc<[u8]>,
}

impl Answer {
    pub(super) fn plain(status: u16, text: &str) -> Self {
        Self { status, kind: "text/plain", body: text.as_bytes().into() }
    }
}

/// A reason why there is no request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Failed {
    /// The client has closed the connection, or was not in time.
    Gone,
    /// To be answered with an error.
    Refused(Answer),
}

impl Failed {
    fn refused(status: u16, why: &str) -> Self {
        Self::Refused(Answer::plain(status, why))
    }
}

/// Reads the head of a request, within `time`.
pub(super) fn read(stream: &TcpStream, time: Duration) -> Result<Request, Failed> {
    let end = Instant::now() + time;
    let mut head = Vec::new();
    loop {
        let searched = head.len().saturating_sub(3);
        match read_some(stream, MAX_HEAD - head.len(), end, &mut head) {
            Ok(0) if head.is_empty() => return Err(Failed::Gone),
            Ok(0) => return Err(Failed::refused(400, "the request ends within its head")),
            Ok(_) => {}
            Err(ErrorKind::TimedOut) if head.is_empty() => return Err(Failed::Gone),
            Err(ErrorKind::TimedOut) => return Err(Failed::refused(408, "the head of the request took too long")),
            Err(_) => return Err(Failed::Gone),
        }
        if let Some(length) = end_of_head(&head, searched) {
            return parse(&head[..length]);
        }
        if head.len() >= MAX_LINE && !head[..MAX_LINE].contains(&b'\n') {
            return Err(Failed::refused(414, "the address is too long"));
        }
        if head.len() >= MAX_HEAD {
            return Err(Failed::refused(431, "the head of the request is too long"));
        }
    }
}

/// Reads the available bytes, at most `most`, and waits for them until `end`.
fn read_some(mut stream: &TcpStream, most: usize, end: Instant, out: &mut Vec<u8>) -> Result<usize, ErrorKind> {
    let mut buffer = [0; 2 << 10];
    let most = most.min(buffer.len());
    loop {
        let left = end.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(ErrorKind::TimedOut);
        }
        stream.set_read_timeout(Some(left)).map_err(|error| error.kind())?;
        match stream.read(&mut buffer[..most]) {
            Ok(read) => {
                out.extend_from_slice(&buffer[..read]);
                return Ok(read);
            }
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            // The error of a time limit depends on the system.
            Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {}
            Err(error) => return Err(error.kind()),
        }
    }
}

/// The number of bytes up to the blank line; the bytes before `from` don't contain it.
fn end_of_head(head: &[u8], from: usize) -> Option<usize> {
    (from..head.len()).find_map(|at| {
        let rest = &head[at..];
        [b"\n\r\n".as_slice(), b"\n\n"].into_iter().find(|end| rest.starts_with(end)).map(|end| at + end.len())
    })
}

fn parse(head: &[u8]) -> Result<Request, Failed> {
    let bad = |why: &str| Failed::refused(400, why);
    let head = std::str::from_utf8(head).map_err(|_| bad("the head of the request is not text"))?;
    let mut lines = head.lines();
    let line = lines.next().unwrap_or_default();
    let wrong = || bad("a request begins like this: GET /path HTTP/1.1");
    let [method, target, version] = line.split(' ').collect::<Vec<_>>()[..] else { return Err(wrong()) };
    match version {
        "HTTP/1.1" | "HTTP/1.0" => {}
        version if version.starts_with("HTTP/") => return Err(Failed::refused(505, "this server speaks HTTP/1.1")),
        _ => return Err(wrong()),
    }
    if method.is_empty() || !method.bytes().all(|b| b.is_ascii_uppercase()) {
        return Err(wrong());
    }
    let mut host = None;
    for line in lines.take_while(|line| !line.is_empty()) {
        let (name, value) = line.split_once(':').ok_or_else(|| bad("a line of the head has no colon"))?;
        if name.is_empty() || name.contains(|c: char| c.is_whitespace() || c.is_control()) {
            return Err(bad("a line of the head has no name before its colon"));
        }
        if name.eq_ignore_ascii_case("host") && host.replace(value.trim().to_owned()).is_some() {
            return Err(bad("the head has two hosts"));
        }
    }
    let method = match method {
        "GET" => Method::Get,
        "HEAD" => Method::Head,
        _ => Method::Other,
    };
    let path = target.split(['?', '#']).next().unwrap_or_default().to_owned();
    Ok(Request { method, path, host })
}

/// Writes an answer; returns whether all of it was written within `time`.
pub(super) fn write(stream: &TcpStream, answer: &Answer, has_body: bool, time: Duration) -> bool {
    let Answer { status, kind, body } = answer;
    let allow = if *status == 405 { "Allow: GET, HEAD\r\n" } else { "" };
    let head = format!(
        "HTTP/1.1 {status} {}\r\nContent-Type: {kind}; charset=utf-8\r\nContent-Length: {}\r\nCache-Control: no-store\r\n{allow}Connection: close\r\n\r\n",
        reason(*status),
        body.len(),
    );
    let end = Instant::now() + time;
    let body: &[u8] = if has_body { body } else { &[] };
    [head.as_bytes(), body].into_iter().all(|bytes| write_all(stream, bytes, end))
}

/// True if all bytes were written before `end`.
fn write_all(mut stream: &TcpStream, mut bytes: &[u8], end: Instant) -> bool {
    while !bytes.is_empty() {
        let left = end.saturating_duration_since(Instant::now());
        if left.is_zero() || stream.set_write_timeout(Some(left)).is_err() {
            return false;
        }
        match stream.write(bytes) {
            Ok(0) => return false,
            Ok(written) => bytes = &bytes[written..],
            Err(error) if matches!(error.kind(), ErrorKind::Interrupted | ErrorKind::WouldBlock | ErrorKind::TimedOut) => {}
            Err(_) => return false,
        }
    }
    true
}

/// Ends a connection that was answered. Further input is read for a short time, so that the client receives its answer.
pub(super) fn end(stream: &TcpStream) {
    let _ = stream.shutdown(Shutdown::Write);
    let end = Instant::now() + REST_TIME;
    let (mut rest, mut dropped) = (Vec::new(), 0);
    while dropped < MAX_REST
        && let Ok(read @ 1..) = read_some(stream, MAX_REST, end, &mut rest)
    {
        dropped += read;
        rest.clear();
    }
}

fn reason(status: u16) -> &'static str {
    match status {
        200 => "OK",
        400 => "Bad Request",
        403 => "Forbidden",
        404 => "Not Found",
        405 => "Method Not Allowed",
        408 => "Request Timeout",
        414 => "URI Too Long",
        431 => "Request Header Fields Too Large",
        505 => "HTTP Version Not Supported",
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::{Ipv4Addr, TcpListener};

    fn status(head: &str) -> u16 {
        match parse(head.as_bytes()) {
            Ok(_) => 200,
            Err(Failed::Refused(answer)) => answer.status,
            Err(Failed::Gone) => 0,
        }
    }

    #[test]
    fn heads_of_requests() {
        let request = Request { method: Method::Get, path: "/a.html".into(), host: Some("localhost:1".into()) };
        assert_eq!(parse(b"GET /a.html?b#c HTTP/1.1\r\nhOsT:  localhost:1 \r\nA: b:c\r\n\r\n"), Ok(request));
        assert_eq!(parse(b"HEAD / HTTP/1.0\n\n").map(|r| (r.method, r.host)), Ok((Method::Head, None)));
        assert_eq!(parse(b"BREW / HTTP/1.1\r\n\r\n").map(|r| r.method), Ok(Method::Other));
        for head in
            ["", "\r\n", "GET /\r\n", "GET  / HTTP/1.1\r\n", "get / HTTP/1.1\r\n", "GET / HTTP/1.1 x\r\n", "GET / FTP/1.1\r\n"]
        {
            assert_eq!(status(head), 400, "{head:?}");
        }
        for line in ["Host", ": x", "Ho st: x", " Host: x", "Host: a\r\nHOST: b"] {
            assert_eq!(status(&format!("GET / HTTP/1.1\r\n{line}\r\n\r\n")), 400, "{line:?}");
        }
        assert_eq!(status("GET / HTTP/2.0\r\n\r\n"), 505);
    }

    #[test]
    fn the_end_of_a_head() {
        assert_eq!(end_of_head(b"a\r\n\r\nb", 0), Some(5));
        assert_eq!(end_of_head(b"a\n\nb", 1), Some(3));
        assert_eq!(end_of_head(b"a\r\nb\r\n", 0), None);
    }

    /// The result for a client that sends these pieces, with a pause after each.
    fn sent(pieces: &[&[u8]], pause: Duration, time: Duration) -> Result<Request, Failed> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a port");
        let mut client = TcpStream::connect(listener.local_addr().expect("an address")).expect("a connection");
        let (server, _) = listener.accept().expect("a connection");
        std::thread::scope(|scope| {
            scope.spawn(move || {
                for piece in pieces {
                    let _ = client.write_all(piece);
                    std::thread::sleep(pause);
                }
            });
            let result = read(&server, time);
            drop(server);
            result
        })
    }

    fn refused(result: Result<Request, Failed>) -> u16 {
        match result {
            Err(Failed::Refused(answer)) => answer.status,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn heads_have_limits() {
        let long = Duration::from_secs(60);
        assert!(sent(&[b"GET / HT", b"TP/1.1\r", b"\n\r", b"\nGET"], Duration::from_millis(5), long).is_ok());
        assert_eq!(sent(&[], Duration::ZERO, long), Err(Failed::Gone));
        assert_eq!(refused(sent(&[b"GET / HTTP/1.1\r\n"], Duration::ZERO, long)), 400);
        assert_eq!(refused(sent(&[&[b'a'; MAX_LINE]], Duration::ZERO, long)), 414);
        let endless = [b"GET / HTTP/1.1\r\n".as_slice(), &b"a: b\r\n".repeat(MAX_HEAD)].concat();
        assert_eq!(refused(sent(&[&endless], Duration::ZERO, long)), 431);
        // Single bytes now and then do not extend the limit.
        let begun = Instant::now();
        assert_eq!(refused(sent(&[b"G".as_slice(); 40], Duration::from_millis(10), Duration::from_millis(100))), 408);
        assert!(begun.elapsed() < Duration::from_secs(20));
        assert_eq!(sent(&[b"", b""], Duration::from_millis(100), Duration::from_millis(20)), Err(Failed::Gone));
    }
}
