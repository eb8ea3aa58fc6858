//! Where nodes stand in the page.
