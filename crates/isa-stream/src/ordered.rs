//! Work on a long input: batch after batch, on several threads if there is much of it, and the results in order.

use crate::stop::Stop;
use std::collections::VecDeque;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{self, Scope};

/// The number of batches done on the calling thread before others are started.
const ALONE: usize = 16;
/// The greatest number of threads.
const MOST_THREADS: usize = 64;
/// The number of batches in progress for each thread.
const AHEAD: usize = 2;

/// The continuation after a batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Then {
    /// There is more.
    More,
    /// There may be more, but it may have to be waited for: everything read so far is answered first.
    Pause,
    /// The input has ended.
    End,
}

/// The number of threads for a large input: as requested, or one for each processor.
pub fn threads(asked: Option<usize>) -> usize {
    asked.unwrap_or_else(|| thread::available_parallelism().map_or(1, usize::from)).clamp(1, MOST_THREADS)
}

/// Fills batches, works on them, and returns them in their order through `give`.
///
/// `fill` and `give` are called on this thread; `give` also receives whether everything read so far has been given. Each thread
/// has a `worker` of its own. Batches are reused. If `fill` fails, the batches read before are given first.
pub fn ordered<T: Default + Send, W: FnMut(&mut T) + Send>(
    threads: usize,
    worker: impl Fn() -> W,
    mut fill: impl FnMut(&mut T) -> Result<Then, Stop>,
    mut give: impl FnMut(&mut T, bool) -> Result<(), Stop>,
) -> Result<(), Stop> {
    let mut own = worker();
    let mut spare: Vec<T> = Vec::new();
    let mut filled = 0;
    thread::scope(|scope| {
        let mut pool: Option<Pool<T>> = None;
        loop {
            let mut batch = spare.pop().unwrap_or_default();
            let then = fill(&mut batch);
            let is_last = !matches!(then, Ok(Then::More));
            filled += 1;
            if pool.is_none() && threads > 1 && filled > ALONE {
                pool = Some(Pool::new(scope, (0..threads).map(|_| worker())));
            }
            match &mut pool {
                None => {
                    own(&mut batch);
                    give(&mut batch, is_last)?;
                    spare.push(batch);
                }
                Some(pool) => {
                    pool.send(batch);
                    while (is_last || pool.is_full())
                        && let Some(mut batch) = pool.receive()
                    {
                        give(&mut batch, is_last && pool.is_idle())?;
                        spare.push(batch);
                    }
                }
            }
            if then? == Then::End {
                return Ok(());
            }
        }
    })
}

/// Workers on threads of their own. They end when the pool is dropped.
struct Pool<T> {
    workers: Vec<(Sender<T>, Receiver<T>)>,
    /// The workers that have batches, in the order of the batches.
    busy: VecDeque<usize>,
    next: usize,
}

impl<T: Send> Pool<T> {
    fn new<'s, 'e, W: FnMut(&mut T) + Send + 's>(scope: &'s Scope<'s, 'e>, workers: impl Iterator<Item = W>) -> Self
    where
        T: 's,
    {
        let start = |mut work: W| {
            let (to_worker, batches) = channel::<T>();
            let (results, from_worker) = channel::<T>();
            scope.spawn(move || {
                for mut batch in batches {
                    work(&mut batch);
                    if results.send(batch).is_err() {
                        break;
                    }
                }
            });
            (to_worker, from_worker)
        };
        Self { workers: workers.map(start).collect(), busy: VecDeque::new(), next: 0 }
    }

    fn is_full(&self) -> bool {
        self.busy.len() >= AHEAD * self.workers.len()
    }

    fn is_idle(&self) -> bool {
        self.busy.is_empty()
    }

    fn send(&mut self, batch: T) {
        // The receiver is gone only if its worker has panicked, which the scope reports.
        if self.workers[self.next].0.send(batch).is_ok() {
            self.busy.push_back(self.next);
        }
        self.next = (self.next + 1) % self.workers.len();
    }

    /// The oldest batch, when it is done; `None` if there is none.
    fn receive(&mut self) -> Option<T> {
        let worker = self.busy.pop_front()?;
        self.workers[worker].1.recv().ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The squares of the numbers up to 1000, in batches of one, with `threads` threads; each with whether it was the last.
    fn squares(threads: usize, end: Result<Then, &str>) -> (Vec<(u64, bool)>, Result<(), Stop>) {
        let (mut next, mut all) = (0, Vec::new());
        let result = ordered(
            threads,
            || |n: &mut u64| *n *= *n,
            |n| {
                next += 1;
                *n = next;
                match next {
                    500 => Ok(Then::Pause),
                    1000 => end.map_err(Stop::new),
                    _ => Ok(Then::More),
                }
            },
            |n, is_last| {
                all.push((*n, is_last));
                Ok(())
            },
        );
        (all, result)
    }

    #[test]
    fn results_come_in_order() {
        let expected: Vec<(u64, bool)> = (1..=1000).map(|n| (n * n, n == 500 || n == 1000)).collect();
        for threads in [1, 2, 3, 16] {
            let (all, result) = squares(threads, Ok(Then::End));
            assert!(result.is_ok() && all == expected, "{threads} threads");
            // Everything read before a fault is given first.
            let (all, result) = squares(threads, Err("no more"));
            assert!(matches!(result, Err(Stop::CannotRun { message, .. }) if message == "no more") && all == expected);
        }
    }

    #[test]
    fn a_reader_that_is_gone_ends_the_work() {
        let mut given = 0;
        let give = |_: &mut u64, _| {
            given += 1;
            if given == 200 { Err(Stop::BrokenPipe) } else { Ok(()) }
        };
        assert!(matches!(ordered(4, || |_: &mut u64| {}, |_| Ok(Then::More), give), Err(Stop::BrokenPipe)));
        assert_eq!(given, 200);
    }
}
