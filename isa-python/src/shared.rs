//! An instruction set, and its codecs: each thread that is at work has one of its own.

use isa_engine::{Codec, Style};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

/// The bytes of an image.
pub(crate) enum Image {
    /// One that is in this module.
    Shipped(&'static [u8]),
    /// One that was read or made.
    Own(Arc<[u8]>),
}

impl Image {
    pub(crate) fn bytes(&self) -> &[u8] {
        match self {
            Self::Shipped(bytes) => bytes,
            Self::Own(bytes) => bytes,
        }
    }
}

type Boxed<'i> = Box<dyn Codec + 'i>;

self_cell::self_cell!(
    struct Owned {
        owner: Arc<Image>,
        #[not_covariant]
        dependent: Boxed,
    }
);

/// An instruction set.
pub(crate) struct Shared {
    pub(crate) image: Arc<Image>,
    /// The name or the path that it was loaded by.
    pub(crate) spec: String,
    /// Of a specification that was read, its path: the evaluator runs it.
    pub(crate) path: Option<PathBuf>,
    style: Style,
    spare: Mutex<Vec<Owned>>,
}

impl Shared {
    /// The instruction set of an image.
    pub(crate) fn new(image: Image, spec: &str, path: Option<PathBuf>, style: Style) -> Result<Self, String> {
        let own = Self { image: Arc::new(image), spec: spec.to_owned(), path, style, spare: Mutex::new(Vec::new()) };
        let first = own.open()?;
        own.give(first);
        Ok(own)
    }

    fn open(&self) -> Result<Owned, String> {
        let style = self.style;
        Owned::try_new(self.image.clone(), |image| isa_engine::open(image.bytes(), style)).map_err(|why| why.to_string())
    }

    fn give(&self, codec: Owned) {
        self.spare.lock().unwrap_or_else(PoisonError::into_inner).push(codec);
    }

    /// Works with a codec that no other thread has.
    pub(crate) fn with<T>(&self, work: impl FnOnce(&mut dyn Codec) -> T) -> T {
        let spare = self.spare.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let mut codec = match spare {
            Some(codec) => codec,
            None => self.open().expect("the image was read before"),
        };
        let result = codec.with_dependent_mut(|_, codec| work(&mut **codec));
        self.give(codec);
        result
    }
}
