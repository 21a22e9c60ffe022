//! GDB itself, which `ISA_GDB` names: `ISA_GDB=gdb-multiarch cargo test -p isa-host --test gdb -- --ignored`.

use super::{PROGRAM, START, engine, machine};
use isa_host::gdb::{End, listen, serve};
use isa_sim::{Exit, Stopped};
use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::atomic::AtomicBool;
use std::thread;

/// An ELF file of the program with a symbol `start`, so that GDB can tell the architecture without the target.
fn elf() -> Vec<u8> {
    let code: Vec<u8> = PROGRAM.iter().flat_map(|word| word.to_le_bytes()).collect();
    let size = code.len() as u64;
    let mut file = Vec::new();
    let half = |file: &mut Vec<u8>, values: &[u16]| values.iter().for_each(|value| file.extend(value.to_le_bytes()));
    file.extend(b"\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0");
    half(&mut file, &[2, 243, 1, 0]);
    // Entry, program headers, section headers.
    [START, 64, 0].iter().for_each(|value| file.extend(value.to_le_bytes()));
    half(&mut file, &[0, 0, 64, 56, 1, 64, 0, 0]);
    half(&mut file, &[1, 0, 5, 0]);
    [0x1000, START, START, size, size, 0x1000].iter().for_each(|value: &u64| file.extend(value.to_le_bytes()));
    file.resize(0x1000, 0);
    file.extend(code);
    file
}

/// Runs commands in GDB: its output, and the end.
fn session(commands: &str) -> (String, End) {
    session_of(commands, |folder| fs::write(folder.join("program.elf"), elf()).expect("a file"))
}

/// The same, with a program that is written as `program.elf` into a folder.
fn session_of(commands: &str, program: impl FnOnce(&Path)) -> (String, End) {
    let gdb = std::env::var_os("ISA_GDB").expect("ISA_GDB names GDB");
    let folder = std::env::temp_dir().join(format!("isagen-gdb-{}-{}", std::process::id(), commands.len()));
    fs::create_dir_all(&folder).expect("a folder");
    program(&folder);
    let engine = engine();
    let mut machine = machine(&*engine);
    let mut client = None;
    let mut connection = listen(0, |at| {
        let script = format!("set pagination off\nset confirm off\ntarget remote {at}\n{commands}");
        fs::write(folder.join("script"), script).expect("a file");
        let mut command = Command::new(gdb);
        command.args(["-q", "-nx", "-batch", "-x", "script", "program.elf"]).current_dir(&folder);
        client = Some(thread::spawn(move || command.output().expect("GDB runs")));
    })
    .expect("a port is free");
    let end = serve(&mut machine, "rv64gc", &mut connection, &AtomicBool::new(false));
    drop(connection);
    let output = client.expect("it was started").join().expect("GDB ends");
    let _ = fs::remove_dir_all(&folder);
    if matches!(end, End::Detached) {
        assert!(matches!(machine.run(100), Stopped::Fault(_)), "no breakpoint is left");
    }
    let text = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat();
    println!("{text}");
    (text, end)
}

fn assert_lines(text: &str, lines: &[&str]) {
    let mut rest = text;
    for line in lines {
        let Some(at) = rest.find(line) else { panic!("`{line}` does not follow in\n{text}") };
        rest = &rest[at + line.len()..];
    }
}

#[test]
#[ignore = "needs GDB, which ISA_GDB names"]
fn gdb_debugs_a_program() {
    let commands = "
info registers pc sp
x/4i $pc
break *0x1010
continue
info registers a0 a2
stepi
print $a0
print $pc
set $a0 = 9
print $a0
set $fa0 = 1.5
print $fa0
print $reserved
set {long}0x2100 = 0x1122334455667788
x/2xw 0x2100
x/8xb 0x2100
delete
hbreak *0x1014
continue
delete
watch *(long*)0x2000
continue
continue
info registers pc
delete
rwatch *(int*)0x2000
continue
info registers pc
delete
continue
info registers pc a0
set $pc = 0x1020
shell (sleep 1; kill -INT $PPID) > /dev/null 2>&1 &
continue
info registers pc
set $pc = 0x1024
continue
set $pc = 0x1000
break *0x1010
detach
";
    let (text, end) = session(commands);
    assert_lines(
        &text,
        &[
            "0x1000",
            "li\ta0,5",
            "Breakpoint 1, 0x0000000000001010",
            "a0             0x5\t5",
            "$1 = 4",
            "$2 = (void (*)()) 0x1014",
            "$3 = 9",
            "1.5",
            "= 0",
            "0x2100:\t0x55667788\t0x11223344",
            "0x2100:\t0x88",
            "Breakpoint 2, 0x0000000000001014",
            "Hardware watchpoint 3: *(long*)0x2000",
            "Old value = ",
            "Hardware read watchpoint 4",
            "Program received signal SIGTRAP",
            "pc             0x1018\t0x1018",
            "Program received signal SIGINT",
            "pc             0x1020\t0x1020",
            "Program received signal SIGILL",
            "Breakpoint 5 at 0x1010",
            "detached",
            "trap\n  at 0x1018: ebreak\n",
            "no word begins with 0xffff",
        ],
    );
    assert!(matches!(end, End::Detached));
}

#[test]
#[ignore = "needs GDB, which ISA_GDB names"]
fn gdb_is_told_of_faults_and_ends_programs() {
    let commands = "
set $pc = 0x102c
set $a3 = -8
continue
info registers pc a3
continue
";
    let (text, end) = session(commands);
    assert_lines(&text, &["Program received signal SIGSEGV", "-8", "Program terminated with signal SIGSEGV"]);
    assert!(matches!(end, End::Exited(Exit::Signal(11, "SIGSEGV"))));

    let (_, end) = session("stepi\nkill\n");
    assert!(matches!(end, End::Killed));
}

/// A program that GDB steps through, line by line.
const SOURCE: &str = "
int table[64];
static int square(int n) {
    int result = n * n;
    return result;
}
int fill(int count) {
    int sum = 0;
    for (int i = 0; i < count; i++) {
        table[i] = square(i);
        sum += table[i];
    }
    return sum;
}
void _start(void) {
    int sum = fill(40);
    table[0] = sum;
    __asm__ volatile(\"ebreak\");
}
";

#[test]
#[ignore = "needs GDB, which ISA_GDB names"]
fn gdb_steps_through_source() {
    // `load` writes the program by packets.
    let commands = "
load
set $sp = 0x80000
break square if n == 3
continue
backtrace
next
print result
finish
step
print sum
info locals
watch sum
continue
delete
tbreak 17
continue
print sum
next
print table[0]
continue
kill
";
    let compile = |folder: &Path| {
        fs::write(folder.join("program.c"), SOURCE).expect("a file");
        let mut compiler = Command::new("riscv64-linux-gnu-gcc");
        compiler.args(["-g", "-O0", "-static", "-nostdlib", "-fno-pic", "-no-pie", "-o", "program.elf", "program.c"]);
        assert!(compiler.current_dir(folder).status().expect("a compiler").success());
    };
    let (text, end) = session_of(commands, compile);
    assert_lines(
        &text,
        &[
            "Breakpoint 1, square (n=3) at program.c:4",
            "#0  square (n=3)",
            "in fill (count=40)",
            "in _start ()",
            "$1 = 9",
            "Value returned is $2 = 9",
            "$3 = 5",
            "Old value = 5",
            "New value = 14",
            "Temporary breakpoint 3, _start () at program.c:17",
            "$4 = 20540",
            "$5 = 20540",
            "Program received signal SIGTRAP",
            "killed]",
        ],
    );
    assert!(!text.contains("Remote connection closed"), "{text}");
    assert!(matches!(end, End::Killed));
}
