//! Main HTML.
