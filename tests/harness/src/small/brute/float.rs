//! The texts of floating-point numbers, from their definition: exact decimals, rounded once.

/// Decimal digits of a limb.
const DIGITS: usize = 9;
const LIMB: u64 = 10u64.pow(DIGITS as u32);

/// The text of the bits of a number of 16, 32 or 64 bits.
pub fn float(bits: u64, format: u32) -> String {
    let fraction_bits = match format {
        16 => 10,
        32 => 23,
        _ => 52,
    };
    let most = (1u64 << (format - 1 - fraction_bits)) - 1;
    let sign = if bits >> (format - 1) & 1 == 1 { "-" } else { "" };
    let (exponent, fraction) = (bits >> fraction_bits & most, bits & ((1 << fraction_bits) - 1));
    if exponent == most {
        let is_quiet = fraction >> (fraction_bits - 1) == 1;
        let name = if fraction == 0 { "INF" } else { ["SNAN", "QNAN"][usize::from(is_quiet)] };
        return format!("{}{name}", if sign.is_empty() { "+" } else { sign });
    }
    let (significand, exponent) = if exponent == 0 { (fraction, 1) } else { (fraction | 1 << fraction_bits, exponent) };
    if significand == 0 {
        return ["0", "-0.0"][usize::from(!sign.is_empty())].to_string();
    }
    let power = exponent as i64 - (most / 2) as i64 - i64::from(fraction_bits);
    // Half of a number is five times the number, one place further.
    let factor = if power < 0 { 5 } else { 2 };
    let digits = product(significand, factor, power.unsigned_abs());
    let place = digits.len() as i64 - 1 + power.min(0);
    format!("{sign}{}", shown(&digits, place))
}

/// Returns true if a decimal number is read as these bits of a number of 16, 32 or 64 bits: if these are as near as any others.
pub fn rounds_to(text: &str, bits: u64, format: u32) -> bool {
    let value = |size: u64| float(size, format).parse::<f64>().ok().filter(|value| value.is_finite());
    let sign = 1 << (format - 1);
    let size = bits & (sign - 1);
    let (Ok(number), Some(own)) = (text.parse::<f64>(), value(size)) else { return false };
    let above = value(size + 1).unwrap_or(own);
    let below = size.checked_sub(1).and_then(value).unwrap_or(-above);
    let number_size = number.abs();
    let is_near =
        if format == 64 { number_size == own } else { (own + below) / 2.0 <= number_size && number_size <= (own + above) / 2.0 };
    number.is_finite() && number.is_sign_negative() == (bits & sign != 0) && is_near
}

/// Bytes of the decimal number with which a text begins.
pub fn length(text: &str) -> usize {
    let digits = |at: usize| text[at..].bytes().take_while(u8::is_ascii_digit).count();
    let mut at = usize::from(text.starts_with(['-', '+']));
    at += digits(at);
    if text[at..].starts_with('.') {
        at += 1 + digits(at + 1);
    }
    if let Some(rest) = text[at..].strip_prefix(['e', 'E']) {
        let sign = usize::from(rest.starts_with(['-', '+']));
        let count = digits(at + 1 + sign);
        at += if count > 0 { 1 + sign + count } else { 0 };
    }
    at
}

/// The decimal digits of `number * factor^power`.
fn product(number: u64, factor: u64, power: u64) -> Vec<u8> {
    let mut limbs = vec![number % LIMB, number / LIMB % LIMB, number / LIMB / LIMB];
    let mut left = power;
    while left > 0 {
        let step = left.min(8);
        left -= step;
        let mut carry = 0;
        for limb in &mut limbs {
            let sum = *limb * factor.pow(step as u32) + carry;
            (*limb, carry) = (sum % LIMB, sum / LIMB);
        }
        if carry > 0 {
            limbs.push(carry);
        }
    }
    let text: String = limbs.iter().rev().map(|limb| format!("{limb:0DIGITS$}")).collect();
    text.trim_start_matches('0').bytes().map(|digit| digit - b'0').collect()
}

/// The first digits of a number, of two that are as near the even one; and whether there is one digit more before the point.
fn rounded(digits: &[u8], count: usize) -> (Vec<u8>, bool) {
    let mut first: Vec<u8> = digits.iter().copied().chain(std::iter::repeat(0)).take(count).collect();
    let rest = digits.get(count..).unwrap_or_default();
    let half = rest.first().copied().unwrap_or(0).cmp(&5).then(rest.iter().skip(1).any(|d| *d > 0).cmp(&false));
    let is_up = half.is_gt() || half.is_eq() && rest.first() == Some(&5) && first[count - 1] % 2 == 1;
    if !is_up {
        return (first, false);
    }
    match first.iter().rposition(|digit| *digit < 9) {
        Some(at) => {
            first[at] += 1;
            first[at + 1..].fill(0);
            (first, false)
        }
        None => ([vec![1], vec![0; count - 1]].concat(), true),
    }
}

/// The text of digits, given the power of ten of the first one.
fn shown(digits: &[u8], place: i64) -> String {
    let is_large = place >= 9;
    let (digits, is_longer) = rounded(digits, if is_large { 21 } else { 20 });
    let place = place + i64::from(is_longer);
    let text: String = digits.iter().map(|digit| char::from(b'0' + digit)).collect();
    let text = if is_large { text.as_str() } else { text.trim_end_matches('0') };
    let point = |whole: &str, part: &str| if part.is_empty() { whole.to_string() } else { format!("{whole}.{part}") };
    match place {
        -4..=-1 => format!("0.{}{text}", "0".repeat(-place as usize - 1)),
        0.. if !is_large => {
            let text = format!("{text:0<least$}", least = place as usize + 1);
            let (whole, part) = text.split_at(place as usize + 1);
            point(whole, part)
        }
        _ => format!("{}e{}{:02}", point(&text[..1], &text[1..]), if place < 0 { '-' } else { '+' }, place.abs()),
    }
}
