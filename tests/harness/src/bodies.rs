//! Specifications whose instructions have bodies made at random: of expressions, choices, memory, other lanes, and actions.

use isa_reference::samples::Random;
use std::fmt::Write as _;

/// The widths of expressions.
const WIDTHS: [u32; 10] = [1, 3, 5, 8, 16, 32, 33, 64, 65, 128];
const OPERATORS: [&str; 12] = ["+", "-", "*", "&", "|", "^", "/u", "/s", "%u", "%s", "<<", ">>"];
const TESTS: [&str; 10] = ["==", "!=", "<u", "<=u", ">u", ">=u", "<s", "<=s", ">s", ">=s"];
const FUNCTIONS: [&str; 9] = ["min_s", "max_s", "min_u", "max_u", "clmul", "abs", "clz", "popcount", "reverse"];
/// The instructions of a specification.
const INSTRUCTIONS: usize = 6;

struct Generator {
    random: Random,
    lanes: u64,
    /// The variables in scope: number and width.
    vars: Vec<(usize, u32)>,
    names: usize,
    text: String,
}

/// The text of a random specification with semantics.
pub fn random_bodies(seed: u64) -> String {
    let mut random = Random::new(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x5bd1);
    let lanes = [1, 1, 4, 7][(random.next_u64() % 4) as usize];
    let mut this = Generator { random, lanes, vars: Vec::new(), names: 0, text: String::new() };
    let zero = if this.chance(2) { ", zero: r5" } else { "" };
    let order = if this.chance(3) { ", order: big" } else { "" };
    let [of, of_lane] = if lanes == 1 { [""; 2] } else { [", of: block", ", of: lane"] };
    let guard = if this.chance(2) { "\n  guard: \"!t || F.c\"" } else { "" };
    let mut text = format!(
        "isa: bodies\nword: 32\nregisters:\n  R: {{ index: 3, width: 32, text: \"r{{n}}\"{zero} }}\n  W: {{ index: 2, width: 64, text: \"w{{n}}\" }}\n  \
         B: {{ index: 2, width: 8, text: \"b{{n}}\" }}\nmachine:\n  lanes: {lanes}\n  pc: 32\n  flags: {{ F: [c, z, n] }}\n  state: {{ S: 16 }}\n  \
         spaces: {{ global: {{ address: 32{of}{order} }}, out: {{ address: 32{of_lane} }} }}{guard}\nformats:\n  f: {{ fields: {{ op: 31..24, t: 20, d: 19..17 R, a: 16..14 R, b: 13..11 R, \
         n: 10..5, k: 4..0 signed }}, reserved: 23..21, text: \"{{body}} {{t}}, {{d}}, {{a}}, {{b}}, {{n}}, {{k}}\" }}\ninstructions:\n"
    );
    if lanes == 1 {
        text = text.replace("  lanes: 1\n", "");
    }
    for number in 0..INSTRUCTIONS {
        let body = this.body();
        writeln!(text, "  i{number}: {{ extends: f, fix: {{ op: {number} }}, text: i{number}, semantics: \"{body}\" }}")
            .expect("a text takes all");
    }
    text
}

impl Generator {
    fn below(&mut self, n: u64) -> u64 {
        self.random.next_u64() % n
    }

    fn chance(&mut self, of: u64) -> bool {
        self.below(of) == 0
    }

    fn one<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len() as u64) as usize]
    }

    /// Values first, then what they do: no body reads what it has written.
    fn body(&mut self) -> String {
        (self.vars, self.names, self.text) = (Vec::new(), 0, String::new());
        for _ in 0..1 + self.below(4) {
            self.value(2);
        }
        for _ in 0..1 + self.below(3) {
            self.effect(2);
        }
        std::mem::take(&mut self.text)
    }

    fn say(&mut self, text: &str) {
        self.text += text;
    }

    /// A statement that sets variables.
    fn value(&mut self, depth: u32) {
        match self.below(4) {
            0 if !self.vars.is_empty() => {
                let (var, width) = self.one(&self.vars.clone());
                let value = self.expr(width, depth);
                self.say(&format!("v{var} = {value}; "));
            }
            1 if self.vars.iter().any(|var| var.1 > 3) => {
                let wide: Vec<(usize, u32)> = self.vars.iter().filter(|var| var.1 > 3).copied().collect();
                let (var, width) = self.one(&wide);
                let lo = self.below(u64::from(width) - 3);
                let value = self.expr(3, depth);
                let at = self.expr(5, 0);
                let place = if self.chance(2) { format!("[{}..{lo}]", lo + 2) } else { format!("[{at} +: 3]") };
                self.say(&format!("v{var}{place} = {value}; "));
            }
            2 if depth > 0 && !self.vars.is_empty() => self.choice(depth, Self::value),
            _ => {
                let width = self.one(&WIDTHS);
                let value = self.expr(width, depth);
                let name = self.names;
                self.names += 1;
                self.say(&format!("let v{name} = {value}; "));
                self.vars.push((name, width));
            }
        }
    }

    /// A choice of statements.
    fn choice(&mut self, depth: u32, inner: fn(&mut Self, u32)) {
        let block = |this: &mut Self| {
            let scope = this.vars.len();
            inner(this, depth - 1);
            this.vars.truncate(scope);
        };
        if self.chance(2) {
            let when = self.pure(1);
            self.say(&format!("if {when} {{ "));
            block(self);
            self.say("} else { ");
            block(self);
            self.say("} ");
        } else {
            let on = self.pure(3);
            self.say(&format!("match {on} {{ 0, 3 => {{ "));
            block(self);
            self.say("} 5 => { ");
            block(self);
            self.say("} } ");
        }
    }

    /// An expression of variables, fields and numbers.
    fn pure(&mut self, width: u32) -> String {
        let wide: Vec<(usize, u32)> = self.vars.iter().filter(|var| var.1 >= width).copied().collect();
        match self.below(4) {
            0..=2 if !wide.is_empty() => {
                let (var, own) = self.one(&wide);
                let lo = self.below(u64::from(own - width) + 1);
                if own == width { format!("v{var}") } else { format!("v{var}[{}..{lo}]", u64::from(width) + lo - 1) }
            }
            0..=2 if width == 3 => self.one(&["a", "b", "d"]).to_owned(),
            0..=2 if width == 1 => "t".to_owned(),
            _ => self.number(width),
        }
    }

    fn number(&mut self, width: u32) -> String {
        let ones = if width >= 64 { u64::MAX } else { (1 << width) - 1 };
        let value = match self.below(4) {
            0 => 0,
            1 => ones,
            2 => self.below(8) & ones,
            _ => self.random.next_u64() & ones,
        };
        format!("{value:#x}:{width}")
    }

    /// A statement that writes registers, flags, named values or memory, or an action.
    fn effect(&mut self, depth: u32) {
        match self.below(9) {
            0 if depth > 0 => self.choice(depth, Self::effect),
            1 => {
                let (bit, flag) = (self.pure(1), self.one(&["c", "z", "n"]));
                self.say(&format!("F.{flag} = {bit}; "));
            }
            2 => {
                let value = self.pure(16);
                self.say(&format!("S = {value}; "));
            }
            3 => {
                let (address, value) = (self.pure(32), self.pure(32));
                self.say(&format!("store.out({address} & 0x7c, {value}); "));
            }
            4 => {
                let target = self.pure(32);
                let action = if self.lanes > 1 { "exit()".to_owned() } else { format!("branch({target} & 0x7c)") };
                self.say(&format!("{action}; "));
            }
            5 => {
                let (hi, value) = (self.one(&[7u64, 15, 30]), self.pure(8));
                self.say(&format!("R[d][{hi}..{}] = {value}; ", hi - 7));
            }
            6 => {
                let value = self.pure(64);
                self.say(&format!("W[k[1..0]] = {value}; "));
            }
            7 => {
                let (index, value) = (self.pure(3), self.pure(32));
                self.say(&format!("R[{index}] = {value}; "));
            }
            _ => {
                let value = self.pure(32);
                self.say(&format!("R[d] = {value}; "));
            }
        }
    }

    fn expr(&mut self, width: u32, depth: u32) -> String {
        if depth == 0 || self.chance(8) {
            return match (width, self.below(3)) {
                (5, 0) => "k".to_owned(),
                (8, 0) => "B[n[1..0]]".to_owned(),
                (16, 0) => "S".to_owned(),
                (32, 0) => format!("R[{}]", self.one(&["a", "b"])),
                (64, 0) => "W[k[1..0]]".to_owned(),
                (1, 0) => "F.c".to_owned(),
                _ => self.pure(width),
            };
        }
        let depth = depth - 1;
        let wider: Vec<u32> = WIDTHS.into_iter().filter(|other| *other > width).collect();
        let narrower: Vec<u32> = WIDTHS.into_iter().filter(|other| *other < width).collect();
        match self.below(14) {
            0 => format!("({}{})", self.one(&["-", "~"]), self.expr(width, depth)),
            1 | 2 => {
                let (op, left) = (self.one(&OPERATORS), self.expr(width, depth));
                let right = if op.starts_with(['<', '>']) { self.expr(5, depth) } else { self.expr(width, depth) };
                format!("({left} {op} {right})")
            }
            3 if width == 1 => {
                let of = self.one(&WIDTHS);
                format!("({} {} {})", self.expr(of, depth), self.one(&TESTS), self.expr(of, depth))
            }
            4 if width == 1 => {
                let (function, of) = (self.one(&["any", "all", "parity"]), self.one(&WIDTHS));
                format!("{function}({})", self.expr(of, depth))
            }
            3 | 4 if !narrower.is_empty() => {
                let (function, of) = (self.one(&["zext", "sext"]), self.one(&narrower));
                format!("{function}({}, {width})", self.expr(of, depth))
            }
            5 if !wider.is_empty() => {
                let of = self.one(&wider);
                let lo = self.below(u64::from(of - width) + 1);
                format!("{}[{}..{lo}]", self.part(of, depth), u64::from(width) + lo - 1)
            }
            6 if !wider.is_empty() => {
                let of = self.one(&wider);
                format!("{}[{} +: {width}]", self.part(of, depth), self.expr(5, depth))
            }
            7 if !narrower.is_empty() => {
                let high = self.one(&narrower);
                format!("({} ++ {})", self.expr(high, depth), self.expr(width - high, depth))
            }
            8 => format!("(if {} {{ {} }} else {{ {} }})", self.expr(1, depth), self.expr(width, depth), self.expr(width, depth)),
            9 => {
                let arms = [self.expr(width, depth), self.expr(width, depth), self.expr(width, depth)];
                format!("(match {} {{ 0, 3 => {}, 5 => {}, else => {} }})", self.expr(3, depth), arms[0], arms[1], arms[2])
            }
            10 => {
                let function = self.one(&FUNCTIONS);
                let second = if function.contains("m") && !function.contains("ul") || function == "clmul" {
                    Some(self.expr(width, depth))
                } else {
                    None
                };
                let args = [Some(self.expr(width, depth)), second].into_iter().flatten().collect::<Vec<_>>().join(", ");
                format!("{function}({args})")
            }
            11 => {
                let (function, of) = (self.one(&["sat_ss", "sat_su", "sat_us", "sat_uu"]), self.one(&WIDTHS));
                format!("{function}({}, {width})", self.expr(of, depth))
            }
            12 if matches!(width, 8 | 16 | 32 | 64) => {
                let mask = 0x78;
                format!("load.global({} & {mask:#x}, {width})", self.expr(32, depth))
            }
            13 if self.lanes > 1 => {
                let lane = self.expr(32, 0);
                // What other lanes compute has no variables.
                let vars = std::mem::take(&mut self.vars);
                let value = self.expr(width, depth);
                self.vars = vars;
                format!("from_lane({lane} & 7, {value})")
            }
            13 if width == 3 => {
                let of = self.one(&WIDTHS);
                format!("cmp_s({}, {})", self.expr(of, depth), self.expr(of, depth))
            }
            _ => self.expr(width, 0),
        }
    }

    /// An expression that can be sliced.
    fn part(&mut self, width: u32, depth: u32) -> String {
        format!("({})", self.expr(width, depth))
    }
}
