//! Tables, lists and listings that are kept or dropped as a whole.
