//! A core on both engines: it stops, is inspected, and goes on; the state after a fault; breakpoints, watches, hosts, memory.

use crate::engines::core;
use isa_reference::codec::Codec;
use isa_reference::eval::Reference;
use isa_reference::samples::Random;
use isa_sim::{Access, Answer, AnyEngine, Exit, FaultKind, Guest, Hit, Host, Machine, Stopped, Trouble, TroubleKind, Watch};
use isa_spec::model::Isa;
use std::path::Path;

const BASE: u64 = 0x1000;

fn isa() -> &'static Isa {
    harness::load(&Path::new(env!("CARGO_MANIFEST_DIR")).join("specs/programs/core.yaml"))
}

/// The bytes of instructions, one after the other.
fn assembled(isa: &Isa, text: &str) -> Vec<u8> {
    let codec = Codec::new(isa);
    let mut bytes = Vec::new();
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let (form, word) = codec.parse(line, BASE, &|_| None).unwrap_or_else(|why| panic!("{line}: {why}"));
        let length = isa.form(form).length / 8;
        bytes.extend(word.limbs()[0].to_le_bytes().into_iter().take(length as usize));
    }
    bytes
}

/// Does the same on a machine of each engine, and compares what comes of it.
fn on_both<T: PartialEq + std::fmt::Debug>(text: &str, act: impl Fn(&mut Machine<'_>) -> T) -> T {
    let isa = isa();
    let program = assembled(isa, text);
    let reference = Reference::new(isa).expect("it can be simulated");
    let compiled = core::sim::Compiled::new();
    let results = [&reference as &dyn AnyEngine, &compiled].map(|engine| {
        let mut machine = Machine::new(engine).expect("one lane");
        machine.load(BASE, &program).expect("memory");
        machine.set_pc(BASE);
        let result = act(&mut machine);
        (result, machine.pc(), machine.steps(), registers(&machine), machine.get("count"), machine.get("C"))
    });
    let [one, other] = results;
    assert_eq!(one, other, "the evaluator and compiled code: {text}");
    one.0
}

fn registers(machine: &Machine<'_>) -> Vec<u128> {
    (0..8).map(|i| machine.state().register(0, i, 0)).collect()
}

fn r(machine: &Machine<'_>, name: &str) -> u128 {
    machine.get(name).expect("a register")
}

fn kind(stopped: &Stopped) -> FaultKind {
    match stopped {
        Stopped::Fault(fault) => fault.kind.clone(),
        other => panic!("{other}"),
    }
}

fn trouble(stopped: &Stopped) -> Trouble {
    match kind(stopped) {
        FaultKind::Memory { trouble, .. } => trouble,
        other => panic!("{other:?}"),
    }
}

#[test]
fn it_stops_and_goes_on() {
    on_both("set r1, 0, 3\nadd r0, r1, 0, 1\nloop r1, 0, 2\nstop r0, r0, 0, 0", |m| {
        assert_eq!((m.run(2), m.pc()), (Stopped::Budget, 0x1006));
        assert_eq!((m.step(), m.pc(), r(m, "r1")), (Stopped::Budget, 0x1004, 2));
        m.set("r0", 0x100).expect("a register");
        assert_eq!(m.run(u64::MAX), Stopped::Exit(Exit::Status(0)));
        assert_eq!((r(m, "r0"), m.steps()), (0x100 + 2 + 1 + 1 + 1, 8));
        assert_eq!(m.run(1), Stopped::Exit(Exit::Status(0)));
        m.set_pc(BASE);
        assert_eq!(m.step(), Stopped::Budget);
    });
}

#[test]
fn it_starts_as_the_specification_says() {
    on_both("nothing r0, r0, 0, 0\nsilent r0, r0, 0, 0", |m| {
        assert_eq!((r(m, "sp"), r(m, "R[7]"), r(m, "R7"), r(m, "count")), (0x8000, 0x8000, 0x8000, 0));
        assert_eq!((m.step(), r(m, "count")), (Stopped::Budget, 5));
        assert_eq!(
            m.step().to_string(),
            "this can't be executed: silent has no semantics in this specification\n  at 0x1002: silent r0, r0, 0x0, 0x0"
        );
        assert_eq!(m.set("r8", 1).map_err(|why| why.to_string()), Err("the machine has no register `r8`".into()));
    });
}

#[test]
fn a_fault_leaves_what_came_before_it() {
    // The address of the second load is no multiple of 4.
    on_both("set r1, 0, 0x102\nset r2, 0, 9\nstrict r2, r1, 0, 0\nstop r0, r0, 0, 0", |m| {
        let stopped = m.run(10);
        assert_eq!((trouble(&stopped).kind, trouble(&stopped).address), (TroubleKind::Misaligned, 0x102));
        assert_eq!((m.pc(), m.steps(), r(m, "r2"), r(m, "C"), r(m, "count")), (0x1008, 2, 9, 0, 5));
        // The same again, and then with an address that is good.
        assert_eq!(m.run(10), stopped);
        m.set("r1", 0x104).expect("a register");
        assert_eq!(m.run(10), Stopped::Exit(Exit::Status(0)));
    });
    // Stores before a fault in the same body remain.
    on_both("set r1, 0, 0x3f\nset r2, 0, 7\nbank r2, r1, 0, 1", |m| {
        assert_eq!(trouble(&m.run(10)).kind, TroubleKind::Misaligned);
        m.set("r1", 0x3c).expect("a register");
        m.set("r2", 0x1_0001).expect("a register");
        assert_eq!(m.step(), Stopped::Budget);
        // The guard reads what was stored; with it, banks that are not there are a fault of the body.
        m.set_pc(0x1008);
        assert_eq!((m.step(), r(m, "r2")), (Stopped::Budget, 0x1_0001));
    });
    on_both("bank r1, r0, 0, 3", |m| assert_eq!(trouble(&m.step()).kind, TroubleKind::NoBank));
}

#[test]
fn accesses_are_in_the_order_of_the_text() {
    on_both("set r1, 0, 0x2001\nset r2, 0, 0x1234\nhigh r2, 0, 0x5678\npush r2, r0, 0, 0\npop r3, r0, 0, 0", |m| {
        assert_eq!(m.run(5), Stopped::Budget);
        assert_eq!((r(m, "r3"), r(m, "sp")), (0x5678_1234, 0x8000));
    });
    on_both("exchange r2, r1, 0, 0\nincrement r0, r1, 0, 0\ntotal r3, r4, 0, 0", |m| {
        m.set("r1", 0xffff).expect("a register");
        m.set("r4", 0x1_0000).expect("a register");
        m.set("r3", 0x10).expect("a register");
        m.load(0xffff, &[1, 2, 3, 4, 5, 6]).expect("memory");
        assert_eq!(m.step(), Stopped::Budget);
        let mut bytes = [0; 6];
        m.program().expect("memory").peek(0xffff, &mut bytes).expect("memory");
        assert_eq!((bytes, r(m, "r2")), ([2, 3, 3, 1, 2, 6], 0x0103_0302 ^ 0x0602_0103));
        assert_eq!((m.run(2), r(m, "r3")), (Stopped::Budget, 0x10));
    });
    // A load whose value is not used is executed.
    on_both("set r1, 0, 0x401\nunused r2, r1, 0, 1", |m| assert_eq!(trouble(&m.run(2)).kind, TroubleKind::Misaligned));
    // A load in an arm that is not chosen is not.
    on_both("set r1, 0, 0x400\nlazy r2, r1, 0, 2", |m| assert_eq!((m.run(2), r(m, "r2")), (Stopped::Budget, 7)));
    on_both("set r1, 0, 0x401\nlazy r2, r1, 0, 2", |m| assert_eq!(trouble(&m.run(2)).kind, TroubleKind::Misaligned));
}

#[test]
fn accesses_can_ask_for_alignment() {
    let text = "set r1, 0, 0x2000\nset r2, 0, 0x1234\naligned r3, r1, 0, 0\naligned r3, r1, 0, 2";
    on_both(text, |m| {
        m.load(0x2000, &[1, 2, 3, 4]).expect("memory");
        assert_eq!((m.run(3), r(m, "r3")), (Stopped::Budget, 0x0403_0201));
        let found = trouble(&m.run(1));
        assert_eq!((found.kind, found.address, found.access), (TroubleKind::Misaligned, 0x2002, Access::Read));
    });
    on_both("set r1, 0, 0x2001\naligned r3, r1, 0, 3", |m| {
        let found = trouble(&m.run(2));
        assert_eq!((found.kind, found.address, found.access, r(m, "r3")), (TroubleKind::Misaligned, 0x2011, Access::Write, 0));
    });
}

#[test]
fn the_guard_of_a_group_comes_before_its_bodies() {
    on_both("set r6, 0, 1\naligned r3, r0, 0, 1", |m| assert!(matches!(kind(&m.run(2)), FaultKind::NotExecutable(_))));
}

#[test]
fn words_that_only_the_machine_has() {
    for (word, executes) in
        [(0x3000_0001u32, true), (0x3500_0901, true), (0x3f12_3401, true), (0x3000_0701, false), (0x3000_0703, false)]
    {
        on_both("stop r0, r0, 0, 0", |m| {
            m.load(BASE, &word.to_le_bytes()).expect("memory");
            let stopped = m.run(1);
            assert_eq!((stopped == Stopped::Budget, r(m, "r0")), (executes, executes.into()), "{word:#x}: {stopped}");
            // Its text is that of the word that is executed.
            let text = m.text(BASE);
            assert_eq!(text == "hint", executes, "{word:#x}: {text}");
        });
    }
}

#[test]
fn numbers_in_either_order() {
    on_both("set r1, 0, 0x11\nset r2, 0, 0x5566\nhigh r2, 0, 0x3344\nstore_big r2, r1, 0, 0\nload_big r3, r1, 0, 0", |m| {
        assert_eq!(m.run(5), Stopped::Budget);
        let mut bytes = [0; 4];
        m.memory(2, 0).expect("memory").peek(0x11, &mut bytes).expect("memory");
        assert_eq!((bytes, r(m, "r3")), ([0x33, 0x55, 0x66, 0x66], 0x3355_6666 + 0x3355));
    });
}

#[test]
fn breakpoints_and_watches() {
    on_both("set r1, 0, 2\nadd r0, r0, 0, 1\npush r0, r0, 0, 0\nloop r1, 0, 4\nstop r0, r0, 0, 0", |m| {
        m.add_breakpoint(0x1006);
        assert_eq!((m.run(100), m.steps()), (Stopped::Breakpoint(0x1006), 2));
        assert_eq!((m.run(100), m.steps()), (Stopped::Breakpoint(0x1006), 5));
        assert!(m.remove_breakpoint(0x1006) && !m.remove_breakpoint(0x1006));
        let watch = Watch { at: 0x7ff8..=0x7ff8, reads: false, writes: true };
        m.watch(0, watch.clone());
        let hit = Hit { address: 0x7ff8, bytes: 4, access: Access::Write };
        assert_eq!((m.run(100), m.pc(), r(m, "sp")), (Stopped::Watch(hit), 0x1008, 0x7ff8));
        m.unwatch(0, &watch);
        assert_eq!(m.run(100), Stopped::Exit(Exit::Status(0)));
    });
    // The end of a budget does not pass a breakpoint; a stop there, a step to it, and a step from it do.
    on_both("set r1, 0, 9\nadd r0, r0, 0, 1\nloop r1, 0, 2\nstop r0, r0, 0, 0", |m| {
        m.add_breakpoint(0x1004);
        assert_eq!((m.run(1), m.run(1), m.steps()), (Stopped::Budget, Stopped::Breakpoint(0x1004), 1));
        assert_eq!((m.run(2), m.run(2), m.steps()), (Stopped::Budget, Stopped::Breakpoint(0x1004), 3));
        assert_eq!(
            (m.run(0), m.run(1), m.step(), m.run(1), m.steps()),
            (Stopped::Budget, Stopped::Budget, Stopped::Budget, Stopped::Budget, 6)
        );
        // A new breakpoint at the current address, or at the one that it is set to, stops the machine.
        m.add_breakpoint(0x1006);
        assert_eq!((m.run(1), m.step(), m.steps()), (Stopped::Breakpoint(0x1006), Stopped::Budget, 7));
        assert!(m.remove_breakpoint(0x1004));
        m.add_breakpoint(0x1004);
        assert_eq!((m.run(1), m.steps()), (Stopped::Breakpoint(0x1004), 7));
        m.set_pc(0x1006);
        assert_eq!((m.run(1), m.steps()), (Stopped::Breakpoint(0x1006), 7));
    });
}

#[test]
fn calls_have_an_end() {
    on_both("set r1, 0, 0x1000\ngo r0, r1, 0, 0", |m| {
        assert!(matches!(kind(&m.run(u64::MAX)), FaultKind::CallOverflow(_)));
    });
    on_both(
        "set r1, 0, 0x100a\ngo r0, r1, 0, 0\nadd r2, r2, 0, 1\nback r0, r0, 0, 0\nadd r2, r2, 0, 2\nback r0, r0, 0, 0",
        |m| {
            assert_eq!((m.run(100), r(m, "r2")), (Stopped::Exit(Exit::Status(0)), 5));
        },
    );
}

#[test]
fn code_is_memory() {
    let text = "set r1, 0, 0x1010\nset r2, 0, 0\nset r3, 0, 3\nnothing r0, r0, 0, 0\nnothing r0, r0, 0, 0\nadd r4, r4, 0, 1\nloop r3, 0, 6\nstop r0, r0, 0, 0";
    let add_two = assembled(isa(), "add r4, r4, 0, 2");
    for (refetches, sum) in [(false, 7), (true, 10)] {
        on_both(text, |m| {
            if refetches {
                m.load(0x100e, &assembled(isa(), "refetch r0, r0, 0, 0")).expect("memory");
            }
            assert_eq!(m.run(6), Stopped::Budget);
            // Without the word that fetches it again, the change is not seen.
            m.memory(0, 0).expect("memory").poke(0x1010, &add_two).expect("memory");
            assert_eq!((m.run(100), r(m, "r4")), (Stopped::Exit(Exit::Status(0)), sum));
        });
    }
    on_both("set r1, 0, 0x2000\njump r0, r1, 0, 0", |m| {
        assert_eq!(m.run(2), Stopped::Budget);
        m.memory(0, 0).expect("memory").clear();
        let stopped = m.run(1);
        assert_eq!((trouble(&stopped).kind, trouble(&stopped).access), (TroubleKind::Unmapped(0), Access::Fetch));
        assert_eq!(stopped.to_string(), "a fetch of 2 bytes at 0x0 of `memory`: there is no memory at 0x0\n  at 0x0");
    });
}

#[test]
fn code_is_seen_anew_where_a_branch_goes() {
    on_both("refetch r0, r0, 0, 2\nadd r1, r1, 0, 1\nadd r1, r1, 0, 2\nstop r0, r0, 0, 0", |m| {
        assert_eq!((m.run(100), r(m, "r1")), (Stopped::Exit(Exit::Status(0)), 2));
    });
}

/// Ends the program at the third call.
struct Third;

impl Host for Third {
    fn call(&mut self, guest: &mut Guest<'_>) -> Answer {
        match guest.register((0, 0)) {
            1 => Answer::GoOn,
            2 => {
                let pc = guest.pc() + 2;
                guest.set_pc(pc);
                let address = u64::from(guest.write(0x3000, &[1, 2]).is_ok());
                guest.set_register((0, 1), address);
                Answer::GoOn
            }
            3 => Answer::Exit(Exit::Status(9)),
            _ => Answer::Fault("too many calls".into()),
        }
    }

    fn used(&mut self, guest: &mut Guest<'_>, hit: Hit) -> Answer {
        if hit.address == 0x7ffc { Answer::Exit(Exit::Status(guest.register((0, 0)) as i32)) } else { Answer::Nothing }
    }
}

#[test]
fn a_host_answers() {
    let text = "ask r0, r0, 0, 0\nask r0, r0, 0, 0\ntrap r0, r0, 0, 0\nask r0, r0, 0, 0";
    on_both(text, |m| {
        let stopped = m.run(100);
        assert_eq!((kind(&stopped), m.pc(), r(m, "r0")), (FaultKind::NoHost, BASE, 1));
        assert_eq!(stopped.to_string(), "the program calls its host, and has none\n  at 0x1000: ask r0, r0, 0x0, 0x0");
    });
    on_both(text, |m| {
        m.set_host(Third);
        assert_eq!((m.run(100), r(m, "r1"), m.steps()), (Stopped::Exit(Exit::Status(9)), 1, 3));
        m.set_pc(BASE);
        assert_eq!(kind(&m.run(100)), FaultKind::Host("too many calls".into()));
    });
    on_both("push r0, r0, 0, 0\ntrap r0, r0, 0, 0", |m| {
        m.set_host(Third);
        m.set("r0", 4).expect("a register");
        m.watch(0, Watch { at: 0x7ffc..=0x7fff, reads: true, writes: true });
        assert_eq!(m.run(100), Stopped::Exit(Exit::Status(4)));
    });
}

#[test]
fn a_trace_shows_changes() {
    let seen = on_both("set r1, 0, 0x20\nadd sp, r1, 0, 1\ntrap r0, r0, 0, 0", |m| {
        let mut seen = Vec::new();
        let stopped = m.run_traced(10, &mut |t| {
            let changes = t.changes().map(|change| format!("{}={:#x}", change.register, change.value));
            seen.push(format!("{:#x} {:#x} {}", t.pc, t.word, changes.collect::<Vec<_>>().join(" ")));
        });
        assert_eq!(kind(&stopped), FaultKind::Trap);
        seen
    });
    let texts: Vec<&str> = seen.iter().map(String::as_str).collect();
    assert_eq!(texts, ["0x1000 0x2002001 r1=0x20 count=0x5", "0x1004 0x722 sp=0x8021", "0x1006 0xa000 "]);
}

/// Random words on random registers: both engines stop in the same way, and leave the same registers and memories.
#[test]
fn random_programs() {
    let isa = isa();
    let reference = Reference::new(isa).expect("it can be simulated");
    let compiled = core::sim::Compiled::new();
    let (mut executed, mut faults) = (0, 0);
    for seed in 1..=1500 {
        let ends = [&reference as &dyn AnyEngine, &compiled].map(|engine| {
            let mut random = Random::new(seed);
            let mut machine = Machine::new(engine).expect("one lane");
            let code: Vec<u8> = (0..256)
                .flat_map(|_| {
                    let word = random.next_u64();
                    // Mostly short words that are instructions.
                    let short = ((word % 24) << 11 | word >> 5 & 0x7ee) as u16;
                    if word >> 32 & 7 == 0 {
                        ((word as u32 & 0x2fff_ff00) | 1).to_le_bytes().to_vec()
                    } else {
                        short.to_le_bytes().to_vec()
                    }
                })
                .collect();
            machine.load(BASE, &code).expect("memory");
            machine.set_pc(BASE);
            for i in 0..8 {
                let near = [0x10, 0x3c, 0x100, 0x3fc, 0x1000, 0x1ffe, 0x8000, 0xffff_fffe][random.next_u64() as usize % 8];
                machine.state_mut().set_register(0, i, 0, near + u128::from(random.next_u64() % 4));
            }
            let mut stops = Vec::new();
            for _ in 0..4 {
                let stopped = machine.run(100);
                let is_fault = matches!(stopped, Stopped::Fault(_));
                stops.push((format!("{stopped:?}"), machine.pc(), machine.steps(), registers(&machine)));
                if !is_fault {
                    break;
                }
                machine.set_pc(machine.pc() + 2);
            }
            let mut memory = Vec::new();
            for (space, size) in [(0, 0x3000), (1, 0x400), (2, 0x400), (3, 0x40)] {
                let mut bytes = vec![0; size];
                machine.memory(space, 0).expect("memory").peek(0, &mut bytes).expect("memory");
                memory.push(bytes);
            }
            (stops, memory)
        });
        executed += ends[0].0.last().map_or(0, |stop| stop.2);
        faults += ends[0].0.iter().filter(|stop| stop.0.starts_with("Fault")).count();
        let [one, other] = ends;
        assert!(one == other, "program {seed}:\n{:#?}\n{:#?}", one.0, other.0);
    }
    assert!(executed > 10_000 && faults > 1000, "{executed} instructions, {faults} faults");
}
