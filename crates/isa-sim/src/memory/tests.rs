//! Memory of either kind, as instructions use it.

use super::*;

fn with(size: u64, read_only: bool, test: impl FnOnce(&mut Memories<'_>)) {
    let memories = [Memory::new(size), Memory::new(size)];
    let spaces = [Space { memories: &memories, of_lane: false, banks: 2, rules: Rules { read_only, ..Rules::default() } }];
    test(&mut Memories::new(&spaces));
}

#[test]
fn bytes_stand_low_first() {
    with(32, false, |m| {
        m.store(0, 0, 0, 8, 8, 0x1122_3344_5566_7788);
        m.store(0, 0, 0, 9, 1, 0xaa);
        m.store(0, 0, 0, 10, 2, 0xbbcc);
        assert_eq!(m.load(0, 0, 0, 8, 8), 0x1122_3344_bbcc_aa88);
        assert_eq!((m.load(0, 0, 0, 15, 1), m.load(0, 0, 0, 12, 2), m.load32(0, 0, 0, 12)), (0x11, 0x3344, 0x1122_3344));
        m.store(0, 0, 0, 16, 16, u128::MAX - 1);
        assert_eq!(m.load(0, 0, 0, 16, 16), u128::MAX - 1);
        assert_eq!(m.load(0, 1, 0, 8, 8), 0);
        assert_eq!(m.take_trouble(), None);
    });
}

#[test]
fn atomics_give_what_was_there() {
    with(32, false, |m| {
        for (address, bytes) in [(0, 4), (5, 1), (6, 2), (8, 8), (16, 16)] {
            assert_eq!(m.atomic(0, 0, 0, address, bytes, &mut |old| old + 0x7f), 0);
            assert_eq!(m.atomic(0, 0, 0, address, bytes, &mut |old| old + 1), 0x7f);
            assert_eq!(m.load(0, 0, 0, address, bytes), 0x80);
        }
        assert_eq!(m.load(0, 0, 0, 4, 1), 0);
    });
}

#[test]
fn what_cannot_be_is_noted() {
    with(10, false, |m| {
        let mut kind = |access: &dyn Fn(&mut Memories<'_>)| {
            access(m);
            m.take_trouble().map(|t| (t.kind, t.lanes, t.size))
        };
        assert_eq!(kind(&|m| assert_eq!(m.load32(0, 0, 3, 8), 0)), Some((TroubleKind::Outside, 8, 10)));
        assert_eq!(kind(&|m| m.store(0, 0, 0, u64::MAX, 1, 0)), Some((TroubleKind::Outside, 1, 10)));
        assert_eq!(kind(&|m| m.store32(0, 0, 0, 2, 0)), Some((TroubleKind::Misaligned, 1, 10)));
        assert_eq!(kind(&|m| assert_eq!(m.load(0, 2, 0, 0, 1), 0)), Some((TroubleKind::NoBank, 1, 0)));
        let twice = |m: &mut Memories<'_>| {
            m.store32(0, 0, 1, 2, 0);
            m.store32(0, 0, 2, 64, 0);
        };
        assert_eq!(kind(&twice), Some((TroubleKind::Misaligned, 6, 10)));
    });
    with(16, true, |m| {
        m.store32(0, 0, 0, 0, 1);
        assert_eq!(m.take_trouble().map(|t| (t.kind, t.access)), Some((TroubleKind::ReadOnly, Access::Write)));
    });
}

#[test]
fn bytes_of_missing_parameters_have_no_value() {
    let mut memory = Memory::new(16);
    memory.set_missing(4..8);
    let missing = |memory: &Memory| (0..9).filter(|at| memory.is_missing(*at, 1)).collect::<Vec<u64>>();
    assert_eq!(missing(&memory), [4, 5, 6, 7]);
    assert_eq!(
        [(0, 4), (0, 5), (3, 2), (7, 8), (8, 8)].map(|(at, bytes)| memory.is_missing(at, bytes)),
        [false, true, true, true, false]
    );
    assert_eq!(memory.open(false).len(), 0);
    // Writing beside them changes nothing; a value for one of them is one for all.
    memory.fill(0, 4);
    memory.fill(8, 8);
    assert_eq!(missing(&memory), [4, 5, 6, 7]);
    memory.fill(7, 1);
    assert_eq!(missing(&memory), [0; 0]);
    let spaces = [Space { memories: std::slice::from_ref(&memory), of_lane: false, banks: 1, rules: Rules::default() }];
    assert_eq!(Memories::new(&spaces).load(0, 0, 0, 4, 4), 0);
}

#[test]
fn numbers_in_either_order_at_any_address() {
    for (big_endian, unaligned) in [(false, true), (true, true), (true, false)] {
        let info = SpaceInfo {
            name: "m".into(),
            address: 16,
            banks: None,
            size: Some(64),
            read_only: false,
            program: false,
            coherent: false,
            regions: Vec::new(),
            unaligned,
            big_endian,
            owner: Sharing::Grid,
        };
        let (memories, mut core) = ([Memory::new(64)], [CoreSpace::new(&info)]);
        let spaces = [Space::of(&info, &memories)];
        let (mut shared, mut own) = (Memories::new(&spaces), Memories::of_core(&mut core));
        for at in 0..40 {
            for bytes in [1, 2, 4, 8, 16] {
                for m in [&mut shared, &mut own] {
                    m.store(0, 0, 0, at, bytes, 0x0102_0304_0506_0708_090a_0b0c_0d0e_0f10 + u128::from(at) * 3);
                }
                let values = [&mut shared, &mut own]
                    .map(|m| (m.load(0, 0, 0, at, bytes), m.load(0, 0, 0, at, 1), m.take_trouble().map(|t| t.kind)));
                assert_eq!(values[0], values[1], "{at} {bytes}");
                let is_wrong = !unaligned && at % u64::from(bytes) != 0;
                assert_eq!(values[0].2, is_wrong.then_some(TroubleKind::Misaligned));
            }
            let old =
                [&mut shared, &mut own].map(|m| (m.atomic(0, 0, 0, at & !3, 4, &mut |old| old + 1), m.load32(0, 0, 0, at & !3)));
            assert_eq!((old[0], old[0].0 as u32 + 1), (old[1], old[0].1));
        }
    }
}
