isa_macros::define_isa!(tiny);

fn main() {}
