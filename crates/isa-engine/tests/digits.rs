//! Digits of words.

use isa_engine::digits::{decimal, hex, parse_hex};
use isa_runtime::U256;

#[test]
fn hexadecimal() {
    let text = |word: U256, digits| {
        let mut out = Vec::new();
        hex(word, digits, &mut out);
        String::from_utf8(out).expect("digits")
    };
    let word = U256::from_limbs([0x0123_4567_89ab_cdef, 0xfedc, 0, 0x8000_0000_0000_0000]);
    let digits = "8000000000000000000000000000000000000000 0000fedc0123456789abcdef".replace(' ', "");
    assert_eq!(text(word, 64), digits);
    assert_eq!(parse_hex(digits.to_uppercase().as_bytes()), Some(word));
    assert_eq!(text(word, 20), "fedc0123456789abcdef");
    assert_eq!(text(word, 2), "ef");
    assert_eq!(parse_hex(b"fF"), Some(U256::from(0xff_u8)));
    assert_eq!(["g", "/", ":", "@", "`", "\u{e9}"].map(|text| parse_hex(text.as_bytes())), [None; 6]);
}

#[test]
fn decimals() {
    for value in [0, 7, 10, u64::MAX.into(), u128::from(u64::MAX) + 1, 10_u128.pow(38), u128::MAX] {
        let mut out = Vec::new();
        decimal(value, &mut out);
        assert_eq!(String::from_utf8_lossy(&out), value.to_string());
    }
}
