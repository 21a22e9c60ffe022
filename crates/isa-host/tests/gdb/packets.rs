//! Packets and their answers.

use super::client::{Send, frame, packets, replies, talk, talk_until};
use super::{START, engine, machine};
use isa_host::gdb::End;
use isa_sim::{Answer, Exit, Guest, Host, Stopped};
use std::sync::atomic::AtomicBool;

/// The bytes of a number in hexadecimal.
fn hex(value: u64) -> String {
    value.to_le_bytes().iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The text of an `O` packet.
fn console(answer: &str) -> String {
    let digits = answer.strip_prefix('O').expect("console output").as_bytes();
    let byte = |pair: &[u8]| u8::from_str_radix(std::str::from_utf8(pair).expect("digits"), 16).expect("a byte");
    String::from_utf8(digits.chunks(2).map(byte).collect()).expect("text")
}

#[test]
fn the_description_has_the_registers() {
    let engine = engine();
    let (answers, end) = replies(
        &mut machine(&*engine),
        &[
            "qSupported:multiprocess+;swbreak+;hwbreak+",
            "qXfer:features:read:target.xml:0,3fff",
            "qXfer:features:read:none.xml:0,10",
            "?",
        ],
    );
    assert!(answers[0].contains("PacketSize=4000;") && answers[0].contains(";qXfer:features:read+"), "{}", answers[0]);
    assert!(answers[1].starts_with("m<?xml version=\"1.0\"?>"));
    for line in [
        "<architecture>riscv:rv64</architecture>",
        "<feature name=\"org.gnu.gdb.riscv.cpu\">\n    <reg name=\"zero\" bitsize=\"64\" type=\"int\"/>",
        "<reg name=\"sp\" bitsize=\"64\" type=\"data_ptr\"/>",
        "<reg name=\"pc\" bitsize=\"64\" type=\"code_ptr\"/>\n  </feature>",
        "<reg name=\"fa0\" bitsize=\"64\" type=\"ieee_double\"/>",
        "<feature name=\"isagen.state\">",
        "<reg name=\"reserved\" bitsize=\"8\" type=\"uint8\"/>",
    ] {
        assert!(answers[1].contains(line), "{line} is not in\n{}", answers[1]);
    }
    assert_eq!(answers[2..], ["E79", "T05thread:p01.01;"]);
    assert!(matches!(end, End::Lost(_)));
}

#[test]
fn registers_are_read_and_written() {
    let engine = engine();
    let mut machine = machine(&*engine);
    machine.set("a0", 0x1234).expect("a register");
    let write = format!("P0a={}", hex(0xfeed));
    let (answers, _) = replies(&mut machine, &["g", "p20", "p0a", &write, "p0a", "P0=0100000000000000", "p0", "P0a=00", "p1000"]);
    assert_eq!(answers[0][10 * 16..11 * 16], hex(0x1234));
    assert_eq!(answers[0][32 * 16..33 * 16], hex(START));
    assert_eq!(answers[1..], [&hex(START), &hex(0x1234), "OK", &hex(0xfeed), "OK", &hex(0), "E16", "E16"]);

    // All registers, with another address.
    let all = format!("G{}{}{}", &answers[0][..32 * 16], hex(START + 4), &answers[0][33 * 16..]);
    let (answers, _) = replies(&mut machine, &[&all, "p20", "p0a", "G00"]);
    assert_eq!(answers, ["OK", &hex(START + 4), &hex(0x1234), "E16"]);
}

#[test]
fn memory_is_read_and_written() {
    let engine = engine();
    let (answers, _) = replies(
        &mut machine(&*engine),
        &[
            "m1000,8",
            "M2000,4:01020304",
            "m2000,6",
            "mfffffffffffffffe,10",
            "m1000,ffffffffffffffff",
            "m1000,fffffffffffffffffffffff",
            "Mfffffffffffffffe,4:00000000",
            "M2000,0:",
            // `li a0, 7` in the place of `li a0, 5`: instructions are fetched again.
            "s",
            "M1000,4:13057000",
            "P20=0010000000000000",
            "s",
            "p0a",
        ],
    );
    assert_eq!(answers[..4], ["13055000b7250000", "OK", "010203040000", "0000"]);
    assert_eq!((answers[4].len(), answers[5].len()), (0x4000 - 64, 0x4000 - 64));
    assert_eq!(answers[6..], ["E0e", "OK", "S05", "OK", "OK", "S05", &hex(7)]);
}

#[test]
fn breakpoints_stop_the_program() {
    let engine = engine();
    let (answers, end) = replies(
        &mut machine(&*engine),
        &[
            "Z0,1010,4",
            "c",
            "p20",
            "vCont;c",
            "p0a",
            "Z1,1010,4",
            "z0,1010,4",
            "c",
            "z1,1010,4",
            "z1,1010,4",
            "Z0,1018,4",
            "vCont;c",
            "s",
            "D",
        ],
    );
    let trap = console(&answers[12]);
    assert_eq!(trap, "trap\n  at 0x1018: ebreak\n");
    assert_eq!(
        answers,
        [
            "OK",
            "T05thread:01;swbreak:;",
            &hex(0x1010),
            "T05thread:01;swbreak:;",
            &hex(4),
            "OK",
            "OK",
            "T05thread:01;hwbreak:;",
            "OK",
            "E16",
            "OK",
            "T05thread:01;swbreak:;",
            &answers[12],
            "T05thread:01;",
            "OK",
        ]
    );
    assert!(matches!(end, End::Detached));
}

#[test]
fn a_slice_that_ends_at_a_breakpoint_stops_there() {
    let engine = engine();
    let mut machine = machine(&*engine);
    // Nine nops, and a jump back: every slice of 100,000 instructions ends where it began.
    let code: Vec<u8> =
        [[0x00000013u32; 9].as_slice(), &[0xfddff06f]].concat().iter().flat_map(|word| word.to_le_bytes()).collect();
    machine.load(START, &code).expect("there is memory");
    let (answers, _) = replies(&mut machine, &["Z0,1000,4", "c", "c", "P20=2410000000000000", "Z0,1024,4", "c", "c", "s"]);
    let stop = "T05thread:01;swbreak:;";
    assert_eq!(answers, ["OK", stop, stop, "OK", "OK", stop, stop, "S05"]);
}

#[test]
fn watchpoints_stop_after_the_access() {
    let engine = engine();
    let mut machine = machine(&*engine);
    let (answers, end) = replies(
        &mut machine,
        &[
            "Z2,2004,2",
            "c",
            "p20",
            "z2,2004,2",
            "Z3,2000,1",
            "c",
            "p20",
            "Z4,2001,1",
            "z3,2000,1",
            "c",
            "p20",
            "z4,2001,1",
            "z4,2001,1",
            "Z2,2000,0",
            "Z2,2000,8",
        ],
    );
    let stop = |kind: &str| format!("T05thread:01;{kind};");
    assert_eq!(
        answers,
        [
            "OK",
            &stop("watch:2004"),
            &hex(0x100c),
            "OK",
            "OK",
            &stop("rwatch:2000"),
            &hex(0x1010),
            "OK",
            "OK",
            &stop("awatch:2001"),
            &hex(0x100c),
            "OK",
            "E16",
            "E16",
            "OK",
        ]
    );
    // Nothing is watched after GDB is gone.
    assert!(matches!(end, End::Lost(_)));
    assert!(matches!(machine.run(1000), Stopped::Fault(_)));
}

#[test]
fn faults_are_signals() {
    let engine = engine();
    let mut machine = machine(&*engine);
    machine.program().expect("memory").clear();
    machine.program().expect("memory").map(START..=START + 0xfff, isa_sim::Rights::ALL);
    let code: Vec<u8> = super::PROGRAM.iter().flat_map(|word| word.to_le_bytes()).collect();
    machine.load(START, &code).expect("there is memory");
    let (answers, end) = replies(
        &mut machine,
        &[
            "c",
            "p20",
            "P20=1c10000000000000",
            "c",
            "P20=2410000000000000",
            "c",
            "P20=2810000000000000",
            "c",
            "p20",
            "m1ffc,8",
            "vCont;C0b:p1.-1",
        ],
    );
    assert_eq!(
        console(&answers[0]),
        "a write of 8 bytes at 0x2000 of `memory`: there is no memory at 0x2000\n  at 0x1008: sd a0,0(a1)\n"
    );
    assert_eq!(answers[1..4], ["T0bthread:01;", &hex(0x1008), "OK"]);
    assert_eq!(console(&answers[4]), "the program calls its host, and has none\n  at 0x101c: ecall\n");
    assert_eq!(answers[5..7], ["T06thread:01;", "OK"]);
    assert_eq!((answers[8].as_str(), answers[9].as_str()), ("T04thread:01;", "OK"));
    assert_eq!(answers[11..], ["T0bthread:01;", &hex(0x102c), "00000000", "X0b"]);
    assert!(matches!(end, End::Exited(Exit::Signal(11, "SIGSEGV"))));
}

struct Leaves(Exit);

impl Host for Leaves {
    fn call(&mut self, _guest: &mut Guest<'_>) -> Answer {
        Answer::Exit(self.0.clone())
    }
}

#[test]
fn the_end_of_a_program_is_told() {
    let engine = engine();
    for (exit, answer) in [(Exit::Status(7), "W07"), (Exit::Signal(7, "SIGBUS"), "X0a")] {
        let mut machine = machine(&*engine);
        machine.set_host(Leaves(exit.clone()));
        machine.set_pc(0x101c);
        let (answers, end) = replies(&mut machine, &["c", "g"]);
        assert_eq!(answers, [answer]);
        assert!(matches!(end, End::Exited(found) if found == exit));
    }
    for (kill, answer) in [("k", &[][..]), ("vKill;1", &["OK"])] {
        let (answers, end) = replies(&mut machine(&*engine), &[kill]);
        assert_eq!(answers, answer);
        assert!(matches!(end, End::Killed));
    }
}

#[test]
fn a_running_program_is_interrupted() {
    let engine = engine();
    let mut machine = machine(&*engine);
    machine.set_pc(0x1020);
    let mut sends = packets(&["c"]);
    sends.push(Send::Running(vec![3]));
    sends.extend(packets(&["p20", "D"]));
    let (answers, end) = talk(&mut machine, sends);
    assert_eq!(answers, ["+", "S02", "+", &hex(0x1020), "+", "OK"]);
    assert!(matches!(end, End::Detached));
}

#[test]
fn a_flag_ends_the_session() {
    let engine = engine();
    let mut machine = machine(&*engine);
    machine.set_pc(0x1020);
    let (answers, end) = talk_until(&mut machine, packets(&["c", "g"]), &AtomicBool::new(true));
    assert_eq!(answers, ["+"]);
    assert!(matches!(end, End::Interrupted));
}

#[test]
fn packets_are_acknowledged_and_sent_again() {
    let engine = engine();
    let mut sends = vec![Send::Stopped(b"$p20#00".to_vec()), Send::Stopped(b"$p20#zz".to_vec())];
    sends.extend(packets(&["p20"]));
    sends.push(Send::Stopped(b"-".to_vec()));
    sends.extend(packets(&["QStartNoAckMode", "p20"]));
    let (answers, _) = talk(&mut machine(&*engine), sends);
    let pc = hex(START);
    assert_eq!(answers, ["-", "-", "+", &pc, &pc, "+", "OK", &pc]);
}

#[test]
fn garbage_is_refused() {
    let engine = engine();
    let long = format!("M2000,3000:{}", "00".repeat(0x3000));
    let bad = [
        "qSupported:multiprocess+",
        "Z0,xyz",
        "?",
        "m1000,ffffffffff,8",
        "p",
        "G0",
        "vCont;",
        "",
        "nothing",
        "Hg",
        "qSupported:\u{1}=",
        "Zz",
        &long,
        "?",
    ];
    let (answers, end) = replies(&mut machine(&*engine), &bad);
    assert_eq!(answers[1..3], ["E01", "T05thread:p01.01;"], "what was agreed on stays");
    assert_eq!(answers[3..10], ["E01", "E01", "E16", "E01", "", "", "E01"]);
    assert_eq!(answers[11..13], ["E01", "E01"], "a packet that is too long is refused");
    assert!(answers.last().is_some_and(|answer| answer.starts_with("T05")), "{answers:?}");
    assert!(matches!(end, End::Lost(_)));

    // A client that leaves in the middle of a packet, and one that never ends it.
    for cut in [&b"$m1000,"[..], &b"$"[..], &b"$?#3"[..], &[b'a'; 100_000][..], &[b'$'; 100_000][..]] {
        let (_, end) = talk(&mut machine(&*engine), vec![Send::Stopped(cut.to_vec())]);
        assert!(matches!(end, End::Lost(_)));
    }
}

#[test]
fn no_packet_panics() {
    let engine = engine();
    let seeds = [
        "m1000,8",
        "M2000,2:0102",
        "p20",
        "P20=0010000000000000",
        "Z0,1000,4",
        "Z2,2000,8",
        "vCont;s:p1.1",
        "qXfer:features:read:target.xml:0,100",
        "qSupported:multiprocess+;xmlRegisters=riscv",
        "Hgp1.1",
        "Tp1.1",
        "X2000,2:ab",
        "s",
        "vCont?",
        "qfThreadInfo",
        "qRcmd,00",
        "vKil;1",
        "G00",
        "QStartNoAckMode",
    ];
    let mut random = 1u64;
    let mut next = move |most: usize| {
        random = random.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (random >> 33) as usize % most
    };
    for _ in 0..200 {
        let sends = (0..60).map(|_| {
            let mut body = seeds[next(seeds.len())].as_bytes().to_vec();
            for _ in 0..next(4) {
                let at = next(body.len());
                match next(3) {
                    0 => body[at] = b"0123456789abcdefzZ,;:=.-\xff\x03}"[next(27)],
                    1 => body.insert(at, b"f0;,:"[next(5)]),
                    _ => body.truncate(at.max(1)),
                }
            }
            Send::Stopped(frame(&body))
        });
        talk(&mut machine(&*engine), sends.collect());
    }
}
