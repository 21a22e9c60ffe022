//! Blocks on several threads.

use crate::fault::Fault;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};
use std::{io, thread};

/// Runs blocks on several threads, each of which takes the next block that none has begun. If several fault, the fault is the
/// first block's; blocks before it are run to their ends.
///
/// # Errors
/// When a thread can't be started.
pub(super) fn first_fault(
    threads: u64,
    blocks: u64,
    run: impl Fn(u64) -> Result<(), Box<Fault>> + Sync,
) -> io::Result<Result<(), Box<Fault>>> {
    let (next, first) = (AtomicU64::new(0), Mutex::new(None::<(u64, Box<Fault>)>));
    let work = || {
        loop {
            let i = next.fetch_add(1, Relaxed);
            if i >= blocks {
                break;
            }
            let Err(fault) = run(i) else { continue };
            let mut first = first.lock().unwrap_or_else(PoisonError::into_inner);
            if first.as_ref().is_none_or(|known| i < known.0) {
                *first = Some((i, fault));
            }
        }
    };
    thread::scope(|scope| {
        for _ in 1..threads {
            // Those that have started come to their end.
            thread::Builder::new().spawn_scoped(scope, work).inspect_err(|_| next.store(blocks, Relaxed))?;
        }
        work();
        io::Result::Ok(())
    })?;
    Ok(first.into_inner().unwrap_or_else(PoisonError::into_inner).map_or(Ok(()), |(_, fault)| Err(fault)))
}
