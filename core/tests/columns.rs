//! What the labelers see of a block, on small pages made by hand.

#[path = "columns/hostile.rs"]
mod hostile;
#[path = "columns/near.rs"]
mod near;
#[path = "columns/pages.rs"]
mod pages;
#[path = "columns/plan.rs"]
mod plan;
#[path = "columns/values.rs"]
mod values;
