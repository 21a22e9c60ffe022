//! Divergence and reconvergence of lanes.

use crate::toy::Do::*;
use crate::toy::{TID, steps};
use isa_sim::Divergence;

#[test]
fn lanes_that_branch_go_first_and_meet_at_the_join() {
    let program = [TID, Sync, BranchLess { r: 0, n: 2, to: 4 }, Nothing, Join, Exit];
    assert_eq!(steps(Divergence::Stack, &program), "0xxxx 1xxxx 2xxxx 4xx.. 3..xx 4..xx 5xxxx");
    assert_eq!(steps(Divergence::LowestPc, &program), "0xxxx 1xxxx 2xxxx 3..xx 4xxxx 5xxxx");
    // Without a join they run to their ends one after the other.
    let apart = [TID, BranchLess { r: 0, n: 1, to: 3 }, Nothing, Exit];
    assert_eq!(steps(Divergence::Stack, &apart), "0xxxx 1xxxx 3x... 2.xxx 3.xxx");
}

#[test]
fn joins_nest() {
    let program =
        [TID, Sync, BranchLess { r: 0, n: 3, to: 4 }, Branch { to: 7 }, Sync, BranchLess { r: 0, n: 1, to: 6 }, Join, Join, Exit];
    assert_eq!(steps(Divergence::Stack, &program), "0xxxx 1xxxx 2xxxx 4xxx. 5xxx. 6x... 6.xx. 7xxx. 3...x 7...x 8xxxx");
}

#[test]
fn lanes_leave_a_loop_one_by_one() {
    let program = [TID, Sync, Add { r: 0, n: 1 }, BranchLess { r: 0, n: 4, to: 2 }, Join, Exit];
    assert_eq!(
        steps(Divergence::Stack, &program),
        "0xxxx 1xxxx 2xxxx 3xxxx 2xxx. 3xxx. 2xx.. 3xx.. 2x... 3x... 4x... 4.x.. 4..x. 4...x 5xxxx"
    );
    assert_eq!(steps(Divergence::LowestPc, &program), "0xxxx 1xxxx 2xxxx 3xxxx 2xxx. 3xxx. 2xx.. 3xx.. 2x... 3x... 4xxxx 5xxxx");
}

#[test]
fn lanes_may_branch_to_places_of_their_own() {
    let program = [TID, Add { r: 0, n: 4 }, Sync, BranchTo { r: 0 }, Nothing, Nothing, Join, Join, Exit];
    assert_eq!(steps(Divergence::Stack, &program), "0xxxx 1xxxx 2xxxx 3xxxx 4x... 5x... 6x... 5.x.. 6.x.. 6..x. 7...x 8xxxx");
    assert_eq!(steps(Divergence::LowestPc, &program), "0xxxx 1xxxx 2xxxx 3xxxx 4x... 5xx.. 6xxx. 7xxxx 8xxxx");
}

#[test]
fn calls_come_back_to_the_next_instruction() {
    let program = [TID, Call { to: 3 }, Exit, Call { to: 5 }, Ret, RetLess { r: 0, n: 2 }, Nothing, Ret];
    let both = "0xxxx 1xxxx 3xxxx 5xxxx 6..xx 7..xx 4xxxx 2xxxx";
    assert_eq!(steps(Divergence::Stack, &program), both);
    let lowest = "0xxxx 1xxxx 3xxxx 5xxxx 4xx.. 2xx.. 6..xx 7..xx 4..xx 2..xx";
    assert_eq!(steps(Divergence::LowestPc, &program), lowest);
    // Outside a call it is the end.
    for divergence in [Divergence::Stack, Divergence::LowestPc] {
        assert_eq!(steps(divergence, &[TID, RetLess { r: 0, n: 3 }, Ret]), "0xxxx 1xxxx 2...x");
    }
}

#[test]
fn lanes_that_have_ended_do_not_come_back() {
    let program = [TID, Sync, BranchLess { r: 0, n: 2, to: 4 }, Branch { to: 5 }, ExitLess { r: 0, n: 1 }, Join, Exit];
    assert_eq!(steps(Divergence::Stack, &program), "0xxxx 1xxxx 2xxxx 4xx.. 5.x.. 3..xx 5..xx 6.xxx");
}

#[test]
fn with_lowest_pc_lanes_of_a_warp_may_wait_for_each_other() {
    let program = [TID, BranchLess { r: 0, n: 2, to: 3 }, Nothing, Barrier { number: 0 }, Exit];
    assert_eq!(steps(Divergence::LowestPc, &program), "0xxxx 1xxxx 2..xx 3xxxx 4xxxx");
    let two_places = [TID, BranchLess { r: 0, n: 2, to: 4 }, Barrier { number: 0 }, Exit, Barrier { number: 0 }, Exit];
    assert_eq!(steps(Divergence::LowestPc, &two_places), "0xxxx 1xxxx 2..xx 4xx.. 3..xx 5xx..");
}
