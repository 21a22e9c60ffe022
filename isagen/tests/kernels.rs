//! Whole programs through `isagen run`: published kernels with known results, and kernels of ours against values computed here;
//! on both engines, in several sizes, by one thread and by several.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const ENGINES: [&str; 2] = ["compiled", "reference"];

fn kernel(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/kernels").join(name)
}

fn isagen(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_isagen")).args(args).env("NO_COLOR", "1").output().expect("isagen starts")
}

/// The output of a run, which must be clean.
fn run(args: &[&str]) -> (String, String) {
    let output = isagen(&[&["run"], args].concat());
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{args:?}:\n{err}");
    (out.into_owned(), err.into_owned())
}

/// Numbers without an order, the same on every run.
fn numbers(seed: u32, count: usize) -> Vec<u32> {
    let mut x = seed;
    let mut next = || {
        x ^= x << 13;
        x ^= x >> 17;
        x ^= x << 5;
        x
    };
    (0..count).map(|_| next()).collect()
}

/// A kernel of SM 1.0 with words in global memory; returns words of it afterwards.
struct Sm1<'a> {
    name: &'a str,
    block: &'a str,
    grid: &'a str,
    params: Vec<u32>,
    global: Vec<u32>,
    /// Address and number of the words returned.
    wanted: (u32, usize),
    /// More options.
    more: &'a [&'a str],
}

impl Sm1<'_> {
    fn run(&self, engine: &str, threads: &str) -> Vec<u32> {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("kernels");
        fs::create_dir_all(&folder).expect("the folder for tests can be written to");
        let file = folder.join(format!("{}-{}-{}-{engine}-{threads}.hex", self.name, self.block, self.grid));
        let words = self.global.iter().fold(String::new(), |mut text, word| {
            writeln!(text, "{word:08x}").expect("a String");
            text
        });
        fs::write(&file, words).expect("the folder for tests can be written to");
        let (program, file) = (kernel(self.name), file.display().to_string());
        let (program, dump) = (program.display().to_string(), format!("{:#x}+{}", self.wanted.0, self.wanted.1));
        let params: Vec<String> = self.params.iter().map(|p| format!("--param={p:#x}")).collect();
        let mut args = vec!["flexgrip", &program, "--block", self.block, "--grid", self.grid, "--global", &file, "--dump", &dump];
        args.extend(["--engine", engine, "--threads", threads]);
        args.extend(params.iter().map(String::as_str).chain(self.more.iter().copied()));
        let (out, err) = run(&args);
        assert_eq!(err, "");
        out.lines().map(|l| u32::from_str_radix(l, 16).expect("a word")).collect()
    }

    fn must_give(&self, expected: &[u32]) {
        for (engine, threads) in [("compiled", "3"), ("reference", "1")] {
            let is = self.run(engine, threads);
            let what = format!("{} {} {} {engine} {threads}", self.name, self.block, self.grid);
            assert!(is == expected, "{what}: the words differ from {:?} on", is.iter().zip(expected).position(|(a, b)| a != b));
        }
    }
}

#[test]
fn published_kernels_give_their_words() {
    let kernels = [("vectoradd_int_32", 32), ("vectoradd_int_128", 128), ("sort_v1_64_one_warp", 64), ("reduction", 3074)];
    for (name, count) in kernels {
        let launch = kernel(&format!("{name}.launch.json")).display().to_string();
        let expected = fs::read_to_string(kernel(&format!("{name}.expect.hex"))).expect("the expected words");
        assert_eq!(expected.lines().count(), count);
        for engine in ENGINES {
            let (out, err) = run(&["flexgrip", "--launch", &launch, "--engine", engine]);
            assert!(out == expected, "{name} {engine}");
            assert!(err.ends_with("words as expected\n"), "{name} {engine}: {err}");
        }
    }
}

#[test]
fn matrices_are_multiplied() {
    for (tile, tiles) in [(1, 2), (4, 3), (8, 1)] {
        let n = tile * tiles;
        let global: Vec<u32> = numbers(0xa + n as u32, 2 * n * n).iter().map(|x| x & 0xffff).collect();
        let (a, b) = global.split_at(n * n);
        let product = |i: usize| (0..n).fold(0u32, |sum, k| sum.wrapping_add(a[i / n * n + k].wrapping_mul(b[k * n + i % n])));
        let bytes = 4 * (n * n) as u32;
        let kernel = Sm1 {
            name: "sm1-matmul.asm",
            block: &format!("{tile},{tile}"),
            grid: &format!("{tiles},{tiles}"),
            params: vec![0, bytes, 2 * bytes, n as u32],
            wanted: (2 * bytes, n * n),
            global: global.clone(),
            more: &[],
        };
        kernel.must_give(&(0..n * n).map(product).collect::<Vec<_>>());
    }
}

#[test]
fn prefixes_are_summed() {
    for (block, grid) in [(7, 2), (32, 1), (96, 3)] {
        let global = numbers(block as u32, block * grid);
        let sums = global.chunks(block).flat_map(|part| {
            part.iter().scan(0u32, |sum, x| {
                *sum = sum.wrapping_add(*x);
                Some(*sum)
            })
        });
        let bytes = 4 * global.len() as u32;
        let kernel = Sm1 {
            name: "sm1-scan.asm",
            block: &block.to_string(),
            grid: &grid.to_string(),
            params: vec![0, bytes],
            wanted: (bytes, global.len()),
            global: global.clone(),
            more: &[],
        };
        kernel.must_give(&sums.collect::<Vec<_>>());
    }
}

#[test]
fn values_are_counted() {
    for (block, grid, each) in [(16, 1, 1), (50, 3, 7)] {
        let global = numbers(1 + block as u32, block * grid * each);
        let counts = global.chunks(block * each).flat_map(|part| {
            let mut counts = [0; 16];
            part.iter().for_each(|x| counts[(x & 15) as usize] += 1);
            counts
        });
        let bytes = 4 * global.len() as u32;
        let kernel = Sm1 {
            name: "sm1-histogram.asm",
            block: &block.to_string(),
            grid: &grid.to_string(),
            params: vec![0, bytes, each as u32],
            wanted: (bytes, 16 * grid),
            global: global.clone(),
            more: &[],
        };
        kernel.must_give(&counts.collect::<Vec<_>>());
    }
}

#[test]
fn matrices_are_transposed() {
    for (tile, tiles) in [(1, 3), (4, 3), (16, 1)] {
        let n = tile * tiles;
        let global = numbers(0x7 + n as u32, n * n);
        let transposed: Vec<u32> = (0..n * n).map(|i| global[i % n * n + i / n]).collect();
        let bytes = 4 * (n * n) as u32;
        let kernel = Sm1 {
            name: "sm1-transpose.asm",
            block: &format!("{tile},{tile}"),
            grid: &format!("{tiles},{tiles}"),
            params: vec![0, bytes, n as u32],
            wanted: (bytes, n * n),
            global,
            more: &[],
        };
        kernel.must_give(&transposed);
    }
}

#[test]
fn parts_are_sorted() {
    for (block, grid, mask) in [(2, 3, u32::MAX), (64, 2, u32::MAX), (128, 1, 7)] {
        let global: Vec<u32> = numbers(3 + block as u32, block * grid).iter().map(|x| x & mask).collect();
        let mut sorted = global.clone();
        sorted.chunks_mut(block).for_each(<[u32]>::sort_unstable);
        let kernel = Sm1 {
            name: "sm1-bitonic.asm",
            block: &block.to_string(),
            grid: &grid.to_string(),
            params: vec![0],
            wanted: (0, block * grid),
            global,
            more: &[],
        };
        kernel.must_give(&sorted);
    }
}

/// Floats between 1 and 2, with a sign where `signed`, and their words.
fn floats(seed: u32, count: usize, signed: bool) -> Vec<f32> {
    let word = |x: u32| x >> 9 | 0x3f80_0000 | if signed { x << 31 } else { 0 };
    numbers(seed, count).into_iter().map(|x| f32::from_bits(word(x))).collect()
}

#[test]
fn products_are_added_as_a_tree() {
    for (block, grid) in [(1, 2), (8, 3), (64, 2)] {
        let (a, b) = (floats(1 + block as u32, block * grid, true), floats(90 + block as u32, block * grid, true));
        let sum = |(a, b): (&[f32], &[f32])| {
            let mut products: Vec<f32> = a.iter().zip(b).map(|(a, b)| a * b).collect();
            while products.len() > 1 {
                let upper = products.split_off(products.len() / 2);
                products.iter_mut().zip(upper).for_each(|(a, b)| *a += b);
            }
            products[0].to_bits()
        };
        let sums: Vec<u32> = a.chunks(block).zip(b.chunks(block)).map(sum).collect();
        let bytes = 4 * a.len() as u32;
        let kernel = Sm1 {
            name: "sm1-dot.asm",
            block: &block.to_string(),
            grid: &grid.to_string(),
            params: vec![0, bytes, 2 * bytes],
            wanted: (2 * bytes, grid),
            global: a.iter().chain(&b).map(|x| x.to_bits()).collect(),
            more: &[],
        };
        kernel.must_give(&sums);
    }
}

/// The step of a solver of the Euler equations, by cell: density, momentum in three directions, energy, and area.
fn step_factor([density, x, y, z, energy]: [f32; 5], area: f32) -> f32 {
    // Functions give the float nearest to the true value.
    let root = |x: f32| 1.0 / (1.0 / f64::from(x).sqrt()) as f32;
    let inverse = 1.0 / density;
    let [x, y, z] = [x, y, z].map(|of| of * inverse);
    let speed = z.mul_add(z, y.mul_add(y, x * x));
    let pressure = (-speed).mul_add(density * 0.5, energy) * f32::from_bits(0x3ecc_cccc);
    let sound = root(pressure * f32::from_bits(0x3fb3_3333) * inverse);
    0.5 * (1.0 / ((root(speed) + sound) * root(area)))
}

/// A kernel of Rodinia's `euler3d`, as FlexGripPlus publishes it.
#[test]
fn steps_of_a_solver_of_fluids() {
    let (block, grid) = (32, 2);
    let n = block * grid;
    let parts: Vec<Vec<f32>> = (0..4).map(|part| floats(5 + part, n, part > 0)).collect();
    // Much energy, so that the pressure is positive.
    let energy: Vec<f32> = floats(77, n, false).iter().map(|x| x * 16.0).collect();
    let area = floats(99, n, false);
    let factor = |i: usize| step_factor([parts[0][i], parts[1][i], parts[2][i], parts[3][i], energy[i]], area[i]).to_bits();
    let cells = parts.iter().chain([&energy, &area]).flatten();
    let bytes = 4 * n as u32;
    let kernel = Sm1 {
        name: "euler_step_factor.hex",
        block: &block.to_string(),
        grid: &grid.to_string(),
        params: vec![n as u32, 0, 5 * bytes, 6 * bytes],
        wanted: (6 * bytes, n),
        global: cells.map(|x| x.to_bits()).collect(),
        // If a divisor is above 2^126, both sides are divided by 4; and an eighth.
        more: &["--const", "1=0000807e0000803e0000003e", "--set", "fmad=fused"],
    };
    kernel.must_give(&(0..n).map(factor).collect::<Vec<_>>());
}

/// A launch file without a size: the memory is large enough for the expected words.
#[test]
fn the_memory_reaches_to_what_is_expected() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("far");
    fs::create_dir_all(&folder).expect("the folder for tests can be written to");
    let write = |name: &str, text: &str| fs::write(folder.join(name), text).expect("the folder for tests can be written to");
    write("global.hex", "3\n4\n");
    write("expect.hex", "3\n7\n");
    for (address, works) in [(0x2_0000u64, true), (1 << 40, false), (u64::MAX - 7, false)] {
        let program = kernel("sm1-scan.asm").display().to_string().replace('\\', "/");
        let launch = format!(
            r#"{{ "program": "{program}", "block": 2, "params": [0, {:#x}], "global_memory": "global.hex",
                "expect": {{ "address": "{address:#x}", "words": "expect.hex" }} }}"#,
            address as u32
        );
        write("far.launch.json", &launch);
        for engine in ENGINES {
            let file = folder.join("far.launch.json").display().to_string();
            let output = isagen(&["run", "flexgrip", "--launch", &file, "--engine", engine]);
            let err = String::from_utf8_lossy(&output.stderr);
            if works {
                assert_eq!((output.stdout.as_slice(), &*err), (b"00000003\n00000007\n".as_slice(), "2 words as expected\n"));
            } else {
                assert!(output.status.code() == Some(2) && err.contains("the maximum is"), "{err}");
            }
        }
    }
}

/// The result of `ampere-checksum.asm`.
fn checksum(mut x: u32, count: u32) -> u32 {
    let mut sum = 0u32;
    for _ in 0..count {
        x = x.wrapping_mul(0x19660d).wrapping_add(0x3c6ef35f);
        if x & 0x10000 != 0 {
            sum = sum.wrapping_add(x);
        } else {
            sum ^= x;
            let product = u64::from(x) * u64::from(sum);
            let (low, carry) = sum.overflowing_add(product as u32);
            sum = low.wrapping_add((product >> 32) as u32).wrapping_add(carry.into());
        }
    }
    sum
}

/// The instruction set has no memory that a run leaves behind: the result is in the trace.
#[test]
fn a_checksum_on_ampere() {
    let program = kernel("ampere-checksum.asm").display().to_string();
    for (start, count, block, engine) in
        [(5, 3, "1", "compiled"), (0xdead_beef, 100, "40", "compiled"), (7, 40, "33", "reference")]
    {
        let hex = |n: u32| n.to_le_bytes().map(|b| format!("{b:02x}")).concat();
        let constants = format!("0={}{}{}", "00".repeat(0x160), hex(start), hex(count));
        let (out, err) = run(&["ampere", &program, "--const", &constants, "--trace", "--engine", engine, "--block", block]);
        assert_eq!(out, "");
        let loads: Vec<_> = err.lines().filter(|l| l.contains("  LDL R6, ")).collect();
        let warps = block.parse::<usize>().expect("a number").div_ceil(32);
        assert_eq!(loads.len(), warps);
        for line in loads {
            assert!(line.ends_with(&format!("  R6={:#x}", checksum(start, count))), "{line}");
        }
    }
}

/// Both engines print the same trace for every instruction.
#[test]
fn both_engines_trace_alike() {
    for name in ["reduction", "sort_v1_64_one_warp"] {
        let launch = kernel(&format!("{name}.launch.json")).display().to_string();
        let mut traces: HashMap<String, &str> = HashMap::new();
        for engine in ENGINES {
            let (_, err) = run(&["flexgrip", "--launch", &launch, "--engine", engine, "--trace"]);
            assert!(err.lines().count() > 300);
            traces.insert(err, engine);
        }
        assert_eq!(traces.len(), 1, "{name}: the traces differ");
    }
}
