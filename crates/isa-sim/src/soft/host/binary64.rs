//! binary64.

super::format!(f64, u64, u128, Format::F64);

/// True if the host multiplies and adds by an instruction, or by a function that looks for one. Elsewhere integers are faster.
pub(super) const FUSED: bool = cfg!(any(target_feature = "fma", target_arch = "aarch64", target_arch = "x86_64"));

#[inline(always)]
pub(super) fn fma(a: u64, b: u64, c: u64) -> Found {
    let operands = magnitude(a).min(magnitude(b)).min(magnitude(c));
    if !FUSED || operands < F.least_normal() {
        return None;
    }
    let result = bits(read(a).mul_add(read(b), read(c)));
    if !is_safe(result) {
        return None;
    }
    let field = |x: u64| (magnitude(x) >> F.fraction) as i32;
    let product = significand(a).wrapping_mul(significand(b));
    let addend = significand(c);
    // Places of the last bits. The sum is a multiple of the lower one of the first two.
    let (of_product, of_addend, of_result) = (field(a) + field(b) - F.bias() - F.fraction as i32, field(c), field(result));
    let up = |x: u64, by: i32| x.checked_shl(by.max(0).cast_unsigned()).unwrap_or(0);
    let (product, addend) = (up(product, of_product - of_addend), up(addend, of_addend - of_product));
    let sum = if (a ^ b ^ c) & F.sign() == 0 { product.wrapping_add(addend) } else { product.wrapping_sub(addend) };
    match of_result - of_product.min(of_addend) {
        ..=0 => found(result, false),
        below @ 1..=64 => found(result, sum << (64 - below) != 0),
        _ if sum != 0 => found(result, true),
        // There may be higher ones.
        _ => None,
    }
}
