//! Barriers of a block whose warps come to them in groups of lanes.

use super::warp::Paths;
use crate::fault::{BadBarrier, FaultKind};

/// The state of a barrier at which some lanes of a block are.
struct Barrier {
    number: u64,
    /// The lanes at the barrier, and those that it waits for.
    there: u64,
    wanted: u64,
    ones: u64,
}

/// The barriers at which lanes of these warps are, in a block of `lanes` lanes.
fn all<'p>(warps: impl Iterator<Item = &'p Paths> + Clone, lanes: u64) -> Vec<Barrier> {
    let mut numbers: Vec<u64> = warps.clone().flat_map(|warp| warp.groups.held.iter().map(|held| held.barrier)).collect();
    numbers.sort_unstable();
    numbers.dedup();
    let barrier = |number: u64| {
        let mut barrier = Barrier { number, there: 0, wanted: 0, ones: 0 };
        let (mut count, mut live) = (0, 0);
        for warp in warps.clone() {
            let here = || warp.groups.held.iter().filter(|held| held.barrier == number);
            let at = here().fold(0, |lanes, held| lanes | held.lanes);
            live += u64::from(warp.live.count_ones());
            count = here().map(|held| held.count).chain([count]).max().unwrap_or(0);
            barrier.ones += here().map(|held| u64::from(held.ones.count_ones())).sum::<u64>();
            barrier.there += here().map(|held| u64::from(held.lanes.count_ones())).sum::<u64>();
            // A warp with all its lanes at the barrier counts as a full one, even if it has fewer lanes.
            if at != 0 && at == warp.live && warp.groups.held.iter().any(|held| held.count != 0) {
                barrier.there += lanes - u64::from(at.count_ones());
            }
        }
        barrier.wanted = if count == 0 { live } else { count };
        barrier
    };
    numbers.into_iter().map(barrier).collect()
}

/// The barriers that open, and the number of lanes that came to each with a value of 1.
pub(super) fn open<'p>(warps: impl Iterator<Item = &'p Paths> + Clone, lanes: u64) -> Vec<(u64, u64)> {
    let open = |barrier: Barrier| (barrier.there >= barrier.wanted).then_some((barrier.number, barrier.ones));
    all(warps, lanes).into_iter().filter_map(open).collect()
}

/// The reason why no lane of these warps can continue, and its place: the instruction, the number of the warp, and its lanes.
pub(super) fn stuck<'p>(warps: impl Iterator<Item = &'p Paths> + Clone, lanes: u64) -> Option<(FaultKind, u64, usize, u64)> {
    let meeting = warps.clone().enumerate().find_map(|(number, warp)| Some((number, warp.groups.stuck()?)));
    if let Some((number, (pc, lanes))) = meeting {
        return Some((FaultKind::Meeting, pc, number, lanes));
    }
    let found = warps.clone().enumerate().find_map(|(number, warp)| Some((number, warp.groups.held.first()?)));
    let (number, held) = found?;
    let barrier = all(warps, lanes).into_iter().find(|barrier| barrier.number == held.barrier)?;
    let Barrier { number: barrier, there, wanted, .. } = barrier;
    Some((FaultKind::Barrier(BadBarrier::Few { barrier, there, wanted }), held.pc, number, held.lanes))
}
