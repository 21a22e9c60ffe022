//! The open connections, whose number is limited: a new one takes the place of the oldest.

use std::collections::BTreeMap;
use std::net::{Shutdown, TcpStream};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// The greatest number of open connections, each with a thread.
pub(super) const MOST: usize = 128;

/// The stage of a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    /// Waiting for its request, or already answered.
    Idle,
    /// It is being answered.
    Answering,
    /// Closed to make room: its thread is about to end.
    Closed,
}

/// The connections by their numbers, the oldest first.
#[derive(Default)]
pub(super) struct Connections {
    open: Mutex<BTreeMap<u64, (Arc<TcpStream>, Stage)>>,
    left: Condvar,
}

/// A connection, which is removed from the list when this is dropped.
pub(super) struct Connection<'a> {
    all: &'a Connections,
    number: u64,
    pub(super) stream: Arc<TcpStream>,
}

impl Connections {
    fn lock(&self) -> MutexGuard<'_, BTreeMap<u64, (Arc<TcpStream>, Stage)>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A new connection. If there are too many, the oldest one that is not being answered is closed, or else the oldest.
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
    /// Sets whether the connection is being answered.
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
