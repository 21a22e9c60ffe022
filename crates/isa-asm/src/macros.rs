//! Macros and repetitions: lines that are kept and read again.

use crate::Full;
use crate::assembler::{Assembler, shifted};
use crate::directives::Does;
use crate::expr::is_operator;
use crate::kept::{Collect, Macro, Parameter, What};
use crate::lines::{Source, quoted};
use crate::place::Line;
use std::ops::Range;
use std::rc::Rc;

/// The limit of parameters of a macro.
const MOST_PARAMETERS: usize = 256;
/// The longest line of an expanded macro.
const LONGEST: usize = 1 << 20;

impl Assembler<'_> {
    /// Begins to keep lines for a directive.
    pub(crate) fn begin_collect(&mut self, line: &Line, does: Does, arguments: (&str, usize)) {
        let (text, at) = arguments;
        let whole = at..at + text.len();
        let what = match does {
            Does::Macro => self.macro_head(line, text, at),
            Does::Repeat => {
                let count = self.known(line, text, 0, at).unwrap_or(0);
                if count < 0 {
                    self.fault(line, whole.clone(), "lines can't be repeated a negative number of times");
                }
                Some(What::Repeat(u64::try_from(count).unwrap_or(0)))
            }
            _ => {
                let (name, rest) = text.split_once(',').unwrap_or((text, ""));
                let name = name.trim().trim_start_matches('\\');
                if name.is_empty() {
                    self.fault(line, whole.clone(), "expected a parameter");
                }
                let values = match does {
                    Does::EachCharacter => unquoted(rest.trim()).chars().map(String::from).collect(),
                    _ => arguments_of(rest).into_iter().map(|(_, value)| value).collect(),
                };
                Some(What::Each(name.to_owned(), values))
            }
        };
        // A wrong definition is kept as well, so that its lines are not read as statements.
        let what = what.unwrap_or(What::Refused);
        self.macros.collect = Some(Collect { line: line.clone(), at: whole, what, lines: Vec::new(), depth: 0 });
    }

    fn macro_head(&mut self, line: &Line, text: &str, at: usize) -> Option<What> {
        let length = text.find(|c: char| c.is_whitespace() || c == ',').unwrap_or(text.len());
        let name = &text[..length];
        if isa_engine::label_name(name).len() != name.len() || name.is_empty() {
            self.fault(line, at..at + text.len(), "expected the name of the macro");
            return None;
        }
        let mut parameters: Vec<Parameter> = Vec::new();
        for (_, parameter) in arguments_of(text[length..].trim_start_matches(',')) {
            let (own, default) = match parameter.split_once('=') {
                Some((own, default)) => (own.to_owned(), default.trim().to_owned()),
                None => (parameter, String::new()),
            };
            let (own, kind) = own.trim().split_once(':').unwrap_or((own.trim(), ""));
            let is_known = matches!(kind, "" | "req" | "vararg") && !isa_engine::label_name(own).is_empty();
            if !is_known || parameters.iter().any(|other| other.name == own) || parameters.len() == MOST_PARAMETERS {
                let message =
                    format!("`{own}` is not a parameter: each has a name of its own, and `:req` or `:vararg` behind it");
                self.fault(line, at..at + text.len(), message);
                return None;
            }
            parameters.push(Parameter {
                name: own.to_owned(),
                default,
                is_required: kind == "req",
                takes_rest: kind == "vararg",
            });
        }
        Some(What::Macro(name.to_owned(), parameters))
    }

    /// Keeps a statement of a block, or ends the block.
    pub(crate) fn collect(&mut self, mut block: Collect, line: &Line, source: &Source<'_>) -> Result<(), Full> {
        let is_macro = block.what.is_macro();
        match self.directive_at(source.text()).map(|(does, _)| does) {
            Some(Does::Macro) if is_macro => block.depth += 1,
            Some(Does::Repeat | Does::Each | Does::EachCharacter) if !is_macro => block.depth += 1,
            Some(Does::EndMacro) if is_macro && block.depth > 0 => block.depth -= 1,
            Some(Does::EndRepeat) if !is_macro && block.depth > 0 => block.depth -= 1,
            Some(Does::EndMacro) if is_macro => return self.end_collect(block.with(line, source.before())),
            Some(Does::EndRepeat) if !is_macro => return self.end_collect(block.with(line, source.before())),
            _ => {}
        }
        self.macros.collect = Some(block.with(line, source.part()));
        Ok(())
    }

    fn end_collect(&mut self, block: Collect) -> Result<(), Full> {
        let Collect { line, at, what, lines, .. } = block;
        match what {
            What::Refused => Ok(()),
            What::Macro(name, parameters) => {
                let own = Rc::new(Macro { name: name.clone(), parameters, lines });
                if self.macros.defined.insert(name.to_lowercase(), own).is_some() {
                    self.fault(&line, at, format!("the macro `{name}` is already defined; `.purgem {name}` forgets it"));
                }
                Ok(())
            }
            // Empty repetitions take no time.
            What::Repeat(_) if lines.is_empty() => Ok(()),
            What::Repeat(count) => {
                self.count_lines(&line, (lines.len() as u64).saturating_mul(count))?;
                let within = line.inside("a repetition".to_owned());
                let made = lines.into_iter().map(|own| Line { within: within.clone(), ..own }).collect::<Vec<_>>();
                self.expanded((0..count).map(|_| made.clone()), &line, at)
            }
            What::Each(name, values) => {
                let made = values.into_iter().map(|value| {
                    let within = line.inside(format!("the repetition for `{value}`"));
                    let given = [(name.clone(), value)];
                    lines.iter().map(|own| with_arguments(own, &given, None, &within)).collect()
                });
                self.expanded(made, &line, at)
            }
        }
    }

    /// Reads the lines that a macro or the rounds of a repetition have made, until one of them leaves it.
    fn expanded(&mut self, made: impl Iterator<Item = Vec<Line>>, of: &Line, at: Range<usize>) -> Result<(), Full> {
        let depth = self.conditions.depth();
        self.macros.depth += 1;
        for lines in made {
            self.inside(lines.into_iter(), of, at.clone())?;
            if std::mem::take(&mut self.macros.leaves) {
                self.conditions.end_to(depth);
                break;
            }
            if self.input.is_over {
                break;
            }
        }
        self.macros.depth -= 1;
        Ok(())
    }

    /// Reports a block that is not closed.
    pub(crate) fn check_collected(&mut self) {
        if let Some(Collect { line, at, what, .. }) = self.macros.collect.take() {
            let end = if what.is_macro() { ".endm" } else { ".endr" };
            self.fault(&line, at, format!("this does not end: there is no `{end}` behind it"));
        }
    }

    /// Reads the lines of a macro.
    pub(crate) fn use_macro(&mut self, line: &Line, own: &Rc<Macro>, text: &str, name: usize, at: usize) -> Result<(), Full> {
        let rest = &text[name..];
        let mut given: Vec<(String, String)> = own.parameters.iter().map(|p| (p.name.clone(), p.default.clone())).collect();
        let mut is_given = vec![false; given.len()];
        let mut next = 0;
        let all = arguments_of(rest);
        for (from, value) in &all {
            let named = value.split_once('=').and_then(|(key, value)| {
                let place = own.parameters.iter().position(|parameter| parameter.name == key.trim())?;
                Some((place, value.trim().to_owned()))
            });
            if let Some((place, value)) = named {
                (given[place].1, is_given[place]) = (unquoted(&value).to_owned(), true);
                continue;
            }
            let Some(parameter) = own.parameters.get(next) else {
                let most = own.parameters.len();
                let whole = shifted(*from..*from + value.len(), at + name);
                let arguments = if most == 1 { "argument" } else { "arguments" };
                self.fault(line, whole, format!("`{}` takes {most} {arguments}", own.name));
                return Ok(());
            };
            if parameter.takes_rest {
                (given[next].1, is_given[next]) = (rest[*from..].trim().to_owned(), true);
                break;
            }
            if !value.is_empty() {
                (given[next].1, is_given[next]) = (value.clone(), true);
            }
            next += 1;
        }
        if let Some((missing, _)) = own.parameters.iter().zip(&is_given).find(|(p, is_given)| p.is_required && !**is_given) {
            self.fault(line, at..at + text.len(), format!("`{}` needs the argument `{}`", own.name, missing.name));
            return Ok(());
        }
        let within = line.inside(format!("the expansion of `{}`", own.name));
        let number = self.macros.uses;
        self.macros.uses += 1;
        let made = own.lines.iter().map(|own| with_arguments(own, &given, Some(number), &within)).collect();
        self.expanded(std::iter::once(made), line, at..at + name)
    }
}

/// A line with arguments in the place of parameters.
fn with_arguments(
    own: &Line,
    given: &[(String, String)],
    number: Option<u64>,
    within: &Option<Rc<crate::place::Within>>,
) -> Line {
    let text = &own.text;
    let line = |text: Rc<str>| Line { text, within: within.clone(), ..own.clone() };
    if !text.contains('\\') {
        return line(text.clone());
    }
    let (mut out, mut at) = (String::with_capacity(text.len()), 0);
    while let Some(found) = text[at..].find('\\') {
        out.push_str(&text[at..at + found]);
        at += found;
        let rest = &text[at + 1..];
        let name = rest.find(|c: char| !c.is_alphanumeric() && !"_$".contains(c)).map_or(rest, |end| &rest[..end]);
        if let Some((key, value)) = given.iter().find(|(key, _)| key == name) {
            out.push_str(value);
            at += 1 + key.len();
        } else if rest.starts_with("()") {
            at += 3;
        } else if let (true, Some(number)) = (rest.starts_with('@'), number) {
            out.push_str(&number.to_string());
            at += 2;
        } else {
            // `\\` and the escapes of strings stay.
            let length = 1 + rest.chars().next().map_or(0, |c| if c == '\\' { 1 } else { 0 });
            out.push_str(&text[at..at + length]);
            at += length;
        }
        if out.len() > LONGEST {
            out.truncate((0..=LONGEST).rev().find(|at| out.is_char_boundary(*at)).unwrap_or(0));
            break;
        }
    }
    if at < text.len() && out.len() <= LONGEST {
        out.push_str(&text[at..]);
    }
    line(out.into())
}

/// A text without the quotes around it.
fn unquoted(text: &str) -> &str {
    text.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).unwrap_or(text)
}

/// The arguments of a macro, each with its start: separated by commas, or by blanks if an expression can't continue there.
fn arguments_of(text: &str) -> Vec<(usize, String)> {
    let mut all = Vec::new();
    let (mut start, mut depth, mut last, mut quoted_to) = (None::<usize>, 0i32, ' ', 0);
    let mut had_comma = false;
    let mut push = |from: usize, to: usize| {
        let own = text[from..to].trim_end();
        all.push((from, unquoted(own).to_owned()));
    };
    for (at, c) in text.char_indices() {
        if at < quoted_to {
            last = c;
            continue;
        }
        let is_blank = c.is_whitespace();
        if c == ',' && depth <= 0 {
            match start.take() {
                Some(from) => push(from, at),
                // An empty text between commas is an argument as well.
                None if had_comma || all_is_empty(text, at) => push(at, at),
                None => {}
            }
            had_comma = true;
            last = c;
            continue;
        }
        if is_blank {
            continue;
        }
        // A blank separates two arguments if neither side is an operator.
        let was_blank = text[..at].ends_with(char::is_whitespace);
        if let Some(from) = start
            && was_blank
            && depth <= 0
            && !is_operator(c)
            && !is_operator(last)
            && c != '('
        {
            push(from, at);
            start = None;
            had_comma = false;
        }
        match c {
            '"' | '\'' => quoted_to = at + quoted(text, at).unwrap_or(1),
            '(' | '[' => depth += 1,
            ')' | ']' => depth -= 1,
            _ => {}
        }
        if start.is_none() {
            start = Some(at);
        }
        last = c;
    }
    if let Some(from) = start {
        push(from, text.len());
    }
    all
}

fn all_is_empty(text: &str, to: usize) -> bool {
    text[..to].trim().is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn arguments(text: &str) -> Vec<String> {
        arguments_of(text).into_iter().map(|(_, value)| value).collect()
    }

    #[test]
    fn arguments_are_parted_by_commas_and_blanks() {
        assert_eq!(arguments(" a, b ,c"), ["a", "b", "c"]);
        assert_eq!(arguments("a b"), ["a", "b"]);
        assert_eq!(arguments("a + b, 4(sp)"), ["a + b", "4(sp)"]);
        assert_eq!(arguments("\"x, y\" z"), ["x, y", "z"]);
        assert_eq!(arguments("' ', 'a' ',' '\\''"), ["' '", "'a'", "','", "'\\''"]);
        assert_eq!(arguments(r#""a\\" b"#), [r"a\\", "b"]);
        assert_eq!(arguments("f' g"), ["f'", "g"]);
        assert_eq!(arguments("a,,b"), ["a", "", "b"]);
        assert_eq!(arguments(",b"), ["", "b"]);
        assert_eq!(arguments("(1, 2), 3"), ["(1, 2)", "3"]);
        assert_eq!(arguments(""), [""; 0]);
    }
}
