//! Every specification that ships is a feature of the crate, and has an image.

use isa_runtime::engine::{Bits, image};

#[test]
#[cfg(all(
    feature = "ampere",
    feature = "compact",
    feature = "fermi",
    feature = "flexgrip",
    feature = "ptx-vop4",
    feature = "rv32gc",
    feature = "rv32imac",
    feature = "rv64gc"
))]
fn every_specification_is_a_feature() {
    let names: Vec<&str> = isa_specs::names().collect();
    assert_eq!(generated::NAMES, names, "a new file in specs/ is a new default feature");
}

#[test]
fn images_are_read() {
    fn name<W: Bits>(bytes: &[u8]) -> String {
        let tables = image::read::<W>(bytes).expect("a good image");
        tables.text(tables.head().name).to_owned()
    }
    for shipped in generated::NAMES {
        let bytes = generated::image(shipped).expect("each has an image");
        let found = match image::word_bytes(bytes).expect("an image") {
            4 => name::<u32>(bytes),
            8 => name::<u64>(bytes),
            16 => name::<u128>(bytes),
            _ => name::<isa_runtime::U256>(bytes),
        };
        assert_eq!(found, *shipped);
    }
    assert_eq!(generated::image("none"), None);
}
