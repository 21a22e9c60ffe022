//! Every instruction of F and D, in every direction of rounding, against QEMU: results and flags; and their use in C programs:
//! texts of floats, both ways, and libm. `ISA_QEMU` names its program (`qemu-riscv64`); `ISA_RANDOM` is the number of
//! random operands for each instruction and each function. `riscv64-linux-gnu-gcc` compiles the programs.
//!
//! ```text
//! ISA_QEMU=qemu-riscv64 cargo test --release -p isa-host --test floats -- --ignored --nocapture
//! ```

#[path = "../support/kept.rs"]
mod kept;

use isa_host::linux::{self, Options, Stream};
use isa_object::Executable;
use isa_sim::{Exit, Machine, Stopped};
use kept::Kept;
use std::ffi::OsStr;
use std::fmt::Write as _;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

const DIRECTIONS: [(&str, Option<u32>); 10] = [
    ("rne", None),
    ("rtz", None),
    ("rdn", None),
    ("rup", None),
    ("rmm", None),
    ("dyn", Some(0)),
    ("dyn", Some(1)),
    ("dyn", Some(2)),
    ("dyn", Some(3)),
    ("dyn", Some(4)),
];

/// The functions and the table that `floats.c` includes.
#[derive(Default)]
struct Operations {
    functions: String,
    table: String,
    count: usize,
}

impl Operations {
    /// Adds an instruction with operands of these types, in the direction of `frm`.
    fn add(&mut self, name: &str, operands: &str, result: char, text: &str, frm: u32) {
        let moves = operands.chars().enumerate().map(|(i, kind)| match kind {
            'i' => format!("mv t{i}, %{}\\n", i + 2),
            _ => format!("fmv.d.x ft{i}, %{}\\n", i + 2),
        });
        let moves: String = moves.collect();
        let back = if result == 'i' { "mv %0, t5" } else { "fmv.x.d %0, ft5" };
        let code = format!("{moves}fsrmi {frm}\\nfsflagsi 0\\n{text}\\nfrflags %1\\n{back}\\nfsrmi 0");
        let clobbered = r#""t0", "t1", "t2", "t5", "ft0", "ft1", "ft2", "ft5""#;
        let n = self.count;
        writeln!(
            self.functions,
            "static u64 f{n}(u64 a, u64 b, u64 c, u64 *flags) {{\n    u64 r, f;\n    __asm__ volatile(\"{code}\" : \"=&r\"(r), \"=&r\"(f) : \"r\"(a), \
             \"r\"(b), \"r\"(c) : {clobbered});\n    *flags = f;\n    return r;\n}}"
        )
        .expect("a String");
        writeln!(self.table, "    {{ \"{name}\", f{n}, \"{operands}\" }},").expect("a String");
        self.count += 1;
    }

    /// Adds an instruction that rounds, in every direction.
    fn rounded(&mut self, name: &str, operands: &str, result: char, places: &str) {
        for (direction, frm) in DIRECTIONS {
            let full = format!("{name}.{direction}{}", frm.map_or(String::new(), |frm| frm.to_string()));
            self.add(&full, operands, result, &format!("{name} {places}, {direction}"), frm.unwrap_or(0));
        }
    }

    fn all() -> Self {
        let mut made = Self::default();
        for format in ["s", "d"] {
            let [one, two, three] = [1, 2, 3].map(|n| format.repeat(n));
            for op in ["fadd", "fsub", "fmul", "fdiv"] {
                made.rounded(&format!("{op}.{format}"), &two, 'f', "ft5, ft0, ft1");
            }
            for op in ["fmadd", "fmsub", "fnmsub", "fnmadd"] {
                made.rounded(&format!("{op}.{format}"), &three, 'f', "ft5, ft0, ft1, ft2");
            }
            made.rounded(&format!("fsqrt.{format}"), &one, 'f', "ft5, ft0");
            for integer in ["w", "wu", "l", "lu"] {
                made.rounded(&format!("fcvt.{integer}.{format}"), &one, 'i', "t5, ft0");
                if format == "s" || integer.starts_with('l') {
                    made.rounded(&format!("fcvt.{format}.{integer}"), "i", 'f', "ft5, t0");
                }
            }
            for op in ["fsgnj", "fsgnjn", "fsgnjx", "fmin", "fmax"] {
                made.add(&format!("{op}.{format}"), &two, 'f', &format!("{op}.{format} ft5, ft0, ft1"), 0);
            }
            for op in ["feq", "flt", "fle"] {
                made.add(&format!("{op}.{format}"), &two, 'i', &format!("{op}.{format} t5, ft0, ft1"), 0);
            }
            made.add(&format!("fclass.{format}"), &one, 'i', &format!("fclass.{format} t5, ft0"), 0);
        }
        made.rounded("fcvt.s.d", "d", 'f', "ft5, ft0");
        made.add("fcvt.d.s", "s", 'f', "fcvt.d.s ft5, ft0", 0);
        for op in ["fcvt.d.w", "fcvt.d.wu", "fmv.w.x", "fmv.d.x"] {
            made.add(op, "i", 'f', &format!("{op} ft5, t0"), 0);
        }
        for op in ["fmv.x.w", "fmv.x.d"] {
            made.add(op, "b", 'i', &format!("{op} t5, ft0"), 0);
        }
        made
    }
}

/// A program compiled from a source of this folder, in a folder of its own.
struct Compiled {
    folder: PathBuf,
    program: PathBuf,
}

impl Compiled {
    /// Compiles `NAME.c`, which may include `header`.
    fn new(name: &str, header: &str, options: &[&str]) -> Self {
        let folder = env::temp_dir().join(format!("isa-host-{name}-{}", std::process::id()));
        fs::create_dir(&folder).expect("a directory");
        fs::write(folder.join("operations.h"), header).expect("a file");
        let program = folder.join(name);
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/floats").join(name).with_extension("c");
        let built = Command::new("riscv64-linux-gnu-gcc")
            .args(["-static", "-march=rv64gc", "-mabi=lp64d", "-I"])
            .args([&folder, Path::new("-o"), &program, &source])
            .args(options)
            .status()
            .expect("a compiler");
        assert!(built.success(), "{}", source.display());
        Self { folder, program }
    }

    /// The output on the compiled engine.
    fn here(&self, random: &str) -> String {
        let executable = fs::read(&self.program).expect("the program");
        let executable = Executable::parse(&executable).expect("an executable");
        let engine = generated::rv64gc::sim::Compiled::new();
        let mut machine = Machine::new(&engine).expect("a core");
        let output = Kept::default();
        let options = Options {
            arguments: vec![b"floats".to_vec(), random.as_bytes().to_vec()],
            output: Stream { io: Box::new(output.clone()) as Box<dyn Write>, is_terminal: false, file: None },
            ..Options::default()
        };
        linux::start(&mut machine, &executable, options).expect("a process");
        let stopped = machine.run(u64::MAX);
        assert_eq!(stopped, Stopped::Exit(Exit::Status(0)));
        String::from_utf8(output.0.take()).expect("a text")
    }

    fn under_qemu(&self, qemu: &OsStr, random: &str) -> String {
        let output = Command::new(qemu).arg(&self.program).arg(random).output().expect("QEMU");
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stdout).expect("a text")
    }

    /// Compares the outputs line by line, and returns the last line.
    fn compare(self, qemu: &OsStr) -> String {
        let random = env::var("ISA_RANDOM").unwrap_or_else(|_| "1000".into());
        let (here, there) = (self.here(&random), self.under_qemu(qemu, &random));
        fs::remove_dir_all(&self.folder).expect("a directory");
        let wrong: Vec<(&str, &str)> = here.lines().zip(there.lines()).filter(|(here, there)| here != there).collect();
        assert_eq!(wrong, []);
        assert_eq!(here.lines().count(), there.lines().count());
        here.lines().last().unwrap_or_default().to_owned()
    }
}

#[test]
#[ignore = "needs QEMU, which ISA_QEMU names"]
fn instructions_are_those_of_qemu() {
    let qemu = env::var_os("ISA_QEMU").expect("ISA_QEMU names qemu-riscv64");
    let Operations { functions, table, .. } = Operations::all();
    let header = format!("{functions}static const struct Operation OPERATIONS[] = {{\n{table}}};\n");
    let last = Compiled::new("floats", &header, &["-O1"]).compare(&qemu);
    println!("{last} operations");
}

#[test]
#[ignore = "needs QEMU, which ISA_QEMU names"]
fn texts_and_libm_are_those_under_qemu() {
    let qemu = env::var_os("ISA_QEMU").expect("ISA_QEMU names qemu-riscv64");
    let options = ["-O2", "-frounding-math", "-D_GNU_SOURCE", "-lm"];
    println!("libm: {}", Compiled::new("libm", "", &options).compare(&qemu));
}
