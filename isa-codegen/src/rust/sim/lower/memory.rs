//! Accesses to memory.

use super::kinds::{after, lit, room, var};
use super::{Lower, Mode, found};
use crate::rust::sim::names::window_name;
use crate::rust::sim::tree::any;
use isa_spec::semantics::typed::{Access, Expr, ExprKind};
use proc_macro2::{Ident, Literal, TokenStream};
use quote::{format_ident, quote};

/// An access.
struct At {
    /// The statements before it.
    first: TokenStream,
    /// The memory, where it was found in front of the loop.
    opened: Option<Ident>,
    /// The location: space, bank, lane, address.
    place: TokenStream,
}

impl Lower<'_> {
    /// The value that an access reads.
    pub(super) fn load(&mut self, access: &Access, width: u32) -> TokenStream {
        let (At { first, opened, place }, bytes) = (self.access(access, width, false), lit(width.div_ceil(8)));
        let load = match (opened, width) {
            (Some(opened), _) => quote!(step.memory.load32_from(#opened, #place)),
            (None, 32 | 64) if access.aligned => self.kinds().of64(quote!(step.memory.load_aligned(#place, #bytes)), width),
            (None, _) if access.aligned => quote!(step.memory.load_aligned(#place, #bytes)),
            // A function of its own, which many lanes call.
            (None, 32) if !self.kinds().is_one => quote!(step.memory.load32(#place)),
            (None, 32) => self.kinds().of64(quote!(step.memory.load(#place, #bytes)), width),
            (None, 64) => self.kinds().of64(quote!(step.memory.load64(#place)), width),
            (None, _) => quote!(step.memory.load(#place, #bytes)),
        };
        let load = match room(width) {
            _ if matches!(width, 32 | 64) => load,
            128 | 256 => self.kinds().of128(load, width),
            _ => self.kinds().of64(load, width),
        };
        after(&first, load)
    }

    /// The statement that writes a value.
    pub(super) fn store(&mut self, access: &Access, value: &Expr) -> TokenStream {
        let (width, bytes) = (value.width, lit(value.width.div_ceil(8)));
        let At { first, opened, place } = self.access(access, width, true);
        let (then, value) = self.before(value, "value");
        let store = match (opened, width) {
            (Some(opened), _) => quote!(step.memory.store32_to(#opened, #place, #value);),
            (None, _) if access.aligned => quote!(step.memory.store_aligned(#place, #bytes, #value.low128());),
            (None, 32) if !self.kinds().is_one => quote!(step.memory.store32(#place, #value);),
            (None, 64) => quote!(step.memory.store64(#place, #value.low64());),
            (None, _) => quote!(step.memory.store(#place, #bytes, #value.low128());),
        };
        after(&quote!(#then #first), store)
    }

    /// The statement that changes what is in memory; a variable takes what was there.
    pub(super) fn atomic(&mut self, at: &Access, old: usize, new: &Expr) -> TokenStream {
        let width = new.width;
        // Of what changes, nothing is opened.
        let (At { first, place, .. }, bytes) = (self.access(at, 0, true), lit(width.div_ceil(8)));
        let (name, kind) = (var(old), self.kinds().kind(width));
        let new = self.expr(new);
        let access = quote! {
            #name = step.memory.atomic(#place, #bytes, &mut |old| {
                let #name = old.to::<#kind>();
                #new.low128()
            }).to::<#kind>();
        };
        after(&first, access)
    }

    fn access(&mut self, access: &Access, width: u32, write: bool) -> At {
        let space = Literal::usize_unsuffixed(access.space);
        let is_opened = self.is_opened(access, width);
        let (bank_first, bank) = match &access.bank {
            Some(bank) => {
                let (first, code) = if is_opened { (quote!(), self.expr(bank)) } else { self.before(bank, "bank") };
                (first, quote!(#code.low64()))
            }
            None => (quote!(), quote!(0)),
        };
        let opened = is_opened.then(|| {
            let key = (access.space, access.bank.clone(), write);
            found(&mut self.memories, "m", key, quote!(step.memory.open(#space, #bank, #write)))
        });
        let (address_first, address) = self.before(&access.address, "address");
        let (lane, first) = (self.lane(), quote!(#bank_first #address_first));
        if self.isa().machine.shows_others(access.space) {
            let find = window_name(access.space);
            let first = quote!(#first let (space, address) = #find(#address.low64()););
            return At { first, opened, place: quote!(space, #bank, #lane, address) };
        }
        At { first, opened, place: quote!(#space, #bank, #lane, #address.low64()) }
    }

    /// True if the memory of accesses of 32 bits is found in front of the loop: where all lanes have one, by what the instruction says.
    fn is_opened(&self, access: &Access, width: u32) -> bool {
        let is_memory = !access.aligned && !self.isa().machine.shows_others(access.space);
        is_memory
            && self.mode == Mode::Straight
            && width == 32
            && access.bank.as_ref().is_none_or(|bank| self.scope.uniform.is(bank))
    }

    /// A value that goes into an access to memory: the statements before it, and the value. If it may read memory itself, it does
    /// so before.
    fn before(&mut self, e: &Expr, name: &str) -> (TokenStream, TokenStream) {
        let code = self.expr(e);
        if !any(e, |kind| matches!(kind, ExprKind::Load(_) | ExprKind::Block(..) | ExprKind::Call { .. })) {
            return (quote!(), code);
        }
        let name = format_ident!("{name}");
        (quote!(let #name = #code;), quote!(#name))
    }
}
