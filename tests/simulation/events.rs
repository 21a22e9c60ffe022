//! Events between instructions, on both engines: exceptions, faults that the machine handles, interrupts, devices.

use crate::engines::events;
use isa_reference::codec::Codec;
use isa_reference::eval::Reference;
use isa_sim::{
    Answer, AnyEngine, BadRegion, Device, Exit, FaultKind, Guest, Host, Machine, Refused, Rights, Signal, Stopped, Watch,
};
use isa_spec::model::Isa;
use isa_spec::semantics::builtins::Action;
use isa_spec::semantics::typed::StmtKind;
use std::path::Path;
use std::sync::{Arc, Mutex};

/// The addresses of programs and of the handler of causes.
const BASE: u64 = 0x1000;
const HANDLER: u64 = 0x100;
/// The memory spaces.
const MEMORY: usize = 0;
const PORTS: usize = 1;
/// The lines.
const TIMER: Option<usize> = Some(0);
const BUTTON: Option<usize> = Some(1);

fn isa() -> &'static Isa {
    harness::load(&Path::new(env!("CARGO_MANIFEST_DIR")).join("specs/programs/events.yaml"))
}

/// The bytes of instructions, one after the other; a line that begins with `=` is a number of 16 bits.
fn assembled(isa: &Isa, text: &str) -> Vec<u8> {
    let codec = Codec::new(isa);
    let mut bytes = Vec::new();
    for line in text.split(['\n', ';']).map(str::trim).filter(|line| !line.is_empty()) {
        if let Some(number) = line.strip_prefix('=') {
            let number = u16::from_str_radix(number.trim(), 16).expect("a number");
            bytes.extend(number.to_le_bytes());
            continue;
        }
        let (form, word) = codec.parse(line, BASE, &|_| None).unwrap_or_else(|why| panic!("{line}: {why}"));
        let length = isa.form(form).length / 8;
        bytes.extend(word.limbs()[0].to_le_bytes().into_iter().take(length as usize));
    }
    bytes
}

/// Does the same on a machine of each engine, with a program and what handles causes, and compares what comes of it.
fn on_both<T: PartialEq + std::fmt::Debug>(text: &str, handler: &str, act: impl Fn(&mut Machine<'_>) -> T) -> T {
    let isa = isa();
    let (program, handler) = (assembled(isa, text), assembled(isa, handler));
    let reference = Reference::new(isa).expect("it can be simulated");
    let compiled = events::sim::Compiled::new();
    let results = [&reference as &dyn AnyEngine, &compiled].map(|engine| {
        let mut machine = Machine::new(engine).expect("one lane");
        machine.load(BASE, &program).expect("memory");
        machine.load(HANDLER, &handler).expect("memory");
        machine.set_pc(BASE);
        let result = act(&mut machine);
        (result, left(&machine))
    });
    let [one, other] = results;
    assert_eq!(one, other, "the evaluator and compiled code: {text}");
    one.0
}

/// Everything that a program has changed but memory.
fn left(machine: &Machine<'_>) -> (u64, u64, Vec<u128>) {
    let state = machine.state();
    let registers = (0..8).map(|i| state.register(0, i, 0)).chain((0..16).map(|i| state.register(1, i, 0)));
    let names = ["level", "vector", "back", "why", "what", "saved", "count", "F"];
    let values = names.map(|name| machine.get(name).expect("a value"));
    (machine.pc(), machine.steps(), registers.chain(values).collect())
}

fn get<const N: usize>(machine: &Machine<'_>, names: [&str; N]) -> [u128; N] {
    names.map(|name| machine.get(name).unwrap_or_else(|why| panic!("{why}")))
}

fn kind(stopped: &Stopped) -> FaultKind {
    match stopped {
        Stopped::Fault(fault) => fault.kind.clone(),
        other => panic!("{other}"),
    }
}

const ENDED: Stopped = Stopped::Exit(Exit::Status(0));

/// A line that is active from a time on until a store to the device; the device reads as the time, and notes what happens to it.
#[derive(Clone, Default)]
struct Alarm {
    at: u64,
    /// After a store it is active again so much later, if ever.
    period: Option<u64>,
    seen: Arc<Mutex<Vec<(char, u64, u64)>>>,
    is_off: bool,
}

impl Alarm {
    fn at(at: u64) -> Self {
        Self { at, ..Self::default() }
    }

    fn note(&self, what: char, at: u64, now: u64) {
        self.seen.lock().expect("one thread").push((what, at, now));
    }
}

impl Device for Alarm {
    fn size(&self) -> u64 {
        4
    }

    fn load(&mut self, at: u64, bytes: u32, now: u64) -> Result<u64, Refused> {
        self.note('r', at, now);
        if at == 3 { Err(Refused("it is only written")) } else { Ok(now & ((1 << (8 * bytes)) - 1)) }
    }

    fn store(&mut self, at: u64, _: u32, value: u64, now: u64) -> Result<(), Refused> {
        self.note('w', at, now);
        if at == 2 {
            return Err(Refused("it is only read"));
        }
        match self.period.filter(|_| value != 0) {
            Some(period) => self.at = now + period,
            None => self.is_off = true,
        }
        Ok(())
    }

    fn signal(&mut self, now: u64) -> Signal {
        let line = !self.is_off && now >= self.at;
        Signal { line, again: Some(self.at).filter(|_| !self.is_off && !line) }
    }
}

/// Attaches devices: where, and the line.
fn attach(machine: &mut Machine<'_>, device: Alarm, line: Option<usize>) {
    machine.attach(PORTS, 0x10, Box::new(device), line, 1).expect("it can be there");
}

#[test]
fn what_is_raised_takes_the_place_of_the_rest() {
    let handler = "read r4, s3; read r5, s4; read r6, s2; stop r0, r0, 0";
    on_both("nothing r0, r0, 0; raise r3, r2, 7", handler, |m| {
        m.set("r2", 0x456).expect("a register");
        assert_eq!(m.run(1), Stopped::Budget);
        // The instruction that raises is not counted: the first one of the handler is.
        assert_eq!((m.run(1), m.pc(), m.steps()), (Stopped::Budget, HANDLER + 2, 2));
        assert_eq!(m.run(100), ENDED);
        assert_eq!(get(m, ["r3", "level", "r4", "r5", "r6"]), [1, 0, 7, 0x456, 0x1002]);
        // The machine's `after` does not follow it.
        assert_eq!((m.steps(), get(m, ["count"])), (5, [5]));
        let mut bytes = [1; 2];
        m.memory(MEMORY, 0).expect("memory").peek(0, &mut bytes).expect("memory");
        assert_eq!(bytes, [0, 0]);
    });
    // An access that can't be comes before what it is an argument of.
    for (address, why, level) in [(0x201, 2, 2), (0x200, 0x200, 2), (0x202, 0, 2)] {
        on_both("set r1, 0x200; some r2, r1, 2; stop r0, r0, 0", "stop r0, r0, 0", |m| {
            m.set("r2", address).expect("a register");
            if address == 0x201 {
                m.load(BASE, &assembled(isa(), "set r1, 0x201")).expect("memory");
            }
            assert_eq!(m.run(100), ENDED);
            assert_eq!(get(m, ["why", "level", "F.on"]), [why, level, 0]);
        });
    }
}

#[test]
fn each_fault_is_handled() {
    let word = |text: &str| {
        let bytes = assembled(isa(), text);
        u128::from(u16::from_le_bytes([bytes[0], bytes[1]]))
    };
    let at = u128::from(BASE);
    for (text, cause, value) in [
        ("= f800", 1, 0xf800),
        ("= 0001; = 7000", 1, 1),
        ("illegal r1, r0, 0", 1, word("illegal r1, r0, 0")),
        // By functions in place of registers.
        ("read r1, s15", 1, word("read r1, s15")),
        ("write r1, s6", 1, word("write r1, s6")),
        ("swap r1, s3", 1, word("swap r1, s3")),
        ("load r1, r0, 3", 2, 3),
        ("store r1, r0, 5", 3, 5),
        ("in r1, r2, 1", 4, 0x80),
        ("out r1, r2, 2", 5, 0x81),
        ("trap r1, r0, 0", 7, at + 2),
        ("ask r1, r0, 0", 8, at),
    ] {
        on_both(text, "read r5, s2; stop r0, r0, 0", |m| {
            m.set("r2", 0x7f).expect("a register");
            assert_eq!((m.run(100), m.steps()), (ENDED, 2), "{text}");
            assert_eq!(get(m, ["why", "what", "r5"]), [cause, value, at], "{text}");
            assert_eq!(get(m, ["level", "S[6]"]), [0, 0], "{text}");
            assert_eq!(get(m, ["r1"]), [u128::from(cause == 7)], "{text}");
        });
    }
    // Faults of code.
    for (target, address) in [(0x9000, 0x9000), (0x7ffe, 0x8000)] {
        on_both("jump r1, 0", "stop r0, r0, 0", |m| {
            m.load(0x7ffe, &[1, 0]).expect("memory");
            m.give_memory(MEMORY, 0..=0x7fff, Rights::ALL);
            m.set("r1", target).expect("a register");
            assert_eq!((m.run(100), m.steps()), (ENDED, 2));
            assert_eq!(get(m, ["why", "what", "back"]), [6, address, target]);
        });
    }
    // Changes that an instruction made before the fault remain.
    on_both("set r1, 0x201; store r1, r1, 1; some r1, r1, 10", "stop r0, r0, 0", |m| {
        assert_eq!((m.run(100), m.steps()), (ENDED, 3));
        assert_eq!(get(m, ["why", "what", "level", "F.on", "back"]), [2, 0x201, 2, 0, 0x1006]);
    });
}

#[test]
fn a_handler_returns() {
    // It counts in r7, and goes on after the instruction.
    let program = "set r1, 3; trap r2, r0, 0; add r3, r3, 1; read r0, s15; loop r1, 6; stop r0, r0, 0";
    on_both(program, "add r7, r0, 1; back r0, r0, 2", |m| {
        assert_eq!((m.run(100), m.steps(), get(m, ["r1", "r2", "r3", "r7"])), (ENDED, 20, [0, 1, 7, 6]));
    });
}

#[test]
fn registers_are_what_functions_make_of_them() {
    let program = "set r1, 0xffff; write r1, s0; write r1, s1; write r1, s8; write r1, s9; set r2, 0x10; swap r2, s9; read r3, s9; \
                   read r4, s1; read r5, s6; read r6, s7; stop r0, r0, 0";
    on_both(program, "stop r0, r0, 0", |m| {
        m.set_hart(0x1_0005);
        assert_eq!(m.run(100), ENDED);
        assert_eq!(get(m, ["level", "vector", "S[8]", "S[9]"]), [3, 0xfffe, 0xffff, 0x11]);
        assert_eq!(get(m, ["r2", "r3", "r4", "r5", "r6"]), [0xffff, 0x11, 0xfffe, 9, 5]);
    });
}

/// The instructions after which it is asked whether there is an interrupt: those that write a flag or a value that it depends on.
#[test]
fn interrupts_are_asked_for_where_what_they_read_is_written() {
    let isa = isa();
    let asks = |body: &isa_spec::semantics::typed::Body| {
        body.stmts.iter().any(|stmt| matches!(stmt.kind, StmtKind::Action(Action::Ask, _)))
    };
    let forms = isa.forms.iter().filter(|form| form.behaviour.as_ref().is_some_and(|b| asks(&b.body)));
    let names: Vec<&str> = forms.map(|form| form.name.as_str()).collect();
    assert_eq!(names, ["on", "level", "both", "write", "swap", "back", "raise", "some"]);
    assert!(isa.forms.iter().all(|form| form.behaviour.as_ref().is_none_or(|b| !asks(&b.after))));
}

#[test]
fn an_interrupt_is_taken_right_after_what_enables_it() {
    // Each of them enables it at last, and the next instruction is not executed.
    for last in ["on r0, r0, 1", "both r0, r0, 2"] {
        let program = format!("level r0, r0, 1; add r1, r1, 1; {last}; add r2, r2, 1; stop r0, r0, 0");
        on_both(&program, "stop r0, r0, 0; read r4, s5; stop r0, r0, 0", |m| {
            attach(m, Alarm::at(0), TIMER);
            assert_eq!((m.run(3), m.pc()), (Stopped::Budget, 0x1006));
            assert_eq!((m.run(1), m.pc()), (Stopped::Budget, HANDLER + 4));
            assert_eq!(m.run(100), ENDED);
            assert_eq!(get(m, ["why", "what", "back", "saved", "F", "r2", "r4"]), [0x8001, 0x1006, 0x1006, 2, 0, 0, 1]);
            assert_eq!((m.steps(), get(m, ["count"])), (5, [5]));
        });
    }
    // Masked by the flag, by the value; another line; a write by a function.
    for (program, expected) in [
        ("level r0, r0, 1; add r1, r1, 1; add r2, r2, 1; stop r0, r0, 0", [0, 1, 1]),
        ("on r0, r0, 1; add r1, r1, 1; add r2, r2, 1; stop r0, r0, 0", [0, 1, 1]),
        ("on r0, r0, 1; add r1, r1, 1; write r1, s0; add r2, r2, 1; stop r0, r0, 0", [0x8002, 1, 0]),
        ("level r0, r0, 1; set r1, 1; on r0, r0, 1; on r0, r0, 0; add r2, r2, 1; stop r0, r0, 0", [0x8002, 1, 0]),
    ] {
        on_both(program, "stop r0, r0, 0; stop r0, r0, 0", |m| {
            attach(m, Alarm::at(0), BUTTON);
            assert_eq!(m.run(100), ENDED);
            assert_eq!(get(m, ["why", "r1", "r2"]), expected, "{program}");
        });
    }
    // Enabled from outside.
    on_both("add r1, r1, 1; add r1, r1, 1; add r1, r1, 1; stop r0, r0, 0", "stop r0, r0, 0; stop r0, r0, 0", |m| {
        attach(m, Alarm::at(0), BUTTON);
        m.set("level", 1).expect("a value");
        assert_eq!(m.run(2), Stopped::Budget);
        m.set("F.on", 1).expect("a flag");
        assert_eq!((m.run(100), get(m, ["r1", "back"])), (ENDED, [3, 0x1004]));
    });
}

/// A program that counts in r1 while a timer interrupts it; its handler counts in r7, and sets the timer for later.
const TICKS: &str = "level r0, r0, 1; on r0, r0, 1; set r1, 400; add r2, r3, 1; loop r1, 2; on r0, r0, 0; stop r0, r0, 0";
const TICK: &str = "stop r0, r0, 0; add r7, r0, 1; out r6, r5, 0; back r0, r0, 0";

fn ticks(m: &mut Machine<'_>, every: u64) -> Alarm {
    let alarm = Alarm { at: 10, period: Some(7), ..Alarm::default() };
    m.attach(PORTS, 0x10, Box::new(alarm.clone()), TIMER, every).expect("it can be there");
    m.set("r5", 0x10).expect("a register");
    m.set("r6", 1).expect("a register");
    alarm
}

#[test]
fn devices_have_a_time() {
    on_both(TICKS, TICK, |m| {
        let alarm = ticks(m, 1);
        assert_eq!((m.run(10), get(m, ["r7"])), (Stopped::Budget, [0]));
        assert_eq!((m.run(1), get(m, ["r7", "why"])), (Stopped::Budget, [1, 0x8001]));
        assert_eq!(m.run(100_000), ENDED);
        // Two instructions after the interrupt the timer is set to seven later: four of the program pass between two interrupts.
        let seen = alarm.seen.lock().expect("one thread").clone();
        assert_eq!(seen[..3], [('w', 0, 11), ('w', 0, 19), ('w', 0, 27)]);
        assert_eq!(get(m, ["r7"]), [seen.len() as u128]);
    });
    on_both(TICKS, TICK, |m| {
        let alarm = ticks(m, 4);
        assert_eq!(m.run(100_000), ENDED);
        let seen = alarm.seen.lock().expect("one thread").clone();
        // Its time is that of instructions divided by 4: 10 is the 40th, and 10 + 7 is the 68th.
        assert_eq!(seen[..3], [('w', 0, 10), ('w', 0, 17), ('w', 0, 24)]);
        assert_eq!((m.steps() - 3 * seen.len() as u64, get(m, ["r7"])), (805, [seen.len() as u128]));
    });
}

#[test]
fn a_run_is_independent_of_its_parts() {
    let run = |parts: &[u64]| {
        on_both(TICKS, TICK, |m| {
            let alarm = ticks(m, 3);
            let mut stopped = Stopped::Budget;
            let mut parts = parts.iter().cycle();
            while m.steps() < 600 && stopped == Stopped::Budget {
                let part = parts.next().expect("a part");
                stopped = m.run((*part).min(600 - m.steps()));
            }
            let at_600 = (stopped, left(m));
            let seen = alarm.seen.lock().expect("one thread").clone();
            (at_600, seen, m.run(100_000), left(m))
        })
    };
    let whole = run(&[600]);
    assert_eq!((&whole.0.0, &whole.2), (&Stopped::Budget, &ENDED));
    for parts in [&[1][..], &[2], &[3, 1], &[7, 5, 1, 64]] {
        assert_eq!(run(parts), whole, "{parts:?}");
    }
    // And with a trace.
    let traced = on_both(TICKS, TICK, |m| {
        ticks(m, 3);
        let mut count = 0;
        let stopped = m.run_traced(100_000, &mut |_| count += 1);
        (stopped, left(m), count)
    });
    assert_eq!((&traced.0, &traced.1), (&whole.2, &whole.3));
    assert_eq!(traced.2, traced.1.1);
}

#[test]
fn what_raises_at_once_again_ends_the_run() {
    on_both("nothing r0, r0, 0; trap r2, r0, 0", "illegal r1, r0, 0", |m| {
        let stopped = m.run(100);
        let word = u64::from(u16::from_le_bytes(assembled(isa(), "illegal r1, r0, 0").try_into().expect("two bytes")));
        assert_eq!(kind(&stopped), FaultKind::RaisedAgain(1, word));
        assert_eq!((m.pc(), m.steps(), get(m, ["why", "back"])), (HANDLER, 1, [7, 0x1002]));
        assert_eq!(m.run(100), stopped);
        // Elsewhere it goes on.
        m.set_pc(BASE + 2);
        assert_eq!(kind(&m.run(100)), FaultKind::RaisedAgain(1, word));
        m.set("r0", 1).expect("a register");
        assert_eq!(m.run(1), Stopped::Budget);
    });
    // Exceptions in the handler of interrupts, and in the handler of those.
    on_both("level r0, r0, 1; on r0, r0, 1; stop r0, r0, 0", "trap r0, r0, 0; trap r0, r0, 0", |m| {
        attach(m, Alarm::at(0), TIMER);
        assert_eq!(kind(&m.run(100)), FaultKind::RaisedAgain(7, HANDLER + 2));
        assert_eq!((m.pc(), m.steps()), (HANDLER, 2));
    });
}

#[test]
fn one_instruction_is_between_two_interrupts() {
    // The line stays active: nothing else is executed than the handler.
    on_both("level r0, r0, 1; on r0, r0, 1; add r1, r1, 1; stop r0, r0, 0", "stop r0, r0, 0; back r0, r0, 0", |m| {
        attach(m, Alarm::at(0), TIMER);
        assert_eq!((m.run(1000), m.steps(), get(m, ["r1"])), (Stopped::Budget, 1000, [0]));
    });
    on_both(
        "level r0, r0, 1; on r0, r0, 1; add r1, r1, 1; stop r0, r0, 0",
        "stop r0, r0, 0; on r0, r0, 1; nothing r0, r0, 0",
        |m| {
            attach(m, Alarm::at(0), TIMER);
            assert_eq!((m.run(1000), m.pc(), get(m, ["back"])), (Stopped::Budget, HANDLER + 4, [0x104]));
        },
    );
}

#[test]
fn devices_answer_and_refuse() {
    for (text, cause, value) in [
        ("in r1, r5, 0", 0, 0),
        ("in r1, r5, 3", 4, 0x13),
        ("out r1, r5, 2", 5, 0x12),
        // There is memory beside it.
        ("in r1, r5, 4", 0, 0),
        // Half of an access is beyond its end.
        ("set r5, 0x2000; load r1, r5, 4", 4, 0x2004),
        ("set r5, 0x2000; load r1, r5, 6", 0, 0),
        ("set r5, 0x2000; store r1, r5, 0", 5, 0x2000),
        ("set r5, 0x2000; store r1, r5, 2", 0, 0),
    ] {
        on_both(&format!("{text}; stop r0, r0, 0"), "stop r0, r0, 0", |m| {
            attach(m, Alarm::at(0), None);
            m.attach(MEMORY, 0x2001, Box::new(Alarm::default()), None, 1).expect("it can be there");
            m.set("r5", 0x10).expect("a register");
            assert_eq!(m.run(100), ENDED);
            assert_eq!(get(m, ["why", "what"]), [cause, value], "{text}");
        });
    }
    // Without what handles it, it is the end: so the reason can be read.
    let stopped = on_both("in r1, r5, 3", "", |m| {
        attach(m, Alarm::at(0), None);
        m.set("r5", 0x10).expect("a register");
        m.set_host(Takes);
        m.run(100)
    });
    assert_eq!(
        stopped.to_string(),
        "a read of 1 byte at 0x13 of `ports`: the device refuses it: it is only written\n  at 0x1000: in r1, r5, 0x3"
    );
    // A device that is used is asked what it signals, also by an instruction that raises then.
    on_both("acknowledge r0, r0, 0; stop r0, r0, 0", "read r5, s5; stop r0, r0, 0", |m| {
        m.attach(PORTS, 0, Box::new(Alarm::at(0)), TIMER, 1).expect("it can be there");
        assert_eq!((m.run(100), get(m, ["why", "r5"])), (ENDED, [9, 0]));
    });
    on_both("nothing r0, r0, 0; nothing r0, r0, 0; stop r0, r0, 0", "", |m| {
        m.watch(PORTS, Watch { at: 0..=0x7f, reads: true, writes: true });
        attach(m, Alarm::at(1), BUTTON);
        assert_eq!(m.run(100), ENDED);
    });
}

#[test]
fn devices_are_where_they_can_be() {
    on_both("stop r0, r0, 0", "", |m| {
        let mut attach = |space, at, line| m.attach(space, at, Box::new(Alarm::default()), line, 1);
        assert_eq!(attach(PORTS, 0x10, Some(1)), Ok(()));
        assert_eq!(attach(PORTS, 0xd, None), Err(BadRegion::Overlap(0x10)));
        assert_eq!(attach(PORTS, 0x13, None), Err(BadRegion::Overlap(0x13)));
        assert_eq!(attach(PORTS, 0xc, None), Ok(()));
        assert_eq!(attach(PORTS, 0x7d, None), Err(BadRegion::Outside(0x7f)));
        assert_eq!(attach(PORTS, 0x7c, None), Ok(()));
        assert_eq!(attach(MEMORY, 0xfffd, None), Err(BadRegion::Outside(0xffff)));
        assert_eq!(attach(MEMORY, u64::MAX, None), Err(BadRegion::Outside(0xffff)));
        assert_eq!(attach(2, 0, None), Err(BadRegion::NoSpace));
        assert_eq!(attach(MEMORY, 0, Some(2)), Err(BadRegion::NoLine));
        assert_eq!(BadRegion::Overlap(0x10).to_string(), "another device is at 0x10");
    });
}

/// Takes all faults.
struct Takes;

impl Host for Takes {
    fn leaves_faults(&self) -> bool {
        false
    }

    fn call(&mut self, _: &mut Guest<'_>) -> Answer {
        Answer::Nothing
    }
}

/// Answers calls, and leaves faults to the machine.
struct Answers;

impl Host for Answers {
    fn call(&mut self, guest: &mut Guest<'_>) -> Answer {
        guest.set_register((0, 1), 5);
        Answer::GoOn
    }
}

#[test]
fn a_host_can_take_faults() {
    let end = |text: &str| {
        let stopped = on_both(text, "stop r0, r0, 0; stop r0, r0, 0", |m| {
            m.set_host(Takes);
            attach(m, Alarm::at(0), TIMER);
            let stopped = m.run(100);
            assert_eq!(m.pc(), BASE + if text.contains(';') { 4 } else { 0 });
            stopped
        });
        kind(&stopped)
    };
    assert_eq!(end("raise r1, r0, 6"), FaultKind::Raised(6, 0));
    assert_eq!(end("level r0, r0, 1; on r0, r0, 1; nothing r0, r0, 0"), FaultKind::Raised(0x8001, BASE + 4));
    assert_eq!(end("trap r1, r0, 0"), FaultKind::Trap);
    assert_eq!(end("ask r1, r0, 0"), FaultKind::NoHost);
    assert!(matches!(end("illegal r1, r0, 0"), FaultKind::NotExecutable(_)));
    assert!(matches!(end("load r1, r0, 1"), FaultKind::Memory { .. }));
    on_both("ask r0, r0, 0; trap r0, r0, 0", "stop r0, r0, 0", |m| {
        m.set_host(Answers);
        assert_eq!((m.run(100), m.steps(), get(m, ["r1", "why"])), (ENDED, 2, [5, 7]));
    });
}

#[test]
fn breakpoints_at_what_is_interrupted_and_what_handles_it() {
    on_both(
        "level r0, r0, 1; on r0, r0, 1; add r2, r2, 1; stop r0, r0, 0",
        "stop r0, r0, 0; out r6, r5, 0; back r0, r0, 0",
        |m| {
            attach(m, Alarm::at(0), TIMER);
            m.set("r5", 0x10).expect("a register");
            m.add_breakpoint(0x1004);
            m.add_breakpoint(HANDLER + 2);
            // Before the breakpoint of the program comes the interrupt.
            assert_eq!((m.run(100), m.steps()), (Stopped::Breakpoint(HANDLER + 2), 2));
            assert_eq!((m.run(100), m.steps()), (Stopped::Breakpoint(0x1004), 4));
            assert_eq!((m.run(100), get(m, ["r2"])), (ENDED, [1]));
        },
    );
}

/// The machine of docs/semantics.md.
#[test]
fn the_example_of_the_reference_runs() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/semantics.md");
    let page = std::fs::read_to_string(page).expect("the page is there");
    let text = page.split("```yaml\n").find_map(|part| part.strip_prefix("# bell.yaml\n")).expect("the example");
    let text = text.split("```").next().expect("its end");
    let loaded = isa_spec::load_texts("bell.yaml", &[("bell.yaml", text)]);
    assert_eq!(loaded.diagnostics, []);
    let isa = loaded.isa.expect("it is right");
    let reference = Reference::new(&isa).expect("it can be simulated");
    let run = |program: &str, handler: &str, bell: u64| {
        let mut machine = Machine::new(&reference).expect("one lane");
        machine.load(0, &assembled(&isa, program)).expect("memory");
        machine.load(0x20, &assembled(&isa, handler)).expect("memory");
        machine.attach(MEMORY, 0x8000, Box::new(Alarm::at(bell)), Some(0), 1).expect("it can be there");
        (machine.run(100), machine.steps(), get(&machine, ["r1", "r2", "r3", "why", "back"]))
    };
    let program = "set r1, s0, 5; div r1, s0, 20; set r2, s0, 0; div r2, s0, 7; read r3, s2, 0; stop r0, s0, 0";
    assert_eq!(run(program, "read r2, s1, 0; back r0, s0, 2", 100), (ENDED, 7, [4, 4, 5, 4, 6]));
    let program = "set r1, s0, 3; write r1, s3, 0; read r2, s3, 0; on r0, s0, 1; write r1, s1, 0; stop r0, s0, 0";
    assert_eq!(run(program, "stop r0, s0, 0", 100), (ENDED, 5, [3, 3, 0, 1, 8]));
    assert_eq!(run(program, "stop r0, s0, 0", 2), (ENDED, 5, [3, 3, 0, 0x8000, 8]));
    assert_eq!(run("= f000", "stop r0, s0, 0", 100), (ENDED, 1, [0, 0, 0, 1, 0]));
}
