use super::*;

#[test]
fn it_counts() {
    let cpu = run(SUM, 1000).expect("it stops");
    assert_eq!(cpu.registers, [0, 55, 0, 0]);
}

#[test]
fn it_does_not_run_for_ever() {
    let refused = |program| run(program, 1000).expect_err("it does not stop by itself");
    assert_eq!(refused("set r0, 1\nagain r0, 0x2"), "no end after 1000 steps");
    assert_eq!(refused("set r0, 1"), "no instruction at 0x2");
    assert_eq!(refused("set r0, 1024"), "1024 is out of range: `n` takes 0x0 to 0x3ff");
}

#[test]
fn what_has_no_method_is_reported() {
    let stop = Insn::parse_at("stop", 0).expect("an instruction");
    assert_eq!(Cpu::default().other(stop), Err("stop is not supported".to_owned()));
}
