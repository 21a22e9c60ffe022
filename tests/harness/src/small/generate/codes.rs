//! Codes: numbers by functions of the specification, computed here from the same drawing.

use super::Generator;
use crate::small::spec::{Code, Meaning, Radix};
use std::collections::BTreeSet;

impl Generator {
    /// The number of some bits by a code of its own.
    pub(super) fn coded(&mut self, width: u32) -> Meaning {
        let all = 0..1i64 << width;
        let (numbers, text): (Vec<i64>, String) = match self.extra_below(4) {
            // A Gray code, with its bits perhaps inverted by a pattern, or in the other order.
            0 => {
                let pattern = self.extra_below(1 << width) as i64;
                let is_reversed = self.extra(40);
                let reversed = |x: i64| (0..width).filter(|bit| x >> bit & 1 == 1).fold(0, |n, bit| n | 1 << (width - 1 - bit));
                let number = |x: i64| if is_reversed { reversed(x ^ (x >> 1)) ^ pattern } else { x ^ (x >> 1) ^ pattern };
                let text = if is_reversed { "reverse(x ^ (x >> 1))" } else { "x ^ (x >> 1)" };
                (all.map(number).collect(), format!("fn number(x:{width}) : {width} {{ return {text} ^ {pattern}; }}"))
            }
            // A number and how far it is shifted.
            1 if width > 1 => {
                let low = self.extra_pick(&[1, 2]).min(width - 1);
                let shift = |x: i64| ((x & ((1 << low) - 1)) << (x >> low)) & 0xffff;
                let body = format!("let n = zext(x[{}..0], 16); return n << x[{}..{low}];", low - 1, width - 1);
                (all.map(shift).collect(), format!("fn number(x:{width}) : 16 {{ {body} }}"))
            }
            // A bit pattern that is repeated.
            2 => {
                let twice = |x: i64| x | x << width;
                let helper = format!("fn twice(y:{width}) : {} {{ return y ++ y; }}", 2 * width);
                (all.map(twice).collect(), format!("{helper} fn number(x:{width}) : {} {{ return twice(x); }}", 2 * width))
            }
            _ => {
                let (times, plus) = (self.extra_pick(&[1, 3, 5, 6, 10]), self.extra_pick(&[0, 1, 7, 30]));
                let body = format!("let n:9 = 0; n = zext(x, 9) * {times} + {plus}; return n;");
                (all.map(|x| (x * times + plus) & 0x1ff).collect(), format!("fn number(x:{width}) : 9 {{ {body} }}"))
            }
        };
        let hole = self.extra_below(1 << width) as i64;
        let (holes, defined): (Vec<bool>, _) = match self.extra_below(3) {
            0 if width > 1 => (
                (0..1i64 << width).map(|x| x == hole).collect(),
                Some(format!("fn defined(x:{width}) : 1 {{ return x != {hole}; }}")),
            ),
            1 if width > 1 => {
                let text = format!("fn defined(x:{width}) : 1 {{ if x >u {hole} {{ return x[0]; }} else {{ return 1; }} }}");
                let text = text
                    .replace("if x", "let d:1 = 1; if x")
                    .replace("return x[0]; } else { return 1; }", "d = x[0]; } return d;");
                ((0..1i64 << width).map(|x| x > hole && x & 1 == 0).collect(), Some(text))
            }
            _ => (vec![false; 1 << width], None),
        };
        let is_gray = text.contains(" ^ ") && defined.is_none();
        let mut steps = String::new();
        let mut numbers = numbers;
        if is_gray && self.extra(50) {
            let (is_signed, times, plus) = (self.extra(50), self.extra_pick(&[1, 2, -1, 3]), self.extra_pick(&[0, 0, 1, -2]));
            let half = 1i64 << (width - 1);
            for number in &mut numbers {
                *number = (if is_signed && *number >= half { *number - 2 * half } else { *number }) * times + plus;
            }
            steps = [(is_signed, "signed".to_owned()), (times != 1, format!("*{times}")), (plus != 0, format!("+{plus}"))]
                .into_iter()
                .filter_map(|(is_there, step)| is_there.then_some(step))
                .collect::<Vec<_>>()
                .join(" ");
        }
        let numbers: Vec<Option<i64>> = numbers.into_iter().zip(holes).map(|(n, hole)| (!hole).then_some(n)).collect();
        let known: BTreeSet<i64> = numbers.iter().flatten().copied().collect();
        let is_several = known.len() < numbers.iter().flatten().count();
        let several = (is_several || steps.is_empty() && self.extra(10)).then(|| self.extra(50));
        let radix = self.extra_pick(&[None, None, Some(Radix::Hex), Some(Radix::Dec)]).filter(|_| self.radices);
        let name = format!("K{}", self.spec.codes.len());
        self.spec.codes.push(Code { name, numbers, several, number: text, defined, steps });
        Meaning::Code(self.spec.codes.len() - 1, radix)
    }
}
