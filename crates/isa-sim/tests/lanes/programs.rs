//! Random programs.

use crate::ROOM;

/// An instruction.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Do {
    /// `r = a * n + b`
    Compute {
        r: usize,
        a: usize,
        n: u32,
        b: usize,
    },
    /// Some bytes of a word of the lane itself are set to a register.
    Store {
        space: usize,
        at: u32,
        bytes: u32,
        r: usize,
    },
    /// A register is set to bytes of another lane, at a distance in its block or in its grid.
    Load {
        space: usize,
        by: u32,
        at: u32,
        bytes: u32,
        r: usize,
    },
    /// A register is added to a sum.
    Sum {
        at: u32,
        r: usize,
    },
    LoadSum {
        at: u32,
        r: usize,
    },
    /// Branches if a bit of the register is set.
    BranchIf {
        r: usize,
        bit: u32,
        to: usize,
    },
    Branch {
        to: usize,
    },
    /// Repeats while the register is not 0, and decrements it.
    Again {
        r: usize,
        to: usize,
    },
    Few {
        r: usize,
        of: usize,
    },
    Call {
        to: usize,
    },
    RetIf {
        r: usize,
        bit: u32,
    },
    ExitIf {
        r: usize,
        bit: u32,
    },
    Ret,
    Exit,
    Barrier,
    Sync,
    Join,
}

/// A small random number generator.
struct Random(u64);

impl Random {
    fn below(&mut self, n: u32) -> u32 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((self.0 >> 33) as u32) % n
    }

    fn one_in(&mut self, n: u32) -> bool {
        self.below(n) == 0
    }
}

/// A generator of programs.
pub(crate) struct Writer {
    random: Random,
    program: Vec<Do>,
    /// Words are written between these barriers.
    writes: bool,
    /// The registers that count the turns of enclosing loops.
    counters: usize,
    functions: Vec<usize>,
}

impl Writer {
    pub(crate) fn program(seed: u64) -> Vec<Do> {
        let mut writer = Self { random: Random(seed), program: Vec::new(), writes: true, counters: 0, functions: Vec::new() };
        writer.program.push(Do::Branch { to: 0 });
        for writes in [true, false] {
            writer.writes = writes;
            let start = writer.program.len();
            writer.block(2, true);
            writer.program.push(Do::Ret);
            writer.functions.push(start);
        }
        writer.program[0] = Do::Branch { to: writer.program.len() };
        for phase in 0..4 + writer.random.below(4) {
            writer.writes = phase % 2 == 0;
            writer.block(3, false);
            writer.program.push(Do::Barrier);
        }
        writer.program.push(Do::Exit);
        writer.program
    }

    fn register(&mut self) -> usize {
        self.random.below(4) as usize
    }

    fn block(&mut self, depth: u32, in_function: bool) {
        for _ in 0..2 + self.random.below(4) {
            match self.random.below(if depth > 0 { 9 } else { 5 }) {
                0 | 1 => {
                    let (r, a, b) = (self.register(), self.random.below(6) as usize, self.random.below(6) as usize);
                    let n = self.random.below(1 << 16) | 1;
                    self.program.push(Do::Compute { r: self.free(r), a, n, b });
                }
                2..5 => self.access(),
                5 | 6 => self.choice(depth, in_function),
                7 => self.repeated(depth, in_function),
                _ if in_function => {
                    let (r, bit) = (self.register(), self.random.below(8));
                    self.program.push(Do::RetIf { r, bit });
                }
                _ if self.random.one_in(4) => {
                    let (r, bit) = (self.register(), self.random.below(8));
                    self.program.push(Do::ExitIf { r, bit });
                }
                _ => {
                    let to = self.functions[usize::from(!self.writes)];
                    self.program.push(Do::Call { to });
                }
            }
        }
    }

    /// A register that is not a loop counter.
    fn free(&self, r: usize) -> usize {
        if self.counters & 1 << r == 0 {
            r
        } else {
            (0..4).find(|r| self.counters & 1 << r == 0).expect("few loops are in others")
        }
    }

    fn access(&mut self) {
        let (space, bytes) = (self.random.below(2) as usize, 1 << self.random.below(3));
        let at = self.random.below(ROOM / bytes) * bytes;
        let (r, by) = (self.register(), self.random.below(40));
        self.program.push(match (self.writes, self.random.one_in(4)) {
            (true, false) => Do::Store { space, at, bytes, r },
            (true, true) => Do::Sum { at: self.random.below(2), r },
            (false, false) => Do::Load { space, by, at, bytes, r: self.free(r) },
            (false, true) => Do::LoadSum { at: self.random.below(2), r: self.free(r) },
        });
    }

    fn choice(&mut self, depth: u32, in_function: bool) {
        self.program.push(Do::Sync);
        let branch = self.program.len();
        let (r, bit) = (self.random.below(5) as usize, self.random.below(3));
        self.program.push(Do::Exit);
        self.block(depth - 1, in_function);
        let leave = self.program.len();
        self.program.push(Do::Exit);
        self.program[branch] = Do::BranchIf { r, bit, to: self.program.len() };
        if self.random.one_in(2) {
            self.block(depth - 1, in_function);
        }
        self.program[leave] = Do::Branch { to: self.program.len() };
        self.program.push(Do::Join);
    }

    fn repeated(&mut self, depth: u32, in_function: bool) {
        let (r, of) = (self.register(), self.random.below(5) as usize);
        // Functions are called inside loops, and must not change the callers' counters.
        if in_function || self.counters.count_ones() > 1 || self.counters & 1 << r != 0 {
            return;
        }
        self.counters |= 1 << r;
        self.program.extend([Do::Few { r, of }, Do::Sync]);
        let start = self.program.len();
        let calls = std::mem::take(&mut self.functions);
        self.plain(depth - 1);
        self.functions = calls;
        self.program.extend([Do::Again { r, to: start }, Do::Join]);
        self.counters &= !(1 << r);
    }

    /// A block without calls.
    fn plain(&mut self, depth: u32) {
        for _ in 0..1 + self.random.below(3) {
            match self.random.below(if depth > 0 { 4 } else { 3 }) {
                0 => {
                    let (r, a, b) = (self.register(), self.random.below(6) as usize, self.random.below(6) as usize);
                    self.program.push(Do::Compute { r: self.free(r), a, n: 3, b });
                }
                1 | 2 => self.access(),
                _ => {
                    self.program.push(Do::Sync);
                    let branch = self.program.len();
                    let (r, bit) = (self.random.below(5) as usize, self.random.below(3));
                    self.program.push(Do::Exit);
                    self.plain(depth - 1);
                    self.program[branch] = Do::BranchIf { r, bit, to: self.program.len() };
                    self.program.push(Do::Join);
                }
            }
        }
    }
}
