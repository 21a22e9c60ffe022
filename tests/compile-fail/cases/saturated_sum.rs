//! An alternative of a choice has only its own fields: `Add` has no `sat`.
isa_macros::define_isa!(
    r#"
isa: sums
word: none
registers: { R: { names: "r[0-9]+", text: "r{n}", width: 32 } }
choices:
  Mode:
    merge: { fields: { sat: '".sat"' }, text: "{sat}" }
    add: { text: ".add" }
instructions:
  vadd: { fields: { d: R, a: R }, choose: { mode: Mode }, text: "vadd{mode} {d}, {a}" }
"#
);

fn main() {
    let _ = sums::Mode::Add { sat: true };
}
