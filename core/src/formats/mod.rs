//! Output formats of an outline: Markdown and HTML.

mod grid;
pub mod html;
pub mod main_html;
pub mod markdown;
