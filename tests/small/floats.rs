//! The floating-point texts of the brute force, against known ones.

use harness::small::float::{float, length, rounds_to};

#[test]
fn decimal_numbers_are_the_nearest() {
    assert!(rounds_to("0.1", 0x3dcc_cccd, 32) && !rounds_to("0.1", 0x3dcc_cccc, 32) && rounds_to("0.3333", 0x3555, 16));
    assert!(rounds_to("-1e-154", 0x8000, 16) && !rounds_to("-1e-154", 0, 16) && !rounds_to("65520", 0x7c00, 16));
    assert!(rounds_to("0.1", 0.1f64.to_bits(), 64) && !rounds_to("0.1", 0.1f64.to_bits() + 1, 64));
    assert_eq!(["-1.5e-10,", "3", "0x1", "+2.e", "x"].map(length), [8, 1, 1, 3, 0]);
}

#[test]
fn numbers_of_the_standard() {
    let texts = [0, 0x8000, 0x3c00, 0xc000, 0x3555, 0x7bff, 0x7c00, 0xfe00, 0x7d00, 0x0400, 0x0300].map(|bits| float(bits, 16));
    let right =
        ["0", "-0.0", "1", "-2", "0.333251953125", "65504", "+INF", "-QNAN", "+SNAN", "6.103515625e-05", "4.57763671875e-05"];
    assert_eq!(texts, right);
    for (bits, format, right) in [
        (0x3f80_0000, 32, "1"),
        (0x3dcc_cccd, 32, "0.10000000149011611938"),
        (0x4f00_0000, 32, "2.14748364800000000000e+09"),
        (0x0000_0001, 32, "1.4012984643248170709e-45"),
        (0x461c_4000, 32, "10000"),
        (0x7fe0_0000_0000_0000, 64, "8.98846567431157953865e+307"),
        (0x0010_0000_0000_0000, 64, "2.2250738585072013831e-308"),
        (0x4338_0000_0000_0000, 64, "6.75539944105574400000e+15"),
    ] {
        assert_eq!(float(bits, format), right);
    }
}
