//! Names given by programs.

use alloc::vec::Vec;

/// The names that registers can have: any of these rows of parts.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Names(pub Vec<Vec<NamePart>>);

/// A part of a name, which takes as many characters as it can.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct NamePart {
    /// ASCII characters, one bit each.
    pub of: u128,
    /// True if it can be missing (`*`).
    pub may_be_missing: bool,
    /// True if there can be several (`*`, `+`).
    pub repeats: bool,
}

impl Names {
    /// Bytes of the longest name at the beginning of the text.
    pub fn longest(&self, text: &str) -> Option<usize> {
        let length = |parts: &Vec<NamePart>| {
            parts.iter().try_fold(0, |at, part| {
                let most = if part.repeats { usize::MAX } else { 1 };
                let count = text.bytes().skip(at).take(most).take_while(|b| b.is_ascii() && part.of >> b & 1 == 1).count();
                (count > 0 || part.may_be_missing).then_some(at + count)
            })
        };
        self.0.iter().filter_map(length).max()
    }

    /// The first characters of names, one bit each.
    pub fn begins(&self) -> u128 {
        let begins = |parts: &Vec<NamePart>| {
            let needed = parts.iter().position(|p| !p.may_be_missing).map_or(parts.len(), |i| i + 1);
            parts[..needed].iter().fold(0, |set, p| set | p.of)
        };
        self.0.iter().fold(0, |set, parts| set | begins(parts))
    }

    /// The further characters of names, one bit each.
    pub fn goes_on(&self) -> u128 {
        self.0.iter().fold(0, |set, parts| {
            let first = parts.first().filter(|p| p.repeats).map_or(0, |p| p.of);
            parts.iter().skip(1).fold(set | first, |set, p| set | p.of)
        })
    }
}

/// The notation of specifications: `[A-Za-z][0-9A-Za-z]*, %[a-z]+`.
impl core::fmt::Display for Names {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        for (i, parts) in self.0.iter().enumerate() {
            f.write_str(if i > 0 { ", " } else { "" })?;
            parts.iter().try_for_each(|part| part.fmt(f))?;
        }
        Ok(())
    }
}

impl core::fmt::Display for NamePart {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let character = |bit: u32| char::from(bit as u8);
        if self.of.count_ones() == 1 {
            write!(f, "{}", character(self.of.trailing_zeros()))?;
        } else {
            f.write_str("[")?;
            let mut rest = self.of;
            while rest != 0 {
                let first = rest.trailing_zeros();
                let last = first + (rest >> first).trailing_ones() - 1;
                match last - first {
                    0 => write!(f, "{}", character(first))?,
                    1 => write!(f, "{}{}", character(first), character(last))?,
                    _ => write!(f, "{}-{}", character(first), character(last))?,
                }
                rest = if last >= 127 { 0 } else { rest >> (last + 1) << (last + 1) };
            }
            f.write_str("]")?;
        }
        f.write_str(match (self.may_be_missing, self.repeats) {
            (true, _) => "*",
            (false, true) => "+",
            (false, false) => "",
        })
    }
}
