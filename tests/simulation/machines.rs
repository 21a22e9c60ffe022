//! The machine that an image has is the machine of its specification.

use harness::{amount, load, shipped, shipped_isa, yaml_files};
use isa_runtime::U256;
use isa_runtime::engine::{Bits, image};
use isa_runtime::machine::{
    Divergence, FlagsInfo, LaunchValue, MachineInfo, ParamsInfo, RegistersInfo, Sharing, SpaceInfo, VariantInfo,
};
use isa_runtime::word::Units;
use isa_spec::machine_info;
use isa_spec::model::Isa;

/// The machine of an instruction set, from its image.
fn of_image(isa: &Isa) -> MachineInfo {
    fn read<W: Bits>(bytes: &[u8]) -> MachineInfo {
        MachineInfo::of(&image::read::<W>(bytes).expect("a good image"))
    }
    let bytes = isa_tables::image(isa).expect("it is not too large");
    match image::word_bytes(&bytes) {
        Ok(4) => read::<u32>(&bytes),
        Ok(8) => read::<u64>(&bytes),
        Ok(16) => read::<u128>(&bytes),
        _ => read::<U256>(&bytes),
    }
}

#[test]
fn flexgrip() {
    let registers = |name: &str, width, count, zero, is_view, [prefix, suffix]: [&str; 2]| RegistersInfo {
        name: name.into(),
        width,
        count,
        zero,
        one: None,
        is_view,
        prefix: prefix.into(),
        suffix: suffix.into(),
        names: Vec::new(),
    };
    let value = |(name, width): (&str, u32)| LaunchValue { name: name.into(), width };
    let space = |name: &str, address, banks, size, read_only, owner| SpaceInfo {
        name: name.into(),
        address,
        banks,
        size,
        read_only,
        program: false,
        coherent: false,
        regions: Vec::new(),
        unaligned: false,
        big_endian: false,
        owner,
    };
    let wanted = MachineInfo {
        lanes: 32,
        pc: 32,
        units: Units { bits: 32, low_first: true, little_endian: true },
        registers: vec![
            registers("R", 32, 128, None, false, ["R", ""]),
            registers("RH", 16, 128, None, true, ["", ""]),
            registers("A", 16, 8, Some(0), false, ["A", ""]),
        ],
        flags: vec![FlagsInfo { name: "C".into(), count: 4, flags: ["z", "s", "c", "o"].map(String::from).to_vec() }],
        launch_values: [
            ("tid.x", 16),
            ("tid.y", 10),
            ("tid.z", 6),
            ("ntid.x", 16),
            ("ntid.y", 16),
            ("ntid.z", 16),
            ("nctaid.x", 16),
            ("nctaid.y", 16),
            ("ctaid.x", 16),
            ("ctaid.y", 16),
        ]
        .map(value)
        .to_vec(),
        values: Vec::new(),
        spaces: vec![
            space("global", 32, None, None, false, Sharing::Grid),
            space("shared", 16, None, Some(0x4000), false, Sharing::Block),
            space("const", 16, Some(16), None, true, Sharing::Grid),
        ],
        lines: Vec::new(),
        variants: vec![VariantInfo { name: "fmad".into(), values: ["fused", "rounded", "truncated"].map(String::from).to_vec() }],
        divergence: Divergence::Stack,
        params: Some(ParamsInfo { space: 1, bank: 0, at: 0x10 }),
        linux: None,
        debugger: None,
    };
    let isa = shipped_isa("flexgrip");
    assert_eq!(machine_info(isa), wanted);
    assert_eq!(of_image(isa), wanted);
    assert_eq!(generated::flexgrip::sim::machine(), wanted);
}

#[test]
fn rv64gc() {
    let machine = of_image(shipped_isa("rv64gc"));
    assert_eq!((machine.lanes, machine.pc, machine.units.bytes()), (1, 64, 2));
    let values: Vec<(&str, u32)> = machine.values.iter().map(|(name, width)| (name.as_str(), *width)).collect();
    let privileged = ["mstatus", "mtvec", "mepc", "mcause", "mtval", "mie"].map(|name| (name, 64));
    let machine_mode =
        [&[("user", 1), ("floats_off", 1), ("hidden", 3)][..], &privileged, &[("cycles", 64), ("retired", 64)]].concat();
    assert_eq!(values, [&[("reserved", 1), ("reservation", 64)][..], &machine_mode, &[("fflags", 5), ("frm", 3)]].concat());
    assert_eq!(machine.lines, ["msip", "mtip", "meip"]);
}

#[test]
fn shipped_instruction_sets() {
    for path in shipped().into_iter().step_by(amount(1, 4)) {
        let isa = load(&path);
        assert_eq!(of_image(isa), machine_info(isa), "{}", path.display());
    }
}

#[test]
fn small_instruction_sets() {
    for path in ["specs/accepted", "specs/programs"].into_iter().flat_map(yaml_files) {
        let isa = load(&path);
        assert_eq!(of_image(isa), machine_info(isa), "{}", path.display());
    }
}
