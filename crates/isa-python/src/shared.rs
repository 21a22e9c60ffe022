//! An instruction set, and its codecs: each active thread has its own.

use isa_arrow::{Error, Rows};
use isa_engine::{BadImage, Codec, Style};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

/// The bytes of an image.
pub(crate) enum Image {
    /// One that is contained in this module.
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

/// The state of a thread.
struct Tools<'i> {
    codec: Box<dyn Codec + 'i>,
    /// The maker of columns, created on first use.
    rows: Option<Rows<'i>>,
}

self_cell::self_cell!(
    struct Owned {
        owner: Arc<Image>,
        #[not_covariant]
        dependent: Tools,
    }
);

/// An instruction set.
pub(crate) struct Shared {
    pub(crate) image: Arc<Image>,
    /// The name or the path that it was loaded by.
    pub(crate) spec: String,
    /// The path of a specification, for the evaluator.
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
        let tools = Owned::try_new(self.image.clone(), |image| {
            let codec = isa_engine::open(image.bytes(), style)?;
            Ok::<_, BadImage>(Tools { codec, rows: None })
        });
        tools.map_err(|why| why.to_string())
    }

    fn give(&self, tools: Owned) {
        self.spare.lock().unwrap_or_else(PoisonError::into_inner).push(tools);
    }

    /// Runs a function with tools that no other thread has.
    fn with_tools<T>(&self, work: impl for<'i> FnOnce(&'i Image, &mut Tools<'i>) -> T) -> T {
        let spare = self.spare.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let mut tools = match spare {
            Some(tools) => tools,
            None => self.open().expect("the image was read before"),
        };
        let result = tools.with_dependent_mut(|image, tools| work(image, tools));
        self.give(tools);
        result
    }

    /// Runs a function with a codec that no other thread has.
    pub(crate) fn with<T>(&self, work: impl FnOnce(&mut dyn Codec) -> T) -> T {
        self.with_tools(|_, tools| work(&mut *tools.codec))
    }

    /// Runs a function with rows that no other thread has; they remember the forms that they have seen.
    pub(crate) fn with_rows<T>(&self, work: impl FnOnce(&mut Rows<'_>) -> Result<T, Error>) -> Result<T, Error> {
        self.with_tools(|image, tools| {
            let rows = match &mut tools.rows {
                Some(rows) => rows,
                none => {
                    let codec = isa_engine::open(image.bytes(), self.style).expect("the image was read before");
                    none.insert(Rows::new(codec, true)?)
                }
            };
            work(rows)
        })
    }
}
