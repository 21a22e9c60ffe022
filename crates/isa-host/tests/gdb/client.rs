//! A script that sends packets, and parses the answers.

use isa_host::gdb::{Connection, End, serve};
use isa_sim::Machine;
use std::collections::VecDeque;
use std::io;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// Bytes that are sent.
pub(crate) enum Send {
    /// Sent when the program has stopped.
    Stopped(Vec<u8>),
    /// Sent while the program runs.
    Running(Vec<u8>),
}

/// A connection to a script; it is closed when all is sent.
struct Script {
    sends: VecDeque<Send>,
    answers: Vec<u8>,
    /// The number of times that the program was found running.
    polls: u32,
}

/// The number of polls after which the connection to a running program is closed.
const MOST_POLLS: u32 = 20;

impl Connection for Script {
    fn send(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.answers.extend_from_slice(bytes);
        Ok(())
    }

    fn receive(&mut self, bytes: &mut [u8], wait: Duration) -> io::Result<Option<usize>> {
        self.polls += u32::from(wait.is_zero());
        if self.polls > MOST_POLLS {
            return Ok(Some(0));
        }
        let send = match self.sends.front_mut() {
            None if wait.is_zero() => return Ok(None),
            None => return Ok(Some(0)),
            Some(Send::Stopped(_)) if wait.is_zero() => return Ok(None),
            Some(Send::Stopped(send) | Send::Running(send)) => send,
        };
        let count = send.len().min(bytes.len());
        bytes[..count].copy_from_slice(&send[..count]);
        send.drain(..count);
        if send.is_empty() {
            self.sends.pop_front();
        }
        Ok(Some(count))
    }
}

/// `$BODY#CHECKSUM`
pub(crate) fn frame(body: &[u8]) -> Vec<u8> {
    let sum = body.iter().fold(0u8, |sum, byte| sum.wrapping_add(*byte));
    [b"$", body, format!("#{sum:02x}").as_bytes()].concat()
}

/// Packets that are sent when the program has stopped.
pub(crate) fn packets(bodies: &[&str]) -> Vec<Send> {
    bodies.iter().map(|body| Send::Stopped(frame(body.as_bytes()))).collect()
}

/// Debugs a machine by a script: the answers, and the end. `+` and `-` are answers of their own.
pub(crate) fn talk(machine: &mut Machine<'_>, sends: Vec<Send>) -> (Vec<String>, End) {
    talk_until(machine, sends, &AtomicBool::new(false))
}

/// The same, with the flag that ends the session.
pub(crate) fn talk_until(machine: &mut Machine<'_>, sends: Vec<Send>, interrupt: &AtomicBool) -> (Vec<String>, End) {
    let mut script = Script { sends: sends.into(), answers: Vec::new(), polls: 0 };
    let end = serve(machine, "rv64gc", &mut script, interrupt);
    (answers(&script.answers), end)
}

/// The same without acknowledgements.
pub(crate) fn replies(machine: &mut Machine<'_>, bodies: &[&str]) -> (Vec<String>, End) {
    let (mut answers, end) = talk(machine, packets(bodies));
    answers.retain(|answer| answer != "+");
    (answers, end)
}

fn answers(bytes: &[u8]) -> Vec<String> {
    let mut rest = bytes;
    let mut answers = Vec::new();
    while let Some((first, behind)) = rest.split_first() {
        rest = behind;
        if *first != b'$' {
            answers.push(char::from(*first).to_string());
            continue;
        }
        let end = rest.iter().position(|byte| *byte == b'#').expect("a packet ends");
        let (body, behind) = rest.split_at(end);
        assert_eq!(&frame(body)[end + 1..], &behind[..3], "the checksum");
        rest = &behind[3..];
        answers.push(expand(body));
    }
    answers
}

/// Expands repeated characters: `*` and the number of repetitions, as a character.
fn expand(body: &[u8]) -> String {
    let mut text = String::new();
    let mut bytes = body.iter();
    while let Some(byte) = bytes.next() {
        match byte {
            b'*' => {
                let count = bytes.next().expect("a count") - 29;
                let last = text.chars().last().expect("a character");
                text.extend((0..count).map(|_| last));
            }
            b'}' => text.push(char::from(bytes.next().expect("a character") ^ 0x20)),
            _ => text.push(char::from(*byte)),
        }
    }
    text
}
