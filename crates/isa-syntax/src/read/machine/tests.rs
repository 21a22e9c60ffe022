//! The `machine:` section as it is read, and what is wrong with it.

use super::*;
use isa_model::semantics::machine::{Sharing, Space};
use isa_model::span::FileId;

/// A machine, and what is wrong with it: each place, its message, and the help.
pub(crate) fn read(text: &str) -> (Machine, Vec<String>) {
    let mut diagnostics = Diagnostics::default();
    let node = crate::yaml::parse(text, FileId(0)).expect("good YAML");
    let machine = read_machine(&node, &mut diagnostics);
    let show = |d: Diagnostic| {
        let help = d.help.as_ref().map_or(String::new(), |h| format!(" ({h})"));
        format!("{}: {}{help}", &text[d.span().range()], d.message)
    };
    (machine, diagnostics.into_sorted().into_iter().map(show).collect())
}

#[test]
fn a_machine_is_read() {
    let text = "\
lanes: 32
pc: 32
divergence: lowest-pc
spaces:
  shared: { address: 16, of: block, size: 0x4000 }
  const:  { banks: 16, read-only: true }
flags:
  C: { count: 4, flags: [z, s, c, o] }
  CC: [x]
views: { RH: R }
launch-values: { tid.x: 16 }
state: { mode: 2 }
variants:
  fmad: [fused, rounded]
  rcp: { values: [exact, table], summary: how it is computed }
params: { space: shared, at: 0x10 }
guard: present(cond) && holds(cond)
after: |
  exit();
functions: |
  fn holds(c:5) : 1 { return c[0]; }
";
    let (machine, found) = read(text);
    assert_eq!(found, Vec::<String>::new());
    let names = |s: &Space| (s.name.clone(), s.address, s.owner, s.size, s.banks, s.read_only);
    assert_eq!(
        machine.spaces.iter().map(names).collect::<Vec<_>>(),
        [
            ("shared".to_owned(), 16, Sharing::Block, Some(0x4000), None, false),
            ("const".to_owned(), 32, Sharing::Grid, None, Some(16), true)
        ]
    );
    assert_eq!(
        machine.flags.iter().map(|f| (f.count, f.flags.join(""))).collect::<Vec<_>>(),
        [(4, "zsco".to_owned()), (1, "x".to_owned())]
    );
    assert_eq!((machine.lanes, machine.pc, machine.divergence), (32, 32, Divergence::LowestPc));
    assert_eq!(
        machine.state.iter().map(|s| (s.name.as_str(), s.width, s.kind)).collect::<Vec<_>>(),
        [("tid.x", 16, StateKind::Launch), ("mode", 2, StateKind::Written)]
    );
    assert_eq!(machine.variants.iter().map(|v| v.values.join(" ")).collect::<Vec<_>>(), ["fused rounded", "exact table"]);
    assert_eq!(machine.params.map(|p| (p.space, p.at)), Some(("shared".to_owned(), 16)));
    assert_eq!((machine.functions.len(), machine.guard.is_some(), machine.after.is_some()), (1, true, true));
}

#[test]
fn faults_stand_at_their_characters() {
    for (text, message) in [
        ("lane: 32\n", "lane: a machine has no `lane` (did you mean `lanes`?)"),
        ("lanes: 65\n", "65: `lanes` is a number from 1 to 64"),
        ("lanes: 32\ndivergence: stak\n", "stak: `divergence` is stack, lowest-pc or fair"),
        ("spaces: { s: { adress: 32 } }\n", "adress: a memory space has no `adress` (did you mean `address`?)"),
        ("spaces: { s: { unit: 24 } }\n", "24: the smallest access is 8, 16, 32, … bits"),
        ("spaces: a\n", "a: `spaces` is a mapping"),
        ("flags: { C: [z, z] }\n", "z: `z` is given twice"),
        ("flags: { C: [z, 1] }\n", "1: `1` is not a name"),
        ("flags: { pc: [z] }\n", "pc: `pc` is already defined: the machine supplies it"),
        ("flags: { m: [z] }\nstate: { m: 8 }\n", "m: `m` is already defined"),
        ("state: { cause: 8, value: 8, word: 8 }\n", ""),
        ("state: { cause: 8 }\nraise: |\n  branch(0);\n", "cause: `cause` is already defined: the machine supplies it"),
        ("state: { write: 1 }\nfaults: { access: exit(); }\n", "write: `write` is already defined: the machine supplies it"),
        ("lines: [a, hart, a]\n", "hart: `hart` is already defined: the machine supplies it\na: `a` is already defined"),
        ("lines: [a b]\n", "a b: `a b` is not a name"),
        ("lines: a\n", "a: `lines` is a list of names"),
        (
            "lanes: 2\nraise: exit();\nfaults: { trap: exit(); }\ninterrupts: exit();\nlines: [a]\n",
            "raise: `raise` is for machines with one lane, and this one has several\n\
             faults: `faults` is for machines with one lane, and this one has several\n\
             interrupts: `interrupts` is for machines with one lane, and this one has several\n\
             lines: `lines` is for machines with one lane, and this one has several",
        ),
        (
            "lanes: 2\nspaces: { m: { regions: { r: { at: 0, size: 1 } } } }\n",
            "m: `m` has regions, which are of machines with one lane; this one has several",
        ),
        ("spaces: { m: { regions: { r: { size: 1 } } } }\n", "r: a region needs `at`: `at: 0x10000000`"),
        ("spaces: { m: { regions: { r: { at: 0 } } } }\n", "r: `r` is memory, and needs `size`"),
        (
            "spaces: { m: { regions: { r: { at: 0, size: 0 } } } }\n",
            "r: `r` is memory, and needs `size`\n0: `size` is a number from 1 up",
        ),
        (
            "spaces: { m: { address: 16, regions: { r: { at: 0xfffe, size: 3 }, s: { at: 0x10000, device: d } } } }\n",
            "r: `r` ends at 0x10000, and `m` at 0xffff\n\
             s: `s` ends at 0x10000, and `m` at 0xffff\ns: `s` and `r` are both at 0x10000",
        ),
        ("spaces: { m: { size: 0x100, regions: { r: { at: 0xff, size: 2 } } } }\n", "r: `r` ends at 0x100, and `m` at 0xff"),
        ("spaces: { m: { regions: { r: { at: 0, size: 8 }, s: { at: 7, device: d } } } }\n", "s: `s` and `r` are both at 0x7"),
        ("spaces: { m: { banks: 2, regions: { r: { at: 0, size: 8 } } } }\n", "m: `m` has banks, and no regions"),
        (
            "lines: [a]\nspaces: { m: { regions: { r: { at: 0, size: 8, line: a }, s: { at: 8, device: d, read-only: true } } } }\n",
            "r: `r` is memory, and drives no line\ns: `s` is a device, and not read-only memory",
        ),
        (
            "lines: [a, b]\nspaces: { m: { regions: { r: { at: 0, device: d, line: c } } } }\n",
            "r: there is no line `c`; `lines` has a, b",
        ),
        ("spaces: { m: { regions: { r: { at: 0, device: d, line: c } } } }\n", "r: there is no line `c`; `lines` has none"),
        (
            "accessors: { R: { read: get, write: set }, S: {} }\nfunctions: |\n  fn get(i:4, j:4) : 8 { return i ++ j; }\n",
            "get: `get` takes a number, to be an accessor\nset: there is no function `set`\nS: `S` has neither `read` nor `write`",
        ),
        (
            "accessors: { R: { read: get, write: set } }\nfunctions: |\n  fn get(i:4) { }\n  fn set(i:4, x:8) : 8 { return x; }\n",
            "get: `get` returns nothing, and is to read a register\nset: `set` returns a value, and is to write a register",
        ),
        (
            "views: { H: R }\naccessors: { R: { read: get } }\nfunctions: |\n  fn get(i:4) : 8 { return 0; }\n",
            "R: `H` is a view of `R`: registers of views have no accessors, nor have those they are of",
        ),
        ("lanes: 32\nlaunch-values: { tid.w: 3 }\n", "tid.w: a launch has no `tid.w` (did you mean `tid.x`?)"),
        ("state: { mode: 0 }\n", "0: the width of `mode` is a number from 1 to 128"),
        ("lanes: 32\nparams: { space: shared }\n", "space: shared: there is no memory space `shared`"),
        ("guard: a &&\n", ": the text ends where an expression is expected"),
        (
            "after: |\n  exit();\n  if a < b { }\n",
            "<: `<` doesn't say whether the numbers have signs (write `<s` for signed or `<u` for unsigned numbers)",
        ),
        ("functions: |\n  fn f() { }\n  fn f() { }\n", "f: there are two functions `f`"),
        (
            "divergence: stack\n",
            "divergence: `divergence` says something of several lanes, and this machine has one (`lanes: 32` is a machine with \
             warps of 32)",
        ),
        (
            "spaces: { m: { of: grid } }\n",
            "of: `of` says something of several lanes, and this machine has one (`lanes: 32` is a machine with warps of 32)",
        ),
        (
            "lanes: 2\nspaces: { m: { program: true } }\n",
            "m: `m` holds the program: this machine has several lanes, and its code is no memory",
        ),
        (
            "spaces: { m: { program: true }, n: { program: true } }\n",
            "n: `n` holds the program, and another memory does: one can",
        ),
        (
            "spaces: { m: { program: true, banks: 2 } }\n",
            "m: `m` holds the program, and has banks: an address of code names none",
        ),
        ("spaces: { m: { unaligned: yes } }\n", "yes: `unaligned` is fault or allowed"),
        (
            "linux: { machine: m, number: a, arguments: [a, b, c, d, e, f, g], result: a, stack: s, calls: { x: read } }\n",
            "g: a call has at most 6 arguments\nx: `x` is not the number of a call",
        ),
    ] {
        let found = read(text).1;
        assert_eq!(found.join("\n"), message, "{text}");
    }
}
