//! The native core of victorpy: the bytes of a page → UTF-8 → tree → blocks → columns → chances → labels.

pub mod blocks;
pub mod chain;
pub mod columns;
pub mod deadline;
pub mod decode;
mod deletion;
pub mod document;
pub mod formats;
pub mod given;
pub mod guess;
pub mod html;
pub mod kernels;
pub mod lexicon;
mod listings;
pub mod markup;
pub mod metadata;
pub mod names;
pub mod network;
pub mod networks;
pub mod npz;
pub mod numeric;
pub mod omission;
pub mod outline;
pub mod page;
pub mod scopes;
pub mod selectors;
pub mod sniff;
pub mod spaces;
pub mod tree;
pub mod words;

#[cfg(feature = "python")]
mod joined;
#[cfg(feature = "python")]
mod memory;
#[cfg(feature = "python")]
mod python;

#[cfg(feature = "python")]
#[global_allocator]
static ALLOCATOR: memory::Allocator = memory::Allocator;
