use generated::ptx_vop4::Secondary;

fn main() {
    let _ = Secondary::Add { sat: true };
}
