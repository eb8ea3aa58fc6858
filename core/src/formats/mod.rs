//! An outline as text for others: Markdown and HTML.

mod grid;
pub mod html;
pub mod main_html;
pub mod markdown;
