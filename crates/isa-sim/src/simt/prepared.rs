//! A prepared launch: the memories of the grid, and the state common to all blocks.

use super::launch::{BadLaunch, DEFAULT_SIZE, Launch, MAX_BLOCK, MAX_MEMORY};
use super::values::{Known, check_values};
use crate::engine::MAX_LANES;
use crate::memory::Memory;
use isa_runtime::machine::{MachineInfo, Sharing};
use std::ops::Range;

/// The state common to all blocks.
pub(super) struct Prepared {
    /// The size of each space, or of each of its banks.
    pub(super) sizes: Vec<u64>,
    pub(super) variants: Vec<usize>,
    /// The meaning of each launch value.
    pub(super) values: Vec<Known>,
    /// The grid's memories, by space and bank; empty for other spaces.
    pub(super) grid: Vec<Vec<Memory>>,
    /// Lanes and warps of a block.
    pub(super) lanes: u32,
    pub(super) warps: u32,
}

pub(super) fn banks(machine: &MachineInfo, space: usize) -> u32 {
    machine.spaces[space].banks.unwrap_or(1).max(1)
}

impl Prepared {
    pub(super) fn new(machine: &MachineInfo, launch: &Launch) -> Result<Self, BadLaunch> {
        let [grid, block] = [launch.grid, launch.block].map(|d| d.iter().try_fold(1u64, |n, d| n.checked_mul((*d).into())));
        let lanes = match (grid, block) {
            (Some(0), _) | (_, Some(0)) => return Err(BadLaunch::Empty),
            (Some(_), Some(lanes)) if lanes <= MAX_BLOCK => lanes as u32,
            (None, _) => return Err(BadLaunch::Blocks),
            (_, _) => return Err(BadLaunch::Block(MAX_BLOCK)),
        };
        if machine.lanes == 0 || machine.lanes as usize > MAX_LANES {
            return Err(BadLaunch::Lanes(machine.lanes));
        }
        let mut sizes: Vec<u64> = Vec::new();
        for (i, space) in machine.spaces.iter().enumerate() {
            let asked = launch.sizes.iter().rev().find(|s| s.0 == i).map(|s| s.1);
            let images = launch.images.iter().filter(|m| m.space == i);
            let needed = images.map(|m| m.address.saturating_add(m.bytes.len() as u64)).max().unwrap_or(0);
            if launch.parts.iter().any(|part| part.space == i) {
                let bytes = launch.parts.iter().filter(|part| part.space == i).fold(0u64, |n, part| n.saturating_add(part.bytes));
                sizes.push(bytes);
                continue;
            }
            let room = if space.address >= 63 { u64::MAX } else { 1 << space.address };
            let size = match (asked, space.size) {
                (Some(asked), Some(size)) if asked > size => {
                    return Err(BadLaunch::Size { space: space.name.clone(), size, asked });
                }
                (Some(asked), _) => asked,
                (None, Some(size)) => size,
                (None, None) => needed.next_multiple_of(4).max(DEFAULT_SIZE.min(room)),
            };
            if needed > size {
                return Err(BadLaunch::Image { space: space.name.clone(), size, end: needed });
            }
            sizes.push(size);
        }
        let parts = parts(machine, launch)?;
        let values = check_values(machine, launch, &sizes, lanes)?;
        let warps = lanes.div_ceil(machine.lanes);
        let prepared_bytes = |i: usize| {
            let count = match machine.spaces[i].owner {
                Sharing::Grid => 1,
                Sharing::Block => launch.at_once(),
                Sharing::Lane => u64::from(lanes) * launch.at_once(),
            };
            sizes[i].saturating_mul(banks(machine, i).into()).saturating_mul(count)
        };
        let bytes = (0..sizes.len()).fold(0u64, |n, i| n.saturating_add(prepared_bytes(i)));
        if bytes > MAX_MEMORY {
            return Err(BadLaunch::Memory(bytes));
        }
        let grid = (0..machine.spaces.len()).map(|i| match &parts[i][..] {
            [] => memories(machine, launch, &sizes, i, Sharing::Grid),
            parts => vec![Memory::of_parts(parts)],
        });
        let prepared = Self {
            grid: grid.collect(),
            variants: (0..machine.variants.len())
                .map(|i| launch.variants.iter().rev().find(|v| v.0 == i).map_or(0, |v| v.1))
                .collect(),
            sizes,
            values,
            lanes,
            warps,
        };
        for image in &launch.images {
            let Some(space) = machine.spaces.get(image.space) else { return Err(BadLaunch::NoSpace) };
            if image.bank >= banks(machine, image.space) {
                return Err(BadLaunch::NoBank { space: space.name.clone(), bank: image.bank });
            }
            match space.owner {
                Sharing::Grid => {
                    let memory = &prepared.grid[image.space][image.bank as usize];
                    if !memory.set_bytes(image.address, &image.bytes) {
                        let end = image.address.saturating_add(image.bytes.len() as u64);
                        return Err(BadLaunch::Image { space: space.name.clone(), size: memory.size(), end });
                    }
                }
                Sharing::Block => {}
                Sharing::Lane => {
                    return Err(BadLaunch::OfLanes(space.name.clone()));
                }
            }
        }
        match &machine.params {
            None if !launch.params.is_empty() => Err(BadLaunch::NoParams),
            Some(params) => {
                let (space, size) = (&machine.spaces[params.space], prepared.sizes[params.space]);
                let end = params.at.saturating_add(4 * launch.params.len() as u64);
                if !launch.params.is_empty() && end > size {
                    return Err(BadLaunch::Params { count: launch.params.len(), end, space: space.name.clone(), size });
                }
                if space.owner == Sharing::Grid && !launch.params.is_empty() {
                    prepared.grid[params.space][params.bank as usize].set_bytes(params.at, &param_bytes(launch));
                }
                Ok(prepared)
            }
            None => Ok(prepared),
        }
    }
}

/// The parts of each space, by address: the start of each, and its bytes.
fn parts(machine: &MachineInfo, launch: &Launch) -> Result<Vec<Vec<(u64, u64)>>, BadLaunch> {
    let mut all = vec![Vec::new(); machine.spaces.len()];
    for part in &launch.parts {
        let Some(space) = machine.spaces.get(part.space) else { return Err(BadLaunch::NoSpace) };
        if space.owner != Sharing::Grid || space.banks.is_some() || !part.address.is_multiple_of(16) {
            return Err(BadLaunch::Part { space: space.name.clone(), address: part.address });
        }
        all[part.space].push((part.address, part.bytes));
    }
    for (parts, space) in all.iter_mut().zip(&machine.spaces) {
        parts.sort_unstable();
        let room = if space.address >= 64 { u64::MAX } else { 1 << space.address };
        for (i, (start, bytes)) in parts.iter().enumerate() {
            let end = parts.get(i + 1).map_or(room, |next| next.0);
            if start.checked_add(*bytes).is_none_or(|own| own > end) {
                return Err(BadLaunch::Part { space: space.name.clone(), address: *start });
            }
        }
    }
    Ok(all)
}

/// The memories of a space that belong to one owner, one for each bank; none if the space belongs to another.
pub(super) fn memories(machine: &MachineInfo, launch: &Launch, sizes: &[u64], space: usize, owner: Sharing) -> Vec<Memory> {
    let count = if machine.spaces[space].owner == owner { banks(machine, space) } else { 0 };
    let mut memories: Vec<Memory> = (0..count).map(|_| Memory::new(sizes[space])).collect();
    if let Some((bank, bytes)) = missing_params(machine, launch, sizes, space)
        && let Some(memory) = memories.get_mut(bank as usize)
    {
        memory.set_missing(bytes);
    }
    memories
}

/// The bytes of a space, and their bank, where a kernel would look for parameters that the launch lacks: the first one, or up to
/// the end if instructions can't write the space.
fn missing_params(machine: &MachineInfo, launch: &Launch, sizes: &[u64], space: usize) -> Option<(u32, Range<u64>)> {
    let params = machine.params.as_ref().filter(|p| p.space == space)?;
    let first = params.at + 4 * launch.params.len() as u64;
    let images = || launch.images.iter().filter(|m| (m.space, m.bank) == (space, params.bank));
    if images().any(|m| (m.address..m.address + m.bytes.len() as u64).contains(&first)) {
        return None;
    }
    let most = if machine.spaces[space].read_only { u64::MAX } else { first + 4 };
    let next = images().map(|m| m.address).filter(|at| *at > first).min().unwrap_or(u64::MAX);
    let end = most.min(next).min(sizes[space]);
    (first < end).then_some((params.bank, first..end))
}

pub(super) fn param_bytes(launch: &Launch) -> Vec<u8> {
    launch.params.iter().flat_map(|p| p.to_le_bytes()).collect()
}
