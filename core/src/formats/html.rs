//! HTML.
