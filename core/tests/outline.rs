//! Outlines of small pages, what formats make of them, and pages made to hurt.

#[path = "outline/hostile.rs"]
mod hostile;
#[path = "outline/pages.rs"]
mod pages;
#[path = "outline/read_back.rs"]
mod read_back;
#[path = "outline/structure.rs"]
mod structure;
