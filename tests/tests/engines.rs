//! The reference evaluator and compiled semantics are two implementations of one meaning: on random instructions, registers and
//! memory they write the same and want the same.

use conformance::{Random, Warp, load, shipped};
use isa_runtime::sim::{Engine, MachineInfo, State};
use isa_spec::eval::Reference;
use isa_spec::model::{Isa, ones};
use std::path::Path;

/// Random words of each form, and random masks of lanes.
const PER_FORM: usize = 24;

fn shipped_isa(file: &str) -> Isa {
    load(&Path::new(env!("CARGO_MANIFEST_DIR")).join(file))
}

/// The first register, flags or value in which two warps differ: its name, the lane, and both values.
fn difference<A: State, B: State>(info: &MachineInfo, a: &A, b: &B) -> Option<(String, usize, u128, u128)> {
    let lanes = info.lanes as usize;
    let differ = |name: &str, i: usize, lane: usize, a: u128, b: u128| (a != b).then(|| (format!("{name}{i}"), lane, a, b));
    let registers = info.registers.iter().enumerate().find_map(|(file, r)| {
        let mut all = (0..r.count).flat_map(|i| (0..lanes).map(move |lane| (i, lane)));
        all.find_map(|(i, lane)| differ(&r.name, i, lane, a.register(file, i, lane), b.register(file, i, lane)))
    });
    let flags = || {
        info.flags.iter().enumerate().find_map(|(file, f)| {
            let mut all = (0..f.count).flat_map(|i| (0..lanes).map(move |lane| (i, lane)));
            all.find_map(|(i, lane)| differ(&f.name, i, lane, a.flags(file, i, lane).into(), b.flags(file, i, lane).into()))
        })
    };
    let values = || {
        let mut all = (0..info.values.len()).flat_map(|i| (0..lanes).map(move |lane| (i, lane)));
        all.find_map(|(i, lane)| differ(&info.values[i].0, 0, lane, a.value(i, lane), b.value(i, lane)))
    };
    registers.or_else(flags).or_else(values)
}

fn copy<A: Engine, B: Engine>(info: &MachineInfo, from: &Warp<'_, A>, to: &mut Warp<'_, B>) {
    for lane in 0..info.lanes as usize {
        for (file, registers) in info.registers.iter().enumerate() {
            (0..registers.count).for_each(|i| to.state.set_register(file, i, lane, from.state.register(file, i, lane)));
        }
        for (file, flags) in info.flags.iter().enumerate() {
            (0..flags.count).for_each(|i| to.state.set_flags(file, i, lane, from.state.flags(file, i, lane)));
        }
        (0..info.values.len()).for_each(|i| to.state.set_value(i, lane, from.state.value(i, lane)));
    }
    for (to, from) in to.memories.iter().flatten().zip(from.memories.iter().flatten()) {
        to.set_bytes(0, &from.bytes(0, from.size()).expect("all of it"));
    }
    to.variants.clone_from(&from.variants);
    to.launch_values.clone_from(&from.launch_values);
    to.pc = from.pc;
}

/// Holds the two against each other on every form that does something.
fn agree<E: Engine>(file: &str, compiled: &E) {
    let isa = shipped_isa(file);
    let reference = Reference::new(&isa).expect("it can be simulated");
    let info = reference.machine().clone();
    assert_eq!(format!("{:?}", compiled.machine()), format!("{info:?}"));
    let mut random = Random::new(0x5eed);
    let (mut one, mut other) = (Warp::new(&reference, 0x400), Warp::new(compiled, 0x400));
    let (mut ran, mut last) = (0, String::new());
    for form in isa.forms.iter().filter(|f| f.behaviour.is_some()) {
        for turn in 0..PER_FORM {
            let word = random.word_of(form);
            let (a, b) = (reference.prepare(word, form.length), compiled.prepare(word, form.length));
            let (Ok(a), Ok(b)) = (&a, &b) else {
                assert_eq!(a.is_err(), b.is_err(), "{word:#x}");
                continue;
            };
            // What agreed before goes on together.
            if turn % 8 == 0 {
                for (i, (x, y)) in one.memories.iter().flatten().zip(other.memories.iter().flatten()).enumerate() {
                    assert!(x.bytes(0, x.size()) == y.bytes(0, y.size()), "up to {last}: memory {i}");
                }
                one.fill(&mut random);
                one.fill_memory(&mut random);
                small_addresses(&info, &mut one, &mut random);
                for (chosen, variant) in one.variants.iter_mut().zip(&info.variants) {
                    *chosen = random.next_u64() as usize % variant.values.len();
                }
                copy(&info, &one, &mut other);
            }
            let active = match random.next_u64() % 3 {
                0 => random.next_u64(),
                _ => u64::MAX,
            } & ones(info.lanes) as u64;
            let (x, y) = (one.execute(a, active), other.execute(b, active));
            let text = || format!("{} {word:#x} `{}` in {active:#x}", form.name, reference.text(word, form.length, 0x100));
            if let Some((name, lane, x, y)) = difference(&info, &one.state, &other.state) {
                panic!("{}: {name} of lane {lane}: reference {x:#x}, compiled {y:#x}", text());
            }
            let flow = |f: &isa_runtime::sim::Flow| {
                let wanted = *f.wanted();
                let aimed = wanted.branch | wanted.call | wanted.sync | wanted.barrier;
                let targets: Vec<u64> = (0..64).filter(|l| aimed >> l & 1 == 1).map(|l| f.target(l)).collect();
                (wanted, targets)
            };
            assert_eq!(flow(&x.flow), flow(&y.flow), "{}", text());
            assert_eq!(x.trouble, y.trouble, "{}", text());
            last = text();
            ran += 1;
        }
    }
    assert!(ran > 4 * isa.forms.iter().filter(|f| f.behaviour.is_some()).count(), "hardly a random word of a form is legal");
}

/// Half of the registers are small multiples of 16, so that accesses are often good.
fn small_addresses<E: Engine>(info: &MachineInfo, warp: &mut Warp<'_, E>, random: &mut Random) {
    for (file, registers) in info.registers.iter().enumerate().filter(|f| f.1.width >= 16) {
        for i in (0..registers.count).filter(|i| i % 2 == 0) {
            for lane in 0..info.lanes as usize {
                warp.state.set_register(file, i, lane, (random.next_u64() % 0x40 * 16).into());
            }
        }
    }
}

#[test]
fn ampere() {
    agree("../specs/ampere.yaml", &generated::ampere::sim::Compiled::new());
}

#[test]
fn compact() {
    agree("../specs/compact.yaml", &generated::compact::sim::Compiled::new());
}

#[test]
fn fermi() {
    agree("../specs/fermi.yaml", &generated::fermi::sim::Compiled::new());
}

#[test]
fn flexgrip() {
    agree("../specs/flexgrip.yaml", &generated::flexgrip::sim::Compiled::new());
}

isa_macros::define_isa!("specs/accepted/choices.yaml");

/// What no shipped spec has.
#[test]
fn choices() {
    agree("specs/accepted/choices.yaml", &choices::sim::Compiled::new());
}

#[test]
fn ptx_vop4() {
    agree("../specs/ptx-vop4.yaml", &generated::ptx_vop4::sim::Compiled::new());
}

/// Every shipped spec with semantics is above.
#[test]
fn none_is_forgotten() {
    let source = include_str!("engines.rs");
    let does_something = |isa: &Isa| isa.forms.iter().any(|f| f.behaviour.is_some());
    let forgotten: Vec<_> = shipped()
        .into_iter()
        .filter(|p| does_something(&load(p)))
        .filter(|p| !source.contains(&format!("specs/{}\"", p.file_name().expect("a file").to_string_lossy())))
        .collect();
    assert_eq!(forgotten, Vec::<std::path::PathBuf>::new());
}
