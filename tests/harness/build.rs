//! Says whether this crate is optimised: the suites set limits of time.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rustc-check-cfg=cfg(is_optimised)");
    if ["2", "3"].contains(&std::env::var("OPT_LEVEL").as_deref().unwrap_or_default()) {
        println!("cargo::rustc-cfg=is_optimised");
    }
}
