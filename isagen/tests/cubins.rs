//! Kernels of cubins by their launch files: on both engines, in several orders of blocks, warps and lanes, on several threads.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const ENGINES: [&str; 2] = ["compiled", "reference"];

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/cubins")
}

fn isagen(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_isagen")).args(args).env("NO_COLOR", "1").output().expect("isagen starts")
}

/// The exit status and the output for a launch file.
fn launch(file: &Path, more: &[&str]) -> (Option<i32>, String) {
    let file = file.to_str().expect("a path of ASCII");
    let output = isagen(&[&["run", "--launch", file], more].concat());
    (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
}

/// A launch file with changed text, whose files are those of a kernel.
fn changed(kernel: &str, name: &str, change: impl FnOnce(String) -> String) -> PathBuf {
    let to = Path::new(env!("CARGO_TARGET_TMPDIR")).join("cubins").join(name);
    fs::create_dir_all(&to).expect("the folder for tests can be written to");
    for file in fs::read_dir(folder().join(kernel)).expect("the folder of a kernel") {
        let file = file.expect("a file").path();
        fs::copy(&file, to.join(file.file_name().expect("a name"))).expect("it can be copied");
    }
    let path = to.join("launch.json");
    let text = fs::read_to_string(&path).expect("a launch file");
    let made = change(text.clone());
    assert_ne!(text, made, "{name} is a change");
    fs::write(&path, made).expect("it can be written");
    path
}

#[test]
fn kernels_give_what_is_expected() {
    let mut count = 0;
    for kernel in fs::read_dir(folder()).expect("the folder of kernels") {
        let file = kernel.expect("a kernel").path().join("launch.json");
        if !file.exists() {
            continue;
        }
        count += 1;
        for engine in ENGINES {
            let orders = [&[][..], &["--schedule", "1"], &["--schedule", "99"]];
            // The evaluator reads all of sm80 each time: `.ci/run` has it take every kernel in every order, a sample is tried without it.
            let orders = match (engine, std::env::var_os("THOROUGH")) {
                (_, Some(_)) => &orders[..],
                ("compiled", None) => &orders[count % 3..][..1],
                _ => &orders[..usize::from(count % 6 == 0)],
            };
            for order in orders {
                let (status, said) = launch(&file, &[&["--engine", engine][..], order].concat());
                assert_eq!(status, Some(0), "{}, {engine}, {order:?}:\n{said}", file.display());
                assert!(said.contains(" as expected"), "{said}");
            }
        }
        let (status, said) = launch(&file, &["--threads", "2"]);
        assert_eq!(status, Some(0), "{}, two threads:\n{said}", file.display());
    }
    assert_eq!(count, 42);
}

#[test]
fn a_cubin_is_named_or_the_launch_file_names_it() {
    let (cubin, file) = (folder().join("life/life.sm_80.cubin"), folder().join("life/launch.json"));
    let (cubin, file) = (cubin.to_str().expect("a path"), file.to_str().expect("a path"));
    for args in
        [&["run", cubin, "--launch", file][..], &["run", "sm80", cubin, "--launch", file], &["run", "sm80", "--launch", file]]
    {
        let output = isagen(args);
        assert_eq!(output.status.code(), Some(0), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    }
}

#[test]
fn what_differs_is_shown() {
    let file = changed("life", "differs", |text| text.replacen("g3.expect.bin", "g0.bin", 1));
    let (status, said) = launch(&file, &[]);
    assert_eq!(status, Some(1), "{said}");
    assert!(said.contains("differ from") && said.contains("\n  at 0: found "), "{said}");
}

#[test]
fn an_access_that_misses_a_buffer_says_by_how_much() {
    let file = changed("crc32", "misses", |text| text.replace("\"out\": { \"bytes\": 840 }", "\"out\": { \"bytes\": 832 }"));
    for engine in ENGINES {
        let (status, said) = launch(&file, &["--engine", engine]);
        assert_eq!(status, Some(1), "{said}");
        assert!(
            said.contains("of `global`: ")
                && said.contains("in kernel `crc32`")
                && said.contains("buffer `out`, which has 832 bytes"),
            "{said}"
        );
    }
}

#[test]
fn launches_that_cannot_be_are_refused() {
    let refused = |name: &str, from: &str, to: &str, message: &str| {
        let file = changed("crc32", name, |text| text.replacen(from, to, 1));
        let (status, said) = launch(&file, &[]);
        assert_eq!(status, Some(2), "{name}: {said}");
        assert!(said.contains(message), "{name}: {said}");
    };
    refused("kernel", "\"kernel\": \"crc32\"", "\"kernel\": \"crc23\"", "there is no kernel `crc23`");
    refused("count", "  { \"s32\": 61 },\n", "", "the kernel takes 4 arguments, and 3 are given");
    refused("size", "{ \"s32\": 61 }", "{ \"s64\": 61 }", "argument 2 has 8 bytes, and the kernel takes 4 there");
    refused("number", "{ \"s32\": 61 }", "{ \"s32\": 4294967296 }", "`4294967296` is no s32");
    refused("buffer", "{ \"buffer\": \"p\" }", "{ \"buffer\": \"q\" }", "there is no buffer `q`");
    refused(
        "block",
        "\"block\": [40, 1, 1]",
        "\"block\": [1048576, 1048576, 1]",
        "a block of this kernel has at most 1024 threads, not 1099511627776",
    );
    refused(
        "grid",
        "\"grid\": [2, 1, 1]",
        "\"grid\": [4294967295, 4294967295, 4294967295]",
        "the grid has more than 2^64 blocks",
    );
    refused("nothing", "\"grid\": [2, 1, 1]", "\"grid\": [0, 1, 1]", "at least 1 in each direction");
    refused("file", "\"file\": \"p.bin\"", "\"file\": \"no.bin\"", "no.bin");
    refused(
        "bytes",
        "\"bytes\": 840",
        "\"bytes\": 18446744073709551615",
        "error[number]: `bytes` is a number from 0 to 4294967296\n",
    );
    refused("type", "\"as\": \"u32\"", "\"as\": \"u33\"", "`u33` is no type");
    let file = changed("crc32", "cut", |text| format!("{text}\n"));
    let cubin = file.with_file_name("crc32.sm_80.cubin");
    let bytes = fs::read(&cubin).expect("a cubin");
    for end in [1, 16, 64, 700, 1500, 3000] {
        fs::write(&cubin, &bytes[..end]).expect("it can be written");
        let (status, said) = launch(&file, &[]);
        assert_eq!(status, Some(2), "{end} bytes: {said}");
        assert!(!said.contains("panicked"), "{said}");
    }
}

#[test]
fn a_kernel_that_does_not_end_meets_the_limit() {
    for engine in ENGINES {
        let (status, said) = launch(&folder().join("xorshift/launch.json"), &["--engine", engine, "--limit", "200"]);
        assert_eq!(status, Some(1), "{said}");
        assert!(
            said.contains("the run has not ended after 200 warp instructions, the limit")
                && said.contains("in kernel `xorshift`"),
            "{said}"
        );
    }
}

/// `ISA_NVCC=nvcc cargo test -p isagen --test cubins -- --ignored` compiles a CUDA program with the runtime of
/// `examples/cuda-runtime`, and runs it: its own check of the results on the CPU decides.
#[test]
#[ignore = "needs nvcc, which ISA_NVCC names"]
fn a_cuda_program_runs_without_a_gpu() {
    let nvcc = std::env::var("ISA_NVCC").expect("ISA_NVCC names nvcc");
    let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/cuda-runtime");
    let program = Path::new(env!("CARGO_TARGET_TMPDIR")).join("histogram");
    let built = Command::new(nvcc)
        .args(["-cudart", "none", "-arch=sm_80", "-Xfatbin", "-compress=false", "-o"])
        .args([&program, &from.join("histogram.cu"), &from.join("cudart.c")])
        .output()
        .expect("nvcc starts");
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    for options in ["", "--engine reference", "--schedule 7", "--threads 2"] {
        let mut command = Command::new(&program);
        let output =
            command.env("ISAGEN", env!("CARGO_BIN_EXE_isagen")).env("ISAGEN_OPTIONS", options).output().expect("it starts");
        let said = String::from_utf8_lossy(&output.stdout);
        assert_eq!((output.status.code(), &*said), (Some(0), "no error, 12 blocks, 0 wrong\n"), "{options}");
    }
}

#[test]
fn functions_of_the_host_are_carried_out() {
    let printed = "thread 0 of 4: 1.50  more a 3298534883328|3   |\n\
                   thread 1 of 4: 3.00  less b -2199023255552|fffffffe|\n\
                   thread 2 of 4: 6.00  more c 1099511627776|1   |\n\
                   thread 3 of 4: 12.00  more d 0|0   |\n\
                   odd\nodd\n";
    let file = folder().join("host/launch.json");
    for engine in ENGINES {
        for more in [&[][..], &["--threads", "2"]] {
            let args = [&["run", "--launch", file.to_str().expect("a path"), "--engine", engine], more].concat();
            let output = isagen(&args);
            let said = String::from_utf8_lossy(&output.stderr);
            assert_eq!(output.status.code(), Some(0), "{engine}: {said}");
            assert_eq!(String::from_utf8_lossy(&output.stdout), printed, "{engine}: {said}");
        }
    }
}

#[test]
fn an_assertion_that_fails_is_a_fault() {
    let file = changed("host", "asserts", |text| text.replacen("\"s32\"", "\"u32\"", 1));
    let bytes: Vec<u8> = [1i32, 9, 2, 3].iter().flat_map(|n| n.to_le_bytes()).collect();
    fs::write(file.with_file_name("p.bin"), bytes).expect("it can be written");
    for engine in ENGINES {
        let (status, said) = launch(&file, &["--engine", engine]);
        assert_eq!(status, Some(1), "{said}");
        for part in [
            "host.cu:",
            "void asserts(const int *)",
            "assertion `p[threadIdx.x] < 5` failed",
            "warp 0, lane 1",
            "in kernel `asserts`",
        ] {
            assert!(said.contains(part), "{part}: {said}");
        }
    }
}
