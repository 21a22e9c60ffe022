//! The arguments of a function: numbers of the word, each with its place.

use proc_macro2::{Literal, TokenStream};
use quote::quote;
use std::collections::BTreeMap;

/// An argument of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) enum Key {
    /// The value of a field, by the number that forms share.
    Field(usize),
    /// A condition, by the number that forms share.
    Condition(usize),
    /// A parameter, by its variable.
    Param(usize),
}

/// The arguments of a function: keys with their places.
#[derive(Clone)]
pub(in super::super) struct Arguments {
    /// The number of its first argument; `None`: the caller passes it, as `at`.
    pub(super) start: Option<usize>,
    /// With the number of the first of each, and how many it takes.
    pub(in super::super) all: Vec<(Key, usize, usize)>,
    /// The number of arguments.
    pub(in super::super) count: usize,
    /// The declarations that the current function needs.
    pub(super) here: BTreeMap<usize, TokenStream>,
}

impl Arguments {
    pub(in super::super) fn new(start: Option<usize>) -> Self {
        Self { start, all: Vec::new(), count: 0, here: BTreeMap::new() }
    }

    /// The number of the first of `slots` arguments.
    pub(in super::super) fn place(&mut self, key: Key, slots: usize) -> usize {
        if let Some((_, first, _)) = self.all.iter().find(|(k, ..)| *k == key) {
            return *first;
        }
        self.all.push((key, self.count, slots));
        self.count += slots;
        self.count - slots
    }

    /// The expression for an argument in `a`.
    pub(super) fn argument(&self, number: usize) -> TokenStream {
        match self.start {
            Some(start) => {
                let number = Literal::usize_unsuffixed(start + number);
                quote!(a[#number])
            }
            None => {
                let number = Literal::usize_unsuffixed(number);
                quote!(a[at + #number])
            }
        }
    }

    /// The number of an argument for all functions.
    pub(in super::super) fn number(&self, key: Key) -> usize {
        let found = self.all.iter().find(|(k, ..)| *k == key);
        self.start.unwrap_or(0) + found.map_or(0, |(_, first, _)| *first)
    }

    /// Begins a part of a function that declares what it alone needs; returns what is declared around it.
    pub(in super::super) fn enter(&mut self) -> BTreeMap<usize, TokenStream> {
        std::mem::take(&mut self.here)
    }

    /// Ends such a part; returns its declarations.
    pub(in super::super) fn leave(&mut self, around: BTreeMap<usize, TokenStream>) -> TokenStream {
        let here = std::mem::replace(&mut self.here, around);
        here.into_iter().filter(|(number, _)| !self.here.contains_key(number)).map(|(_, declared)| declared).collect()
    }

    /// The declarations of a function that is ready, and begins with nothing declared.
    pub(in super::super) fn declarations(&mut self) -> TokenStream {
        let here = std::mem::take(&mut self.here);
        here.into_values().collect()
    }
}
