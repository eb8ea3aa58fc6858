//! Footnotes and what refers to them.

use super::Outline;
use crate::page::Page;

pub fn link(_outline: &mut Outline, _page: &Page) {}
