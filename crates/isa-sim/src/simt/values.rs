//! The launch values of each lane.

use super::launch::{BadLaunch, Launch};
use isa_runtime::machine::{LaunchValue, MachineInfo};

/// A launch value of a lane.
#[derive(Clone, Copy)]
pub(super) enum Known {
    Tid(usize),
    Ntid(usize),
    Ctaid(usize),
    Nctaid(usize),
    Lane,
    Warp,
    /// The bytes of a memory, by the index of its space.
    Size(usize),
}

impl Known {
    /// The launch value with this name; `None` if the machine doesn't know it.
    fn of(name: &str, machine: &MachineInfo) -> Option<Self> {
        let axis = |name: &str| ["x", "y", "z"].iter().position(|axis| *axis == name);
        match name.split_once('.') {
            None if name == "laneid" => Some(Self::Lane),
            None if name == "warpid" => Some(Self::Warp),
            Some(("tid", n)) => axis(n).map(Self::Tid),
            Some(("ntid", n)) => axis(n).map(Self::Ntid),
            Some(("ctaid", n)) => axis(n).map(Self::Ctaid),
            Some(("nctaid", n)) => axis(n).map(Self::Nctaid),
            Some(("size", space)) => machine.spaces.iter().position(|of| of.name == space).map(Self::Size),
            _ => None,
        }
    }

    /// Its value for a thread of a block, counted in x first, which is a lane of a warp.
    pub(super) fn value(self, of: (&Launch, &[u64]), block: [u32; 3], thread: u32, lane: u32, warp: u32) -> u32 {
        let (launch, sizes) = of;
        let [x, y, _] = launch.block;
        match self {
            Self::Tid(axis) => [thread % x, thread / x % y, thread / x / y][axis],
            Self::Ntid(axis) => launch.block[axis],
            Self::Ctaid(axis) => block[axis],
            Self::Nctaid(axis) => launch.grid[axis],
            Self::Lane => lane,
            Self::Warp => warp,
            Self::Size(space) => bytes(sizes, space),
        }
    }

    /// The largest value, and the reason why it is so large.
    fn largest(self, launch: &Launch, sizes: &[u64], lanes: u32, warps: u32) -> (u32, &'static str) {
        match self {
            Self::Tid(axis) => (launch.block[axis] - 1, "block"),
            Self::Ntid(axis) => (launch.block[axis], "block"),
            Self::Ctaid(axis) => (launch.grid[axis] - 1, "grid"),
            Self::Nctaid(axis) => (launch.grid[axis], "grid"),
            Self::Lane => (lanes - 1, "warp"),
            Self::Warp => (warps - 1, "block"),
            Self::Size(space) => (bytes(sizes, space), "memory"),
        }
    }
}

/// The size of a memory in 32 bits, saturated.
fn bytes(sizes: &[u64], space: usize) -> u32 {
    sizes.get(space).map_or(0, |size| u32::try_from(*size).unwrap_or(u32::MAX))
}

/// The meanings of the launch values, if the machine has them and the largest of each fits. `lanes` are those of a block.
pub(super) fn check_values(machine: &MachineInfo, launch: &Launch, sizes: &[u64], lanes: u32) -> Result<Vec<Known>, BadLaunch> {
    let known = |value: &LaunchValue| {
        let (name, width) = (&value.name, value.width);
        let Some(known) = Known::of(name, machine) else {
            return Err(BadLaunch::NoValue(name.clone()));
        };
        let (largest, what) = known.largest(launch, sizes, lanes.min(machine.lanes), lanes.div_ceil(machine.lanes));
        if width < 32 && largest >> width != 0 {
            return Err(BadLaunch::Value { of: what, name: name.clone(), largest, width });
        }
        Ok(known)
    };
    machine.launch_values.iter().map(known).collect()
}
