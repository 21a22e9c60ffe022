use super::*;

const READ: Rights = Rights { read: true, write: false, execute: false };

#[test]
fn a_page_is_made_when_it_is_written() {
    let mut pages = Pages::new(u64::MAX);
    let mut bytes = [9; 4];
    assert_eq!(pages.read(0x8000_0ffe, &mut bytes, Access::Read), Ok(()));
    assert_eq!((bytes, pages.written()), ([0; 4], 0));
    assert_eq!(pages.write(0x8000_0ffe, &[1, 2, 3, 4]), Ok(()));
    assert_eq!((pages.load::<2>(0x8000_0ffe), pages.written()), (None, 2 * PAGE));
    assert_eq!(pages.read(0x8000_0ffe, &mut bytes, Access::Read), Ok(()));
    assert_eq!((bytes, pages.load::<2>(0x8000_0ffe), pages.load::<4>(0x8000_0ffe)), ([1, 2, 3, 4], Some([1, 2]), None));
    assert!(pages.store(0x8000_0ffe, [7]));
    assert_eq!(pages.load::<2>(0x8000_0ffe), Some([7, 2]));
    assert_eq!(pages.read(u64::MAX, &mut bytes[..1], Access::Read), Ok(()));
    assert_eq!(pages.read(u64::MAX, &mut bytes[..2], Access::Read), Err(Denied::Unmapped(u64::MAX)));
}

#[test]
fn zeros_that_were_read_are_seen_when_they_are_written() {
    let mut pages = Pages::new(u64::MAX);
    assert_eq!(pages.read(8, &mut [0; 4], Access::Read), Ok(()));
    assert_eq!(pages.load::<4>(8), Some([0; 4]));
    assert_eq!(pages.poke(8, &[5]), Ok(()));
    assert_eq!(pages.load::<4>(8), None);
    assert_eq!(pages.pages[0], [0; PAGE as usize]);
}

#[test]
fn ranges_have_rights() {
    let mut pages = Pages::new(u64::MAX);
    pages.clear();
    pages.map(0x1000..=0x3fff, Rights::ALL);
    pages.map(0x2000..=0x27ff, READ);
    assert_eq!(pages.write(0x1ffe, &[1; 2]), Ok(()));
    assert_eq!(pages.write(0x1ffe, &[1; 3]), Err(Denied::Protected(0x2000)));
    assert_eq!(pages.read(0x1ffe, &mut [0; 4], Access::Read), Ok(()));
    assert_eq!(pages.read(0x27fe, &mut [0; 4], Access::Fetch), Err(Denied::Protected(0x27fe)));
    assert_eq!(pages.peek(0x3ffe, &mut [0; 4]), Err(Denied::Unmapped(0x4000)));
    assert_eq!(pages.write(0x2800, &[1]), Ok(()));
    assert_eq!(pages.ranges().len(), 3);
    pages.unmap(0x1000..=0x1fff);
    assert_eq!(pages.read(0x1fff, &mut [0], Access::Read), Err(Denied::Unmapped(0x1fff)));
    pages.map(0x1000..=0x1fff, READ);
    let mut byte = [1];
    assert_eq!(pages.read(0x1fff, &mut byte, Access::Read), Ok(()));
    assert_eq!(byte, [0]);
    pages.map(0..=u64::MAX, READ);
    assert_eq!(pages.ranges(), [(0..=u64::MAX, READ)]);
}

#[test]
fn ranges_meet_and_pages_move() {
    let mut pages = Pages::new(u64::MAX);
    pages.clear();
    pages.map(0x1000..=0x1fff, READ);
    pages.map(0x3000..=0x3fff, READ);
    pages.map(0x2000..=0x2fff, READ);
    assert_eq!(pages.ranges(), [(0x1000..=0x3fff, READ)]);
    pages.map(0x2000..=0x2fff, Rights::ALL);
    assert_eq!(pages.next_range(0x2800), Some((0x2000..=0x2fff, Rights::ALL)));
    assert_eq!(pages.next_range(0), Some((0x1000..=0x1fff, READ)));
    assert_eq!(pages.next_range(0x4000), None);
    assert_eq!(pages.poke(0x1fff, &[1, 2]), Ok(()));
    pages.map(0x8000..=0x9fff, READ);
    pages.transfer(0x1000..=0x2fff, 0x8000);
    let mut bytes = [9; 2];
    assert_eq!((pages.peek(0x8fff, &mut bytes), bytes), (Ok(()), [1, 2]));
    assert_eq!((pages.peek(0x1fff, &mut bytes), bytes), (Ok(()), [0, 0]));
    pages.discard(0x8000..=0x9ffe);
    assert_eq!((pages.peek(0x8fff, &mut bytes), bytes, pages.written()), (Ok(()), [0, 2], PAGE));
}

#[test]
fn there_is_an_end() {
    let mut pages = Pages::new(0x17ff);
    assert_eq!(pages.write(0x17fe, &[1; 2]), Ok(()));
    assert_eq!(pages.write(0x17ff, &[1; 2]), Err(Denied::Unmapped(0x1800)));
    assert!(!pages.store(0x1800, [1]));
    pages.set_most(PAGE);
    assert_eq!(pages.write(0, &[1]), Err(Denied::Full(PAGE)));
}

#[test]
fn watched_memory() {
    let mut pages = Pages::new(u64::MAX);
    pages.write(0x100, &[1]).expect("memory");
    let watch = Watch { at: 0x100..=0x103, reads: false, writes: true };
    pages.watch(watch.clone());
    assert!(!pages.store(0x100, [1]));
    pages.write(0x104, &[1]).expect("memory");
    pages.read(0x100, &mut [0], Access::Read).expect("memory");
    assert_eq!(pages.take_hit(), None);
    pages.write(0xff, &[1; 2]).expect("memory");
    assert_eq!(pages.take_hit(), Some(Hit { address: 0xff, bytes: 2, access: Access::Write }));
    pages.unwatch(&watch);
    pages.write(0x100, &[1]).expect("memory");
    assert!(pages.store(0x100, [1]) && pages.take_hit().is_none());
}

#[test]
fn a_denied_access_is_an_error() {
    let errors: [Box<dyn std::error::Error>; 3] =
        [Denied::Unmapped(0x10).into(), Denied::Protected(0x20).into(), Denied::Full(4).into()];
    let texts = [
        "there is no memory at 0x10",
        "the memory at 0x20 does not allow the access",
        "more than 4 bytes of memory would be written, the maximum",
    ];
    assert_eq!(errors.map(|error| error.to_string()), texts);
}

#[test]
fn stores_to_code_are_noticed() {
    let mut pages = Pages::new(u64::MAX);
    assert_eq!(pages.write(0x1000, &[1; 8]), Ok(()));
    assert!(pages.store(0x1004, [2; 4]));
    // An instruction at the border of two pages.
    pages.note_code(0x1ffe, 4);
    for (at, bytes, is_code) in [(0x1ffd, 1, false), (0x2002, 4, false), (0x1ffc, 3, true)] {
        assert!(!pages.store(at, [3; 1]) || at / PAGE != 1, "a page with code is not written without a check");
        assert_eq!(pages.write(at, &vec![4; bytes]), Ok(()));
        assert_eq!((pages.take_new_code(), pages.take_new_code()), (is_code, false), "{at:#x}");
    }
    // The instructions are prepared again, and noted when they are.
    assert_eq!(pages.write(0x2001, &[5]), Ok(()));
    assert!(!pages.has_new_code());
    pages.note_code(0x2001, 1);
    assert_eq!(pages.write(0x2001, &[6]), Ok(()));
    assert!(pages.has_new_code());
}
