//! Conversions from bits to members, and back.

use super::*;
use crate::number::{Int, Uint};

#[test]
fn parts_are_put_together_and_taken_apart() {
    let place = split(15, 12, &[(3, 0)]);
    assert_eq!(place.get(0xa00bu32), 0xab);
    assert_eq!(place.set(0x0550u32, 0xcd), Ok(0xc55d));
    assert_eq!(place.set(0u32, 0x100).map_err(|e| e.max), Err(0xff));
    assert_eq!(at(127, 60).get(u128::MAX), (1 << 68) - 1);
    let inverted = at(7, 0).with(&[Step::Not]);
    assert_eq!((inverted.get(0xf1u64), inverted.set(0u64, 0x0e)), (0x0e, Ok(0xf1)));
}

#[test]
fn numbers_are_read_as_primitives() {
    let least = Int::<5>::from_bits(0x10);
    assert_eq!((Codec::<i8>::value(least), Int::<5>::try_from(-16i8)), (-16, Ok(least)));
    assert_eq!(Codec::<i16>::value(Number::<true, 14, 4>::from_bits(0x2000)), -0x8000i16);
    assert_eq!(Codec::<u128>::value(Uint::<128>::from_bits(u128::MAX)), u128::MAX);
    let maybe = Maybe::<Uint<4>>::try_from(Some(15u8));
    assert_eq!(maybe.map(Codec::<Option<u8>>::value), Ok(Some(15)));
    assert_eq!(Maybe::<Uint<4>>::try_from(Some(16)), Err(OutOfRange { value: 16, min: 0, max: 15, step: 1 }));
}

#[test]
fn a_member_that_a_form_lacks() {
    const CASES: &[(u16, &[Place])] = &[(0, &[]), (1, &[at(4, 1)])];
    let member = Placed { name: "n", cases: CASES, of: &[0, 1], slot: None };
    let read = |form| member.read::<u32, Option<Uint<4>>>(0x1e, form);
    assert_eq!((read(0), read(1).map(Uint::get)), (None, Some(15)));
    let two = Uint::<4>::new(2).ok();
    assert_eq!((member.write(0u32, 0, two), member.write(0u32, 1, two)), (None, Some(Ok(4))));
    assert_eq!(member.mask::<u32>(1), 0x1e);
}
