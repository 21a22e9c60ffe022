//! The amounts that a suite tries.

/// One of two amounts: what `.ci/run` tries, with `THOROUGH=1`, or a sample of it.
pub fn amount<T>(all: T, sample: T) -> T {
    if std::env::var_os("THOROUGH").is_some() { all } else { sample }
}
