//! Every specification that ships is a feature of the crate, and has an image.

use isa_runtime::engine::{Bits, image};

#[test]
#[cfg(all(
    feature = "ampere",
    feature = "compact",
    feature = "fermi",
    feature = "flexgrip",
    feature = "ptx-vop4",
    feature = "rv32imac",
    feature = "rv64gc"
))]
fn every_specification_is_a_feature() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("specs");
    let files = std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    // Others, of errata and in folders, are parts of these.
    let is_whole =
        |path: &std::path::PathBuf| std::fs::read_to_string(path).is_ok_and(|text| text.lines().any(|l| l.starts_with("isa:")));
    let files = files.filter(|path| path.is_file() && is_whole(path));
    let mut names: Vec<String> = files.map(|p| p.file_stem().expect("a name").to_string_lossy().into_owned()).collect();
    names.sort();
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
