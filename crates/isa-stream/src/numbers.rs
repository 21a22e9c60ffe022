//! Numbers in sentences.

/// `1 form`, `1,873 forms`.
pub fn count(n: usize, what: &str) -> String {
    let digits = n.to_string();
    let mut text = String::new();
    for (i, d) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(d);
    }
    if what.is_empty() {
        return text;
    }
    let plural = match what {
        w if n == 1 || w.ends_with("errata") => w.to_owned(),
        w if w.ends_with("mnemonic") || !w.ends_with('s') && !w.ends_with("ch") => format!("{w}s"),
        w => format!("{w}es"),
    };
    format!("{text} {plural}")
}

/// A share in readable form: `12.34 %`, `0.0053 %`, `1.2e-9 %`.
pub fn share(fraction: f64) -> String {
    match fraction * 100.0 {
        p if p == 0.0 || p == 100.0 => format!("{p} %"),
        p if p < 0.001 => format!("{p:.1e} %"),
        p if !(1.0..=99.0).contains(&p) => format!("{p:.4} %"),
        p => format!("{p:.2} %"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_read_well() {
        assert_eq!(count(1, "form"), "1 form");
        assert_eq!(count(1234567, "form"), "1,234,567 forms");
        assert_eq!(count(2, "errata"), "2 errata");
        assert_eq!(count(100, ""), "100");
    }

    #[test]
    fn shares_read_well() {
        assert_eq!(share(1.0), "100 %");
        assert_eq!(share(0.1234), "12.34 %");
        assert_eq!(share(0.001234), "0.1234 %");
        assert_eq!(share(0.99996), "99.9960 %");
        assert_eq!(share(2f64.powi(-40)), "9.1e-11 %");
    }
}
