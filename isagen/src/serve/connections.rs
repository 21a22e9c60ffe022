//! The connections that are open, which are never more than so many: a new one takes the place of the oldest.

use std::collections::BTreeMap;
use std::net::{Shutdown, TcpStream};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// So many connections are open at the same time, each with a thread.
pub(super) const MOST: usize = 128;

/// How far a connection is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    /// Its request is waited for, or it has been answered.
    Idle,
    /// It is being answered.
    Answering,
    /// It had to make room: its thread is about to end.
    Closed,
}

/// The connections by their numbers, the oldest first.
#[derive(Default)]
pub(super) struct Connections {
    open: Mutex<BTreeMap<u64, (Arc<TcpStream>, Stage)>>,
    left: Condvar,
}

/// A connection, which is left when this is dropped.
pub(super) struct Connection<'a> {
    all: &'a Connections,
    number: u64,
    pub(super) stream: Arc<TcpStream>,
}

impl Connections {
    fn lock(&self) -> MutexGuard<'_, BTreeMap<u64, (Arc<TcpStream>, Stage)>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A new connection. Where there are too many, the oldest one that is not being answered is closed, or else the oldest.
    pub(super) fn enter(&self, stream: TcpStream) -> Connection<'_> {
        let mut open = self.lock();
        while open.len() >= MOST {
            if open.values().all(|(_, stage)| *stage != Stage::Closed) {
                let at = |wanted: Stage| move |(_, stage): &&mut (Arc<TcpStream>, Stage)| *stage == wanted;
                let has_idle = open.values().any(|(_, stage)| *stage == Stage::Idle);
                let wanted = if has_idle { Stage::Idle } else { Stage::Answering };
                if let Some((stream, stage)) = open.values_mut().find(at(wanted)) {
                    *stage = Stage::Closed;
                    let _ = stream.shutdown(Shutdown::Both);
                }
            }
            open = self.left.wait(open).unwrap_or_else(PoisonError::into_inner);
        }
        let number = open.last_key_value().map_or(0, |(last, _)| last + 1);
        let stream = Arc::new(stream);
        open.insert(number, (stream.clone(), Stage::Idle));
        Connection { all: self, number, stream }
    }
}

impl Connection<'_> {
    /// Says that the connection is, or is no longer, being answered.
    pub(super) fn set_answering(&self, is_answering: bool) {
        if let Some((_, stage)) = self.all.lock().get_mut(&self.number).filter(|(_, stage)| *stage != Stage::Closed) {
            *stage = if is_answering { Stage::Answering } else { Stage::Idle };
        }
    }
}

impl Drop for Connection<'_> {
    fn drop(&mut self) {
        self.all.lock().remove(&self.number);
        self.all.left.notify_one();
    }
}
