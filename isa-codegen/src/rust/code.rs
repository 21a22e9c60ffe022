//! Rust as text, line by line.

use std::fmt::Display;

/// Lines are no longer than this, where they can be broken.
const WIDTH: usize = 120;

/// Code that is being written.
#[derive(Default)]
pub(super) struct Code {
    text: String,
    depth: usize,
}

impl Code {
    /// The code.
    pub(super) fn finish(self) -> String {
        self.text
    }

    /// Adds a line.
    pub(super) fn line(&mut self, line: impl Display) -> &mut Self {
        self.indent();
        self.text.push_str(&line.to_string());
        self.text.push('\n');
        self
    }

    fn indent(&mut self) {
        self.text.extend(std::iter::repeat_n("    ", self.depth));
    }

    /// Adds an empty line.
    pub(super) fn gap(&mut self) -> &mut Self {
        self.text.push('\n');
        self
    }

    /// Adds lines of documentation.
    pub(super) fn docs<L: AsRef<str>>(&mut self, lines: impl IntoIterator<Item = L>) -> &mut Self {
        for line in lines {
            match line.as_ref() {
                "" => self.line("///"),
                line => self.line(format_args!("/// {line}")),
            };
        }
        self
    }

    /// Adds a block: a line that opens it, what is in it, and the line that closes it.
    pub(super) fn block(&mut self, open: impl Display, close: &str, inside: impl FnOnce(&mut Self)) -> &mut Self {
        self.line(open);
        self.depth += 1;
        inside(self);
        self.depth -= 1;
        self.line(close)
    }

    /// Adds a list in brackets between other text, broken where it is too long for a line.
    pub(super) fn list<T: Display>(&mut self, before: &str, items: impl IntoIterator<Item = T>, after: &str) -> &mut Self {
        let items: Vec<String> = items.into_iter().map(|item| item.to_string()).collect();
        let one = format!("{before}{}{after}", items.join(", "));
        if one.len() + 4 * self.depth <= WIDTH {
            return self.line(one);
        }
        self.block(before.trim_end(), after.trim_start(), |code| {
            let mut line = String::new();
            for item in items {
                if !line.is_empty() && line.len() + item.len() + 2 + 4 * code.depth > WIDTH {
                    code.line(&line);
                    line.clear();
                }
                line.push_str(if line.is_empty() { "" } else { " " });
                line.push_str(&item);
                line.push(',');
            }
            if !line.is_empty() {
                code.line(&line);
            }
        })
    }
}

/// A string literal.
pub(super) fn quoted(text: &str) -> String {
    proc_macro2::Literal::string(text).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lists_are_broken() {
        let mut code = Code::default();
        code.list("a[", 0..3, "];").list("b [", 0..60, "];");
        let text = code.finish();
        assert!(text.starts_with("a[0, 1, 2];\nb [\n    0, 1, "), "{text}");
        assert!(text.ends_with("59,\n];\n") && text.lines().all(|line| line.len() <= WIDTH), "{text}");
    }
}
