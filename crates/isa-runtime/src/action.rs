//! The effects of instructions on the flow of control.

/// The kind of an argument of an action.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ActionArg {
    /// An address of code.
    Target,
    /// A number of any width.
    Number,
    /// A number of any width, which may be left out: 0 then.
    Optional,
    /// A bit, which may be left out: 0 then.
    Bit,
    /// A mask of lanes.
    Lanes,
    /// A number as wide as an address of code: a cause, or what belongs to it.
    Cause(&'static str),
}

impl ActionArg {
    /// Returns true if it may be left out.
    pub const fn is_optional(&self) -> bool {
        matches!(self, Self::Optional | Self::Bit)
    }
}

/// The machines that have an action.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ActionOf {
    /// All machines.
    All,
    /// Those of several lanes.
    Warps,
    /// Those of one lane.
    Cores,
}

macro_rules! actions {
    ($($(#[doc = $doc:literal])* $action:ident $name:literal ($($arg:expr),*) $of:ident;)*) => {
        /// An effect of an instruction on the flow of control. It happens when the body has ended.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Action {
            $($(#[doc = $doc])* $action,)*
        }

        impl Action {
            /// All actions.
            pub const ALL: &[Self] = &[$(Self::$action),*];

            /// Its name in semantics; empty if it has none.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$action => $name),* }
            }

            /// Its arguments.
            pub const fn args(self) -> &'static [ActionArg] {
                match self { $(Self::$action => &[$($arg),*]),* }
            }

            /// The machines that have it.
            pub const fn of(self) -> ActionOf {
                match self { $(Self::$action => ActionOf::$of),* }
            }
        }
    };
}

actions! {
    /// `branch(t)`: the lane goes on at `t`.
    Branch "branch" (ActionArg::Target) All;
    /// `call(t)`: the lane goes on at `t`, and after `ret()` here at `next`.
    Call "call" (ActionArg::Target) All;
    /// `ret()`: the lane waits for the others of its call, and goes back; outside a call it ends.
    Ret "ret" () All;
    /// `exit()`: the lane ends.
    Exit "exit" () All;
    /// `barrier(id)`: the lane waits until all live lanes of its block are at this barrier; `barrier(id, count, bit)`: until
    /// `count` lanes are, and those with a bit of 1 are counted.
    Barrier "barrier" (ActionArg::Number, ActionArg::Optional, ActionArg::Bit) Warps;
    /// `arrive(id, count)`: the lane is counted at this barrier, and goes on.
    Arrive "arrive" (ActionArg::Number, ActionArg::Number) Warps;
    /// `meet(key, mask)`: the lane waits until all live lanes of the mask wait with the same key; with `meet(key, mask, 1)` they go on
    /// alone then, and others that come to the same place do not join them.
    Meet "meet" (ActionArg::Number, ActionArg::Lanes, ActionArg::Bit) Warps;
    /// `pause()`: other lanes of the warp go on first.
    Pause "pause" () Warps;
    /// `sync(t)`: the lanes that are active now will reconverge at the next `join()` that is not taken by a branch.
    Sync "sync" (ActionArg::Target) Warps;
    /// `join()`: the lane waits here for those that it parted from.
    Join "join" () Warps;
    /// `trap()`: the run ends with a fault that names this instruction.
    Trap "trap" () All;
    /// `illegal()`: the run ends with the fault of a word that is no instruction.
    Illegal "illegal" () All;
    /// `undescribed()`: the run ends, since the specification does not say what the instruction does here.
    Undescribed "undescribed" () All;
    /// `host()`: the host of the program does what registers say.
    Host "host" () Cores;
    /// `refetch()`: what was stored into code is seen from the next instruction on.
    Refetch "refetch" () Cores;
    /// `raise(cause, value)`: the machine does what `raise` says, in the place of this instruction.
    Raise "raise" (ActionArg::Cause("the cause"), ActionArg::Cause("the value")) Cores;
    /// What the interrupts depend on may have changed.
    Ask "" () Cores;
}

impl Action {
    /// The action of a name in semantics.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|action| !name.is_empty() && action.name() == name)
    }

    /// Returns true for what keeps an instruction from being executed; where there is one lane it ends the body too.
    #[inline(always)]
    pub const fn is_fault(self) -> bool {
        matches!(self, Self::Trap | Self::Illegal | Self::Undescribed | Self::Raise)
    }
}
